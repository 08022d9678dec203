//! The interface automata that a question names, and the errors if a name stands for something else.
//!
//! Three kinds of parts are rejected, because an action that is sent and cannot be taken could not be seen any more:
//! a part that can reach ERROR by itself; and a composite that was built before it became a part, if its own parts
//! send to each other, or if a process in it may keep one of them from taking an input.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Span};
use rely_decide::ReplayError;
use rely_interface::{Clash, Conflict, Environment, Part, Question, System, check_compatible};
use rely_lts::operators::{self, Relabelling};
use rely_lts::{Component, InterfaceAutomaton, Lts, Role};
use rely_model::{Failure, Signature, Target};

use crate::explain::{ILLEGAL_STATES, NOT_AN_INTERFACE, NOT_COMPOSABLE, NOT_JUDGED};
use crate::meaning::Meaning;

/// Interface automata in parallel, with the places of their roles, and processes that restrict them.
#[derive(Default)]
pub(crate) struct Automata {
    parts: Vec<Part>,
    /// For each part, its signature with places in the text.
    signatures: Vec<Arc<Signature>>,
    /// Processes without roles, which restrict the automata.
    constraints: Vec<Component>,
}

/// The system of some interface automata and composites of them, by name.
///
/// A composite stands for its parts: among them processes, which restrict the automata, and properties, which only
/// observe and are left out. As in `check`, the hiding and the keywords of the composite itself are ignored; only a
/// composite with priority is built and used as a whole, unless its parts send to each other.
pub(crate) fn system(
    meaning: &mut Meaning<'_>,
    names: &[String],
    budget: &Budget<'_>,
) -> Result<System, Failure> {
    let targets = targets(meaning, names)?;
    let mut automata = Automata::default();
    for (i, target) in targets.iter().enumerate() {
        let others = targets[..i].iter().chain(&targets[i + 1..]);
        automata.add(meaning, target, others, budget)?;
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

/// The targets with some names; all of them have to be interface automata.
fn targets(meaning: &mut Meaning<'_>, names: &[String]) -> Result<Vec<Target>, Failure> {
    let mut targets = Vec::new();
    let mut failure = None;
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            failure = Some(named_twice(meaning, name));
            continue;
        }
        // After an error in one name, the others are still checked.
        match meaning.target(name) {
            Ok(target) if target.is_interface() => match judged(meaning, &target) {
                Ok(()) => targets.push(target),
                Err(refused) => failure = Some(refused),
            },
            Ok(_) => failure = Some(no_interface(meaning, name)),
            Err(Failure::Errors) => failure = Some(Failure::Errors),
            Err(exhausted) => return Err(exhausted),
        }
    }
    failure.map_or(Ok(targets), Err)
}

/// The interface automaton with a name; a composite is composed.
pub(crate) fn automaton(
    meaning: &mut Meaning<'_>,
    name: &str,
    budget: &Budget<'_>,
) -> Result<InterfaceAutomaton, Failure> {
    let target = meaning.target(name)?;
    let Some(signature) = target.signature() else {
        return Err(no_interface(meaning, name));
    };
    judged(meaning, &target)?;
    let lts = rely_model::compose(&target, budget).map_err(Failure::Exhausted)?;
    if fails(&lts) {
        return Err(breaks_a_property(meaning, name));
    }
    Ok(signature.automaton(lts))
}

/// Warns if the parts of a composite that is used as one automaton can send what cannot be taken.
pub(crate) fn warn_of_illegal_states(
    meaning: &mut Meaning<'_>,
    name: &str,
    budget: &Budget<'_>,
) -> Result<(), ReplayError> {
    let Ok(system) = system(meaning, &[name.to_owned()], budget) else { return Ok(()) };
    let question = Question { environment: Environment::Arbitrary, ..Question::default() };
    if check_compatible(&system, question, budget)?.decision.verdict.counterexample().is_some() {
        let message = format!("parts of `{name}` can send what cannot be taken, which is left out here");
        let help = format!("`rely compatible --components {name} --every-environment` shows it");
        meaning.report(Diagnostic::warning(ILLEGAL_STATES, Span::new(0, 0), message).with_help(help));
    }
    Ok(())
}

