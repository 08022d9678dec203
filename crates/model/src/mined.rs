//! Rules about an interface that were mined from an environment, as plain data.

use crate::Assumption;

/// The rules that hold at the interface of a component in every configuration of its environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mined {
    /// How many configurations the environment has.
    pub configurations: u64,
    /// The rules. None of them follows from the others, and every rule that holds follows from them.
    pub rules: Vec<MinedRule>,
    /// The number of further rules that were found and follow from these.
    pub redundant: usize,
    /// The rules in readable form, each with its support. A line may stand for several rules.
    pub lines: Vec<(String, u64)>,
    /// The rules as assumptions, one by one; those whose condition holds in the most configurations come first.
    pub assumptions: Vec<Assumption>,
    /// Whether the components of the environment were examined one by one, because their product was too large. The
    /// rules are true, but there may be others, which depend on several components together.
    pub is_by_part: bool,
}

/// An association rule of confidence 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinedRule {
    /// The condition: all of these hold. An entry is an event that is present, or with `!` absent, or the number of
    /// the microstep, as in `ms=3`.
    pub when: Vec<String>,
    /// The conclusion: all of these hold.
    pub then: Vec<String>,
    /// The number of configurations in which the condition holds.
    pub support: u64,
}
