//! Divergence: can a behaviour go on for ever without an action that is seen from outside?
//!
//! Idea: exactly if a cycle of silent steps is reachable; a silent step is one that has no action or a hidden one. So
//! look for a strongly connected component with an edge inside it in the graph that has only the silent edges.
//!
//! Cost: time O(states + transitions), memory 8 bytes per transition besides the search.

use rely_base::{Budget, Label, StateId};
use rely_explore::{Composite, Graph, Machine, Product, SccIndex};
use rely_lts::{BehaviourRef, Edge};

use crate::counterexample::{Storyteller, steps_to};
use crate::{Counterexample, Decision, Ending, Explored, Limit, ReplayError, Unknown};

/// Looks for a shortest trace to a cycle of silent steps. Fairness is not assumed.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_divergence<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    match behaviour.into() {
        BehaviourRef::Network(network) => check_system(&Product::transparent(network), budget),
        BehaviourRef::Program(program) => check_system(&Machine::transparent(program), budget),
    }
}

fn check_system<C: Composite>(system: &C, budget: &Budget<'_>) -> Result<Decision, ReplayError> {
    let behaviour = system.behaviour();
    let (graph, mut search) = match Graph::explore(system, budget) {
        Ok(explored) => explored,
        Err(exhausted) => return Ok(Decision::exhausted(exhausted)),
    };
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    let is_silent = |label: Label| label.action().is_none_or(|action| behaviour.is_hidden(action));
    let silent = |_: StateId, edge: &Edge| is_silent(edge.label);
    let scc = match SccIndex::new(&graph, silent, budget, search.bytes()) {
        Ok(scc) => scc,
        Err(exhausted) => return Ok(Decision::unknown(Limit::Answer(exhausted), explored)),
    };
    let recurs = |source: StateId, edge: &Edge| silent(source, edge) && scc.of(source) == scc.of(edge.target);
    let Some(state) = graph.states().find(|&s| graph.edges(s).iter().any(|edge| recurs(s, edge))) else {
        return Ok(match graph.cut() {
            Some((_, _, unit)) => Decision::unknown(Unknown::Cut(unit), explored),
            None => Decision::holds(explored, Vec::new()),
        });
    };
    let cycle = graph.shortest_path(state, recurs, |_, edge| edge.target == state);
    let cycle = cycle.expect("an edge inside a strongly connected component lies on a cycle");
    let told = steps_to(system, &mut search, state, budget, graph.bytes()).and_then(|trace| {
        let held = graph.bytes() + search.bytes();
        let story = Storyteller { system, states: search.states(), budget, held }.after(&trace);
        let cycle = story.steps(state, cycle.into_iter().map(|edge| (edge.label, edge.target)))?;
        Ok(Counterexample { cycle, ..Counterexample::new(behaviour, trace, Ending::Cycle) })
    });
    Decision::violated(behaviour, told, explored, budget)
}
