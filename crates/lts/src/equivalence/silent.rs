//! Strongly connected components of the silent transitions.
//!
//! **Problem.** Number the τ-components of a system, so that every silent transition leads to a component with the same
//! or a smaller number, and say which components have a silent cycle.
//!
//! **Source.** [Tarjan 1972], with an explicit stack.
//!
//! **Complexity.** O(n + m).
//!
//! **Callers.** Branching bisimilarity, where the states of a silent cycle are equivalent.

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};

use super::{
    graph::Meter,
    partition::{NONE, narrow},
};
use crate::Lts;

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
        let progress = Progress { states: state_count, ..Progress::default() };
        let mut runner = Tarjan {
            lts,
            index: vec![NONE; state_count],
            low: vec![0; state_count],
            next_index: 0,
            open: Vec::new(),
            path: Vec::new(),
            components: Self { component_of: vec![NONE; state_count], is_divergent: Vec::new() },
            meter: Meter::new(budget, progress),
        };
        for root in lts.states() {
            runner.search(root)?;
        }
        Ok(runner.components)
    }

    pub(super) fn count(&self) -> usize {
        self.is_divergent.len()
    }
}

struct Tarjan<'a> {
    lts: &'a Lts,
    /// The order of discovery; `NONE` for states not yet discovered.
    index: Vec<u32>,
    /// The smallest index of an open state known to be reachable.
    low: Vec<u32>,
    next_index: u32,
    /// Discovered states whose component is not complete.
    open: Vec<StateId>,
    /// The depth-first path, with the number of silent transitions that were followed.
    path: Vec<(StateId, usize)>,
    components: SilentComponents,
    meter: Meter<'a>,
}

impl Tarjan<'_> {
    fn search(&mut self, root: StateId) -> Result<(), Exhausted> {
        if self.index[root.index()] == NONE {
            self.discover(root);
        }
        while let Some((state, followed)) = self.path.last_mut() {
            let state = *state;
            // Silent transitions come first.
            let edge = self.lts.edges(state).get(*followed).filter(|edge| edge.label == Label::TAU);
            *followed += 1;
            self.meter.tick(1)?;
            match edge {
                Some(edge) if self.index[edge.target.index()] == NONE => self.discover(edge.target),
                Some(edge) if self.components.component_of[edge.target.index()] == NONE => {
                    self.low[state.index()] = self.low[state.index()].min(self.index[edge.target.index()]);
                }
                Some(_) => {}
                None => self.leave(state),
            }
        }
        Ok(())
    }

    fn discover(&mut self, state: StateId) {
        self.index[state.index()] = self.next_index;
        self.low[state.index()] = self.next_index;
        self.next_index += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    /// All silent transitions of the last state of the path were followed.
    fn leave(&mut self, state: StateId) {
        self.path.pop();
        let low = self.low[state.index()];
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent.index()] = self.low[parent.index()].min(low);
        }
        if low == self.index[state.index()] {
            self.close(state);
        }
    }

    /// The open states from `root` on are a component.
    fn close(&mut self, root: StateId) {
        let component = narrow(self.components.is_divergent.len());
        let loops = self.lts.edges_with(root, Label::TAU).iter().any(|edge| edge.target == root);
        let is_single = self.open.last() == Some(&root);
        self.components.is_divergent.push(loops || !is_single);
        while let Some(state) = self.open.pop() {
            self.components.component_of[state.index()] = component;
            if state == root {
                break;
            }
        }
    }
}
