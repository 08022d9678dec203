//! Two threads of the executive of a spacecraft that wake each other, in the spirit of NASA's Remote Agent [Havelund, Lowry,
//! Penix 2001]: the mistake is theirs, the code is ours.
//!
//! The [`Planner`] waits for the event `plan` and signals `work`, the [`Runner`] signals `plan` and waits for `work`. With
//! [`Fault::HastyWait`] they look at an event in one critical section and wait for it in another. A signal between the
//! two wakes nobody.

mod fault;
mod planner;
mod signals;
mod sync;

pub use fault::Fault;
pub use planner::{Plan, Planner, Runner};
pub use signals::Signals;
