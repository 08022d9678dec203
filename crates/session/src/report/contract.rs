//! The answers of `contract`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// The size of a contract, and its inputs and outputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContractSize {
    /// States.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
    /// The inputs, sorted.
    pub inputs: Vec<String>,
    /// The outputs, sorted.
    pub outputs: Vec<String>,
}

/// The answer of `contract`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContractResult {
    /// `compose`, `conjoin`, `merge`, `quotient`, `mirror` or `consistent`.
    pub operation: String,
    /// The contracts, as they were named.
    pub operands: Vec<String>,
    /// Whether there is such a contract; for `consistent`, whether one part can meet the contracts together.
    pub verdict: Verdict,
    /// The contract, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractSize>,
    /// For `consistent`: actions that one contract receives and another sends, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<String>,
    /// For `consistent`: a shortest trace after which each contract allows a further action, and all together allow
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_end: Option<Vec<String>>,
    /// Why there is no such contract, or why that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
