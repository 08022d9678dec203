//! Resolving the names of properties in a system, in the same way for prover and judge.
//!
//! A *goal* is a set of components that must not fail: a property process, or all other components that can fail,
//! which are called [`ERROR`]. Property processes outside of a goal are its *observers*: they refuse nothing, and
//! whether they fail does not matter to it.
//!
//! **Names.** A component is called by its full name, such as `x:P`. If several have the same full name, as in `||S =
//! (M || P || P/{c/a})`, the number of the component is added: `P#2` and `P#3`. So no two goals have the same name. A
//! user may also use a shorter name, such as `P` for every copy of `P`; what it may stand for is determined here,
//! too.

use std::collections::BTreeMap;

use rely_assume::Goal;
use rely_base::{Budget, Id, Label};
use rely_lts::{ComponentId, Lts, Network};
use rely_model::{Failure, PartTable};

use crate::explain;
use crate::parts::{Library, ids};
use crate::report::Finding;

/// The name of the property that no part fails; property processes are not considered.
pub(crate) const ERROR: &str = "ERROR";

/// The properties of a system that have been asked for.
pub(crate) struct Goals {
    /// The system, followed by the properties that observe it from outside.
    pub(crate) network: Network,
    /// The parts that its components are.
    table: PartTable,
    /// The number of components of the system itself.
    pub(crate) own: usize,
    /// All properties in it.
    pub(crate) observers: Vec<ComponentId>,
    /// The goals that have been asked for, with their names.
    pub(crate) named: Vec<(String, Vec<ComponentId>)>,
}

/// Why a name cannot be resolved.
pub(crate) enum Unresolved {
    /// Its definition in the file has errors, or is too large.
    Failure(Failure),
    /// It is the full name of several components, which have these unique names.
    Ambiguous(Vec<String>),
}

impl From<Failure> for Unresolved {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Goals {
    /// A system without goals yet.
    pub(crate) fn within(network: Network, table: PartTable) -> Self {
        let is_observer = |&id: &ComponentId| {
            table.is_property(name_of(&network, id)) && refuses_nothing(&network.components()[id.index()].lts)
        };
        let observers = ids(&network).filter(is_observer).collect();
        Self { own: network.components().len(), network, table, observers, named: Vec::new() }
    }

    /// Adds the goals with a name: properties among the components, the other components that can fail, or a property
    /// of the file, which is then composed with the system.
    pub(crate) fn name(
        &mut self,
        name: &str,
        library: &mut Library<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Unresolved> {
        if self.named.iter().any(|(known, _)| known == name) {
            return Ok(());
        }
        let unique = unique_names(&self.network);
        let inside = || self.observers.iter().copied().filter(|id| id.index() < self.own);
        if let Some(id) = inside().find(|id| unique[id.index()] == name) {
            self.add(name.to_owned(), vec![id]);
            return Ok(());
        }
        let found: Vec<ComponentId> =
            inside().filter(|&id| self.table.is_called(name_of(&self.network, id), name)).collect();
        let shared = found.iter().filter(|&&id| name_of(&self.network, id) == name);
        let shared: Vec<String> = shared.map(|id| unique[id.index()].clone()).collect();
        if !shared.is_empty() {
            return Err(Unresolved::Ambiguous(shared));
        }
        if !found.is_empty() {
            found.into_iter().for_each(|id| self.add(unique[id.index()].clone(), vec![id]));
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

    /// Adds all properties among the components.
    pub(crate) fn name_properties(&mut self) {
        let unique = unique_names(&self.network);
        for id in self.observers.clone() {
            self.add(unique[id.index()].clone(), vec![id]);
        }
    }

    /// Adds the components that can fail by themselves.
    pub(crate) fn name_faulty(&mut self) {
        self.add(ERROR.to_owned(), faulty(&self.network, &self.observers));
    }

    /// The properties of the system itself that are observers of a goal.
    pub(crate) fn set_aside(&self, goal: &[ComponentId]) -> Vec<ComponentId> {
        let is_set_aside = |id: &ComponentId| id.index() < self.own && !goal.contains(id);
        self.observers.iter().copied().filter(is_set_aside).collect()
    }

    /// Adds a goal, unless it is there already.
    fn add(&mut self, name: String, goal: Vec<ComponentId>) {
        if self.named.iter().all(|(_, other)| *other != goal) {
            self.named.push((name, goal));
        }
    }
}

/// The finding about a name that several components have.
pub(crate) fn ambiguous(system: &str, name: &str, names: &[String]) -> Finding {
    let message = format!("`{system}` has {} properties that are called `{name}`", names.len());
    let mut finding = Finding::without_place(explain::AMBIGUOUS, &message);
    finding.help = Some(format!("name one of them: {}", names.join(", ")));
    finding
}

/// For each component its full name, with its number, from 1, if several have the same.
pub(crate) fn unique_names(network: &Network) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for component in network.components() {
        *count.entry(&component.name).or_default() += 1;
    }
    let unique = |(i, name): (usize, &str)| match count[name] {
        1 => name.to_owned(),
        _ => format!("{name}#{}", i + 1),
    };
    network.components().iter().map(|component| component.name.as_str()).enumerate().map(unique).collect()
}

/// The full name of a component.
pub(crate) fn name_of(network: &Network, id: ComponentId) -> &str {
    &network.components()[id.index()].name
}

/// The components that can fail and are not properties.
pub(crate) fn faulty(network: &Network, observers: &[ComponentId]) -> Vec<ComponentId> {
    let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
    ids(network).filter(|id| can_fail(id) && !observers.contains(id)).collect()
}

/// Whether a component is ready for each of its actions wherever it has not failed. Property processes are; otherwise
/// leaving one out would affect the other components.
fn refuses_nothing(lts: &Lts) -> bool {
    let is_ready = |state| {
        lts.alphabet().iter().all(|(action, _)| !lts.edges_with(state, Label::visible(action)).is_empty())
    };
    lts.states().filter(|&state| Some(state) != lts.error()).all(is_ready)
}
