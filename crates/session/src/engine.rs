//! Which model of a target is searched, where a language has more than one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a target is looked at.
///
/// SPIN is only asked whether something fails in a program; whatever else is asked is looked at exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Exactly, and by flow analysis where that meets a limit.
    #[default]
    Auto,
    /// State by state.
    Exact,
    /// By flow analysis: a graph that all runs are paths of, and constraints that rule out paths which are no runs.
    Flow,
    /// State by state, by SPIN, which is another program.
    Spin,
}

/// Which constraints flow analysis uses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Constraints {
    /// Those that paths which are no runs call for, as few as will do.
    #[default]
    Auto,
    /// None.
    None,
    /// Those with these names; a name without indices means all elements of an array.
    Named(Vec<String>),
}
