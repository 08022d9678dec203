//! A message to a [`Desk`] that ends when somebody says so, or when it has taken too long.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rely_base::{Observer, Progress, Resource};
use rely_ide::Desk;

/// A question that is being answered.
pub(crate) struct Question<'s> {
    start: Instant,
    patience: Duration,
    stops: &'s AtomicU64,
    /// How often something had been stopped before.
    before: u64,
}

impl<'s> Question<'s> {
    /// Begins a question; each increase of `stops` from now on ends it.
    pub(crate) fn begin(patience: Duration, stops: &'s AtomicU64) -> Self {
        Self { start: Instant::now(), patience, stops, before: stops.load(Ordering::Relaxed) }
    }

    /// The answer to a message.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn ask(&self, desk: &mut Desk, message: &str) -> Result<String, String> {
        let call = std::panic::AssertUnwindSafe(|| desk.call(message, Some(self)));
        std::panic::catch_unwind(call)
            .unwrap_or_else(|_| Err("there is a mistake in rely: no answer".to_owned()))
    }
}

impl Observer for Question<'_> {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        if self.stops.load(Ordering::Relaxed) != self.before {
            return Some(Resource::Cancelled);
        }
        (self.start.elapsed() > self.patience).then_some(Resource::Time)
    }
}
