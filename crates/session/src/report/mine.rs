//! The answers of `mine`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `mine`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MineResult {
    /// The component, as it was named.
    pub component: String,
    /// How many configurations its environment has.
    pub configurations: u64,
    /// The rules. None of them follows from the others, and every rule that holds follows from them.
    pub rules: Vec<MinedRule>,
    /// The number of further rules that were found and follow from these.
    pub redundant: usize,
    /// Whether the components of the environment were examined one by one: the rules are true, but there may be
    /// others, which depend on several components together. Left out if all rules were found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_part: bool,
    /// The rules in readable form; a line may stand for several rules.
    pub lines: Vec<MinedLine>,
    /// Whether the rules are those of an earlier run, because nothing in the environment has changed; left out if they were
    /// mined now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
    /// The rules that an earlier run knew and that do not hold any more, since the environment has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The properties of the component whose earlier proof rests on one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken_proofs: Vec<String>,
}

/// A rule: whenever all of `if` hold, all of `then` hold. Items are events of the interface, with `!` if they are
/// absent, and the number of the microstep that produces them, as in `ms=3`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MinedRule {
    /// The condition.
    #[serde(rename = "if")]
    pub when: Vec<String>,
    /// The conclusion.
    pub then: Vec<String>,
    /// The number of configurations in which the condition holds.
    pub support: u64,
}

/// A rule in readable form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MinedLine {
    /// The text.
    pub text: String,
    /// The number of configurations in which its condition holds.
    pub support: u64,
}
