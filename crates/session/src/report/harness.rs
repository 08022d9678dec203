//! The answers of `harness` and `monitor --check`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// The answer of `harness`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HarnessResult {
    /// The component.
    pub component: String,
    /// The property.
    pub property: String,
    /// The explorer that runs the program: `shuttle` or `loom`.
    pub explorer: String,
    /// The assumptions; all of them hold together.
    pub assumptions: Vec<HarnessAssumption>,
    /// How many actions of the design have events.
    pub actions: usize,
    /// The premises that are tests of the crate.
    pub premises: Vec<String>,
    /// The files of the crate, from its folder.
    pub files: Vec<String>,
}

/// An assumption of a harness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HarnessAssumption {
    /// Its name.
    pub name: String,
    /// How many states it has.
    pub states: usize,
}

/// The answer of `monitor --check`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConformanceResult {
    /// The target.
    pub target: String,
    /// Whether it allows the recorded events. `unknown`: from some step on it forbids nothing.
    pub verdict: Verdict,
    /// How many events were recorded.
    pub events: usize,
    /// How many spans were recorded besides, about objects that the mapping does not have.
    #[serde(default)]
    pub others: usize,
    /// The step at which the execution leaves the target, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Why it leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The events up to that step.
    pub steps: Vec<RecordedStep>,
}

/// An event that was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordedStep {
    /// The thread; empty if it is unknown.
    pub thread: String,
    /// The action.
    pub action: String,
}
