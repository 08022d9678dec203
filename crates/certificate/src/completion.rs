//! The network that a claim about interface automata is about, from the definitions.
//!
//! **Problem.** That parts take what they send to each other, keep a property, or refine a specification together is
//! claimed as a claim about a network of completed automata: that nothing in it fails. The code that found the proof
//! must not choose this network, or a mistake in its completions would prove something else than was asked.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definitions 2, 4, 7 and 8.
//!
//! **Definition.** A part becomes its completion: an input that another part sends leads to an error where it is not
//! possible. Inputs from outside never come if the environment is the best one, come wherever they are possible if it
//! may be any, and are completed like the others if the specification has them. For a property alone nothing is
//! completed. With *weak*, an input counts as possible if internal steps that belong to the part alone lead to a
//! state where it is possible. A specification becomes the automaton in which an output that it does not allow leads
//! to an error, over the inputs and outputs that it shares with the system.
//!
//! All of it is computed one state and one action at a time. The completions have the states of the automata, by the same
//! numbers, and the error state behind them.

use std::collections::BTreeSet;

use rely_base::{Alphabet, Label, StateId};
use rely_lts::{Component, ComponentId, InterfaceAutomaton, Lts, LtsBuilder, Network, Role};

/// What is claimed of interface automata.
#[derive(Clone, Copy, Debug)]
pub enum InterfaceAim<'a> {
    /// Each part takes what the others send to it.
    Compatible,
    /// These properties are not broken, where the parts are compatible.
    Safe(&'a [Component]),
    /// Both of the above.
    CompatibleAndSafe(&'a [Component]),
    /// Each part takes what the others send to it, in every environment of a specification, and together they refine
    /// it.
    Refines(&'a InterfaceAutomaton),
}

/// Interface automata, constraints, and what is claimed of them.
#[derive(Clone, Debug)]
pub struct InterfaceQuestion<'a> {
    /// The automata with their names.
    pub parts: Vec<(&'a str, &'a InterfaceAutomaton)>,
    /// Processes that take part in their actions without being senders or receivers.
    pub constraints: &'a [Component],
    /// The claim.
    pub aim: InterfaceAim<'a>,
    /// Whether the environment may send whatever is possible; otherwise it sends nothing.
    pub every_environment: bool,
    /// Whether a part may take internal steps of its own before it takes what is sent to it.
    pub weak: bool,
}

/// What happens to an action of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Completed,
    Dropped,
}

impl InterfaceQuestion<'_> {
    /// The network in which nothing may fail; `None` if the question is not well-posed.
    pub fn network(&self) -> Option<Network> {
        if !self.is_sensible() {
            return None;
        }
        let parts = self.parts.iter().map(|&(name, part)| Component::new(name, self.completed(part)));
        Some(Network::new(parts.chain(self.constraints.iter().cloned()).chain(self.goal()).collect()))
    }

    /// The components of the network that must not fail, without the parts.
    pub fn goal_components(&self) -> Vec<ComponentId> {
        use rely_base::Id;
        let before = self.parts.len() + self.constraints.len();
        (before..before + self.goal().len()).map(ComponentId::from_index).collect()
    }

    /// Whether the automata can be composed, and the claim can be made about them.
    fn is_sensible(&self) -> bool {
        let sound =
            self.constraints.iter().map(|it| &*it.lts).chain(self.parts.iter().map(|(_, it)| it.lts()));
        if !self.can_be_composed() || sound.into_iter().any(reaches_error) {
            return false;
        }
        match self.aim {
            InterfaceAim::Compatible => true,
            InterfaceAim::Safe(goal) | InterfaceAim::CompatibleAndSafe(goal) => {
                let is_closed = self.names().iter().all(|name| self.role(name) == Role::Internal);
                goal.iter().all(|it| only_looks_on(&it.lts)) && (is_closed || self.every_environment)
            }
            InterfaceAim::Refines(specification) => self.conforms(specification) && is_plain(specification),
        }
    }

    /// Definition 2, for each two automata: an action that both have is sent by one and received by the other.
    fn can_be_composed(&self) -> bool {
        self.names().iter().all(|name| {
            let roles: Vec<Role> = self.parts.iter().filter_map(|(_, part)| part.role_named(name)).collect();
            match roles[..] {
                [_] => true,
                [one, other] => one != Role::Internal && one == other.mirrored(),
                _ => false,
            }
        })
    }

    /// αAᴵ ⊇ αBᴵ, αAᴼ ⊆ αBᴼ and αAᴵ ∩ αBᴼ = ∅, where A is the system.
    fn conforms(&self, specification: &InterfaceAutomaton) -> bool {
        let names = self.names();
        let is = |name: &str, role: Role| names.contains(name) && self.role(name) == role;
        specification.names(Role::Input).names().all(|name| is(name, Role::Input))
            && specification.names(Role::Output).names().all(|name| !is(name, Role::Input))
            && names
                .iter()
                .filter(|name| self.role(name) == Role::Output)
                .all(|name| specification.role_named(name) == Some(Role::Output))
    }

    /// The actions of the automata.
    fn names(&self) -> BTreeSet<&str> {
        self.parts.iter().flat_map(|(_, part)| part.lts().alphabet().names()).collect()
    }

    fn is_sent(&self, name: &str) -> bool {
        self.parts.iter().any(|(_, part)| part.role_named(name) == Some(Role::Output))
    }

    /// The role of an action of the automata in the whole system.
    fn role(&self, name: &str) -> Role {
        let is_received = self.parts.iter().any(|(_, part)| part.role_named(name) == Some(Role::Input));
        match (self.is_sent(name), is_received) {
            (true, false) => Role::Output,
            (false, true) => Role::Input,
            (true, true) | (false, false) => Role::Internal,
        }
    }

    fn fate(&self, name: &str, role: Role) -> Fate {
        match (role, self.is_sent(name), self.aim) {
            (Role::Output | Role::Internal, ..) => Fate::Kept,
            (Role::Input, true, InterfaceAim::Safe(_)) => Fate::Kept,
            (Role::Input, true, _) => Fate::Completed,
            (Role::Input, false, InterfaceAim::Refines(specification)) => {
                match specification.role_named(name) {
                    Some(Role::Input) => Fate::Completed,
                    _ => Fate::Dropped,
                }
            }
            (Role::Input, false, _) if self.every_environment => Fate::Kept,
            (Role::Input, false, _) => Fate::Dropped,
        }
    }

    /// A part, with its actions treated as the claim needs it.
    fn completed(&self, part: &InterfaceAutomaton) -> Lts {
        let fate = |name: &str, role: Role| self.fate(name, role);
        let may_precede = |label: Label| {
            let name = part.lts().alphabet().label_name(label);
            let is_shared = self.constraints.iter().any(|it| it.lts.alphabet().contains(name));
            self.weak && part.role_of(label) == Role::Internal && (label.is_tau() || !is_shared)
        };
        complete(part, fate, may_precede)
    }

    /// The components that must not fail, without the parts.
    fn goal(&self) -> Vec<Component> {
        match self.aim {
            InterfaceAim::Compatible => Vec::new(),
            InterfaceAim::Safe(goal) | InterfaceAim::CompatibleAndSafe(goal) => goal.to_vec(),
            InterfaceAim::Refines(specification) => vec![self.specified(specification)],
        }
    }

    fn specified(&self, specification: &InterfaceAutomaton) -> Component {
        let fate = |_: &str, role: Role| if role == Role::Output { Fate::Completed } else { Fate::Kept };
        let all = complete(specification, fate, |_| false);
        let names = self.names();
        let is_shared = |name: &&str| {
            let role = specification.role_named(name);
            names.contains(name) && role == Some(self.role(name)) && role != Some(Role::Internal)
        };
        let alphabet: Alphabet = all.alphabet().names().filter(is_shared).collect();
        let mut builder = LtsBuilder::with_states(alphabet.clone(), all.state_count());
        builder.set_initial(all.initial());
        builder.set_error(all.error());
        for step in all.transitions() {
            if let Some(action) = alphabet.get(all.alphabet().label_name(step.label)) {
                builder.add_transition(step.source, Label::visible(action), step.target);
            }
        }
        Component::new("SPECIFICATION", builder.build())
    }
}

