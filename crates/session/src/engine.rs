//! Which model of a target is searched, where a language has more than one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a target is analysed.
///
/// SPIN is only asked whether something fails in a program; all other questions are answered by the exact engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Exactly, and by flow analysis if that meets a limit.
    #[default]
    Auto,
    /// State by state.
    Exact,
    /// By flow analysis: a graph such that all runs are paths, and constraints that exclude paths that are not runs.
    Flow,
    /// State by state, by SPIN, an external program.
    Spin,
}

/// Which constraints flow analysis uses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Constraints {
    /// As few as possible, each added because of a path that is not a run.
    #[default]
    Auto,
    /// None.
    None,
    /// Those with these names; a name without indices means all elements of an array.
    Named(Vec<String>),
}
