//! The claim that an interface automaton can take the place of another.

use rely_lts::{Component, InterfaceAutomaton, Network};

use crate::certificate::Identity;
use crate::{Behaviour, Claim, Digest, Evidence, Kind};

/// That an interface automaton refines another [Emmi, Giannakopoulou, Păsăreanu 2008, definition 7].
#[derive(Clone, Copy, Debug)]
pub struct Refinement<'a> {
    /// The one that is to take the place of the other, with its name.
    pub implementation: (&'a str, &'a InterfaceAutomaton),
    /// The other.
    pub specification: (&'a str, &'a InterfaceAutomaton),
}

impl Refinement<'_> {
    /// The claim that it holds.
    pub fn claim(&self, target: &str, evidence: Evidence) -> Claim {
        Claim {
            target: target.to_owned(),
            kind: Kind::Refinement,
            property: "refinement".to_owned(),
            statement: self.statement(),
            behaviour: Behaviour::Network,
            components: self.network().components().iter().map(Identity::of).collect(),
            operators: Digest::of_operators(&self.network()),
            evidence,
        }
    }

    /// The statement, in full. It includes the roles of actions, which are not part of a transition system.
    pub(crate) fn statement(&self) -> String {
        let [one, other] =
            [self.implementation, self.specification].map(|(_, automaton)| signature(automaton));
        format!(
            "an alternating simulation from {{{one}}} to {{{other}}}, with internal steps before and after actions"
        )
    }

    /// The transition systems of both automata, as a network.
    pub(crate) fn network(&self) -> Network {
        let sides = [self.implementation, self.specification];
        let component =
            |(name, automaton): (&str, &InterfaceAutomaton)| Component::new(name, automaton.lts().clone());
        Network::new(sides.map(component).into())
    }
}

/// The actions of an automaton with their marks, in dictionary order.
fn signature(automaton: &InterfaceAutomaton) -> String {
    let marked = automaton.lts().alphabet().sorted_names().into_iter().map(|name| {
        let mark = automaton.role_named(name).map_or(' ', rely_lts::Role::mark);
        format!("{name}{mark}")
    });
    marked.collect::<Vec<String>>().join(", ")
}
