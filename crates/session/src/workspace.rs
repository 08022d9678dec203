//! Several texts, and questions about them as plain data: what an editor, a page or a script asks.
//!
//! **Problem.** The command line asks once and ends. Whoever stays asks again and again about texts that hardly change, and
//! often from another program, which can send nothing but text.
//!
//! **Idea.** A [`Workspace`] holds the texts by their names. A [`Request`] names one of them and carries a [`Query`]; both
//! can be read from JSON, and the answer is the report that the command line prints with `--json`. A text is read when the
//! first question about it comes, and its targets are worked out once, until a text changes.
//!
//! The workspace reads no files and no clock; limits come with each request, and cancelling with its budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_assume::Strategy;
use rely_base::{Budget, Limits, Observer};
use rely_model::{Loader, Window};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::report::{AnyReport, Finding, Report};
use crate::{
    AssumeQuery, CheckQuery, CompatibleQuery, Failed, Internal, Languages, Project, RefinesQuery, UNREADABLE,
    VerifyQuery,
};

/// A question about a text.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The name of the text.
    pub file: String,
    /// The name of a text with properties about it.
    #[serde(default)]
    pub properties: Option<String>,
    /// Other values of constants.
    #[serde(default)]
    pub define: BTreeMap<String, i32>,
    /// How many states may be held.
    #[serde(default)]
    pub max_states: Option<usize>,
    /// How many bytes may be held.
    #[serde(default)]
    pub max_bytes: Option<usize>,
    /// What is asked.
    pub query: Query,
}

/// What is asked about a text, by the verb of the command line.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub enum Query {
    /// Deadlock, safety, progress, assertions and divergence.
    Check(CheckQuery),
    /// Whether a system meets its properties, piece by piece.
    Verify {
        /// The system.
        system: String,
        /// The properties; all of the system if there are none.
        #[serde(default)]
        properties: Vec<String>,
        /// How to prove.
        #[serde(default, deserialize_with = "strategy_named")]
        strategy: Strategy,
    },
    /// What components need of their environment.
    Assume {
        /// The components, together.
        components: Vec<String>,
        /// The property.
        property: String,
        /// The environment.
        #[serde(default)]
        environment: Vec<String>,
    },
    /// Whether interface automata fit together.
    Compatible(CompatibleQuery),
    /// Whether one interface automaton can take the place of another.
    Refines(RefinesQuery),
    /// What is true of the interface of components.
    Mine {
        /// The components; all of them if there are none.
        #[serde(default)]
        components: Vec<String>,
        /// How many consecutive steps a rule may speak of: 1 or 2.
        #[serde(default)]
        window: Window,
    },
}

impl Query {
    /// That there is no answer, because of what was found in the request.
    fn unanswered(&self, findings: Vec<Finding>) -> AnyReport {
        match self {
            Self::Check(_) => AnyReport::Check(Report::new("check", Vec::new(), findings)),
            Self::Verify { .. } => AnyReport::Verify(Report::new("verify", Vec::new(), findings)),
            Self::Assume { .. } => AnyReport::Assume(Report::new("assume", Vec::new(), findings)),
            Self::Compatible(_) => AnyReport::Compatible(Report::new("compatible", Vec::new(), findings)),
            Self::Refines(_) => AnyReport::Refines(Report::new("refines", Vec::new(), findings)),
            Self::Mine { .. } => AnyReport::Mine(Report::new("mine", Vec::new(), findings)),
        }
    }

