//! The answers of `certify`.

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
    /// The fairness under which an assertion is claimed; left out if it is `choice`, and for other claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// The components that must not fail, if the claim is about components; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ClaimedComponent>>,
    /// Whether it is not a claim of its own, but follows from accepted claims; left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// Whether the certificate proves it.
    pub accepted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it is a commitment of the target.
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
    /// Whether it is not a part of the target, but a property that observes it from outside; left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
}
