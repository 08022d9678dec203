//! What a decision says.

use std::fmt;

use rely_base::{Budget, Exhausted, Progress, Resource};
use rely_lts::Network;

use crate::counterexample::bytes_of;
use crate::replay::{Stopped, replay_within};
use crate::{Counterexample, ReplayError, Vacuity};

/// The answer to a question about a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes.
    Holds(Evidence),
    /// No, and this is why.
    Violated(Box<Counterexample>),
    /// There is no answer.
    Unknown(Unknown),
}

impl Verdict {
    /// Whether the answer is yes.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds(_))
    }

    /// The counterexample, if the answer is no.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match self {
            Self::Violated(counterexample) => Some(counterexample),
            Self::Holds(_) | Self::Unknown(_) => None,
        }
    }
}

/// What a verdict that holds rests on. A certificate is written from it on request; see [`crate::invariant`] and
/// [`crate::progress_ranks`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// What was explored, completely.
    pub explored: Explored,
    /// Reasons why the verdict may say less than it seems to.
    pub vacuity: Vec<Vacuity>,
}

/// How much of a network was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// States, the error state not counted.
    pub states: usize,
    /// Transitions, those into the error state included.
    pub transitions: usize,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// A limit was met.
    Exhausted(Exhausted),
    /// It is violated, but a limit was met while the run that shows it was told or replayed.
    Untold(Exhausted),
    /// The error state is reachable, and nothing is said about what happens after an error.
    ErrorReachable,
    /// It was not looked for any further, since another question was violated.
    GivenUp,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted(exhausted) => exhausted.fmt(f),
            Self::Untold(exhausted) => {
                write!(f, "it is violated, but the run that shows it could not be told: {exhausted}")
            }
            Self::ErrorReachable => f.write_str("a safety property is violated; check safety first"),
            Self::GivenUp => {
                f.write_str("not found until another violation ended the search; ask for it alone")
            }
        }
    }
}

/// A verdict and what was explored for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// What was explored until it was clear.
    pub explored: Explored,
}

impl Decision {
    pub(crate) fn holds(explored: Explored, vacuity: Vec<Vacuity>) -> Self {
        Self { verdict: Verdict::Holds(Evidence { explored, vacuity }), explored }
    }

    /// Violated, once the counterexample has been told and replayed; unknown if the budget does not allow that.
    pub(crate) fn violated(
        network: &Network,
        told: Result<Counterexample, Exhausted>,
        explored: Explored,
        budget: &Budget<'_>,
    ) -> Result<Self, ReplayError> {
        let replayed = told.map_err(Stopped::Exhausted).and_then(|run| {
            let progress = Progress {
                states: explored.states.min(budget.max_states()),
                transitions: explored.transitions,
                frontier: 0,
                bytes: bytes_of(network, run.trace.len() + run.cycle.len()).min(budget.max_bytes()),
            };
            replay_within(network, &run, &progress, budget).map(|()| run)
        });
        match replayed {
            Ok(run) => Ok(Self { verdict: Verdict::Violated(Box::new(run)), explored }),
            Err(Stopped::Exhausted(exhausted)) => Ok(Self::unknown(Unknown::Untold(exhausted), explored)),
            Err(Stopped::Mistake(mistake)) => Err(mistake),
        }
    }

    pub(crate) fn unknown(reason: Unknown, explored: Explored) -> Self {
        Self { verdict: Verdict::Unknown(reason), explored }
    }

    /// Says of a search that has met a limit on states which is its caller's that it was given up.
    pub fn give_up(&mut self) {
        if let Verdict::Unknown(Unknown::Exhausted(Exhausted { resource: Resource::States, .. })) =
            self.verdict
        {
            self.verdict = Verdict::Unknown(Unknown::GivenUp);
        }
    }

    pub(crate) fn exhausted(exhausted: Exhausted) -> Self {
        let explored = Explored { states: exhausted.states, transitions: exhausted.transitions };
        Self::unknown(Unknown::Exhausted(exhausted), explored)
    }
}
