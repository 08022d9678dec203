//! What a query answers: plain data, the same for text, JSON and any other display.
//!
//! The JSON of these types is a contract with other tools: `schema` names its version, fields are added and never
//! change their meaning.

mod assume;
mod cause;
mod contract;
mod coverage;
mod decompose;
mod flow;
mod harness;
mod interface;
mod mine;
mod reliance;
mod reused;
mod study;
mod verify;

use rely_base::{Code, Diagnostic, Id, Severity, Span};
use rely_lts::{Behaviour, Program};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Project;
use crate::cause::state_changes;
use crate::engine::Engine;
use crate::states::StateNaming;

pub use assume::{
    AssumeResult, AssumptionSize, Consequences, ConstructionSteps, Forbidden, Outcome, PartialAssumption,
    Sequel,
};
pub use cause::{Cause, Failing, Refused, StateChange, Variable, Waiting};
pub use contract::{ContractResult, ContractSize};
pub use coverage::{ComponentCoverage, CoverageResult, NearMiss, Untaken, WitnessResult};
pub use decompose::{DecomposeResult, LargerResult, MonolithicResult, SplitResult};
pub use flow::{Feasible, FlowConstraint, FlowResult};
pub use harness::{ConformanceResult, HarnessAssumption, HarnessResult, RecordedStep};
pub use interface::{Avoid, CompatibleResult, Illegal, RefinementMethod, RefinementMove, RefinesResult};
pub use mine::{MineResult, MinedLine, MinedRule};
pub use reliance::{Reliance, Source};
pub use reused::{AssumptionFault, BrokenAssumption, Renamed, Reused};
pub use study::{Reuse, StudyLimits, StudyResult, StudyRun};
pub use verify::{ProofAssumption, Used, VerifyResult};

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
    /// The file; empty where it is about none.
    pub file: String,
    /// The place, where there is one: a finding about a file as a whole, or about the command line, has none.
    #[serde(flatten)]
    pub place: Option<Place>,
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
            place: None,
            help: None,
            notes: Vec::new(),
        }
    }

    /// Whether it makes verdicts doubtful: they may be right, and not mean what was wanted. With `--strict` it counts as a
    /// failure.
    pub fn questions_verdicts(&self) -> bool {
        self.severity == Level::Warning && crate::doubts::questions_verdicts(&self.code)
    }

    /// The same about a file as a whole.
    pub fn about(file: &str, code: Code, message: &str) -> Self {
        Self { file: file.to_owned(), ..Self::without_place(code, message) }
    }

    /// The same about a file as a whole, unless it is about one already.
    pub(crate) fn or_about(self, file: &str) -> Self {
        if self.file.is_empty() { Self { file: file.to_owned(), ..self } } else { self }
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
            // Nothing at the very start stands for no place.
            place: (diagnostic.span != Span::new(0, 0)).then(|| project.place(diagnostic.span)),
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

/// Which runs an assertion speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fairness {
    /// Every run.
    None,
    /// Runs in which every alternative of a choice that is made infinitely often is taken infinitely often.
    #[default]
    Choice,
    /// Runs in which every choice is made at random: what holds has probability 1.
    Random,
    /// Runs in which a process that is ready for ever takes a step; the usual one where processes take turns.
    Weak,
    /// Runs in which a process that is ready again and again takes a step again and again.
    Strong,
}

impl Fairness {
    /// It is told only of assertions, and only where it is not the usual one.
    pub(crate) fn unless_usual(self, kind: Kind) -> Option<Self> {
        (kind == Kind::Ltl && self != Self::default()).then_some(self)
    }
}

impl Fairness {
    /// Which runs an assertion speaks of, where choices are what is treated fairly.
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
    /// The variables that have another value after it, where the target has variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The states of the components that took part, before and after it, in the order of `components`, where they have
    /// states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateChange>,
    /// Where in the text the components do it, as far as the language tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<StepPlace>,
    /// The states that these components leave.
    #[serde(skip)]
    pub(crate) leaving: Vec<u32>,
}

/// Where a component takes a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepPlace {
    /// The component, by position in `components`.
    pub component: usize,
    /// The place in the text.
    #[serde(flatten)]
    pub place: Place,
}

/// A variable that a step changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Its name.
    pub variable: String,
    /// Its value before the step.
    pub from: String,
    /// Its value after the step.
    pub to: String,
}

impl TraceStep {
    /// A step of which no more is known than its action and who takes part.
    pub(crate) fn plain(action: String, components: Vec<usize>) -> Self {
        let (fluents, changes) = (Vec::new(), Vec::new());
        Self {
            action,
            components,
            fluents,
            changes,
            states: Vec::new(),
            places: Vec::new(),
            leaving: Vec::new(),
        }
    }

    /// A step of a run.
    pub(crate) fn of(step: &rely_decide::Step) -> Self {
        let components = step.movers.iter().map(|component| component.index()).collect();
        let fluents = step.fluents.clone();
        Self { fluents, leaving: leaving(step), ..Self::plain(step.action.clone(), components) }
    }

