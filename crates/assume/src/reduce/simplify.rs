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

use rely_base::{Budget, Exhausted, Label};
use rely_lts::operators::{hide, restrict, trim};
use rely_lts::{Component, Lts};
use rustc_hash::FxHashSet;

use super::{Piece, Reduction, component, order, reduced_goal, reduced_part};
use crate::cone::connected;

impl Reduction {
    /// Simplifies until nothing changes; all pieces are reduced then.
    pub(super) fn simplify(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        loop {
            for i in 0..self.pieces.len() {
                if !self.pieces[i].is_reduced {
                    let lts = &self.pieces[i].lts;
                    let reduced = if i == 0 { reduced_goal(lts, budget) } else { reduced_part(lts, budget) }?;
                    self.pieces[i].lts = Arc::new(reduced);
                    self.pieces[i].is_reduced = true;
                }
            }
            let pieces: Vec<Component> = self.pieces.iter().map(|piece| component(&piece.lts)).collect();
            let mut kept = connected(&pieces, [0]).into_iter();
            self.pieces.retain(|_| kept.next().unwrap_or(true));
            if !self.forget_actions() {
                return Ok(());
            }
        }
    }

    /// Takes actions without effect out of the pieces; whether there were any.
    fn forget_actions(&mut self) -> bool {
        let dead: FxHashSet<String> = self.pieces.iter().flat_map(|piece| never_taken(&piece.lts)).collect();
        let systems: Vec<Arc<Lts>> = self.pieces.iter().map(|piece| Arc::clone(&piece.lts)).collect();
        let moving: FxHashSet<&str> = systems.iter().flat_map(|lts| moving(lts)).collect();
        let mut changed = false;
        for i in 0..self.pieces.len() {
            let lts = &self.pieces[i].lts;
            let neutral = neutral(lts);
            let is_without_effect =
                |name: &str| dead.contains(name) || !moving.contains(name) || neutral.contains(name);
            if lts.alphabet().names().any(is_without_effect) {
                let smaller = trim(&restrict(lts, is_without_effect));
                self.replace(i, smaller);
                changed = true;
            }
        }
        let systems: Vec<Arc<Lts>> = self.pieces.iter().map(|piece| Arc::clone(&piece.lts)).collect();
        let owners = order::owners(&systems);
        for i in 0..self.pieces.len() {
            let lts = &self.pieces[i].lts;
            let is_local = |name: &str| owners[name].len() == 1;
            if lts.alphabet().names().any(is_local) {
                let hidden = hide(lts, is_local);
                self.replace(i, hidden);
                changed = true;
            }
        }
        changed
    }

    fn replace(&mut self, i: usize, lts: Lts) {
        let id = self.identity();
        let parts = std::mem::take(&mut self.pieces[i].parts);
        self.pieces[i] = Piece { lts: Arc::new(lts), id, is_reduced: false, parts };
    }
}

/// The actions of the alphabet that no transition has.
pub(super) fn never_taken(lts: &Lts) -> Vec<String> {
    let mut taken = vec![false; lts.alphabet().len() + 1];
    for transition in lts.transitions() {
        taken[transition.label.index()] = true;
    }
    let never = lts.alphabet().iter().filter(|&(action, _)| !taken[Label::visible(action).index()]);
    never.map(|(_, name)| name.to_owned()).collect()
}

/// The actions that lead from some state to another.
pub(super) fn moving(lts: &Lts) -> impl Iterator<Item = &str> {
    let mut moves = vec![false; lts.alphabet().len() + 1];
    for transition in lts.transitions() {
        moves[transition.label.index()] |= transition.source != transition.target;
    }
    let moving = lts.alphabet().iter().filter(move |&(action, _)| moves[Label::visible(action).index()]);
    moving.map(|(_, name)| name)
}

/// The actions that lead from every state to itself, and nowhere else.
pub(super) fn neutral(lts: &Lts) -> FxHashSet<String> {
    let mut loops = vec![0_usize; lts.alphabet().len() + 1];
    let mut moves = vec![false; lts.alphabet().len() + 1];
    for transition in lts.transitions() {
        let label = transition.label.index();
        loops[label] += usize::from(transition.source == transition.target);
        moves[label] |= transition.source != transition.target;
    }
    let is_neutral = |label: Label| !moves[label.index()] && loops[label.index()] == lts.proper_state_count();
    let neutral = lts.alphabet().iter().filter(|&(action, _)| is_neutral(Label::visible(action)));
    neutral.map(|(_, name)| name.to_owned()).collect()
}
