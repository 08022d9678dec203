//! Targets and their parts.

use std::sync::Arc;

use rely_base::{ActionId, Exhausted, Id, Span, StateId};
use rely_lts::{Behaviour, Network};
use rustc_hash::FxHashMap;

use crate::{Origin, PartName, Signature, StateNames};

/// The name of the target that is made of all processes of a file.
pub const DEFAULT: &str = "DEFAULT";

/// Something that can be analysed: a composite, a single process, or all processes of the file together.
///
/// Its behaviour is a [`Network`] if its components have to be accessible, or any [`Behaviour`].
#[derive(Clone, Debug)]
pub struct Target<B = Network> {
    /// Its name in the file, or [`DEFAULT`].
    pub name: String,
    /// The combined behaviour of its parts, not composed.
    pub behaviour: B,
    /// The reductions that the text requires after composition.
    pub reduction: Reduction,
    /// A description of each component of the network, or each unit of the program, in their order.
    pub parts: Vec<Part>,
    /// Why the target may have more behaviour than the text describes, if it may. Then only *safety holds* carries
    /// over to the text; no other answer does.
    pub overapproximates: Option<&'static str>,
    /// The names of the definitions that it uses, directly or through others, and its own.
    pub uses: Arc<[Arc<str>]>,
}

/// A component of a target, and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Its name, which is that of the component.
    pub name: PartName,
    /// The name of the definition that it is an instance of: `PHIL` for the component `phil.1:PHIL`.
    pub definition: Arc<str>,
    /// Where that definition stands in the text.
    pub place: Option<Span>,
    /// What that definition declares.
    pub kind: PartKind,
    /// Whether it was made from processes, properties, or both.
    pub origin: Origin,
    /// The roles of its actions, if it is an interface automaton.
    pub signature: Option<Arc<Signature>>,
    /// The names of the component's states, if the text gives them names.
    pub states: Option<Arc<StateNames>>,
    /// The places of its states and steps in the text, if they are known and it is a component of a network.
    pub places: Option<Arc<Places>>,
}

/// What the definition of a part declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PartKind {
    /// Something that acts: a process, or a composite of processes.
    #[default]
    Process,
    /// A property, which only observes, and fails if it is broken.
    Property,
    /// A formula that prevents the others from breaking it.
    Constraint,
}

impl Part {
    /// A process that is its own definition, without further data.
    pub fn new(name: &str) -> Self {
        Self { name: PartName::new(name), definition: name.into(), ..Self::default() }
    }

    /// A property that is its own definition.
    pub fn property(name: &str) -> Self {
        Self { kind: PartKind::Property, origin: Origin::Property, ..Self::new(name) }
    }

    /// Whether it is a property process.
    pub fn is_property(&self) -> bool {
        self.kind == PartKind::Property
    }

    /// Whether a user may mean it by a name: one of [`PartName::is_called`], or the name of its definition.
    pub fn is_called(&self, name: &str) -> bool {
        *self.definition == *name || self.name.is_called(name)
    }
}

/// The places of the states and steps of a component in the text.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// For each state, the place of what follows.
    pub states: Vec<Span>,
    /// The place of a step, where that is not the place of the state: an alternative of a choice.
    pub steps: FxHashMap<(StateId, ActionId), Span>,
}

impl Places {
    /// The place of what follows in a state.
    pub fn state(&self, state: StateId) -> Option<Span> {
        self.states.get(state.index()).copied()
    }

    /// The place of a step by an action of the component's own alphabet, or of a silent one, in a state.
    pub fn step(&self, state: StateId, action: Option<ActionId>) -> Option<Span> {
        let chosen = action.and_then(|action| self.steps.get(&(state, action)).copied());
        chosen.or_else(|| self.state(state))
    }
}

/// The reductions of a composition after it has been built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reduction {
    /// Made deterministic, keeping the traces.
    pub deterministic: bool,
    /// Made minimal, up to observational equivalence; interface automata up to strong bisimilarity.
    pub minimal: bool,
    /// Every action that is not allowed leads to the error state.
    pub property: bool,
}

/// Why there is no target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The text has errors, which are among the diagnostics.
    Errors,
    /// A part that has to be built first met a limit.
    Exhausted(Exhausted),
}

impl<B> Target<B> {
    /// The target with its behaviour converted, for the same parts.
    pub fn map<C>(self, convert: impl FnOnce(B) -> C) -> Target<C> {
        let Self { name, behaviour, reduction, parts, overapproximates, uses } = self;
        Target { name, behaviour: convert(behaviour), reduction, parts, overapproximates, uses }
    }

    /// The description of the target as a part of another one, if it is built first.
    pub fn as_part(&self) -> Part {
        let is_own = |part: &Part| part.is_property() && *part.definition == *self.name;
        let is_property = self.reduction.property || matches!(&self.parts[..], [part] if is_own(part));
        if is_property { Part::property(&self.name) } else { Part::new(&self.name) }
    }

    /// Whether one of its parts is an interface automaton.
    pub fn is_interface(&self) -> bool {
        self.parts.iter().any(|part| part.signature.is_some())
    }
}

impl From<Target> for Target<Behaviour> {
    fn from(target: Target) -> Self {
        target.map(Behaviour::from)
    }
}

impl Target<Behaviour> {
    /// Its signature, if it is a network and one of its parts is an interface automaton.
    pub fn signature(&self) -> Option<Signature> {
        self.behaviour.as_network().and_then(|network| signature(network, &self.parts))
    }
}

impl Target {
    /// A target whose parts are processes that are their own definitions.
    pub fn of_processes(name: impl Into<String>, network: Network) -> Self {
        let parts = network.components().iter().map(|component| Part::new(&component.name)).collect();
        Self {
            name: name.into(),
            behaviour: network,
            reduction: Reduction::default(),
            parts,
            overapproximates: None,
            uses: Arc::default(),
        }
    }

    /// For each component, its signature if it is an interface automaton.
    pub fn signatures(&self) -> impl Iterator<Item = Option<&Arc<Signature>>> {
        self.parts.iter().map(|part| part.signature.as_ref())
    }

    /// Its signature, if one of its parts is an interface automaton. Hidden actions are not in it.
    pub fn signature(&self) -> Option<Signature> {
        signature(&self.behaviour, &self.parts)
    }
}

fn signature(network: &Network, parts: &[Part]) -> Option<Signature> {
    let signatures = || parts.iter().map(|part| part.signature.as_ref());
    // Conflicts have been reported when the target was made.
    let signature = Signature::composed(signatures()).ok().flatten()?;
    let processes =
        network.components().iter().zip(signatures()).filter(|(_, signature)| signature.is_none());
    let signature = processes.fold(signature, |signature, (process, _)| signature.beside(&process.lts));
    let alphabet = network.alphabet();
    let is_hidden = |name: &str| alphabet.get(name).is_some_and(|action| network.is_hidden(action));
    Some(signature.without(is_hidden))
}
