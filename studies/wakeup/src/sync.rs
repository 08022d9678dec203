//! The one place that says whose locks these are: those of the standard library, or of an explorer.

#[cfg(feature = "loom")]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(all(feature = "shuttle", not(feature = "loom")))]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(any(feature = "shuttle", feature = "loom")))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
