//! Strongly connected components of the silent transitions.
//!
//! **Problem.** Number the τ-components of a system, so that every silent transition leads to a component with the same
//! or a smaller number, and say which components have a silent cycle.
//!
//! **Source.** Tarjan's algorithm with one number for each state [Pearce 2016], and with an explicit stack.
//!
//! **Idea.** The *rank* of a state is 0 before it is discovered. While its component is open, the rank is the
//! smallest order of discovery of an open state that it is known to reach. Closed components get ranks that count
//! down from the number of states, so these are never below the ranks of open states, and no separate test is needed.
//!
//! **Complexity.** O(n + m) time; ten bytes for each state and a stack of the depth of the search.
//!
//! **Callers.** Branching bisimilarity, where the states of a silent cycle are equivalent.

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};

use super::{graph::Meter, partition::narrow};
use crate::{Edge, Lts};

/// The τ-components of a system.
pub(super) struct SilentComponents {
    /// The component of each state.
    pub(super) component_of: Vec<u32>,
    /// For each component, whether it has a silent cycle, be it a loop at a single state.
    pub(super) is_divergent: Vec<bool>,
}

impl SilentComponents {
    pub(super) fn new(lts: &Lts, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let state_count = lts.state_count();
        let bytes = lts.bytes() + 2 * state_count * size_of::<u32>();
        let progress = Progress { states: state_count, bytes, ..Progress::default() };
        let mut runner = Pearce {
            lts,
            edges: lts.all_edges(),
            rank: vec![0; state_count],
            next_index: 1,
            next_component: narrow(state_count) - 1,
            waiting: Vec::new(),
            path: Vec::new(),
            is_divergent: Vec::new(),
            meter: Meter::new(budget, progress),
        };
        for root in 0..narrow(state_count) {
            if runner.rank[root as usize] == 0 {
                runner.discover(root);
                runner.search()?;
            }
        }
        let mut component_of = runner.rank;
        for component in &mut component_of {
            *component = narrow(state_count) - 1 - *component;
        }
        Ok(Self { component_of, is_divergent: runner.is_divergent })
    }

    pub(super) fn count(&self) -> usize {
        self.is_divergent.len()
    }

    /// Bytes held by the tables.
    pub(super) fn bytes(&self) -> usize {
        self.component_of.capacity() * size_of::<u32>() + self.is_divergent.capacity()
    }
}

struct Pearce<'a> {
    lts: &'a Lts,
    edges: &'a [Edge],
    /// The rank of each state.
    rank: Vec<u32>,
    /// The order of discovery of the next state, among the open ones.
    next_index: u32,
    /// The rank that the states of the next component will have.
    next_component: u32,
    /// States that have been left and whose component is open.
    waiting: Vec<u32>,
    /// The depth-first path.
    path: Vec<Visit>,
    is_divergent: Vec<bool>,
    meter: Meter<'a>,
}

/// A state on the path.
struct Visit {
    state: u32,
    /// The transitions that have not been followed; the first visible one ends them.
    rest: std::ops::Range<usize>,
    /// Whether no open state before it is known to be reachable.
    is_root: bool,
    /// Whether it has a silent loop.
    loops: bool,
}

impl Pearce<'_> {
    fn discover(&mut self, state: u32) {
        self.rank[state as usize] = self.next_index;
        self.next_index += 1;
        let rest = self.lts.edge_range(StateId::from_raw(state));
        self.path.push(Visit { state, rest, is_root: true, loops: false });
    }

    /// Follows the path until it is empty.
    fn search(&mut self) -> Result<(), Exhausted> {
        while let Some(visit) = self.path.last_mut() {
            let silent = visit.rest.next().map(|i| self.edges[i]).filter(|edge| edge.label == Label::TAU);
            self.meter.tick(1)?;
            let Some(edge) = silent else {
                self.leave();
                continue;
            };
            let rank = self.rank[edge.target.index()];
            if rank == 0 {
                self.discover(edge.target.raw());
            } else if rank < self.rank[visit.state as usize] {
                self.rank[visit.state as usize] = rank;
                visit.is_root = false;
            } else {
                visit.loops |= edge.target.raw() == visit.state;
            }
        }
        Ok(())
    }

    /// Leaves the last state of the path, all silent transitions of which were followed.
    fn leave(&mut self) {
        let visit = self.path.pop().expect("the path has a state that is left");
        if visit.is_root {
            self.close(&visit);
        } else {
            self.waiting.push(visit.state);
        }
        let rank = self.rank[visit.state as usize];
        if let Some(parent) = self.path.last_mut()
            && rank < self.rank[parent.state as usize]
        {
            self.rank[parent.state as usize] = rank;
            parent.is_root = false;
        }
    }

    /// Closes the component of a root: it consists of the root and the waiting states that were discovered after it.
    fn close(&mut self, root: &Visit) {
        let mut is_divergent = root.loops;
        self.next_index -= 1;
        while let Some(state) =
            self.waiting.pop_if(|state| self.rank[root.state as usize] <= self.rank[*state as usize])
        {
            self.rank[state as usize] = self.next_component;
            self.next_index -= 1;
            is_divergent = true;
        }
        self.rank[root.state as usize] = self.next_component;
        // The last component gets rank 0, and no other follows.
        self.next_component = self.next_component.saturating_sub(1);
        self.is_divergent.push(is_divergent);
    }
}
