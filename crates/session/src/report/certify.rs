//! What `certify` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fairness, Kind};

/// The answer of `certify`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CertifyResult {
    /// The target.
    pub target: String,
    /// The property.
    pub property: String,
    /// What is claimed.
    pub kind: Kind,
    /// Which runs an assertion is claimed of; left out where it is `choice`, and for other claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// The components that must not fail, where that is claimed of some; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ClaimedComponent>>,
    /// Whether no claim says this, and it follows from those that are accepted; left out where it is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// Whether the certificate proves it.
    pub accepted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it is a property that the target commits itself to.
    #[serde(skip)]
    pub is_commitment: bool,
}

/// A component that a claim is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClaimedComponent {
    /// Its number in the target, from 1.
    pub number: usize,
    /// Its full name.
    pub name: String,
    /// Whether it is no part of the target, but a property that looks on from outside; left out where it is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
}
