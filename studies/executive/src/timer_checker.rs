//! The thread that watches the clock.

use std::sync::Arc;

use crate::Exec;

/// Wakes the executive when time is up, so that it looks whether there is a call.
#[derive(Debug)]
pub struct TimerChecker {
    exec: Arc<Exec>,
    ticks: u8,
}

impl TimerChecker {
    /// A timer that expires a number of times.
    pub fn new(exec: Arc<Exec>, ticks: u8) -> Self {
        Self { exec, ticks }
    }

    /// The thread.
    pub fn run(&self) {
        for _ in 0..self.ticks {
            self.exec.signal();
        }
    }
}
