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

use super::partition::{Partition, narrow};
use crate::{Edge, Lts, lts::Special, operators::trim};

/// What happens to silent transitions inside a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SilentLoops {
    /// They become loops, as for strong bisimilarity.
    Keep,
    /// They vanish.
    Drop,
}

/// The reachable part of the quotient of a system.
///
/// The partition has to keep π and the end state apart from all other states.
pub fn quotient(lts: &Lts, partition: &Partition, loops: SilentLoops) -> Lts {
    trimmed(quotient_by_blocks(lts, partition, loops))
}

/// The quotient with the numbers of the blocks as states, unreachable ones included.
pub(super) fn quotient_by_blocks(lts: &Lts, partition: &Partition, loops: SilentLoops) -> Lts {
    build(lts, partition, Members::All, |_| loops == SilentLoops::Keep)
}

/// The reachable part of the quotient by a strong bisimulation: all states of a block have the same transitions.
pub(super) fn quotient_by_bisimulation(lts: &Lts, partition: &Partition) -> Lts {
    if partition.block_count() == lts.state_count() {
        // Blocks are numbered in the order of their first states, so nothing changes.
        return trim(lts);
    }
    trimmed(build(lts, partition, Members::First, |_| true))
}

/// The reachable part of the quotient in which a silent transition inside a block becomes a loop if it starts from a
/// divergent state, and vanishes otherwise.
pub(super) fn quotient_with_divergence(
    lts: &Lts,
    partition: &Partition,
    is_divergent: impl Fn(StateId) -> bool,
) -> Lts {
    trimmed(build(lts, partition, Members::All, is_divergent))
}

fn trimmed(lts: Lts) -> Lts {
    if lts.is_trimmed() { lts } else { trim(&lts) }
}

/// Which states of a block show its transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Members {
    /// The first one.
    First,
    /// All together.
    All,
}

fn build(lts: &Lts, partition: &Partition, members: Members, keeps_loops: impl Fn(StateId) -> bool) -> Lts {
    let image = |state: StateId| StateId::from_index(partition.block(state).index());
    let mut offsets = Vec::with_capacity(partition.block_count() + 1);
    let mut edges = Vec::new();
    let mut seen = Seen::new();
    let (states, ends) = states_by_block(lts, partition);
    let mut start = 0;
    offsets.push(0);
    for (block, end) in ends.into_iter().enumerate() {
        let row = edges.len();
        let end_of_row = if members == Members::First { start + 1 } else { end };
        for state in states[start..end_of_row].iter().map(|&state| StateId::from_raw(state)) {
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

/// The states, block after block and in order in each, and where each block ends.
fn states_by_block(lts: &Lts, partition: &Partition) -> (Vec<u32>, Vec<usize>) {
    let mut ends = vec![0; partition.block_count()];
    for state in lts.states() {
        ends[partition.block(state).index()] += 1;
    }
    let mut end = 0;
    for count in &mut ends {
        let start = end;
        end += *count;
        *count = start;
    }
    let mut states = vec![0; lts.state_count()];
    for state in lts.states() {
        let place = &mut ends[partition.block(state).index()];
        states[*place] = narrow(state.index());
        *place += 1;
    }
    (states, ends)
}

/// Sorts what comes from a place on and drops duplicates there.
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

/// Some of the edges that were seen last, each with its block.
struct Seen {
    places: Vec<Option<(usize, Edge)>>,
}

impl Seen {
    /// As many as the fast part of the memory holds.
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
