//! Random walks: from the initial state, one step after the other, each any of those that are possible.
//!
//! A walk remembers nothing but itself. After a fixed number of steps, or where there is no step, the next one begins; every few
//! walks they get longer.

use std::ops::ControlFlow;

use rely_base::Label;

use super::{Found, Random};
use crate::{Product, ProductCursor, Successor, System};

/// How many steps the first walks have.
const SHORT: usize = 1 << 6;

/// How many walks are of the same length.
const EQUAL: usize = 1 << 4;

/// How many steps the longest walks have.
const LONG: usize = 1 << 14;

pub(super) struct Walks {
    initial: Vec<u64>,
    /// The steps of the walk that is under way.
    steps: Vec<(Label, Vec<u64>)>,
    /// How many walks have ended.
    ended: usize,
    /// How many steps a walk has at most.
    length: usize,
    /// How many transitions were looked at.
    work: usize,
}

impl Walks {
    pub(super) fn new(product: &Product<'_>) -> Self {
        let mut initial = vec![0; product.words()];
        // A product that has failed before its first step is not walked on.
        let _ = product.initial(&mut initial);
        Self { initial, steps: Vec::new(), ended: 0, length: SHORT, work: 0 }
    }

    /// Makes a step; what was found, if one of those that are possible is a failure.
    pub(super) fn step(
        &mut self,
        product: &Product<'_>,
        cursor: &mut ProductCursor,
        random: &mut Random,
    ) -> Option<Found> {
        let state = self.steps.last().map_or(&self.initial, |(_, words)| words);
        let (mut failure, mut chosen, mut seen) = (None, None, 0);
        self.work += 1;
        let work = &mut self.work;
        let _ = product.try_successors(state, cursor, &mut |label, successor| {
            *work += 1;
            match successor {
                Successor::Error(component) => {
                    failure = Some((label, component));
                    return ControlFlow::Break(());
                }
                Successor::State(target) => {
                    seen += 1;
                    // Each of those that were seen so far is the one chosen with the same chance.
                    if random.below(seen) == 0 {
                        chosen = Some((label, target.to_vec()));
                    }
                }
                Successor::Cut(_) => {}
            }
            ControlFlow::Continue(())
        });
        if let Some(failure) = failure {
            return Some((std::mem::take(&mut self.steps), failure));
        }
        let has_ended = chosen.is_none() || self.steps.len() >= self.length;
        match chosen {
            Some(step) if !has_ended => self.steps.push(step),
            _ => self.begin_again(),
        }
        None
    }

    fn begin_again(&mut self) {
        self.steps.clear();
        self.ended += 1;
        if self.ended.is_multiple_of(EQUAL) {
            self.length = (self.length * 2).min(LONG);
        }
    }

    pub(super) fn work(&self) -> usize {
        self.work
    }

    pub(super) fn bytes(&self) -> usize {
        let of_step = size_of::<(Label, Vec<u64>)>() + size_of_val(self.initial.as_slice());
        self.steps.capacity() * of_step
    }
}
