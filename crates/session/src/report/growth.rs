//! What makes a target too large.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What makes a target large, if a limit left a question open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Growth {
    /// An upper bound of the number of states, from those of the parts, such as `10^12`.
    pub at_most: String,
    /// The parts or variables that contribute most, largest first.
    pub parts: Vec<PartSize>,
    /// How many further parts there are.
    pub left_out: usize,
    /// Advice on what to try, the most promising first.
    pub advice: Vec<String>,
}

/// Parts with the same number of states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartSize {
    /// The name of the first of them.
    pub name: String,
    /// The states that each has by itself; for a variable, its values.
    pub states: usize,
    /// The number of these parts.
    pub count: usize,
}
