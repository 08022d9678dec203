//! What `verify` is asked: the system, and one question for each property.

use std::collections::BTreeSet;

use rely_assume::{Goal, Problem};
use rely_base::{Budget, Exhausted, Id};
use rely_fsp::Failure;
use rely_lts::{ComponentId, Network};

use super::VerifyQuery;
use super::within::properties_within;
use crate::certify::ERROR;
use crate::parts::{Library, ids, listed, process_of};
use crate::report::Finding;
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
}

/// One property.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) problem: Problem,
    /// The components of the network that are the parts of the problem, and those that are its goal.
    pub(super) parts: Vec<ComponentId>,
    pub(super) goal: Vec<ComponentId>,
}

impl Questions {
    /// Reads them.
    pub(super) fn read(
        project: &Project,
        library: &mut Library<'_>,
        query: &VerifyQuery<'_>,
        budget: &Budget<'_>,
    ) -> Result<Self, Trouble> {
        let trouble = |library: &Library<'_>, failure| match failure {
            Failure::Errors => Trouble::Errors,
            Failure::Exhausted(exhausted) => Trouble::Unbuilt(exhausted, asked_for(project, library, query)),
        };
        let own = library
            .system_with(&query.system, &query.properties, budget)
            .map_err(|failure| trouble(library, failure))?;
        let mut found = Goals::within(own.clone(), library);
        for name in &query.properties {
            found.name(name, library, budget).map_err(|failure| trouble(library, failure))?;
        }
        if query.properties.is_empty() {
            found.name_all(project, library);
        }
        let Goals { network, observers, goals } = found;
        if goals.is_empty() {
            return Err(Trouble::Finding(Box::new(nothing_to_verify(library, query))));
        }
        let is_asked_about = |id: &ComponentId| goals.iter().any(|(_, goal)| goal.contains(id));
        // With priority the other properties among the parts are parts: what they can do may go first, and a run ends
        // where one of them fails.
        let first_outside = if network.priority().is_some() { own.components().len() } else { 0 };
        let (others, among_parts): (Vec<ComponentId>, Vec<ComponentId>) =
            observers.iter().partition(|id| id.index() >= first_outside);
        let beside = faulty(&network, &observers).into_iter().chain(among_parts);
        let fails_beside =
            beside.filter(|id| !is_asked_about(id)).map(|id| name_of(&network, id).to_owned()).collect();
        let question = |(name, goal): (String, Vec<ComponentId>)| {
            let is_part = |id: &ComponentId| !goal.contains(id) && !others.contains(id);
            let parts: Vec<ComponentId> = ids(&network).filter(is_part).collect();
            Question { problem: Problem::new(&name, &network, &goal, &others), name, parts, goal }
        };
        let questions: Vec<Question> = goals.into_iter().map(question).collect();
        let left = Self::left(&network, &observers, query)?;
        Ok(Self { network, own, questions, left, fails_beside })
    }

    /// The parts that the user wants in the first group, by their full names.
    fn left(
        network: &Network,
        observers: &[ComponentId],
        query: &VerifyQuery<'_>,
    ) -> Result<Vec<String>, Trouble> {
        let mut left = Vec::new();
        let full = |id: ComponentId| name_of(network, id);
        for name in &query.left {
            let named: Vec<ComponentId> = ids(network).filter(|&id| is_called(network, id, name)).collect();
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

/// What is not to fail, as it is being named.
struct Goals {
    /// The system, and after its components the properties that look on from outside.
    network: Network,
    /// All properties in it.
    observers: Vec<ComponentId>,
    /// Names, and what they mean.
    goals: Vec<(String, Vec<ComponentId>)>,
}

impl Goals {
    /// Nothing has been named yet.
    fn within(network: Network, library: &Library<'_>) -> Self {
        let observers = ids(&network).filter(|&id| library.is_property(name_of(&network, id))).collect();
        Self { network, observers, goals: Vec::new() }
    }

    /// Adds what the user calls by a name: properties among the parts, the parts that can fail by themselves, or a
    /// property of the file.
    fn name(&mut self, name: &str, library: &mut Library<'_>, budget: &Budget<'_>) -> Result<(), Failure> {
        let is_meant = |id: &ComponentId| is_called(&self.network, *id, name);
        let found: Vec<ComponentId> = self.observers.iter().copied().filter(is_meant).collect();
        if !found.is_empty() {
            found.into_iter().for_each(|id| self.add(name_of(&self.network, id).to_owned(), vec![id]));
        } else if name == ERROR {
            self.add(ERROR.to_owned(), faulty(&self.network, &self.observers));
        } else {
            let Goal { components, .. } = library.property(name, budget)?;
            let first = self.network.components().len();
            self.network = self.network.clone().with_components(components);
            let goal: Vec<ComponentId> = ids(&self.network).skip(first).collect();
            self.observers.extend(&goal);
            self.add(name.to_owned(), goal);
        }
        Ok(())
    }

    /// Adds all properties among the parts, and the parts that can fail by themselves.
    fn name_all(&mut self, project: &Project, library: &Library<'_>) {
        for id in self.observers.clone() {
            self.add(name_of(&self.network, id).to_owned(), vec![id]);
        }
        let faulty = faulty(&self.network, &self.observers);
        // A property in a part that was built first is an error state of that part, if it fails at all.
        if !faulty.is_empty() || has_property_inside(project, library, &self.network) {
            self.add(ERROR.to_owned(), faulty);
        }
    }

    /// Who names a property twice gets one answer.
    fn add(&mut self, name: String, goal: Vec<ComponentId>) {
        if self.goals.iter().all(|(_, other)| *other != goal) {
            self.goals.push((name, goal));
        }
    }
}

fn name_of(network: &Network, id: ComponentId) -> &str {
    &network.components()[id.index()].name
}

/// The properties that are asked for, as far as that is known without the system.
fn asked_for(project: &Project, library: &Library<'_>, query: &VerifyQuery<'_>) -> Vec<String> {
    if query.properties.is_empty() {
        let found = properties_within(project, &|name| library.is_property(name), &[&query.system]);
        return if found.is_empty() { vec![ERROR.to_owned()] } else { found };
    }
    let mut seen = BTreeSet::new();
    query.properties.iter().filter(|name| seen.insert(*name)).cloned().collect()
}

/// Whether a part of the network is a composite that was built first, with a property inside it.
fn has_property_inside(project: &Project, library: &Library<'_>, network: &Network) -> bool {
    let parts = network.components().iter().map(|part| part.name.as_str());
    let composites: Vec<&str> = parts.filter(|part| !library.is_property(part)).map(process_of).collect();
    !properties_within(project, &|name| library.is_property(name), &composites).is_empty()
}

/// That there is no question, and which properties of the file may have been meant.
fn nothing_to_verify(library: &Library<'_>, query: &VerifyQuery<'_>) -> Finding {
    let message = format!("`{}` has no property, and nothing in it can fail", query.system);
    let mut finding = Finding::without_place(explain::NOTHING_TO_VERIFY, &message);
    let all: Vec<String> = library.names().into_iter().filter(|name| library.is_property(name)).collect();
    let known = listed(&all).map_or(String::new(), |names| format!("; {names}"));
    finding.help =
        Some(format!("add a property process to the composition, or name one with --property{known}"));
    finding
}

/// The parts that can fail and are no properties.
pub(crate) fn faulty(network: &Network, observers: &[ComponentId]) -> Vec<ComponentId> {
    let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
    ids(network).filter(|id| can_fail(id) && !observers.contains(id)).collect()
}

/// Whether a part has a name: its own, that of its definition, or that of a composite or a prefix that it is under. So
/// `RING.node.1:NODE(1)` is `node.1:NODE`, `NODE`, `RING` and `node.1`.
pub(crate) fn is_called(network: &Network, id: ComponentId, name: &str) -> bool {
    let full = name_of(network, id);
    let plain = full.split('(').next().unwrap_or(full);
    let is_limit = |rest: &str, first: bool| {
        let next = if first { rest.chars().next() } else { rest.chars().next_back() };
        next.is_none_or(|next| next == '.' || next == ':')
    };
    let mut places = plain.match_indices(name);
    full == name
        || places.any(|(at, _)| is_limit(&plain[..at], false) && is_limit(&plain[at + name.len()..], true))
}
