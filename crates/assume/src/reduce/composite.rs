//! Composites first, from the inside out.
//!
//! Problem: the goal grows with every part that it is composed with, unless what the parts do among themselves has been
//! hidden before. Two parts of a protocol are often larger together than apart, so that no single composition pays, though all
//! of the protocol is no more than a buffer.
//!
//! Source: compositional reachability analysis along the hierarchy of a design [Cheung, Kramer 1999].
//!
//! Idea: whoever writes a composite says that its parts belong together. A composite whose parts share more actions among
//! themselves than with the outside is composed first, whatever its parts become on the way; those inside it come before it.
//! If it is larger in the end than its parts are together, or a product goes beyond a limit, everything is put back.
//!
//! Invariants: those of the reduction. A composite is looked at once.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rustc_hash::FxHashSet;

use super::piece::{Owners, Piece};
use super::{Composition, Reduction, Trial, order};
use crate::{Effort, Problem};

/// How many states a product inside a composite may have.
const LARGEST: usize = 1 << 12;

/// How many pairs are tried for each composition.
const TRIED: usize = 3;

/// The composites of a problem that are still to be composed.
#[derive(Clone, Debug)]
pub(super) struct Composites {
    /// The parts of each, the one that comes next last.
    left: Vec<Vec<usize>>,
    /// What there was before the one under way was begun.
    before: Option<Box<Before>>,
}

/// What is put back where a composite does not pay.
#[derive(Clone, Debug)]
struct Before {
    pieces: Vec<Piece>,
    history: usize,
    history_bytes: usize,
    compositions: Vec<Composition>,
    /// The states of all pieces of the composite together.
    states: usize,
}

impl Composites {
    pub(super) fn of(problem: &Problem) -> Self {
        Self { left: problem.composites.iter().rev().cloned().collect(), before: None }
    }
}

impl Reduction {
    /// Composes two pieces of the composite that comes next; whether there was one.
    pub(super) fn compose_inside(
        &mut self,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<bool, Exhausted> {
        while let Some(parts) = self.composites.left.last() {
            let inside = self.pieces_of(parts);
            if self.composites.before.is_none() {
                let owners = Owners::of(&self.pieces, self.names.len());
                if inside.len() < 2 || !is_closed(&inside, &owners) {
                    self.composites.left.pop();
                    continue;
                }
                self.composites.before = Some(Box::new(Before {
                    pieces: self.pieces.clone(),
                    history: self.history.len(),
                    history_bytes: self.history_bytes,
                    compositions: self.compositions.clone(),
                    states: self.states_of(&inside),
                }));
            }
            if self.compose_two_of(&inside, budget, effort)? {
                return Ok(true);
            }
            self.end_composite();
        }
        Ok(false)
    }

    /// The pieces without the goal that consist of some of these parts, by place.
    fn pieces_of(&self, parts: &[usize]) -> Vec<usize> {
        let is_inside = |piece: &Piece| piece.parts.iter().all(|part| parts.contains(part));
        (1..self.pieces.len()).filter(|&place| is_inside(&self.pieces[place])).collect()
    }

    fn states_of(&self, places: &[usize]) -> usize {
        places.iter().map(|&place| self.pieces[place].lts.state_count()).sum()
    }

    /// Composes those two of some pieces that become smallest, of the most promising; whether there are any.
    fn compose_two_of(
        &mut self,
        inside: &[usize],
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<bool, Exhausted> {
        let owners = Owners::of(&self.pieces, self.names.len());
        let mut pairs = order::pairs(&self.pieces, &owners, &self.trials);
        pairs.retain(|(first, second)| inside.contains(first) && inside.contains(second));
        let narrow = budget.narrowed(Limits { states: Some(LARGEST), bytes: None });
        let mut best: Option<(usize, (usize, usize))> = None;
        for (first, second) in pairs.into_iter().take(TRIED) {
            if let Err(exhausted) = self.attempt([first, second], &owners, &narrow, effort, &mut 0) {
                let is_too_large = exhausted.resource == Resource::States && exhausted.states > 0;
                // With more work, or more memory, it is taken up again here.
                if !is_too_large || self.work == 0 {
                    return Err(exhausted);
                }
                continue;
            }
            let ids = (self.pieces[first].id, self.pieces[second].id);
            let Some(Trial::Made(product, _)) = self.trials.get(&ids) else { continue };
            let size = product.state_count();
            if best.is_none_or(|(least, _)| size < least) {
                best = Some((size, (first, second)));
            }
        }
        if let Some((_, (first, second))) = best {
            self.replace_two(first, second);
        }
        Ok(best.is_some())
    }

    /// Keeps what became of a composite if it paid, or puts everything back.
    fn end_composite(&mut self) {
        let (Some(parts), Some(before)) = (self.composites.left.pop(), self.composites.before.take()) else {
            return;
        };
        if self.states_of(&self.pieces_of(&parts)) > before.states {
            self.pieces = before.pieces;
            self.history.truncate(before.history);
            self.history_bytes = before.history_bytes;
            self.compositions = before.compositions;
        }
    }
}

/// Whether pieces share at least as many actions among themselves alone as with others.
fn is_closed(inside: &[usize], owners: &Owners) -> bool {
    let inside: FxHashSet<usize> = inside.iter().copied().collect();
    let (mut closed, mut open) = (0, 0);
    for places in owners.all() {
        let count = places.iter().filter(|place| inside.contains(place)).count();
        closed += usize::from(count > 1 && count == places.len());
        open += usize::from(count > 0 && count < places.len());
    }
    closed >= open
}
