//! What the executive waits on: the mutex `exec` and its condition variable.

use rely_runtime::{Guarded, locked};

use crate::sync::{Condvar, Mutex, MutexGuard};

/// The mutex `exec`, and whether the executive is to stop.
#[derive(Debug)]
pub struct Exec {
    is_stopped: Mutex<bool>,
    woken: Condvar,
}

/// The mutex while somebody holds it.
pub(crate) type Holding<'e> = Guarded<MutexGuard<'e, bool>>;

impl Default for Exec {
    fn default() -> Self {
        Self { is_stopped: Mutex::new(false), woken: Condvar::new() }
    }
}

impl Exec {
    /// Takes the mutex; it is given back when the result is dropped.
    pub fn hold(&self) -> Holding<'_> {
        locked!("exec", self.is_stopped.lock().expect("nobody panics with the mutex"))
    }

    /// Waits for a signal.
    pub(crate) fn wait<'e>(&'e self, holding: Holding<'e>) -> Holding<'e> {
        holding.wait(|guard| self.woken.wait(guard).expect("nobody panics with the mutex"))
    }

    /// Wakes the executive, if it waits.
    pub fn signal(&self) {
        self.woken.notify_all();
    }

    /// The executive is to stop. This is no event of the design.
    pub fn stop(&self) {
        *self.is_stopped.lock().expect("nobody panics with the mutex") = true;
        self.signal();
    }
}