    /// The answer for a project.
    fn ask(&self, project: &Project, budget: Budget<'_>) -> Result<AnyReport, Internal> {
        Ok(match self {
            Self::Check(query) => AnyReport::Check(crate::check(project, query, budget)?),
            Self::Verify { system, properties, strategy } => {
                let query = VerifyQuery {
                    properties: properties.clone(),
                    strategy: *strategy,
                    ..VerifyQuery::about(system)
                };
                AnyReport::Verify(crate::verify(project, &query, budget)?.report)
            }
            Self::Assume { components, property, environment } => {
                let query = AssumeQuery {
                    components: components.clone(),
                    property: property.clone(),
                    environment: environment.clone(),
                    ..AssumeQuery::default()
                };
                AnyReport::Assume(crate::assume(std::slice::from_ref(project), &query, budget)?.report)
            }
            Self::Compatible(query) => {
                AnyReport::Compatible(crate::compatible(project, query, budget)?.report)
            }
            Self::Refines(query) => AnyReport::Refines(crate::refines(project, query, budget)?.report),
            Self::Mine { components, window } => match crate::mine(project, components, *window, budget) {
                Ok(report) => AnyReport::Mine(report),
                Err(Failed::Errors(findings) | Failed::Exhausted(_, findings)) => self.unanswered(findings),
                Err(failed) => return Err(Internal(format!("mining ended as nothing does: {failed:?}"))),
            },
        })
    }
}

/// A text as it was opened: its name, the text with properties, and other values of constants.
type Opened = (String, Option<String>, BTreeMap<String, i32>);

/// Texts by their names, and what is known of them.
pub struct Workspace {
    languages: Languages,
    texts: Arc<BTreeMap<String, Vec<u8>>>,
    projects: BTreeMap<Opened, Project>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::in_languages(Languages::all())
    }
}

impl Workspace {
    /// A workspace of texts in some languages.
    pub fn in_languages(languages: Languages) -> Self {
        Self { languages, texts: Arc::default(), projects: BTreeMap::new() }
    }

    /// Adds a text, or changes it. What was known of the others is forgotten as well: they may import it.
    pub fn set(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) {
        let (name, text) = (name.into(), text.into());
        if self.texts.get(&name) != Some(&text) {
            self.projects.clear();
            Arc::make_mut(&mut self.texts).insert(name, text);
        }
    }

    /// Removes a text.
    pub fn remove(&mut self, name: &str) {
        self.projects.clear();
        Arc::make_mut(&mut self.texts).remove(name);
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// A mistake in this program, such as a counterexample that cannot be replayed.
    pub fn ask(&mut self, request: &Request, observer: Option<&dyn Observer>) -> Result<AnyReport, Internal> {
        let limits = Limits { states: request.max_states, bytes: request.max_bytes };
        let budget = Budget::new(limits, observer);
        match self.project(request) {
            Ok(project) => request.query.ask(project, budget),
            Err(finding) => Ok(request.query.unanswered(vec![*finding])),
        }
    }

    /// The project that a request is about.
    fn project(&mut self, request: &Request) -> Result<&Project, Box<Finding>> {
        let key = (request.file.clone(), request.properties.clone(), request.define.clone());
        if !self.projects.contains_key(&key) {
            let mut project = self.open(&request.file)?;
            for (name, &value) in &request.define {
                if !project.define(name, value) {
                    let message = format!("`{}` has no constant `{name}`", request.file);
                    return Err(Box::new(Finding::without_place(crate::WRONG_USAGE, &message)));
                }
            }
            if let Some(properties) = &request.properties {
                project = project.with_properties(self.open(properties)?);
            }
            self.projects.insert(key.clone(), project);
        }
        Ok(&self.projects[&key])
    }

    fn open(&self, name: &str) -> Result<Project, Box<Finding>> {
        let missing = |name: &str| format!("there is no text `{name}`");
        let text = self.texts.get(name);
        let text = text.ok_or_else(|| Box::new(Finding::without_place(UNREADABLE, &missing(name))))?;
        let texts = Arc::clone(&self.texts);
        let loader: Box<Loader<'static>> =
            Box::new(move |name| texts.get(name).cloned().ok_or_else(|| missing(name)));
        Ok(Project::in_one_of(&self.languages, name, text, loader))
    }
}

/// Reads a strategy by its name.
fn strategy_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Strategy, D::Error> {
    let name = String::deserialize(deserializer)?;
    let names = || Strategy::ALL.map(Strategy::name).join(", ");
    Strategy::from_name(&name)
        .ok_or_else(|| D::Error::custom(format!("unknown strategy `{name}`, expected one of {}", names())))
}
