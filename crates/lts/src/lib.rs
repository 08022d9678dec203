//! Labelled transition systems: [`Lts`], [`Network`], [`Program`], their operators, equivalences and file formats.

pub mod equivalence;
pub mod format;
mod interface;
mod lts;
mod network;
pub mod operators;
mod program;

pub use interface::{InterfaceAutomaton, Role};
pub use lts::{Edge, Lts, LtsBuilder, Transition};
pub use network::{Component, ComponentId, Network, Priority, Rank};
pub use program::{
    Array, Assignment, Binary, Command, Expression, ExpressionId, Fault, Lifetime, Malformed, Outcome,
    Program, ProgramBuilder, Slot, SlotId, Target, Tick, TickId, Trigger, Unary, Unit, UnitId, Values,
};
