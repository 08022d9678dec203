//! What a reduction has done, for those who want to follow it.

use rely_lts::Lts;

use super::Reduction;

/// Two pieces of a reduction that were composed, and what became of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composition {
    /// Whether the first piece has the goal in it.
    pub has_goal: bool,
    /// The parts of the first piece, by number.
    pub first: Vec<usize>,
    /// The parts of the second piece.
    pub second: Vec<usize>,
    /// How many states the pieces had before.
    pub before: [usize; 2],
    /// How many states the composition has once it is reduced, the error state not counted.
    pub after: usize,
    /// Whether the error can still be reached in it.
    pub can_fail: bool,
}

impl Reduction {
    /// What was composed so far, in order.
    pub fn compositions(&self) -> &[Composition] {
        &self.compositions
    }

    /// Notes that two pieces are about to be replaced by their composition.
    pub(super) fn note_composition(&mut self, first: usize, second: usize, product: &Lts) {
        let sorted = |piece: usize| {
            let mut parts = self.pieces[piece].parts.clone();
            parts.sort_unstable();
            parts
        };
        let composition = Composition {
            has_goal: first == 0,
            first: sorted(first),
            second: sorted(second),
            before: [first, second].map(|piece| self.pieces[piece].lts.proper_state_count()),
            after: product.proper_state_count(),
            can_fail: product.error().is_some(),
        };
        self.compositions.push(composition);
    }
}
