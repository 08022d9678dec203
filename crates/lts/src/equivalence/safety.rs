//! Safety equivalence.
//!
//! **Definition.** Two systems are *safety equivalent* if the same visible traces can lead them to π for the first
//! time. Nothing else is preserved: not what they refuse, not where they end, not what happens where π cannot be reached
//! any more.
//!
//! **Canonical form.** The minimal deterministic system that has every action of the alphabet in every state: a trace
//! that can no longer be extended to one that leads to π ends in a *sink*, which allows everything for ever. As a
//! property it is equivalent to the given system; composed with another system over a larger alphabet it constrains
//! nothing but what leads to π.
//!
//! **Idea.** States from which π cannot be reached contribute no trace: they are dropped, the rest is determinised, where
//! a set that contains π is π, and missing transitions are completed to the sink.
//!
//! **Complexity.** That of the subset construction.
//!
//! **Callers.** [`super::minimise`] and [`super::compare`]; the direct construction of weakest assumptions, step by step.

use rely_base::{Budget, Exhausted, Id, Label, StateId};

use super::{
    determinise::{Tau, determinise_reduced},
    graph::Graph,
};
use crate::{Lts, LtsBuilder};

/// A deterministic, complete system that is safety equivalent to the given one; not minimised.
pub(super) fn error_automaton(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    Ok(completed(&determinise_reduced(&without_harmless_states(lts)?, Tau::Unseen, budget)?))
}

/// The system without the transitions into states from which π cannot be reached; all states keep their numbers.
///
/// # Errors
/// When the system has more transitions than can be numbered.
pub fn without_harmless_states(lts: &Lts) -> Result<Lts, Exhausted> {
    let graph = Graph::new(lts)?;
    let mut is_harmful = vec![false; lts.state_count()];
    let mut stack: Vec<u32> = lts.error().into_iter().map(StateId::raw).collect();
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut is_harmful[state as usize], true) {
            stack.extend(graph.incoming(state).iter().map(|&t| graph.source[t as usize]));
        }
    }
    if lts.end().is_none() && lts.transitions().all(|t| is_harmful[t.target.index()]) {
        return Ok(lts.clone());
    }
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions().filter(|t| is_harmful[t.target.index()]) {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    Ok(builder.build())
}

/// The deterministic system with a transition to a sink wherever one is missing.
pub fn completed(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    let sink = builder.add_state();
    let labels = || lts.alphabet().iter().map(|(action, _)| Label::visible(action));
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        for label in labels() {
            let target = lts.edges_with(state, label).first().map_or(sink, |edge| edge.target);
            builder.add_transition(state, label, target);
        }
    }
    for label in labels() {
        builder.add_transition(sink, label, sink);
    }
    builder.build()
}
