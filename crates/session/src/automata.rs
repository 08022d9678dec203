//! The interface automata that a question names, and what is said when a name means something else.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Span};
use rely_fsp::{Failure, Reduction, Signature, Target};
use rely_interface::{Clash, Conflict, Part, System};
use rely_lts::{Component, InterfaceAutomaton, Lts, Role};

use crate::explain::{NOT_AN_INTERFACE, NOT_COMPOSABLE};
use crate::meaning::Meaning;

/// Interface automata side by side, with the places of their roles, and processes that restrict them.
#[derive(Default)]
pub(crate) struct Automata {
    parts: Vec<Part>,
    /// For each part, its signature with places in the text.
    signatures: Vec<Arc<Signature>>,
    /// Processes without roles.
    constraints: Vec<Component>,
}

/// The system of some interface automata and composites of them, by name.
///
/// A composite that is only a parallel composition gives its parts: among them processes, which restrict the automata,
/// and properties, which only look on and are left out.
pub(crate) fn system(
    meaning: &mut Meaning<'_>,
    names: &[String],
    budget: &Budget<'_>,
) -> Result<System, Failure> {
    let mut automata = Automata::default();
    let mut failure = None;
    for name in names {
        // An error in one name does not keep the others from being looked at.
        match automata.add(meaning, name, budget) {
            Ok(()) => {}
            Err(Failure::Errors) => failure = Some(Failure::Errors),
            Err(exhausted) => return Err(exhausted),
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    let Automata { parts, signatures, constraints } = automata;
    let part_names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    System::new(parts, constraints).map_err(|conflicts| {
        for conflict in &conflicts {
            meaning.report(not_composable(conflict, &part_names, &signatures));
        }
        Failure::Errors
    })
}

/// A name as one interface automaton, composed if it is a composite.
pub(crate) fn automaton(
    meaning: &mut Meaning<'_>,
    name: &str,
    budget: &Budget<'_>,
) -> Result<InterfaceAutomaton, Failure> {
    let target = meaning.target(name)?;
    let Some(signature) = target.signature() else {
        return Err(no_interface(meaning, name));
    };
    let lts = rely_fsp::compose(&target, budget).map_err(Failure::Exhausted)?;
    Ok(signature.automaton(lts))
}

impl Automata {
    fn add(&mut self, meaning: &mut Meaning<'_>, name: &str, budget: &Budget<'_>) -> Result<(), Failure> {
        let target = meaning.target(name)?;
        let Some(signature) = target.signature() else {
            return Err(no_interface(meaning, name));
        };
        if !is_parallel(&target) {
            let lts = rely_fsp::compose(&target, budget).map_err(Failure::Exhausted)?;
            self.push(target.name, lts, Arc::new(signature));
            return Ok(());
        }
        for (component, interface) in target.network.components().iter().zip(&target.interfaces) {
            match interface {
                Some(signature) => {
                    self.push(component.name.clone(), Lts::clone(&component.lts), Arc::clone(signature));
                }
                None if meaning.is_property(&component.name) => {}
                None => self.constraints.push(component.clone()),
            }
        }
        Ok(())
    }

    fn push(&mut self, name: String, lts: Lts, signature: Arc<Signature>) {
        self.parts.push(Part::new(name, signature.automaton(lts)));
        self.signatures.push(signature);
    }
}

/// Whether a target is nothing but its components side by side.
fn is_parallel(target: &Target) -> bool {
    let network = &target.network;
    network.priority().is_none() && !network.has_hidden() && target.reduction == Reduction::default()
}

fn no_interface(meaning: &mut Meaning<'_>, name: &str) -> Failure {
    let message = format!("`{name}` is no interface automaton: its actions have no roles");
    let help = "begin its definition with `interface`, and mark inputs with `?` and outputs with `!`";
    meaning.report(Diagnostic::error(NOT_AN_INTERFACE, Span::new(0, 0), message).with_help(help));
    Failure::Errors
}

fn not_composable(conflict: &Conflict, names: &[String], signatures: &[Arc<Signature>]) -> Diagnostic {
    let Conflict { action, clash, first, second } = conflict;
    let (one, other) = (&names[*first], &names[*second]);
    let message = match clash {
        Clash::TwoReceivers => format!("`{action}` is an input of both `{one}` and `{other}`"),
        Clash::TwoSenders => format!("`{action}` is an output of both `{one}` and `{other}`"),
        Clash::Internal => format!("`{action}` is internal to `{one}`, and `{other}` has it, too"),
    };
    let place = |part: usize| {
        let used = signatures[part].actions().find(|(name, _)| name == action);
        used.map_or(Span::new(0, 0), |(_, used)| used.span)
    };
    Diagnostic::error(NOT_COMPOSABLE, place(*second), message)
        .with_note(place(*first), format!("`{one}` has it here"))
        .with_help("interface automata share an action if it is an output of one and an input of another")
}

/// What an automaton can take or send in a state, with marks; for messages.
pub(crate) fn enabled(automaton: &InterfaceAutomaton, state: rely_base::StateId, role: Role) -> Vec<String> {
    let lts = automaton.lts();
    let edges = lts.edges(state).iter().filter(|edge| automaton.role_of(edge.label) == role);
    let mut names: Vec<String> =
        edges.map(|edge| format!("{}{}", lts.alphabet().label_name(edge.label), role.mark())).collect();
    names.sort_unstable();
    names.dedup();
    names
}
