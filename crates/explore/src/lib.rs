//! The search loops: exploring implicit transition systems breadth first, with shortest traces and limits.
//!
//! A [`System`] is a transition system that is not built: it names its initial state and enumerates successors, and
//! its states are a few machine words each. [`Product`] is the system of a [`rely_lts::Network`], [`Machine`] that of
//! a [`rely_lts::Program`]; a [`Composite`] also says who moves in a step, and which values a state has. [`Search`]
//! visits every reachable state of a system once, breadth first, and keeps what is needed for a shortest trace to
//! each.
//!
//! - [`generate`] builds the explicit product and [`generate_program`] the explicit system of a program; [`count`]
//!   counts states and transitions without storing transitions, and [`count_by_diagram`] without visiting states;
//! - [`Graph`] keeps the reachable graph for analyses that look at cycles, and [`SccIndex`] splits it into strongly
//!   connected components; [`TerminalSearch`] finds those that are never left without building the graph.
//!
//! ```
//! use rely_base::{Budget, Label, StateId};
//! use rely_lts::{Component, LtsBuilder, Network};
//!
//! // Two clocks that tick together: CLOCK = (tick -> CLOCK).
//! let mut clock = LtsBuilder::with_states(["tick"].into_iter().collect(), 1);
//! let tick = Label::visible(clock.alphabet_mut().intern("tick"));
//! clock.add_transition(StateId::from_raw(0), tick, StateId::from_raw(0));
//! let clock = std::sync::Arc::new(clock.build());
//! let network = Network::new(["first", "second"].map(|name| Component::new(name, clock.clone())).into());
//!
//! let product = rely_explore::generate(&network, &Budget::UNLIMITED)?;
//! assert_eq!((product.proper_state_count(), product.transition_count()), (1, 1));
//! # Ok::<(), rely_base::Exhausted>(())
//! ```
//!
//! No other crate that takes part in a decision has a search loop over a product of its own.

mod arrivals;
mod batch;
mod bits;
mod composite;
mod count;
mod diagram;
mod generate;
mod graph;
mod hunt;
mod ignoring;
mod index_table;
mod moves;
mod packing;
mod part;
mod product;
mod program;
mod readiness;
mod scc;
mod search;
mod state_set;
mod steps;
mod stubborn;
mod stubborn_search;
mod subsets;
mod sweep;
mod system;
mod tables;
mod terminal;
mod word_set;

pub use arrivals::Arrivals;
pub use composite::{Composite, Move, MoveEnd, moves, moves_of};
pub use count::{Size, count, measure};
pub use diagram::{Counted, count_by_diagram};
pub use generate::{NotGenerated, generate, generate_program, generate_system};
pub use graph::Graph;
pub use hunt::{Hunt, Prey, shortened};
pub use part::Part;
pub use product::{Product, ProductCursor};
pub use program::{Conditions, Machine, MachineCursor};
pub use scc::SccIndex;
pub use search::{Outcome, Search, Step, Visitor};
pub use state_set::StateSet;
pub use stubborn_search::StubbornSearch;
pub use subsets::{Belief, SubsetId, Subsets};
pub use sweep::{Inspector, Known, Sweep, sweep};
pub use system::{Arrival, Successor, System, is_terminated};
pub use terminal::{Terminal, TerminalSearch};

#[cfg(test)]
mod tests;
