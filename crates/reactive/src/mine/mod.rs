//! Rules that hold in all configurations of an environment: assumptions that need no proof.
//!
//! **Problem.** Given for each microstep which valuations of the interface events were met, find all rules *if … then …*
//! over events that are there or not and over the number of the microstep, with confidence 1: those that hold in every
//! configuration. There are very many. Print few that say the same.
//!
//! **Source.** The extraction step of [de la Riva, Tuya 2006], association rules after [Agrawal, Srikant 1994].
//!
//! **Idea.** A rule of confidence 1 says that some combination never occurs: "if a then not b" forbids a with b. So a rule is
//! a *cube* of valuations that is forbidden in some microsteps, and all rules together forbid exactly what was not met. Rules
//! that say the same as all of them are a cover of that set by cubes:
//!
//! 1. Short cubes first, as people like them: all cubes with up to three literals, each in the microsteps in which nothing
//!    of it was met and in which no shorter cube forbids it already.
//! 2. What these leave is covered by longer cubes (`diagram.rs`).
//! 3. Rules that follow from the others are removed, the longest first.
//!
//! **The past.** Where configurations have their past ([`Past`]), rules may speak of it. What is said without it, by the rules
//! that are mined from the configurations alone, is not said again; nor what only the past says, since a past that was never
//! met is one that no rule has to forbid. Both are left open: a cube may forbid them or not.
//!
//! **Invariants.** The rules forbid what was not met and nothing else (of the pasts that were met, together with the rules
//! without a past), so every rule of confidence 1 follows from them; none follows from the others; and none can be shortened.
//! A rule's *if* was met in some configuration: its support is not 0.

mod diagram;
mod text;

use std::collections::BTreeMap;

use diagram::{ALL, Diagrams, NONE, Set};

use crate::configurations::{Configurations, Past, Valuation};
use crate::formula::{Atom, Comparison, Formula};
use crate::system::EventId;

pub use text::{Implication, Line};

/// Valuations with some events and without some others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// The events that are there.
    pub with: Valuation,
    /// The events that are not there.
    pub without: Valuation,
}

impl Cube {
    /// How many events it speaks about.
    pub fn size(self) -> u32 {
        self.with.count_ones() + self.without.count_ones()
    }

    /// Whether a valuation is in it.
    pub fn has(self, valuation: Valuation) -> bool {
        self.with & !valuation == 0 && self.without & valuation == 0
    }

    /// Whether everything of another cube is in it.
    fn includes(self, other: Self) -> bool {
        self.with & !other.with == 0 && self.without & !other.without == 0
    }
}

/// A rule: what never happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The valuations that never occur.
    pub never: Cube,
    /// The microsteps in which they never occur, in order.
    pub microsteps: Vec<i32>,
}

/// What was mined from the configurations of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mined {
    /// The configurations.
    pub configurations: Configurations,
    /// The rules, shortest first.
    pub rules: Vec<Rule>,
    /// How many further rules were found that follow from these.
    pub redundant: usize,
}

/// The largest cubes that are looked at one by one.
const SHORT: u32 = 3;
/// How many cubes are looked at one by one at most.
const MAX_SHORT: usize = 200_000;

/// Mines all rules. If the configurations have their past, those that speak of it.
pub fn mine(configurations: Configurations) -> Mined {
    let without_past = match configurations.past {
        Past::None => Vec::new(),
        Past::Microstep | Past::Macrostep => mine(configurations.now()).rules,
    };
    let (rules, redundant) = Miner::new(&configurations).rules(&without_past);
    Mined { configurations, rules, redundant }
}

impl Mined {
    /// A rule as a formula over the interface and `ms`, to be assumed.
    pub fn formula(&self, rule: &Rule) -> Formula {
        let configurations = &self.configurations;
        let count = configurations.events.len();
        let event = |bit: usize| {
            let event = configurations.events[bit % count];
            Formula::Atom(match configurations.past {
                Past::Microstep if bit >= count => Atom::Before(event),
                Past::Macrostep if bit >= count => Atom::OldEvent(event),
                _ => Atom::Event(event),
            })
        };
        let bits = |set: Valuation| (0..configurations.variables()).filter(move |bit| set >> bit & 1 == 1);
        let mut parts: Vec<Formula> = bits(rule.never.with).map(event).collect();
        parts.extend(bits(rule.never.without).map(|bit| event(bit).negated()));
        if !self.is_always(rule) {
            let last = self.configurations.counted;
            let here = |&number: &i32| match number == last {
                // The last number that is counted stands for all later ones as well.
                true => Formula::Atom(Atom::Microstep(Comparison::Less, number)).negated(),
                false => Formula::Atom(Atom::Microstep(Comparison::Equal, number)),
            };
            parts.push(Formula::any(rule.microsteps.iter().map(here)));
        }
        Formula::all(parts).negated()
    }

