//! Summaries: numbers that weakly bisimilar states have in common.
//!
//! **Idea.** Blocks are ranked in some order. The *reach* of a state is the highest rank of a block that it can reach
//! silently: the maximum of its own rank and of the reaches of its silent successors. The *lane* of a state for some
//! labels is the highest pair of a label and a rank such that the state has s ⇒ -a-> ⇒ t with that label and a block of
//! that rank: the maximum over the pairs (a, reach of t) of its visible transitions and over the lanes of its silent
//! successors. A maximum does not care how often or on which way something is reached, so one pass over the transitions
//! in the order of the silent ones computes it for all states without building any set.
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

/// How many lanes a state has: as many as a line of the cache holds.
const LANES: usize = 8;

/// So many orders in a row that split nothing are enough.
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
    meter: Meter<'a>,
}

impl<'a> Summaries<'a> {
    pub(super) fn new(system: &'a Acyclic, budget: &'a Budget<'a>) -> Self {
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
            meter: Meter::new(budget, progress),
        }
    }

    /// Splits blocks until several orders in a row have nothing more to split.
    pub(super) fn split(&mut self, blocks: &mut Blocks) -> Result<(), Exhausted> {
        let mut failures = 0;
        while failures < PATIENCE && !blocks.are_single() {
            self.orders += 1;
            self.compute(blocks)?;
            failures = if self.split_by_summaries(blocks) { 0 } else { failures + 1 };
        }
        Ok(())
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

    /// The rank of each block: in turns by its last state, the other way round, and by chance. Silent steps lead to
    /// smaller states, so the first of these shows where silent steps can start from, the second where they end.
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

    /// Splits every block into states with the same summaries. Says whether there was something to split.
    fn split_by_summaries(&mut self, blocks: &mut Blocks) -> bool {
        let old_count = blocks.size.len();
        // The first summary that is met in a block stays there.
        let mut stays: Vec<Option<u64>> = vec![None; old_count];
        let mut index: HashTable<(u64, u32)> = HashTable::new();
        for state in 0..narrow(blocks.block_of.len()) {
            if blocks.is_single(state) {
                continue;
            }
            let block = blocks.block_of[state as usize];
            let summary = summary(self.reach[state as usize], &self.lanes[state as usize]);
            if *stays[block as usize].get_or_insert(summary) == summary {
                continue;
            }
            let key = summary.rotate_left(7) ^ mix(0, block);
            let new = narrow(blocks.size.len());
            let entry = index.entry(key, |&(other, _)| other == key, |&(key, _)| key).or_insert((key, new));
            let part = entry.get().1;
            if part == new {
                blocks.size.push(0);
            }
            blocks.size[part as usize] += 1;
            blocks.size[block as usize] -= 1;
            blocks.block_of[state as usize] = part;
        }
        blocks.size.len() > old_count
    }
}

fn upper_half(hash: u64) -> u32 {
    u32::try_from(hash >> 32).expect("32 bits are left")
}

/// A summary as one number. Two summaries may get the same one, and then stay together.
fn summary(reach: u32, lanes: &Lanes) -> u64 {
    lanes.iter().fold(mix(0, reach), |hash, lane| {
        (hash.rotate_left(5) ^ lane).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    })
}