    /// A step of a run of a behaviour that is not needed any more.
    pub(crate) fn new(step: rely_decide::Step, behaviour: &Behaviour, naming: &StateNaming) -> Self {
        let components = step.movers.iter().map(|component| component.index()).collect();
        let changes = behaviour.as_program().map_or(Vec::new(), |program| changes(&step, program));
        let states = state_changes(behaviour, &step, naming);
        let leaving = if behaviour.as_network().is_some() { leaving(&step) } else { Vec::new() };
        let rely_decide::Step { action, fluents, .. } = step;
        Self { action, components, fluents, changes, states, places: Vec::new(), leaving }
    }
}

/// The states that the components of a network leave in a step.
fn leaving(step: &rely_decide::Step) -> Vec<u32> {
    step.movers.iter().filter_map(|component| step.before.get(component.index()).copied()).collect()
}

/// The variables of a program that a step changes.
fn changes(step: &rely_decide::Step, program: &Program) -> Vec<Change> {
    let (before, after) = (program.values(&step.before), program.values(&step.after));
    let values = program.slots().iter().zip(before.into_iter().zip(after));
    let changed = values.filter(|(_, (before, after))| before != after);
    changed
        .map(|(slot, (before, after))| Change {
            variable: slot.name.clone(),
            from: slot.values.show(before),
            to: slot.values.show(after),
        })
        .collect()
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
    /// The answer that the model expects, where it says so: `//! expect TARGET PROPERTY VERDICT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
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
    /// Which runs the assertion was asked about; left out where it is `choice` or, where processes take turns, `weak`, and for
    /// other questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// Whether the cycle that breaks an assertion is fair itself; left out where it is so, or need not be. One that is not
    /// shows how the assertion is broken, where a fair cycle would have too many steps to be read.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub fair: bool,
    /// Whether an assertion that fair choice violates is known to hold where choices are made at random; left out where it
    /// is not.
    #[serde(default, skip_serializing_if = "is_no")]
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
    /// Why the answer is unknown, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether this is an assumption that the text makes about the environment of the target, and not a property; left out
    /// where it is a property.
    #[serde(default, skip_serializing_if = "is_no")]
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
    /// States explored.
    pub states: usize,
    /// Transitions explored.
    pub transitions: usize,
    /// Whether states and transitions are those of a smaller system with the same behaviour: states of a component that can do
    /// the same were taken for one. Left out where it is not so.
    #[serde(default, skip_serializing_if = "is_no")]
    pub equivalent_states_merged: bool,
    /// Whether there is nothing to add: all that it takes was looked at, and there is no trace that could be written in the
    /// states of the components as they are.
    #[serde(skip)]
    pub(crate) is_final: bool,
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

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the serialiser passes a reference")]
fn is_yes(value: &bool) -> bool {
    *value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the serialiser passes a reference")]
fn is_no(value: &bool) -> bool {
    !*value
}

/// The answer of `compose` and `minimise`, and what `convert`, `draw` and `monitor` made their files of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SizeResult {
    /// The target.
    pub target: String,
    /// States without the error state.
    pub states: usize,
    /// Transitions, those into the error state included.
    pub transitions: usize,
    /// The visible actions, sorted; left out where there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alphabet: Option<Vec<String>>,
    /// Whether the error state is reachable; left out where there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_reachable: Option<bool>,
    /// Why there is no answer; the numbers are then those reached so far, and nothing else is claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Bytes that the states took, where it is known; not the same each time.
    #[serde(skip)]
    pub bytes: Option<usize>,
}

impl SizeResult {
    /// What is known of a target when a limit was met.
    pub fn unfinished(target: &str, exhausted: &rely_base::Exhausted) -> Self {
        Self {
            target: target.to_owned(),
            states: exhausted.states,
            transitions: exhausted.transitions,
            alphabet: None,
            error_reachable: None,
            reason: Some(exhausted.to_string()),
            bytes: None,
        }
    }
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
    /// Which runs an assertion is claimed of; left out where it is `choice`, and for other claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// The components that must not fail, where that is claimed of some; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ClaimedComponent>>,
    /// Whether no claim says this, and it follows from those that are accepted; left out where it is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// Whether the certificate proves it.
    pub accepted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it is a property that the target commits itself to.
    #[serde(skip)]
    pub is_commitment: bool,
}

/// A component that a claim is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClaimedComponent {
    /// Its number in the target, from 1.
    pub number: usize,
    /// Its full name.
    pub name: String,
    /// Whether it is no part of the target, but a property that looks on from outside; left out where it is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
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
    /// `compose` and `minimise`; `convert`, `draw` and `monitor` with a file
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
    /// `mine`
    Mine(Report<MineResult>),
    /// `compatible`
    Compatible(Report<CompatibleResult>),
    /// `refines`
    Refines(Report<RefinesResult>),
    /// `contract`
    Contract(Report<ContractResult>),
    /// `study` and `merge`
    Study(Report<StudyResult>),
    /// `monitor --check`
    Conformance(Report<ConformanceResult>),
    /// `harness`
    Harness(Report<HarnessResult>),
    /// `explain`
    Explain(Report<ExplainResult>),
}
