//! The façade: everything that the command line can ask, an editor, a page or a program of yours can ask with the same call.
//!
//! Questions to a [`Project`], which is a text with its imports, are answered with a [`report::Report`]. Queries and answers
//! are plain data; the caller reads the files, watches the clock and shows the answer. Limits, progress and cancellation
//! arrive with the budget of a question.
//!
//! - [`check`], [`verify`], [`assume`], [`decompose`], [`certify`], [`mine`]: analyses of a target or of its parts;
//! - [`compatible`], [`refines`], [`contract`]: interface automata;
//! - [`compose`], [`minimise`], [`draw`], [`Simulation`]: a target to be seen, stored or walked through;
//! - [`Workspace`]: several texts that are asked again and again, with requests that can be JSON; what has been worked out
//!   about a text is kept until a text changes;
//! - [`study`]: many runs, with tables and figures;
//! - [`Languages`]: the table of languages, to which a front end of your own can be added.
//!
//! How a verdict comes about: `check.rs` asks `meaning.rs` for targets and properties; `check/inquest.rs` puts the questions,
//! in turns where time is short; `check/checker.rs` has each answered by `rely-decide`; `cause.rs` says why something is
//! violated, and `doubts` why something that holds should not be believed too soon.
//!
//! ```
//! use rely_session::{CheckQuery, Project, check, report::Verdict};
//!
//! let project = Project::new("lamp.lts", "LAMP = (on -> off -> LAMP).", Box::new(|_| Err("no imports".into())));
//! let report = check(&project, &CheckQuery::default(), rely_base::Budget::UNLIMITED)?;
//! assert!(report.results.iter().all(|result| result.verdict == Verdict::Holds));
//! # Ok::<(), rely_session::Internal>(())
//! ```

mod animation;
mod assume;
mod automata;
mod build;
mod cause;
mod certify;
mod check;
mod compatible;
mod conformance;
mod contract;
mod decompose;
mod diagram;
mod doubts;
mod engine;
mod expect;
mod explain;
mod explanation;
mod flow_graph;
mod gate;
mod goals;
mod harness;
mod languages;
mod meaning;
mod mine;
mod monitor;
mod parts;
mod picture;
mod places;
mod project;
mod recording;
mod refines;
pub mod report;
mod repository;
mod retrieve;
mod reuse;
mod rules;
mod simulate;
mod states;
pub mod study;
mod subject;
mod turns;
mod verify;
mod verify_interface;
mod view;
mod weights;
mod workspace;

pub use animation::{Animated, Animation, Clickable, animate, film, is_of_view, picture_of, view_of};
pub use assume::{AssumeQuery, Assumed, assume};
pub use build::{
    Built, ComposeQuery, Failed, Format, MinimiseQuery, Modulo, build, compose, minimise, write,
};
pub use cause::{CauseLine, cause_in_words};
pub use certify::{certificate, certify};
pub use check::{CheckQuery, Outside, Spin, SpinAnswer, check, check_with, review};
pub use compatible::{CompatibleQuery, Matched, compatible};
pub use conformance::{conforms, read_mapping};
pub use contract::{Combined, ContractQuery, Operation, contract};
pub use decompose::{DecomposeQuery, Extent, Larger, decompose};
pub use diagram::diagram;
pub use engine::{Constraints, Engine};
pub use explain::{
    IMPOSSIBLE_TRACE, INTERNAL, LIMIT_REACHED, NO_CERTIFICATE, UNREADABLE, WRONG_USAGE, explain, explanations,
};
pub use explanation::{
    Argument, AssumptionShown, Connection, Details, Explanation, Group, Member, Origin, PageFormat,
    PremiseShown, Question, Refutation, RuleProof, RunStep, Source, Standing, check_page, explanation_page,
    lane_marks,
};
pub use flow_graph::flow_graph;
pub use gate::Gate;
pub use harness::{Explorer, HARNESS_MARK, HarnessFile, HarnessQuery, Harnessed, harness, source_digest};
pub use languages::Languages;
pub use mine::mine;
pub use monitor::{Language, Mapping, build_single, monitor, monitor_file, watch, watch_file};
pub use picture::{chart, draw, draw_around, draw_run};
pub use project::Project;
pub use recording::{Recorded, Recording, read_recording};
pub use refines::{Compared, RefinesQuery, refines};
pub use repository::{
    Define, PACKAGE_SCHEMA, Package, PackageSource, PackageText, Packages, Packed, SearchQuery,
    judge_package, pack, renew, search,
};
pub use retrieve::retrieve;
pub use simulate::{Choice, Refusing, Simulation, WhyNot, marks, target};
pub use study::csv_field;
pub use verify::{Verified, VerifyQuery, verify, verify_with_memory, verify_with_packages};
pub use verify_interface::{InterfaceMethod, InterfaceQuery, InterfaceRule, verify_interface};
pub use view::{
    AssumptionView, NamedState, Offer, Picture, Refusal, Walk, WalkQuery, component_pictures,
    shown_assumption, walk, whole_picture,
};
pub use workspace::{Query, Request, View, ViewRequest, Viewed, Workspace};

use rely_base::{Budget, Exhausted, Progress};

pub use rely_assume::{Algorithm, Alphabets, Composition, Key, Memory, Method, Rule, Strategy};
pub use rely_certificate::Certificate;
pub use rely_lts::Lts;
pub use rely_lts::equivalence::Equivalence;
pub use rely_lts::format::aut::Tau;
pub use rely_model::{DEFAULT, Environment, FrontEnd, Loader, Window};
pub use rely_syntax::MAX_TEXT;

/// A mistake in this program; it never looks like a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Internal(pub String);

impl std::fmt::Display for Internal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal failure: {}", self.0)
    }
}

impl std::error::Error for Internal {}

impl From<rely_decide::ReplayError> for Internal {
    fn from(error: rely_decide::ReplayError) -> Self {
        Self(error.to_string())
    }
}

/// Fails if the limits are used up from the start. Some analyses check their limits only now and then, and would
/// answer a small question nevertheless.
fn begin(budget: &Budget<'_>) -> Result<(), Exhausted> {
    budget.check(&Progress { states: 1, ..Progress::default() })
}

/// The JSON Schema of everything that `--json` prints.
pub fn json_schema() -> String {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let schema = generator.root_schema_for::<report::AnyReport>();
    serde_json::to_string_pretty(&schema).expect("a schema is plain JSON")
}
