//! Why a certificate is rejected.

use std::fmt;

use rely_base::Exhausted;

use crate::Malformed;

/// Why a claim is not proved by its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The network has other components, or another priority or hiding.
    AnotherModel(String),
    /// The property is another one.
    AnotherProperty {
        /// What the certificate claims.
        claimed: String,
        /// What the model declares.
        declared: String,
    },
    /// The evidence is of a kind that proves other properties.
    WrongEvidence,
    /// A table of the evidence cannot be read.
    Malformed(Malformed),
    /// A key of the evidence does not stand for a state of the behaviour, or stands for its error state.
    NoState(String),
    /// The initial state is not among the states.
    InitialMissing,
    /// A step leads out of the states.
    NotClosed {
        /// Where it starts.
        state: String,
        /// Its action.
        action: String,
    },
    /// A step leads to the error state.
    Fails {
        /// Where it starts; `None` if the initial state is itself an error state.
        state: Option<String>,
        /// Its action.
        action: String,
        /// The component that fails.
        component: String,
    },
    /// A step leaves the bounds within which a program is explored.
    Cut {
        /// Where it starts.
        state: String,
        /// Its action.
        action: String,
        /// The unit that leaves them.
        unit: String,
    },
    /// Nothing is possible in a state, and it is not an end state.
    Stuck(String),
    /// No step of a state decreases its rank, or a step that has to decrease it does not.
    RankNotDecreasing(String),
    /// A state of rank 0 does not satisfy the goal.
    NotAGoal(String),
    /// An action is not possible after a state.
    ActionLost {
        /// The state.
        state: String,
        /// The action.
        action: String,
    },
    /// A step leads to a larger class.
    ClassIncreases(String),
    /// Runs that violate the formula may stay for ever in the class of a state.
    Stays(String),
    /// The run that stops in a state violates the formula.
    StopsInViolation(String),
    /// A component that is to be set aside is the goal itself, or refuses something.
    NoObserver(String),
    /// The evidence is about failures of other components.
    AnotherGoal,
    /// There is no rule with this name.
    UnknownRule(String),
    /// The groups of components cannot be those of the rule.
    BadGroups(String),
    /// The rule has another number of assumptions.
    WrongAssumptions {
        /// How many there are.
        claimed: usize,
        /// How many there have to be.
        required: usize,
    },
    /// An assumption is malformed, or does not fit its digest.
    BadAssumption {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The premises are not those of the rule.
    WrongPremise {
        /// The first that differs, from 1.
        number: usize,
        /// What it says, if it is there.
        claimed: Option<String>,
        /// What it has to say, if it has to be there.
        required: Option<String>,
    },
    /// A step of a derivation is none, or a property does not hold as the derivation uses it.
    BadDerivation(String),
    /// The rule requires a goal that restricts nothing.
    GoalTakesPart,
    /// A premise is not true.
    FalsePremise {
        /// What it says.
        premise: String,
        /// A run that violates it.
        trace: Vec<String>,
    },
    /// The reduction of a premise is not valid.
    BadReduction {
        /// The number of the premise, from 1, and what it says if there is one.
        premise: String,
        /// What is wrong with it.
        what: String,
    },
    /// A step of a reduction is not valid.
    BadStep {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A piece that is left can fail.
    MayFail {
        /// Its number.
        piece: usize,
    },
    /// Interface automata whose signatures exclude that one takes the place of the other.
    BadSignature(String),
    /// The specification certainly takes an input, and the implementation may refuse it.
    InputRefused {
        /// The pair of states.
        state: String,
        /// The input.
        action: String,
    },
    /// The implementation may send an output, and the specification never does.
    OutputNotAllowed {
        /// The pair of states.
        state: String,
        /// The output.
        action: String,
    },
    /// A limit was met before the claim was judged.
    Exhausted(Exhausted),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnotherModel(what) => write!(f, "it was made for another model: {what}"),
            Self::AnotherProperty { claimed, declared } => {
                write!(f, "it was made for another property: it claims `{claimed}`, not `{declared}`")
            }
            Self::WrongEvidence => f.write_str("its evidence does not fit the property"),
            Self::Malformed(malformed) => write!(f, "its evidence cannot be read: {malformed}"),
            Self::NoState(state) => write!(f, "its evidence has {state}, which is no proper state"),
            Self::InitialMissing => f.write_str("its evidence lacks the initial state"),
            Self::NotClosed { state, action } => {
                write!(f, "its evidence lacks a state that {action} leads to from {state}")
            }
            Self::Fails { state: None, component, .. } => write!(f, "{component} starts in its error state"),
            Self::Fails { state: Some(state), action, component } => {
                write!(f, "{action} leads {component} to its error state from {state}")
            }
            Self::Cut { state, action, unit } => {
                write!(
                    f,
                    "{action} leads {unit} out of its bounds from {state}, and what comes then is not known"
                )
            }
            Self::Stuck(state) => write!(f, "nothing is possible in {state}"),
            Self::RankNotDecreasing(state) => write!(f, "the rank of {state} does not decrease as it has to"),
            Self::NotAGoal(state) => write!(f, "{state} has rank 0 and is no goal"),
            Self::ActionLost { state, action } => {
                write!(f, "{action} is not possible any more after {state}")
            }
            Self::ClassIncreases(state) => write!(f, "a step from {state} leads to a larger class"),
            Self::Stays(state) => {
                write!(f, "runs that violate the formula may stay in the class of {state} for ever")
            }
            Self::StopsInViolation(state) => write!(f, "stopping in {state} violates the formula"),
            Self::NoObserver(name) => write!(f, "{name} cannot be set aside: it does not only observe"),
            Self::AnotherGoal => f.write_str("its evidence is about other components"),
            Self::UnknownRule(by) => write!(f, "there is no rule `{by}`"),
            Self::BadGroups(what) => write!(f, "its groups do not fit: {what}"),
            Self::WrongAssumptions { claimed, required } => {
                write!(f, "it has {claimed} assumptions, and its rule {required}")
            }
            Self::BadAssumption { number, what } => write!(f, "assumption A{number}: {what}"),
            Self::WrongPremise { number, claimed, required } => wrong_premise(f, *number, claimed, required),
            Self::BadDerivation(what) => write!(f, "it does not follow from the parts: {what}"),
            Self::GoalTakesPart => {
                f.write_str("its rule is for properties that only observe, and this one takes part")
            }
            Self::FalsePremise { premise, trace } => {
                write!(f, "the premise {premise} is not true: it fails {}", after(trace))
            }
            Self::BadReduction { premise, what } => write!(f, "the reduction of premise {premise}: {what}"),
            Self::BadStep { number, what } => write!(f, "step {number}: {what}"),
            Self::MayFail { piece } => write!(f, "piece {piece}, which is left in the end, can fail"),
            Self::BadSignature(what) => write!(f, "the automata do not fit: {what}"),
            Self::InputRefused { state, action } => {
                write!(f, "the specification takes {action} in {state}, and the implementation does not")
            }
            Self::OutputNotAllowed { state, action } => {
                write!(f, "the implementation sends {action} in {state}, and the specification does not")
            }
            Self::Exhausted(exhausted) => exhausted.fmt(f),
        }
    }
}

