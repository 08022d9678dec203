//! The two kinds of behaviour that a text can describe.
//!
//! A front end turns its text into one of them: a [`Network`] of transition systems, or a [`Program`] of units over
//! slots. Both are plain data. In both, a state outside of the searches is a slice of small numbers: for a network the
//! states of its components, for a program the positions of its slots' values, counted from the least value of each.

use rely_base::{ActionId, Alphabet, Id};

use crate::{Component, ComponentId, Network, Program, UnitId};

/// What a system can do, as plain data.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Transition systems that synchronise by the names of their actions.
    Network(Network),
    /// Units of guarded commands over slots.
    Program(Program),
}

/// A borrowed behaviour. Functions about behaviours take `impl Into<BehaviourRef>`, which accepts references to a
/// [`Behaviour`], a [`Network`] or a [`Program`].
#[derive(Clone, Copy, Debug)]
pub enum BehaviourRef<'a> {
    /// See [`Behaviour::Network`].
    Network(&'a Network),
    /// See [`Behaviour::Program`].
    Program(&'a Program),
}

impl<'a> BehaviourRef<'a> {
    /// The actions, before hiding.
    pub fn alphabet(self) -> &'a Alphabet {
        match self {
            Self::Network(network) => network.alphabet(),
            Self::Program(program) => program.alphabet(),
        }
    }

    /// Whether an action is silent when seen from outside.
    pub fn is_hidden(self, action: ActionId) -> bool {
        match self {
            Self::Network(network) => network.is_hidden(action),
            Self::Program(program) => program.is_hidden(action),
        }
    }

    /// The names of the components or units, in order.
    pub fn part_names(self) -> Vec<&'a str> {
        match self {
            Self::Network(network) => network.components().iter().map(|part| part.name.as_str()).collect(),
            Self::Program(program) => program.units().iter().map(|unit| unit.name.as_str()).collect(),
        }
    }

    /// How many components or units there are.
    pub fn part_count(self) -> usize {
        match self {
            Self::Network(network) => network.components().len(),
            Self::Program(program) => program.units().len(),
        }
    }

    /// The numbers of the state at the start.
    pub fn initial(self) -> Vec<u32> {
        match self {
            Self::Network(network) => {
                network.components().iter().map(|part| part.lts.initial().raw()).collect()
            }
            Self::Program(program) => program.positions(&program.initial()),
        }
    }
}

impl Behaviour {
    /// A borrowed view of the behaviour.
    pub fn view(&self) -> BehaviourRef<'_> {
        self.into()
    }

    /// The actions, before hiding.
    pub fn alphabet(&self) -> &Alphabet {
        self.view().alphabet()
    }

    /// Whether an action is silent when seen from outside.
    pub fn is_hidden(&self, action: ActionId) -> bool {
        self.view().is_hidden(action)
    }

    /// The names of the components or units, in order.
    pub fn part_names(&self) -> Vec<&str> {
        self.view().part_names()
    }

    /// The behaviour together with an observer, which takes part in the actions of its alphabet; and the number of
    /// the observer among the parts.
    #[must_use]
    pub fn watched_by(self, observer: Component) -> (Self, ComponentId) {
        match self {
            Self::Network(network) => {
                let last = ComponentId::from_index(network.components().len());
                (Self::Network(network.with_components([observer])), last)
            }
            Self::Program(program) => {
                (Self::Program(program.watched_by(&observer)), ComponentId::from_raw(0))
            }
        }
    }

    /// The behaviour, reordered if necessary so that a step in which the given part and others fail counts as a
    /// failure of this part; and the number of the part after that.
    #[must_use]
    pub fn with_watcher(self, part: ComponentId) -> (Self, ComponentId) {
        match self {
            Self::Network(_) => (self, part),
            Self::Program(program) => (
                Self::Program(program.with_unit_first(UnitId::from_raw(part.raw()))),
                ComponentId::from_raw(0),
            ),
        }
    }

    /// The network, if it is one.
    pub fn as_network(&self) -> Option<&Network> {
        match self {
            Self::Network(network) => Some(network),
            Self::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub fn as_program(&self) -> Option<&Program> {
        match self {
            Self::Network(_) => None,
            Self::Program(program) => Some(program),
        }
    }
}

impl From<Network> for Behaviour {
    fn from(network: Network) -> Self {
        Self::Network(network)
    }
}

impl From<Program> for Behaviour {
    fn from(program: Program) -> Self {
        Self::Program(program)
    }
}

impl<'a> From<&'a Behaviour> for BehaviourRef<'a> {
    fn from(behaviour: &'a Behaviour) -> Self {
        match behaviour {
            Behaviour::Network(network) => Self::Network(network),
            Behaviour::Program(program) => Self::Program(program),
        }
    }
}

impl<'a> From<&'a Network> for BehaviourRef<'a> {
    fn from(network: &'a Network) -> Self {
        Self::Network(network)
    }
}

impl<'a> From<&'a Program> for BehaviourRef<'a> {
    fn from(program: &'a Program) -> Self {
        Self::Program(program)
    }
}
