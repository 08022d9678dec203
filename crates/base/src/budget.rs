//! Limits on an analysis. Time and cancellation come from outside, through an [`Observer`]: nothing below the
//! command line reads a clock.
//!
//! Several questions can share the time of one budget ([`Budget::share_of_time`]). The observer reports which
//! fraction of the allowed time has passed; a share is a fraction of the rest and ends at some later fraction, so no
//! units are needed.

use std::fmt;
use std::num::NonZeroUsize;

/// The resource whose limit was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// The time allowed.
    Time,
    /// The memory allowed.
    Memory,
    /// The number of states allowed.
    States,
    /// The analysis was cancelled from outside.
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

    /// The fraction of the allowed time that has passed: 0 at the start, 1 or more when it is over. `None` if time is
    /// not limited.
    fn time_used(&self) -> Option<f64> {
        None
    }
}

/// The limits that are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The maximum number of states that one step may reach.
    pub states: Option<usize>,
    /// The maximum number of bytes that one step may hold.
    pub bytes: Option<usize>,
}

/// The limits of an analysis.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    limits: Limits,
    observer: Option<&'a dyn Observer>,
    threads: NonZeroUsize,
    /// The fraction of the observer's time at which this budget's time is over; 1 unless it is a share.
    end: f64,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

impl<'a> Budget<'a> {
    /// No limit at all.
    pub const UNLIMITED: Budget<'static> = Budget {
        limits: Limits { states: None, bytes: None },
        observer: None,
        threads: NonZeroUsize::MIN,
        end: 1.0,
    };

    /// A budget with these limits, and with an observer if there is one.
    pub fn new(limits: Limits, observer: Option<&'a dyn Observer>) -> Self {
        Self { limits, observer, ..Self::UNLIMITED }
    }

    /// The budget with this number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// The number of threads that may work. Results do not depend on it.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// [`Budget::check`] is to be called at least once in this number of steps.
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
            let stopped = self.observer.and_then(|observer| observer.observe(progress));
            stopped.or_else(|| self.is_out_of_time().then_some(Resource::Time))
        };
        match resource {
            None => Ok(()),
            Some(resource) => {
                Err(Exhausted { resource, states: progress.states, transitions: progress.transitions })
            }
        }
    }

    /// The budget with these limits as far as they are narrower than its own.
    #[must_use]
    pub fn narrowed(mut self, limits: Limits) -> Self {
        let narrower = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        self.limits.states = narrower(self.limits.states, limits.states);
        self.limits.bytes = narrower(self.limits.bytes, limits.bytes);
        self
    }

    /// The budget minus `bytes` that are held and that the next step cannot see. Without a limit on memory nothing
    /// changes.
    #[must_use]
    pub fn after_holding(mut self, bytes: usize) -> Self {
        self.limits.bytes = self.limits.bytes.map(|limit| limit.saturating_sub(bytes));
        self
    }

    /// The budget with one of `parts` equal parts of the time that is left. Without a limit on time nothing changes.
    #[must_use]
    pub fn share_of_time(mut self, parts: usize) -> Self {
        if let Some(used) = self.observer.and_then(Observer::time_used) {
            self.end = used + (self.end - used).max(0.0) / parts.max(1) as f64;
        }
        self
    }

    /// Whether the time, or this share of it, is over.
    pub fn is_out_of_time(&self) -> bool {
        self.observer.and_then(Observer::time_used).is_some_and(|used| used >= self.end)
    }

    /// The maximum number of states that one step may reach.
    pub fn max_states(&self) -> usize {
        self.limits.states.unwrap_or(usize::MAX)
    }

    /// The maximum number of bytes that one step may hold.
    pub fn max_bytes(&self) -> usize {
        self.limits.bytes.unwrap_or(usize::MAX)
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limits", &self.limits)
            .field("threads", &self.threads)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

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

    #[test]
    fn what_is_held_is_no_longer_there() {
        let limited = Budget::new(Limits { states: None, bytes: Some(100) }, None);
        assert_eq!(limited.after_holding(30).max_bytes(), 70);
        assert_eq!(limited.after_holding(130).max_bytes(), 0);
        assert_eq!(Budget::UNLIMITED.after_holding(30).max_bytes(), usize::MAX);
    }

    /// A clock that is set by hand.
    struct Clock(AtomicU64);

    impl Clock {
        fn set(&self, used: f64) {
            self.0.store(used.to_bits(), Ordering::Relaxed);
        }
    }

    impl Observer for Clock {
        fn observe(&self, _: &Progress) -> Option<Resource> {
            (self.time_used() >= Some(1.0)).then_some(Resource::Time)
        }

        fn time_used(&self) -> Option<f64> {
            Some(f64::from_bits(self.0.load(Ordering::Relaxed)))
        }
    }

    #[test]
    fn a_share_of_the_time_ends_earlier() {
        let clock = Clock(AtomicU64::new(0));
        let whole = Budget::new(Limits::default(), Some(&clock));
        clock.set(0.5);
        // Half of the half that is left, and a quarter of that.
        let half = whole.share_of_time(2);
        let eighth = half.share_of_time(4);
        let over = |used: f64| {
            clock.set(used);
            [eighth, half, whole].map(|budget| {
                let met = budget.check(&Progress::default()).err().map(|exhausted| exhausted.resource);
                assert_eq!(met == Some(Resource::Time), budget.is_out_of_time(), "{used}");
                budget.is_out_of_time()
            })
        };
        assert_eq!(over(0.56), [false, false, false]);
        assert_eq!(over(0.57), [true, false, false]);
        assert_eq!(over(0.75), [true, true, false]);
        assert_eq!(over(1.0), [true, true, true]);
        // When no time is left, neither is there a share of it.
        assert!(whole.share_of_time(1).is_out_of_time());
    }

    #[test]
    fn without_a_limit_on_time_there_is_nothing_to_share() {
        let share = Budget::UNLIMITED.share_of_time(1000);
        assert!(!share.is_out_of_time());
        assert!(share.check(&Progress::default()).is_ok());
    }
}
