//! The two kinds of behaviour that a text can describe.
//!
//! A front end turns its text into one of them: a [`Network`] of transition systems, or a [`Program`] of units over
//! slots. Both are plain data. In both, a state outside of the searches is a slice of small numbers: for a network the
//! states of its components, for a program the positions of its slots' values, counted from the least value of each.

use rely_base::{ActionId, Alphabet};

use crate::{Network, Program};

/// What a system can do, as plain data.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Transition systems that synchronise by the names of their actions.
    Network(Network),
    /// Units of guarded commands over slots.
    Program(Program),
}

impl Behaviour {
    /// The actions, before hiding.
    pub fn alphabet(&self) -> &Alphabet {
        match self {
            Self::Network(network) => network.alphabet(),
            Self::Program(program) => program.alphabet(),
        }
    }

    /// Whether an action is silent when seen from outside.
    pub fn is_hidden(&self, action: ActionId) -> bool {
        match self {
            Self::Network(network) => network.is_hidden(action),
            Self::Program(program) => program.is_hidden(action),
        }
    }

    /// The names of the components or units, in order.
    pub fn part_names(&self) -> Vec<&str> {
        match self {
            Self::Network(network) => network.components().iter().map(|part| part.name.as_str()).collect(),
            Self::Program(program) => program.units().iter().map(|unit| unit.name.as_str()).collect(),
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
