//! The answers of `assume`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TraceStep, Verdict};

/// The result about an open component.
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
    /// The actions of its alphabet, sorted.
    pub alphabet: Vec<String>,
}

/// The number of states after each step of the construction, without the error state.
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
    /// The actions that the environment must not do then.
    pub actions: Vec<String>,
}

/// Something about actions that holds after a sequence of actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Sequel {
    /// The sequence, one of the shortest.
    pub after: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
}

/// The consequences of an assumption for the component, in an environment that does everything that is allowed.
///
/// What the component would never do again by itself is not included.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Consequences {
    /// Actions that never occur.
    pub never: Vec<String>,
    /// Actions that can occur, and after some sequence never again.
    pub never_again: Vec<Sequel>,
    /// A sequence after which the component may be stuck: it takes part in no action any more.
    pub stuck: Option<Vec<String>>,
    /// Sequences after which only a single action is possible; a long list is cut.
    pub only: Vec<Sequel>,
}

/// The part of an assumption that is certain although a limit was reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartialAssumption {
    /// What is certainly allowed: the property holds in every environment that satisfies it.
    pub enough: AssumptionSize,
    /// The number of sets of states that were looked at.
    pub looked_at: usize,
    /// The number of pairs of a set and an action whose result is not known.
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
    /// Whether the assumption has to keep the component from being stuck.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock_free: bool,
    /// The result.
    pub outcome: Outcome,
    /// The assumption, if that is the outcome.
    pub assumption: Option<AssumptionSize>,
    /// The steps of the construction; those that learning does not have are 0.
    pub steps: ConstructionSteps,
    /// A run of the component that breaks the property: in every environment, or in one that does not satisfy the
    /// assumption.
    pub trace: Vec<String>,
    /// What the assumption forbids, nearest to the start first; a long list is cut. If the assumption is known in
    /// part, what is certainly forbidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<Forbidden>,
    /// The number of further states that forbid something.
    #[serde(default)]
    pub further: usize,
    /// The consequences of the assumption for the component; null if the system is too large to compute them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consequences: Option<Consequences>,
    /// The part of the assumption that is certain, if the outcome is unknown and there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialAssumption>,
    /// Whether the named environment satisfies the assumption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discharged: Option<Verdict>,
    /// Whether the components do all that the property allows in the most general environment, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal: Option<Equal>,
    /// The run of the whole system that breaks the property, if the environment does not satisfy the assumption.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps_of_violation: Vec<TraceStep>,
    /// The components that the run refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// The largest number of states that a step held.
    pub peak_states: usize,
    /// The number of words that a learner asked.
    pub queries: usize,
    /// The number of hypotheses that a learner made.
    pub conjectures: usize,
    /// These hypotheses in their order; the first ones if they are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<Hypothesis>,
    /// Why the outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was intended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