impl std::error::Error for Rejection {}

impl From<Exhausted> for Rejection {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<Malformed> for Rejection {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

fn wrong_premise(
    f: &mut fmt::Formatter<'_>,
    number: usize,
    claimed: &Option<String>,
    required: &Option<String>,
) -> fmt::Result {
    match (claimed, required) {
        (Some(claimed), Some(required)) if claimed == required => {
            write!(
                f,
                "premise {number}, {claimed}, is about another group or assumption than the one that is there"
            )
        }
        (Some(claimed), Some(required)) => {
            write!(f, "premise {number} of its rule is {required}, and it has {claimed}")
        }
        (Some(claimed), None) => write!(f, "premise {number}, {claimed}, is none of its rule"),
        (None, required) => {
            write!(f, "it lacks premise {number}, {}", required.as_deref().unwrap_or_default())
        }
    }
}

/// When something happens: after which actions. A long trace is cut off.
fn after(trace: &[String]) -> String {
    const SHOWN: usize = 16;
    if trace.is_empty() {
        return "at once".to_owned();
    }
    let steps: Vec<&str> = trace.iter().take(SHOWN).map(String::as_str).collect();
    let rest = if trace.len() > SHOWN { ", …" } else { "" };
    format!("after {}{rest}", steps.join(", "))
}

/// A tuple of numbers as text, shortened if it is long.
pub(crate) fn shown(tuple: &[u32]) -> String {
    const SHOWN: usize = 16;
    let numbers: Vec<String> = tuple.iter().take(SHOWN).map(u32::to_string).collect();
    let rest = if tuple.len() > SHOWN { ", …" } else { "" };
    format!("state ({}{rest})", numbers.join(", "))
}
