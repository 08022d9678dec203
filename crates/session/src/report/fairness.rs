//! The fairness of answers about assertions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Kind;

/// The runs that an assertion is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fairness {
    /// Every run.
    None,
    /// Runs in which every alternative of a choice that is made infinitely often is taken infinitely often.
    #[default]
    Choice,
    /// Runs in which every choice is made at random: an assertion that holds has probability 1.
    Random,
    /// Runs in which a process that stays ready for ever takes a step; the default if processes take turns.
    Weak,
    /// Runs in which a process that is ready infinitely often takes infinitely many steps.
    Strong,
}

impl Fairness {
    /// The fairness, if the question is an assertion and this is not the default.
    pub(crate) fn unless_usual(self, kind: Kind) -> Option<Self> {
        (kind == Kind::Ltl && self != Self::default()).then_some(self)
    }

    /// The fairness of choices that it stands for.
    pub(crate) fn of_choices(self) -> rely_omega::Fairness {
        match self {
            Self::None => rely_omega::Fairness::None,
            Self::Choice | Self::Weak | Self::Strong => rely_omega::Fairness::Choice,
            Self::Random => rely_omega::Fairness::Random,
        }
    }
}

impl From<rely_omega::Fairness> for Fairness {
    fn from(fairness: rely_omega::Fairness) -> Self {
        match fairness {
            rely_omega::Fairness::None => Self::None,
            rely_omega::Fairness::Choice => Self::Choice,
            rely_omega::Fairness::Random => Self::Random,
        }
    }
}

impl From<rely_omega::Justice> for Fairness {
    fn from(justice: rely_omega::Justice) -> Self {
        match justice {
            rely_omega::Justice::None => Self::None,
            rely_omega::Justice::Weak => Self::Weak,
            rely_omega::Justice::Strong => Self::Strong,
        }
    }
}
