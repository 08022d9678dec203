//! Boolean operations on languages, by complement and product [Rabin & Scott 1959].

use rely_base::StateId;

use crate::Dfa;

impl Dfa {
    /// The words that are not accepted.
    #[must_use]
    pub fn complement(&self) -> Self {
        self.clone().map_accepting(|_, accepting| !accepting)
    }

    /// The words for which `combine` is true of whether each of the two automata accepts them: the reachable product.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    #[must_use]
    pub fn product(&self, other: &Self, combine: impl Fn(bool, bool) -> bool) -> Self {
        assert_eq!(self.letter_count(), other.letter_count(), "a product is over one alphabet");
        Self::reachable(
            self.letter_count(),
            (self.initial(), other.initial()),
            |&(p, q): &(StateId, StateId)| combine(self.is_accepting(p), other.is_accepting(q)),
            |&(p, q), letter| (self.step(p, letter), other.step(q, letter)),
        )
    }

    /// The words that both accept.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.product(other, |p, q| p && q)
    }

    /// The words that at least one of them accepts.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.product(other, |p, q| p || q)
    }

    /// The words that this automaton accepts and the other does not.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.product(other, |p, q| p && !q)
    }
}
