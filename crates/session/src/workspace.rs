//! Several texts, and questions about them as plain data, for editors, web pages and scripts.
//!
//! **Problem.** The command line asks once and ends. Editors and pages ask again and again about texts that hardly
//! change, and often from another program, which can send only text.
//!
//! **Idea.** A [`Workspace`] holds the texts by their names. A [`Request`] names one of them and carries a [`Query`];
//! both can be read from JSON, and the answer is the report that the command line prints with `--json`. A text is
//! read at the first question about it, and its targets are computed once, until a text changes.
//!
//! The workspace reads no files and no clock; limits come with each request, and cancellation with its budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_assume::Strategy;
use rely_base::{Budget, Limits, Observer};
use rely_model::{Loader, Window};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::report::{AnyReport, Finding, Report};
use crate::{
    Animation, AssumeQuery, AssumptionView, CheckQuery, CompatibleQuery, Failed, Internal, Languages,
    Picture, Project, RefinesQuery, UNREADABLE, VerifyQuery, Walk, WalkQuery,
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
    /// Limit on the number of states.
    #[serde(default)]
    pub max_states: Option<usize>,
    /// Limit on the number of bytes.
    #[serde(default)]
    pub max_bytes: Option<usize>,
    /// The question.
    pub query: Query,
}

/// A question about a text, named after the command.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub enum Query {
    /// Deadlock, safety, progress, assertions and divergence.
    Check(CheckQuery),
    /// Whether a system satisfies its properties, from its parts.
    Verify {
        /// The system.
        system: String,
        /// The properties; all of the system if there are none.
        #[serde(default)]
        properties: Vec<String>,
        /// The strategy of the proof.
        #[serde(default, deserialize_with = "strategy_named")]
        strategy: Strategy,
    },
    /// The weakest assumption that components need about their environment.
    Assume {
        /// The components, together.
        components: Vec<String>,
        /// The property.
        property: String,
        /// The environment.
        #[serde(default)]
        environment: Vec<String>,
    },
    /// Whether interface automata are compatible.
    Compatible(CompatibleQuery),
    /// Whether one interface automaton can take the place of another.
    Refines(RefinesQuery),
    /// The rules that hold at the interface of components.
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
    /// The report without an answer, with the findings about the request.
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
            Self::Mine { components, window } => {
                match crate::mine(project, components, *window, None, budget) {
                    Ok(report) => AnyReport::Mine(report),
                    Err(Failed::Errors(findings) | Failed::Exhausted(_, findings)) => {
                        self.unanswered(findings)
                    }
                    Err(failed) => return Err(Internal(format!("mining ended as nothing does: {failed:?}"))),
                }
            }
        })
    }
}

/// A question about a text whose answer is there to be looked at.
#[derive(Clone, Debug, Deserialize)]
pub struct ViewRequest {
    /// The name of the text.
    pub file: String,
    /// How many states may be held.
    #[serde(default)]
    pub max_states: Option<usize>,
    /// How many bytes may be held.
    #[serde(default)]
    pub max_bytes: Option<usize>,
    /// What is to be seen.
    #[serde(flatten)]
    pub view: View,
}

/// What is to be seen of a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "view", rename_all = "lowercase")]
pub enum View {
    /// The targets that are meant where none is named, and all that can be named.
    Targets,
    /// A run, step by step.
    Walk(WalkQuery),
    /// A run as an animated picture, by the view of the text: `NAME.view.json` for `NAME.lts`.
    Animation(WalkQuery),
    /// Pictures of the components of a target.
    Components {
        /// The target; the only one there is if none is named.
        #[serde(default)]
        target: Option<String>,
    },
    /// A picture of a target as one system.
    Whole {
        /// The target; the only one there is if none is named.
        #[serde(default)]
        target: Option<String>,
    },
    /// What components need of their environment: in words, as a picture and as FSP.
    Assumption {
        /// The components, together.
        components: Vec<String>,
        /// The property.
        property: String,
        /// The environment.
        #[serde(default)]
        environment: Vec<String>,
    },
}

/// What there is to see.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Viewed {
    /// Targets.
    Targets {
        /// Those that are meant where none is named.
        default: Vec<String>,
        /// All that can be named, in the order of the text.
        all: Vec<String>,
    },
    /// A run.
    Walk(Box<Walk>),
    /// A run as an animated picture.
    Animation(Box<Animation>),
    /// Pictures.
    Pictures(Vec<Picture>),
    /// An assumption.
    Assumption(Box<AssumptionView>),
    /// There is nothing to see.
    Nothing {
        /// What was found in the text.
        findings: Vec<Finding>,
        /// What else is in the way: a limit, or several targets among which nothing was chosen.
        reason: Option<String>,
    },
}

