//! The quotient of a system by a partition.
//!
//! Its states are the blocks; its transitions are those of all states, mapped to blocks. What becomes of silent
//! transitions inside a block depends on the equivalence. The result is numbered breadth first, its initial state first
//! and π last, in an order that depends on the system and the partition only.

use rely_base::{Id, StateId};

use super::partition::Partition;
use crate::{Lts, LtsBuilder, operators::trim};

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
    trim(&quotient_by_blocks(lts, partition, loops))
}

/// The quotient with the numbers of the blocks as states, unreachable ones included.
pub(super) fn quotient_by_blocks(lts: &Lts, partition: &Partition, loops: SilentLoops) -> Lts {
    build(lts, partition, |_| loops == SilentLoops::Keep)
}

/// The reachable part of the quotient in which a silent transition inside a block becomes a loop if it starts from a
/// divergent state, and vanishes otherwise.
pub(super) fn quotient_with_divergence(
    lts: &Lts,
    partition: &Partition,
    is_divergent: impl Fn(StateId) -> bool,
) -> Lts {
    trim(&build(lts, partition, is_divergent))
}

fn build(lts: &Lts, partition: &Partition, keeps_loops: impl Fn(StateId) -> bool) -> Lts {
    let image = |state: StateId| StateId::from_index(partition.block(state).index());
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), partition.block_count());
    builder.set_initial(image(lts.initial()));
    builder.set_error(lts.error().map(image));
    builder.set_end(lts.end().map(image));
    for transition in lts.transitions() {
        let (source, target) = (image(transition.source), image(transition.target));
        let is_inert = transition.label.is_tau() && source == target;
        if !is_inert || keeps_loops(transition.source) {
            builder.add_transition(source, transition.label, target);
        }
    }
    builder.build()
}
