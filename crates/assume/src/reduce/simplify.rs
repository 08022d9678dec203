//! What a look at single actions shows to be without effect.
//!
//! - An action that a piece can always take, and that never changes it, is none of its business.
//! - An action that never changes any piece need not occur.
//! - An action for which some piece is never ready does not occur; nobody needs it.
//! - An action that only one piece has is silent.
//! - A piece that shares nothing with the goal, not even through others, can be left to itself.
//!
//! Each of these may make way for another, so they are applied until nothing changes.

use std::sync::Arc;

use rely_base::{ActionId, Budget, Exhausted, Id};
use rely_lts::Lts;
use rely_lts::operators::{hide, restrict, trim};

use super::piece::{Effect, Owners, Piece};
use super::table::Single;
use super::{Reduction, reduced_goal, reduced_part};

impl Reduction {
    /// Simplifies until nothing changes; all pieces are reduced then.
    pub(super) fn simplify(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        loop {
            // To look at actions is less work than to reduce, so it comes first.
            while self.forget_actions() {}
            let owners = Owners::of(&self.pieces, self.names.len());
            let mut kept = owners.connected_with_first(&self.pieces).into_iter();
            self.pieces.retain(|_| kept.next().unwrap_or(true));
            if self.pieces.iter().all(|piece| piece.is_reduced) {
                return Ok(());
            }
            for (i, piece) in self.pieces.iter_mut().enumerate().filter(|(_, piece)| !piece.is_reduced) {
                let known = Single::new(&piece.lts, piece.fingerprint, i == 0);
                let reduced = match self.table.reduced(&known) {
                    Some(reduced) => reduced,
                    None => {
                        let reduce = if i == 0 { reduced_goal } else { reduced_part };
                        let reduced = Arc::new(reduce(&piece.lts, budget)?);
                        self.table.keep_reduced(known, &reduced, budget);
                        reduced
                    }
                };
                piece.reduced_to(reduced, &mut self.names);
            }
        }
    }

    /// Takes actions without effect out of the pieces; whether there were any.
    fn forget_actions(&mut self) -> bool {
        let mut is_dead = vec![false; self.names.len()];
        let mut is_moving = vec![false; self.names.len()];
        for &(action, effect) in self.pieces.iter().flat_map(|piece| &piece.actions) {
            is_dead[action.index()] |= effect == Effect::Never;
            is_moving[action.index()] |= effect == Effect::Moves;
        }
        let without = self.change(
            |action, effect| {
                is_dead[action.index()] || !is_moving[action.index()] || effect == Effect::Neutral
            },
            |lts, is_without_effect| trim(&restrict(lts, is_without_effect)),
        );
        let owners = Owners::of(&self.pieces, self.names.len());
        let hidden =
            self.change(|action, _| owners.having(action).len() == 1, |lts, is_local| hide(lts, is_local));
        without || hidden
    }

    /// Changes the pieces that have actions of a kind; whether there were any.
    fn change(
        &mut self,
        is_meant: impl Fn(ActionId, Effect) -> bool,
        change: impl Fn(&Lts, &dyn Fn(&str) -> bool) -> Lts,
    ) -> bool {
        let mut has_changed = false;
        for i in 0..self.pieces.len() {
            let Piece { lts, actions, .. } = &self.pieces[i];
            let meant: Vec<bool> = actions.iter().map(|&(action, effect)| is_meant(action, effect)).collect();
            if meant.contains(&true) {
                let is_meant = |name: &str| lts.alphabet().get(name).is_some_and(|own| meant[own.index()]);
                let changed = change(lts, &is_meant);
                self.replace(i, changed);
                has_changed = true;
            }
        }
        has_changed
    }

    fn replace(&mut self, i: usize, lts: Lts) {
        let id = self.identity();
        let parts = std::mem::take(&mut self.pieces[i].parts);
        self.pieces[i] = Piece::new(Arc::new(lts), id, parts, &mut self.names);
    }
}
