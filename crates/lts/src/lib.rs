//! Labelled transition systems: [`Lts`], [`Network`], their operators, equivalences and file formats.

pub mod equivalence;
pub mod format;
mod interface;
mod lts;
mod network;
pub mod operators;

pub use interface::{InterfaceAutomaton, Role};
pub use lts::{Edge, Lts, LtsBuilder, Transition};
pub use network::{Component, ComponentId, Network, Priority, Rank};
