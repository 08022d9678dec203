//! Sets of small numbers: one word inline, further words on the heap only when a number needs them.

/// A set of small numbers. Equal sets are equal values: the last word of `rest` is never zero.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bits {
    /// The numbers below 64.
    first: u64,
    /// The numbers from 64 on, 64 to a word.
    rest: Vec<u64>,
}

impl Bits {
    /// The set whose words these are, the lowest numbers first.
    pub(crate) fn from_words(words: &[u64]) -> Self {
        let (&first, rest) = words.split_first().unwrap_or((&0, &[]));
        let mut bits = Self { first, rest: rest.to_vec() };
        bits.trim();
        bits
    }

    /// The word at a position; beyond the last there are only zeros.
    #[inline]
    pub(crate) fn word(&self, position: usize) -> u64 {
        if position == 0 { self.first } else { self.rest.get(position - 1).copied().unwrap_or(0) }
    }

    /// The bytes that are taken beside the set itself, with what an allocation costs.
    pub(crate) fn heap_bytes(&self) -> usize {
        const ALLOCATION: usize = 16;
        if self.rest.capacity() == 0 { 0 } else { ALLOCATION + self.rest.capacity() * size_of::<u64>() }
    }

    /// How many words are needed: at least one, and the last of several is not zero.
    #[inline]
    pub(crate) fn word_count(&self) -> usize {
        1 + self.rest.len()
    }

    #[inline]
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        match number / 64 {
            0 => self.first |= bit,
            word => {
                if self.rest.len() < word {
                    self.rest.resize(word, 0);
                }
                self.rest[word - 1] |= bit;
            }
        }
    }

    pub(crate) fn remove(&mut self, number: usize) {
        let mask = !(1 << (number % 64));
        match number / 64 {
            0 => self.first &= mask,
            word => {
                if let Some(word) = self.rest.get_mut(word - 1) {
                    *word &= mask;
                    self.trim();
                }
            }
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        (0..self.word_count()).map(|position| self.word(position).count_ones() as usize).sum()
    }

    #[inline]
    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.first & !other.first == 0
            && (1..self.word_count()).all(|position| self.word(position) & !other.word(position) == 0)
    }

    #[inline]
    pub(crate) fn intersects(&self, other: &Self) -> bool {
        self.first & other.first != 0 || self.rest.iter().zip(&other.rest).any(|(one, two)| one & two != 0)
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (word, &added) in self.rest.iter_mut().zip(&other.rest) {
            *word |= added;
        }
    }

    pub(crate) fn remove_all(&mut self, other: &Self) {
        self.first &= !other.first;
        for (word, &removed) in self.rest.iter_mut().zip(&other.rest) {
            *word &= !removed;
        }
        self.trim();
    }

    /// The numbers, smallest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.word_count()).flat_map(|position| {
            let mut word = self.word(position);
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    position * 64 + bit
                })
            })
        })
    }

    /// Restores that the last word is not zero.
    fn trim(&mut self) {
        while self.rest.last() == Some(&0) {
            self.rest.pop();
        }
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut bits = Self::default();
        for number in numbers {
            bits.insert(number);
        }
        bits
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
