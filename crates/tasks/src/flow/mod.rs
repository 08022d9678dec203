//! The flow model: a program as one graph through which all its executions lead, and others besides.
//!
//! *Source*: FLAVERS, as in Cobleigh's dissertation (3.1): annotated control-flow graphs ([`Node`]), may-happen-in-parallel
//! analysis ([`Parallel`]), the trace-flow graph, and feasibility constraints.
//!
//! The *trace-flow graph* has the nodes of all tasks at which something happens, rendezvous included. One node follows
//! another in it if it comes next in all tasks that they have in common, with nothing but waiting in between; and there are *may immediately precede*
//! edges between any two nodes that may happen in parallel and have no task in common. Every execution of the program is a
//! path from its initial to its final node; not every path is an execution. Waiting nodes are needed to find out what may
//! happen in parallel, and are no nodes of the graph: a path that jumps to one would pass by the events before it.
//!
//! The graph of a question shows only what matters to it: nodes whose event the property or a variable automaton sees, and
//! rendezvous of two tasks of the graph ([`Shown`]). All else is done by one task alone, and is passed over like waiting. So
//! there are fewer nodes, and the graph, which remembers only the last one, forgets less.
//!
//! The graph can be made of some tasks only, a *slice*: a rendezvous with another task is then done by one task alone, whenever it
//! comes there, and what others do without these tasks may happen at any time.
//!
//! *State propagation* is a question about a network: the trace-flow graph is one component, the property another, and each
//! constraint one more. A path that a constraint does not allow is a step that the network cannot take. Since a constraint
//! may look at events (variable automata) or at nodes (task automata), each node has an action of its own, and whatever
//! speaks of events is relabelled to the nodes at which they happen. So all searches are those of everything else.

mod control;
mod graph;
mod model;
mod open;
mod parallel;
mod path;
mod trace_flow;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_lts::operators::{Relabelling, relabel};
use rely_lts::{Component, Lts, Network};
use rely_model::Ambiguous;

pub use graph::{Node, NodeId};
pub(crate) use model::Constrained;
pub use parallel::Parallel;

use crate::exact::Unfoldings;
use graph::Graphs;
use trace_flow::Shown;

/// The flow model of a program, or of some of its tasks.
#[derive(Clone, Debug)]
pub struct Flow {
    program: Arc<Unfoldings>,
    /// The tasks that are followed, by number in ascending order.
    tasks: Vec<usize>,
    graphs: Graphs,
    parallel: Parallel,
    reachable: Vec<bool>,
    /// For each action of the exact model, the reachable nodes at which it happens.
    nodes_of: BTreeMap<String, Vec<NodeId>>,
    /// The actions of the exact model that no task does that is followed, and another one may.
    outside: BTreeSet<String>,
}

/// Something that rules out paths which are no executions.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// A variable keeps the value that it was given: the automaton of the variable with this name.
    Variable(String),
    /// A task follows its own control flow: the automaton of the task with this name.
    Task(String),
    /// An automaton over events that the user gives; what it does not allow does not happen.
    User(Component),
}

/// What is wrong with a constraint or property of the flow model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlowError {
    /// There is no variable or task with this name.
    Unknown(String),
    /// Two names of one automaton mean the same action.
    Ambiguous(Box<Ambiguous>),
}

/// The action by which a path of the trace-flow graph ends.
pub const FINAL: &str = "terminate";

impl Flow {
    /// The model in which some tasks are followed, by number in ascending order.
    pub(crate) fn new(
        program: Arc<Unfoldings>,
        tasks: &[usize],
        budget: &Budget<'_>,
    ) -> Result<Self, Exhausted> {
        let graphs = Graphs::new(&program, tasks);
        let (parallel, reachable) = parallel::parallel(&graphs, budget)?;
        let mut nodes_of: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        for (number, node) in graphs.nodes.iter().enumerate() {
            if let Some(event) = &node.event {
                let nodes = nodes_of.entry(event.clone()).or_default();
                nodes.extend(reachable[number].then_some(NodeId::from_index(number)));
            }
        }
        let is_foreign = |task: &usize| tasks.binary_search(task).is_err();
        let named = program.names.iter();
        let foreign =
            named.filter(|(action, _)| !action.tasks().is_empty() && action.tasks().iter().all(is_foreign));
        let outside = foreign.map(|(_, name)| name.clone()).collect();
        Ok(Self { tasks: tasks.to_vec(), program, graphs, parallel, reachable, nodes_of, outside })
    }

