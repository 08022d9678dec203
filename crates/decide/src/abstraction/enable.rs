//! Which properties of parts are enabled, and whether a property of the composition follows from them.

use std::cell::Cell;

use rely_base::{Budget, Limits};
use rely_certificate::{Derivation, Grounds, PartPremise};
use rely_lts::Observation;
use rely_omega::{Commitment, Statement};

use super::Abstraction;
use crate::commitment::prefix::safety;
use crate::{ReplayError, Verdict};

/// The most states of a product in which it is looked whether one statement follows from others.
const MOST: usize = 5_000;

/// How many steps of the cone of influence are looked at.
const DEPTH: usize = 3;

/// A property of a part, over the atoms of the abstraction.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The part, by number.
    pub part: usize,
    /// The property.
    pub commitment: Commitment<Observation>,
    /// Whether it is taken to hold one step longer than what it assumes.
    pub is_one_step: bool,
}

/// What a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The properties that are used, directly or for an assumption of another one, by number in increasing order.
    pub used: Vec<usize>,
    /// Those of them that have to hold one step longer than what they assume.
    pub one_step: Vec<usize>,
    /// All that were enabled by induction over time, each with all that it rests on in the end.
    pub inductive: Vec<(usize, Vec<usize>)>,
    /// For each property that is enabled, what its assumptions follow from, and in which turn it was enabled.
    enabled: Vec<Option<(usize, Vec<Grounds>)>>,
    /// What the claim follows from.
    claim: Grounds,
    /// Whether the claim holds one step longer than what is assumed of the environment.
    longer: bool,
    /// The states of all products in which it was looked whether a statement follows from others.
    pub states: usize,
}

impl Proof {
    /// The proof step by step, for the judge, given the properties that were offered.
    pub fn derivation(&self, offers: &[Offer]) -> Derivation {
        // In the order of their turns, so that each rests on those before it, or on inductive ones.
        let mut order: Vec<usize> = self.used.clone();
        let turn =
            |number: &usize| (!self.one_step.contains(number), self.enabled[*number].as_ref().map(|it| it.0));
        order.sort_by_key(turn);
        let renumbered = |grounds: &Grounds| Grounds {
            premises: grounds
                .premises
                .iter()
                .filter_map(|it| order.iter().position(|other| other == it))
                .collect(),
            environment: grounds.environment.clone(),
        };
        let premise = |&number: &usize| {
            let Offer { part, commitment, .. } = &offers[number];
            let assumptions =
                self.enabled[number].iter().flat_map(|(_, grounds)| grounds).map(&renumbered).collect();
            let inductive = self.one_step.contains(&number);
            PartPremise { part: *part, property: commitment.name.clone(), inductive, assumptions }
        };
        let premises = order.iter().map(premise).collect();
        Derivation { premises, claim: renumbered(&self.claim), longer: self.longer }
    }
}

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The property follows.
    Proved(Proof),
    /// It does not follow from the enabled properties, or that could not be found out.
    Open {
        /// For each property that is not enabled, its number and the first of its assumptions that nothing gives.
        missing: Vec<(usize, usize)>,
        /// Circles of properties, by number: each would be enabled if the next were.
        circles: Vec<Vec<usize>>,
    },
}

/// Whether a property of a composition follows from properties of its parts; if `longer`, so that it holds one step longer than what is
/// assumed of the environment about safety, as inductive properties of a part do ([`crate::holds_one_step_longer`]).
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn prove(
    abstraction: &Abstraction<'_>,
    goal: &Commitment<Observation>,
    offers: &[Offer],
    longer: bool,
    budget: &Budget<'_>,
) -> Result<Outcome, ReplayError> {
    let budget = budget.narrowed(Limits { states: Some(MOST), bytes: None });
    let mut prover = Prover {
        abstraction,
        goal,
        offers,
        budget: &budget,
        rests_on: vec![None; offers.len()],
        one_step: vec![false; offers.len()],
        turns: 0,
        states: Cell::new(0),
    };
    prover.enable_circles()?;
    if longer {
        let enabled = prover.enabled();
        return match prover.needed(&goal.claim, &enabled, Way::Longer)? {
            Some(claim) => Ok(Outcome::Proved(prover.proof(claim, true))),
            None => Ok(Outcome::Open { missing: Vec::new(), circles: Vec::new() }),
        };
    }
    prover.enable_in_turn()?;
    let enabled = prover.enabled();
    match prover.needed(&goal.claim, &enabled, Way::ByWords)? {
        Some(claim) => Ok(Outcome::Proved(prover.proof(claim, false))),
        None => prover.missing(),
    }
}

/// In which sense a statement is to follow from others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It is true of all infinite words of which the others are true.
    ByWords,
    /// It is about safety, and no prefix breaks it and none of the others.
    ByPrefixes,
    /// The same, but what is assumed of the environment may be broken by the last letter of the prefix.
    Longer,
}

