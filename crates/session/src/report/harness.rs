//! What `harness` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `harness`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HarnessResult {
    /// The component.
    pub component: String,
    /// The property.
    pub property: String,
    /// The explorer that runs the program: `shuttle` or `loom`.
    pub explorer: String,
    /// The assumptions, all of which hold together.
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
