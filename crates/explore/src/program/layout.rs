//! Where the slots of a program are kept in the words of a state.
//!
//! A slot has as many bits as its values need; they hold the position of its value, counted from the least one.

use rely_lts::{Lifetime, Program};

use crate::packing;

/// The places of the slots.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    places: Vec<Place>,
    words: usize,
}

/// The place of a slot.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: usize,
    shift: u32,
    /// The mask of the slot at the low end: as many ones as the slot has bits.
    mask: u64,
    /// The least and the greatest value.
    low: i64,
    high: i64,
}

/// A word of a state with new values for some of its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reset {
    word: usize,
    mask: u64,
    bits: u64,
}

impl Reset {
    #[inline]
    pub(super) fn apply(self, state: &mut [u64]) {
        state[self.word] = state[self.word] & !self.mask | self.bits;
    }
}

impl Layout {
    pub(super) fn new(program: &Program) -> Self {
        let counts = program.slots().iter().map(|slot| slot.values.count());
        let (fields, words) = packing::place(counts.map(packing::bits_for));
        let places = fields.into_iter().zip(program.slots()).map(|(field, slot)| {
            let (low, high) = slot.values.bounds();
            let (low, high) = (i64::from(low), i64::from(high));
            Place { word: field.word, shift: field.shift, mask: field.mask, low, high }
        });
        Self { places: places.collect(), words }
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The position of a slot's value.
    #[inline]
    pub(super) fn position(&self, slot: usize, state: &[u64]) -> u32 {
        let Place { word, shift, mask, .. } = self.places[slot];
        u32::try_from((state[word] >> shift) & mask).expect("a slot has at most 32 bits")
    }

    /// The value of a slot.
    #[inline]
    pub(super) fn value(&self, slot: usize, state: &[u64]) -> i64 {
        i64::from(self.position(slot, state)) + self.places[slot].low
    }

    /// The position of a value; `None` if the slot does not have the value.
    #[inline]
    pub(super) fn position_of(&self, slot: usize, value: i64) -> Option<u32> {
        let Place { low, high, .. } = self.places[slot];
        (low..=high)
            .contains(&value)
            .then(|| u32::try_from(value - low).expect("there are no more values than positions"))
    }

    /// Gives a slot the value at a position.
    #[inline]
    pub(super) fn write(&self, slot: usize, position: u32, state: &mut [u64]) {
        let Place { word, shift, mask, .. } = self.places[slot];
        state[word] = state[word] & !(mask << shift) | u64::from(position) << shift;
    }

    /// The positions of all slots.
    pub(super) fn unpack(&self, state: &[u64]) -> Vec<u32> {
        (0..self.places.len()).map(|slot| self.position(slot, state)).collect()
    }

    /// The packed state with these positions; `None` if there are too many or too few, or a slot has fewer values.
    pub(super) fn pack(&self, positions: &[u32]) -> Option<Vec<u64>> {
        let mut state = vec![0; self.words];
        if positions.len() != self.places.len() {
            return None;
        }
        for (slot, &position) in positions.iter().enumerate() {
            let Place { low, high, .. } = self.places[slot];
            if i64::from(position) > high - low {
                return None;
            }
            self.write(slot, position, &mut state);
        }
        Some(state)
    }

    /// The words that set all momentary slots back to their initial values.
    pub(super) fn resets(&self, program: &Program, initial: &[u64]) -> Vec<Reset> {
        let mut masks = vec![0; self.words];
        for (place, slot) in self.places.iter().zip(program.slots()) {
            if slot.lifetime == Lifetime::Momentary {
                masks[place.word] |= place.mask << place.shift;
            }
        }
        let words = masks.into_iter().zip(initial).enumerate().filter(|(_, (mask, _))| *mask != 0);
        words.map(|(word, (mask, initial))| Reset { word, mask, bits: initial & mask }).collect()
    }
}
