//! Runs that break a formula after finitely many steps, and the search for the shortest of them.

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Composite, Search, System};

use crate::counterexample::{Storyteller, steps_to};
use crate::reachability::ending_in;
use crate::{Counterexample, Ending};

/// How a run ends that breaks a formula.
#[derive(Clone, Copy)]
pub(super) enum BreakingRun {
    /// With a step from a state, after which every continuation breaks the formula.
    Step(StateId, Label),
    /// In a state where nothing is possible: it stutters for ever.
    Stop(StateId),
}

impl BreakingRun {
    /// A shortest run with this end, found by a search whose states begin with the words of the product.
    pub(super) fn tell<C: Composite, S: System>(
        self,
        system: &C,
        search: &mut Search<'_, S>,
        budget: &Budget<'_>,
    ) -> Result<Counterexample, Exhausted> {
        let (Self::Step(state, _) | Self::Stop(state)) = self;
        let mut trace = steps_to(system, search, state, budget, 0)?;
        let (mut fault, mut ending) = (None, Ending::BadPrefix);
        match self {
            Self::Step(source, label) => {
                let story = Storyteller { system, states: search.states(), budget, held: search.bytes() };
                let (step, wrong) = story.any_step(source, label);
                trace.push(step);
                fault = wrong;
            }
            Self::Stop(state) => {
                ending = ending_in(system, &search.states().get(state)[..system.words()]);
            }
        }
        Ok(Counterexample { fault, ..Counterexample::new(system.behaviour(), trace, ending) })
    }
}

/// Keeps count of the levels of a breadth-first search.
///
/// A breaking step is one longer than the run to its source; so the other states of the same distance are looked at
/// before a search for the shortest run ends: stopping in one of them may break the formula earlier.
pub(super) struct Levels {
    /// The distance of the states that are being expanded.
    pub(super) distance: usize,
    /// How many states have been discovered.
    discovered: usize,
    /// The number of the first state that is farther away than those being expanded.
    next: usize,
}

impl Levels {
    pub(super) fn new() -> Self {
        Self { distance: 0, discovered: 0, next: 1 }
    }

    /// Notes that a state was discovered.
    pub(super) fn discover(&mut self) {
        self.discovered += 1;
    }

    /// Notes that a state was expanded; returns whether it was the last one of its level.
    pub(super) fn end_with(&mut self, state: StateId) -> bool {
        let is_last = state.index() + 1 == self.next;
        if is_last {
            self.next = self.discovered;
            self.distance += 1;
        }
        is_last
    }
}
