//! Ranks: distances to states that satisfy a goal.

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_certificate::StateTable;
use rely_explore::{Composite, Graph, SccIndex};
use rely_lts::Edge;

use super::tabulate;
use crate::ProgressProperty;
use crate::evidence::{Sources, ranks_of};

/// The reachable states with their distances to an action of the set, or to where the condition is over.
pub(super) fn to_actions<C: Composite>(
    system: &C,
    condition: Option<&[String]>,
    actions: &[String],
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let property = ProgressProperty {
        name: String::new(),
        condition: condition.map(<[String]>::to_vec),
        actions: actions.to_vec(),
    };
    let mut table = StateTable::new(system.width(), 1);
    for state in ranks_of(system, &property, budget)? {
        table.push(state.components.into_iter().chain([state.rank.unwrap_or(0)]));
    }
    table.sort();
    Ok(table)
}

/// The reachable states with their distances to the first state of a terminal component.
pub(super) fn to_terminal_components<C: Composite>(
    system: &C,
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let (graph, search) = Graph::explore(system, budget)?;
    let scc = SccIndex::new(&graph, |_, _| true, budget, search.bytes())?;
    let mut terminal = vec![true; scc.count()];
    for state in graph.states() {
        if graph.edges(state).iter().any(|edge| scc.of(edge.target) != scc.of(state)) {
            terminal[scc.of(state)] = false;
        }
    }
    let mut goals = vec![None; graph.state_count()];
    for state in graph.states() {
        if std::mem::replace(&mut terminal[scc.of(state)], false) {
            goals[state.index()] = Some(0);
        }
    }
    let distances = Sources::of(&graph).distances(goals);
    let rank = |state: StateId| distances[state.index()].expect("a terminal component is reachable");
    tabulate(system, &search, |state| [rank(state)], budget)
}

/// The reachable states with numbers that decrease along silent steps, if these form no cycle.
pub(super) fn along_silent_steps<C: Composite>(
    system: &C,
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let (graph, search) = Graph::explore(system, budget)?;
    let behaviour = system.behaviour();
    let silent =
        |_: StateId, edge: &Edge| edge.label.action().is_none_or(|action| behaviour.is_hidden(action));
    // Without cycles every component is a single state, and steps lead to components of smaller number.
    let scc = SccIndex::new(&graph, silent, budget, search.bytes())?;
    let rank = |state: StateId| u32::try_from(scc.of(state)).expect("there are fewer states");
    tabulate(system, &search, |state| [rank(state)], budget)
}