struct Prover<'a> {
    abstraction: &'a Abstraction<'a>,
    goal: &'a Commitment<Observation>,
    offers: &'a [Offer],
    budget: &'a Budget<'a>,
    /// For each property that is enabled, the turn in which it was, and what its assumptions follow from.
    rests_on: Vec<Option<(usize, Vec<Grounds>)>>,
    /// Those that were enabled because they hold one step longer than what they assume.
    one_step: Vec<bool>,
    /// How many turns there were.
    turns: usize,
    /// The states of all products that were searched.
    states: Cell<usize>,
}

impl Prover<'_> {
    fn enabled(&self) -> Vec<usize> {
        (0..self.offers.len()).filter(|&number| self.rests_on[number].is_some()).collect()
    }

    /// The greatest set of properties that hold one step longer than what they assume, if the others of the set do.
    fn enable_circles(&mut self) -> Result<(), ReplayError> {
        let is_candidate = |number: &usize| {
            let offer = &self.offers[*number];
            offer.is_one_step && safety(&offer.commitment.claim).is_some()
        };
        let mut set: Vec<usize> = (0..self.offers.len()).filter(is_candidate).collect();
        loop {
            let mut kept = Vec::new();
            for &number in &set {
                // What is not about safety is not assumed: the claim holds without it.
                let assuming = self.offers[number].commitment.assuming.iter();
                if let Some(rests_on) = self.all_needed(assuming, &set, Way::ByPrefixes)? {
                    kept.push((number, rests_on));
                }
            }
            if kept.len() == set.len() {
                for (number, rests_on) in kept {
                    self.rests_on[number] = Some((0, rests_on));
                    self.one_step[number] = true;
                }
                return Ok(());
            }
            set = kept.into_iter().map(|(number, _)| number).collect();
        }
    }

    /// The least set that has every property whose assumptions follow from the set.
    fn enable_in_turn(&mut self) -> Result<(), ReplayError> {
        loop {
            let before = self.enabled();
            for number in 0..self.offers.len() {
                if self.rests_on[number].is_none() {
                    let enabled = self.enabled();
                    let assuming = self.offers[number].commitment.assuming.iter();
                    self.turns += 1;
                    let turn = self.turns;
                    let rests_on = self.all_needed(assuming, &enabled, Way::ByWords)?;
                    self.rests_on[number] = rests_on.map(|rests_on| (turn, rests_on));
                }
            }
            if self.enabled() == before {
                return Ok(());
            }
        }
    }

    /// For each of some statements, the properties among some that it follows from, and what is assumed of the environment. By prefixes,
    /// what is not about safety follows from nothing at all, since it is not needed.
    fn all_needed<'s>(
        &self,
        statements: impl Iterator<Item = &'s Statement>,
        among: &[usize],
        way: Way,
    ) -> Result<Option<Vec<Grounds>>, ReplayError> {
        let mut all = Vec::new();
        for statement in statements {
            if way != Way::ByWords && safety(statement).is_none() {
                all.push(Grounds::default());
                continue;
            }
            match self.needed(statement, among, way)? {
                Some(needed) => all.push(needed),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// The properties among some, and what is assumed of the environment, that a statement follows from, as few as can be found by leaving
    /// out one after the other; nothing if it does not follow from all of them.
    fn needed(
        &self,
        statement: &Statement,
        among: &[usize],
        way: Way,
    ) -> Result<Option<Grounds>, ReplayError> {
        let given = self.goal.assuming.iter().position(|it| it == statement);
        if let Some(given) = given.filter(|_| way != Way::Longer) {
            return Ok(Some(Grounds { premises: Vec::new(), environment: vec![given] }));
        }
        if let Some(&same) = among.iter().find(|&&it| self.offers[it].commitment.claim == *statement) {
            return Ok(Some(Grounds { premises: vec![same], environment: Vec::new() }));
        }
        // Safety follows from safety; what is to happen mostly follows from what happens, whose automata are small.
        let is_safe = safety(statement).is_some();
        let of_its_kind = |it: &Statement| safety(it).is_some() == is_safe;
        for all_kinds in [false, true] {
            if all_kinds && (is_safe || way != Way::ByWords) {
                break;
            }
            let (mut reach, mut last) = (statement.atoms(), (usize::MAX, usize::MAX));
            for _ in 0..DEPTH {
                let near = |it: &Statement| it.atoms().intersects(&reach) && (all_kinds || of_its_kind(it));
                let assumption = |&place: &usize| &self.goal.assuming[place];
                let environment: Vec<usize> =
                    (0..self.goal.assuming.len()).filter(|place| near(assumption(place))).collect();
                let claim = |part: &usize| &self.offers[*part].commitment.claim;
                let premises: Vec<usize> = among.iter().copied().filter(|it| near(claim(it))).collect();
                if (environment.len(), premises.len()) == last {
                    break;
                }
                last = (environment.len(), premises.len());
                let near: Vec<&Statement> =
                    environment.iter().map(assumption).chain(premises.iter().map(claim)).collect();
                near.into_iter().for_each(|it| reach.insert_all(&it.atoms()));
                let grounds = Grounds { premises, environment };
                if self.follows(statement, &grounds, way)? {
                    return self.fewest(statement, grounds, way).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Leaves out one property or assumption after the other, if the statement follows from the others.
    fn fewest(&self, statement: &Statement, mut grounds: Grounds, way: Way) -> Result<Grounds, ReplayError> {
        for place in (0..grounds.premises.len()).rev() {
            let mut fewer = grounds.clone();
            fewer.premises.remove(place);
            if self.follows(statement, &fewer, way)? {
                grounds = fewer;
            }
        }
        for place in (0..grounds.environment.len()).rev() {
            let mut fewer = grounds.clone();
            fewer.environment.remove(place);
            if self.follows(statement, &fewer, way)? {
                grounds = fewer;
            }
        }
        Ok(grounds)
    }

    fn follows(&self, statement: &Statement, grounds: &Grounds, way: Way) -> Result<bool, ReplayError> {
        let claims = grounds.premises.iter().map(|&it| &self.offers[it].commitment.claim);
        let environment = grounds.environment.iter().map(|&it| &self.goal.assuming[it]);
        let (premises, delayed): (Vec<&Statement>, Vec<&Statement>) = match way {
            Way::ByWords | Way::ByPrefixes => (environment.chain(claims).collect(), Vec::new()),
            Way::Longer => (claims.collect(), environment.collect()),
        };
        if way != Way::ByWords {
            // Where a limit is met it is not known to follow.
            let answer = self.abstraction.follows_by_prefixes(statement, (&premises, &delayed), self.budget);
            let (follows, states) = answer.unwrap_or_default();
            self.states.set(self.states.get() + states);
            return Ok(follows);
        }
        let decision = self.abstraction.follows(statement, &premises, self.budget)?;
        self.states.set(self.states.get() + decision.explored.states);
        Ok(matches!(decision.verdict, Verdict::Holds(_)))
    }

    /// The proof of the claim from some grounds.
    fn proof(&self, claim: Grounds, longer: bool) -> Proof {
        let used = self.closure(claim.premises.clone());
        let one_step = used.iter().copied().filter(|&number| self.one_step[number]).collect();
        let inductive = (0..self.offers.len()).filter(|&number| self.one_step[number]);
        let inductive = inductive.map(|number| (number, self.closure(vec![number]))).collect();
        let (enabled, states) = (self.rests_on.clone(), self.states.get());
        Proof { used, one_step, inductive, enabled, claim, longer, states }
    }

    /// Some properties and all that they rest on, in order.
    fn closure(&self, mut pending: Vec<usize>) -> Vec<usize> {
        let mut used = Vec::new();
        while let Some(number) = pending.pop() {
            if !used.contains(&number) {
                used.push(number);
                let grounds = self.rests_on[number].iter().flat_map(|(_, grounds)| grounds);
                pending.extend(grounds.flat_map(|it| it.premises.iter().copied()));
            }
        }
        used.sort_unstable();
        used
    }

    /// What is missing, and which circles were refused.
    fn missing(&self) -> Result<Outcome, ReplayError> {
        let enabled = self.enabled();
        let all: Vec<usize> = (0..self.offers.len()).collect();
        let mut missing = Vec::new();
        // For each property that is not enabled, others that are not and that would give its assumptions.
        let mut wants: Vec<Vec<usize>> = vec![Vec::new(); self.offers.len()];
        for number in all.iter().copied().filter(|number| !enabled.contains(number)) {
            for (place, assumption) in self.offers[number].commitment.assuming.iter().enumerate() {
                if self.needed(assumption, &enabled, Way::ByWords)?.is_some() {
                    continue;
                }
                let others: Vec<usize> = all.iter().copied().filter(|&other| other != number).collect();
                match self.needed(assumption, &others, Way::ByWords)? {
                    Some(given) => {
                        wants[number].extend(given.premises.iter().filter(|it| !enabled.contains(it)));
                    }
                    None => {
                        missing.push((number, place));
                        break;
                    }
                }
            }
        }
        let mut circles: Vec<Vec<usize>> = Vec::new();
        for start in all {
            if circles.iter().any(|circle| circle.contains(&start)) {
                continue;
            }
            let mut path = vec![start];
            while let Some(&next) = path.last().and_then(|last| wants[*last].first()) {
                if let Some(turn) = path.iter().position(|&it| it == next) {
                    let circle = path.split_off(turn);
                    if !circles.iter().any(|known| known.contains(&circle[0])) {
                        circles.push(circle);
                    }
                    break;
                }
                path.push(next);
            }
        }
        Ok(Outcome::Open { missing, circles })
    }
}
