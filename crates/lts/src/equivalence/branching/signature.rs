//! Branching bisimilarity by signatures.
//!
//! **Problem.** That of the [module](super) above, on a system without silent cycles.
//!
//! **Source.** Signatures of branching bisimilarity [Blom, Orzan 2003], computed from those of the silent successors
//! [Martens, Laveaux 2026]; only what may have changed is computed again, as for strong bisimilarity.
//!
//! **Idea.** A round gives each dirty state a *key*. States are taken in an order in which silent transitions lead back,
//! so the keys of silent successors are known. The *offers* of a state are the labels and blocks of its transitions that
//! are not inert, and (τ, k) for each key k of an inert successor. A state is like an inert successor with key k if all
//! its offers but (τ, k) itself are offers of k: then it has key k, too. Otherwise it is unlike all its successors, and
//! states with the same block and the same offers get the same new key.
//!
//! That splits further than comparing what states can reach silently, and never too far: a state that is unlike all its
//! inert successors will have no inert transition any more, so its offers are its own.
//!
//! **Invariants.** The partition is never finer than branching bisimilarity. In a block without dirty states the offers
//! of the bottom states are those of the block, and those of the other states are among them. A key that offers (τ, k)
//! is larger than k; so the only successor that a state can be like is the one with the largest key.
//!
//! **Complexity.** O(m log m) for each round, O(m) memory. There may be n rounds; so the work is limited to O(m log n),
//! and what is then not stable is left to the module's refinement by splitters.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rely_base::{Budget, Exhausted, Progress};
use rustc_hash::FxHasher;

use super::{
    super::{
        graph::Meter,
        partition::{Group, NONE, name_groups, narrow},
    },
    acyclic::{Acyclic, Predecessors},
};

/// The result of the rounds.
pub(super) struct Refined {
    /// The class of each state.
    pub(super) classes: Vec<u32>,
    pub(super) class_count: usize,
    /// Whether the classes are branching bisimilarity.
    pub(super) is_stable: bool,
}

/// Refines classes by signatures until they are stable, or until `limit` steps have been taken.
///
/// # Errors
/// When the budget is used up.
pub(super) fn refine(
    system: &Acyclic,
    classes: Vec<u32>,
    class_count: usize,
    limit: usize,
    budget: &Budget<'_>,
) -> Result<Refined, Exhausted> {
    let mut runner = Runner::new(system, classes, class_count, budget);
    while runner.dirty.count != 0 && runner.work < limit {
        runner.round()?;
    }
    Ok(Refined {
        is_stable: runner.dirty.count == 0,
        class_count: runner.size.len(),
        classes: runner.block_of,
    })
}

/// A label and a block, or τ and a key, as one number.
type Offer = u64;

fn offer(label: u32, block: u32) -> Offer {
    Offer::from(label) << 32 | Offer::from(block)
}

struct Runner<'a> {
    system: &'a Acyclic,
    block_of: Vec<u32>,
    size: Vec<u32>,
    /// The key of each state: its block, unless the round has given it a new one.
    key_of: Vec<u32>,
    /// The offers of blocks and of new keys.
    offers: Offers,
    /// The new keys of the round, numbered after the blocks.
    keys: Vec<Group>,
    /// The new keys by block and offers.
    index: HashTable<u32>,
    hasher: BuildHasherDefault<FxHasher>,
    dirty: Dirty,
    /// Whether the round recomputes all states that are not alone in their block.
    is_full: bool,
    /// The states that got a new key in this round.
    moved: Vec<u32>,
    /// The offers of the current state.
    draft: Vec<Offer>,
    predecessors: Option<Predecessors>,
    /// Steps taken so far.
    work: usize,
    meter: Meter<'a>,
}

impl<'a> Runner<'a> {
    fn new(system: &'a Acyclic, classes: Vec<u32>, class_count: usize, budget: &'a Budget<'a>) -> Self {
        let mut size = vec![0; class_count];
        for &block in &classes {
            size[block as usize] += 1;
        }
        let progress = Progress {
            states: system.state_count(),
            transitions: system.transition_count(),
            frontier: 0,
            bytes: system.bytes(),
        };
        let mut runner = Self {
            system,
            key_of: classes.clone(),
            block_of: classes,
            offers: Offers { ranges: vec![(0, 0); class_count], arena: Vec::new() },
            size,
            keys: Vec::new(),
            index: HashTable::new(),
            hasher: BuildHasherDefault::default(),
            dirty: Dirty::new(system.state_count()),
            is_full: true,
            moved: Vec::new(),
            draft: Vec::new(),
            predecessors: None,
            work: 0,
            meter: Meter::new(budget, progress),
        };
        runner.make_all_dirty();
        runner
    }

