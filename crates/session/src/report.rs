//! What a query answers: plain data, the same for text, JSON and any other display.
//!
//! The JSON of these types is a contract with other tools: `schema` names its version, fields are added and never
//! change their meaning.

mod contract;
mod decompose;
mod reused;

use std::collections::BTreeMap;

use rely_base::{Code, Diagnostic, Id, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Project;

pub use contract::{ContractResult, ContractSize};
pub use decompose::{DecomposeResult, LargerResult, MonolithicResult, SplitResult};
pub use reused::{AssumptionFault, BrokenAssumption, Reused};

/// The version of the JSON contract.
pub const SCHEMA: &str = "rely/1";

/// The answer to a query.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report<R> {
    /// The version of this contract: `rely/1`.
    pub schema: String,
    /// The verb that was asked for.
    pub command: String,
    /// One element for each thing that was asked for; empty if the input has errors.
    pub results: Vec<R>,
    /// What was found in the input: errors, warnings and notes.
    pub diagnostics: Vec<Finding>,
}

impl<R> Report<R> {
    /// A report with results.
    pub fn new(command: &str, results: Vec<R>, diagnostics: Vec<Finding>) -> Self {
        Self { schema: SCHEMA.to_owned(), command: command.to_owned(), results, diagnostics }
    }

    /// Whether the input has errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|finding| finding.severity == Level::Error)
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The input has no meaning until this is mended.
    Error,
    /// The input may not mean what was wanted.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place in a file; lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column after the end.
    pub end_column: usize,
    /// The bytes of the file, from the first up to, not including, the second.
    pub bytes: (u32, u32),
}

/// A second place that helps to understand a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// What is to be seen there.
    pub message: String,
}

/// Something that was found in the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Level,
    /// The kind of finding; `rely explain` says more about it.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The file.
    pub file: String,
    /// The place, where there is one.
    #[serde(flatten)]
    pub place: Place,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Further places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
}

impl Finding {
    /// A finding about no place in particular: a file that cannot be read, for example.
    pub fn without_place(code: Code, message: &str) -> Self {
        Self {
            severity: Level::Error,
            code: code.to_string(),
            message: message.to_owned(),
            file: String::new(),
            place: Place { line: 1, column: 1, end_line: 1, end_column: 1, bytes: (0, 0) },
            help: None,
            notes: Vec::new(),
        }
    }

    /// A diagnostic about the text of a project.
    pub fn new(project: &Project, diagnostic: &Diagnostic) -> Self {
        Self {
            severity: match diagnostic.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Note,
            },
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            file: project.name().to_owned(),
            place: project.place(diagnostic.span),
            help: diagnostic.help.clone(),
            notes: diagnostic
                .notes
                .iter()
                .map(|note| Remark { place: project.place(note.span), message: note.message.clone() })
                .collect(),
        }
    }
}

/// The answer to a question about a closed system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds, and a certificate can be written on request.
    Holds,
    /// It does not hold, and the trace that shows it has been replayed.
    Violated,
    /// A limit was reached first, or the question has no answer.
    Unknown,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something is always possible, or the target is at its end.
    Deadlock,
    /// No property process is violated.
    Safety,
    /// An action occurs again and again, under fair choice.
    Progress,
    /// An assertion of linear temporal logic.
    Ltl,
    /// The target does not work silently for ever.
    Divergence,
}

/// A step of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceStep {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components that took part in it, by position in `components`.
    pub components: Vec<usize>,
    /// The fluents that hold after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fluents: Vec<String>,
}

impl TraceStep {
    /// A step of a run.
    pub(crate) fn of(step: &rely_decide::Step) -> Self {
        Self {
            action: step.action.clone(),
            components: step.movers.iter().map(|component| component.index()).collect(),
            fluents: step.fluents.clone(),
        }
    }
}

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
    /// The property process that a violation of safety breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violates: Option<String>,
    /// The actions of a trace that shows the violation, a shortest one unless `shortest` is false.
    pub trace: Vec<String>,
    /// Whether no trace that shows the violation is shorter; left out where it is so.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub shortest: bool,
    /// The actions that are repeated for ever after the trace.
    pub cycle: Vec<String>,
    /// The same trace with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The same for the cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_steps: Vec<TraceStep>,
    /// The components of the target, where a trace refers to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// Why the answer is unknown, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was wanted: it holds vacuously, names unknown actions, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// States explored.
    pub states: usize,
    /// Transitions explored.
    pub transitions: usize,
    /// Bytes that the states took, where it is known; not the same each time.
    #[serde(skip)]
    pub bytes: Option<usize>,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the serialiser passes a reference")]
