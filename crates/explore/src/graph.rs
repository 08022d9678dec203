//! The reachable graph of a system, kept for analyses that look at cycles.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_lts::{ComponentId, Edge};
use rustc_hash::FxHashMap;

use crate::{Outcome, Search, System, Visitor};

/// The reachable states and transitions of a system; state 0 is initial, and states are numbered breadth first.
///
/// Transitions into the error state are kept apart: the error state is no node of the graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The edges of state `s` are `edges[offsets[s] .. offsets[s + 1]]`.
    offsets: Vec<usize>,
    edges: Vec<Edge>,
    /// The first transition into the error state: its source, unless the initial state is the error state, its label,
    /// and the component.
    error: Option<(Option<StateId>, Label, ComponentId)>,
    /// The first transition out of the bounds of what is explored: its source, its label, and the unit.
    cut: Option<(StateId, Label, ComponentId)>,
    /// The states that have a transition into the error state or out of the bounds, in order.
    failing: Vec<StateId>,
}

impl Graph {
    /// Explores a system and keeps its graph; the search is returned for its states and traces.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn explore<'s, S: System>(
        system: &'s S,
        budget: &Budget<'_>,
    ) -> Result<(Self, Search<'s, S>), Exhausted> {
        let (graph, search, _) = Self::explore_some(system, usize::MAX, budget)?;
        Ok((graph, search))
    }

    /// Explores until soon after `transitions` transitions have been seen. States not expanded by then are not in the
    /// graph, though edges may lead to them.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn explore_some<'s, S: System>(
        system: &'s S,
        transitions: usize,
        budget: &Budget<'_>,
    ) -> Result<(Self, Search<'s, S>, Outcome), Exhausted> {
        let mut search = Search::new(system);
        let mut graph = Self { offsets: vec![0], ..Self::default() };
        let outcome = search.run_for(transitions, budget, &mut graph)?;
        Ok((graph, search, outcome))
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether a state belongs to the graph. If exploration was paused, edges may lead to states that do not.
    #[inline]
    pub fn has(&self, state: StateId) -> bool {
        state.index() < self.state_count()
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.state_count()).map(StateId::from_index)
    }

    /// The transitions out of a state, in the system's order.
    #[inline]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.offsets[state.index()]..self.offsets[state.index() + 1]]
    }

    /// How many transitions there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The first transition into the error state: its source, its label and the component; without a source if the
    /// initial state is the error state.
    pub fn error(&self) -> Option<(Option<StateId>, Label, ComponentId)> {
        self.error
    }

    /// The first transition out of the bounds of what is explored: its source, its label and the unit.
    pub fn cut(&self) -> Option<(StateId, Label, ComponentId)> {
        self.cut
    }

    /// Whether a state has a transition into the error state, or out of the bounds of what is explored.
    pub fn is_failing(&self, state: StateId) -> bool {
        self.failing.binary_search(&state).is_ok()
    }

    fn note_failing(&mut self, state: StateId) {
        if self.failing.last() != Some(&state) {
            self.failing.push(state);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<usize>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.failing.capacity() * size_of::<StateId>()
    }

    /// A shortest path, as edges, from a state to one that satisfies `goal`, through edges that `allowed` lets pass; at
    /// least one edge long. Nothing if there is none.
    pub fn shortest_path(
        &self,
        source: StateId,
        allowed: impl Fn(StateId, &Edge) -> bool,
        goal: impl Fn(StateId, &Edge) -> bool,
    ) -> Option<Vec<Edge>> {
        // For each state found, the state before it and the edge between them.
        let mut before: FxHashMap<StateId, (StateId, Edge)> = FxHashMap::default();
        let mut queue = VecDeque::from([source]);
        while let Some(state) = queue.pop_front() {
            for edge in self.edges(state) {
                if !allowed(state, edge) {
                    continue;
                }
                if goal(state, edge) {
                    let mut path = vec![*edge];
                    let mut current = state;
                    while current != source {
                        let (previous, edge) = before[&current];
                        path.push(edge);
                        current = previous;
                    }
                    path.reverse();
                    return Some(path);
                }
                if edge.target != source && !before.contains_key(&edge.target) {
                    before.insert(edge.target, (state, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        None
    }
}

impl Visitor for Graph {
    fn transition(&mut self, _source: StateId, label: Label, target: StateId) {
        self.edges.push(Edge { label, target });
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.error.get_or_insert((source, label, component));
        if let Some(source) = source {
            self.note_failing(source);
        }
    }

    fn cut(&mut self, source: StateId, label: Label, component: ComponentId) {
        self.cut.get_or_insert((source, label, component));
        self.note_failing(source);
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        self.offsets.push(self.edges.len());
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}
