//! The answers of `verify`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BrokenAssumption, Cause, CoverageResult, Reused, TraceStep, Verdict};
use crate::Strategy;

/// An assumption of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProofAssumption {
    /// How many states it has.
    pub states: usize,
    /// The actions of its alphabet, sorted.
    pub alphabet: Vec<String>,
}

/// A property of a part that a proof uses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Used {
    /// The part.
    pub component: String,
    /// The property.
    pub property: String,
    /// The package that has the evidence for it, which was judged and accepted, so that it was not verified anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The states of the largest search for it; 0 where there was none.
    #[serde(default)]
    pub states: usize,
    /// How long it took to verify it, or to judge its evidence, in milliseconds.
    #[serde(default)]
    pub time_ms: u64,
}

/// What it took to show that a property of a composition follows from those of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AbstractionEffort {
    /// The states of all products in which it was looked whether a statement follows from others.
    pub states: usize,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

/// The answer to one question of `verify`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VerifyResult {
    /// The system.
    pub system: String,
    /// The property; `ERROR` for parts that have error states of their own.
    pub property: String,
    /// The answer.
    pub verdict: Verdict,
    /// The answer that the model expects, if it states one: `//! expect SYSTEM PROPERTY VERDICT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    /// The strategy that gave it.
    pub strategy: String,
    /// The rule, if one was used.
    pub rule: Option<String>,
    /// The parts of the first group.
    pub left: Vec<String>,
    /// The other parts.
    pub right: Vec<String>,
    /// All groups, if there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<String>>,
    /// The premises that were shown, in the order of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<String>,
    /// The number of states of the product of each premise, if it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premise_states: Vec<usize>,
    /// The assumptions that they rest on.
    pub assumptions: Vec<ProofAssumption>,
    /// The properties of parts that the proof uses, if the parts have properties of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<Used>,
    /// What it took to show that the property follows from these, where the parts have properties of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstraction: Option<AbstractionEffort>,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// The number of words that learners asked.
    pub queries: usize,
    /// The number of hypotheses that learners made.
    pub conjectures: usize,
    /// The actions of a run of the whole system that breaks the property.
    pub trace: Vec<String>,
    /// Whether no such run is shorter; left out if so.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub shortest: bool,
    /// The steps of the run, with the components that moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The actions that are repeated for ever after it, if the run does not end there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<String>,
    /// The steps of the cycle, with the components that moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_steps: Vec<TraceStep>,
    /// The components that the run refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// What is shown about the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Why the answer is unknown, or why another strategy was used than the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was intended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What it takes from earlier answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<Reused>,
    /// How a change has broken an earlier proof, if that is not valid any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_assumption: Option<BrokenAssumption>,
    /// The coverage, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageResult>,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

impl VerifyResult {
    /// Whether the answer was found by composing and reducing parts.
    pub(crate) fn was_reduced(&self) -> bool {
        [Strategy::Reduce, Strategy::Localise].iter().any(|strategy| strategy.name() == self.strategy)
    }

    /// A result without an answer yet.
    pub(crate) fn unknown(system: &str, property: &str, strategy: &str) -> Self {
        Self {
            system: system.to_owned(),
            property: property.to_owned(),
            verdict: Verdict::Unknown,
            expected: None,
            strategy: strategy.to_owned(),
            rule: None,
            left: Vec::new(),
            right: Vec::new(),
            groups: Vec::new(),
            premises: Vec::new(),
            premise_states: Vec::new(),
            assumptions: Vec::new(),
            used: Vec::new(),
            abstraction: None,
            peak_states: 0,
            queries: 0,
            conjectures: 0,
            trace: Vec::new(),
            shortest: true,
            steps: Vec::new(),
            cycle: Vec::new(),
            cycle_steps: Vec::new(),
            components: Vec::new(),
            cause: None,
            reason: None,
            warnings: Vec::new(),
            reused: None,
            broken_assumption: None,
            coverage: None,
            time_ms: 0,
        }
    }
}
