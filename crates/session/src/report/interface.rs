//! The answers about interface automata: `compatible` and `refines`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AssumptionSize, TraceStep, Verdict};

/// An action that is sent where it cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Illegal {
    /// The action.
    pub action: String,
    /// The component that sends it.
    pub sender: String,
    /// The component that cannot take it.
    pub receiver: String,
    /// The state of the sender, numbered as in its picture.
    pub sender_state: usize,
    /// The state of the receiver.
    pub receiver_state: usize,
    /// The actions that the receiver can take there instead, with marks.
    pub accepted: Vec<String>,
}

/// How an environment can make an open system go wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Avoid {
    /// The actions of a trace whose last one cannot be taken.
    pub trace: Vec<String>,
    /// The steps of the trace, with the parts that moved.
    pub steps: Vec<TraceStep>,
    /// The action that cannot be taken, with its sender and its receiver.
    pub illegal: Illegal,
}

/// The answer of `compatible`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CompatibleResult {
    /// The components, as they were named.
    pub components: Vec<String>,
    /// Whether together they have inputs or outputs.
    pub open: bool,
    /// Whether they are compatible; open ones in some environment, unless `every_environment` is true.
    pub verdict: Verdict,
    /// The actions of a trace whose last one cannot be taken.
    pub trace: Vec<String>,
    /// The action that cannot be taken, with its sender and its receiver.
    pub illegal: Option<Illegal>,
    /// The inputs of the whole, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// The outputs of the whole, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// Whether every environment was considered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_environment: bool,
    /// Whether internal steps may come before an action is taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weak: bool,
    /// The trace with the parts that moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The parts that the steps refer to: the components, and the parts of composites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// What the environment of an open system that is compatible has to avoid, if it can go wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avoid: Option<Avoid>,
    /// The inputs that an environment may ever send to keep an open system compatible, sorted; left out if there is
    /// no such restriction, or it was not found within the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_send: Option<Vec<String>>,
    /// Why the answer may not mean what was intended: an output and an input with similar names, or inputs that no
    /// environment may ever send.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The most permissive environment, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<AssumptionSize>,
    /// Why the answer is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// States explored.
    pub states: usize,
    /// Transitions explored.
    pub transitions: usize,
}

/// How refinement was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefinementMethod {
    /// By the signatures.
    Signature,
    /// By the reachability of an error state.
    Reachability,
    /// By the game of alternating simulation.
    Game,
}

/// An action that implementation and specification both take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RefinementMove {
    /// The action.
    pub action: String,
    /// `?` for an input, `!` for an output.
    pub role: char,
    /// The state of the implementation after it.
    pub implementation: usize,
    /// The state of the specification after it.
    pub specification: usize,
    /// How many answers the specification had; none of them helps.
    pub answers: usize,
}

/// The answer of `refines`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RefinesResult {
    /// The implementation, as it was named.
    pub implementation: String,
    /// The specification, as it was named.
    pub specification: String,
    /// Whether the implementation refines the specification.
    pub verdict: Verdict,
    /// The actions after which it does not; the last one is refused, or sent although the specification does not
    /// allow it.
    pub trace: Vec<String>,
    /// Which side moved and which action was not offered; or why the answer is unknown.
    pub reason: Option<String>,
    /// What is wrong with the signatures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<String>,
    /// The trace without its last action, with the states of both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<RefinementMove>,
    /// How it was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<RefinementMethod>,
    /// States or pairs explored.
    pub states: usize,
}
