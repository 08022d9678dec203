//! Branching bisimilarity, with or without explicit divergence.
//!
//! **Problem.** The coarsest partition, finer than a given one, in which for two states s, t of a block and a
//! transition s -a-> s' either a = τ and s' is in the same block, or t can go by silent transitions inside the block to
//! a state with an a-transition to the block of s' [van Glabbeek, Weijland 1996]. With explicit divergence, besides, s
//! has an infinite silent run inside the block exactly if t has one [van Glabbeek, Luttik, Trčka 2009].
//!
//! **Source.** Signatures first, see `signature.rs`; then splitters [Jansen, Groote, Keiren, Wijs 2020], "An O(m log n)
//! algorithm for branching bisimilarity on labelled transition systems".
//!
//! **Idea.** Most systems are stable after a few rounds of signatures. Those that are not after O(m log n) steps are
//! left to splitters, which start from the partition that was reached. The states of a silent cycle are equivalent and
//! become one state first; a divergent one is marked by a loop with a label of its own. Silent transitions inside a
//! block are *inert*; a state without inert transitions is a *bottom state*. The others are partitioned into bunches,
//! as for strong bisimilarity. A block is stable under a bunch if no state has a transition in it, or all bottom states
//! have one. Splitting a small slice off a bunch makes the slice, then the rest of the bunch, a splitter of each block.
//! The module `walk` splits a block into R, which can reach a source of the splitter by inert transitions, and U, which
//! cannot, in the time that the smaller part takes.
//!
//! Silent transitions from R to U are not inert any more and become a bunch of their own. States may become bottom
//! states by that; the part N of R that can reach U has no other bottom states. It is split off, and its stability is
//! checked under all its bunches anew.
//!
//! **Invariants.** Between two splittings of a bunch every block is stable under every bunch. A transition is inert
//! exactly if it is in no block-bunch slice. A block without new bottom states stays stable when it is split.
//!
//! **Complexity.** O(m log n) time, O(m) memory: a state and its transitions are looked at when its block shrinks to
//! half of its size or less, when it becomes a bottom state, and when a transition is in a slice of at most half of its
//! bunch.
//!
//! **Deviations.** The lists of transitions are linked instead of sorted into ranges, and cells count the transitions of
//! a state in a bunch, as Paige and Tarjan do, where the paper keeps ranges of each state's transitions.
//!
//! **Callers.** [`super::minimise`] and [`super::compare`]; weak bisimilarity starts from the result.

mod acyclic;
mod blocks;
mod runner;
mod signature;
mod slices;
mod walk;

use rely_base::{Budget, Exhausted, Id};

pub(super) use self::acyclic::Acyclic;
use self::runner::Runner;
use super::{
    graph::Graph, memory::afford, partition::Partition, signature::work_limit, silent::SilentComponents,
};
use crate::Lts;

/// Whether infinite silent runs are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Divergence {
    /// A state that may be silent for ever may be equivalent to one that may not.
    Ignored,
    /// A state that may be silent for ever is equivalent only to states that may be so, too.
    Explicit,
}

/// The coarsest branching bisimulation that is finer than the initial partition, on all states.
///
/// The initial partition may not separate the states of a silent cycle.
///
/// # Errors
/// When the budget is used up.
pub(super) fn partition(
    lts: &Lts,
    initial: &Partition,
    divergence: Divergence,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let components = SilentComponents::new(lts, budget)?;
    partition_components(lts, &components, initial, divergence, budget)
}

/// The partition as [`partition`] computes it, for a system whose τ-components are known.
pub(super) fn partition_components(
    lts: &Lts,
    components: &SilentComponents,
    initial: &Partition,
    divergence: Divergence,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let held = lts.bytes() + components.bytes();
    // The system without silent cycles is about as large as the one with them.
    afford(lts, held + lts.bytes(), budget)?;
    let system = Acyclic::new(lts, components, divergence);
    let budget = &budget.after_holding(held);
    let mut classes = vec![0; components.count()];
    for state in lts.states() {
        classes[components.component_of[state.index()] as usize] = initial.block(state).raw();
    }
    let limit = work_limit(system.state_count() + system.transition_count());
    let partition = partition_within(&system, classes, initial.block_count(), limit, budget)?;
    Ok(partition.pulled_back(&components.component_of))
}

/// The coarsest branching bisimulation that is finer than some classes. Signatures may take `limit` steps, then
/// splitters take over.
pub(super) fn partition_within(
    system: &Acyclic,
    classes: Vec<u32>,
    class_count: usize,
    limit: usize,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let refined = signature::refine(system, classes, class_count, limit, budget)?;
    if refined.is_stable {
        return Ok(Partition::from_classes(&refined.classes, refined.class_count));
    }
    by_splitters(system, &refined.classes, refined.class_count, budget)
}

/// The coarsest branching bisimulation that is finer than some classes.
fn by_splitters(
    system: &Acyclic,
    classes: &[u32],
    class_count: usize,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let graph = Graph::from_transitions(system.state_count(), system.label_count, || system.transitions())?;
    Runner::new(&graph, classes, class_count, budget).run()
}
