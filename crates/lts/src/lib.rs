//! Labelled transition systems: [`Lts`], [`Network`], their operators, equivalences and file formats.

mod lts;
mod network;
pub mod operators;

pub use lts::{Edge, Lts, LtsBuilder, Transition};
pub use network::{Component, ComponentId, Network, Priority, Rank};
