//! Flow models: graphs that all runs of a target are paths of, and others besides.
//!
//! **Problem.** A program with many tasks has more states than can be visited. Its flow graph has as many nodes as the tasks
//! have together.
//!
//! **Idea.** What holds on every path holds in every run. A path that breaks a property need not be a run; *constraints*,
//! automata that know a variable or the control flow of a task, rule out paths that are none. The search is one of a network:
//! the graph is its first component, whose states are the nodes, and property and constraints are the others.

use rely_base::Span;
use rely_lts::{Component, Lts, Network};

/// A flow model of a target.
pub trait FlowModel {
    /// The parts of the target that run beside each other, by number.
    fn threads(&self) -> Vec<usize>;

    /// What can rule out paths, each with the name of what it knows. They are automata over the actions of
    /// [`FlowModel::network`], and deterministic.
    fn constraints(&self) -> &[Component];

    /// An automaton over the actions of the target as one over those of the networks of this model.
    fn over_nodes(&self, lts: &Lts) -> Lts;

    /// The graph beside a property and constraints, which are over nodes. A path of the graph is a run of the network if the
    /// others allow it.
    fn network(&self, others: Vec<Component>) -> Network;

    /// The graph itself, or the control flow of one part, with the action of each node on the way into it.
    fn graph(&self, part: Option<usize>) -> Lts;

    /// How many nodes there are, numbered from 0.
    fn node_count(&self) -> u32;

    /// What happens at a node, which is a state of the first component of such a network; nothing where nothing happens.
    fn event(&self, node: u32) -> Option<FlowEvent>;
}

/// What happens at a node of a flow model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowEvent {
    /// The action of the target.
    pub action: String,
    /// The action of the networks of the model that stands for the node.
    pub node: String,
    /// The parts of the target that do it, by number, and where in the text.
    pub places: Vec<(usize, Span)>,
}
