//! The answers of `check`.

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
    /// The answer that the model expects, if it states one: `//! expect TARGET PROPERTY VERDICT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    /// The property process that a violation of safety breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violates: Option<String>,
    /// What is violated, in the user's language: the formula of an assertion, with what its fluents are, or the line that
    /// defines a property of reactive machines or message components.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The actions of a trace that shows the violation, a shortest one unless `shortest` is false.
    pub trace: Vec<String>,
    /// Whether no trace that shows the violation is shorter; left out if so.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub shortest: bool,
    /// The actions that are repeated for ever after the trace.
    pub cycle: Vec<String>,
    /// The fairness under which the assertion was checked; left out if it is `choice` or, if processes take turns,
    /// `weak`, and for other questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// Whether the cycle that breaks an assertion is fair; left out if it is, or need not be. A cycle that is not
    /// fair shows how the assertion is broken when a fair cycle would have too many steps to be read.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub fair: bool,
    /// Whether an assertion that is violated under fair choice is known to hold if choices are made at random; left
    /// out if not.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub holds_at_random: bool,
    /// The steps of the trace, with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The steps of the cycle, with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_steps: Vec<TraceStep>,
    /// The components of the target, if a trace refers to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// What is shown about the end of the trace, unless the run goes on for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Further counterexamples, if they were asked for, each of which ends differently: by what waits for what in a
    /// deadlock, by what fails and how, by the terminal set of states of progress, or by the actions that recur in a
    /// cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_traces: Vec<OtherTrace>,
    /// Whether every other counterexample ends like one of these; left out if not, or if it is not known.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub no_more_traces: bool,
    /// Why the answer is unknown, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether this is an assumption of the text about the environment of the target, and not a property; left out if
    /// it is a property.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub is_assumption: bool,
    /// For a component alone: what the answer rests on. If this is empty, the property is not known to hold, unless a
    /// limit was met while that was checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<Reliance>,
    /// For a component alone: whether the rules that are assumed are those of an earlier run, because nothing in the
    /// environment has changed; left out if they were mined now, or none are assumed.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub rules_reused: bool,
    /// For a component alone: the rules that an earlier proof of the property rests on, and that do not hold any more
    /// since the environment has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules_gone: Vec<String>,
    /// For a component alone whose run in `trace` breaks the property: whether the whole system has no such run, or
    /// null if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_positive: Option<Option<bool>>,
    /// The rule about the environment that the run in `trace` violates, so that it is not a run of the whole system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why the answer may not mean what was intended: it holds vacuously, names unknown actions, …; with `--strict`
    /// each is a failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The model that was searched, if the language has more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// Whether the trace is one of the target, if flow analysis has found it: `null` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feasible: Option<Feasible>,
    /// What flow analysis did, if it gave the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<FlowResult>,
    /// What the property assumes about the environment, if it assumes anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assuming: Vec<String>,
    /// The assumptions without which it also holds, as far as this was checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unneeded: Vec<String>,
    /// What was cut, if runs leave the bounds within which they are explored: `queue of P` for a process P.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded: Option<String>,
    /// The coverage, if it was asked for; with the answer about safety.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageResult>,
    /// What makes the target large, if a limit left the question open; with the first such answer about a target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
    /// How many properties were shown one by one, if the whole is too large for one search: nothing fails if none of them is
    /// the first to be broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_parts: Option<usize>,
    /// States explored.
    pub states: usize,
    /// Transitions explored.
    pub transitions: usize,
    /// Whether states and transitions are those of a smaller system with the same behaviour, in which equivalent
    /// states of a component are merged; left out if not.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub equivalent_states_merged: bool,
    /// Whether nothing has to be added: everything necessary was explored, and no trace has to be translated back to
    /// the original states of the components.
    #[serde(skip)]
    pub(crate) is_final: bool,
    /// Whether a limit left it open.
    #[serde(skip)]
    pub(crate) met_limit: bool,
    /// Whether the trace of a component was found to be one of the whole system.
    #[serde(skip)]
    pub(crate) is_replayed: bool,
    /// Bytes that the states took, if it is known; it varies from run to run.
    #[serde(skip)]
    pub bytes: Option<usize>,
    /// Whether it is a commitment of the target, and not an assertion about all targets.
    #[serde(skip)]
    pub is_commitment: bool,
}
