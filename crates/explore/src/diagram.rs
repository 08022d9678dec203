//! The reachable states of a network as a decision diagram, for networks with far too many states to visit each.
//!
//! Problem: how many states and transitions a product has, when it has too many to visit each of them.
//!
//! Source: multi-valued decision diagrams with saturation (Ciardo, Lüttgen, Siminiecki, *Saturation: an efficient
//! iteration strategy for symbolic state-space generation*, TACAS 2001); the order of the components by FORCE (Aloul,
//! Markov, Sakallah, GLSVLSI 2003).
//!
//! Idea: a set of states is a diagram with a level for each component; states that agree in what can still differ share
//! nodes (`forest.rs`). What a network can do is a list of *events*, an action or the silent step of one component, and
//! each event is a product of relations on single components (`events.rs`). So the effect of an event touches only the
//! levels of its participants, and a node is *saturated*, closed under the events that begin at its level or below, before
//! any node above it is looked at (`saturation.rs`). What is counted then are diagrams, not states (`size.rs`).
//!
//! Cost: that of the diagram, which may be logarithmic in the number of states and may be as large as the set itself; the
//! budget sees its nodes, its bytes and the edges that are looked at. Deviations: every level is present in a diagram, so
//! that the depth of a node says which component it speaks about; with priority what may happen depends on all
//! components at once, and there is no diagram. Called by `rely compose --diagram`.

mod events;
mod forest;
mod order;
mod saturation;
mod size;
#[cfg(test)]
mod tests;

pub use size::{Counted, count_by_diagram};
