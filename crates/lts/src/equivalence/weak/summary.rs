//! Summaries: numbers that weakly bisimilar states have in common.
//!
//! **Idea.** Blocks are ranked in some order. The *reach* of a state is the highest rank of a block that it can reach
//! silently: the maximum of its own rank and of the reaches of its silent successors. The *lane* of a state for some
//! labels is the highest pair of a label and a rank such that the state has s ⇒ -a-> ⇒ t with that label and a block of
//! that rank: the maximum over the pairs (a, reach of t) of its visible transitions and over the lanes of its silent
//! successors. A maximum does not care how often or on which way something is reached, so one pass over the transitions
//! successors. A maximum does not depend on how often or on which way something is reached, so one pass over the
//! transitions
//!
//! States with different summaries are not weakly bisimilar. States with the same summary may be: another order of blocks
//! and of labels may show a difference that was hidden behind a higher rank. Orders come from a hash with a different
//! seed each time; the same ones in every run.
//!
//! **Complexity.** O(m) time for each order, and 80 bytes for each state.

use hashbrown::HashTable;
use rely_base::{Budget, Exhausted, Progress};

use super::{
    super::{branching::Acyclic, graph::Meter, partition::narrow, signature::mix},
    Blocks,
};

/// The number of lanes of a state; they fill a line of the cache.
const LANES: usize = 8;

/// The number of consecutive orders without a split after which the search for splits ends.
const PATIENCE: usize = 4;

/// The highest pair for each lane; 0 where there is none.
type Lanes = [u64; LANES];

/// Splits blocks by summaries.
pub(super) struct Summaries<'a> {
    system: &'a Acyclic,
    /// The reach of each state.
    reach: Vec<u32>,
    lanes: Vec<Lanes>,
    /// How many orders have been used.
    orders: u32,
    /// The number of orders after which [`Summaries::split`] reports once that it takes long.
    patience: usize,
    meter: Meter<'a>,
}

/// The result of splitting by summaries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Summarised {
    /// Several orders in a row split nothing.
    Done,
    /// It takes long. If called again it continues, and does not stop for this reason a second time.
    Long,
}

impl<'a> Summaries<'a> {
    /// `limit` is the number of steps after which splitting counts as taking long.
    pub(super) fn new(system: &'a Acyclic, limit: usize, budget: &'a Budget<'a>) -> Self {
        let state_count = system.state_count();
        let progress = Progress {
            states: state_count,
            transitions: system.transition_count(),
            frontier: 0,
            bytes: system.bytes() + state_count * (size_of::<Lanes>() + 6 * size_of::<u32>()),
        };
        Self {
            system,
            reach: vec![0; state_count],
            lanes: vec![[0; LANES]; state_count],
            orders: 0,
            patience: limit / (state_count + system.transition_count()).max(1),
            meter: Meter::new(budget, progress),
        }
    }

    /// Splits blocks until several orders in a row split nothing.
    pub(super) fn split(&mut self, blocks: &mut Blocks) -> Result<Summarised, Exhausted> {
        let mut failures = 0;
        while failures < PATIENCE && !blocks.are_single() {
            if self.orders as usize > self.patience {
                self.patience = usize::MAX;
                return Ok(Summarised::Long);
            }
            self.orders += 1;
            self.compute(blocks)?;
            failures = if self.split_by_summaries(blocks) { 0 } else { failures + 1 };
        }
        Ok(Summarised::Done)
    }

    /// Computes the reach of all states, then their lanes, silent successors first.
    fn compute(&mut self, blocks: &Blocks) -> Result<(), Exhausted> {
        let rank = self.ranks(blocks);
        let places = self.places();
        for state in 0..narrow(self.system.state_count()) {
            let mut reach = rank[blocks.block_of[state as usize] as usize];
            let silent = self.system.silent_edges(state);
            for &(_, target) in silent {
                reach = reach.max(self.reach[target as usize]);
            }
            self.reach[state as usize] = reach;
            self.meter.tick(1 + silent.len())?;
        }
        for state in 0..narrow(self.system.state_count()) {
            let mut lanes = [0; LANES];
            let edges = self.system.edges(state);
            for &(label, target) in edges {
                if label == 0 {
                    for (own, &other) in lanes.iter_mut().zip(&self.lanes[target as usize]) {
                        *own = other.max(*own);
                    }
                } else {
                    let (lane, label) = places[label as usize];
                    lanes[lane] = lanes[lane].max(label | u64::from(self.reach[target as usize]));
                }
            }
            self.lanes[state as usize] = lanes;
            self.meter.tick(1 + edges.len())?;
        }
        Ok(())
    }

