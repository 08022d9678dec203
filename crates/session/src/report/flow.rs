//! What flow analysis did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a path of the flow graph is a run of the target: `null` if that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Feasible(pub Option<bool>);

/// What flow analysis did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlowResult {
    /// The constraints that the answer rests on. If they were found automatically, none of them can be left out
    /// alone.
    pub constraints: Vec<FlowConstraint>,
    /// The tasks that were followed, if these are not all: whatever another one would have to do together with one of them was
    /// taken as possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<String>,
    /// How often all paths were searched, each time with other constraints. `states` is that of the largest search.
    pub searches: usize,
    /// The constraints that exclude the path, if it is not known to be a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_by: Vec<String>,
}

/// A constraint: an automaton that excludes paths that are not runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlowConstraint {
    /// The variable or task that it tracks.
    pub name: String,
    /// The states of its automaton.
    pub states: usize,
}
