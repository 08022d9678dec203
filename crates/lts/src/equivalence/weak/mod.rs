//! Weak bisimilarity, that is observation equivalence.
//!
//! **Problem.** The coarsest partition in which for two states s, t of a block every s -τ-> s' is answered by silent
//! steps t ⇒ t', and every s -a-> s' by t ⇒ -a-> ⇒ t', with t' in the block of s' [Milner 1989].
//!
//! **Idea.** Branching bisimilar states are weakly bisimilar: the branching quotient is taken first, which is smaller
//! and has no silent cycles. Weak bisimilarity is strong bisimilarity of the *saturated* system, in which s ⇒ t and
//! s ⇒ -a-> ⇒ t are transitions; that system can be quadratic in size and is not built. Instead:
//!
//! 1. `summary.rs` computes for each state a few numbers that weakly bisimilar states have in common, in one pass over
//!    the transitions, and splits the blocks by them, again and again with other numbers.
//! 2. When that splits nothing any more, `answers.rs` looks for an answer to every transition of each block, in all the
//!    states of the block. A state that has none is split off, and we go back to 1.
//! 3. If the search for answers takes too long, `splitters.rs` does what is left to do.
//!
//! Where nothing is left to merge after the branching quotient, which is often, 1 finds that out. Two cases are easier.
//! A branching quotient without silent transitions has no two states that are weakly bisimilar, which is strongly
//! bisimilar there, within a class of the initial partition. And where few are left, the saturated system is hardly
//! larger than the quotient: if 1 takes long, which is where differences are many steps away, `saturation.rs` builds it,
//! and it is refined as for strong bisimilarity.
//!
//! **Invariants.** The partition is never finer than weak bisimilarity. It is weak bisimilarity when every transition of
//! a block has an answer in all its states.
//!
//! **Complexity.** Summaries take O(m) time each, and at most a fixed number of them in a row split nothing. With a
//! saturated system of size O(m) it is O(m log n) in all. Searching for answers is limited to a multiple of m log n;
//! splitters take O(n·(m + labels·silent transitions)) at worst, for the n states and m transitions of the branching
//! quotient. O(m) memory.
//!
//! **Deviations.** LTSA, whose minimisation this is, first removes states that have silent transitions only, and lets
//! their predecessors step to their successors at once. That turns a.(τ.P + τ.Q) into a.P + a.Q, which is not weakly
//! bisimilar to it; here such a state stays unless it is equivalent to one of its successors. The quotient has, as in
//! LTSA, the transitions of all members of a class, without silent loops; those that are implied by others are not
//! removed.
//!
//! **Callers.** [`super::minimise`] and [`super::compare`].

mod answers;
mod saturation;
mod splitters;
mod summary;

use rely_base::{Alphabet, Budget, Exhausted, Id};

use self::{
    answers::{Answered, Answers},
    summary::{Summaries, Summarised},
};
use super::{
    branching::{self, Acyclic, Divergence},
    graph::Graph,
    partition::Partition,
    quotient::{SilentLoops, quotient_by_blocks},
    signature::work_limit,
    silent::SilentComponents,
    strong,
};
use crate::Lts;

/// The coarsest weak bisimulation that is finer than the initial partition, on all states.
///
/// The initial partition may not separate the states of a silent cycle.
///
/// # Errors
/// When the budget is used up.
pub(super) fn partition(lts: &Lts, initial: &Partition, budget: &Budget<'_>) -> Result<Partition, Exhausted> {
    partition_within(lts, initial, work_limit, budget)
}

/// The partition as [`partition`] computes it; `limit` gives the maximum number of steps of searching for answers for
/// the size of the branching quotient.
pub(super) fn partition_within(
    lts: &Lts,
    initial: &Partition,
    limit: impl Fn(usize) -> usize,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let branching = branching::partition(lts, initial, Divergence::Ignored, budget)?;
    let quotient = quotient_by_blocks(lts, &branching, SilentLoops::Drop);
    if !quotient.has_tau() {
        return Ok(branching);
    }
    let budget = &budget.after_holding(lts.bytes());
    let components = SilentComponents::new(&quotient, budget)?;
    let system = Acyclic::new(&quotient, &components, Divergence::Ignored);
    let alphabet = quotient.alphabet().clone();
    drop(quotient);
    let image: Vec<u32> =
        lts.states().map(|state| components.component_of[branching.block(state).index()]).collect();
    let mut classes = vec![0; system.state_count()];
    for state in lts.states() {
        classes[image[state.index()] as usize] = initial.block(state).raw();
    }
    let limit = limit(system.state_count() + system.transition_count());
    let classes = Blocks::new(classes, initial.block_count());
    Ok(refine(&system, &alphabet, classes, limit, budget)?.pulled_back(&image))
}

/// The coarsest weak bisimulation that is finer than some blocks.
fn refine(
    system: &Acyclic,
    alphabet: &Alphabet,
    mut blocks: Blocks,
    limit: usize,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    let mut summaries = Summaries::new(system, limit, budget);
    let mut answers = Answers::new(system, limit, budget);
    loop {
        if summaries.split(&mut blocks)? == Summarised::Long {
            if let Some(saturated) = saturation::saturated(system, alphabet, budget)? {
                let reached = Partition::from_classes(&blocks.block_of, blocks.size.len());
                return strong::partition(&saturated, &reached, &budget.after_holding(system.bytes()));
            }
            continue;
        }
        if blocks.are_single() {
            break;
        }
        match answers.split(&mut blocks)? {
            Answered::All => break,
            Answered::Some => {}
            Answered::GaveUp => {
                let transitions = || system.transitions();
                let graph = Graph::from_transitions(system.state_count(), system.label_count, transitions)?;
                return splitters::refine(&graph, blocks.block_of, blocks.size.len(), budget);
            }
        }
    }
    Ok(Partition::from_classes(&blocks.block_of, blocks.size.len()))
}

/// The current partition.
struct Blocks {
    block_of: Vec<u32>,
    /// How many states each block has.
    size: Vec<u32>,
}

impl Blocks {
    fn new(block_of: Vec<u32>, block_count: usize) -> Self {
        let mut size = vec![0; block_count];
        for &block in &block_of {
            size[block as usize] += 1;
        }
        Self { block_of, size }
    }

    /// Whether every state is a block of its own.
    fn are_single(&self) -> bool {
        self.size.iter().all(|&size| size <= 1)
    }

    /// Whether a state is a block of its own.
    #[inline]
    fn is_single(&self, state: u32) -> bool {
        self.size[self.block_of[state as usize] as usize] == 1
    }
}
