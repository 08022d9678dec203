//! The quotient of a system by a partition.
//!
//! Its states are the blocks; its transitions are those of all states, mapped to blocks. What becomes of silent
//! transitions inside a block depends on the equivalence. The result is numbered breadth first, its initial state first
//! and π last, in an order that depends on the system and the partition only.
//!
//! The rows of the result are made one after the other from the states of each block, so the memory is that of the
//! result. Large blocks have the same few transitions many times; a small cache lets most of them be dropped before
//! they are sorted.

use rely_base::{Id, StateId};

use super::{
    partition::{NONE, Partition, narrow},
    silent::SilentComponents,
};
use crate::{Edge, Lts, lts::Special, operators::trim};

/// What happens to silent transitions inside a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SilentLoops {
    /// They become loops, as for strong bisimilarity.
    Keep,
    /// They vanish.
    Drop,
}

/// The reachable part of the quotient of a system by a partition.
///
/// The partition has to keep π and the end state apart from all other states.
pub fn quotient(lts: &Lts, partition: &Partition, loops: SilentLoops) -> Lts {
    trimmed(quotient_by_blocks(lts, partition, loops))
}

/// The quotient with the numbers of the blocks as states, unreachable ones included.
pub(super) fn quotient_by_blocks(lts: &Lts, partition: &Partition, loops: SilentLoops) -> Lts {
    build(lts, partition, |_| true, |_| loops == SilentLoops::Keep)
}

/// The reachable part of the quotient by a strong bisimulation: all states of a block have the same transitions.
pub(super) fn quotient_by_strong(lts: &Lts, partition: &Partition) -> Lts {
    if partition.block_count() == lts.state_count() {
        // Blocks are numbered in the order of their first states, so nothing changes.
        return trim(lts);
    }
    let mut block_count = 0;
    let is_first: Vec<bool> = lts
        .states()
        .map(|state| {
            let is_first = partition.block(state).index() == block_count;
            block_count += usize::from(is_first);
            is_first
        })
        .collect();
    trimmed(build(lts, partition, |state| is_first[state.index()], |_| true))
}

/// The reachable part of the quotient by a branching bisimulation. A silent transition inside a block becomes a loop
/// if `keeps_loops` holds for the component that it starts from, and vanishes otherwise.
///
/// The component with the smallest number in a block has no inert transitions to others, so it shows all that the block
/// can do.
pub(super) fn quotient_by_branching(
    lts: &Lts,
    partition: &Partition,
    components: &SilentComponents,
    keeps_loops: impl Fn(u32) -> bool,
) -> Lts {
    let component_of = |state: StateId| components.component_of[state.index()];
    let mut bottom = vec![NONE; partition.block_count()];
    for state in lts.states() {
        let bottom = &mut bottom[partition.block(state).index()];
        *bottom = component_of(state).min(*bottom);
    }
    let is_bottom = |state: StateId| component_of(state) == bottom[partition.block(state).index()];
    trimmed(build(lts, partition, is_bottom, |state| keeps_loops(component_of(state))))
}

fn trimmed(lts: Lts) -> Lts {
    if lts.is_trimmed() { lts } else { trim(&lts) }
}

/// The quotient with the transitions of those states that represent their blocks.
fn build(
    lts: &Lts,
    partition: &Partition,
    shows: impl Fn(StateId) -> bool,
    keeps_loops: impl Fn(StateId) -> bool,
) -> Lts {
    let image = |state: StateId| StateId::from_index(partition.block(state).index());
    let mut offsets = Vec::with_capacity(partition.block_count() + 1);
    let mut edges = Vec::new();
    let mut seen = Seen::new();
    let (states, ends) = states_by_block(lts, partition, shows);
    let mut start = 0;
    offsets.push(0);
    for (block, end) in ends.into_iter().enumerate() {
        let row = edges.len();
        for state in states[start..end].iter().map(|&state| StateId::from_raw(state)) {
            for edge in lts.edges(state) {
                let target = image(edge.target);
                let is_inert = edge.label.is_tau() && target.index() == block;
                let edge = Edge { label: edge.label, target };
                if (!is_inert || keeps_loops(state)) && seen.is_new(block, edge) {
                    edges.push(edge);
                }
            }
        }
        sort_from(&mut edges, row);
        offsets.push(edges.len());
        start = end;
    }
    edges.shrink_to_fit();
    let special =
        Special { initial: image(lts.initial()), error: lts.error().map(image), end: lts.end().map(image) };
    Lts::from_rows(lts.alphabet().clone(), special, offsets, edges)
}

/// The states that represent their blocks, block after block, and where each block ends.
fn states_by_block(
    lts: &Lts,
    partition: &Partition,
    shows: impl Fn(StateId) -> bool,
) -> (Vec<u32>, Vec<usize>) {
    let mut ends = vec![0; partition.block_count()];
    for state in lts.states().filter(|&state| shows(state)) {
        ends[partition.block(state).index()] += 1;
    }
    let mut end = 0;
    for count in &mut ends {
        let start = end;
        end += *count;
        *count = start;
    }
    let mut states = vec![0; end];
    for state in lts.states().filter(|&state| shows(state)) {
        let place = &mut ends[partition.block(state).index()];
        states[*place] = narrow(state.index());
        *place += 1;
    }
    (states, ends)
}

/// Sorts the list from `start` on and removes duplicates there.
fn sort_from(edges: &mut Vec<Edge>, start: usize) {
    edges[start..].sort_unstable();
    let mut kept = start;
    for i in start..edges.len() {
        if kept == start || edges[kept - 1] != edges[i] {
            edges[kept] = edges[i];
            kept += 1;
        }
    }
    edges.truncate(kept);
}

/// A cache of edges seen recently, each with its block.
struct Seen {
    places: Vec<Option<(usize, Edge)>>,
}

impl Seen {
    /// Small enough for the cache of the processor.
    const SIZE: usize = 1 << 10;

    fn new() -> Self {
        Self { places: vec![None; Self::SIZE] }
    }

    /// Whether an edge is not known to have been seen already in the block.
    fn is_new(&mut self, block: usize, edge: Edge) -> bool {
        let place = edge.target.index().wrapping_mul(31).wrapping_add(edge.label.index()) % Self::SIZE;
        self.places[place].replace((block, edge)) != Some((block, edge))
    }
}
