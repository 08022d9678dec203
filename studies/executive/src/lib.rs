//! The executive of a rover, in the spirit of that of the K9 rover [Cobleigh 2007, section 6.2]: the roles of the four
//! threads and of the mutex `exec` are theirs, the code is ours.
//!
//! - [`Executive`] runs the actions of a plan. Before each it asks for a condition to be watched, and waits to be woken.
//! - [`CondChecker`] watches conditions. When one holds, it leaves a wake-up call in a variable, `saved`, and signals the
//!   executive, which may not be waiting at that moment and then finds the call later.
//! - [`TimerChecker`] wakes the executive when the time for a condition is up.
//! - [`ActionExecution`] does what an action says.
//!
//! The property: a wake-up call that the executive has read is not looked at again by the checker before the executive has
//! cleared it. [`Fault::HastyClear`] breaks it: it gives `exec` back between reading the call and clearing it.

mod action;
mod cond_checker;
mod exec;
mod executive;
mod fault;
mod sync;
mod timer_checker;

pub use action::ActionExecution;
pub use cond_checker::{Condition, ConditionChecks, CondChecker, Wakeup};
pub use exec::Exec;
pub use executive::{Executive, Node, plan};
pub use fault::Fault;
pub use timer_checker::TimerChecker;