    fn round(&mut self) -> Result<(), Exhausted> {
        self.keys.clear();
        self.index.clear();
        self.moved.clear();
        let mut next = 0;
        while let Some(state) = self.dirty.take_from(next) {
            next = state + 1;
            let key = self.key(state);
            if key != self.block_of[state as usize] {
                self.change_key(state, key);
            }
            let steps = 1 + self.system.edges(state).len();
            self.work += steps;
            self.meter.tick(steps)?;
        }
        self.name_keys();
        self.rename_moved();
        self.meter.progress.bytes = self.bytes();
        if self.moved.is_empty() {
            return Ok(());
        }
        // If many states were moved, nearly all states have a successor among them, so recomputing all is cheaper.
        self.is_full = self.moved.len() > self.block_of.len() / 8 && self.predecessors.is_none();
        if self.is_full {
            self.make_all_dirty();
            return Ok(());
        }
        self.make_predecessors_dirty()
    }

    /// Computes the key of a state whose silent successors have their keys.
    #[inline]
    fn key(&mut self, state: u32) -> u32 {
        let block = self.block_of[state as usize];
        self.draft.clear();
        // The largest key of an inert successor, and whether it is the only offer.
        let mut largest = NONE;
        for &(label, target) in self.system.edges(state) {
            let target_block = self.block_of[target as usize];
            if label == 0 && target_block == block {
                let key = self.key_of[target as usize];
                if key == largest {
                    continue;
                }
                if largest != NONE {
                    self.draft.push(offer(0, key.min(largest)));
                }
                largest = if largest == NONE { key } else { key.max(largest) };
            } else {
                self.draft.push(offer(label, target_block));
            }
        }
        if largest != NONE {
            if self.offers.include(largest, &self.draft) {
                return largest;
            }
            self.draft.push(offer(0, largest));
        }
        self.draft.sort_unstable();
        self.draft.dedup();
        if self.draft == self.offers.of(block) { block } else { self.new_key(block) }
    }

    /// The key of the states of a block with the offers of the draft.
    fn new_key(&mut self, block: u32) -> u32 {
        let block_count = self.size.len();
        let hash = |block: u32, offers: &[Offer]| self.hasher.hash_one((block, offers));
        let (keys, offers, draft) = (&mut self.keys, &mut self.offers, &self.draft);
        let entry = self.index.entry(
            hash(block, draft),
            |&key| keys[key as usize - block_count].block == block && offers.of(key) == draft,
            |&key| hash(keys[key as usize - block_count].block, offers.of(key)),
        );
        let key = *entry.or_insert_with(|| narrow(block_count + keys.len())).get();
        if key as usize == block_count + keys.len() {
            keys.push(Group::of(block));
            offers.push(draft);
        }
        key
    }

    /// Gives a state a new key, and makes its inert predecessors dirty for this round.
    fn change_key(&mut self, state: u32, key: u32) {
        self.keys[key as usize - self.size.len()].count += 1;
        self.key_of[state as usize] = key;
        self.moved.push(state);
        if self.is_full {
            return;
        }
        let predecessors = self.predecessors.as_ref().expect("made before the first round that is not full");
        for &source in predecessors.silent(state) {
            if self.block_of[source as usize] == self.block_of[state as usize] {
                self.dirty.add(source);
            }
        }
    }

    /// Turns the new keys into blocks.
    fn name_keys(&mut self) {
        let block_count = self.size.len();
        name_groups(&mut self.keys, &mut self.size);
        self.offers.rename(block_count, &self.keys, &self.size);
    }

    /// Moves the states with new keys to their blocks, and removes from the list those whose block has kept its
    /// number.
    fn rename_moved(&mut self) {
        let mut moved = std::mem::take(&mut self.moved);
        // New blocks were numbered after the old ones in the same order as the keys.
        let first_key = self.first_key();
        moved.retain(|&state| {
            let Group { block, becomes, .. } = self.keys[self.key_of[state as usize] as usize - first_key];
            self.block_of[state as usize] = becomes;
            self.key_of[state as usize] = becomes;
            becomes != block
        });
        self.moved = moved;
    }

    /// How many blocks there were before this round.
    fn first_key(&self) -> usize {
        self.size.len() - self.keys.iter().filter(|key| key.becomes != key.block).count()
    }

    fn make_all_dirty(&mut self) {
        for state in 0..narrow(self.block_of.len()) {
            if self.size[self.block_of[state as usize] as usize] > 1 {
                self.dirty.add(state);
            }
        }
    }

