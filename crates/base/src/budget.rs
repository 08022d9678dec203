//! Limits on an analysis. Time and cancellation come from outside, through an [`Observer`]: nothing below the
//! command line reads a clock.

use std::fmt;
use std::num::NonZeroUsize;

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// The time allowed.
    Time,
    /// The memory allowed.
    Memory,
    /// The number of states allowed.
    States,
    /// Somebody asked to stop.
    Cancelled,
}

/// An analysis ended before its answer: which limit it met, and how far it had come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhausted {
    /// What ran out.
    pub resource: Resource,
    /// How many states had been reached.
    pub states: usize,
    /// How many transitions had been seen.
    pub transitions: usize,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time ran out",
            Self::Memory => "memory ran out",
            Self::States => "the limit on states was reached",
            Self::Cancelled => "stopped on request",
        })
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.resource;
        write!(f, "{what} after {} state{}", self.states, if self.states == 1 { "" } else { "s" })
    }
}

impl std::error::Error for Exhausted {}

/// How far an analysis has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// States reached.
    pub states: usize,
    /// Transitions seen.
    pub transitions: usize,
    /// States reached and not yet expanded.
    pub frontier: usize,
    /// Bytes that the analysis holds.
    pub bytes: usize,
}

/// Watches an analysis from outside: shows its progress, and stops it.
pub trait Observer: Sync {
    /// Called now and then, every few thousand states. `Some` stops the analysis.
    fn observe(&self, progress: &Progress) -> Option<Resource>;
}

/// The limits that are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The most states that one step may reach.
    pub states: Option<usize>,
    /// The most bytes that one step may hold.
    pub bytes: Option<usize>,
}

/// What an analysis may use up.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    limits: Limits,
    observer: Option<&'a dyn Observer>,
    threads: NonZeroUsize,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

impl<'a> Budget<'a> {
    /// No limit at all.
    pub const UNLIMITED: Budget<'static> =
        Budget { limits: Limits { states: None, bytes: None }, observer: None, threads: NonZeroUsize::MIN };

    /// Limits, and somebody who watches.
    pub fn new(limits: Limits, observer: Option<&'a dyn Observer>) -> Self {
        Self { limits, observer, ..Self::UNLIMITED }
    }

    /// The same budget for so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// How many threads may work. Results do not depend on it.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// How often [`Budget::check`] is to be called at least: once in so many steps.
    pub const INTERVAL: usize = 4096;

    /// Fails when a limit is met.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn check(&self, progress: &Progress) -> Result<(), Exhausted> {
        let over = |limit: Option<usize>, value: usize| limit.is_some_and(|limit| value > limit);
        let resource = if over(self.limits.states, progress.states) {
            Some(Resource::States)
        } else if over(self.limits.bytes, progress.bytes) {
            Some(Resource::Memory)
        } else {
            self.observer.and_then(|observer| observer.observe(progress))
        };
        match resource {
            None => Ok(()),
            Some(resource) => {
                Err(Exhausted { resource, states: progress.states, transitions: progress.transitions })
            }
        }
    }

    /// The same budget with narrower limits.
    #[must_use]
    pub fn narrowed(mut self, limits: Limits) -> Self {
        let narrower = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        self.limits.states = narrower(self.limits.states, limits.states);
        self.limits.bytes = narrower(self.limits.bytes, limits.bytes);
        self
    }

    /// The most states that one step may reach.
    pub fn max_states(&self) -> usize {
        self.limits.states.unwrap_or(usize::MAX)
    }

    /// The most bytes that one step may hold.
    pub fn max_bytes(&self) -> usize {
        self.limits.bytes.unwrap_or(usize::MAX)
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limits", &self.limits)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrower_limit_counts() {
        let limits = |states| Limits { states, bytes: None };
        let budget = Budget::new(limits(Some(10)), None);
        assert_eq!(budget.narrowed(limits(Some(20))).max_states(), 10);
        assert_eq!(budget.narrowed(limits(Some(5))).max_states(), 5);
        assert_eq!(budget.narrowed(limits(None)).max_states(), 10);
        assert_eq!(Budget::UNLIMITED.narrowed(limits(Some(5))).max_states(), 5);
        assert!(budget.check(&Progress { states: 10, ..Progress::default() }).is_ok());
        assert!(budget.check(&Progress { states: 11, ..Progress::default() }).is_err());
    }
}
