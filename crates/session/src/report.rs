//! The answers to queries: plain data, independent of how it is shown.
//!
//! The JSON of these types is a contract with other tools: `schema` names its version, fields are added and never
//! change their meaning.

mod assume;
mod cause;
mod certify;
mod check;
mod contract;
mod coverage;
mod decompose;
mod fairness;
mod finding;
mod flow;
mod growth;
mod harness;
mod interface;
mod mine;
mod package;
mod reliance;
mod reused;
mod size;
mod study;
mod trace;
mod traces;
mod verify;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use assume::{
    AssumeResult, AssumptionSize, Consequences, ConstructionSteps, Equal, Forbidden, Hypothesis, Outcome,
    PartialAssumption, Sequel,
};
pub use cause::{Cause, Failing, Refused, StateChange, Variable, Waiting, Withheld};
pub use certify::{CertifyResult, ClaimedComponent};
pub use check::CheckResult;
pub use contract::{ContractResult, ContractSize};
pub use coverage::{ComponentCoverage, CoverageResult, NearMiss, Untaken, WitnessResult};
pub use decompose::{DecomposeResult, LargerResult, MonolithicResult, SplitResult};
pub use fairness::Fairness;
pub use finding::{Finding, Fix, Level, Place, Remark};
pub use flow::{Feasible, FlowConstraint, FlowResult};
pub use growth::{Growth, PartSize};
pub use harness::{ConformanceResult, HarnessAssumption, HarnessResult, RecordedStep};
pub use interface::{Avoid, CompatibleResult, Illegal, RefinementMethod, RefinementMove, RefinesResult};
pub use mine::{MineResult, MinedLine, MinedRule};
pub use package::{PackageResult, PackageStatus, PackagedProperty};
pub use reliance::{Reliance, Source};
pub use reused::{AssumptionFault, BrokenAssumption, Renamed, Reused};
pub use size::SizeResult;
pub use study::{Reuse, StudyLimits, StudyResult, StudyRun};
pub use trace::{Change, StepPlace, TraceStep};
pub use traces::OtherTrace;
pub use verify::{AbstractionEffort, ProofAssumption, Used, VerifyResult};

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
    /// A report with results, without the findings that the text allows.
    pub fn new(command: &str, results: Vec<R>, mut diagnostics: Vec<Finding>) -> Self {
        diagnostics.retain(|finding| !finding.is_allowed);
        Self { schema: SCHEMA.to_owned(), command: command.to_owned(), results, diagnostics }
    }

    /// Whether the input has errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|finding| finding.severity == Level::Error)
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
    /// Something is always possible, or the target has terminated.
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

/// The answer of `retrieve` about one component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetrieveResult {
    /// The file of the component.
    pub file: String,
    /// The component.
    pub component: String,
    /// Whether it satisfies the assumption.
    pub verdict: Verdict,
    /// How it violates the assumption.
    pub trace: Vec<String>,
    /// The number of actions of the assumption that it has.
    pub shared: usize,
    /// Why the answer is unknown, or a remark on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An explanation of a code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExplainResult {
    /// The code.
    pub code: String,
    /// Its meaning in a few words.
    pub title: String,
    /// Its meaning, with examples.
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
    /// `repository`
    Repository(Report<PackageResult>),
    /// `explain`
    Explain(Report<ExplainResult>),
}