    /// The rank of each block: alternately by its last state, in reverse, and at random. Silent steps lead to smaller
    /// states, so the first of these orders distinguishes where silent steps can start from, and the second where
    /// they end.
    fn ranks(&self, blocks: &Blocks) -> Vec<u32> {
        let mut ranks = vec![0; blocks.size.len()];
        for (state, &block) in blocks.block_of.iter().enumerate() {
            ranks[block as usize] = narrow(state);
        }
        for rank in &mut ranks {
            match self.orders % 3 {
                0 => {}
                1 => *rank = !*rank,
                _ => *rank = upper_half(mix(self.orders, *rank)),
            }
        }
        ranks
    }

    /// The lane of each label, and the upper half of its pairs.
    fn places(&self) -> Vec<(usize, u64)> {
        let place = |label: u32| {
            let hash = mix(!self.orders, label);
            let lane = usize::try_from(hash % LANES as u64).expect("there are few lanes");
            // A pair is never 0.
            (lane, u64::from(upper_half(hash) | 1) << 32)
        };
        (0..narrow(self.system.label_count)).map(place).collect()
    }

    /// Splits every block into states with the same summaries. Returns whether something was split.
    fn split_by_summaries(&mut self, blocks: &mut Blocks) -> bool {
        let old_count = blocks.size.len();
        // The states with the first summary that is met in a block stay there.
        let mut stays: Vec<Option<u64>> = vec![None; old_count];
        let mut index: HashTable<Part> = HashTable::new();
        for state in 0..narrow(blocks.block_of.len()) {
            if blocks.is_single(state) {
                continue;
            }
            let block = blocks.block_of[state as usize];
            let summary = summary(self.reach[state as usize], &self.lanes[state as usize]);
            if *stays[block as usize].get_or_insert(summary) == summary {
                continue;
            }
            let new = Part { summary, block, number: narrow(blocks.size.len()) };
            let is_same = |part: &Part| (part.summary, part.block) == (summary, block);
            let part = index.entry(new.hash(), is_same, Part::hash).or_insert(new).get().number;
            if part == new.number {
                blocks.size.push(0);
            }
            blocks.size[part as usize] += 1;
            blocks.size[block as usize] -= 1;
            blocks.block_of[state as usize] = part;
        }
        blocks.size.len() > old_count
    }
}

/// A part of a block that is split off: the states of the block with a summary.
#[derive(Clone, Copy)]
struct Part {
    summary: u64,
    block: u32,
    /// The number of the new block.
    number: u32,
}

impl Part {
    /// Parts of different blocks may have the same hash; they are distinguished by the block.
    fn hash(&self) -> u64 {
        self.summary.rotate_left(7) ^ mix(0, self.block)
    }
}

fn upper_half(hash: u64) -> u32 {
    u32::try_from(hash >> 32).expect("32 bits are left")
}

/// A summary as one number. Different summaries may get the same number; then their states stay together.
fn summary(reach: u32, lanes: &Lanes) -> u64 {
    lanes.iter().fold(mix(0, reach), |hash, lane| {
        (hash.rotate_left(5) ^ lane).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equivalence::{branching::Divergence, silent::SilentComponents};
    use crate::{Lts, LtsBuilder};

    /// The last lane that yields the given summary, after lanes without pairs.
    fn last_lane(wanted: u64) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        // Newton's iteration doubles the number of right bits of the inverse.
        let inverse = (0..6).fold(1_u64, |x, _| x.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(x))));
        let before = summary_of(&[0; LANES - 1]);
        wanted.rotate_right(29).wrapping_mul(inverse) ^ before.rotate_left(5)
    }

    fn summary_of(lanes: &[u64]) -> u64 {
        lanes.iter().fold(mix(0, 0), |hash, lane| {
            (hash.rotate_left(5) ^ lane).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        })
    }

    #[test]
    fn parts_of_different_blocks_stay_apart_when_their_hashes_are_the_same() {
        let lts: Lts = LtsBuilder::with_states(["a"].into_iter().collect(), 4).build();
        let components = SilentComponents::new(&lts, &Budget::UNLIMITED).expect("there is no limit");
        let system = Acyclic::new(&lts, &components, Divergence::Ignored);
        let mut summaries = Summaries::new(&system, usize::MAX, &Budget::UNLIMITED);
        // The first states of both blocks have no lanes, and stay; the others get the same hash.
        let hash = 0x0123_4567_89AB_CDEF;
        for (state, block) in [(1, 0), (3, 1)] {
            let wanted = (hash ^ mix(0, block)).rotate_right(7);
            summaries.lanes[state][LANES - 1] = last_lane(wanted);
            assert_eq!(summary(0, &summaries.lanes[state]), wanted);
        }
        let mut blocks = Blocks::new(vec![0, 0, 1, 1], 2);
        assert!(summaries.split_by_summaries(&mut blocks));
        assert_eq!(blocks.block_of, [0, 2, 1, 3]);
        assert_eq!(blocks.size, [1, 1, 1, 1]);
    }
}