    /// The model of the same program in which only some tasks are followed, by number.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn slice(&self, tasks: &[usize], budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let mut tasks: Vec<usize> =
            tasks.iter().copied().filter(|task| *task < self.program.tasks.len()).collect();
        tasks.sort_unstable();
        tasks.dedup();
        Self::new(Arc::clone(&self.program), &tasks, budget)
    }

    /// All nodes; those that cannot be reached included.
    pub fn nodes(&self) -> &[Node] {
        &self.graphs.nodes
    }

    /// The node at which a task waits in a state of the exact model.
    pub fn waiting(&self, task: usize, state: StateId) -> Option<NodeId> {
        let node = NodeId::from_index(self.graphs.begins.get(&task)?.index() + state.index());
        let found = self.graphs.nodes.get(node.index())?;
        (found.event.is_none() && found.tasks == [task]).then_some(node)
    }

    /// Which nodes may happen in parallel.
    pub fn parallel(&self) -> &Parallel {
        &self.parallel
    }

    /// Whether a node can be reached at all, as far as the analysis sees.
    pub fn is_reachable(&self, node: NodeId) -> bool {
        self.reachable[node.index()]
    }

    /// The names of the variables that have an automaton, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.program.variables.iter().map(|(name, _)| &**name)
    }

    /// The names of all tasks, in order of declaration.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.program.task_names.iter().map(String::as_str)
    }

    /// The action of a node in the networks of this model.
    fn action(node: NodeId) -> String {
        format!("node.{}", node.index())
    }

    /// In the networks of this model, an action of the exact model that no task does which is followed.
    fn foreign(action: &str) -> String {
        format!("outside.{action}")
    }

    /// The node of an action, for those who read a trace.
    pub fn node_of(&self, action: &str) -> Option<NodeId> {
        let number: usize = action.strip_prefix("node.")?.parse().ok()?;
        (number < self.graphs.nodes.len()).then(|| NodeId::from_index(number))
    }

    /// An automaton over events as one over the actions of the exact model.
    fn over_actions(&self, lts: &Lts) -> Result<Lts, FlowError> {
        let to_actions =
            self.program.naming.relabelling(lts.alphabet().names()).map_err(FlowError::Ambiguous)?;
        Ok(relabel(lts, &to_actions))
    }

    /// An automaton over the actions of the exact model as one over nodes.
    fn over_nodes(&self, lts: &Lts) -> Lts {
        let mut to_nodes = Relabelling::new();
        for name in lts.alphabet().names() {
            for &node in self.nodes_of.get(name).into_iter().flatten() {
                to_nodes.add(Self::action(node), name);
            }
            if self.outside.contains(name) {
                to_nodes.add(Self::foreign(name), name);
            }
        }
        relabel(lts, &to_nodes)
    }

    /// The automaton of a variable, over the actions of the exact model.
    fn variable(&self, name: &str) -> Option<&Lts> {
        self.program.variables.iter().find(|(known, _)| known == name).map(|(_, lts)| lts)
    }

    /// The network in which a property is violated if and only if a path of the trace-flow graph that all constraints
    /// allow violates it. The property is over the names of events, and over [`FINAL`] for the end of an execution.
    ///
    /// # Errors
    /// When a constraint names nothing, or an automaton has two names for one event.
    pub fn network(&self, property: &Component, constraints: &[Constraint]) -> Result<Network, FlowError> {
        let mut automata = vec![(&*property.name, self.over_actions(&property.lts)?)];
        let mut tasks = Vec::new();
        for constraint in constraints {
            match constraint {
                Constraint::Variable(name) => {
                    let lts = self.variable(name).ok_or_else(|| FlowError::Unknown(name.clone()))?;
                    automata.push((name, lts.clone()));
                }
                Constraint::Task(name) => {
                    let task = self.tasks().position(|task| task == name);
                    tasks.push(task.ok_or_else(|| FlowError::Unknown(name.clone()))?);
                }
                Constraint::User(component) => {
                    automata.push((&*component.name, self.over_actions(&component.lts)?));
                }
            }
        }
        let automata: Vec<(&str, &Lts)> = automata.iter().map(|(name, lts)| (*name, lts)).collect();
        Ok(self.beside(&automata, &tasks))
    }

    /// The trace-flow graph beside automata over the actions of the exact model, and those of tasks.
    fn beside(&self, automata: &[(&str, &Lts)], tasks: &[usize]) -> Network {
        let seen = seen_by(automata.iter().map(|(_, lts)| *lts));
        let shown = Shown::new(self, |node| node.event.as_deref().is_some_and(|event| seen.contains(event)));
        let over_nodes = |&(name, lts): &(&str, &Lts)| Component::new(name, self.over_nodes(lts));
        let mut others: Vec<Component> = automata.iter().map(over_nodes).collect();
        let followed = tasks.iter().filter(|task| self.tasks.contains(task));
        others.extend(
            followed.map(|&task| {
                Component::new(&self.program.task_names[task], self.task_automaton(task, &shown))
            }),
        );
        let watched = seen_by(others.iter().map(|other| &*other.lts));
        let graph = Component::new("trace-flow graph", self.trace_flow_graph(&shown, &watched));
        Network::new([graph].into_iter().chain(others).collect())
    }
}

/// What some automata see.
fn seen_by<'a>(automata: impl Iterator<Item = &'a Lts>) -> BTreeSet<&'a str> {
    automata.flat_map(|lts| lts.alphabet().names()).collect()
}
