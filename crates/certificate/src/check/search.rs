//! Breadth-first search of a composition.
//!
//! **Problem.** Whether a composition reaches a tuple of some kind, and how.
//!
//! **Idea.** [`search`] follows every step; the tuples that have been reached are kept as they are. [`first_failure`] looks
//! for tuples in which a component has failed. It does the same as long as there are few tuples, and so finds a shortest
//! run; if there are many, it starts anew and follows only the steps of stubborn sets (`stubborn.rs`), which find a failure
//! where there is one.
//!
//! **Invariant.** A tuple is expanded after all that were reached before it. In a search by stubborn sets, either all
//! steps of a tuple have been followed, or those of a closed set, one of which leads to a tuple that is expanded
//! later, or to a settled one.
//!
//! **Complexity.** For each tuple, its steps; and the closures, if sets are chosen.

use std::collections::HashMap;
use std::rc::Rc;

use rely_base::{ActionId, Budget, Exhausted, Limits, Resource};
use rely_lts::Network;

use super::states::{Meter, action_name};
use super::stubborn::Chooser;
use crate::semantics::network::Composition;

/// When stubborn sets are used.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// All steps are followed until this number of tuples has been reached.
    few: usize,
    /// After `patience` tuples without a worthwhile set, each further one is followed by a pause: by as many tuples
    /// as there were without one, at most `longest_rest`. All steps are followed during a pause.
    patience: usize,
    longest_rest: usize,
}

impl Manner {
    const USUAL: Self = Self { few: 1 << 12, patience: 1 << 6, longest_rest: 1 << 10 };
}

/// The labels of a shortest run of a network to a tuple that satisfies a condition.
pub(super) fn search(
    network: &Network,
    wanted: &dyn Fn(&[u32]) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    let composition = Composition::new(network);
    let mut walk = Walk::new(&composition, wanted, budget);
    walk.all(usize::MAX)?;
    Ok(walk.trace())
}

/// The labels of a run of a network without priority after which a component has failed.
pub(super) fn first_failure(
    network: &Network,
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    first_failure_by(Manner::USUAL, network, budget)
}

/// The labels of a run after which a component has failed; `manner` says when stubborn sets are used.
fn first_failure_by(
    manner: Manner,
    network: &Network,
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    debug_assert!(network.priority().is_none(), "priority makes all actions depend on each other");
    let composition = Composition::new(network);
    let wanted = |tuple: &[u32]| composition.failed(tuple).is_some();
    let mut walk = Walk::new(&composition, &wanted, budget);
    if !walk.all(manner.few)? {
        drop(walk);
        walk = Walk::new(&composition, &wanted, budget);
        walk.some(manner)?;
    }
    Ok(walk.trace())
}

/// Whether the judge's search for a failure in a network without priority ends within this number of tuples. If not,
/// it may be better to give evidence that is easier to judge.
///
/// # Errors
/// The limit of the budget that was met.
pub fn is_searched_within(tuples: usize, network: &Network, budget: &Budget<'_>) -> Result<bool, Exhausted> {
    let narrow = budget.narrowed(Limits { states: Some(tuples), bytes: None });
    match first_failure(network, &narrow) {
        Ok(_) => Ok(true),
        Err(Exhausted { resource: Resource::States, .. }) if tuples < budget.max_states() => Ok(false),
        Err(exhausted) => Err(exhausted),
    }
}

/// The state of a search.
struct Walk<'a, 'n> {
    composition: &'a Composition<'n>,
    wanted: &'a dyn Fn(&[u32]) -> bool,
    meter: Meter<'a>,
    /// The place of each tuple.
    known: HashMap<Rc<[u32]>, usize>,
    /// The tuples in the order in which they were reached, which is also the order of expansion.
    reached: Vec<Reached>,
    /// The place of a tuple that satisfies the condition.
    found: Option<usize>,
}

/// A tuple that has been reached.
struct Reached {
    tuple: Rc<[u32]>,
    /// The place of the tuple before it.
    from: usize,
    /// The action of the step between them.
    by: Option<ActionId>,
    /// Whether all its steps have been followed, or one to a tuple that was settled before.
    is_settled: bool,
}

