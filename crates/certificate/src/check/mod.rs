//! Judging claims.
//!
//! Evidence about all reachable states starts with an *inductive invariant*, a set of states that
//! - has the initial state in it (initiation), and
//! - has every successor of its states in it (consecution);
//!
//! so all reachable states are in it. The rest of each rule says something about every state of the set and its steps,
//! and so about every reachable state. See `invariant.rs`, `progress.rs`, `divergence.rs`, `ltl.rs`
//! and `commitment.rs`.
//!
//! A proof by decomposition has no such set: its premises about parts of the network are searched
//! (`decomposition.rs`, `interface.rs`), and so is the flow of threads (`flow.rs`). Refinement of interface automata
//! is shown by a set of pairs of states (`simulation.rs`).

pub(crate) mod acceptance;
mod commitment;
mod continuations;
mod decomposition;
mod derivation;
mod divergence;
mod flow;
mod goal;
mod interface;
mod invariant;
mod ltl;
mod meaning;
mod premise;
mod progress;
mod random;
mod reduction;
mod search;
mod simulation;
pub(crate) mod states;
mod stubborn;

pub use decomposition::problem_of_premise;
pub use derivation::{check_derivation, holds_one_step_longer};
pub use goal::uncovered;
pub use search::is_searched_within;
pub use simulation::check_refinement;

use rely_base::{Budget, Progress};
use rely_lts::{BehaviourRef, Network};

use self::goal::Goal;
use crate::semantics::Semantics;
use crate::semantics::network::Composition;
use crate::{
    Behaviour, Claim, Evidence, Identity, Interpreter, Kind, Property, Rejection, closed, closed_program,
};

/// Judges the claim that a property holds for a behaviour.
///
/// # Errors
/// Why the claim is not proved, or the limit that was met.
pub fn check<'b>(
    claim: &Claim,
    behaviour: impl Into<BehaviourRef<'b>>,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let behaviour = behaviour.into();
    budget.check(&Progress::default())?;
    is_about(claim, behaviour, property)?;
    match (behaviour, property) {
        (BehaviourRef::Network(network), Property::Assertion { assertion, .. }) => {
            let closed = closed(network, assertion);
            check_states(claim, &Composition::new(&closed), property, budget)
        }
        (BehaviourRef::Program(program), Property::Assertion { assertion, .. }) => {
            let closed = closed_program(program, assertion);
            check_states(claim, &Interpreter::new(&closed), property, budget)
        }
        (BehaviourRef::Network(network), _) => match check_parts(claim, network, property, budget) {
            Some(judged) => judged,
            None => check_states(claim, &Composition::new(network), property, budget),
        },
        (BehaviourRef::Program(program), _) => match (property, &claim.evidence) {
            // Programs have no way to declare observers, so none can be set aside.
            (Property::Unbroken { components, observers: [], .. }, Evidence::Invariant { states }) => {
                invariant::check_units(&Interpreter::new(program), components, states, budget)
            }
            (Property::Commitment { commitment, scheduling }, Evidence::Measures { measures }) => {
                let program = Interpreter::new(program);
                commitment::check_commitment(&program, (commitment, scheduling), measures, budget)
            }
            _ => check_states(claim, &Interpreter::new(program), property, budget),
        },
    }
}

/// Judges evidence about the reachable states of a behaviour, which has all actions of the property.
fn check_states(
    claim: &Claim,
    semantics: &impl Semantics,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    match (property, &claim.evidence) {
        (Property::Deadlock, Evidence::Invariant { states }) => {
            invariant::check_deadlock(semantics, states, budget)
        }
        (Property::Safety, Evidence::Invariant { states }) => {
            invariant::check_safety(semantics, states, budget)
        }
        (Property::Divergence, Evidence::Ranks { states }) => {
            divergence::check_divergence(semantics, states, budget)
        }
        (Property::Progress { condition, actions, .. }, Evidence::Ranks { states }) => {
            progress::check_progress(semantics, *condition, actions, states, budget)
        }
        (Property::EveryAction, Evidence::Ranks { states }) => {
            progress::check_every_action(semantics, states, budget)
        }
        (Property::Assertion { assertion, fairness }, Evidence::Automata { conjuncts }) => {
            ltl::check_assertion(semantics, (assertion, *fairness), conjuncts, budget)
        }
        _ => Err(Rejection::WrongEvidence),
    }
}

/// Whether a claim says of a behaviour that it has a property. Its evidence is not looked at.
///
/// # Errors
/// What it is about instead.
pub fn is_about<'b>(
    claim: &Claim,
    behaviour: impl Into<BehaviourRef<'b>>,
    property: &Property<'_>,
) -> Result<(), Rejection> {
    check_model(claim, behaviour.into())?;
    check_statement(claim, property.kind(), (property.name(), property.statement()))
}

/// Judges evidence about the parts of a network; `None` if it is of another kind.
fn check_parts(
    claim: &Claim,
    network: &Network,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Option<Result<(), Rejection>> {
    let goal = |components, observers| Goal::new(network, components, observers);
    Some(match (property, &claim.evidence) {
        (Property::Safety, Evidence::Interface(proof)) => interface::check_interface(network, proof, budget),
        (Property::Unbroken { components, observers, .. }, Evidence::Composition(decomposition)) => {
            goal(components, observers)
                .and_then(|goal| decomposition::check_decomposition(network, &goal, decomposition, budget))
        }
        (Property::Unbroken { components, observers, .. }, Evidence::Flow(proof)) => {
            goal(components, observers).and_then(|goal| flow::check_flow(network, &goal, proof, budget))
        }
        (Property::Unbroken { components, observers, .. }, Evidence::Reduction(proof)) => {
            goal(components, observers)
                .and_then(|goal| reduction::check_reduction(network, &goal, proof, budget))
        }
        _ => return None,
    })
}

/// Checks that the claim is about this behaviour.
fn check_model(claim: &Claim, behaviour: BehaviourRef<'_>) -> Result<(), Rejection> {
    let (claimed, here) = (claim.behaviour, Behaviour::of(behaviour));
    if claimed != here {
        return Err(Rejection::AnotherModel(format!("it is about a {claimed}, not a {here}")));
    }
    let (part, rest) = match here {
        Behaviour::Network => ("component", "its priority or hiding is another one"),
        Behaviour::Program => ("unit", "its variables, ticks, end or hiding are others"),
    };
    let identities = Identity::all(behaviour);
    if claim.components.len() != identities.len() {
        let (claimed, here) = (claim.components.len(), identities.len());
        return Err(Rejection::AnotherModel(format!("it has {claimed} {part}s, not {here}")));
    }
    for (claimed, here) in claim.components.iter().zip(&identities) {
        if claimed != here {
            let what = match claimed.name == here.name {
                true => format!("{part} {} is another one", here.name),
                false => format!("{part} {} is in the place of {}", claimed.name, here.name),
            };
            return Err(Rejection::AnotherModel(what));
        }
    }
    match claim.operators == Identity::rest(behaviour) {
        true => Ok(()),
        false => Err(Rejection::AnotherModel(rest.to_owned())),
    }
}

/// Checks that the claim has this kind, this name, and this statement.
fn check_statement(claim: &Claim, kind: Kind, (name, statement): (&str, String)) -> Result<(), Rejection> {
    if claim.kind == kind && claim.property == name && claim.statement == statement {
        return Ok(());
    }
    let claimed = format!("{}: {}", claim.property, claim.statement);
    Err(Rejection::AnotherProperty { claimed, declared: format!("{name}: {statement}") })
}

#[cfg(test)]
mod tests;
