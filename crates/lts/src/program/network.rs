//! A network as a program: one unit for each component, whose only slot is the state.
//!
//! **Why.** Questions that are asked of programs alone, such as commitments, can be asked of networks in this way. Actions, units and states
//! have the numbers that they have in the network, so a run of the program is one of the network.
//!
//! **Not for priority.** Which steps are possible then depends on what others can do, which no guard of a unit says.

use std::borrow::Cow;

use super::{Program, ProgramBuilder};
use crate::{Behaviour, Network};

impl Program {
    /// The program that does what a network does; nothing if the network has priority.
    pub fn of_network(network: &Network) -> Option<Self> {
        if network.priority().is_some() {
            return None;
        }
        let mut builder = ProgramBuilder::new();
        let mut ends = Vec::new();
        for component in network.components() {
            let (_, state) = builder.component(component.name.as_str(), &component.lts);
            if let Some(end) = component.lts.end() {
                ends.push(builder.is(state, i64::from(end.raw())));
            }
        }
        if network.can_terminate() {
            let ended = builder.all(ends);
            builder.end(ended);
        }
        let program = builder.build().expect("transition systems are units that make sense");
        let is_hidden =
            |name: &str| network.alphabet().get(name).is_some_and(|action| network.is_hidden(action));
        Some(program.with_hidden(is_hidden))
    }
}

impl Behaviour {
    /// The behaviour as a program; nothing if it is a network with priority.
    pub fn to_program(&self) -> Option<Cow<'_, Program>> {
        match self {
            Self::Program(program) => Some(Cow::Borrowed(program)),
            Self::Network(network) => Program::of_network(network).map(Cow::Owned),
        }
    }
}
