//! What `repository` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// What a repository has, or what became of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PackageResult {
    /// The name of the package.
    pub name: String,
    /// The component, by its name in the file.
    pub component: String,
    /// The file that it was made from.
    pub file: String,
    /// What became of it, or what it is.
    pub status: PackageStatus,
    /// Why it is not as it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The SHA-256 digest of its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The messages that it takes, with the types of their parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// The messages that it gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// The actions of its interface, in a language that knows neither inputs nor outputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// Its properties. The verdict is *unknown* where it was not asked for.
    pub properties: Vec<PackagedProperty>,
}

/// A property of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PackagedProperty {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What it claims, where that can be said in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// What it assumes of the environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assuming: Vec<String>,
    /// Whether the evidence that was there before has been accepted, so that nothing was verified anew.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub kept: bool,
    /// What its answer rests on, where it was searched for: properties of the package.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// Why it is not known to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PackageStatus {
    /// It is new in the repository.
    Added,
    /// It has taken the place of an earlier version of itself.
    Replaced,
    /// It is in the repository; its certificate was not judged now.
    Packaged,
    /// Its certificate has been accepted now.
    Verified,
    /// The file that it was made from has changed.
    Stale,
    /// It was not let in, or its certificate has not been accepted.
    Refused,
    /// What is kept under its name is not what was put there.
    Damaged,
    /// It has what was searched for.
    Found,
    /// It does not have, or is not known to have, what was searched for.
    Unsuited,
    /// It has been taken out.
    Removed,
    /// It has been written to a file.
    Exported,
}

impl PackageResult {
    /// A result without properties.
    pub fn new(name: &str, component: &str, file: &str, status: PackageStatus) -> Self {
        Self {
            name: name.to_owned(),
            component: component.to_owned(),
            file: file.to_owned(),
            status,
            reason: None,
            digest: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            actions: Vec::new(),
            properties: Vec::new(),
        }
    }
}

impl PackagedProperty {
    /// A property of which nothing else is known.
    pub(crate) fn new(name: &str, verdict: Verdict) -> Self {
        let name = name.to_owned();
        Self { name, verdict, claim: None, assuming: Vec::new(), kept: false, from: Vec::new(), reason: None }
    }
}
