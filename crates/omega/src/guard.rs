//! Guards: which letters a transition of an automaton may read.

use crate::AtomSet;

/// A conjunction of literals. It stands for the letters that contain the positive atoms and none of the negative ones.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    /// The atoms that have to hold.
    pub positive: AtomSet,
    /// The atoms that must not hold.
    pub negative: AtomSet,
}

impl Guard {
    /// The guard that every letter passes.
    pub fn everything() -> Self {
        Self::default()
    }

    /// Whether the letter passes.
    #[inline]
    pub fn allows(&self, letter: &AtomSet) -> bool {
        self.positive.is_subset(letter) && !self.negative.intersects(letter)
    }

    /// The guard that the letters pass which pass both; nothing when no letter does.
    pub fn both(&self, other: &Self) -> Option<Self> {
        if self.positive.intersects(&other.negative) || self.negative.intersects(&other.positive) {
            return None;
        }
        let mut both = self.clone();
        both.positive.insert_all(&other.positive);
        both.negative.insert_all(&other.negative);
        Some(both)
    }

    /// Whether some letter passes both.
    pub fn meets(&self, other: &Self) -> bool {
        !self.positive.intersects(&other.negative) && !self.negative.intersects(&other.positive)
    }

    /// Whether every letter that passes this one passes the other.
    pub fn implies(&self, other: &Self) -> bool {
        other.positive.is_subset(&self.positive) && other.negative.is_subset(&self.negative)
    }

    /// How many literals it has.
    pub fn literal_count(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// The one guard that says the same as both together, if they differ only in the sign of one atom.
    pub(crate) fn resolve(&self, other: &Self) -> Option<Self> {
        let mut resolvents = self
            .positive
            .iter()
            .filter(|&atom| other.negative.contains(atom))
            .map(|atom| (atom, true))
            .chain(
                self.negative.iter().filter(|&atom| other.positive.contains(atom)).map(|atom| (atom, false)),
            );
        let (atom, positive) = resolvents.next()?;
        let (mut one, mut two) = (self.clone(), other.clone());
        if positive {
            one.positive.remove(atom);
            two.negative.remove(atom);
        } else {
            one.negative.remove(atom);
            two.positive.remove(atom);
        }
        (one == two).then_some(one)
    }
}
