//! The states that a search has reached, each stored once.
//!
//! The words of the states lie one after the other in one array, in the order in which they were found; a hash table
//! holds their numbers only. So a state of w words costs 8w bytes and about 5 to 10 for its place in the table.

use std::hash::Hasher;

use hashbrown::HashTable;
use rely_base::{Id, StateId};
use rustc_hash::FxHasher;

/// A set of states, numbered in the order of insertion.
#[derive(Clone, Debug)]
pub struct StateSet {
    /// Words per state.
    words: usize,
    /// The states, one after the other.
    arena: Vec<u64>,
    /// The numbers of the states, by the hash of their words.
    table: HashTable<u32>,
}

impl StateSet {
    /// The most states that can be numbered.
    pub const MAX: usize = u32::MAX as usize;

    /// The empty set of states of so many words.
    pub fn new(words: usize) -> Self {
        Self { words, arena: Vec::new(), table: HashTable::new() }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.arena.len() / self.words
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    /// The words of a state.
    #[inline]
    pub fn get(&self, state: StateId) -> &[u64] {
        let start = state.index() * self.words;
        &self.arena[start..start + self.words]
    }

    /// The number of a state, if it is in the set.
    #[inline]
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let (arena, words) = (&self.arena, self.words);
        let same = |&index: &u32| equal(&arena[index as usize * words..][..words], state);
        self.table.find(hash(state), same).map(|&index| StateId::from_raw(index))
    }

    /// The number of a state, which is added if it is new; and whether it was new.
    ///
    /// # Panics
    /// When a new state would be the 2³²th: ask [`StateSet::is_full`] before.
    #[inline]
    pub fn insert(&mut self, state: &[u64]) -> (StateId, bool) {
        let (arena, words) = (&mut self.arena, self.words);
        let hash_of = |&index: &u32| hash(&arena[index as usize * words..][..words]);
        let same = |&index: &u32| equal(&arena[index as usize * words..][..words], state);
        match self.table.entry(hash(state), same, hash_of) {
            hashbrown::hash_table::Entry::Occupied(entry) => (StateId::from_raw(*entry.get()), false),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let new = StateId::from_index(arena.len() / words);
                entry.insert(new.raw());
                arena.extend_from_slice(state);
                (new, true)
            }
        }
    }

    /// Whether no further state can be numbered.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.table.len() == Self::MAX
    }

    /// Whether the next new state needs more memory.
    #[inline]
    pub fn must_grow(&self) -> bool {
        self.table.len() == self.table.capacity() || self.arena.len() == self.arena.capacity()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<u64>() + self.table.allocation_size()
    }

    /// Bytes held at the worst moment of adding the next new state: what has to grow is there twice, once as it is
    /// and once at double size.
    pub fn bytes_to_grow(&self) -> usize {
        let arena = self.arena.capacity() * size_of::<u64>();
        let grows = |full: bool, bytes: usize| if full { 3 * bytes } else { bytes };
        grows(self.arena.len() == self.arena.capacity(), arena)
            + grows(self.table.len() == self.table.capacity(), self.table.allocation_size())
    }
}

/// The hash of the words of a state.
#[inline]
fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in state {
        hasher.write_u64(word);
    }
    hasher.finish()
}

/// Whether two states are the same. States are a few words long: a loop is faster than a call.
#[inline]
fn equal(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}