/// Definition 8: an action that is completed leads to the error state where it is not possible, not even after steps
/// that may precede it.
fn complete(
    automaton: &InterfaceAutomaton,
    fate: impl Fn(&str, Role) -> Fate,
    may_precede: impl Fn(Label) -> bool,
) -> Lts {
    let lts = automaton.lts();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    let dropped: BTreeSet<&str> = lts
        .alphabet()
        .iter()
        .filter(|&(action, name)| fate(name, automaton.role(action)) == Fate::Dropped)
        .map(|(_, name)| name)
        .collect();
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        for edge in lts.edges(state).iter().filter(|edge| Some(edge.target) != lts.error()) {
            if edge.label.is_tau() || !dropped.contains(lts.alphabet().label_name(edge.label)) {
                builder.add_transition(state, edge.label, edge.target);
            }
        }
        let before = reached(lts, state, &may_precede);
        for (action, name) in lts.alphabet().iter() {
            let label = Label::visible(action);
            let is_possible = || before.iter().any(|&state| !lts.edges_with(state, label).is_empty());
            if fate(name, automaton.role(action)) == Fate::Completed && !is_possible() {
                let error = builder.error_state();
                builder.add_transition(state, label, error);
            }
        }
    }
    builder.build()
}

/// The states that steps satisfying `counts` lead to from a state, itself included.
fn reached(lts: &Lts, from: StateId, counts: impl Fn(Label) -> bool) -> BTreeSet<StateId> {
    let mut reached = BTreeSet::from([from]);
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        for edge in lts.edges(state).iter().filter(|edge| counts(edge.label)) {
            if reached.insert(edge.target) {
                pending.push(edge.target);
            }
        }
    }
    reached
}

fn reaches_error(lts: &Lts) -> bool {
    lts.error().is_some_and(|error| reached(lts, lts.initial(), |_| true).contains(&error))
}

/// Whether a system only observes: it takes every action of its alphabet in exactly one way wherever it has not
/// failed, and has no silent steps.
fn only_looks_on(lts: &Lts) -> bool {
    let one_each = |state: StateId| {
        let labels: BTreeSet<Label> = lts.edges(state).iter().map(|edge| edge.label).collect();
        let all: BTreeSet<Label> = lts.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
        labels == all && lts.edges(state).len() == all.len()
    };
    lts.states().filter(|&state| Some(state) != lts.error()).all(one_each)
}

/// Whether an automaton is deterministic and takes no internal steps.
fn is_plain(automaton: &InterfaceAutomaton) -> bool {
    let lts = automaton.lts();
    lts.states().all(|state| {
        let labels: BTreeSet<Label> = lts.edges(state).iter().map(|edge| edge.label).collect();
        labels.len() == lts.edges(state).len()
            && labels.iter().all(|&label| automaton.role_of(label) != Role::Internal)
    })
}
