//! Explanations: why a property of a system holds, or how it is broken, for readers who have to be convinced.
//!
//! Three layers, each of which uses only the one before:
//! 1. an [`Explanation`] is the content as plain data; `gather` collects it from an analysis, `interfaces` from one
//!    of interface automata;
//! 2. a page is the content in order: headings, sentences, tables and pictures; `page` has the words for all of it;
//! 3. `text` and `html` write a page.
//!
//! Nothing here decides anything. What is counted again for a page, such as the states of a premise, is counted
//! within limits, and left out if they are met.

mod again;
mod argument;
mod checked;
mod conditions;
mod covered;
mod earlier;
mod exercised;
mod gather;
mod html;
mod interfaces;
mod page;
mod pictures;
mod refuted;
mod run;
mod sections;
mod source;
mod text;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rely_lts::{Lts, Role};

use crate::report::{BrokenAssumption, CoverageResult, Forbidden, Reused, Verdict};

pub use checked::check_page;
pub use pictures::lane_marks;
pub use source::Source;

pub(crate) use again::identities;
pub(crate) use exercised::exercised;
pub(crate) use gather::{Material, Recheck, Trail, recheck};
pub(crate) use interfaces::{InterfaceTrail, explain_interfaces};
pub(crate) use source::add_sources;

/// Optional content in addition to the answers of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// Explanations.
    pub explanation: bool,
    /// Coverage.
    pub coverage: bool,
}

/// The format of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageFormat {
    /// Text for a terminal or a mail.
    Text,
    /// Markdown.
    Markdown,
    /// One self-contained HTML document.
    Html,
}

impl PageFormat {
    /// The format that the ending of a file's name stands for.
    pub fn from_ending(ending: &str) -> Option<Self> {
        match ending {
            "txt" => Some(Self::Text),
            "md" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// The origin of answers, as given by the caller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The program, with its version.
    pub program: String,
    /// The file of the model.
    pub file: String,
    /// The text of the model; empty if it is not text, or is not to be shown.
    pub text: String,
    /// Files that the answers depend on, each with the SHA-256 digest of its content; that of the model comes first.
    pub digests: Vec<(String, String)>,
    /// Constants whose values differ from the text.
    pub constants: Vec<(String, i32)>,
    /// The command that gave the answers.
    pub command: String,
    /// The command that writes a certificate; `None` if one has been written.
    pub certificate: Option<String>,
    /// The SHA-256 digest of the certificate that has been written.
    pub certificate_digest: Option<String>,
    /// The command that judges the certificate.
    pub judge: String,
}

/// One page for all answers of an analysis.
///
/// ```
/// use rely_session::{Details, Origin, PageFormat, Project, VerifyQuery, explanation_page, verify};
///
/// let text = "LAMP = (on -> off -> LAMP). property ALTERNATE = (on -> off -> ALTERNATE). ||SYS = (LAMP || ALTERNATE).";
/// let project = Project::new("lamp.lts", text, Box::new(|_| Err("no imports".into())));
/// let query = VerifyQuery { details: Details { explanation: true, coverage: false }, ..VerifyQuery::about("SYS") };
/// let verified = verify(&project, &query, rely_base::Budget::UNLIMITED)?;
/// let page = explanation_page(&verified.explanations, &Origin::default(), PageFormat::Text);
/// assert!(page.contains("ALTERNATE holds in SYS"));
/// # Ok::<(), rely_session::Internal>(())
/// ```
pub fn explanation_page(explanations: &[Explanation], origin: &Origin, format: PageFormat) -> String {
    written(&page::page(explanations, origin), format)
}

/// A page in a format.
fn written(page: &page::Page, format: PageFormat) -> String {
    match format {
        PageFormat::Text => text::render(page, text::Markup::Plain),
        PageFormat::Markdown => text::render(page, text::Markup::Markdown),
        PageFormat::Html => html::render(page),
    }
}

/// Why a property of a system holds, or how it is broken.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The kind of question.
    pub question: Question,
    /// The answer.
    pub verdict: Verdict,
    /// The strategy that was asked for.
    pub asked: String,
    /// The strategy that gave the answer.
    pub strategy: String,
    /// Why this strategy was used, or why there is no answer.
    pub reason: Option<String>,
    /// Why the answer may not mean what was intended.
    pub warnings: Vec<String>,
    /// The parts, followed by the components in question: those of the property, or parts that can fail.
    pub members: Vec<Member>,
    /// The parts that can fail by themselves although the question is another one: runs end where they fail.
    pub fails_beside: Vec<String>,
    /// Which members share which actions.
    pub connections: Vec<Connection>,
    /// The argument for the answer.
    pub argument: Argument,
    /// The coverage.
    pub coverage: CoverageResult,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// The number of words that learners asked.
    pub queries: usize,
    /// The number of hypotheses that learners made.
    pub conjectures: usize,
    /// The names and digests of components and assumptions in a certificate.
    pub identities: Vec<(String, String)>,
    /// What the answer takes from earlier ones.
    pub reused: Option<Reused>,
    /// How a change has broken an earlier proof.
    pub broken_assumption: Option<BrokenAssumption>,
    /// Whether the premises of a proof from an earlier run were checked once more.
    pub is_rechecked: bool,
}

/// The kind of question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether a property is ever broken.
    Property,
    /// Whether the parts take what they send to each other.
    Compatibility,
    /// Whether the system refines a specification.
    Refinement,
}

