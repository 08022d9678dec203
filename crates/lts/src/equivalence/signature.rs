//! Strong bisimilarity by signatures.
//!
//! **Problem.** That of `strong.rs`: the coarsest partition, finer than a given one, in which the states of a block have
//! transitions with the same labels into the same blocks.
//!
//! **Source.** Refinement by signatures [Blom, Orzan 2003], where only states whose signature may have changed are looked
//! at again and the larger part of a block keeps its number [Jacobs, Wißmann 2023].
//!
//! **Idea.** The *signature* of a state is the set of labels and blocks of its transitions. A round computes the
//! signatures of the dirty states and splits their blocks by them. Some part of a block keeps its number; the
//! predecessors of the states that got another number are dirty in the next round. There are few rounds in most
//! systems, and each reads the tables from beginning to end: where refinement by splitters waits for memory at every
//! step, this does not.
//!
//! **Invariants.** The partition is never finer than strong bisimilarity. The states of a block that are not dirty have
//! the same signature. A signature is known by a hash only: if two signatures have the same hash, the partition stays too
//! coarse, which the comparison at the end finds out.
//!
//! **Complexity.** O(n + m) for each round, and O(n) memory besides the tables of transitions. There may be n rounds;
//! so the work is limited to O(m log n), and what is then not stable is left to `strong.rs`.
//!
//! **Callers.** `strong.rs`.

use hashbrown::HashTable;
use rely_base::{Budget, Exhausted, Id, Progress, StateId};

use super::{
    graph::{Meter, Predecessors},
    partition::{Group, NONE, Partition, name_groups, narrow},
};
use crate::{Edge, Lts};

/// A partition that is not finer than strong bisimilarity.
pub(super) struct Refined {
    /// The partition.
    pub(super) partition: Partition,
    /// Whether it is strong bisimilarity.
    pub(super) is_stable: bool,
}

/// The maximum number of steps by signatures; `size` is the number of states plus transitions. Most systems are
/// stable after a few passes over all transitions.
pub(super) fn work_limit(size: usize) -> usize {
    2 * size * (usize::BITS - size.leading_zeros()) as usize
}

/// Refines a partition by signatures until it is stable, or until `limit` steps have been taken. `hash` is applied to
/// a label and a block.
///
/// # Errors
/// When the budget is used up.
pub(super) fn refine(
    lts: &Lts,
    initial: &Partition,
    limit: usize,
    hash: impl Fn(u32, u32) -> u64 + Sync,
    budget: &Budget<'_>,
) -> Result<Refined, Exhausted> {
    let mut runner = Runner::new(lts, initial, hash, budget);
    let mut is_stable = false;
    while runner.work < limit && !is_stable {
        runner.round()?;
        is_stable = runner.dirty.is_empty();
    }
    is_stable = is_stable && runner.is_stable()?;
    let block_count = runner.size.len();
    Ok(Refined { partition: Partition::from_classes(&runner.block_of, block_count), is_stable })
}

/// Spreads a pair of numbers over 64 bits.
pub(super) fn mix(label: u32, block: u32) -> u64 {
    let pair = u64::from(label) << 32 | u64::from(block);
    let product = (pair ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let product = (product ^ product >> 32).wrapping_mul(0x94D0_49BB_1331_11EB);
    product ^ product >> 29
}

/// How many signatures are computed between two checks of the budget: by one thread, and by several together.
const SMALL_BATCH: usize = 256;
const LARGE_BATCH: usize = 1 << 16;

struct Runner<'a, H> {
    lts: &'a Lts,
    hash: H,
    /// The block of each state.
    block_of: Vec<u32>,
    /// How many states each block has, and the hash of the signature of those that are not dirty.
    size: Vec<u32>,
    signature: Vec<u64>,
    /// The states whose signature has to be computed, each once.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// The group of each dirty state; `NONE` if its signature is that of its block.
    group_of: Vec<u32>,
    /// Dirty states of one block with the same new signature, and that signature.
    groups: Vec<Group>,
    signatures: Vec<u64>,
    /// The groups by the mixed hash of block and signature.
    index: HashTable<(u64, u32)>,
    /// The predecessors of each state; computed when there are states that are not dirty for the first time.
    predecessors: Option<Predecessors>,
    /// Steps taken so far.
    work: usize,
    /// How many threads may work.
    threads: usize,
    meter: Meter<'a>,
}

