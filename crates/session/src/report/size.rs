//! The answers of `compose` and `minimise`: sizes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `compose` and `minimise`, and the system from which `convert`, `draw` and `monitor` made their
/// files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SizeResult {
    /// The target.
    pub target: String,
    /// States without the error state.
    pub states: usize,
    /// Transitions, those into the error state included.
    pub transitions: usize,
    /// The visible actions, sorted; left out if there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alphabet: Option<Vec<String>>,
    /// Whether the error state is reachable; left out if there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_reachable: Option<bool>,
    /// Why there is no answer; then the numbers are those reached so far, and nothing else is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Bytes that the states took, if it is known; it varies from run to run.
    #[serde(skip)]
    pub bytes: Option<usize>,
}

impl SizeResult {
    /// What is known of a target when a limit was met.
    pub fn unfinished(target: &str, exhausted: &rely_base::Exhausted) -> Self {
        Self {
            target: target.to_owned(),
            states: exhausted.states,
            transitions: exhausted.transitions,
            alphabet: None,
            error_reachable: None,
            reason: Some(exhausted.to_string()),
            bytes: None,
        }
    }
}
