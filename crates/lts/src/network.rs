//! Components that run in parallel and synchronise on the actions they share.

use std::sync::Arc;

use rely_base::{ActionId, Alphabet, Budget, Exhausted, Id};

use crate::Lts;
use crate::equivalence::{Equivalence, minimise};

rely_base::define_id! {
    /// A component of a network.
    ComponentId
}

/// A part of a network.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name in the user's text, such as `phil.1:PHIL`.
    pub name: String,
    /// Its behaviour; parts that are copies of one another may share it.
    pub lts: Arc<Lts>,
}

impl Component {
    /// A part with a name and a behaviour.
    pub fn new(name: impl Into<String>, lts: impl Into<Arc<Lts>>) -> Self {
        Self { name: name.into(), lts: lts.into() }
    }
}

/// Which side of a priority the named actions are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// `<<`: the named actions are taken before all others, τ included.
    High,
    /// `>>`: the named actions are taken only when no other action, τ included, is possible.
    Low,
}

/// Priority of some actions over the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Priority {
    /// Which side the named actions are on.
    pub rank: Rank,
    /// By number of the action, whether it is named. Actions beyond the end of the list are not ordered: they came
    /// with components that were added later, may always happen, and have no effect on other actions.
    pub actions: Vec<bool>,
}

impl Priority {
    /// Whether an action is ordered, and named.
    pub fn is_named(&self, action: ActionId) -> bool {
        self.actions.get(action.index()) == Some(&true)
    }

    /// Whether an action or, without one, τ is on the side that goes first.
    pub fn is_high(&self, action: Option<ActionId>) -> bool {
        self.side(action) == Some(Rank::High)
    }

    /// Whether an action or, without one, τ is on the side that waits.
    pub fn is_low(&self, action: Option<ActionId>) -> bool {
        self.side(action) == Some(Rank::Low)
    }

    /// The side of an action or of τ, unless it is not ordered.
    fn side(&self, action: Option<ActionId>) -> Option<Rank> {
        let named = match action {
            Some(action) => *self.actions.get(action.index())?,
            None => false,
        };
        match (named, self.rank) {
            (true, Rank::High) | (false, Rank::Low) => Some(Rank::High),
            (true, Rank::Low) | (false, Rank::High) => Some(Rank::Low),
        }
    }
}

/// A parallel composition M₁ ‖ … ‖ Mₙ that has not been built, with priority and hiding on top of it.
///
/// An action is taken by all components that have it in their alphabet together, τ by one component alone. As soon as
/// one component is in its error state the network is in the error state. Priority sees the actions before they are
/// hidden.
#[derive(Clone, Debug)]
pub struct Network {
    /// The union of the alphabets, numbered in order of first appearance.
    alphabet: Alphabet,
    components: Vec<Component>,
    /// For each component, the network's number of each of its own actions.
    actions: Vec<Vec<ActionId>>,
    /// For each action, the components that have it, in order.
    participants: Vec<Vec<ComponentId>>,
    priority: Option<Priority>,
    /// For each action, whether it is silent when seen from outside.
    hidden: Vec<bool>,
}

impl Network {
    /// The parallel composition of components.
    pub fn new(components: Vec<Component>) -> Self {
        let mut alphabet = Alphabet::new();
        let actions: Vec<Vec<ActionId>> =
            components.iter().map(|component| alphabet.adopt_all(component.lts.alphabet())).collect();
        let mut participants = vec![Vec::new(); alphabet.len()];
        for (i, actions) in actions.iter().enumerate() {
            for action in actions {
                participants[action.index()].push(ComponentId::from_index(i));
            }
        }
        let hidden = vec![false; alphabet.len()];
        Self { alphabet, components, actions, participants, priority: None, hidden }
    }

    /// The network with priority.
    #[must_use]
    pub fn with_priority(mut self, rank: Rank, named: impl Fn(&str) -> bool) -> Self {
        let actions = self.alphabet.names().map(named).collect();
        self.priority = Some(Priority { rank, actions });
        self
    }

