//! Whether a part of a behaviour that observes the others ever fails.
//!
//! Failures of other parts are not the question, but nothing happens after them. So a failure of another part ends a
//! run without an answer, unless the observer fails in the same step. Called for properties that observe a model
//! ([`Behaviour::watched_by`](rely_lts::Behaviour::watched_by)).

use rely_base::{Budget, Id};
use rely_lts::{BehaviourRef, ComponentId};

use crate::{Decision, ReplayError, check_safety_of, check_units};

/// Looks for a shortest trace by which the observer fails. In a program it has to be the first unit: if several units
/// fail in one step, the first of them is reported.
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
