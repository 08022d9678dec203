//! A set of machine words in eight bytes each, and a few free ones.
//!
//! Problem: know which of up to 10⁹ packed states have been seen. The set is by far the largest thing in memory, and
//! nearly every lookup misses the cache.
//!
//! Source: ordered hash tables [Amble Knuth 1974], with linear probing.
//!
//! Idea: words are scrambled by a bijection, and the scrambled words are stored in ascending order. A word's *home*
//! is the cache line in proportion to its scrambled value; the word is found there or, where that line was full, soon
//! after. All that is before it is smaller, and free slots hold the largest word: its place in a line is found by
//! halving, without a branch that the processor could mispredict.
//!
//! Growing is one pass to the end of the longer array and one pass back, both sequential and in place: the words are
//! already in order, and stay in order. So a set can grow by an eighth at a time, and never exists twice.
//!
//! Invariants: the occupied slots ascend; no slot between the begin of a word's home and the word is free; the last
//! line is free.
//!
//! Cost: O(1) expected, 10 to 11 bytes per word.

/// A set of words.
#[derive(Clone, Debug)]
pub(crate) struct WordSet {
    /// Scrambled words, and [`FREE`].
    slots: Vec<u64>,
    /// The first slot that is used, so that lines are lines of the cache.
    first: usize,
    /// How many lines are homes; the rest takes what is pushed over the end.
    homes: usize,
    /// How many words there are.
    len: usize,
    /// Whether the set has the word whose scrambled form is [`FREE`].
    has_last: bool,
}

/// A free slot.
const FREE: u64 = u64::MAX;

/// The slots of a cache line.
const LINE: usize = 8;

/// Number of slots beyond the homes: for words pushed over the end, and for alignment.
const SPILL: usize = 8 * LINE;

/// The least number of homes.
const LEAST: usize = 1 << 8;

impl WordSet {
    pub(crate) fn new() -> Self {
        let mut set =
            Self { slots: vec![FREE; LEAST * LINE + SPILL], first: 0, homes: LEAST, len: 0, has_last: false };
        set.align();
        set
    }

    /// Whether a word is in the set.
    #[cfg(test)]
    pub(crate) fn contains(&self, word: u64) -> bool {
        let key = scramble(word);
        if key == FREE { self.has_last } else { self.slots[self.place(key)] == key }
    }

    /// Adds a word; returns whether it was new. There has to be room: see [`WordSet::has_room`].
    #[inline]
    pub(crate) fn insert(&mut self, word: u64) -> bool {
        let key = scramble(word);
        if key == FREE {
            let new = !std::mem::replace(&mut self.has_last, true);
            self.len += usize::from(new);
            return new;
        }
        let place = self.place(key);
        if self.slots[place] == key {
            return false;
        }
        self.push_right(place, key);
        self.len += 1;
        true
    }

    /// Reads the homes of words in one go, without deciding on one before the next is read: so the processor overlaps
    /// the cache misses.
    #[inline]
    pub(crate) fn touch(&self, words: &[u64]) {
        let sum = words.iter().fold(0, |sum, &word| sum ^ self.slots[self.home(scramble(word))]);
        std::hint::black_box(sum);
    }

    /// Whether `more` more words fit without growing.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        // If more than 27/32 of the slots are used, too many words are not at home.
        self.len + more <= self.homes * LINE / 32 * 27
    }

    /// All words, in the order of the table.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let last = self.has_last.then_some(FREE);
        self.slots.iter().copied().filter(|&key| key != FREE).chain(last).map(unscramble)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Bytes held after growing, which is also the most that are held while growing.
    pub(crate) fn bytes_grown(&self) -> usize {
        self.bytes() + self.homes / 8 * LINE * size_of::<u64>()
    }

    /// The slot where a scrambled word is, or where it belongs.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut begin = self.home(key);
        loop {
            let line = self.slots[begin..].first_chunk().expect("the last line is free");
            let smaller = count_smaller(line, key);
            begin += smaller;
            if smaller < LINE {
                return begin;
            }
        }
    }

    /// The first slot of the home of a scrambled word.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a home is smaller than the number of homes")]
    fn home(&self, key: u64) -> usize {
        self.first + LINE * ((u128::from(key) * self.homes as u128) >> u64::BITS) as usize
    }

    /// Puts a word into a slot, and shifts the following words one slot to the right, up to the next free slot.
    #[inline]
    fn push_right(&mut self, mut place: usize, mut key: u64) {
        while key != FREE {
            std::mem::swap(&mut self.slots[place], &mut key);
            place += 1;
        }
        if place + LINE > self.slots.len() {
            self.extend(SPILL);
        }
    }

    /// Enlarges the table by an eighth.
    #[cold]
    pub(crate) fn grow(&mut self) {
        let (old, more) = (self.slots.len(), self.homes / 8);
        self.extend(more * LINE);
        self.homes += more;
        self.align();
        let packed = self.pack_right(old);
        self.spread_left(packed);
    }

    /// Adds `more` free slots.
    fn extend(&mut self, more: usize) {
        self.slots.reserve_exact(more);
        self.slots.resize(self.slots.len() + more, FREE);
    }

    /// Aligns the lines with those of the cache.
    fn align(&mut self) {
        // Alignment affects only speed, so it is no problem if the offset cannot be computed.
        let offset = self.slots.as_ptr().align_offset(LINE * size_of::<u64>());
        self.first = if offset < LINE { offset } else { 0 };
    }

    /// Moves the words of the first `old` slots to the end of the array, without gaps; returns the first slot they
    /// fill.
    fn pack_right(&mut self, old: usize) -> usize {
        let mut packed = self.slots.len();
        for slot in (0..old).rev() {
            // Free slots are written, too, and overwritten by the next word: that is cheaper than a branch.
            let key = self.slots[slot];
            self.slots[packed - 1] = key;
            packed -= usize::from(key != FREE);
        }
        packed
    }

    /// Moves the words from slot `packed` on left to their homes, or as close as the words before them leave room. No
    /// word moves to the right, since all words after it have a place.
    fn spread_left(&mut self, packed: usize) {
        /// This number of words is copied out at a time.
        const SOME: usize = 64;
        let (mut next, mut freed) = (0, 0);
        for from in (packed..self.slots.len()).step_by(SOME) {
            let mut some = [FREE; SOME];
            let count = SOME.min(self.slots.len() - from);
            some[..count].copy_from_slice(&self.slots[from..from + count]);
            self.slots[freed..from + count].fill(FREE);
            freed = from + count;
            for &key in &some[..count] {
                let place = self.home(key).max(next);
                self.slots[place] = key;
                next = place + 1;
            }
        }
    }
}

