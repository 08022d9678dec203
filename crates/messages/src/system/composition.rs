//! What the parts of a composition commit themselves to, in the words of the composition.
//!
//! The properties of a part are added to the composition with the numbers that its processes and ports have there, so that
//! they speak of the same actions and slots as those of the composition itself.

use std::sync::Arc;

use rely_base::{ActionId, Budget, Id};
use rely_lts::Observation;
use rely_model::{Composition, PartCommitments};
use rely_omega::{AtomId, AtomSet, Commitment};

use super::commitments::Atoms;
use super::{Options, Refused, Step, System};
use crate::component::{self, Claim, Component, Expr, MessageRef, Proposition, Subject};

/// The composition of some parts, which are given in its order; nothing if it has none.
pub(crate) fn composition(
    component: &Arc<Component>,
    parts: &[Arc<Component>],
    budget: &Budget<'_>,
) -> Result<Option<Composition>, Refused> {
    if component.parts.is_empty() || parts.len() != component.parts.len() {
        return Ok(None);
    }
    let mut whole = Component::clone(component);
    let own = whole.properties.len();
    let mut counts = Vec::new();
    let (mut process, mut port) = (0, 0);
    for part in parts {
        let shift = Shift { process, port };
        whole.properties.extend(part.properties.iter().map(|property| shift.property(property)));
        counts.push(part.properties.len());
        process += part.processes.len();
        port += part.ports.len();
    }
    let system = System::new(&Arc::new(whole), &Options::default(), budget)?;
    let mut atoms = Atoms::new(&system.component);
    let sources = system.component.properties.iter();
    let mut all: Vec<Commitment<Observation>> = system
        .properties
        .iter()
        .zip(sources)
        .map(|(property, source)| atoms.commitment(property, source))
        .collect();
    let (names, propositions): (Vec<String>, Vec<Observation>) = atoms.into_observed().into_iter().unzip();
    for commitment in &mut all {
        commitment.names.clone_from(&names);
        commitment.propositions.clone_from(&propositions);
    }
    let mut rest = all.split_off(own);
    let mut packaged = Vec::new();
    for (part, count) in component.parts.iter().zip(counts) {
        let later = rest.split_off(count);
        let (name, component) = (part.name.clone(), part.component.to_string());
        packaged.push(PartCommitments { name, component, commitments: rest });
        rest = later;
    }
    let letters = (0..system.steps.len()).map(ActionId::from_index).map(|action| {
        let is_true = |observation: &Observation| match observation {
            Observation::Actions(actions) => actions.binary_search(&action).is_ok(),
            Observation::Condition(_) => false,
        };
        let events = propositions.iter().enumerate().filter(|(_, it)| is_true(it));
        let letter: AtomSet = events.map(|(atom, _)| AtomId::from_index(atom)).collect();
        (system.program.alphabet().name(action).to_owned(), letter)
    });
    let letters = letters.collect();
    let doubt = system.steps.iter().position(|step| sends_twice(component, step)).map(|number| {
        let step = system.program.alphabet().name(ActionId::from_index(number));
        format!("the step {step} sends two messages into one part at once, which no environment of the part alone does")
    });
    Ok(Some(Composition { goals: all, parts: packaged, propositions, names, letters, doubt }))
}

/// Whether a step sends two messages into a part that the sender is not in.
fn sends_twice(component: &Component, step: &Step) -> bool {
    let Step::Sent { sender, messages } = step else { return false };
    component.parts.iter().any(|part| {
        let is_inside = |process: &usize| part.processes.contains(process);
        let deliveries = messages.iter().flat_map(|message| &message.deliveries);
        !sender.is_some_and(|sender| is_inside(&sender))
            && deliveries.filter(|delivery| is_inside(&delivery.process)).count() > 1
    })
}

/// Where the processes and ports of a part begin in the composition.
struct Shift {
    process: usize,
    port: usize,
}

impl Shift {
    fn property(&self, property: &component::Property) -> component::Property {
        component::Property {
            claim: self.claim(&property.claim),
            assuming: property.assuming.iter().map(|claim| self.claim(claim)).collect(),
            ..property.clone()
        }
    }

    fn claim(&self, claim: &Claim) -> Claim {
        let mut claim = claim.clone();
        for proposition in &mut claim.propositions {
            match proposition {
                Proposition::State(expr) => self.expr(expr),
                Proposition::Event(event) => match &mut event.subject {
                    Subject::Port(port) => *port += self.port,
                    Subject::Message(MessageRef { process, .. }) => *process += self.process,
                },
            }
        }
        claim
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Variable(variable) => variable.process += self.process,
            Expr::Element(variable, index) => {
                variable.process += self.process;
                self.expr(index);
            }
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, first, second) => {
                self.expr(first);
                self.expr(second);
            }
        }
    }
}