    /// Whether a rule holds in every microstep.
    pub fn is_always(&self, rule: &Rule) -> bool {
        rule.microsteps.len() == usize::try_from(self.configurations.counted).unwrap_or(usize::MAX)
    }

    /// The events of the interface.
    pub fn events(&self) -> &[EventId] {
        &self.configurations.events
    }
}

/// Mining in progress.
struct Miner {
    /// For each microstep, from 1 on, what was met.
    met: Vec<Vec<Valuation>>,
    variables: usize,
    /// The bits that are not about the past.
    now: Valuation,
    past: Past,
}

impl Miner {
    fn new(configurations: &Configurations) -> Self {
        let mut met = vec![Vec::new(); usize::try_from(configurations.counted).unwrap_or(0)];
        for &(microstep, valuation) in configurations.counts.keys() {
            if let Some(list) = usize::try_from(microstep - 1).ok().and_then(|at| met.get_mut(at)) {
                list.push(valuation);
            }
        }
        let (variables, now) = (configurations.variables(), configurations.mask_of_now());
        Self { met, variables, now, past: configurations.past }
    }

    fn rules(mut self, without_past: &[Rule]) -> (Vec<Rule>, usize) {
        let mut diagrams = Diagrams::new(self.variables);
        let known = self.known(without_past, &mut diagrams);
        let mut lists = std::mem::take(&mut self.met);
        let forbidden: Vec<Set> = lists
            .iter_mut()
            .map(|list| {
                let met = diagrams.of(list);
                diagrams.minus(ALL, met)
            })
            .collect();
        self.met = lists;
        let mut found = self.short_rules(&known, &mut diagrams);
        let mut covered = known.clone();
        found.iter().for_each(|rule| add(rule, &mut covered, &mut diagrams));
        let mut long: BTreeMap<Cube, Vec<i32>> = BTreeMap::new();
        for (at, (&all, &known)) in forbidden.iter().zip(&covered).enumerate() {
            let rest = diagrams.minus(all, known);
            for cube in diagrams.cover(rest, all) {
                long.entry(cube).or_default().push(number(at));
            }
        }
        found.extend(long.into_iter().map(|(never, microsteps)| Rule { never, microsteps }));
        for rule in &mut found {
            // A rule without microsteps is easier to read, even if shorter rules say it for some of them.
            let all = self.never_met(rule.never);
            if all.len() == self.met.len() {
                rule.microsteps = all;
            }
        }
        without_redundant(found, &mut diagrams, &known)
    }

    /// What needs no rule in each microstep: what rules without a past forbid, and pasts that were never met.
    fn known(&self, without_past: &[Rule], diagrams: &mut Diagrams) -> Vec<Set> {
        let mut known = vec![NONE; self.met.len()];
        if self.past == Past::None {
            return known;
        }
        without_past.iter().for_each(|rule| add(rule, &mut known, diagrams));
        for (met, set) in self.met.iter().zip(&mut known) {
            let mut pasts: Vec<Valuation> = met.iter().map(|valuation| valuation & !self.now).collect();
            let met = diagrams.of_suffixes(&mut pasts, self.now.count_ones() as usize);
            let never = diagrams.minus(ALL, met);
            *set = diagrams.union(*set, never);
        }
        known
    }

