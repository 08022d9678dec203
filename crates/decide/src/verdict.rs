//! Verdicts, and decisions, which say how much was explored for them.

use std::fmt;

use rely_base::{Budget, Exhausted, Id, Progress, Resource};
use rely_lts::{BehaviourRef, ComponentId};

use crate::counterexample::bytes_of;
use crate::replay::{Stopped, replay_within};
use crate::{Counterexample, ReplayError, Vacuity};

/// The answer to a question about a behaviour. If there is none, the reason is a [`Limit`] if the question is safety
/// alone, and an [`Unknown`] for the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<U = Unknown> {
    /// Yes.
    Holds(Evidence),
    /// No, and this is a counterexample.
    Violated(Box<Counterexample>),
    /// There is no answer.
    Unknown(U),
}

impl<U> Verdict<U> {
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

/// What a verdict that holds is based on. A certificate is written from it on request; see [`crate::invariant`] and
/// [`crate::progress_ranks`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// What was explored, completely.
    pub explored: Explored,
    /// Reasons why the verdict may hold vacuously.
    pub vacuity: Vec<Vacuity>,
}

/// How much of a behaviour was explored.
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
    Limit(Limit),
    /// The error state is reachable, and no claim is made about what happens after an error; all other runs are
    /// correct.
    ErrorReachable,
    /// The error state is reachable, and a bounded search found no other reason for a violation.
    GivenUpBesideError,
    /// The search was given up because another question was answered by a violation.
    GivenUp,
    /// A unit fails in a run that meets all assumptions; all other runs are correct.
    FailureReachable,
    /// Runs leave the bounds within which a program is explored, because of this unit; all other runs are correct.
    Cut(ComponentId),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(f),
            Self::ErrorReachable => f.write_str(
                "a safety property is violated: correct that first; no run without an error lacks progress",
            ),
            Self::GivenUpBesideError => f.write_str(
                "a safety property is violated, and a short search found no lack of progress beside it",
            ),
            Self::FailureReachable => {
                f.write_str("a process fails, and nothing is known of what comes after: correct that first")
            }
            Self::Cut(_) => f.write_str(
                "some runs leave the bounds within which the program is explored: enlarge them; all others are as they \
                 should be",
            ),
            Self::GivenUp => {
                f.write_str("not found until another violation ended the search; ask for it alone")
            }
        }
    }
}

impl Unknown {
    /// The reason, with the name of the unit if it is because of one.
    pub fn describe<'b>(&self, behaviour: impl Into<BehaviourRef<'b>>) -> String {
        let Self::Cut(unit) = self else { return self.to_string() };
        let names = behaviour.into().part_names();
        let name = names.get(unit.index()).copied().unwrap_or("a unit");
        format!(
            "some runs leave the bounds within which {name} is explored: enlarge them; all others are as they should be"
        )
    }
}

/// What could not be found out because of a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The answer.
    Answer(Exhausted),
    /// The run: there is a violation, but the limit was met while its run was built or replayed.
    Run(Exhausted),
}

impl Limit {
    /// The limit itself.
    pub fn exhausted(self) -> Exhausted {
        match self {
            Self::Answer(exhausted) | Self::Run(exhausted) => exhausted,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(exhausted) => exhausted.fmt(f),
            Self::Run(exhausted) => {
                write!(
                    f,
                    "it is violated, but the limit did not leave room for the run that shows it: {exhausted}"
                )
            }
        }
    }
}

impl From<Limit> for Unknown {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// A verdict and what was explored for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision<U = Unknown> {
    /// The verdict.
    pub verdict: Verdict<U>,
    /// What was explored until the verdict was clear.
    pub explored: Explored,
}

impl<U: From<Limit>> Decision<U> {
    pub(crate) fn holds(explored: Explored, vacuity: Vec<Vacuity>) -> Self {
        Self { verdict: Verdict::Holds(Evidence { explored, vacuity }), explored }
    }

    /// Violated, once the counterexample has been built and replayed; unknown if the budget does not allow that.
    pub(crate) fn violated(
        behaviour: BehaviourRef<'_>,
        told: Result<Counterexample, Exhausted>,
        explored: Explored,
        budget: &Budget<'_>,
    ) -> Result<Self, ReplayError> {
        let replayed = told.map_err(Stopped::Exhausted).and_then(|run| {
            let progress = Progress {
                states: explored.states.min(budget.max_states()),
                transitions: explored.transitions,
                frontier: 0,
                bytes: bytes_of(run.initial.len(), run.trace.len() + run.cycle.len()).min(budget.max_bytes()),
            };
            replay_within(behaviour, &run, &progress, budget).map(|()| run)
        });
        match replayed {
            Ok(run) => Ok(Self { verdict: Verdict::Violated(Box::new(run)), explored }),
            Err(Stopped::Exhausted(exhausted)) => Ok(Self::unknown(Limit::Run(exhausted), explored)),
            Err(Stopped::Mistake(mistake)) => Err(mistake),
        }
    }

    pub(crate) fn unknown(reason: impl Into<U>, explored: Explored) -> Self {
        Self { verdict: Verdict::Unknown(reason.into()), explored }
    }

    pub(crate) fn exhausted(exhausted: Exhausted) -> Self {
        let explored = Explored { states: exhausted.states, transitions: exhausted.transitions };
        Self::unknown(Limit::Answer(exhausted), explored)
    }
}

impl Decision {
    /// Turns *unknown* because of a limit on states into *given up*, for callers that have set this limit themselves.
    pub fn give_up(&mut self) {
        if let Verdict::Unknown(Unknown::Limit(Limit::Answer(exhausted))) = &self.verdict
            && exhausted.resource == Resource::States
        {
            self.verdict = Verdict::Unknown(Unknown::GivenUp);
        }
    }
}

impl From<Decision<Limit>> for Decision {
    fn from(decision: Decision<Limit>) -> Self {
        let verdict = match decision.verdict {
            Verdict::Holds(evidence) => Verdict::Holds(evidence),
            Verdict::Violated(counterexample) => Verdict::Violated(counterexample),
            Verdict::Unknown(limit) => Verdict::Unknown(Unknown::Limit(limit)),
        };
        Self { verdict, explored: decision.explored }
    }
}
