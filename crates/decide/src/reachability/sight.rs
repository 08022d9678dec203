//! Observes a sweep of all states for deadlock and safety.
//!
//! When a limit is met, the states seen in the last level depend on the speed of the threads; so violations count
//! only when their level is complete.

use std::ops::ControlFlow;

use rely_base::Label;
use rely_explore::{Composite, Inspector, Successor};
use rely_lts::ComponentId;

use super::{Patience, Watch};

/// Notes whether there is a deadlock and whether there is an error, and what suggests that a verdict holds vacuously.
pub(super) struct Sight<'p, C> {
    system: &'p C,
    /// What is known from complete levels; a question that is not asked counts as known.
    pub(super) deadlock: bool,
    pub(super) error: bool,
    /// What is known from the current level.
    new_deadlock: bool,
    new_error: bool,
    /// By label, whether it has been seen on a transition.
    pub(super) seen: Vec<bool>,
    /// The initial state, and the bits in which some state differs from it.
    initial: Vec<u64>,
    pub(super) changed: Vec<u64>,
    /// Whether an error was seen, and whether something that is looked for has been found.
    pub(super) has_failed: bool,
    /// A unit because of which runs leave the bounds; the first in order.
    pub(super) cut: Option<ComponentId>,
    has_violation: bool,
    /// The number of states expanded, when to give up the second question, and whether it has been given up.
    states: usize,
    patience: Patience,
    pub(super) has_given_up: bool,
}

impl<'p, C: Composite> Sight<'p, C> {
    /// Continues from what the search with numbers has seen in `states` states.
    pub(super) fn new(system: &'p C, watch: &Watch<'_, C>, states: usize) -> Self {
        Self {
            system,
            deadlock: watch.deadlock.is_some() || watch.no_deadlock,
            error: watch.error.is_some() || watch.no_error,
            new_deadlock: false,
            new_error: false,
            seen: vec![false; watch.seen.len()],
            initial: watch.initial.clone(),
            changed: vec![0; watch.changed.len()],
            has_failed: false,
            cut: None,
            has_violation: watch.has_violation(),
            states,
            patience: watch.patience,
            has_given_up: false,
        }
    }
}

impl<C: Composite> Inspector for Sight<'_, C> {
    fn fresh(&self) -> Self {
        Self {
            system: self.system,
            deadlock: false,
            error: false,
            new_deadlock: false,
            new_error: false,
            seen: vec![false; self.seen.len()],
            initial: self.initial.clone(),
            changed: vec![0; self.changed.len()],
            has_failed: false,
            cut: None,
            has_violation: false,
            states: 0,
            patience: self.patience,
            has_given_up: false,
        }
    }

    /// Of the transitions only the labels matter, and each label that occurs is shown when it is awake.
    fn is_thorough(&self) -> bool {
        false
    }

    #[inline]
    fn found(&mut self, state: &[u64]) {
        for ((changed, initial), word) in self.changed.iter_mut().zip(&self.initial).zip(state) {
            *changed |= initial ^ word;
        }
    }

    #[inline]
    fn transition(&mut self, label: Label, successor: Successor<'_>) {
        match successor {
            Successor::State(_) => self.seen[label.index()] = true,
            Successor::Error(_) => self.new_error = true,
            Successor::Cut(unit) => self.cut = self.cut.into_iter().chain([unit]).min(),
        }
    }

    #[inline]
    fn expanded(&mut self, state: &[u64], transitions: usize) -> usize {
        self.states += 1;
        self.new_deadlock |= transitions == 0 && !self.system.is_end(state);
        transitions
    }

    fn take_level(&mut self, other: &mut Self) {
        let (deadlock, error) =
            (std::mem::take(&mut other.new_deadlock), std::mem::take(&mut other.new_error));
        self.has_violation |= (deadlock && !self.deadlock) || (error && !self.error);
        self.new_deadlock |= deadlock;
        self.new_error |= error;
        self.has_failed |= error;
        self.states += std::mem::take(&mut other.states);
    }

    fn end_level(&mut self) -> ControlFlow<()> {
        self.deadlock |= std::mem::take(&mut self.new_deadlock);
        self.error |= std::mem::take(&mut self.new_error);
        let is_complete = self.deadlock && self.error;
        self.has_given_up = !is_complete && self.has_violation && self.patience.ends(self.states);
        if is_complete || self.has_given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn absorb(&mut self, other: Self) {
        self.cut = self.cut.into_iter().chain(other.cut).min();
        self.seen.iter_mut().zip(&other.seen).for_each(|(seen, more)| *seen |= more);
        self.changed.iter_mut().zip(&other.changed).for_each(|(changed, more)| *changed |= more);
    }
}
