//! Whether a part of a behaviour that watches the others ever fails.
//!
//! What else fails in a run is not the question, but nothing happens after it. So a failure of another part ends a run
//! without an answer, unless the observer fails in the same step. Called for properties that watch a model
//! ([`Behaviour::watched_by`](rely_lts::Behaviour::watched_by)).

use rely_base::{Budget, Id};
use rely_lts::{BehaviourRef, ComponentId};

use crate::{Decision, ReplayError, check_safety_of, check_units};

/// Looks for a shortest trace by which the observer fails. In a program it has to be the first unit: where several units
/// fail in one step, the first of them is the one that fails.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_observer<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    observer: ComponentId,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    match behaviour.into() {
        BehaviourRef::Network(network) => check_safety_of(network, &[observer], budget).map(Decision::from),
        BehaviourRef::Program(program) => {
            debug_assert_eq!(observer.index(), 0, "the failure of an observer goes first");
            check_units(program, &[observer], budget)
        }
    }
}