impl<'a, 'n> Walk<'a, 'n> {
    /// A search that has reached only the initial tuple.
    fn new(
        composition: &'a Composition<'n>,
        wanted: &'a dyn Fn(&[u32]) -> bool,
        budget: &'a Budget<'a>,
    ) -> Self {
        let tuple: Rc<[u32]> = composition.initial().into();
        Self {
            composition,
            wanted,
            meter: Meter::new(budget, 0),
            known: HashMap::from([(Rc::clone(&tuple), 0)]),
            found: wanted(&tuple).then_some(0),
            reached: vec![Reached { tuple, from: 0, by: None, is_settled: false }],
        }
    }

    /// Follows all steps until a tuple is found, there are no more, or more than `most` have been reached; returns
    /// whether the search is complete.
    fn all(&mut self, most: usize) -> Result<bool, Exhausted> {
        let mut place = 0;
        while self.found.is_none() && place < self.reached.len() {
            if self.reached.len() > most {
                return Ok(false);
            }
            self.expand(place, None)?;
            place += 1;
        }
        Ok(true)
    }

    /// Continues with the steps of stubborn sets.
    fn some(&mut self, manner: Manner) -> Result<(), Exhausted> {
        let mut chooser = Chooser::new(self.composition);
        // The number of tuples up to the last one with a worthwhile set, and the next tuple to choose a set for.
        let (mut useful, mut next) = (0, 0);
        let mut place = 0;
        while self.found.is_none() && place < self.reached.len() {
            let mut members = None;
            if place >= next {
                let (chosen, work) = chooser.choose(&self.reached[place].tuple);
                self.meter.work(work, self.known.len())?;
                useful = if chosen.is_some() { place + 1 } else { useful };
                let in_vain = place + 1 - useful;
                next =
                    place + 1 + if in_vain < manner.patience { 0 } else { in_vain.min(manner.longest_rest) };
                members = chosen;
            }
            if !self.expand(place, members.as_deref())? {
                self.expand(place, None)?;
            }
            place += 1;
        }
        Ok(())
    }

    /// Follows the steps of a tuple that members of a set take part in, or all steps. Returns whether that suffices:
    /// one leads to a tuple that is expanded later, or the tuple is settled.
    fn expand(&mut self, place: usize, members: Option<&[bool]>) -> Result<bool, Exhausted> {
        let Self { composition, wanted, meter, known, reached, found } = self;
        let tuple = Rc::clone(&reached[place].tuple);
        let (mut leads_on, mut is_settled) = (false, members.is_none());
        meter.work(composition.effort(), known.len())?;
        let is_meant = |i: usize| members.is_none_or(|members| members[i]);
        composition.steps_of(&tuple, is_meant, &mut |action, target| {
            meter.step(known.len())?;
            if let Some(&at) = known.get(target) {
                leads_on |= at > place;
                is_settled |= reached[at].is_settled;
                return Ok(());
            }
            leads_on = true;
            let tuple: Rc<[u32]> = target.into();
            if found.is_none() && wanted(target) {
                *found = Some(reached.len());
            }
            known.insert(Rc::clone(&tuple), reached.len());
            reached.push(Reached { tuple, from: place, by: action, is_settled: false });
            meter.hold(bytes_of(composition));
            Ok(())
        })?;
        reached[place].is_settled = is_settled;
        Ok(leads_on || is_settled)
    }

    /// The labels of the run to the tuple that was found.
    fn trace(&self) -> Option<Vec<String>> {
        let mut place = self.found?;
        let mut labels = Vec::new();
        while place > 0 {
            labels.push(action_name(self.composition, self.reached[place].by));
            place = self.reached[place].from;
        }
        labels.reverse();
        Some(labels)
    }
}

/// The bytes of a tuple: its numbers and counters, its entry in `reached`, and its entry in `known`.
fn bytes_of(composition: &Composition<'_>) -> usize {
    composition.len() * size_of::<u32>() + 5 * size_of::<usize>() + size_of::<Reached>()
}

#[cfg(test)]
mod tests;