/// Rejects a target with a part that fails by itself, or in which actions that are sent and not taken cannot be seen
/// any more.
fn judged(meaning: &mut Meaning<'_>, target: &Target) -> Result<(), Failure> {
    let network = &target.behaviour;
    let mut refused = Vec::new();
    if network.priority().is_some() {
        let signature = target.signature().expect("only interface automata are judged");
        if signature.is_linked() {
            refused.push(ranked(&target.name));
        } else if signature.is_restricted() {
            refused.push(restricted(&target.name));
        }
    }
    for (component, part) in network.components().iter().zip(&target.parts) {
        let (name, interface) = (&component.name, &part.signature);
        if interface.as_ref().is_some_and(|signature| signature.is_linked()) {
            refused.push(built(name));
        } else if interface.as_ref().is_some_and(|signature| signature.is_restricted()) {
            refused.push(restricted(name));
        } else if fails(&component.lts) && (interface.is_some() || !part.is_property()) {
            refused.push(fails_by_itself(name));
        }
    }
    let is_judged = refused.is_empty();
    refused.into_iter().for_each(|diagnostic| meaning.report(diagnostic));
    if is_judged { Ok(()) } else { Err(Failure::Errors) }
}

/// Whether the error state is reachable.
fn fails(lts: &Lts) -> bool {
    lts.error().is_some() && operators::trim(lts).error().is_some()
}

impl Automata {
    /// Adds the parts of a target to the system.
    fn add<'t>(
        &mut self,
        meaning: &mut Meaning<'_>,
        target: &Target,
        others: impl Iterator<Item = &'t Target>,
        budget: &Budget<'_>,
    ) -> Result<(), Failure> {
        let network = &target.behaviour;
        if network.priority().is_some() {
            let lts = rely_model::compose(target, budget).map_err(Failure::Exhausted)?;
            if fails(&lts) {
                return Err(breaks_a_property(meaning, &target.name));
            }
            let signature = target.signature().expect("only interface automata are added");
            self.push(target.name.clone(), signature.automaton(lts), Arc::new(signature));
            return Ok(());
        }
        let local = Local::of(target, others);
        for (component, part) in network.components().iter().zip(&target.parts) {
            let lts = local.renamed(&component.lts);
            match &part.signature {
                Some(signature) => {
                    let roles = component.lts.alphabet().names().map(|name| local.role(name, signature));
                    let automaton = InterfaceAutomaton::new(lts, roles.collect());
                    self.push(component.name.clone(), automaton, Arc::clone(signature));
                }
                None if part.is_property() => {}
                None => {
                    let component = Component { name: component.name.clone(), lts: Arc::new(lts) };
                    self.constraints.push(component);
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, name: String, automaton: InterfaceAutomaton, signature: Arc<Signature>) {
        self.parts.push(Part::new(name, automaton));
        self.signatures.push(signature);
    }
}

/// The actions that a composite hides. They belong to it alone, so they are renamed if another part has such an
/// action, and outputs among them become internal.
struct Local<'t> {
    target: &'t Target,
    renaming: Relabelling,
}

impl<'t> Local<'t> {
    fn of<'o>(target: &'t Target, others: impl Iterator<Item = &'o Target>) -> Self {
        let known: BTreeSet<&str> = others.flat_map(|other| other.behaviour.alphabet().names()).collect();
        let network = &target.behaviour;
        let mut renaming = Relabelling::new();
        for (action, name) in network.alphabet().iter() {
            if network.is_hidden(action) && known.contains(name) {
                renaming.add(format!("{}:{name}", target.name), name);
            }
        }
        Self { target, renaming }
    }

    fn renamed(&self, lts: &Lts) -> Lts {
        if self.renaming.is_empty() { lts.clone() } else { operators::relabel(lts, &self.renaming) }
    }

    /// The role of an action in a part with a signature.
    fn role(&self, name: &str, signature: &Signature) -> Role {
        let network = &self.target.behaviour;
        let is_hidden = network.alphabet().get(name).is_some_and(|action| network.is_hidden(action));
        let having = self.target.signatures().flatten().filter(|signature| signature.role(name).is_some());
        match signature.role(name) {
            Some(role) if !is_hidden || having.count() > 1 => role,
            _ => Role::Internal,
        }
    }
}

const COPIES: &str = "copies need different actions: `||COPIES = (a:A || b:A).` are two of `A`";

