//! Rules about an interface that were mined from an environment, as plain data.

use crate::Assumption;

/// All that is true of the interface of a component in every configuration of its environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mined {
    /// How many configurations the environment has.
    pub configurations: u64,
    /// The rules: none follows from the others, and every rule that is true follows from them.
    pub rules: Vec<MinedRule>,
    /// How many further rules were found that follow from these.
    pub redundant: usize,
    /// The rules as people say them, each with its support. A line may stand for several rules.
    pub lines: Vec<(String, u64)>,
    /// The rules to be assumed, one by one, those that say something in the most configurations first.
    pub assumptions: Vec<Assumption>,
    /// Whether the components of the environment were looked at one by one, because there was too much to look at: the rules
    /// are true, but there may be others, which need several components together.
    pub is_by_part: bool,
}

/// An association rule of confidence 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinedRule {
    /// Whenever all of these hold: events that are there, or with `!` are not, and the number of the microstep, as in `ms=3`.
    pub when: Vec<String>,
    /// All of these hold.
    pub then: Vec<String>,
    /// In how many configurations the condition holds.
    pub support: u64,
}
