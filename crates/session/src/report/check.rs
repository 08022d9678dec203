//! What `check` answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Cause, CoverageResult, Fairness, Feasible, FlowResult, Growth, Kind, OtherTrace, Reliance, TraceStep,
    Verdict,
};
use crate::engine::Engine;

/// The answer to one question of `check`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckResult {
    /// The target.
    pub target: String,
    /// The name of the property; for deadlock and safety the kind itself.
    pub property: String,
    /// What is checked.
    pub kind: Kind,
    /// The answer.
    pub verdict: Verdict,
    /// The answer that the model expects, where it says so: `//! expect TARGET PROPERTY VERDICT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    /// The property process that a violation of safety breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violates: Option<String>,
    /// The formula of a violated assertion, and what its fluents are, in the user's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The actions of a trace that shows the violation, a shortest one unless `shortest` is false.
    pub trace: Vec<String>,
    /// Whether no trace that shows the violation is shorter; left out where it is so.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub shortest: bool,
    /// The actions that are repeated for ever after the trace.
    pub cycle: Vec<String>,
    /// Which runs the assertion was asked about; left out where it is `choice` or, where processes take turns, `weak`, and for
    /// other questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// Whether the cycle that breaks an assertion is fair itself; left out where it is so, or need not be. One that is not
    /// shows how the assertion is broken, where a fair cycle would have too many steps to be read.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub fair: bool,
    /// Whether an assertion that fair choice violates is known to hold where choices are made at random; left out where it
    /// is not.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub holds_at_random: bool,
    /// The same trace with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The same for the cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_steps: Vec<TraceStep>,
    /// The components of the target, where a trace refers to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// What there is to see where the trace ends, unless it goes on for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Further counterexamples, where they are asked for, each of which ends differently: who waits for what in a deadlock,
    /// who fails and how, the terminal set of states of progress, or the actions that recur in a cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_traces: Vec<OtherTrace>,
    /// Whether every other counterexample ends like one of these; left out where it is not so or not known.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub no_more_traces: bool,
    /// Why the answer is unknown, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether this is an assumption that the text makes about the environment of the target, and not a property; left out
    /// where it is a property.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub is_assumption: bool,
    /// Of a component on its own: what the answer rests on. Without any of these it is not known to hold, unless a limit was
    /// met while that was looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<Reliance>,
    /// Of a component on its own, whose run in `trace` breaks the property: whether the whole system has no such run, or null
    /// if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_positive: Option<Option<bool>>,
    /// The rule about the environment that the run in `trace` breaks, so that it is none of the whole system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why the answer may not mean what was wanted: it holds vacuously, names unknown actions, …; with `--strict` each is a
    /// failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Which model was searched, where the language has more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// Whether the trace is one of the target, where flow analysis has found it: `null` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feasible: Option<Feasible>,
    /// What flow analysis did, where it gives the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<FlowResult>,
    /// What is assumed of the environment, where the property says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assuming: Vec<String>,
    /// The assumptions without which it holds all the same, as far as that was looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unneeded: Vec<String>,
    /// What was cut, if runs leave the bounds within which they are explored: `queue of P` for a process P.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded: Option<String>,
    /// What was ever exercised, if it was asked for; with the answer about safety.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageResult>,
    /// What makes the target large, where a limit left the question open; with the first such answer about a target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
    /// States explored.
    pub states: usize,
    /// Transitions explored.
    pub transitions: usize,
    /// Whether states and transitions are those of a smaller system with the same behaviour: states of a component that can do
    /// the same were taken for one. Left out where it is not so.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub equivalent_states_merged: bool,
    /// Whether there is nothing to add: all that it takes was looked at, and there is no trace that could be written in the
    /// states of the components as they are.
    #[serde(skip)]
    pub(crate) is_final: bool,
    /// Whether a limit left it open.
    #[serde(skip)]
    pub(crate) met_limit: bool,
    /// Whether the trace of a component is one of the whole system.
    #[serde(skip)]
    pub(crate) is_replayed: bool,
    /// Bytes that the states took, where it is known; not the same each time.
    #[serde(skip)]
    pub bytes: Option<usize>,
    /// Whether it is a property that the target commits itself to, and no assertion about all targets.
    #[serde(skip)]
    pub is_commitment: bool,
}
