//! Breaking cycles: which arrows should point against the direction of reading.
//!
//! **Problem.** The layers need a graph without cycles, so some arrows have to be turned around. They should be few,
//! and a reader should find that they go *back*: no path from the initial state begins with one.
//!
//! **Idea.** An arrow that is on no cycle never has to be turned around. For the others, order the states by
//! breadth-first search from the initial one, and turn around the arrows that lead backward in that order: to states
//! that are reached in fewer steps. Depth-first search would turn around fewer arrows, but it makes one long chain of
//! a product of small cycles, where breadth-first search shows the cycles side by side.
//!
//! Arrows from unreachable states to reachable ones are turned around in any case, so that the initial state stands
//! first.
//!
//! **Invariants.** After turning around there is no cycle: along one, all arrows would be within one strongly
//! connected component of the original graph, and lead forward in the order. Nothing points at the initial state.
//!
//! **Complexity.** O(b · m) for b backward arrows of m.

use std::collections::VecDeque;

use rely_base::{Id, StateId};

use crate::graph::{Arrow, Graph};

/// For each arrow, whether it is turned around. Self-loops are not.
pub(crate) fn reversed(graph: &Graph) -> Vec<bool> {
    let mut successors = vec![Vec::new(); graph.nodes.len()];
    for (_, arrow) in graph.proper_arrows() {
        successors[arrow.source.index()].push(arrow.target);
    }
    let order = breadth_first_order(graph.initial, &successors);
    let is_backward = |arrow: &Arrow| order.rank[arrow.source.index()] > order.rank[arrow.target.index()];
    let enters = |arrow: &Arrow| !order.is_reachable(arrow.source) && order.is_reachable(arrow.target);
    let is_reversed = |arrow: &Arrow| {
        is_backward(arrow) && (enters(arrow) || reaches(&successors, arrow.target, arrow.source))
    };
    graph.arrows.iter().map(is_reversed).collect()
}

/// The number of each state in breadth-first order; unreachable states come last.
struct BreadthFirst {
    rank: Vec<usize>,
    /// How many states are reachable: those of lower rank.
    reachable: usize,
}

impl BreadthFirst {
    fn is_reachable(&self, state: StateId) -> bool {
        self.rank[state.index()] < self.reachable
    }
}

fn breadth_first_order(initial: StateId, successors: &[Vec<StateId>]) -> BreadthFirst {
    let mut rank = vec![usize::MAX; successors.len()];
    let (mut next, mut reachable) = (0, 0);
    let mut queue = VecDeque::new();
    for root in std::iter::once(initial).chain((0..successors.len()).map(StateId::from_index)) {
        queue.push_back(root);
        while let Some(state) = queue.pop_front() {
            if rank[state.index()] == usize::MAX {
                rank[state.index()] = next;
                next += 1;
                queue.extend(&successors[state.index()]);
            }
        }
        if reachable == 0 {
            reachable = next;
        }
    }
    BreadthFirst { rank, reachable }
}

fn reaches(successors: &[Vec<StateId>], from: StateId, to: StateId) -> bool {
    let mut seen = vec![false; successors.len()];
    seen[from.index()] = true;
    let mut stack = vec![from];
    while let Some(state) = stack.pop() {
        if state == to {
            return true;
        }
        for &successor in &successors[state.index()] {
            if !std::mem::replace(&mut seen[successor.index()], true) {
                stack.push(successor);
            }
        }
    }
    false
}
