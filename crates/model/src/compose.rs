//! A target as one transition system: its product, with the reduction that the text asks for.

use rely_base::{Budget, Exhausted};
use rely_explore::NotGenerated;
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::{Behaviour, Component, Lts, Network, operators};

use crate::{Reduction, Target};

impl Target<Behaviour> {
    /// The target as a network of components. A program becomes one component.
    ///
    /// # Errors
    /// The limit that was met, or the unit that makes runs leave the bounds within which the program is explored: a
    /// component without these runs would not represent the program.
    pub fn into_network(self, budget: &Budget<'_>) -> Result<Target, NotGenerated> {
        let Self { name, behaviour, reduction, parts, overapproximates, uses } = self;
        match behaviour {
            Behaviour::Network(network) => {
                Ok(Target { name, behaviour: network, reduction, parts, overapproximates, uses })
            }
            Behaviour::Program(program) => {
                let lts = rely_explore::generate_program(&program, budget)?;
                let network = Network::new(vec![Component::new(name.clone(), lts)]);
                Ok(Target { reduction, overapproximates, uses, ..Target::of_processes(name, network) })
            }
        }
    }
}

/// Builds a target, and reduces it as its text requires.
///
/// # Errors
/// The limit that was met.
pub fn compose(target: &Target, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    reduced(rely_explore::generate(&target.behaviour, budget)?, target, budget)
}

/// The product of a target after the reduction that its text requires.
///
/// # Errors
/// The limit that was met.
pub fn reduced(lts: Lts, target: &Target, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    let Reduction { deterministic, minimal, property } = target.reduction;
    if deterministic || property {
        let lts = equivalence::deterministic(&lts, budget)?;
        Ok(if property { operators::trim(&operators::complete(&lts)) } else { lts })
    } else if minimal {
        equivalence::minimise(&lts, kept_by_minimal(target.is_interface()), budget)
    } else {
        Ok(lts)
    }
}

/// The equivalence that `minimal` uses. For an interface automaton it matters whether it takes an input now or after
/// a silent step, which observational equivalence does not distinguish.
pub fn kept_by_minimal(is_interface: bool) -> Equivalence {
    if is_interface { Equivalence::Strong } else { Equivalence::Weak }
}
