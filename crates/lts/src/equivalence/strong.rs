//! Strong bisimilarity.
//!
//! **Problem.** The coarsest partition, finer than a given one, in which two states of a block have transitions with
//! the same labels into the same blocks. τ is a label like any other.
//!
//! **Source.** Signatures first, see `signature.rs`; then splitters [Paige, Tarjan 1987], with labels as in
//! [Valmari 2009].
//!
//! **Idea.** Most systems are stable after a few rounds of signatures. Those that are not after O(m log n) steps,
//! because differences are many steps away, are left to splitters, which start from the partition that was reached.
//! Keep the partition stable under *bunches* of transitions: in each block either all states have a transition in the
//! bunch or none has. While some bunch has transitions with two labels or into two blocks, split off a slice S of at
//! most half of it. A block is then split three ways, by whether its states have transitions in S only, in both parts,
//! or in the rest only. Counters of transitions per state and bunch find the states with transitions in S only by
//! looking at S alone.
//!
//! **Invariants.** The partition is stable under every bunch; slices are the transitions of a bunch with one label into
//! one block.
//!
//! **Complexity.** O(m log n) time and O(m) memory for n states and m transitions: a transition is looked at when its
//! slice is at most half of its bunch, or when its target moves to a block of at most half the size.
//!
//! **Callers.** [`super::minimise`] and [`super::compare`]; the trace and safety equivalences use it on deterministic
//! systems, where it is Hopcroft's algorithm.

use rely_base::{Budget, Exhausted, StateId};

use super::{
    bunch::{Bunches, Counters},
    graph::{Graph, Meter},
    partition::{Partition, Refinable, narrow},
    signature::{self, mix, work_limit},
};
use crate::Lts;

/// The coarsest strong bisimulation that is finer than the initial partition, on all states.
///
/// # Errors
/// When the budget is used up.
pub(super) fn partition(lts: &Lts, initial: &Partition, budget: &Budget<'_>) -> Result<Partition, Exhausted> {
    let limit = work_limit(lts.state_count() + lts.transition_count());
    partition_within(lts, initial, limit, mix, budget)
}

/// The partition as [`partition`] computes it, with at most `limit` steps by signatures, for which `hash` is used.
pub(super) fn partition_within(
    lts: &Lts,
    initial: &Partition,
    limit: usize,
    hash: impl Fn(u32, u32) -> u64 + Sync,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let refined = signature::refine(lts, initial, limit, hash, budget)?;
    if refined.is_stable {
        return Ok(refined.partition);
    }
    by_splitters(lts, &refined.partition, &budget.after_holding(lts.bytes()))
}

/// The partition as [`partition`] computes it, by splitters alone.
fn by_splitters(lts: &Lts, initial: &Partition, budget: &Budget<'_>) -> Result<Partition, Exhausted> {
    let graph = Graph::new(lts)?;
    let mut runner = Runner::new(&graph, initial, budget);
    for block in 0..narrow(runner.blocks.set_count()) {
        runner.split_slices_into(block)?;
    }
    runner.run()?;
    let block_count = runner.blocks.set_count();
    Ok(Partition::from_classes(&runner.blocks.into_classes(), block_count))
}

struct Runner<'a> {
    graph: &'a Graph,
    /// The current partition of the states.
    blocks: Refinable,
    bunches: Bunches,
    counters: Counters,
    meter: Meter<'a>,
}

impl<'a> Runner<'a> {
    fn new(graph: &'a Graph, initial: &Partition, budget: &'a Budget<'a>) -> Self {
        // Stable under the bunch of all transitions: states without transitions are separate from the others.
        let class = |state: u32| {
            2 * initial.block(StateId::from_raw(state)).raw() + u32::from(graph.outgoing(state).is_empty())
        };
        let class_count = 2 * initial.block_count();
        let blocks = Refinable::new((0..narrow(graph.state_count())).map(class).collect(), class_count);
        Self {
            graph,
            bunches: Bunches::new(graph, |_| false),
            counters: Counters::new(graph, |_| false),
            blocks,
            meter: Meter::of_refinement(budget, graph),
        }
    }

    fn run(&mut self) -> Result<(), Exhausted> {
        let mut small = Vec::new();
        while self.bunches.split_bunch(&mut small) {
            self.counters.move_to_new_bunch(self.graph, &small);
            // First by the states with transitions in the small slice, then by those of them with no others in the
            // old bunch.
            self.split_blocks(&small, |_, _| true)?;
            self.split_blocks(&small, Counters::moved_all)?;
        }
        Ok(())
    }
}

impl Runner<'_> {
    /// Splits each block by whether its states are a source of one of the transitions and satisfy `chosen`.
    fn split_blocks(
        &mut self,
        transitions: &[u32],
        is_chosen: impl Fn(&Counters, u32) -> bool,
    ) -> Result<(), Exhausted> {
        for &transition in transitions {
            let source = self.graph.source[transition as usize];
            if is_chosen(&self.counters, source) {
                self.blocks.mark(source);
            }
        }
        self.meter.tick(transitions.len())?;
        while let Some(block) = self.blocks.next_touched() {
            if let Some(new) = self.blocks.split_smaller(block) {
                self.split_slices_into(new)?;
            }
        }
        Ok(())
    }

    /// Restores that the transitions of a slice lead into one block, after a block was split off.
    fn split_slices_into(&mut self, block: u32) -> Result<(), Exhausted> {
        for &state in self.blocks.elements(self.blocks.range(block)) {
            for &transition in self.graph.incoming(state) {
                self.bunches.mark(transition);
            }
            self.meter.tick(1 + self.graph.incoming(state).len())?;
        }
        self.bunches.split_slices();
        Ok(())
    }
}