/// How many words of a line are smaller than `key`. The words ascend.
#[inline]
fn count_smaller(line: &[u64; LINE], key: u64) -> usize {
    let mut count = 4 * usize::from(line[3] < key);
    count += 2 * usize::from(line[count + 1] < key);
    count += usize::from(line[count] < key);
    count + usize::from(line[count] < key)
}

/// 2⁶⁴ divided by the golden ratio, and its inverse modulo 2⁶⁴.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const INVERSE: u64 = 0xf1de_83e1_9937_733d;

/// A bijection that makes the high bits, which decide on the home, depend on all bits.
#[inline]
fn scramble(word: u64) -> u64 {
    (word ^ (word >> 32)).wrapping_mul(FACTOR)
}

/// The word that is scrambled to a key.
fn unscramble(key: u64) -> u64 {
    let word = key.wrapping_mul(INVERSE);
    word ^ (word >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rely_testkit::rng::Rng;

    use super::*;

    /// The invariants of the table.
    fn check(set: &WordSet) {
        let keys: Vec<(usize, u64)> =
            set.slots.iter().copied().enumerate().filter(|&(_, key)| key != FREE).collect();
        assert!(keys.is_sorted_by(|a, b| a.1 < b.1), "out of order");
        assert_eq!(keys.len() + usize::from(set.has_last), set.len);
        assert!(set.slots[set.slots.len() - LINE..].iter().all(|&slot| slot == FREE));
        for (place, key) in keys {
            assert!(set.slots[set.home(key)..place].iter().all(|&slot| slot != FREE), "a gap before a word");
        }
    }

    #[test]
    fn is_the_set_of_what_was_inserted() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let range = 1 + rng.below(30_000);
            // Small numbers, numbers that differ in high bits only, numbers whose homes are at the end.
            let word = |rng: &mut Rng| match seed % 3 {
                0 => rng.below(range) as u64,
                1 => (rng.below(range) as u64) << 40,
                _ => unscramble(u64::MAX - rng.below(range) as u64),
            };
            let (mut set, mut twin) = (WordSet::new(), BTreeSet::new());
            for _ in 0..10_000 {
                let word = word(&mut rng);
                if !set.has_room(1) {
                    set.grow();
                }
                assert_eq!(set.insert(word), twin.insert(word), "seed {seed}");
                let other = rng.below(range) as u64;
                assert_eq!(set.contains(other), twin.contains(&other), "seed {seed}");
            }
            check(&set);
            assert_eq!(set.len, twin.len());
            assert!(twin.iter().all(|&word| set.contains(word)), "seed {seed}");
            assert_eq!(set.words().collect::<BTreeSet<u64>>(), twin, "seed {seed}");
        }
    }

    #[test]
    fn scrambling_is_undone() {
        let mut rng = Rng::new(1);
        assert!((0..1000).map(|_| rng.next_u64()).all(|word| unscramble(scramble(word)) == word));
    }

    #[test]
    fn word_that_looks_free_can_be_in_the_set() {
        let word = unscramble(FREE);
        let mut set = WordSet::new();
        assert!(!set.contains(word) && set.insert(word) && set.contains(word) && !set.insert(word));
        check(&set);
    }
}
