//! What `contract` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// How large a contract is, and what it receives and sends.
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
    /// Whether there is such a contract; of `consistent`, whether the contracts do not stand in each other's way.
    pub verdict: Verdict,
    /// The contract, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractSize>,
    /// Of `consistent`: actions that one contract receives and another sends, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<String>,
    /// Of `consistent`: a shortest trace after which each contract could go on, and all together cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_end: Option<Vec<String>>,
    /// Why there is no such contract, or why that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
