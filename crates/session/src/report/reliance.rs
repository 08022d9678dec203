//! What an answer about a component on its own rests on.

use rely_model::Assumption;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An assumption about the environment of a component that an answer rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reliance {
    /// The rule in words, or the name of the assumption.
    pub assumption: String,
    /// Its source.
    pub source: Source,
}

/// The source of an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It was mined from the environment.
    Mined,
    /// It is written in the text, and was discharged on the environment.
    Written,
}

impl From<&Assumption> for Reliance {
    fn from(assumption: &Assumption) -> Self {
        let source = match assumption {
            Assumption::Rule(_) => Source::Mined,
            Assumption::Written(_) => Source::Written,
        };
        Self { assumption: assumption.to_string(), source }
    }
}

impl From<&Reliance> for Assumption {
    fn from(reliance: &Reliance) -> Self {
        let text = reliance.assumption.clone();
        match reliance.source {
            Source::Mined => Self::Rule(text),
            Source::Written => Self::Written(text),
        }
    }
}
