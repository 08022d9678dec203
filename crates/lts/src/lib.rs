//! Labelled transition systems: [`Lts`], the two kinds of [`Behaviour`] ([`Network`] and [`Program`]), operators, equivalences
//! and file formats.

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
