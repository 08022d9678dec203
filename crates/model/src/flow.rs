//! Flow models: graphs such that every run of a target is a path, but not every path is a run.
//!
//! **Problem.** A program with many tasks has more states than can be visited. The number of nodes of its flow graph
//! is only the sum over its tasks.
//!
//! **Idea.** What holds on every path holds in every run. A path that breaks a property need not be a run;
//! *constraints*, automata that track a variable or the control flow of a task, exclude paths that are not runs. The
//! search is one of a network: the graph is its first component, whose states are the nodes, and property and
//! constraints are the others.

use rely_base::Span;
use rely_lts::{Component, Lts, Network};

/// A flow model of a target.
pub trait FlowModel {
    /// The parts of the target that run in parallel, by number.
    fn threads(&self) -> Vec<usize>;

    /// The available constraints, each with the name of what it tracks. They are deterministic automata over the
    /// actions of [`FlowModel::network`].
    fn constraints(&self) -> &[Component];

    /// Translates an automaton over the actions of the target into one over those of the networks of this model.
    fn over_nodes(&self, lts: &Lts) -> Lts;

    /// The network of the graph and of a property and constraints, which are over nodes. A path of the graph is a run
    /// of the network if the others allow it.
    fn network(&self, others: Vec<Component>) -> Network;

    /// The graph itself, or the control flow of one part, with the action of each node on the way into it.
    fn graph(&self, part: Option<usize>) -> Lts;

    /// The number of nodes, which are numbered from 0.
    fn node_count(&self) -> u32;

    /// The event of a node, which is a state of the first component of such a network; `None` if nothing happens
    /// there.
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
