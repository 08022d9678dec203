//! What a text describes, as a graph to be drawn.

use rely_lts::Lts;

use crate::StateNames;

/// A graph of named nodes: the states of a machine with what its transitions wait for and send, or parts of a system with the
/// messages between them.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The nodes as states, and the arrows with their labels. The initial state is where one begins to read.
    pub graph: Lts,
    /// The names of the nodes.
    pub names: StateNames,
}
