//! Packing the states of several components, or the values of slots, into machine words.
//!
//! Each component gets a field of as many bits as its states need, first-fit into 64-bit words; no field straddles two
//! words. A component with one state gets a field of no bits. Error states are not packed, since a network with a
//! component in its error state has no further behaviour.

use rely_base::{Id, StateId};
use rely_lts::Lts;

/// Where the state of one component is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// In which word.
    pub(crate) word: usize,
    /// From which bit on.
    pub(crate) shift: u32,
    /// The mask of the field at the low end: as many ones as the field has bits.
    pub(crate) mask: u64,
    /// The error state of the component, which is left out of the numbering.
    error: Option<StateId>,
}

impl Field {
    /// The packed number of the component's state.
    #[inline]
    pub(crate) fn extract(&self, state: &[u64]) -> usize {
        usize::try_from((state[self.word] >> self.shift) & self.mask).expect("a field has at most 32 bits")
    }

    /// The number that stands for a proper state of the component.
    pub(crate) fn encode(&self, state: StateId) -> u64 {
        debug_assert!(Some(state) != self.error);
        u64::from(state.raw()) - u64::from(self.error.is_some_and(|error| error < state))
    }

    /// The proper state of the component that a number stands for.
    pub(crate) fn decode(&self, packed: usize) -> StateId {
        StateId::from_index(packed + usize::from(self.error.is_some_and(|error| error.index() <= packed)))
    }

    /// The change of the word that moves the component from one proper state to another.
    pub(crate) fn delta(&self, from: StateId, to: StateId) -> u64 {
        (self.encode(from) ^ self.encode(to)) << self.shift
    }
}

/// The fields of components in order, and the number of words that they fill.
pub(crate) fn pack<'a>(components: impl Iterator<Item = &'a Lts> + Clone) -> (Vec<Field>, usize) {
    let (mut fields, words) = place(components.clone().map(|lts| bits_for(lts.proper_state_count() as u64)));
    fields.iter_mut().zip(components).for_each(|(field, lts)| field.error = lts.error());
    (fields, words)
}

/// Fields with the given numbers of bits, each at most 64, in order; and the number of words needed, at least one.
pub(crate) fn place(bits: impl Iterator<Item = u32>) -> (Vec<Field>, usize) {
    let mut free: Vec<u32> = vec![u64::BITS];
    let fields = bits
        .map(|bits| {
            let word = free.iter().position(|&free| free >= bits).unwrap_or_else(|| {
                free.push(u64::BITS);
                free.len() - 1
            });
            // A field of no bits may sit in a full word: its shift has to stay below 64 all the same.
            let shift = (u64::BITS - free[word]) % u64::BITS;
            free[word] -= bits;
            Field { word, shift, mask: (1 << bits) - 1, error: None }
        })
        .collect();
    (fields, free.len())
}

/// The number of bits needed to distinguish `count` values.
pub(crate) fn bits_for(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}