    /// The network with those actions hidden that satisfy `hidden`.
    #[must_use]
    pub fn with_hidden(mut self, hidden: impl Fn(&str) -> bool) -> Self {
        self.hidden = self.alphabet.names().map(hidden).collect();
        self
    }

    /// The same network with further components. The actions that were there keep their priority and their hiding; new
    /// ones are visible and not ordered, as in the composition of the network, with its priority, and the components.
    /// The components must not refuse an action that is ordered: what goes first may depend on that.
    #[must_use]
    pub fn with_components(self, more: impl IntoIterator<Item = Component>) -> Self {
        let Self { components, priority, hidden, .. } = self;
        let mut network = Self::new(components.into_iter().chain(more).collect());
        // The actions that were there have the same numbers as before.
        let known = hidden.len();
        network.hidden[..known].copy_from_slice(&hidden);
        network.priority = priority;
        network
    }

    /// The network with the behaviour of each component replaced. Alphabets must stay the same, and so do priority and hiding.
    #[must_use]
    pub fn with_behaviours(mut self, behaviour: impl Fn(ComponentId, &Arc<Lts>) -> Arc<Lts>) -> Self {
        for (i, component) in self.components.iter_mut().enumerate() {
            let lts = behaviour(ComponentId::from_index(i), &component.lts);
            assert_eq!(lts.alphabet(), component.lts.alphabet(), "what is said about actions stays true");
            component.lts = lts;
        }
        self
    }

    /// The network with every component reduced modulo strong bisimilarity.
    ///
    /// Strong bisimilarity is a congruence for composition, priority and hiding, so the product is strongly bisimilar
    /// to that of this network: the same traces of the same lengths, the same deadlocks, errors and cycles, often with
    /// far fewer states.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn condensed(&self, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let condense = |component: &Component| -> Result<Component, Exhausted> {
            let lts = minimise(&component.lts, Equivalence::Strong, budget)?;
            if lts.end().is_some() != component.lts.end().is_some() {
                // An end state that cannot be reached keeps the network from ending, so it has to stay.
                return Ok(component.clone());
            }
            Ok(Component::new(&component.name, lts))
        };
        let components = self.components.iter().map(condense).collect::<Result<_, _>>()?;
        // Reduction does not change alphabets, so everything stored about actions stays valid.
        Ok(Self { components, ..self.clone() })
    }

    /// The binary logarithm of the number of tuples of component states, reachable or not.
    pub fn potential(&self) -> f64 {
        self.components.iter().map(|component| (component.lts.state_count() as f64).log2()).sum()
    }

    /// The actions of all components, before hiding.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The actions that are visible from outside.
    pub fn visible_alphabet(&self) -> Alphabet {
        self.alphabet.iter().filter(|&(action, _)| !self.is_hidden(action)).map(|(_, name)| name).collect()
    }

    /// The components in order.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The network's number of each action of a component.
    pub fn actions_of(&self, component: ComponentId) -> &[ActionId] {
        &self.actions[component.index()]
    }

    /// The components that take part in an action, in order.
    pub fn participants(&self, action: ActionId) -> &[ComponentId] {
        &self.participants[action.index()]
    }

    /// The priority, if there is one.
    pub fn priority(&self) -> Option<&Priority> {
        self.priority.as_ref()
    }

    /// Whether an action is silent when seen from outside.
    pub fn is_hidden(&self, action: ActionId) -> bool {
        self.hidden[action.index()]
    }

    /// Whether some action is hidden.
    pub fn has_hidden(&self) -> bool {
        self.hidden.contains(&true)
    }

    /// Whether the network can end at all: some component can, and the components that cannot have no action of
    /// their own that could keep the network going.
    ///
    /// In a state, the network *has terminated* if every component that has an end state is in it and no step is
    /// possible. A component without an end state that can still take silent steps keeps the network from
    /// terminating.
    pub fn can_terminate(&self) -> bool {
        let terminates = |component: &ComponentId| self.components[component.index()].lts.end().is_some();
        self.components.iter().any(|component| component.lts.end().is_some())
            && self.participants.iter().all(|participants| participants.iter().any(terminates))
    }
}
