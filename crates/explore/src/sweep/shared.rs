//! What the workers of a sweep share: the sums of what they have found, and whether to stop.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rely_base::{Budget, Exhausted, Progress, Resource};

/// The sums over all workers. While a level is expanded they are estimates, except for the number of states.
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

    /// Counts states that were found. All workers stop if there are more than the budget allows.
    pub(super) fn found(&self, new: usize) {
        let states = self.states.fetch_add(new, Ordering::Relaxed) + new;
        if states > self.budget.max_states() {
            self.stop(Resource::States);
        }
    }

    /// The number of states, at most the limit.
    pub(super) fn states(&self) -> usize {
        self.states.load(Ordering::Relaxed).min(self.budget.max_states())
    }

    /// Counts states that were expanded, and checks the budget.
    pub(super) fn expanded(&self, states: usize, transitions: usize) {
        self.expanded.fetch_add(states, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
        self.check();
    }

    /// Checks the budget; all workers stop if a limit is met.
    pub(super) fn check(&self) {
        if let Err(exhausted) = self.budget.check(&self.progress()) {
            self.stop(exhausted.resource);
        }
    }

    /// Counts bytes that are about to be allocated. Returns false, and stops all workers, if the budget does not
    /// allow them.
    pub(super) fn claim(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let allowed = before.saturating_add(bytes) <= self.budget.max_bytes();
        if !allowed {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.stop(Resource::Memory);
        }
        allowed
    }

    /// Counts bytes that were freed.
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

    /// Makes all workers stop.
    pub(super) fn stop(&self, resource: Resource) {
        self.limit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(resource);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The limit that was met, if any; `complete` is the number of transitions of complete levels.
    pub(super) fn exhausted(&self, complete: usize) -> Option<Exhausted> {
        let resource = (*self.limit.lock().unwrap_or_else(PoisonError::into_inner))?;
        let transitions = match resource {
            // How far the workers were in the last level varies from run to run, so it is left out.
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
