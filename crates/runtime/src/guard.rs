//! Guards of locks that signal their events.

use std::ops::{Deref, DerefMut};

use crate::event;

/// A guard that has signalled `lock` after the lock was acquired, and signals `unlock` before it is released [Cobleigh 2007,
/// figure 6.5]. In between, nobody else has the lock, so the order of these events is that of the lock itself.
#[derive(Debug)]
pub struct Guarded<G> {
    object: &'static str,
    /// Nothing while [`Guarded::wait`] has it.
    guard: Option<G>,
}

impl<G> Guarded<G> {
    /// The lock of an object has been acquired.
    pub fn new(object: &'static str, guard: G) -> Self {
        // Made first: should the event panic, the lock is released after that has been signalled, too.
        let guarded = Self { object, guard: Some(guard) };
        event("lock", object, &[]);
        guarded
    }

    /// Waits on a condition variable, which releases the lock and acquires it again: `guard.wait(|g| cv.wait(g).unwrap())`.
    pub fn wait(mut self, wait: impl FnOnce(G) -> G) -> Self {
        if let Some(guard) = self.guard.take() {
            event("unlock", self.object, &[]);
            self.guard = Some(wait(guard));
            event("lock", self.object, &[]);
        }
        self
    }
}

impl<G> Drop for Guarded<G> {
    fn drop(&mut self) {
        // A second panic would end the program before the first is reported.
        if self.guard.is_some() && !std::thread::panicking() {
            event("unlock", self.object, &[]);
        }
    }
}

impl<G: Deref> Deref for Guarded<G> {
    type Target = G::Target;

    fn deref(&self) -> &G::Target {
        self.guard.as_ref().expect("a guard is missing only while it waits")
    }
}

impl<G: DerefMut> DerefMut for Guarded<G> {
    fn deref_mut(&mut self) -> &mut G::Target {
        self.guard.as_mut().expect("a guard is missing only while it waits")
    }
}