    /// Makes the predecessors dirty whose offers may have changed because a state was moved.
    fn make_predecessors_dirty(&mut self) -> Result<(), Exhausted> {
        if self.predecessors.is_none() {
            self.meter.afford(Predecessors::bytes_for(self.system))?;
        }
        let predecessors = self.predecessors.take().unwrap_or_else(|| Predecessors::new(self.system));
        for &state in &self.moved {
            let block = self.block_of[state as usize];
            let [silent, visible] = [predecessors.silent(state), predecessors.visible(state)];
            for &source in silent {
                let source_block = self.block_of[source as usize];
                // Transitions that are inert now were inert before, so they are no new offers.
                if source_block != block && self.size[source_block as usize] > 1 {
                    self.dirty.add(source);
                }
            }
            for &source in visible {
                if self.size[self.block_of[source as usize] as usize] > 1 {
                    self.dirty.add(source);
                }
            }
            let steps = 1 + silent.len() + visible.len();
            self.work += steps;
            self.meter.tick(steps)?;
        }
        self.predecessors = Some(predecessors);
        Ok(())
    }

    /// Bytes held, those of the system included.
    fn bytes(&self) -> usize {
        let states = 3 * self.block_of.len() * size_of::<u32>();
        let keys = self.keys.capacity() * size_of::<Group>() + self.index.capacity() * 6;
        let blocks = 3 * self.size.capacity() * size_of::<u32>();
        let predecessors = self.predecessors.as_ref().map_or(0, Predecessors::bytes);
        self.system.bytes() + states + keys + blocks + self.offers.bytes() + predecessors
    }
}

/// The offers of blocks and keys, each list sorted.
struct Offers {
    /// Where those of each block or key begin in the arena, and how many there are.
    ranges: Vec<(usize, u32)>,
    arena: Vec<Offer>,
}

impl Offers {
    #[inline]
    fn of(&self, key: u32) -> &[Offer] {
        let (start, length) = self.ranges[key as usize];
        &self.arena[start..start + length as usize]
    }

    /// Whether a key has all of some offers.
    #[inline]
    fn include(&self, key: u32, offers: &[Offer]) -> bool {
        let all = self.of(key);
        offers.iter().all(|offer| all.binary_search(offer).is_ok())
    }

    /// The offers of the next key.
    fn push(&mut self, offers: &[Offer]) {
        self.ranges.push((self.arena.len(), narrow(offers.len())));
        self.arena.extend_from_slice(offers);
    }

    /// Renumbers the offers after a round, in which keys have become blocks. A block with one state drops its offers.
    fn rename(&mut self, block_count: usize, keys: &[Group], size: &[u32]) {
        let renamed = |old: Offer| {
            // Only τ leads to keys, and the label of τ is 0. Other offers need not fit the addresses of a small machine.
            let key = old.checked_sub(block_count as Offer).and_then(|key| usize::try_from(key).ok());
            key.and_then(|key| keys.get(key)).map_or(old, |group| offer(0, group.becomes))
        };
        let mut arena = Vec::new();
        let mut ranges = vec![(0, 0); size.len()];
        let mut keep = |block: u32, offers: &mut dyn Iterator<Item = Offer>| {
            if size[block as usize] > 1 {
                let start = arena.len();
                arena.extend(offers);
                arena[start..].sort_unstable();
                ranges[block as usize] = (start, narrow(arena.len() - start));
            }
        };
        let mut is_taken = vec![false; block_count];
        for (i, key) in keys.iter().enumerate() {
            if (key.becomes as usize) < block_count {
                is_taken[key.becomes as usize] = true;
            }
            keep(key.becomes, &mut self.of(narrow(block_count + i)).iter().map(|&old| renamed(old)));
        }
        for block in (0..block_count).filter(|&block| !is_taken[block]) {
            keep(narrow(block), &mut self.of(narrow(block)).iter().copied());
        }
        (self.arena, self.ranges) = (arena, ranges);
    }

    fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<Offer>() + self.ranges.capacity() * size_of::<(usize, u32)>()
    }
}

/// A set of states that can be taken in ascending order while others are added.
struct Dirty {
    words: Vec<u64>,
    count: usize,
}

impl Dirty {
    fn new(state_count: usize) -> Self {
        Self { words: vec![0; state_count.div_ceil(64)], count: 0 }
    }

    #[inline]
    fn add(&mut self, state: u32) {
        let word = &mut self.words[state as usize / 64];
        let bit = 1 << (state % 64);
        self.count += usize::from(*word & bit == 0);
        *word |= bit;
    }

    /// Takes the first state of the set that is not smaller than the given one.
    #[inline]
    fn take_from(&mut self, state: u32) -> Option<u32> {
        let mut place = state as usize / 64;
        let mut word = self.words.get(place)? & (u64::MAX << (state % 64));
        while word == 0 {
            place += 1;
            word = *self.words.get(place)?;
        }
        self.words[place] &= !(word & word.wrapping_neg());
        self.count -= 1;
        Some(narrow(64 * place) + word.trailing_zeros())
    }
}
