//! Judging claims.
//!
//! Evidence about all reachable states starts with an *inductive invariant*, a set of states that
//! - has the initial state in it (initiation), and
//! - has every successor of its states in it (consecution);
//!
//! so all reachable states are in it. The rest of each rule says something about every state of the set and its steps,
//! and so about every reachable state. See `invariant.rs`, `progress.rs`, `divergence.rs` and `ltl.rs`.
//!
//! A proof by decomposition has no such set: what it says about parts of the network is searched (`decomposition.rs`,
//! `interface.rs`). Refinement of interface automata is shown by a set of pairs of states (`simulation.rs`).

pub(crate) mod acceptance;
mod continuations;
mod decomposition;
mod divergence;
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
pub use goal::uncovered;
pub use search::is_searched_within;
pub use simulation::check_refinement;

use rely_base::{Budget, Progress};
use rely_lts::Network;

use self::goal::Goal;
use crate::semantics::network::Composition;
use crate::{Claim, Digest, Evidence, Identity, Kind, Property, Rejection};

/// Judges the claim that a property holds for a network.
///
/// # Errors
/// Why the claim is not proved, or the limit that was met.
pub fn check(
    claim: &Claim,
    network: &Network,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    budget.check(&Progress::default())?;
    check_model(claim, network)?;
    check_statement(claim, property.kind(), (property.name(), property.statement()))?;
    let composition = Composition::new(network);
    match (property, &claim.evidence) {
        (Property::Deadlock, Evidence::Invariant { states }) => {
            invariant::check_deadlock(&composition, states, budget)
        }
        (Property::Safety, Evidence::Invariant { states }) => {
            invariant::check_safety(&composition, states, budget)
        }
        (Property::Safety, Evidence::Interface(proof)) => interface::check_interface(network, proof, budget),
        (Property::Divergence, Evidence::Ranks { states }) => {
            divergence::check_divergence(&composition, states, budget)
        }
        (Property::Progress { condition, actions, .. }, Evidence::Ranks { states }) => {
            progress::check_progress(&composition, *condition, actions, states, budget)
        }
        (Property::EveryAction, Evidence::Ranks { states }) => {
            progress::check_every_action(&composition, states, budget)
        }
        (Property::Assertion { assertion, fairness }, Evidence::Automata { conjuncts }) => {
            ltl::check_assertion(network, (assertion, *fairness), conjuncts, budget)
        }
        (Property::Unbroken { components, observers, .. }, Evidence::Composition(decomposition)) => {
            let goal = Goal::new(network, components, observers)?;
            decomposition::check_decomposition(network, &goal, decomposition, budget)
        }
        (Property::Unbroken { components, observers, .. }, Evidence::Reduction(proof)) => {
            let goal = Goal::new(network, components, observers)?;
            reduction::check_reduction(network, &goal, proof, budget)
        }
        _ => Err(Rejection::WrongEvidence),
    }
}

fn check_model(claim: &Claim, network: &Network) -> Result<(), Rejection> {
    let components = network.components();
    if claim.components.len() != components.len() {
        let (claimed, here) = (claim.components.len(), components.len());
        return Err(Rejection::AnotherModel(format!("it has {claimed} components, not {here}")));
    }
    for (claimed, component) in claim.components.iter().zip(components) {
        let here = Identity::of(component);
        if *claimed != here {
            let what = match claimed.name == here.name {
                true => format!("component {} is another one", here.name),
                false => format!("component {} is in the place of {}", claimed.name, here.name),
            };
            return Err(Rejection::AnotherModel(what));
        }
    }
    match claim.operators == Digest::of_operators(network) {
        true => Ok(()),
        false => Err(Rejection::AnotherModel("its priority or hiding is another one".to_owned())),
    }
}

/// The claim is of a kind, about something with a name, and says what that says.
fn check_statement(claim: &Claim, kind: Kind, (name, statement): (&str, String)) -> Result<(), Rejection> {
    if claim.kind == kind && claim.property == name && claim.statement == statement {
        return Ok(());
    }
    let claimed = format!("{}: {}", claim.property, claim.statement);
    Err(Rejection::AnotherProperty { claimed, declared: format!("{name}: {statement}") })
}

#[cfg(test)]
mod tests;
