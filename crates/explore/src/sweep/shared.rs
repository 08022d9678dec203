//! What the workers of a sweep know of each other: how much there is in all, and whether to stop.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rely_base::{Budget, Exhausted, Progress, Resource};

/// The sums of all workers. They are estimates while a level is expanded, but for the number of states.
pub(super) struct Shared<'b> {
    budget: &'b Budget<'b>,
    states: AtomicUsize,
    expanded: AtomicUsize,
    transitions: AtomicUsize,
    bytes: AtomicUsize,
    /// Whether a limit was met; and the first of them.
    stopped: AtomicBool,
    limit: Mutex<Option<Resource>>,
}

impl<'b> Shared<'b> {
    pub(super) fn new(budget: &'b Budget<'b>) -> Self {
        Self {
            budget,
            states: AtomicUsize::new(0),
            expanded: AtomicUsize::new(0),
            transitions: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            limit: Mutex::new(None),
        }
    }

    /// Counts states that were found. Nobody goes on when there are more than allowed.
    pub(super) fn found(&self, new: usize) {
        let states = self.states.fetch_add(new, Ordering::Relaxed) + new;
        if states > self.budget.max_states() {
            self.stop(Resource::States);
        }
    }

    /// How many states there are, no more than allowed.
    pub(super) fn states(&self) -> usize {
        self.states.load(Ordering::Relaxed).min(self.budget.max_states())
    }

    /// Counts states that were expanded, and asks the budget whether to go on.
    pub(super) fn expanded(&self, states: usize, transitions: usize) {
        self.expanded.fetch_add(states, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
        self.check();
    }

    /// Asks the budget whether to go on.
    pub(super) fn check(&self) {
        if let Err(exhausted) = self.budget.check(&self.progress()) {
            self.stop(exhausted.resource);
        }
    }

    /// Counts bytes that are about to be taken, if the budget allows it. Nobody goes on where it does not.
    pub(super) fn claim(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let allowed = before.saturating_add(bytes) <= self.budget.max_bytes();
        if !allowed {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.stop(Resource::Memory);
        }
        allowed
    }

    /// Gives bytes back.
    pub(super) fn release(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether a limit was met.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Tells everybody to stop.
    pub(super) fn stop(&self, resource: Resource) {
        self.limit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(resource);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The limit that was met, after so many transitions of complete levels.
    pub(super) fn exhausted(&self, complete: usize) -> Option<Exhausted> {
        let resource = (*self.limit.lock().unwrap_or_else(PoisonError::into_inner))?;
        let transitions = match resource {
            // How far a worker had come in the last level is not the same each time.
            Resource::States => complete,
            _ => self.transitions.load(Ordering::Relaxed).max(complete),
        };
        Some(Exhausted { resource, states: self.states(), transitions })
    }

    fn progress(&self) -> Progress {
        let states = self.states();
        Progress {
            states,
            transitions: self.transitions.load(Ordering::Relaxed),
            frontier: states.saturating_sub(self.expanded.load(Ordering::Relaxed)),
            bytes: self.bytes(),
        }
    }
}