/// The role of a member in the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A part that the question is not about.
    Part,
    /// A part with an error state of its own: the question is whether it fails by itself.
    FailingPart,
    /// A component of the property, which only observes.
    Property,
}

impl Standing {
    /// Whether the question is about it.
    pub fn is_goal(self) -> bool {
        self != Self::Part
    }

    /// Whether it acts in the system, and does not only observe.
    pub fn acts(self) -> bool {
        self != Self::Property
    }
}

/// A part of a system, or of a property.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The name of the definition that it is an instance of.
    pub definition: String,
    /// Its role in the question.
    pub standing: Standing,
    /// Its group, if the parts were split.
    pub group: Option<usize>,
    /// Its behaviour.
    pub lts: Arc<Lts>,
    /// The role of each action, if it is an interface automaton.
    pub roles: Option<Vec<Role>>,
    /// Where it is defined, if that is known.
    pub source: Option<Source>,
}

impl Explanation {
    /// Whether the question is whether parts fail by themselves, and not whether a property is broken.
    pub(crate) fn is_about_parts(&self) -> bool {
        self.members.iter().any(|member| member.standing == Standing::FailingPart)
    }

    /// The names of the members that the question is about.
    pub(crate) fn goal(&self) -> impl Iterator<Item = &str> {
        let goal = self.members.iter().filter(|member| member.standing.is_goal());
        goal.map(|member| member.name.as_str())
    }
}

/// Actions that the same members share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connection {
    /// The members, by number.
    pub members: Vec<usize>,
    /// The actions, sorted.
    pub actions: Vec<String>,
}

/// The argument for an answer.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A rule and its premises.
    Rule(RuleProof),
    /// The product of everything that can affect the property.
    Product {
        /// The parts that are in it.
        inside: Vec<usize>,
        /// How many states it has, if they could be counted.
        states: Option<usize>,
        /// Whether the system has priority.
        has_priority: bool,
    },
    /// The product of some parts.
    Localisation {
        /// The parts that are in it.
        inside: Vec<usize>,
        /// How many states it has, if they could be counted.
        states: Option<usize>,
    },
    /// Composition of one part after the other, with reduction.
    Reduction {
        /// What was composed, in order.
        compositions: Vec<rely_assume::Composition>,
        /// The equivalent proof with assumptions, if its premises are true.
        proof: Option<Box<RuleProof>>,
    },
    /// A run that breaks the property.
    Run(Box<Refutation>),
    /// There is no answer.
    Nothing,
}

/// A proof by a rule.
#[derive(Clone, Debug)]
pub struct RuleProof {
    /// The name of the rule.
    pub rule: String,
    /// What is concluded.
    pub conclusion: String,
    /// The groups, each with its parts.
    pub groups: Vec<Group>,
    /// The premises, in order.
    pub premises: Vec<PremiseShown>,
    /// The assumptions.
    pub assumptions: Vec<AssumptionShown>,
    /// The conditions under which the rule may be used.
    pub conditions: Vec<String>,
    /// Why the conclusion follows from the premises.
    pub soundness: String,
}

/// A group of parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The parts, by number.
    pub parts: Vec<usize>,
    /// How many states they have together, if they could be counted.
    pub states: Option<usize>,
}

/// A premise, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PremiseShown {
    /// In the notation of the literature.
    pub statement: String,
    /// In words.
    pub words: String,
    /// The number of states in a search that shows it, if they could be counted.
    pub states: Option<usize>,
}

/// An assumption.
#[derive(Clone, Debug)]
pub struct AssumptionShown {
    /// Its name in the premises.
    pub name: String,
    /// Its behaviour.
    pub lts: Arc<Lts>,
    /// The role of each action, if it is an interface automaton.
    pub roles: Option<Vec<Role>>,
    /// Which group relies on it, and which one guarantees it, in words.
    pub between: String,
    /// The groups that it stands for.
    pub stands_for: Vec<usize>,
    /// What it forbids, nearest to the start first; a long list is cut.
    pub forbids: Vec<Forbidden>,
    /// How many further states forbid something.
    pub further: usize,
}

/// A run that breaks a property, and which component is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The names of the components that the run is about.
    pub components: Vec<String>,
    /// The role of each of them in the question.
    pub standings: Vec<Standing>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// Whether no run that breaks the property is shorter.
    pub is_shortest: bool,
    /// The component that has failed.
    pub failed: usize,
    /// The state that it was in.
    pub state: usize,
    /// What it allowed there, sorted.
    pub allowed: Vec<String>,
    /// The actions that the whole system could have taken instead without failing, sorted.
    pub alternatives: Vec<String>,
    /// The consequence for the premises of the rule, if one was used.
    pub premises: Option<String>,
    /// What is wrong, if it is not a broken property.
    pub fault: Option<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The action.
    pub action: String,
    /// The components that take part.
    pub movers: Vec<usize>,
    /// The state of the component that fails in the end, after the step; `None` for its error state.
    pub state: Option<usize>,
}
