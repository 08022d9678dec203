//! The answers of `study`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// The key of a run of a study: the question, the size of the system, and how it was answered.
///
/// Runs are ordered by their fields, in this order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyRun {
    /// The file of the model.
    pub file: String,
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The constants that have other values than in the file, except the one that is the size.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub constants: BTreeMap<String, i32>,
    /// The constant that is the size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// The strategy that was asked for.
    pub strategy: String,
    /// The parts of the first group that were asked for; if there are none, they are chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<String>,
    /// Whether they are those of the best split at the smallest size, generalised to this one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub generalised: bool,
    /// The number of the repetition, from 1.
    pub repeat: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "this is how a field is asked")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The limits of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct StudyLimits {
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// States of one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
}

/// The cost of checking the premises of a proof again, given its assumptions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reuse {
    /// The largest number of states that a premise held.
    pub peak_states: usize,
    /// How long it took, in milliseconds.
    pub time_ms: f64,
}

/// The result of one run of `study`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyResult {
    /// Which run it was.
    #[serde(flatten)]
    pub run: StudyRun,
    /// The answer.
    pub verdict: Verdict,
    /// The strategy that gave it.
    pub decided_by: String,
    /// The rule, if one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The parts of the first group of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// The number of words that learners asked.
    pub queries: usize,
    /// The number of hypotheses that learners made.
    pub conjectures: usize,
    /// The number of states of each assumption of the proof.
    pub assumptions: Vec<usize>,
    /// Why the answer is unknown, or why another strategy was used than the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took to read the model and to answer, in milliseconds.
    pub time_ms: f64,
    /// The maximum memory of the process of the run, if it had one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// The cost of the proof without the search for its assumptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Reuse>,
    /// The limits of the run.
    #[serde(default)]
    pub limits: StudyLimits,
    /// The digest of the file of the model.
    pub model: String,
}
