//! What `mine` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `mine`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MineResult {
    /// The component, as it was named.
    pub component: String,
    /// How many configurations its environment has.
    pub configurations: u64,
    /// The rules: none follows from the others, and every rule that is true follows from them.
    pub rules: Vec<MinedRule>,
    /// How many further rules were found that follow from these.
    pub redundant: usize,
    /// Whether the components of the environment were looked at one by one: the rules are true, but there may be others,
    /// which need several components together. Left out where all rules were found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_part: bool,
    /// The same for people; a line may stand for several rules.
    pub lines: Vec<MinedLine>,
}

/// A rule: whenever all of `if` hold, all of `then` hold. Items are events of the interface, with `!` if they are not there,
/// and the number of the microstep that produces them, as in `ms=3`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MinedRule {
    /// The condition.
    #[serde(rename = "if")]
    pub when: Vec<String>,
    /// What follows.
    pub then: Vec<String>,
    /// In how many configurations the condition holds.
    pub support: u64,
}

/// A rule as people say it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MinedLine {
    /// What holds.
    pub text: String,
    /// In how many configurations it says something.
    pub support: u64,
}
