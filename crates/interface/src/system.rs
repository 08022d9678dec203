//! Interface automata that run together.

use std::sync::Arc;

use rely_base::{Budget, Exhausted};
use rely_explore::generate;
use rely_lts::{Component, InterfaceAutomaton, Network, Role, operators};
use rustc_hash::FxHashMap;

use crate::composable::{Conflict, conflicts};

/// A part of a system.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, in the user's words.
    pub name: String,
    /// Its behaviour, with the roles of its actions.
    pub automaton: Arc<InterfaceAutomaton>,
}

impl Part {
    /// A part.
    pub fn new(name: impl Into<String>, automaton: impl Into<Arc<InterfaceAutomaton>>) -> Self {
        Self { name: name.into(), automaton: automaton.into() }
    }
}

/// Interface automata A₁ ‖ … ‖ Aₙ that can be composed, and plain transition systems that constrain them.
///
/// An action that two parts share is sent by one and received by the other; an action without sender or receiver is
/// between the system and its environment. A constraint takes part in the actions of its alphabet without being a
/// sender or a receiver: what it does not allow does not happen, and no part is to blame. A constraint that fails
/// halts, and takes part in nothing any more; a property that is to be checked is not a constraint.
#[derive(Clone, Debug)]
pub struct System {
    parts: Vec<Part>,
    constraints: Vec<Component>,
    /// For each action of the parts, its sender and its receiver.
    links: FxHashMap<String, Link>,
}

/// The parts that take part in an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Link {
    pub(crate) sender: Option<usize>,
    pub(crate) receiver: Option<usize>,
}

impl Link {
    /// The role of the action in the whole system.
    pub(crate) fn role(self) -> Role {
        match (self.sender, self.receiver) {
            (None, Some(_)) => Role::Input,
            (Some(_), None) => Role::Output,
            (None, None) | (Some(_), Some(_)) => Role::Internal,
        }
    }
}

impl System {
    /// The system of parts and constraints.
    ///
    /// # Errors
    /// All reasons why the parts cannot be composed.
    pub fn new(parts: Vec<Part>, constraints: Vec<Component>) -> Result<Self, Vec<Conflict>> {
        let conflicts = conflicts(&parts);
        if !conflicts.is_empty() {
            return Err(conflicts);
        }
        let mut links: FxHashMap<String, Link> = FxHashMap::default();
        for (i, part) in parts.iter().enumerate() {
            for (action, name) in part.automaton.lts().alphabet().iter() {
                let link = links.entry(name.to_owned()).or_default();
                match part.automaton.role(action) {
                    Role::Input => link.receiver = Some(i),
                    Role::Output => link.sender = Some(i),
                    Role::Internal => {}
                }
            }
        }
        let constraints = constraints.into_iter().map(stopped).collect();
        Ok(Self { parts, constraints, links })
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The constraints, in order.
    pub fn constraints(&self) -> &[Component] {
        &self.constraints
    }

    /// The role of an action in the whole system, if a part has it. Actions between two parts are internal.
    pub fn role(&self, name: &str) -> Option<Role> {
        self.links.get(name).map(|link| link.role())
    }

    /// The part that sends an action.
    pub fn sender(&self, name: &str) -> Option<usize> {
        self.links.get(name)?.sender
    }

    /// The part that receives an action.
    pub fn receiver(&self, name: &str) -> Option<usize> {
        self.links.get(name)?.receiver
    }

    /// The actions with a role in the whole system, in dictionary order.
    pub fn actions(&self, role: Role) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .links
            .iter()
            .filter(|(_, link)| link.role() == role)
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        names
    }

    /// Whether nothing is sent to or received from outside.
    pub fn is_closed(&self) -> bool {
        self.links.values().all(|link| link.role() == Role::Internal)
    }

    /// The composition as one interface automaton, built.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn compose(&self, budget: &Budget<'_>) -> Result<InterfaceAutomaton, Exhausted> {
        let parts = self.parts.iter().map(|part| Component::new(&part.name, part.automaton.lts().clone()));
        let network = Network::new(parts.chain(self.constraints.iter().cloned()).collect());
        let lts = generate(&network, budget)?;
        // Actions that only constraints have are internal.
        Ok(InterfaceAutomaton::with_roles(lts, |name| self.role(name).unwrap_or(Role::Internal)))
    }
}

/// A component that halts where it would fail.
fn stopped(component: Component) -> Component {
    match component.lts.error() {
        None => component,
        Some(_) => {
            let lts = Arc::new(operators::stopped(&component.lts));
            Component { lts, ..component }
        }
    }
}
