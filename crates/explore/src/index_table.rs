//! A hash table that holds the numbers of things that are kept elsewhere.
//!
//! Idea: slots of 32 bits, in lines of the size of a cache line. A number is in the line that its hash decides on,
//! or, where that was full, in the next that was not. The bits of a slot that numbers leave free hold a *tag*, some
//! other bits of the hash: a line is searched as a whole, and two different things are rarely compared. The owner of
//! the things can hash them all again, so growing frees the old slots before it allocates new ones.
//!
//! Invariants: in a line the free slots come last; no line between a number and the home of its hash has a free slot;
//! at least an eighth of the slots is free.
//!
//! Cost: O(1) expected, 4.6 to 5.7 bytes per number.

/// A table of numbers, looked up by the hashes of what they stand for.
#[derive(Clone, Debug)]
pub(crate) struct IndexTable {
    /// Tag and number, or [`FREE`].
    slots: Vec<u32>,
    /// The first slot that is used, so that lines are lines of the cache.
    first: usize,
    lines: usize,
    /// The bits of a slot that hold the number.
    number: u32,
    /// How many numbers there are.
    len: usize,
}

/// A free slot: no table has this number, see [`IndexTable::MAX`].
const FREE: u32 = u32::MAX;

/// The slots of a cache line.
const LINE: usize = 16;

/// While the table grows, the home lines of this many numbers are read together, ahead of their use.
const AHEAD: usize = 64;

/// The least number of lines.
const LEAST: usize = 4;

impl IndexTable {
    /// The most numbers that a table can hold.
    pub(crate) const MAX: usize = u32::MAX as usize;

    pub(crate) fn new() -> Self {
        Self::with_lines(LEAST)
    }

    fn with_lines(lines: usize) -> Self {
        let bits = (usize::BITS - (lines * LINE).leading_zeros()).min(u32::BITS);
        let number = u32::MAX >> (u32::BITS - bits);
        let slots = vec![FREE; (lines + 1) * LINE];
        // Alignment affects only speed, so it is no problem if the offset cannot be computed.
        let offset = slots.as_ptr().align_offset(LINE * size_of::<u32>());
        Self { slots, first: if offset < LINE { offset } else { 0 }, lines, number, len: 0 }
    }

    /// The number with this hash that `is_same` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let tag = self.tag(hash);
        let mut home = self.home(hash);
        loop {
            let line = self.line(home);
            let mut matches = matches(line, tag, !self.number);
            while matches != 0 {
                let slot = line[matches.trailing_zeros() as usize % LINE];
                if slot != FREE && is_same(slot & self.number) {
                    return Some(slot & self.number);
                }
                matches &= matches - 1;
            }
            if line[LINE - 1] == FREE {
                return None;
            }
            home = self.after(home);
        }
    }

    /// Adds a number that is not in the table. There has to be room.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        debug_assert!(number & !self.number == 0 && self.has_room());
        let mut home = self.home(hash);
        while self.line(home)[LINE - 1] != FREE {
            home = self.after(home);
        }
        let place = count_occupied(self.line(home));
        self.slots[self.first + home * LINE + place] = self.tag(hash) | number;
        self.len += 1;
    }

    /// Reads a slot of the line where a hash belongs, so that it is in the cache when it is needed.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        self.line(self.home(hash))[0]
    }

    /// Whether one more number fits without growing.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.has_room_for(1)
    }

    /// Whether `more` more numbers fit without growing.
    #[inline]
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        self.len + more <= self.lines * (LINE - LINE / 8)
    }

    /// Enlarges the table by a quarter. The hashes are those of the numbers from 0 on.
    #[cold]
    pub(crate) fn grow(&mut self, hashes: impl ExactSizeIterator<Item = u64>) {
        debug_assert_eq!(hashes.len(), self.len);
        self.slots = Vec::new();
        *self = Self::with_lines(self.lines + self.lines / 4);
        let mut numbered = (0..).zip(hashes);
        let mut some = Vec::with_capacity(AHEAD);
        loop {
            some.extend(numbered.by_ref().take(AHEAD));
            if some.is_empty() {
                return;
            }
            // The lines are read together, so that the processor overlaps the cache misses.
            std::hint::black_box(some.iter().fold(0, |sum, &(_, hash)| sum ^ self.touch(hash)));
            for (number, hash) in some.drain(..) {
                self.add(hash, number);
            }
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// Bytes held after growing, which is also the most that are held while growing.
    pub(crate) fn bytes_grown(&self) -> usize {
        self.bytes() + self.lines / 4 * LINE * size_of::<u32>()
    }

    /// The line where a hash is looked for first: high bits decide on it, and low ones are the tag.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a home is smaller than the number of lines")]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines as u128) >> u64::BITS) as usize
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the low half is meant")]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.number
    }

    #[inline]
    fn line(&self, line: usize) -> &[u32; LINE] {
        self.slots[self.first + line * LINE..].first_chunk().expect("there is a whole line")
    }

    #[inline]
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines { 0 } else { line + 1 }
    }
}

/// The slots of a line with a tag, as a set of bits; free slots may be among them.
#[inline]
fn matches(line: &[u32; LINE], tag: u32, tag_bits: u32) -> u32 {
    let mut matches = 0;
    for (i, slot) in line.iter().enumerate() {
        matches |= u32::from(slot & tag_bits == tag) << i;
    }
    matches
}

/// How many slots of a line are occupied. Occupied slots come first, and the last slot is free.
#[inline]
fn count_occupied(line: &[u32; LINE]) -> usize {
    let mut count = 8 * usize::from(line[7] != FREE);
    count += 4 * usize::from(line[count + 3] != FREE);
    count += 2 * usize::from(line[count + 1] != FREE);
    count + usize::from(line[count] != FREE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rely_testkit::rng::Rng;

    use super::*;

    #[test]
    fn finds_what_was_added() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let range = 1 + rng.below(20_000);
            // Hashes may be as bad as they like: all in one line, all with one tag, or proper ones.
            let hash = |thing: usize| match seed % 3 {
                0 => thing as u64 & 0xff,
                1 => (thing as u64) << 48,
                _ => (thing as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            };
            let mut table = IndexTable::new();
            let (mut things, mut twin) = (Vec::new(), BTreeMap::new());
            for _ in 0..2000 {
                let thing = rng.below(range);
                let found = table.find(hash(thing), |number| things[number as usize] == thing);
                assert_eq!(found, twin.get(&thing).copied(), "seed {seed}");
                if found.is_none() {
                    if !table.has_room() {
                        table.grow(things.iter().map(|&thing| hash(thing)));
                    }
                    let number = u32::try_from(things.len()).unwrap();
                    table.add(hash(thing), number);
                    twin.insert(thing, number);
                    things.push(thing);
                }
            }
        }
    }
}