fn is_yes(value: &bool) -> bool {
    *value
}

/// The answer of `compose` and `minimise`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SizeResult {
    /// The target.
    pub target: String,
    /// States without the error state.
    pub states: usize,
    /// Transitions, those into the error state included.
    pub transitions: usize,
    /// The visible actions, sorted.
    pub alphabet: Vec<String>,
    /// Whether the error state is reachable.
    pub error_reachable: bool,
    /// Why there is no answer; the numbers are then those reached so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Bytes that the states took, where it is known; not the same each time.
    #[serde(skip)]
    pub bytes: Option<usize>,
}

/// The answer of `certify`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CertifyResult {
    /// The target.
    pub target: String,
    /// The property.
    pub property: String,
    /// What is claimed.
    pub kind: Kind,
    /// Whether the certificate proves it.
    pub accepted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is known of an open component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The property holds in every environment.
    HoldsAlways,
    /// The property fails in every environment.
    FailsAlways,
    /// The property holds exactly in the environments that satisfy the assumption.
    Assumption,
    /// A limit was reached first.
    Unknown,
}

/// An assumption in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssumptionSize {
    /// States of the minimal deterministic automaton, without the rejecting one.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
    /// The actions that it speaks about, sorted.
    pub alphabet: Vec<String>,
}

/// How many states each step of the construction has, without the error state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ConstructionSteps {
    /// The component and the property, composed.
    pub composed: usize,
    /// With everything but the interface hidden, and reduced.
    pub minimised: usize,
    /// With errors propagated over silent steps, and harmless states dropped.
    pub propagated: usize,
    /// Made deterministic.
    pub determinised: usize,
    /// The assumption.
    #[serde(rename = "final")]
    pub last: usize,
}

/// What is forbidden after a sequence of actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Forbidden {
    /// A shortest sequence that leads to the state of the assumption.
    pub after: Vec<String>,
    /// What the environment must not do then.
    pub actions: Vec<String>,
}

/// The answer of `assume`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssumeResult {
    /// The components, as they were named.
    pub component: Vec<String>,
    /// The property.
    pub property: String,
    /// The environment, as it was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// Whether the assumption was to leave the component something to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock_free: bool,
    /// What is known.
    pub outcome: Outcome,
    /// The assumption, if that is the outcome.
    pub assumption: Option<AssumptionSize>,
    /// The steps of the construction; those that learning does not have are 0.
    pub steps: ConstructionSteps,
    /// How the component breaks the property: in every environment, or in one that does not satisfy the assumption.
    pub trace: Vec<String>,
    /// What the assumption forbids, nearest to the start first; not all of it if it is much.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<Forbidden>,
    /// How many further states forbid something.
    #[serde(default)]
    pub further: usize,
    /// Whether the named environment satisfies the assumption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discharged: Option<Verdict>,
    /// The run of the whole system that breaks the property, where the environment does not satisfy the assumption.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps_of_violation: Vec<TraceStep>,
    /// The components that the run refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// The largest number of states that a step held.
    pub peak_states: usize,
    /// Words that a learner asked about.
    pub queries: usize,
    /// Hypotheses that a learner made.
    pub conjectures: usize,
    /// Why the outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// An assumption of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProofAssumption {
    /// How many states it has.
    pub states: usize,
    /// The actions that it speaks about, sorted.
    pub alphabet: Vec<String>,
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
    /// The strategy that gave it.
    pub strategy: String,
    /// The rule, if one was used.
    pub rule: Option<String>,
    /// The parts of the first group.
    pub left: Vec<String>,
    /// The other parts.
    pub right: Vec<String>,
    /// All groups, where there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<String>>,
    /// The premises that were shown, in the order of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<String>,
    /// The states of the product of each premise, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premise_states: Vec<usize>,
    /// The assumptions that they rest on.
    pub assumptions: Vec<ProofAssumption>,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// Words that learners asked about.
    pub queries: usize,
    /// Hypotheses that learners made.
    pub conjectures: usize,
    /// The actions of a run of the whole system that breaks the property.
    pub trace: Vec<String>,
    /// The same with the components that moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The components that the run refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// Why the answer is unknown, or why another strategy was used than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the answer may not mean what was wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What it owes to earlier answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<Reused>,
    /// What a change did to an earlier proof, if that does not stand any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_assumption: Option<BrokenAssumption>,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

