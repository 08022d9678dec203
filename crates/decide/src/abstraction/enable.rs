//! Which properties of parts are enabled, and whether a property of the composition follows from them.

use rely_base::{Budget, Limits};
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

/// Whether a property of a composition follows from properties of its parts.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn prove(
    abstraction: &Abstraction<'_>,
    goal: &Commitment<Observation>,
    offers: &[Offer],
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
    };
    prover.enable_circles()?;
    prover.enable_in_turn()?;
    let enabled = prover.enabled();
    match prover.needed(&goal.claim, &enabled, false)? {
        Some(premises) => Ok(Outcome::Proved(prover.proof(premises))),
        None => prover.missing(),
    }
}

struct Prover<'a> {
    abstraction: &'a Abstraction<'a>,
    goal: &'a Commitment<Observation>,
    offers: &'a [Offer],
    budget: &'a Budget<'a>,
    /// For each property that is enabled, those that its assumptions follow from.
    rests_on: Vec<Option<Vec<usize>>>,
    /// Those that were enabled because they hold one step longer than what they assume.
    one_step: Vec<bool>,
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
                let assuming =
                    self.offers[number].commitment.assuming.iter().filter(|it| safety(it).is_some());
                if let Some(rests_on) = self.all_needed(assuming, &set, true)? {
                    kept.push((number, rests_on));
                }
            }
            if kept.len() == set.len() {
                for (number, rests_on) in kept {
                    self.rests_on[number] = Some(rests_on);
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
                    self.rests_on[number] = self.all_needed(assuming, &enabled, false)?;
                }
            }
            if self.enabled() == before {
                return Ok(());
            }
        }
    }

    /// The properties among some that all of some statements follow from, and what is assumed of the environment.
    fn all_needed<'s>(
        &self,
        statements: impl Iterator<Item = &'s Statement>,
        among: &[usize],
        by_prefixes: bool,
    ) -> Result<Option<Vec<usize>>, ReplayError> {
        let mut all = Vec::new();
        for statement in statements {
            match self.needed(statement, among, by_prefixes)? {
                Some(needed) => all.extend(needed),
                None => return Ok(None),
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(Some(all))
    }

    /// The properties among some that a statement follows from, as few as can be found by leaving out one after the other; nothing if
    /// it does not follow from all of them.
    fn needed(
        &self,
        statement: &Statement,
        among: &[usize],
        by_prefixes: bool,
    ) -> Result<Option<Vec<usize>>, ReplayError> {
        if self.goal.assuming.contains(statement) {
            return Ok(Some(Vec::new()));
        }
        if let Some(&same) = among.iter().find(|&&it| self.offers[it].commitment.claim == *statement) {
            return Ok(Some(vec![same]));
        }
        // Safety follows from safety; what is to happen mostly follows from what happens, whose automata are small.
        let is_safe = safety(statement).is_some();
        let of_its_kind = |it: &Statement| safety(it).is_some() == is_safe;
        for all_kinds in [false, true] {
            if all_kinds && (is_safe || by_prefixes) {
                break;
            }
            let (mut reach, mut last) = (statement.atoms(), (usize::MAX, usize::MAX));
            for _ in 0..DEPTH {
                let near = |it: &Statement| it.atoms().intersects(&reach) && (all_kinds || of_its_kind(it));
                let environment: Vec<&Statement> = self.goal.assuming.iter().filter(|it| near(it)).collect();
                let claim = |part: usize| &self.offers[part].commitment.claim;
                let parts: Vec<usize> = among.iter().copied().filter(|&it| near(claim(it))).collect();
                if (environment.len(), parts.len()) == last {
                    break;
                }
                last = (environment.len(), parts.len());
                if self.follows(statement, &environment, &parts, by_prefixes)? {
                    return self.fewest(statement, &environment, parts, by_prefixes).map(Some);
                }
                let near: Vec<&Statement> =
                    environment.into_iter().chain(parts.into_iter().map(claim)).collect();
                near.into_iter().for_each(|it| reach.insert_all(&it.atoms()));
            }
        }
        Ok(None)
    }

    /// Leaves out one property after the other, if the statement follows from the others.
    fn fewest(
        &self,
        statement: &Statement,
        environment: &[&Statement],
        mut parts: Vec<usize>,
        by_prefixes: bool,
    ) -> Result<Vec<usize>, ReplayError> {
        for number in (0..parts.len()).rev() {
            let mut fewer = parts.clone();
            fewer.remove(number);
            if self.follows(statement, environment, &fewer, by_prefixes)? {
                parts = fewer;
            }
        }
        Ok(parts)
    }

    fn follows(
        &self,
        statement: &Statement,
        environment: &[&Statement],
        parts: &[usize],
        by_prefixes: bool,
    ) -> Result<bool, ReplayError> {
        let claims = parts.iter().map(|&it| &self.offers[it].commitment.claim);
        let premises: Vec<&Statement> = environment.iter().copied().chain(claims).collect();
        if by_prefixes {
            // Where a limit is met it is not known to follow.
            return Ok(self
                .abstraction
                .follows_by_prefixes(statement, &premises, self.budget)
                .unwrap_or(false));
        }
        Ok(matches!(self.abstraction.follows(statement, &premises, self.budget)?.verdict, Verdict::Holds(_)))
    }

    /// The proof that uses some properties.
    fn proof(&self, premises: Vec<usize>) -> Proof {
        let used = self.closure(premises);
        let one_step = used.iter().copied().filter(|&number| self.one_step[number]).collect();
        let inductive = (0..self.offers.len()).filter(|&number| self.one_step[number]);
        let inductive = inductive.map(|number| (number, self.closure(vec![number]))).collect();
        Proof { used, one_step, inductive }
    }

    /// Some properties and all that they rest on, in order.
    fn closure(&self, mut pending: Vec<usize>) -> Vec<usize> {
        let mut used = Vec::new();
        while let Some(number) = pending.pop() {
            if !used.contains(&number) {
                used.push(number);
                pending.extend(self.rests_on[number].iter().flatten());
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
                if self.needed(assumption, &enabled, false)?.is_some() {
                    continue;
                }
                let others: Vec<usize> = all.iter().copied().filter(|&other| other != number).collect();
                match self.needed(assumption, &others, false)? {
                    Some(given) => wants[number].extend(given.iter().filter(|it| !enabled.contains(it))),
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