impl View {
    fn of(&self, project: &Project, budget: Budget<'_>) -> Result<Viewed, Internal> {
        let seen = match self {
            Self::Targets => {
                let (default, all) = project.targets(budget);
                return Ok(Viewed::Targets { default, all });
            }
            Self::Walk(query) => crate::walk(project, query, budget).map(|walk| Viewed::Walk(Box::new(walk))),
            // It needs more than one text, which the workspace has.
            Self::Animation(_) => return Ok(Viewed::Nothing { findings: Vec::new(), reason: None }),
            Self::Components { target } => {
                crate::component_pictures(project, target.as_deref(), budget).map(Viewed::Pictures)
            }
            Self::Whole { target } => crate::whole_picture(project, target.as_deref(), budget)
                .map(|picture| Viewed::Pictures(vec![picture])),
            Self::Assumption { components, property, environment } => {
                let query = AssumeQuery {
                    components: components.clone(),
                    property: property.clone(),
                    environment: environment.clone(),
                    ..AssumeQuery::default()
                };
                let shown = crate::shown_assumption(project, &query, budget)?;
                return Ok(Viewed::Assumption(Box::new(shown)));
            }
        };
        Ok(seen.unwrap_or_else(Viewed::nothing))
    }
}

impl Viewed {
    fn nothing(failed: Failed) -> Self {
        let (findings, reason) = match failed {
            Failed::Errors(findings) => (findings, None),
            Failed::Exhausted(exhausted, findings) => (findings, Some(exhausted.to_string())),
            Failed::Unfinished(size, findings) => (findings, size.reason),
            Failed::Ambiguous(names) => {
                (Vec::new(), Some(format!("one of several targets has to be chosen: {}", names.join(", "))))
            }
        };
        Self::Nothing { findings, reason }
    }
}

/// The key of an opened text: its name, the text with properties, and other values of constants.
type Opened = (String, Option<String>, BTreeMap<String, i32>);

/// Texts by their names, with what has been computed of them.
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

    /// Adds a text, or changes it. Everything computed for the others is dropped as well, since they may import it.
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

    /// What there is to see of a text.
    ///
    /// # Errors
    /// A mistake in this program, such as a counterexample that cannot be replayed.
    pub fn view(
        &mut self,
        request: &ViewRequest,
        observer: Option<&dyn Observer>,
    ) -> Result<Viewed, Internal> {
        let limits = Limits { states: request.max_states, bytes: request.max_bytes };
        let budget = Budget::new(limits, observer);
        if let View::Animation(query) = &request.view {
            let animated = self.animation(&request.file, query, budget);
            return Ok(animated.map_or_else(Viewed::nothing, |it| Viewed::Animation(Box::new(it))));
        }
        match self.text(&request.file) {
            Ok(project) => request.view.of(project, budget),
            Err(finding) => Ok(Viewed::Nothing { findings: vec![*finding], reason: None }),
        }
    }

    /// What is wrong with a view or a picture; nothing where it belongs to no text.
    pub fn review_view(&mut self, name: &str, budget: Budget<'_>) -> Vec<Finding> {
        let is_its_model =
            |model: &&String| !crate::is_of_view(model) && crate::view_of(model) == crate::view_of(name);
        let Some(model) = self.texts.keys().find(is_its_model).cloned() else { return Vec::new() };
        match self.animation(&model, &WalkQuery::default(), budget) {
            Err(Failed::Errors(findings)) => findings,
            _ => Vec::new(),
        }
    }

    /// A run of a text, animated by its view.
    fn animation(&mut self, model: &str, query: &WalkQuery, budget: Budget<'_>) -> Result<Animation, Failed> {
        let failed = |finding: Box<Finding>| Failed::Errors(vec![*finding]);
        let view = self.open(&crate::view_of(model)).map_err(failed)?;
        let picture = crate::picture_of(&view);
        let picture = self.open(picture.as_deref().unwrap_or_default());
        let project = self.text(model).map_err(failed)?;
        crate::animate(project, &view, picture.as_ref().map_err(Clone::clone), query, budget)
    }

    /// A text that was read, as it stands.
    ///
    /// # Errors
    /// When there is no such text.
    pub fn text(&mut self, file: &str) -> Result<&Project, Box<Finding>> {
        self.opened(file, None, &BTreeMap::new())
    }

    /// The project that a request is about.
    fn project(&mut self, request: &Request) -> Result<&Project, Box<Finding>> {
        self.opened(&request.file, request.properties.as_ref(), &request.define)
    }

    fn opened(
        &mut self,
        file: &str,
        properties: Option<&String>,
        define: &BTreeMap<String, i32>,
    ) -> Result<&Project, Box<Finding>> {
        let key = (file.to_owned(), properties.cloned(), define.clone());
        if !self.projects.contains_key(&key) {
            let mut project = self.open(file)?;
            for (name, &value) in define {
                if !project.define(name, value) {
                    let message = format!("`{file}` has no constant `{name}`");
                    return Err(Box::new(Finding::without_place(crate::WRONG_USAGE, &message)));
                }
            }
            if let Some(properties) = properties {
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
        Ok(Project::in_one_of(&self.languages, name, text, loader).lasting())
    }
}

/// Reads a strategy by its name.
fn strategy_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Strategy, D::Error> {
    let name = String::deserialize(deserializer)?;
    let names = || Strategy::ALL.map(Strategy::name).join(", ");
    Strategy::from_name(&name)
        .ok_or_else(|| D::Error::custom(format!("unknown strategy `{name}`, expected one of {}", names())))
}
