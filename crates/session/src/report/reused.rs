//! What an answer takes from earlier ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an answer of `verify` takes from earlier ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Reused {
    /// Whether exactly this question was answered before. A run that breaks the property has been replayed again, and
    /// a proof has been checked again unless `unchecked` says otherwise.
    pub verdict: bool,
    /// Whether the answer rests on something from the store that was not checked again because the store is trusted:
    /// the verdict itself, or some of the premises.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
    /// The number of premises of the proof that were not checked, because nothing in them has changed.
    pub premises: usize,
    /// The number of assumptions that were taken from an earlier proof.
    pub assumptions: usize,
    /// The parts that differ from those of the earlier proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The parts without a counterpart in the earlier proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// The parts of the earlier proof that the system does not have any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Whether the property differs from that of the earlier proof.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub property_changed: bool,
    /// What has another name than before, and is otherwise unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<Renamed>,
    /// Whether the groups of the earlier proof no longer form a split of the system that could prove it, because
    /// parts are new or gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub split_misfits: bool,
}

/// A system, property or component that has another name than before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Renamed {
    /// The name that it had.
    pub before: String,
    /// The name that it has.
    pub now: String,
}

impl Renamed {
    /// The change of a name; `None` if it is the same.
    pub(crate) fn of(before: &str, now: &str) -> Option<Self> {
        (before != now).then(|| Self { before: before.to_owned(), now: now.to_owned() })
    }
}

/// How a change has broken an earlier proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrokenAssumption {
    /// The number of the assumption in the earlier proof, from 1. Null if the others relied on what a part did
    /// without an explicit assumption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// What is wrong with the assumption now.
    pub fault: AssumptionFault,
    /// The premise of the earlier proof that is not true any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub premise: Option<String>,
    /// The parts of the premise.
    pub parts: Vec<String>,
    /// The actions of these parts that show it.
    pub trace: Vec<String>,
}

/// What is wrong with an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AssumptionFault {
    /// The parts do what it forbids.
    Breached,
    /// It is satisfied, but the parts fail nevertheless.
    Insufficient,
}
