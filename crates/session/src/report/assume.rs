//! What `assume` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TraceStep, Verdict};

/// What is known of an open component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The property holds in every environment.
    HoldsAlways,
    /// The property fails in every environment.
    FailsAlways,
    /// The property holds exactly in the environments that satisfy the assumption.
    Assumption,
    /// A limit was reached first.
    Unknown,
}

/// An assumption in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssumptionSize {
    /// States of the minimal deterministic automaton, without the rejecting one.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
    /// The actions that it speaks about, sorted.
    pub alphabet: Vec<String>,
}

/// How many states each step of the construction has, without the error state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ConstructionSteps {
    /// The component and the property, composed.
    pub composed: usize,
    /// With everything but the interface hidden, and reduced.
    pub minimised: usize,
    /// With errors propagated over silent steps, and harmless states dropped.
    pub propagated: usize,
    /// Made deterministic.
    pub determinised: usize,
    /// The assumption.
    #[serde(rename = "final")]
    pub last: usize,
}

/// What is forbidden after a sequence of actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Forbidden {
    /// A shortest sequence that leads to the state of the assumption.
    pub after: Vec<String>,
    /// What the environment must not do then.
    pub actions: Vec<String>,
}

/// Something about actions that is so after a sequence of actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Sequel {
    /// The sequence, one of the shortest.
    pub after: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
}

/// What an assumption means for the component, in an environment that does all that is allowed.
///
/// What the component would do never again by itself is not meant.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Consequences {
    /// Actions that never occur.
    pub never: Vec<String>,
    /// Actions that can occur, and after some sequence never again.
    pub never_again: Vec<Sequel>,
    /// A sequence after which the component may be stuck: it takes part in nothing any more.
    pub stuck: Option<Vec<String>>,
    /// Sequences after which a single action is left to go on with; not all of them if they are many.
    pub only: Vec<Sequel>,
}

/// What is certain of an assumption although a limit was reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartialAssumption {
    /// What is certainly allowed: the property holds in every environment that keeps to it.
    pub enough: AssumptionSize,
    /// How many sets of states were looked at.
    pub looked_at: usize,
    /// How many times it is not known what an action leads to.
    pub open: usize,
}

/// A hypothesis of a learner, and what the teacher said to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hypothesis {
    /// The states of the assumption that it would be; 0 if it forbids everything.
    pub states: usize,
    /// A shortest sequence of actions about which it is wrong; null if it was accepted.
    pub counterexample: Option<Vec<String>>,
    /// Whether it allows the counterexample, with which the property can fail. Otherwise it forbids it for no reason.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub too_weak: bool,
    /// The assumption that it would be, as a process in FSP, if it is small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
}

/// Whether components do all that the property allows, together with the most general environment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Equal {
    /// Whether they do.
    pub verdict: Verdict,
    /// A shortest sequence of actions that the property allows, and that they do with no environment that meets the
    /// assumption.
    pub trace: Vec<String>,
    /// Why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Equal {
    pub(crate) fn new(verdict: Verdict, trace: Vec<String>, reason: Option<String>) -> Self {
        Self { verdict, trace, reason }
    }
}

/// The answer of `assume`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssumeResult {
    /// The components, as they were named.
    pub component: Vec<String>,
    /// The property.
    pub property: String,
    /// The environment, as it was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// Whether the assumption was to leave the component something to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock_free: bool,
    /// What is known.
    pub outcome: Outcome,
    /// The assumption, if that is the outcome.
    pub assumption: Option<AssumptionSize>,
    /// The steps of the construction; those that learning does not have are 0.
    pub steps: ConstructionSteps,
    /// How the component breaks the property: in every environment, or in one that does not satisfy the assumption.
    pub trace: Vec<String>,
    /// What the assumption forbids, nearest to the start first; not all of it if it is much. Of an assumption that is
    /// known in part, what is certainly forbidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<Forbidden>,
    /// How many further states forbid something.
    #[serde(default)]
    pub further: usize,
    /// What the assumption means for the component; nothing if the system is too large to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consequences: Option<Consequences>,
    /// What is certain of the assumption, if the outcome is unknown and something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialAssumption>,
    /// Whether the named environment satisfies the assumption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discharged: Option<Verdict>,
    /// Whether the components do all that the property allows in the most general environment, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal: Option<Equal>,
    /// The run of the whole system that breaks the property, where the environment does not satisfy the assumption.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps_of_violation: Vec<TraceStep>,
    /// The components that the run refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// The largest number of states that a step held.
    pub peak_states: usize,
    /// Words that a learner asked about.
    pub queries: usize,
    /// Hypotheses that a learner made.
    pub conjectures: usize,
    /// These hypotheses in their order; the first ones if they are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<Hypothesis>,
    /// Why the outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
