//! States, each with the move by which it was found.

use crate::Arrival;

/// States, each with the move by which it was found; all have the same number of words.
#[derive(Default)]
pub struct Arrivals {
    /// The words of the states, one state after the other.
    pub(crate) words: Vec<u64>,
    pub(crate) moves: Vec<Arrival>,
}

impl Arrivals {
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], arrival: Arrival) {
        match *state {
            [word] => self.words.push(word),
            // A few words are copied faster one by one than by a call.
            [one, other] => self.words.extend([one, other]),
            _ => self.words.extend_from_slice(state),
        }
        self.moves.push(arrival);
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.moves.clear();
    }

    /// Drops all but the first.
    pub(crate) fn truncate(&mut self, len: usize, words: usize) {
        self.words.truncate(len * words);
        self.moves.truncate(len);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.moves.capacity() * size_of::<Arrival>()
    }

    /// The states and their moves, in order; `words` is the number of words per state.
    pub(crate) fn iter(&self, words: usize) -> impl Iterator<Item = (&[u64], Arrival)> {
        self.words.chunks_exact(words).zip(self.moves.iter().copied())
    }

    /// The states from number `first` on; `words` is the number of words per state.
    pub(crate) fn iter_from(&self, first: usize, words: usize) -> impl Iterator<Item = &[u64]> {
        self.words[first * words..].chunks_exact(words)
    }

    /// Makes room for `more` states of `words` words each, unless `claim` refuses the bytes; whether there is room
    /// now.
    pub(crate) fn reserve(&mut self, more: usize, words: usize, claim: impl FnOnce(usize) -> bool) -> bool {
        /// Minimum number of states to grow by, so that small lists do not grow in tiny steps.
        const LEAST: usize = 1 << 8;
        let (len, capacity) = (self.len(), self.moves.capacity().min(self.words.capacity() / words));
        if capacity - len >= more {
            return true;
        }
        let new = (capacity / 8).max(more).max(LEAST);
        let claimed = claim(new * (words * size_of::<u64>() + size_of::<Arrival>()));
        if claimed {
            self.words.reserve_exact((capacity + new - len) * words);
            self.moves.reserve_exact(capacity + new - len);
        }
        claimed
    }

    /// Lets `fill` add at most `most` states of one word each.
    #[inline]
    pub(crate) fn fill(&mut self, most: usize, fill: impl FnOnce(&mut Filler<'_>)) {
        let before = self.len();
        self.words.resize(before + most, 0);
        self.moves.resize(before + most, Arrival::UNKNOWN);
        let (words, moves) = (&mut self.words[before..], &mut self.moves[before..]);
        let mut filler = Filler { words, moves, taken: 0 };
        fill(&mut filler);
        let taken = filler.taken;
        self.truncate(before + taken, 1);
    }
}

/// Writes candidate states of one word without branches: every candidate is written to the next free place, and the
/// count is increased only if the candidate is accepted. So there is no branch that the processor could mispredict.
pub(crate) struct Filler<'a> {
    words: &'a mut [u64],
    moves: &'a mut [Arrival],
    taken: usize,
}

impl Filler<'_> {
    /// Adds a state if the condition holds.
    #[inline]
    pub(crate) fn push_if(&mut self, condition: bool, word: u64, arrival: Arrival) {
        self.words[self.taken] = word;
        self.moves[self.taken] = arrival;
        self.taken += usize::from(condition);
    }
}
