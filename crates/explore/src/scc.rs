//! Strongly connected components.
//!
//! Problem: split a graph into its maximal sets of states that reach one another.
//!
//! Source: Tarjan's algorithm [Tarjan 1972], with an explicit stack instead of recursion.
//!
//! Idea: depth first, with each state the smallest number on the stack that it is known to reach; a state that reaches
//! none smaller than itself is the root of a component, which lies on top of it on the stack.
//!
//! Invariants: components are numbered in reverse topological order: every edge leads to a component with the same or
//! a smaller number. Cost: O(states + edges) time, 16 bytes per state besides the result.
//!
//! Callers: progress, temporal logic and divergence.

use rely_base::{Budget, Exhausted, Id, Progress, StateId};
use rely_lts::Edge;

use crate::Graph;

/// The strongly connected components of a graph, numbered so that edges never lead to larger numbers.
#[derive(Clone, Debug)]
pub struct SccIndex {
    /// For each state the number of its component.
    component: Vec<u32>,
    count: usize,
}

impl SccIndex {
    /// The components of the graph that has the states and the `allowed` edges of `graph`. `held` is the number of
    /// bytes held elsewhere, which count for the budget, too.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn new(
        graph: &Graph,
        allowed: impl Fn(StateId, &Edge) -> bool,
        budget: &Budget<'_>,
        held: usize,
    ) -> Result<Self, Exhausted> {
        Tarjan::new(graph, allowed).run(budget, held)
    }

    /// How many components there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of the component of a state.
    #[inline]
    pub fn of(&self, state: StateId) -> usize {
        self.component[state.index()] as usize
    }

    /// By component, whether no edge of the graph leaves it, and none of its states has a transition into the error state. An
    /// edge to a state that the graph does not have, because its exploration has paused, may lead anywhere.
    pub fn terminal(&self, graph: &Graph) -> Vec<bool> {
        let mut terminal = vec![true; self.count];
        for state in graph.states() {
            let leaves = |edge: &Edge| !graph.has(edge.target) || self.of(edge.target) != self.of(state);
            if graph.edges(state).iter().any(leaves) || graph.is_failing(state) {
                terminal[self.of(state)] = false;
            }
        }
        terminal
    }
}

/// Marks a state that has no number yet.
const NONE: u32 = u32::MAX;

/// The run of the algorithm.
struct Tarjan<'g, F> {
    graph: &'g Graph,
    allowed: F,
    /// For each state its number in order of discovery.
    number: Vec<u32>,
    /// For each state the smallest number of a state on the stack that it is known to reach.
    low: Vec<u32>,
    /// For each state its component, when that is complete.
    component: Vec<u32>,
    /// States whose component is not complete.
    stack: Vec<StateId>,
    /// The path of the depth-first search: states, and how many of their edges have been followed.
    path: Vec<(StateId, usize)>,
    next_number: u32,
    next_component: u32,
}

impl<'g, F: Fn(StateId, &Edge) -> bool> Tarjan<'g, F> {
    fn new(graph: &'g Graph, allowed: F) -> Self {
        let unset = vec![NONE; graph.state_count()];
        Self {
            graph,
            allowed,
            number: unset.clone(),
            low: unset.clone(),
            component: unset,
            stack: Vec::new(),
            path: Vec::new(),
            next_number: 0,
            next_component: 0,
        }
    }

    fn run(mut self, budget: &Budget<'_>, held: usize) -> Result<SccIndex, Exhausted> {
        for root in self.graph.states() {
            if self.number[root.index()] == NONE {
                self.enter(root);
                self.search(budget, held)?;
            }
        }
        Ok(SccIndex { component: self.component, count: self.next_component as usize })
    }

    /// How far the run has come: the frontier are the states that have not been visited.
    fn progress(&self, held: usize) -> Progress {
        /// Three numbers of a state, its places on the stack and on the path.
        const PER_STATE: usize = 3 * size_of::<u32>() + size_of::<StateId>() + size_of::<(StateId, usize)>();
        let states = self.graph.state_count();
        Progress {
            states,
            transitions: self.graph.edge_count(),
            frontier: states - self.next_number as usize,
            bytes: held + self.graph.bytes() + states * PER_STATE,
        }
    }

    fn enter(&mut self, state: StateId) {
        self.number[state.index()] = self.next_number;
        self.low[state.index()] = self.next_number;
        self.next_number += 1;
        self.stack.push(state);
        self.path.push((state, 0));
    }

    /// Follows the edges of the last state of the path until the path is empty.
    fn search(&mut self, budget: &Budget<'_>, held: usize) -> Result<(), Exhausted> {
        while let Some((state, followed)) = self.path.last_mut() {
            let state = *state;
            let Some(edge) = self.graph.edges(state).get(*followed) else {
                if (self.number[state.index()] as usize).is_multiple_of(Budget::INTERVAL) {
                    budget.check(&self.progress(held))?;
                }
                self.leave();
                continue;
            };
            *followed += 1;
            if !self.graph.has(edge.target) || !(self.allowed)(state, edge) {
                continue;
            }
            let target = edge.target.index();
            if self.number[target] == NONE {
                self.enter(edge.target);
            } else if self.component[target] == NONE {
                self.low[state.index()] = self.low[state.index()].min(self.number[target]);
            }
        }
        Ok(())
    }

    /// Ends the visit of the last state of the path.
    fn leave(&mut self) {
        let (state, _) = self.path.pop().expect("a state is left while it is on the path");
        let low = self.low[state.index()];
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent.index()] = self.low[parent.index()].min(low);
        }
        if low != self.number[state.index()] {
            return;
        }
        loop {
            let member = self.stack.pop().expect("the root of a component is on the stack");
            self.component[member.index()] = self.next_component;
            if member == state {
                break;
            }
        }
        self.next_component += 1;
    }
}
