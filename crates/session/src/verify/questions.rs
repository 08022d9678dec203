//! What `verify` is asked: the system, and one question for each property.

use std::collections::BTreeSet;

use std::sync::Arc;

use rely_assume::Problem;
use rely_base::{Budget, Exhausted, Id};
use rely_lts::{Component, ComponentId, Network, operators};
use rely_model::{Failure, PartTable, properties_within};

use super::VerifyQuery;
use crate::goals::{self, ERROR, Goals, Unresolved, faulty, name_of};
use crate::parts::{Library, ids, listed};
use crate::report::Finding;
use crate::states::StateNaming;
use crate::{Project, explain};

/// Why there are no questions.
pub(super) enum Trouble {
    /// The file has errors.
    Errors,
    /// Something has to be built first, and cannot be: these properties stay unknown.
    Unbuilt(Exhausted, Vec<String>),
    Finding(Box<Finding>),
}

/// The system and what is asked of it.
pub(super) struct Questions {
    /// The whole system with everything that can fail in it.
    pub(super) network: Network,
    /// The system by itself; properties that were named and are no parts of it come after its components.
    pub(super) own: Network,
    pub(super) questions: Vec<Question>,
    /// The parts of the first group as the user named them.
    pub(super) left: Vec<String>,
    /// The parts that can fail by themselves, if nothing is asked about that.
    pub(super) fails_beside: Vec<String>,
    /// The names of the states of the parts.
    pub(super) states: StateNaming,
    /// All parts.
    pub(super) table: PartTable,
}

/// One property.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) problem: Problem,
    /// The components of the network that are the parts of the problem, and those that are its goal.
    pub(super) parts: Vec<ComponentId>,
    pub(super) goal: Vec<ComponentId>,
    /// The properties of the system that are set aside.
    pub(super) observers: Vec<ComponentId>,
    /// The parts as they are: what can fail is not stopped, but for observers, which go on.
    pub(super) whole: Vec<Component>,
}

impl Questions {
    /// Reads them.
    pub(super) fn read(
        project: &Project,
        library: &mut Library<'_>,
        query: &VerifyQuery<'_>,
        budget: &Budget<'_>,
    ) -> Result<Self, Trouble> {
        let trouble = |failure| match failure {
            Failure::Errors => Trouble::Errors,
            Failure::Exhausted(exhausted) => Trouble::Unbuilt(exhausted, asked_for(project, query)),
        };
        let own = library.system_with(&query.system, &query.properties, budget).map_err(trouble)?;
        let mut found = Goals::within(own.clone(), library.table.clone());
        for name in &query.properties {
            found.name(name, library, budget).map_err(|unresolved| match unresolved {
                Unresolved::Failure(failure) => trouble(failure),
                Unresolved::Ambiguous(names) => {
                    Trouble::Finding(Box::new(goals::ambiguous(&query.system, name, &names)))
                }
            })?;
        }
        if query.properties.is_empty() {
            found.name_properties();
            // A property in a part that was built first is an error state of that part, if it fails at all.
            if !faulty(&own, &found.observers).is_empty() || has_property_inside(project, library, &own) {
                found.name_faulty();
            }
        }
        if found.named.is_empty() {
            return Err(Trouble::Finding(Box::new(nothing_to_verify(library, query))));
        }
        let is_asked_about = |id: &ComponentId| found.named.iter().any(|(_, goal)| goal.contains(id));
        let fails_beside = faulty(&found.network, &found.observers).into_iter();
        let fails_beside = fails_beside.filter(|id| !is_asked_about(id));
        let fails_beside = fails_beside.map(|id| name_of(&found.network, id).to_owned()).collect();
        let question = |(name, goal): &(String, Vec<ComponentId>)| {
            let mut question = Question::new(name, goal, &found);
            let composites = |part: &Component| {
                let mut path = library.table.path(&part.name);
                path.pop();
                path
            };
            let paths: Vec<Vec<String>> = question.problem.parts.iter().map(composites).collect();
            question.problem = question.problem.with_composites(&paths);
            question
        };
        let questions = found.named.iter().map(question).collect();
        let left = Self::left(&found.network, &found.observers, &library.table, query)?;
        let (states, table) = (library.states.clone(), library.table.clone());
        Ok(Self { network: found.network, own, questions, left, fails_beside, states, table })
    }

