//! Which runs an assertion speaks of.
//!
//! - *none*: every run counts, also one that passes an alternative by for ever.
//! - *choice*: a state of the system that a run visits infinitely often has each of its transitions taken infinitely
//!   often. The run may still choose by what happened before: a, b, a, b, … is fair where a and b can always happen.
//! - *random*: every choice of the system is made at random, each alternative with some positive probability. An assertion
//!   holds when it holds *almost surely*, that is with probability 1. Which probabilities these are makes no difference,
//!   because there are finitely many states [Courcoubetis & Yannakakis 1995].
//!
//! What holds without fairness holds under fair choice, and what holds under fair choice holds almost surely.

use std::fmt;

/// Which runs an assertion speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fairness {
    /// Every run.
    None,
    /// The runs that are fair to every choice of the system.
    #[default]
    Choice,
    /// The runs that choose at random: what holds has probability 1.
    Random,
}

impl Fairness {
    /// All of them, the one that counts most runs first.
    pub const ALL: [Self; 3] = [Self::None, Self::Choice, Self::Random];
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Choice => "choice",
            Self::Random => "random",
        })
    }
}
