//! The answers of `decompose`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// The result of trying one split of a system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SplitResult {
    /// The operands of the first group.
    pub left: Vec<String>,
    /// The other operands.
    pub right: Vec<String>,
    /// All groups, if there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<String>>,
    /// The answer.
    pub verdict: Verdict,
    /// Whether it is the best one.
    pub best: bool,
    /// Whether the groups were composed and reduced first, because that took fewer states than without.
    pub composed: bool,
    /// The largest number of states that any single step held; a lower bound if the split was abandoned.
    pub peak_states: usize,
    /// The number of states of all assumptions together.
    pub assumption_states: usize,
    /// The number of words that learners asked.
    pub queries: usize,
    /// The number of hypotheses that learners made.
    pub conjectures: usize,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

/// The search of the whole product.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MonolithicResult {
    /// The answer.
    pub verdict: Verdict,
    /// The states that it held.
    pub peak_states: usize,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

/// The best split as a split of a larger system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LargerResult {
    /// The size: the constant and its value, as in `N=3`.
    pub size: String,
    /// The operands of each group.
    pub groups: Vec<Vec<String>>,
    /// The operands that the property treats differently from others of their kind.
    pub special: Vec<String>,
    /// The result of trying the split, if it was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitResult>,
    /// The search of the whole product, for comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monolithic: Option<MonolithicResult>,
    /// Why there is no such split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer of `decompose`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DecomposeResult {
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The verdict of the splits that were decided.
    pub verdict: Verdict,
    /// The rule.
    pub rule: String,
    /// The source of assumptions.
    pub method: String,
    /// The units of splitting: the operands of the system, or all its parts.
    pub units: Vec<String>,
    /// The number of splits; null if it exceeds 64 bits.
    pub possible: Option<u64>,
    /// The number of splits that were tried.
    pub tried: usize,
    /// The splits that were tried, the best one first.
    pub splits: Vec<SplitResult>,
    /// The search of the whole product, for comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monolithic: Option<MonolithicResult>,
    /// A run that breaks the property.
    pub trace: Vec<String>,
    /// The best split at larger sizes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub larger: Vec<LargerResult>,
    /// Why there are no splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The limit that was met before everything was tried; then another split may be better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Why the answer may not mean what was intended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}