    /// The parts that the user wants in the first group, by their full names.
    fn left(
        network: &Network,
        observers: &[ComponentId],
        table: &PartTable,
        query: &VerifyQuery<'_>,
    ) -> Result<Vec<String>, Trouble> {
        let mut left = Vec::new();
        let full = |id: ComponentId| name_of(network, id);
        for name in &query.left {
            let named: Vec<ComponentId> =
                ids(network).filter(|&id| table.is_called(full(id), name)).collect();
            let parts = named.iter().filter(|id| !observers.contains(id));
            let before = left.len();
            left.extend(parts.map(|&id| full(id).to_owned()));
            if left.len() == before {
                let message = match named.is_empty() {
                    true => format!("`{}` has no part `{name}`", query.system),
                    false => format!("`{name}` is a property of `{}`, not a part", query.system),
                };
                let mut finding = Finding::without_place(explain::NO_SUCH_PART, &message);
                let all: Vec<&str> = ids(network).filter(|id| !observers.contains(id)).map(full).collect();
                finding.help = Some(format!("its parts are {}", all.join(", ")));
                return Err(Trouble::Finding(Box::new(finding)));
            }
        }
        Ok(left)
    }
}

impl Question {
    /// The question whether a goal can fail before anything else has.
    fn new(name: &str, goal: &[ComponentId], found: &Goals) -> Self {
        let observers = found.set_aside(goal);
        let network = found.network.clone().with_behaviours(|id, lts| match observers.contains(&id) {
            true => Arc::new(operators::harmless(lts)),
            false => Arc::clone(lts),
        });
        // An observer keeps nothing from happening, so it is left out; but with priority, what it can do may go first.
        let is_left_out = |id: &ComponentId| match found.network.priority() {
            None => found.observers.contains(id),
            Some(_) => id.index() >= found.own,
        };
        let left_out: Vec<ComponentId> = ids(&network).filter(is_left_out).collect();
        let is_part = |id: &ComponentId| !goal.contains(id) && !left_out.contains(id);
        let parts: Vec<ComponentId> = ids(&network).filter(is_part).collect();
        Self {
            name: name.to_owned(),
            problem: Problem::new(name, &network, goal, &left_out),
            whole: parts.iter().map(|part| network.components()[part.index()].clone()).collect(),
            parts,
            goal: goal.to_vec(),
            observers,
        }
    }

    /// The parts that can fail by themselves.
    pub(super) fn faulty_parts(&self) -> impl Iterator<Item = &Component> {
        self.whole.iter().filter(|part| part.lts.error().is_some())
    }
}

/// The properties that are asked for, as far as that is known without the system.
fn asked_for(project: &Project, query: &VerifyQuery<'_>) -> Vec<String> {
    if query.properties.is_empty() {
        let found = properties_within(project.declarations(), &[&query.system]);
        return if found.is_empty() { vec![ERROR.to_owned()] } else { found };
    }
    let mut seen = BTreeSet::new();
    query.properties.iter().filter(|name| seen.insert(*name)).cloned().collect()
}

/// Whether a part of the network is a composite that was built first, with a property inside it.
fn has_property_inside(project: &Project, library: &Library<'_>, network: &Network) -> bool {
    let parts = network.components().iter().filter_map(|component| library.table.get(&component.name));
    let composites: Vec<&str> =
        parts.filter(|part| !part.is_property()).map(|part| &*part.definition).collect();
    !properties_within(project.declarations(), &composites).is_empty()
}

/// That there is no question, and which properties of the file may have been meant.
fn nothing_to_verify(library: &Library<'_>, query: &VerifyQuery<'_>) -> Finding {
    let message = format!("`{}` has no property, and nothing in it can fail", query.system);
    let mut finding = Finding::without_place(explain::NOTHING_TO_VERIFY, &message);
    let known = listed(&library.declared_properties()).map_or(String::new(), |names| format!("; {names}"));
    finding.help =
        Some(format!("add a property process to the composition, or name one with --property{known}"));
    finding
}
