//! The states that a search has reached, each stored once.
//!
//! The words of the states lie one after the other in one array, in the order in which they were found; a hash table
//! holds their numbers only. So a state of w words costs 8w bytes and about 5 for its place in the table, and growing
//! is done by an eighth or a quarter at a time, so that little lies idle.

use rely_base::{Id, StateId};

use crate::index_table::IndexTable;

/// A set of states, numbered in the order of insertion.
#[derive(Clone, Debug)]
pub struct StateSet {
    /// Words per state.
    words: usize,
    /// The states, one after the other.
    arena: Vec<u64>,
    /// The numbers of the states, by the hash of their words.
    table: IndexTable,
}

/// No state has this number.
pub(crate) const NO_GUESS: u32 = u32::MAX;

impl StateSet {
    /// The most states that can be numbered.
    pub const MAX: usize = IndexTable::MAX;

    /// The empty set, for states of this number of words.
    pub fn new(words: usize) -> Self {
        Self { words, arena: Vec::new(), table: IndexTable::new() }
    }

    /// How many states there are.
    #[inline]
    pub fn len(&self) -> usize {
        if self.words == 1 { self.arena.len() } else { self.arena.len() / self.words }
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
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        self.find_hashed(state, hash(state))
    }

    /// The number of a state, which is added if it is new; and whether it was new.
    ///
    /// # Panics
    /// When a new state would be the 2³²th.
    pub fn insert(&mut self, state: &[u64]) -> (StateId, bool) {
        let hash = hash(state);
        if let Some(known) = self.find_hashed(state, hash) {
            return (known, false);
        }
        if !self.has_room() {
            self.grow();
        }
        (self.add(state, hash), true)
    }

    /// The number of a state with its hash, if it is in the set.
    #[inline]
    pub(crate) fn find_hashed(&self, state: &[u64], hash: u64) -> Option<StateId> {
        self.table.find(hash, |number| self.is_at(number, state)).map(StateId::from_raw)
    }

    /// Adds a state that is not in the set. There has to be room.
    #[inline]
    pub(crate) fn add(&mut self, state: &[u64], hash: u64) -> StateId {
        let new = StateId::from_index(self.len());
        self.table.add(hash, new.raw());
        self.arena.extend_from_slice(state);
        new
    }

    /// For each hash, the number that a state with this hash has if it is in the set, or [`NO_GUESS`]; a guess is
    /// rarely wrong. Also reads what is needed to verify the guesses, so that it is in the cache.
    ///
    /// All is read in one go, without deciding on one state before the next is read: so the processor overlaps the
    /// cache misses.
    #[inline]
    pub(crate) fn guess(&self, hashes: &[u64], guesses: &mut Vec<u32>) {
        let homes = hashes.iter().fold(0, |sum, &hash| sum ^ self.table.touch(hash));
        std::hint::black_box(homes);
        guesses.extend(hashes.iter().map(|&hash| self.table.find(hash, |_| true).unwrap_or(NO_GUESS)));
        let first_word =
            |guess| self.words_at(guess).and_then(|words| words.first()).copied().unwrap_or_default();
        let words = guesses.iter().fold(0, |sum, &guess| sum ^ first_word(guess));
        std::hint::black_box(words);
    }

    /// Whether a state has a number.
    #[inline]
    pub(crate) fn is_at(&self, number: u32, state: &[u64]) -> bool {
        self.words_at(number).is_some_and(|words| equal(words, state))
    }

    /// The words of the state with a number, if there is one.
    #[inline]
    fn words_at(&self, number: u32) -> Option<&[u64]> {
        // The place of a number that no state has may exceed the address space where addresses have 32 bits.
        let end = usize::try_from((u64::from(number) + 1) * self.words as u64).ok()?;
        self.arena.get(end - self.words..end)
    }

    /// Whether one more state fits without growing.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.table.has_room() && self.arena.len() < self.arena.capacity()
    }

    /// Whether `more` more states fit without growing.
    #[inline]
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        self.table.has_room_for(more) && self.arena_has_room_for(more)
    }

    /// All states, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.arena.chunks_exact(self.words)
    }

    /// Enlarges the set; there is room for at least one more state then.
    #[cold]
    pub(crate) fn grow(&mut self) {
        self.grow_for(1);
    }

    /// Enlarges the set a little, on the way to room for `more` more states. To be called until there is room.
    #[cold]
    pub(crate) fn grow_for(&mut self, more: usize) {
        if !self.arena_has_room_for(more) {
            self.arena.reserve_exact(self.arena_grown() - self.arena.len());
        }
        if !self.table.has_room_for(more) {
            self.table.grow(self.arena.chunks_exact(self.words).map(hash));
        }
    }

    #[inline]
    fn arena_has_room_for(&self, more: usize) -> bool {
        self.arena.len() + more * self.words <= self.arena.capacity()
    }

    /// How many words the arena has room for after it has grown.
    fn arena_grown(&self) -> usize {
        /// Minimum number of states to grow by.
        const LEAST: usize = 1 << 6;
        self.arena.capacity() + (self.len() / 8).max(LEAST) * self.words
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<u64>() + self.table.bytes()
    }

    /// Bytes held after [`StateSet::grow_for`].
    pub(crate) fn bytes_grown(&self, more: usize) -> usize {
        let arena = if self.arena_has_room_for(more) { self.arena.capacity() } else { self.arena_grown() };
        let has_room = self.table.has_room_for(more);
        arena * size_of::<u64>() + if has_room { self.table.bytes() } else { self.table.bytes_grown() }
    }
}

/// The hash of the words of a state: multiplication to double width, folded, so that all bits depend on all bits.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the halves of a product are meant")]
pub(crate) fn hash(state: &[u64]) -> u64 {
    /// The first digits of π, and 2⁶⁴ divided by the golden ratio: any two odd numbers without pattern.
    const SEED: u64 = 0x243f_6a88_85a3_08d3;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    state.iter().fold(0, |hash, &word| {
        let product = u128::from(hash ^ word ^ SEED) * u128::from(FACTOR);
        product as u64 ^ (product >> u64::BITS) as u64
    })
}

/// Whether two states are equal. States are a few words long: a loop is faster than a call.
#[inline]
fn equal(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}