impl<'a, H: Fn(u32, u32) -> u64 + Sync> Runner<'a, H> {
    fn new(lts: &'a Lts, initial: &Partition, hash: H, budget: &'a Budget<'a>) -> Self {
        let block_of: Vec<u32> = lts.states().map(|state| initial.block(state).raw()).collect();
        let mut size = vec![0; initial.block_count()];
        for &block in &block_of {
            size[block as usize] += 1;
        }
        let progress = Progress {
            states: lts.state_count(),
            transitions: lts.transition_count(),
            frontier: 0,
            bytes: lts.bytes(),
        };
        let mut runner = Self {
            lts,
            hash,
            block_of,
            signature: vec![0; size.len()],
            size,
            dirty: Vec::new(),
            is_dirty: vec![false; lts.state_count()],
            group_of: Vec::new(),
            groups: Vec::new(),
            signatures: Vec::new(),
            index: HashTable::new(),
            predecessors: None,
            work: 0,
            threads: budget.threads().get(),
            meter: Meter::new(budget, progress),
        };
        runner.make_all_dirty();
        runner
    }

    /// Splits blocks by the signatures of their dirty states.
    fn round(&mut self) -> Result<(), Exhausted> {
        self.group_dirty_states()?;
        self.name_groups();
        let mut renamed = std::mem::take(&mut self.dirty);
        let mut kept = 0;
        for i in 0..renamed.len() {
            let (state, group) = (renamed[i], self.group_of[i]);
            self.is_dirty[state as usize] = false;
            if group == NONE {
                continue;
            }
            let Group { block, becomes, .. } = self.groups[group as usize];
            if becomes != block {
                self.block_of[state as usize] = becomes;
                renamed[kept] = state;
                kept += 1;
            }
        }
        renamed.truncate(kept);
        self.meter.progress.bytes = self.bytes();
        if renamed.is_empty() {
            return Ok(());
        }
        // If many states were moved, nearly all states have a successor among them, so recomputing all is cheaper.
        if renamed.len() > self.block_of.len() / 8 && self.predecessors.is_none() {
            self.make_all_dirty();
            return Ok(());
        }
        self.make_predecessors_dirty(&renamed)
    }

    /// Computes the signatures of the dirty states and puts those with the same block and signature into a group.
    fn group_dirty_states(&mut self) -> Result<(), Exhausted> {
        self.groups.clear();
        self.signatures.clear();
        self.group_of.clear();
        self.group_of.reserve(self.dirty.len());
        self.index.clear();
        let batch_size = if self.threads == 1 { SMALL_BATCH } else { LARGE_BATCH };
        let mut signatures = vec![0; batch_size.min(self.dirty.len())];
        let mut start = 0;
        while start < self.dirty.len() {
            let end = self.dirty.len().min(start + batch_size);
            let signatures = &mut signatures[..end - start];
            let steps = self.compute_signatures(&self.dirty[start..end], signatures);
            for (i, &mut signature) in (start..end).zip(signatures) {
                let block = self.block_of[self.dirty[i] as usize];
                let is_new = signature != self.signature[block as usize];
                let group = if is_new { self.group(block, signature) } else { NONE };
                self.group_of.push(group);
            }
            self.work += steps;
            self.meter.tick(steps)?;
            start = end;
        }
        Ok(())
    }

    /// Computes the signatures of some states, on all available threads. Returns the number of steps.
    fn compute_signatures(&self, states: &[u32], signatures: &mut [u64]) -> usize {
        let share = states.len().div_ceil(self.threads).max(SMALL_BATCH);
        std::thread::scope(|scope| {
            let mut shares = states.chunks(share).zip(signatures.chunks_mut(share));
            let own = shares.next();
            let others: Vec<_> = shares
                .map(|(states, signatures)| scope.spawn(move || self.compute_share(states, signatures)))
                .collect();
            let own = own.map_or(0, |(states, signatures)| self.compute_share(states, signatures));
            let joined = others.into_iter().map(|other| other.join().expect("signatures are computed"));
            own + joined.sum::<usize>()
        })
    }

    fn compute_share(&self, states: &[u32], signatures: &mut [u64]) -> usize {
        let mut blocks = Vec::new();
        let mut steps = 0;
        for (&state, signature) in states.iter().zip(signatures) {
            let edges = self.lts.edges(StateId::from_raw(state));
            *signature = self.signature_of(edges, &mut blocks);
            steps += 1 + edges.len();
        }
        steps
    }

