//! The states that belong to one worker of a sweep.

use crate::state_set::{NO_GUESS, StateSet, hash};
use crate::word_set::WordSet;
use crate::{Arrivals, Inspector};

use super::shared::Shared;

/// A set of states that is only asked whether a state is new.
pub(super) trait Visited: Send + Sized {
    /// The empty set, for states of this number of words.
    fn new(words: usize) -> Self;

    /// Whether `more` more states fit without growing.
    fn has_room(&self, more: usize) -> bool;

    /// Enlarges the set a little, on the way to room for `more` more states.
    fn grow(&mut self, more: usize);

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Bytes held after growing, which is also the most that are held while growing.
    fn bytes_grown(&self, more: usize) -> usize;

    /// Adds states for which there is room; those that are new are added to `next`, too.
    fn insert_all(&mut self, batch: &Arrivals, next: &mut Arrivals);

    /// All states, in some order.
    fn for_each(&self, visit: impl FnMut(&[u64]));
}

/// Single words.
impl Visited for WordSet {
    fn new(_words: usize) -> Self {
        Self::new()
    }

    #[inline]
    fn has_room(&self, more: usize) -> bool {
        self.has_room(more)
    }

    fn grow(&mut self, _more: usize) {
        self.grow();
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn bytes_grown(&self, _more: usize) -> usize {
        self.bytes_grown()
    }

    #[inline]
    fn insert_all(&mut self, batch: &Arrivals, next: &mut Arrivals) {
        /// This number of lines is read in one go; they stay in the nearest cache until they are needed.
        const AHEAD: usize = 1 << 6;
        next.fill(batch.len(), |filler| {
            for (words, moves) in batch.words.chunks(AHEAD).zip(batch.moves.chunks(AHEAD)) {
                self.touch(words);
                for (&word, &arrival) in words.iter().zip(moves) {
                    filler.push_if(self.insert(word), word, arrival);
                }
            }
        });
    }

    fn for_each(&self, mut visit: impl FnMut(&[u64])) {
        self.words().for_each(|word| visit(&[word]));
    }
}

/// States of several words.
pub(super) struct WideSet {
    states: StateSet,
    /// The hashes of a batch, and the guessed numbers of its states.
    hashes: Vec<u64>,
    guesses: Vec<u32>,
    words: usize,
}

impl Visited for WideSet {
    fn new(words: usize) -> Self {
        Self { states: StateSet::new(words), hashes: Vec::new(), guesses: Vec::new(), words }
    }

    fn has_room(&self, more: usize) -> bool {
        self.states.has_room_for(more)
    }

    fn grow(&mut self, more: usize) {
        self.states.grow_for(more);
    }

    fn bytes(&self) -> usize {
        self.states.bytes()
    }

    fn bytes_grown(&self, more: usize) -> usize {
        self.states.bytes_grown(more)
    }

    #[inline]
    fn insert_all(&mut self, batch: &Arrivals, next: &mut Arrivals) {
        self.hashes.clear();
        self.hashes.extend(batch.words.chunks_exact(self.words).map(hash));
        self.guesses.clear();
        self.states.guess(&self.hashes, &mut self.guesses);
        let states = batch.iter(self.words);
        for (((state, arrival), &hash), &guess) in states.zip(&self.hashes).zip(&self.guesses) {
            let known = guess != NO_GUESS && self.states.is_at(guess, state);
            if !known && self.states.find_hashed(state, hash).is_none() {
                self.states.add(state, hash);
                next.push(state, arrival);
            }
        }
    }

    fn for_each(&self, visit: impl FnMut(&[u64])) {
        self.states.iter().for_each(visit);
    }
}

/// The shard, out of `shards`, that a state belongs to. It is independent of the place of the state in a table, so
/// that the states of one shard are spread all over its table.
#[inline]
pub(super) fn owner(state: &[u64], shards: usize) -> usize {
    if shards == 1 {
        return 0;
    }
    let low = hash(state) & u64::from(u32::MAX);
    // The product has 64 bits, also on machines with words of 32 bits.
    usize::try_from((low * shards as u64) >> u32::BITS).unwrap_or(0)
}

/// The states that belong to one worker.
pub(super) struct Shard<V> {
    words: usize,
    /// All states that were found.
    seen: V,
    /// The states of the level that is being expanded.
    pub(super) level: Arrivals,
    /// The states of the next level found so far.
    pub(super) next: Arrivals,
}

impl<V: Visited> Shard<V> {
    pub(super) fn new(words: usize, shared: &Shared<'_>) -> Self {
        let seen = V::new(words);
        // The budget is checked only when there is something to add.
        shared.claim(seen.bytes());
        Self { words, seen, level: Arrivals::default(), next: Arrivals::default() }
    }

    /// Looks up states and adds those that are new to the next level. If a limit is met, nothing is added.
    #[inline]
    pub(super) fn settle(
        &mut self,
        batch: &mut Arrivals,
        inspector: &mut impl Inspector,
        shared: &Shared<'_>,
    ) {
        if self.make_room(batch.len(), shared) {
            let Self { words, seen, next, .. } = self;
            let before = next.len();
            seen.insert_all(batch, next);
            next.iter_from(before, *words).for_each(|state| inspector.found(state));
            shared.found(next.len() - before);
        }
        batch.clear();
    }

    /// Makes room for `states` states that will be added.
    pub(super) fn expect(&mut self, states: usize, shared: &Shared<'_>) {
        while !self.seen.has_room(states) && shared.claim(self.seen.bytes_grown(states) - self.seen.bytes()) {
            self.seen.grow(states);
        }
    }

    /// Adds known states that need not be expanded.
    pub(super) fn add_known(&mut self, batch: &mut Arrivals, shared: &Shared<'_>) {
        if self.make_room(batch.len(), shared) {
            let before = self.next.len();
            self.seen.insert_all(batch, &mut self.next);
            self.next.truncate(before, self.words);
        }
        batch.clear();
    }

    #[inline]
    fn make_room(&mut self, more: usize, shared: &Shared<'_>) -> bool {
        while !self.seen.has_room(more) {
            if !shared.claim(self.seen.bytes_grown(more) - self.seen.bytes()) {
                return false;
            }
            self.seen.grow(more);
        }
        self.next.reserve(more, self.words, |bytes| shared.claim(bytes))
    }

    /// Makes the next level the current one.
    pub(super) fn turn(&mut self) {
        std::mem::swap(&mut self.level, &mut self.next);
        self.next.clear();
    }

    /// The states that were found.
    pub(super) fn seen(&self) -> &V {
        &self.seen
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.seen.bytes() + self.level.bytes() + self.next.bytes()
    }
}