    /// All rules with few literals that no shorter one implies, shortest first.
    fn short_rules(&self, known: &[Set], diagrams: &mut Diagrams) -> Vec<Rule> {
        let mut rules: Vec<Rule> = Vec::new();
        let mut level = vec![Cube::default()];
        let mut looked_at = 0;
        for size in 0..=SHORT {
            for &cube in &level {
                let mut microsteps = self.never_met(cube);
                // What a shorter rule forbids is said already.
                for rule in rules.iter().filter(|rule| rule.never != cube && rule.never.includes(cube)) {
                    microsteps.retain(|number| !rule.microsteps.contains(number));
                }
                if self.past != Past::None && !microsteps.is_empty() {
                    let set = diagrams.cube(cube);
                    microsteps.retain(|number| diagrams.minus(set, known[place(*number)]) != NONE);
                }
                if !microsteps.is_empty() {
                    rules.push(Rule { never: cube, microsteps });
                }
            }
            looked_at += level.len();
            let next = level.len().saturating_mul(2 * self.variables);
            if size == SHORT || looked_at + next > MAX_SHORT {
                break;
            }
            level = self.longer(&level);
        }
        rules
    }

    /// The microsteps in which nothing of a cube was met.
    fn never_met(&self, cube: Cube) -> Vec<i32> {
        let lists = self.met.iter().enumerate();
        lists.filter(|(_, list)| !list.iter().any(|&met| cube.has(met))).map(|(at, _)| number(at)).collect()
    }

    /// All cubes with one literal more, of an event behind those of the cube.
    fn longer(&self, cubes: &[Cube]) -> Vec<Cube> {
        let mut longer = Vec::new();
        for &cube in cubes {
            let first = (Valuation::BITS - (cube.with | cube.without).leading_zeros()) as usize;
            for bit in first..self.variables {
                longer.push(Cube { with: cube.with | 1 << bit, ..cube });
                longer.push(Cube { without: cube.without | 1 << bit, ..cube });
            }
        }
        longer
    }
}

impl Configurations {
    /// In how many configurations a cube was met, in some microsteps.
    pub fn count(&self, cube: Cube, is_counted: impl Fn(i32) -> bool) -> u64 {
        let met =
            self.counts.iter().filter(|((number, valuation), _)| is_counted(*number) && cube.has(*valuation));
        met.map(|(_, count)| count).sum()
    }
}

/// The number of the microstep at a position.
fn number(at: usize) -> i32 {
    i32::try_from(at + 1).unwrap_or(i32::MAX)
}

/// The position of the microstep with a number.
fn place(number: i32) -> usize {
    usize::try_from(number - 1).unwrap_or(0)
}

/// The rules without those that follow from others, and from what is known. Long ones go first, and then those that say
/// less.
fn without_redundant(mut rules: Vec<Rule>, diagrams: &mut Diagrams, known: &[Set]) -> (Vec<Rule>, usize) {
    let (all, count) = (rules.len(), known.len());
    // Two events that exclude each other are easier to read than what follows from it for a third one's absence.
    rules.sort_by_key(|rule| {
        (rule.never.size(), rule.never.without.count_ones(), usize::MAX - rule.microsteps.len(), rule.never)
    });
    // What the rules before each one forbid; the rules behind it that are kept are added while going back.
    let mut before: Vec<Vec<Set>> = vec![known.to_vec()];
    for rule in &rules {
        let mut sets = before.last().expect("there is the empty one").clone();
        add(rule, &mut sets, diagrams);
        before.push(sets);
    }
    let mut behind = vec![NONE; count];
    let mut kept = Vec::new();
    for (at, rule) in rules.into_iter().enumerate().rev() {
        let set = diagrams.cube(rule.never);
        let is_needed = |diagrams: &mut Diagrams, number: &i32| {
            let microstep = place(*number);
            let rest = diagrams.minus(set, before[at][microstep]);
            diagrams.minus(rest, behind[microstep]) != NONE
        };
        let needed: Vec<i32> =
            rule.microsteps.iter().copied().filter(|number| is_needed(diagrams, number)).collect();
        if !needed.is_empty() {
            let is_always = rule.microsteps.len() == count;
            let rule = if is_always { rule } else { Rule { microsteps: needed, ..rule } };
            add(&rule, &mut behind, diagrams);
            kept.push(rule);
        }
    }
    kept.reverse();
    let redundant = all - kept.len();
    (kept, redundant)
}

/// Adds what a rule forbids.
fn add(rule: &Rule, sets: &mut [Set], diagrams: &mut Diagrams) {
    let cube = diagrams.cube(rule.never);
    for number in &rule.microsteps {
        if let Some(set) = usize::try_from(number - 1).ok().and_then(|at| sets.get_mut(at)) {
            *set = diagrams.union(*set, cube);
        }
    }
}