/// The error that two copies of an automaton, which have the same actions, cannot be composed.
fn named_twice(meaning: &mut Meaning<'_>, name: &str) -> Failure {
    let message = format!("`{name}` is named twice");
    meaning.report(Diagnostic::error(NOT_COMPOSABLE, Span::new(0, 0), message).with_help(COPIES));
    Failure::Errors
}

fn fails_by_itself(name: &str) -> Diagnostic {
    let message = format!("`{name}` can fail by itself: it reaches ERROR");
    let help = "write a property process instead; what an automaton must not take is an input that it has no step for";
    Diagnostic::error(NOT_JUDGED, Span::new(0, 0), message).with_help(help)
}

fn built(name: &str) -> Diagnostic {
    let message = format!(
        "`{name}` is built before it becomes a part, and what its automata send to each other and cannot take would be lost"
    );
    let help = format!(
        "compose its parts directly; or write what `rely contract compose` makes of it to a file, and import that \
         instead of `{name}`"
    );
    Diagnostic::error(NOT_JUDGED, Span::new(0, 0), message).with_help(help)
}

fn restricted(name: &str) -> Diagnostic {
    let message = format!(
        "`{name}` is built before it becomes a part, and whether an automaton refuses an input or a process in it keeps \
         it from happening would be lost"
    );
    let help =
        "compose its parts directly; or write the automaton so that it does what the process makes of it";
    Diagnostic::error(NOT_JUDGED, Span::new(0, 0), message).with_help(help)
}

fn ranked(name: &str) -> Diagnostic {
    let message = format!(
        "`{name}` has priority, and what its automata send to each other and cannot take would be lost"
    );
    let help = "ask about its parts without the priority: what is compatible then is compatible with it, too";
    Diagnostic::error(NOT_JUDGED, Span::new(0, 0), message).with_help(help)
}

fn breaks_a_property(meaning: &mut Meaning<'_>, name: &str) -> Failure {
    let message = format!("`{name}` breaks a property: it reaches ERROR");
    let help = "`rely check` shows how; leave the property out where the composite is taken as one automaton";
    meaning.report(Diagnostic::error(NOT_JUDGED, Span::new(0, 0), message).with_help(help));
    Failure::Errors
}

fn no_interface(meaning: &mut Meaning<'_>, name: &str) -> Failure {
    let message = format!("`{name}` is no interface automaton: its actions have no roles");
    let help = meaning.advice_on_interfaces();
    meaning.report(Diagnostic::error(NOT_AN_INTERFACE, Span::new(0, 0), message).with_help(help));
    Failure::Errors
}

fn not_composable(conflict: &Conflict, names: &[String], signatures: &[Arc<Signature>]) -> Diagnostic {
    let Conflict { action, clash, first, second } = conflict;
    let (one, other) = (&names[*first], &names[*second]);
    let message = match clash {
        _ if one == other => format!("`{one}` is there twice, and both have `{action}`"),
        Clash::TwoReceivers => format!("`{action}` is an input of both `{one}` and `{other}`"),
        Clash::TwoSenders => format!("`{action}` is an output of both `{one}` and `{other}`"),
        Clash::Internal => format!("`{action}` is internal to `{one}`, and `{other}` has it, too"),
    };
    let place = |part: usize| {
        let used = signatures[part].actions().find(|(name, _)| name == action);
        used.map_or(Span::new(0, 0), |(_, used)| used.span)
    };
    let help = match one == other {
        true => COPIES,
        false => "interface automata share an action if it is an output of one and an input of another",
    };
    Diagnostic::error(NOT_COMPOSABLE, place(*second), message)
        .with_note(place(*first), format!("`{one}` has it here"))
        .with_help(help)
}

/// The inputs or outputs that are possible in a state, with marks; for messages.
pub(crate) fn enabled(automaton: &InterfaceAutomaton, state: rely_base::StateId, role: Role) -> Vec<String> {
    let lts = automaton.lts();
    let edges = lts.edges(state).iter().filter(|edge| automaton.role_of(edge.label) == role);
    let mut names: Vec<String> =
        edges.map(|edge| format!("{}{}", lts.alphabet().label_name(edge.label), role.mark())).collect();
    names.sort_unstable();
    names.dedup();
    names
}
