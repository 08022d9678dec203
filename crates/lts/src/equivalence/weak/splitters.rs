//! Weak bisimilarity by splitters.
//!
//! **Source.** Partition refinement by splitters [Kanellakis, Smolka 1990], where the predecessors of a splitter are
//! searched instead of being read from a saturated system.
//!
//! **Idea.** For a splitter B the states with s ⇒ B are found backwards from B, those with s ⇒ -a-> ⇒ B backwards from the
//! sources of a-transitions to the former; each of these sets splits every block that it cuts.
//!
//! **Invariants.** The partition is never finer than weak bisimilarity. It is stable under every block that is not in
//! the queue.
//!
//! **Complexity.** O(n·(m + labels·silent transitions)) time at worst and O(m) memory: a block is a splitter once, and a
//! search visits the states that can reach it.

use std::collections::VecDeque;

use rely_base::{Budget, Exhausted};

use super::super::{
    graph::{Graph, Meter},
    partition::{Partition, Refinable, narrow},
};

/// The coarsest weak bisimulation that is finer than some classes.
///
/// # Errors
/// When the budget is used up.
pub(super) fn refine(
    graph: &Graph,
    classes: Vec<u32>,
    class_count: usize,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    Runner::new(graph, classes, class_count, budget).run()
}

struct Runner<'a> {
    graph: &'a Graph,
    blocks: Refinable,
    /// The blocks that are to be splitters, each once; first in, first out, so that blocks are split further while they
    /// wait.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// The states that were found by a backward search; all false between two searches.
    is_found: Vec<bool>,
    meter: Meter<'a>,
}

impl<'a> Runner<'a> {
    fn new(graph: &'a Graph, classes: Vec<u32>, class_count: usize, budget: &'a Budget<'a>) -> Self {
        Self {
            graph,
            blocks: Refinable::new(classes, class_count),
            queue: (0..narrow(class_count)).collect(),
            is_queued: vec![true; class_count],
            is_found: vec![false; graph.state_count()],
            meter: Meter::of_refinement(budget, graph),
        }
    }

    fn run(mut self) -> Result<Partition, Exhausted> {
        let mut silent = Vec::new();
        let mut sources = Vec::new();
        let mut visible = Vec::new();
        // Often every state is a block of its own already; then there is nothing to split.
        while self.blocks.set_count() < self.graph.state_count()
            && let Some(splitter) = self.queue.pop_front()
        {
            self.is_queued[splitter as usize] = false;
            silent.clear();
            silent.extend_from_slice(self.blocks.elements(self.blocks.range(splitter)));
            self.close_backwards(&mut silent)?;
            self.split_by(&silent);
            self.collect_sources(&silent, &mut sources)?;
            for group in sources.chunk_by(|left, right| left.0 == right.0) {
                visible.clear();
                visible.extend(group.iter().map(|&(_, source)| source));
                self.close_backwards(&mut visible)?;
                self.split_by(&visible);
            }
        }
        let block_count = self.blocks.set_count();
        Ok(Partition::from_classes(&self.blocks.into_classes(), block_count))
    }
}

impl Runner<'_> {
    /// Adds all states that can reach one of `states` by silent transitions. The given states are distinct.
    fn close_backwards(&mut self, states: &mut Vec<u32>) -> Result<(), Exhausted> {
        for &state in &*states {
            self.is_found[state as usize] = true;
        }
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            next += 1;
            let incoming = self.graph.incoming(state).iter();
            // The silent ones come first.
            for &transition in incoming.take_while(|&&t| self.graph.label[t as usize] == 0) {
                let source = self.graph.source[transition as usize];
                if !std::mem::replace(&mut self.is_found[source as usize], true) {
                    states.push(source);
                }
            }
        }
        for &state in &*states {
            self.is_found[state as usize] = false;
        }
        self.meter.tick(1 + states.len())
    }

    /// Puts the visible transitions into some states into `sources`, as pairs of label and source, sorted and without
    /// duplicates.
    fn collect_sources(&mut self, states: &[u32], sources: &mut Vec<(u32, u32)>) -> Result<(), Exhausted> {
        sources.clear();
        for &state in states {
            let incoming = self.graph.incoming(state).iter().map(|&t| t as usize);
            let visible = incoming.filter(|&t| self.graph.label[t] != 0);
            sources.extend(visible.map(|t| (self.graph.label[t], self.graph.source[t])));
        }
        sources.sort_unstable();
        sources.dedup();
        self.meter.tick(1 + states.len() + sources.len())
    }

    /// Splits every block into its states in a set and the others. Both parts are to be splitters: that a block is
    /// stable under their union implies nothing for either part.
    fn split_by(&mut self, states: &[u32]) {
        for &state in states {
            if self.blocks.range(self.blocks.set_of(state)).len() > 1 {
                self.blocks.mark(state);
            }
        }
        while let Some(block) = self.blocks.next_touched() {
            if let Some(new) = self.blocks.split_smaller(block) {
                self.is_queued.push(true);
                self.queue.push_back(new);
                if !std::mem::replace(&mut self.is_queued[block as usize], true) {
                    self.queue.push_back(block);
                }
            }
        }
    }
}
