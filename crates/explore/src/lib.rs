//! The search loops: exploring implicit transition systems breadth first, with shortest traces and limits.
//!
//! A [`System`] is a transition system that is not built: it names its initial state and enumerates successors, and
//! its states are a few machine words each. [`Product`] is the system of a [`rely_lts::Network`]. [`Search`] visits
//! every reachable state of a system once, breadth first, and keeps what is needed for a shortest trace to each.
//!
//! - [`generate`] builds the explicit product, [`count`] only counts it;
//! - [`Graph`] keeps the reachable graph for analyses that look at cycles, and [`SccIndex`] splits it into strongly
//!   connected components.
//!
//! No other crate that takes part in a decision has a search loop over a product of its own.

mod count;
mod generate;
mod graph;
mod packing;
mod product;
mod scc;
mod search;
mod state_set;
mod system;

pub use count::{Size, count};
pub use generate::{generate, generate_system};
pub use graph::Graph;
pub use product::{Product, ProductCursor};
pub use scc::SccIndex;
pub use search::{Outcome, Search, Step, Visitor};
pub use state_set::StateSet;
pub use system::{Successor, System, is_terminated};

#[cfg(test)]
mod tests;
