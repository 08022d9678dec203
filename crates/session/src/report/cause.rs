//! What is shown about the end of a run that violates something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a run is stuck, or why its last step is a failure.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// The state of each component, in the order of `components`, by its name in the model: at the end of the trace,
    /// or before its last step if a component fails in that step, or where a cycle without progress begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// The value of each variable there, if the target has variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// If nothing is possible: what each component waits for. Properties, which only observe, are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// Components, by position in `components`, each of which waits for an action that the next one refuses, and the last
    /// one for one that the first refuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting_cycle: Vec<usize>,
    /// Where a cycle lacks the actions that a progress property wants, or that would help an assertion: who keeps each of
    /// them from happening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
    /// Components that refuse a wanted action and stand still in the cycle: what each of them waits for. If nobody refuses an
    /// action, actions of higher priority come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stalled: Vec<Waiting>,
    /// Other actions that everybody is ready for somewhere in such a cycle, where actions of higher priority come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outranked: Vec<String>,
    /// If a component fails: which one, and what it would have allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failing>,
}

/// A variable and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub variable: String,
    /// Its value.
    pub value: String,
}

/// What a component waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// The component, by position in `components`.
    pub component: usize,
    /// The actions that it is ready for; none if it has stopped.
    pub actions: Vec<Refused>,
}

/// An action for which one component is ready, and another is not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// The action.
    pub action: String,
    /// The components that take part in it and are not ready for it, by position in `components`.
    pub refused_by: Vec<usize>,
}

/// An action that is wanted and does not happen in a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Withheld {
    /// The action.
    pub action: String,
    /// The components that refuse it in every state of the cycle, by position in `components`; if there is none, those that
    /// refuse it in some states.
    pub refused_by: Vec<usize>,
    /// Whether no component refuses it in every state.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub in_turns: bool,
    /// Whether nobody refuses it in some state, where an action of higher priority comes first.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub outranked: bool,
}

/// A component that fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Failing {
    /// The component, by position in `components`.
    pub component: usize,
    /// Whether it is a property, which does not allow the last action.
    pub is_property: bool,
    /// The actions that it would have allowed, or that would not have led to the error, sorted.
    pub allowed: Vec<String>,
    /// The other components that take part in the last step, by position in `components`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<usize>,
}

/// The states of a component before and after a step, by their names in the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateChange {
    /// Before the step.
    pub from: String,
    /// After the step.
    pub to: String,
}
