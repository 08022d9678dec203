//! The coverage of a system and its property.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TraceStep;

/// Which parts of components, and of a property, occur in some run of the whole system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoverageResult {
    /// Whether every state of the whole system was explored. If not, the counts are lower bounds, and what is listed
    /// as never taken may be taken after all.
    pub exhaustive: bool,
    /// The number of states of the whole system that were explored.
    pub states: usize,
    /// The parts, followed by the components of the property.
    pub components: Vec<ComponentCoverage>,
    /// Whether the property has taken part in a step, or forbids something that a part is ready for.
    pub exercised: bool,
    /// A shortest run that exercises the property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessResult>,
}

/// The coverage of a component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComponentCoverage {
    /// The component.
    pub name: String,
    /// Whether it belongs to the property.
    pub property: bool,
    /// Its states, the error state not counted.
    pub states: usize,
    /// Those that were visited.
    pub states_visited: usize,
    /// Its transitions, those into the error state not counted.
    pub transitions: usize,
    /// Those that were taken.
    pub transitions_taken: usize,
    /// Its transitions into the error state: what it forbids.
    pub forbidden: usize,
    /// The number of these whose action some other component was ready for.
    pub forbidden_approached: usize,
    /// Its actions that never occur, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    /// Its transitions that were never taken, by state; a long list is cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untaken: Vec<Untaken>,
    /// The number of further transitions that were never taken.
    #[serde(default)]
    pub further: usize,
}

/// A transition that was never taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Untaken {
    /// The state that it leaves, numbered as in the picture of the component.
    pub source: usize,
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The state that it leads to.
    pub target: usize,
    /// Whether the state that it leaves was visited: then another component refuses the action.
    pub source_visited: bool,
}

/// A run that exercises a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WitnessResult {
    /// The steps; they refer to the components of the coverage.
    pub steps: Vec<TraceStep>,
    /// The action that the property forbids at the end although a part is ready for it. Without it, the property has
    /// taken part in the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near_miss: Option<NearMiss>,
}

/// An action that a property forbids and that one component is ready for, while another refuses it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NearMiss {
    /// The action.
    pub action: String,
    /// The component that forbids it, by position in `components`.
    pub property: usize,
    /// The components that are ready for it.
    pub ready: Vec<usize>,
    /// The components that refuse it.
    pub refusing: Vec<usize>,
}
