//! Flow models: graphs such that every run of a target is a path, but not every path is a run.
//!
//! **Problem.** A program with many tasks has more states than can be visited. The number of nodes of its flow graph
//! is only the sum over its tasks.
//!
//! **Idea.** What holds on every path holds in every run. A path that breaks a property need not be a run; *constraints*,
//! automata that know a variable or the control flow of a task, rule out paths that are none. The search is one of a network:
//! the graph is its first component, whose states are the nodes, and property and constraints are the others.
//!
//! **Slices.** Most properties speak of a few of the tasks. The *slice* of some threads is the flow model in which only they
//! are followed: what another thread would have to do together with one of them may happen whenever it is the turn of the one
//! that is followed. Every run is a path of every slice; smaller slices have fewer nodes, and more paths that are no runs.

use std::collections::BTreeSet;

use rely_base::{Budget, Exhausted, Span};
use rely_lts::operators::Relabelling;
use rely_lts::{Lts, Network};

/// A flow model of a target.
pub trait FlowModel {
    /// The parts of the target that run in parallel, by number.
    fn threads(&self) -> Vec<usize>;

    /// What can rule out paths.
    fn constraints(&self) -> &[FlowConstraint];

    /// The threads that can do an action of the target: for each way in which it may happen, those that do it together.
    fn threads_of(&self, action: &str) -> Vec<Vec<usize>>;

    /// The model in which some threads are followed, given by number in ascending order.
    ///
    /// # Errors
    /// When the budget is used up.
    fn slice(&self, threads: &[usize], budget: &Budget<'_>) -> Result<Box<dyn FlowSlice + '_>, Exhausted>;
}

/// What can rule out paths: the automaton of a variable, or the control flow of a thread.
#[derive(Clone, Debug)]
pub struct FlowConstraint {
    /// The name of what it knows.
    pub name: String,
    /// The threads that a slice has to follow so that it can be used: the thread itself, or all that touch the variable.
    /// Without one of these, a value could change unseen.
    pub threads: Vec<usize>,
    /// The automaton of a variable, over the actions of the target, and deterministic. That of a thread depends on the slice.
    pub variable: Option<Lts>,
}

/// The flow model in which some threads are followed.
pub trait FlowSlice {
    /// The graph beside a property, which is over the actions of the target, and constraints by number. A path of the graph is
    /// a run of the network if the others allow it. What neither the property nor a variable among the constraints
    /// sees, and what no two of the threads do together, is passed over in the graph.
    fn network(&self, property: &Lts, constraints: &[usize]) -> Network;

    /// The slice as a component for those who compose it with others: what its threads do together with threads that are not
    /// followed, and what some automata over the actions of the target see. The automata of its own threads that are among the
    /// constraints, by number, are in it.
    fn open(&self, seen: &[&Lts], constraints: &[usize]) -> OpenSlice;

    /// What a run of such a network does, given its actions and the states of the graph that they lead to, together with what
    /// the graph passes over, as far as each thread can be led from one of its nodes to the next.
    fn path(&self, property: &Lts, constraints: &[usize], steps: &[(String, u32)]) -> FlowPath;

    /// The graph itself with nothing passed over, or the control flow of one thread, with the action of each node on the way
    /// into it.
    fn graph(&self, thread: Option<usize>) -> Lts;

    /// The number of nodes, which are numbered from 0.
    fn node_count(&self) -> u32;

    /// The event of a node, which is a state of the first component of such a network; `None` if nothing happens
    /// there.
    fn event(&self, node: u32) -> Option<FlowEvent>;
}

/// A slice as a component.
pub struct OpenSlice {
    /// The graph and automata of threads, over nodes.
    pub network: Network,
    /// The actions of the target for the nodes that others notice.
    pub names: Relabelling,
    /// The actions of the network that nobody notices.
    pub hidden: BTreeSet<String>,
}

/// What happens at a node of a flow model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowEvent {
    /// The action of the target.
    pub action: String,
    /// The action of the networks of the model that stands for the node.
    pub node: String,
    /// The parts of the target that do it, by number, and where in the text; of those that are followed.
    pub places: Vec<(usize, Span)>,
    /// The thread that would have to do it as well, and is not followed.
    pub outsider: Option<usize>,
}

/// A path of a flow model.
#[derive(Clone, Debug)]
pub struct FlowPath {
    /// What happens on it.
    pub events: Vec<FlowEvent>,
    /// The threads that do not follow their own control flow on it, by number.
    pub astray: Vec<usize>,
}
