//! The naive twin of what a run means for a formula.
//!
//! It has no automata. It carries the formula along every run by its equations (what `f U g` asks now, and what it leaves
//! for the next position), so that a run leaves behind a formula; and it tries out all continuations that are a few
//! actions and then a few more for ever.

use std::collections::{BTreeMap, BTreeSet};

use rely_lts::Network;
use rely_omega::{Assertion, AtomSet, Formula};
use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in};

use super::super::watched::Value;
use super::super::word::holds_on;
use super::{after, initial_values, letter};

/// The actions that assertions speak of.
pub(in crate::ltl) const ACTIONS: [&str; 3] = ["a", "b", "c"];

/// The most situations that a run may be in.
const MOST: usize = 300;

/// The longest formula that may be left.
const LONGEST: usize = 120;

/// What is left of a formula after a letter.
fn rest(formula: &Formula, letter: &AtomSet) -> Formula {
    let rest = |formula: &Formula| rest(formula, letter);
    let again = || formula.clone();
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Atom(atom) if letter.contains(*atom) => Formula::True,
        Formula::Atom(_) => Formula::False,
        Formula::Not(f) => rest(f).negated(),
        Formula::And(f, g) => both(rest(f), rest(g)),
        Formula::Or(f, g) => either(rest(f), rest(g)),
        Formula::Implies(f, g) => either(rest(f).negated(), rest(g)),
        Formula::Iff(f, g) => rest(f).iff(rest(g)),
        Formula::Next(f) => (**f).clone(),
        Formula::Eventually(f) => either(rest(f), again()),
        Formula::Always(f) => both(rest(f), again()),
        Formula::Until(f, g) | Formula::WeakUntil(f, g) => either(rest(g), both(rest(f), again())),
        Formula::Release(f, g) => both(rest(g), either(rest(f), again())),
    }
}

/// A conjunction without repetitions, so that what is left of a formula does not grow for ever.
fn both(one: Formula, other: Formula) -> Formula {
    let mut parts = BTreeSet::new();
    let mut pending = vec![one, other];
    while let Some(formula) = pending.pop() {
        match formula {
            Formula::And(f, g) => pending.extend([*f, *g]),
            other => drop(parts.insert(other)),
        }
    }
    parts.into_iter().fold(Formula::True, Formula::and)
}

fn either(one: Formula, other: Formula) -> Formula {
    both(one.negated(), other.negated()).negated()
}

/// The letters of all continuations that are tried, by the values at their beginning: with each one the position from
/// which on it is repeated.
fn continuations(assertion: &Assertion, values: &[bool]) -> Vec<(Vec<AtomSet>, usize)> {
    let labels = || ACTIONS.iter().map(|name| Some((*name).to_owned())).chain([None]);
    let words = |length: usize| {
        (0..length).fold(vec![Vec::new()], |words: Vec<Vec<Option<String>>>, _| {
            words.iter().flat_map(|word| labels().map(|label| [&word[..], &[label]].concat())).collect()
        })
    };
    let mut found = Vec::new();
    for (first, again) in [(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2), (0, 3)] {
        for word in words(first + again) {
            let (start, cycle) = word.split_at(first);
            let mut values = values.to_vec();
            // Once the cycle has been passed, it leaves the fluents as they are.
            let run = start.iter().chain(cycle).chain(cycle);
            let letters = run.map(|label| {
                values = after(assertion, &values, label.as_ref());
                letter(&values)
            });
            found.push((letters.collect(), first + again));
        }
    }
    found
}

/// Where a run has led.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Situation {
    tuple: Tuple,
    values: Vec<bool>,
    /// What is left of the formula.
    left: Formula,
}

/// The runs of a network, and what they leave of an assertion.
pub(in crate::ltl) struct Twin<'a> {
    network: &'a Network,
    assertion: &'a Assertion,
    naive: NaiveProduct,
    known: BTreeMap<(Formula, Vec<bool>), Value>,
    /// The continuations that are tried, by the values at their beginning.
    continuations: BTreeMap<Vec<bool>, Vec<(Vec<AtomSet>, usize)>>,
}

impl<'a> Twin<'a> {
    pub(in crate::ltl) fn new(network: &'a Network, assertion: &'a Assertion) -> Self {
        let naive = NaiveProduct::new(network);
        Self { network, assertion, naive, known: BTreeMap::new(), continuations: BTreeMap::new() }
    }

    /// What it means that a run is cut short and leaves a formula behind.
    fn value(&mut self, Situation { values, left, .. }: &Situation) -> Value {
        let question = (left.clone(), values.clone());
        if let Some(&value) = self.known.get(&question) {
            return value;
        }
        let (mut satisfied, mut broken) = (false, false);
        let tried = self.continuations.entry(values.clone());
        for (letters, turn) in tried.or_insert_with(|| continuations(self.assertion, values)) {
            let holds = holds_on(left, letters.clone(), *turn);
            satisfied |= holds;
            broken |= !holds;
            if satisfied && broken {
                break;
            }
        }
        let value = match (satisfied, broken) {
            (true, true) => Value::Open,
            (true, false) => Value::Good,
            _ => Value::Broken,
        };
        self.known.insert(question, value);
        value
    }

    /// The situations that runs lead to, each with the length of the shortest; nothing if there are too many.
    fn situations(&self) -> Option<Vec<(usize, Situation)>> {
        let start = Situation {
            tuple: self.naive.initial.clone(),
            values: initial_values(self.assertion),
            left: self.assertion.formula.clone(),
        };
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        let mut level = BTreeSet::from([start]);
        for length in 0.. {
            level.retain(|situation| seen.insert(situation.clone()));
            if level.is_empty() {
                break;
            }
            let mut next = BTreeSet::new();
            for situation in std::mem::take(&mut level) {
                for (action, target) in &self.naive.moves[&situation.tuple] {
                    let name = action.map(|action| self.network.alphabet().name(action).to_owned());
                    let values = after(self.assertion, &situation.values, name.as_ref());
                    let left = rest(&situation.left, &letter(&values));
                    next.insert(Situation { tuple: target.clone(), values, left });
                }
                found.push((length, situation));
            }
            if seen.len() > MOST || next.iter().any(|situation| situation.left.size() > LONGEST) {
                return None;
            }
            level = next;
        }
        Some(found)
    }

    /// The values of the runs into the error state with their lengths; nothing if there are too many.
    pub(in crate::ltl) fn errors(&mut self) -> Option<Vec<(usize, Value)>> {
        let situations = self.situations()?;
        let errors =
            situations.into_iter().filter(|(_, there)| error_in(self.network, &there.tuple).is_some());
        Some(errors.map(|(length, there)| (length, self.value(&there))).collect())
    }

    /// The length of the shortest run that breaks the formula however it goes on, or by stopping; nothing if there are
    /// too many to tell.
    pub(in crate::ltl) fn shortest(&mut self) -> Option<Option<usize>> {
        let situations = self.situations()?;
        let breaks = |(_, there): &&(usize, Situation)| {
            let stops =
                self.naive.moves[&there.tuple].is_empty() && error_in(self.network, &there.tuple).is_none();
            let silent = letter(&after(self.assertion, &there.values, None));
            stops && !holds_on(&there.left, vec![silent], 0) || self.value(there) == Value::Broken
        };
        Some(situations.iter().find(breaks).map(|(length, _)| *length))
    }
}