impl VerifyResult {
    /// A result of which nothing is known yet.
    pub(crate) fn unknown(system: &str, property: &str, strategy: &str) -> Self {
        Self {
            system: system.to_owned(),
            property: property.to_owned(),
            verdict: Verdict::Unknown,
            strategy: strategy.to_owned(),
            rule: None,
            left: Vec::new(),
            right: Vec::new(),
            groups: Vec::new(),
            premises: Vec::new(),
            premise_states: Vec::new(),
            assumptions: Vec::new(),
            peak_states: 0,
            queries: 0,
            conjectures: 0,
            trace: Vec::new(),
            steps: Vec::new(),
            components: Vec::new(),
            reason: None,
            warnings: Vec::new(),
            reused: None,
            broken_assumption: None,
            time_ms: 0,
        }
    }
}

/// The answer of `retrieve` about one component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetrieveResult {
    /// The file of the component.
    pub file: String,
    /// The component.
    pub component: String,
    /// Whether it satisfies the assumption.
    pub verdict: Verdict,
    /// What it does against the assumption.
    pub trace: Vec<String>,
    /// How many of the actions of the assumption it has.
    pub shared: usize,
    /// Why the answer is unknown, or what is special about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

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
    /// What the receiver can take there instead, with marks.
    pub accepted: Vec<String>,
}

/// How an environment can make an open system go wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Avoid {
    /// The actions of a trace whose last one cannot be taken.
    pub trace: Vec<String>,
    /// The same with the parts that moved.
    pub steps: Vec<TraceStep>,
    /// Who sends what, and who cannot take it.
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
    /// Who sends what, and who cannot take it.
    pub illegal: Option<Illegal>,
    /// The inputs that are left, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// The outputs that are left, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// Whether every environment was asked about.
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
    /// The signatures decided.
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
    /// How many ways the specification had to answer; none of them helps.
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
    /// The actions after which it does not; the last one is refused, or sent against the specification.
    pub trace: Vec<String>,
    /// Which side moved and what was not offered; or why the answer is unknown.
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

/// Which run of a study: the question, the size of the system, and how it was answered.
///
/// Runs are ordered by their fields, one after the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyRun {
    /// The file of the model.
    pub file: String,
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The constants that have other values than in the file, apart from the one that is the size.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub constants: BTreeMap<String, i32>,
    /// The constant that is the size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// The strategy that was asked for.
    pub strategy: String,
    /// The parts of the first group that were asked for; chosen if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<String>,
    /// The first time, the second time, …
    pub repeat: usize,
}

/// The limits of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct StudyLimits {
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// States of one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
}

/// What it costs to check the premises of a proof again when the assumptions are there already.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reuse {
    /// The largest number of states that a premise held.
    pub peak_states: usize,
    /// How long it took, in milliseconds.
    pub time_ms: f64,
}

/// What one run of `study` gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyResult {
    /// Which run it was.
    #[serde(flatten)]
    pub run: StudyRun,
    /// The answer.
    pub verdict: Verdict,
    /// The strategy that gave it.
    pub decided_by: String,
    /// The rule, if one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The parts of the first group of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// Words that learners asked about.
    pub queries: usize,
    /// Hypotheses that learners made.
    pub conjectures: usize,
    /// How many states each assumption of the proof has.
    pub assumptions: Vec<usize>,
    /// Why the answer is unknown, or why another strategy was used than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took to read the model and to answer, in milliseconds.
    pub time_ms: f64,
    /// The most memory that the process of the run held, if it had one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// What the proof costs without looking for its assumptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Reuse>,
    /// The limits of the run.
    #[serde(default)]
    pub limits: StudyLimits,
    /// The digest of the file of the model.
    pub model: String,
}

/// An explanation of a code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExplainResult {
    /// The code.
    pub code: String,
    /// What it means, in a few words.
    pub title: String,
    /// What it means, with examples.
    pub text: String,
}

/// Any of the reports, for the schema.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AnyReport {
    /// `check`
    Check(Report<CheckResult>),
    /// `compose` and `minimise`
    Size(Report<SizeResult>),
    /// `certify`
    Certify(Report<CertifyResult>),
    /// `assume`
    Assume(Report<AssumeResult>),
    /// `verify`
    Verify(Report<VerifyResult>),
    /// `decompose`
    Decompose(Report<DecomposeResult>),
    /// `retrieve`
    Retrieve(Report<RetrieveResult>),
    /// `compatible`
    Compatible(Report<CompatibleResult>),
    /// `refines`
    Refines(Report<RefinesResult>),
    /// `contract`
    Contract(Report<ContractResult>),
    /// `study` and `merge`
    Study(Report<StudyResult>),
    /// `explain`
    Explain(Report<ExplainResult>),
}
