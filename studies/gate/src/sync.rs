//! The one place that says whose locks these are: those of the standard library, or of loom.

#[cfg(feature = "loom")]
pub(crate) use loom::sync::{Mutex, MutexGuard};
#[cfg(not(feature = "loom"))]
pub(crate) use std::sync::{Mutex, MutexGuard};
