//! The data from which certificates are written, made on request only.
//!
//! For deadlock and safety the reachable states are an inductive invariant: the initial state is among them, they are
//! closed under transitions, and none is a deadlock or leads to an error. For progress each reachable state gets a
//! rank that some transition decreases, which shows that an action of the set stays possible from everywhere.

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Composite, Graph, Machine, Product, Search};
use rely_lts::{BehaviourRef, Network};

use crate::ProgressProperty;

/// The reachable states of a network, each as the states of its components; the first is the initial one.
///
/// # Errors
/// The limit of the budget that was met.
pub fn invariant(network: &Network, budget: &Budget<'_>) -> Result<Vec<Vec<u32>>, Exhausted> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    search.run(budget, &mut ())?;
    let states = search.into_states();
    Ok((0..states.len()).map(|i| product.numbers(states.get(StateId::from_index(i)))).collect())
}

/// A reachable state with its distance to progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedState {
    /// The states of the components, or the positions of the slots' values.
    pub components: Vec<u32>,
    /// Rank 0: no action of the condition of the property can ever occur again; these states are closed under
    /// transitions. Rank r > 0: some transition leads to a state of rank r − 1, or r is 1 and some transition is
    /// labelled from the set. Nothing: the property is violated.
    pub rank: Option<u32>,
}

/// The reachable states of a behaviour, each with its distance to a transition of the set of a progress property, or
/// to a state after which the condition of the property cannot occur any more.
///
/// # Errors
/// The limit of the budget that was met.
pub fn progress_ranks<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    property: &ProgressProperty,
    budget: &Budget<'_>,
) -> Result<Vec<RankedState>, Exhausted> {
    match behaviour.into() {
        BehaviourRef::Network(network) => ranks_of(&Product::transparent(network), property, budget),
        BehaviourRef::Program(program) => ranks_of(&Machine::transparent(program), property, budget),
    }
}

/// The ranks of [`progress_ranks`], for the system of a behaviour.
pub(crate) fn ranks_of<C: Composite>(
    system: &C,
    property: &ProgressProperty,
    budget: &Budget<'_>,
) -> Result<Vec<RankedState>, Exhausted> {
    let (graph, search) = Graph::explore(system, budget)?;
    let has = |names: &[String], label: Label| {
        label.action().is_some_and(|action| names.iter().any(|name| name == system.alphabet().name(action)))
    };
    let sources = Sources::of(&graph);
    let leads_to =
        |names: &[String], state: StateId| graph.edges(state).iter().any(|edge| has(names, edge.label));
    let mut start: Vec<Option<u32>> = vec![None; graph.state_count()];
    if let Some(condition) = &property.condition {
        let now = graph.states().map(|state| leads_to(condition, state).then_some(0)).collect();
        let possible = sources.distances(now);
        start = possible.into_iter().map(|possible| possible.is_none().then_some(0)).collect();
    }
    for state in graph.states().filter(|&state| leads_to(&property.actions, state)) {
        start[state.index()].get_or_insert(1);
    }
    let ranks = sources.distances(start).into_iter().enumerate();
    let words = |i: usize| search.states().get(StateId::from_index(i));
    Ok(ranks.map(|(i, rank)| RankedState { components: system.numbers(words(i)), rank }).collect())
}

/// The edges of a graph, reversed: the sources of edges into state `s` are `sources[offsets[s] .. offsets[s + 1]]`.
pub(crate) struct Sources {
    offsets: Vec<usize>,
    sources: Vec<StateId>,
}

impl Sources {
    /// All edges.
    pub(crate) fn of(graph: &Graph) -> Self {
        Self::within(graph, |_, _| true)
    }

    /// The edges whose source and target are `allowed`.
    pub(crate) fn within(graph: &Graph, allowed: impl Fn(StateId, StateId) -> bool) -> Self {
        let edges = |state: StateId| {
            let targets = graph.edges(state).iter().map(|edge| edge.target);
            targets.filter(|&target| allowed(state, target)).map(Id::index).collect::<Vec<usize>>()
        };
        let mut offsets = vec![0; graph.state_count() + 2];
        for target in graph.states().flat_map(edges) {
            offsets[target + 2] += 1;
        }
        for i in 2..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut sources = vec![StateId::from_raw(0); offsets[graph.state_count() + 1]];
        for state in graph.states() {
            for target in edges(state) {
                let place = &mut offsets[target + 1];
                sources[*place] = state;
                *place += 1;
            }
        }
        offsets.pop();
        Self { offsets, sources }
    }

    /// For each state, the least sum of the number of steps to some state with an initial number, 0 or 1, and of this
    /// number.
    pub(crate) fn distances(&self, mut distance: Vec<Option<u32>>) -> Vec<Option<u32>> {
        let with = |wanted: u32, distance: &[Option<u32>]| -> Vec<usize> {
            (0..distance.len()).filter(|&i| distance[i] == Some(wanted)).collect()
        };
        let mut level = with(0, &distance);
        let ones = with(1, &distance);
        let mut depth = 0;
        while !level.is_empty() || depth == 0 {
            depth += 1;
            let mut next = if depth == 1 { ones.clone() } else { Vec::new() };
            for state in level {
                for source in &self.sources[self.offsets[state]..self.offsets[state + 1]] {
                    if distance[source.index()].is_none() {
                        distance[source.index()] = Some(depth);
                        next.push(source.index());
                    }
                }
            }
            level = next;
        }
        distance
    }
}
