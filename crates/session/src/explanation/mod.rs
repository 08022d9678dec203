//! Explanations: why a property of a system holds, or how it is broken, for somebody who has to be convinced.
//!
//! Three layers, each of which knows only the one before:
//! 1. an [`Explanation`] is what there is to say, as plain data; `gather` takes it from an analysis, `interfaces` from
//!    one of interface automata;
//! 2. a page is what is said, in order: headings, sentences, tables and pictures; `page` has the words for all of it;
//! 3. `text` and `html` write a page.
//!
//! Nothing here decides anything. What is counted again for a page, such as the states of a premise, is counted within
//! limits, and left out where they are met.

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

/// What is wanted beyond the answers of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// Explanations.
    pub explanation: bool,
    /// What was ever exercised.
    pub coverage: bool,
}

/// How a page is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageFormat {
    /// Text for a terminal or a mail.
    Text,
    /// Markdown.
    Markdown,
    /// One HTML document that needs nothing else.
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

/// Where answers come from, in the words of whoever asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The program, with its version.
    pub program: String,
    /// The file of the model.
    pub file: String,
    /// The text of the model; empty if it is no text, or not to be shown.
    pub text: String,
    /// Files that the answers depend on, each with the SHA-256 digest of its content; that of the model comes first.
    pub digests: Vec<(String, String)>,
    /// Constants that have another value than the text says.
    pub constants: Vec<(String, i32)>,
    /// The command that gave the answers.
    pub command: String,
    /// The command that writes a certificate; nothing if one has been written.
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
    /// What is asked about it.
    pub question: Question,
    /// The answer.
    pub verdict: Verdict,
    /// The strategy that was asked for.
    pub asked: String,
    /// The strategy that gave the answer.
    pub strategy: String,
    /// Why it was this strategy, or why there is no answer.
    pub reason: Option<String>,
    /// Why the answer may not mean what was wanted.
    pub warnings: Vec<String>,
    /// The parts, and then what the question is about: the components of the property, or parts that can fail.
    pub members: Vec<Member>,
    /// The parts that can fail by themselves, where the question is another one: only runs up to that are looked at.
    pub fails_beside: Vec<String>,
    /// Which members share which actions.
    pub connections: Vec<Connection>,
    /// What the answer rests on.
    pub argument: Argument,
    /// What was ever exercised.
    pub coverage: CoverageResult,
    /// The largest number of states that any single step held.
    pub peak_states: usize,
    /// Words that learners asked about.
    pub queries: usize,
    /// Hypotheses that learners made.
    pub conjectures: usize,
    /// What a certificate knows components and assumptions by: names and digests.
    pub identities: Vec<(String, String)>,
    /// What the answer owes to earlier ones.
    pub reused: Option<Reused>,
    /// What a change did to an earlier proof.
    pub broken_assumption: Option<BrokenAssumption>,
    /// Whether the premises of a proof from an earlier run were checked once more.
    pub is_rechecked: bool,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether a property is ever broken.
    Property,
    /// Whether the parts take what they send to each other.
    Compatibility,
    /// Whether the system refines a specification.
    Refinement,
}

/// What a member is to the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A part, about which nothing is asked.
    Part,
    /// A part with an error state of its own: the question is whether it fails by itself.
    FailingPart,
    /// A component of the property, which only looks on.
    Property,
}

impl Standing {
    /// Whether the question is about it.
    pub fn is_goal(self) -> bool {
        self != Self::Part
    }

    /// Whether it acts in the system, rather than looking on.
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
    /// What it is to the question.
    pub standing: Standing,
    /// Its group, where the parts were split.
    pub group: Option<usize>,
    /// Its behaviour.
    pub lts: Arc<Lts>,
    /// The role of each action, if it is an interface automaton.
    pub roles: Option<Vec<Role>>,
    /// Where it is defined, if that is known.
    pub source: Option<Source>,
}

impl Explanation {
    /// Whether the question is if parts fail by themselves, and not if a property is broken.
    pub(crate) fn is_about_parts(&self) -> bool {
        self.members.iter().any(|member| member.standing == Standing::FailingPart)
    }

    /// The names of those that the question is about.
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

/// What an answer rests on.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A rule and its premises.
    Rule(RuleProof),
    /// The product of everything that the property can feel.
    Product {
        /// The parts that are in it.
        inside: Vec<usize>,
        /// How many states it has, if they could be counted.
        states: Option<usize>,
        /// Whether who goes first is said by a priority.
        has_priority: bool,
    },
    /// The product of some parts.
    Localisation {
        /// The parts that are in it.
        inside: Vec<usize>,
        /// How many states it has, if they could be counted.
        states: Option<usize>,
    },
    /// One part after the other.
    Reduction {
        /// What was composed, in order.
        compositions: Vec<rely_assume::Composition>,
        /// The same as a proof with assumptions, if its premises are true.
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
    /// What has to be so that the rule may be used.
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

/// A premise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PremiseShown {
    /// As the literature writes it.
    pub statement: String,
    /// In words.
    pub words: String,
    /// How many states it takes to see that it is true, if they could be counted.
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
    /// Who relies on it, and who guarantees it, in words.
    pub between: String,
    /// The groups that it stands for.
    pub stands_for: Vec<usize>,
    /// What it forbids, nearest to the start first; not all of it if it is much.
    pub forbids: Vec<Forbidden>,
    /// How many further states forbid something.
    pub further: usize,
}

/// A run that breaks a property, and who is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The names of those that the run is about.
    pub components: Vec<String>,
    /// What each of them is to the question.
    pub standings: Vec<Standing>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// Whether no run that breaks the property is shorter.
    pub is_shortest: bool,
    /// Who has failed.
    pub failed: usize,
    /// The state that it was in.
    pub state: usize,
    /// What it allowed there, sorted.
    pub allowed: Vec<String>,
    /// What else the whole system could have done in the same moment without failing, sorted.
    pub alternatives: Vec<String>,
    /// What it means for the premises of the rule, if one was used.
    pub premises: Option<String>,
    /// What is wrong, where it is not a property that is broken.
    pub fault: Option<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The action.
    pub action: String,
    /// Who takes part.
    pub movers: Vec<usize>,
    /// The state of the one that fails in the end, after the step; nothing for its error state.
    pub state: Option<usize>,
}
