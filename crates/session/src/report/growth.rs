//! What makes a target too large.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What makes a target large, where a limit left a question open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Growth {
    /// How many states the parts have together at most, such as `10^12`.
    pub at_most: String,
    /// The parts or variables that contribute most, largest first.
    pub parts: Vec<PartSize>,
    /// How many further parts there are.
    pub left_out: usize,
    /// What to try, the most promising first.
    pub advice: Vec<String>,
}

/// Parts that have as many states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartSize {
    /// The name of the first of them.
    pub name: String,
    /// The states that each has by itself; of a variable, its values.
    pub states: usize,
    /// How many there are.
    pub count: usize,
}
