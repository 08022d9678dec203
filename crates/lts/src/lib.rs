//! Labelled transition systems, and what systems are made of them.
//!
//! **Problem.** Everything that is analysed has states, and steps between them that are named after actions. A single
//! component is small and can be written down state by state; a system of components cannot.
//!
//! **Idea.** An [`Lts`] has all its states and transitions, its alphabet, and perhaps an error state and an end state. A
//! system is a [`Behaviour`], which is plain data and never composed here:
//!
//! - a [`Network`] of components, each an [`Lts`], that do the actions together that they share;
//! - a [`Program`]: finite variables, and units of guarded commands over them, which move one at a time, in rendezvous, or
//!   all at once.
//!
//! [`operators`] relabel, hide, prefix and complete a system; [`equivalence`] has the equivalences, the quotients by them,
//! and tests with a word that tells two systems apart; [`format`](mod@format) reads and writes files. An
//! [`InterfaceAutomaton`] is an [`Lts`] whose actions have roles.
//!
//! ```
//! use rely_base::{Budget, Label};
//! use rely_lts::LtsBuilder;
//! use rely_lts::equivalence::{self, Equivalence};
//!
//! // P = (a -> a -> P): two states that do the same.
//! let mut builder = LtsBuilder::new(["a"].into_iter().collect());
//! let a = Label::visible(builder.alphabet_mut().intern("a"));
//! let (first, second) = (builder.add_state(), builder.add_state());
//! builder.add_transition(first, a, second);
//! builder.add_transition(second, a, first);
//! let written = builder.build();
//! let smallest = equivalence::minimise(&written, Equivalence::Strong, &Budget::UNLIMITED)?;
//! assert_eq!((written.state_count(), smallest.state_count()), (2, 1));
//! # Ok::<(), rely_base::Exhausted>(())
//! ```
//!
//! An alphabet is never inferred from transitions: a component that has an action and no transition for it refuses it, and
//! nobody can do it then.

mod behaviour;
pub mod equivalence;
pub mod format;
mod interface;
mod lts;
mod network;
pub mod operators;
mod program;

pub use behaviour::{Behaviour, BehaviourRef};
pub use interface::{InterfaceAutomaton, Role};
pub use lts::{Edge, Lts, LtsBuilder, Transition};
pub use network::{Component, ComponentId, Network, Priority, Rank};
pub use program::{
    Array, Assignment, Binary, Command, Expression, ExpressionId, Fault, Lifetime, Malformed, NotSeparate,
    Observation, Outcome, Program, ProgramBuilder, Slot, SlotId, Target, Tick, TickId, Trigger, Unary, Unit,
    UnitId, Values,
};
