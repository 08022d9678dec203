//! Sets of atoms: a letter of a word is the set of the atoms that hold at a position.

use rely_base::Id;

use crate::AtomId;
use crate::bits::Bits;

/// A set of atoms. Up to 64 atoms it takes no memory on the heap.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomSet(Bits);

impl AtomSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes that are taken beside the set itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    /// Whether the atom is in the set.
    #[inline]
    pub fn contains(&self, atom: AtomId) -> bool {
        self.0.contains(atom.index())
    }

    /// Adds an atom.
    pub fn insert(&mut self, atom: AtomId) {
        self.0.insert(atom.index());
    }

    /// Takes an atom out.
    pub fn remove(&mut self, atom: AtomId) {
        self.0.remove(atom.index());
    }

    /// Adds the atoms of another set.
    pub fn insert_all(&mut self, other: &Self) {
        self.0.insert_all(&other.0);
    }

    /// Whether no atom is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many atoms are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether every atom of this set is in the other.
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Whether some atom is in both.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.intersects(&other.0)
    }

    /// The atoms in order of number.
    pub fn iter(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.0.iter().map(AtomId::from_index)
    }
}

impl FromIterator<AtomId> for AtomSet {
    fn from_iter<T: IntoIterator<Item = AtomId>>(atoms: T) -> Self {
        Self(atoms.into_iter().map(Id::index).collect())
    }
}

impl std::fmt::Debug for AtomSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(AtomId::raw)).finish()
    }
}
