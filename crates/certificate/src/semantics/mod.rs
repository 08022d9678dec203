//! What a behaviour can do, from the definitions: an interpreter for each kind, as naive as it can be.
//!
//! The rules about all reachable states (`check/`) need no more of a behaviour than [`Semantics`] offers: its initial
//! state, its steps, and its end states. A state is a list of numbers, as in the tables of certificates.

pub(crate) mod network;
mod program;

pub use program::{Interpreter, ProgramEnd, ProgramStep};

use rely_base::{ActionId, Id};
use rely_lts::BehaviourRef;

use self::network::Composition;

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target<'a> {
    /// To a state.
    State(&'a [u32]),
    /// To the error state: this component or unit fails.
    Failure(usize),
    /// Out of the bounds within which the behaviour is known, because of this unit.
    Cut(usize),
}

/// A behaviour, as its definition says.
pub(crate) trait Semantics {
    /// The behaviour.
    fn behaviour(&self) -> BehaviourRef<'_>;

    /// How many numbers a state has.
    fn width(&self) -> usize;

    /// Where it starts.
    fn initial(&self) -> Vec<u32>;

    /// The component that has failed before the first step, if there is one.
    fn failed_at_start(&self) -> Option<usize>;

    /// Whether some numbers are a state, and not the error state.
    fn is_state(&self, numbers: &[u32]) -> bool;

    /// Whether a state without steps is the end.
    fn is_end(&self, state: &[u32]) -> bool;

    /// The effort of computing the steps of a state; the unit is taking one step.
    fn effort(&self) -> usize;

    /// Calls `visit` with the action, or nothing for a silent step, and the target of every step of a state.
    fn steps<E>(
        &self,
        state: &[u32],
        visit: &mut impl FnMut(Option<ActionId>, Target<'_>) -> Result<(), E>,
    ) -> Result<(), E>;
}

impl Semantics for Composition<'_> {
    fn behaviour(&self) -> BehaviourRef<'_> {
        self.network().into()
    }

    fn width(&self) -> usize {
        self.len()
    }

    fn initial(&self) -> Vec<u32> {
        self.initial()
    }

    fn failed_at_start(&self) -> Option<usize> {
        self.failed(&self.initial())
    }

    fn is_state(&self, numbers: &[u32]) -> bool {
        self.is_tuple(numbers) && self.failed(numbers).is_none()
    }

    fn is_end(&self, state: &[u32]) -> bool {
        self.is_end(state)
    }

    fn effort(&self) -> usize {
        self.effort()
    }

    fn steps<E>(
        &self,
        state: &[u32],
        visit: &mut impl FnMut(Option<ActionId>, Target<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.steps(state, &mut |action, target| {
            visit(action, self.failed(target).map_or(Target::State(target), Target::Failure))
        })
    }
}

impl Semantics for Interpreter<'_> {
    fn behaviour(&self) -> BehaviourRef<'_> {
        self.program().into()
    }

    fn width(&self) -> usize {
        self.program().slots().len()
    }

    fn initial(&self) -> Vec<u32> {
        self.initial()
    }

    fn failed_at_start(&self) -> Option<usize> {
        None
    }

    fn is_state(&self, numbers: &[u32]) -> bool {
        self.is_state(numbers)
    }

    fn is_end(&self, state: &[u32]) -> bool {
        self.is_end(state)
    }

    fn effort(&self) -> usize {
        self.effort()
    }

    fn steps<E>(
        &self,
        state: &[u32],
        visit: &mut impl FnMut(Option<ActionId>, Target<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.steps(state, &mut |step| {
            visit(
                step.action,
                match &step.end {
                    ProgramEnd::State(target) => Target::State(target),
                    ProgramEnd::Failure { unit, .. } => Target::Failure(unit.index()),
                    ProgramEnd::Cut(unit) => Target::Cut(unit.index()),
                },
            )
        })
    }
}