    /// The hash of a signature, as a set: neither order nor repetition of its members matters.
    #[inline]
    fn signature_of(&self, edges: &[Edge], blocks: &mut Vec<u32>) -> u64 {
        let mut sum = 0_u64;
        let block_at = |edge: &Edge| self.block_of[edge.target.index()];
        let mut rest = edges;
        while let [first, others @ ..] = rest {
            let label = first.label;
            if others.first().is_none_or(|second| second.label != label) {
                sum = sum.wrapping_add((self.hash)(label.raw(), block_at(first)));
                rest = others;
                continue;
            }
            let length = rest.iter().take_while(|edge| edge.label == label).count();
            blocks.clear();
            blocks.extend(rest[..length].iter().map(block_at));
            blocks.sort_unstable();
            blocks.dedup();
            for &block in &*blocks {
                sum = sum.wrapping_add((self.hash)(label.raw(), block));
            }
            rest = &rest[length..];
        }
        sum
    }

    /// The group of a dirty state, given its block and its signature; the state is counted in the group.
    #[inline]
    fn group(&mut self, block: u32, signature: u64) -> u32 {
        let key = signature ^ mix(0, block);
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let groups = &mut self.groups;
        let entry = self.index.entry(
            hash,
            |&(other, group)| other == key && groups[group as usize].block == block,
            |&(key, _)| key.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        );
        let group = entry.or_insert_with(|| (key, narrow(groups.len()))).get().1;
        if group as usize == groups.len() {
            groups.push(Group::of(block));
            self.signatures.push(signature);
        }
        groups[group as usize].count += 1;
        group
    }

    /// Turns the groups into blocks.
    fn name_groups(&mut self) {
        name_groups(&mut self.groups, &mut self.size);
        self.signature.resize(self.size.len(), 0);
        for (group, &signature) in self.groups.iter().zip(&self.signatures) {
            self.signature[group.becomes as usize] = signature;
        }
    }

    /// Makes all states dirty that are not alone in their block.
    fn make_all_dirty(&mut self) {
        for state in 0..narrow(self.block_of.len()) {
            self.make_dirty(state);
        }
    }

    fn make_predecessors_dirty(&mut self, states: &[u32]) -> Result<(), Exhausted> {
        if self.predecessors.is_none() {
            self.meter.afford(Predecessors::bytes_for(self.lts))?;
        }
        let predecessors = self.predecessors.take().unwrap_or_else(|| Predecessors::new(self.lts));
        for &state in states {
            let sources = predecessors.of(state);
            for &source in sources {
                self.make_dirty(source);
            }
            self.work += sources.len();
            self.meter.tick(1 + sources.len())?;
        }
        // In ascending order, so that the tables are read from beginning to end.
        self.dirty.sort_unstable();
        self.predecessors = Some(predecessors);
        Ok(())
    }

    #[inline]
    fn make_dirty(&mut self, state: u32) {
        let is_alone = self.size[self.block_of[state as usize] as usize] == 1;
        if !is_alone && !std::mem::replace(&mut self.is_dirty[state as usize], true) {
            self.dirty.push(state);
        }
    }

    /// Whether in each block all states have the same signature as the first one: as sets, not as hashes.
    fn is_stable(&mut self) -> Result<bool, Exhausted> {
        let mut first = vec![NONE; self.size.len()];
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for state in 0..narrow(self.block_of.len()) {
            let block = self.block_of[state as usize] as usize;
            if self.size[block] == 1 {
                continue;
            }
            if first[block] == NONE {
                first[block] = state;
                continue;
            }
            let edges = |state: u32| self.lts.edges(StateId::from_raw(state));
            self.meter.tick(1 + edges(state).len())?;
            let (edges, first) = (edges(state), edges(first[block]));
            let block_at = |edge: &Edge| (edge.label, self.block_of[edge.target.index()]);
            if edges.iter().map(block_at).eq(first.iter().map(block_at)) {
                continue;
            }
            for (edges, set) in [(edges, &mut left), (first, &mut right)] {
                set.clear();
                set.extend(edges.iter().map(block_at));
                set.sort_unstable();
                set.dedup();
            }
            if left != right {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes held, those of the system included.
    fn bytes(&self) -> usize {
        let states = self.block_of.len() * (size_of::<u32>() + size_of::<bool>());
        let dirty = (self.dirty.capacity() + self.group_of.capacity()) * size_of::<u32>();
        let groups =
            self.groups.capacity() * (size_of::<Group>() + size_of::<u64>()) + self.index.capacity() * 18;
        let blocks = 3 * self.size.capacity() * size_of::<u64>();
        self.lts.bytes()
            + states
            + dirty
            + groups
            + blocks
            + self.predecessors.as_ref().map_or(0, Predecessors::bytes)
    }
}
