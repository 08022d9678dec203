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
//! *State propagation* is a question about a network: the trace-flow graph is one component, the property another, and each
//! constraint one more. A path that a constraint does not allow is a step that the network cannot take. Since a constraint
//! may look at events (variable automata) or at nodes (task automata), each node has an action of its own, and whatever
//! speaks of events is relabelled to the nodes at which they happen. So all searches are those of everything else.

mod graph;
mod parallel;

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_lts::operators::{Relabelling, relabel};
use rely_lts::{Component, Lts, LtsBuilder, Network};
use rely_model::{Ambiguous, FlowEvent, FlowModel, Naming};

pub use graph::{Node, NodeId};
pub use parallel::Parallel;

use crate::exact::Unfoldings;
use graph::Graphs;

/// The flow model of a program.
#[derive(Clone, Debug)]
pub struct Flow {
    graphs: Graphs,
    parallel: Parallel,
    reachable: Vec<bool>,
    naming: Naming,
    /// The names of the tasks, by number.
    tasks: Vec<String>,
    /// The variable automata by the names of the variables, over the actions of the exact model.
    variables: BTreeMap<String, Lts>,
    /// For each node, what comes next, task by task in the order of its tasks.
    following: Vec<Vec<Following>>,
    /// For each action of the exact model, the reachable nodes at which it happens.
    nodes_of: BTreeMap<String, Vec<NodeId>>,
}

/// What comes after a node in one of its tasks, with nothing but waiting in between.
#[derive(Clone, Debug, Default)]
struct Following {
    /// The nodes at which something happens.
    events: Vec<NodeId>,
    /// Whether a task may have ended.
    may_end: bool,
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
    pub(crate) fn new(unfoldings: Unfoldings, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let graphs = Graphs::new(&unfoldings.tasks, &unfoldings.names);
        let (parallel, reachable) = parallel::parallel(&graphs, budget)?;
        let mut nodes_of: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        for (number, node) in graphs.nodes.iter().enumerate() {
            if let Some(event) = &node.event {
                let nodes = nodes_of.entry(event.clone()).or_default();
                nodes.extend(reachable[number].then_some(NodeId::from_index(number)));
            }
        }
        let of_node = |(number, node): (usize, &Node)| {
            let of_task = |&task: &usize| graphs.following(NodeId::from_index(number), task);
            node.tasks.iter().map(of_task).collect()
        };
        let following = graphs.nodes.iter().enumerate().map(of_node).collect();
        Ok(Self {
            following,
            graphs,
            parallel,
            reachable,
            naming: unfoldings.naming,
            tasks: unfoldings.task_names,
            variables: unfoldings.variables.into_iter().collect(),
            nodes_of,
        })
    }

    /// All nodes; those that cannot be reached included.
    pub fn nodes(&self) -> &[Node] {
        &self.graphs.nodes
    }

    /// The node at which a task waits in a state of the exact model.
    pub fn waiting(&self, task: usize, state: StateId) -> Option<NodeId> {
        let node = NodeId::from_index(self.graphs.begins.get(task)?.index() + state.index());
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
        self.variables.keys().map(String::as_str)
    }

    /// The names of the tasks, in order of declaration.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks.iter().map(String::as_str)
    }

    /// The action of a node in the networks of this model.
    fn action(node: NodeId) -> String {
        format!("node.{}", node.index())
    }

    /// The node of an action, for those who read a trace.
    pub fn node_of(&self, action: &str) -> Option<NodeId> {
        let number: usize = action.strip_prefix("node.")?.parse().ok()?;
        (number < self.graphs.nodes.len()).then(|| NodeId::from_index(number))
    }

    /// An automaton over events as one over nodes.
    fn over_nodes(&self, lts: &Lts) -> Result<Lts, FlowError> {
        let to_actions = self.naming.relabelling(lts.alphabet().names()).map_err(FlowError::Ambiguous)?;
        Ok(self.actions_to_nodes(&relabel(lts, &to_actions)))
    }

    /// An automaton over the actions of the exact model as one over nodes.
    fn actions_to_nodes(&self, lts: &Lts) -> Lts {
        let mut to_nodes = Relabelling::new();
        for name in lts.alphabet().names() {
            for &node in self.nodes_of.get(name).into_iter().flatten() {
                to_nodes.add(Self::action(node), name);
            }
        }
        relabel(lts, &to_nodes)
    }

    /// The network in which a property is violated if and only if a path of the trace-flow graph that all constraints
    /// allow violates it. The property is over the names of events, and over [`FINAL`] for the end of an execution.
    ///
    /// # Errors
    /// When a constraint names nothing, or an automaton has two names for one event.
    pub fn network(&self, property: &Component, constraints: &[Constraint]) -> Result<Network, FlowError> {
        let mut others = vec![Component::new(&property.name, self.over_nodes(&property.lts)?)];
        for constraint in constraints {
            others.push(match constraint {
                Constraint::Variable(name) => {
                    let lts = self.variables.get(name).ok_or_else(|| FlowError::Unknown(name.clone()))?;
                    Component::new(name, self.over_nodes(lts)?)
                }
                Constraint::Task(name) => Component::new(name, self.task_automaton(name)?),
                Constraint::User(component) => {
                    Component::new(&component.name, self.over_nodes(&component.lts)?)
                }
            });
        }
        Ok(self.beside(others))
    }

    /// The trace-flow graph beside automata over nodes.
    fn beside(&self, others: Vec<Component>) -> Network {
        let watched: BTreeSet<&str> = others.iter().flat_map(|other| other.lts.alphabet().names()).collect();
        let graph = Component::new("trace-flow graph", self.trace_flow_graph(&watched));
        Network::new([graph].into_iter().chain(others).collect())
    }

    /// The trace-flow graph as a transition system: a state for each node that happened last, with the number of the node,
    /// and besides the initial and the final node. Only nodes that somebody watches have actions.
    ///
    /// A task that meets nobody and does nothing that is watched is left out: an execution without its steps is still a
    /// path, and there are fewer paths that are no executions.
    fn trace_flow_graph(&self, watched: &BTreeSet<&str>) -> Lts {
        let nodes = &self.graphs.nodes;
        let is_kept = self.kept(watched);
        let mut alphabet = Alphabet::new();
        let labels: Vec<Label> = (0..nodes.len())
            .map(|node| {
                let action = Self::action(NodeId::from_index(node));
                let is_watched = watched.contains(&*action) && is_kept[node];
                if is_watched { Label::visible(alphabet.intern(&action)) } else { Label::TAU }
            })
            .collect();
        let last = Label::visible(alphabet.intern(FINAL));
        // What happens at no node does not happen.
        for name in watched {
            alphabet.intern(name);
        }
        let mut builder = LtsBuilder::with_states(alphabet, nodes.len() + 2);
        let (initial, end) = (StateId::from_index(nodes.len()), StateId::from_index(nodes.len() + 1));
        builder.set_initial(initial);
        builder.set_end(Some(end));
        let state = |node: NodeId| StateId::from_index(node.index());
        for number in (0..nodes.len()).filter(|&number| is_kept[number]) {
            let from = NodeId::from_index(number);
            let next = self.next_in_tasks(from).into_iter().chain(self.parallel.of(from));
            for next in next.filter(|next| is_kept[next.index()]) {
                builder.add_transition(state(from), labels[next.index()], state(next));
            }
            if self.following[number].iter().all(|following| following.may_end) {
                builder.add_transition(state(from), last, end);
            }
        }
        let at_first = |task: usize| &self.following[self.graphs.begins[task].index()][0];
        for task in 0..self.tasks.len() {
            for &next in at_first(task).events.iter().filter(|next| is_kept[next.index()]) {
                let is_first = |&task: &usize| at_first(task).events.binary_search(&next).is_ok();
                if nodes[next.index()].tasks.iter().all(is_first) {
                    builder.add_transition(initial, labels[next.index()], state(next));
                }
            }
            if at_first(task).may_end {
                builder.add_transition(initial, last, end);
            }
        }
        if !is_kept.contains(&true) {
            builder.add_transition(initial, last, end);
        }
        builder.build()
    }

    /// The nodes that may come right after a node and have a task in common with it: they follow it in every such task, and
    /// their other task may wait for them meanwhile.
    fn next_in_tasks(&self, node: NodeId) -> Vec<NodeId> {
        let own = &self.graphs.nodes[node.index()].tasks;
        let follows = |next: NodeId| {
            let it = &self.graphs.nodes[next.index()];
            it.tasks.iter().zip(&it.predecessors).all(|(task, waiting)| {
                match own.iter().position(|other| other == task) {
                    Some(side) => self.following[node.index()][side].events.binary_search(&next).is_ok(),
                    None => waiting.iter().any(|&waiting| self.parallel.contains(node, waiting)),
                }
            })
        };
        let mut all: Vec<NodeId> =
            self.following[node.index()].iter().flat_map(|it| it.events.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&next| follows(next));
        all
    }

    /// For each node, whether something happens there and it is reachable, and whether its tasks meet others or do
    /// something that is watched.
    fn kept(&self, watched: &BTreeSet<&str>) -> Vec<bool> {
        let mut is_involved = vec![false; self.tasks.len()];
        for (number, node) in
            self.graphs.nodes.iter().enumerate().filter(|(number, _)| self.reachable[*number])
        {
            if node.tasks.len() == 2 || watched.contains(&*Self::action(NodeId::from_index(number))) {
                node.tasks.iter().for_each(|&task| is_involved[task] = true);
            }
        }
        let is_kept = |(node, is_reachable): (&Node, &bool)| {
            *is_reachable && node.event.is_some() && node.tasks.iter().all(|&task| is_involved[task])
        };
        self.graphs.nodes.iter().zip(&self.reachable).map(is_kept).collect()
    }

    /// The automaton of a task: its nodes come in the order of its control flow, and a path ends where the task may.
    fn task_automaton(&self, name: &str) -> Result<Lts, FlowError> {
        let unknown = || FlowError::Unknown(name.to_owned());
        let task = self.tasks.iter().position(|task| task == name).ok_or_else(unknown)?;
        let is_own = |node: NodeId| {
            let node = &self.graphs.nodes[node.index()];
            node.event.is_some() && node.tasks.contains(&task)
        };
        let all = (0..self.graphs.nodes.len()).map(NodeId::from_index);
        let own: Vec<NodeId> = all.filter(|&node| is_own(node) && self.reachable[node.index()]).collect();
        let mut alphabet = Alphabet::new();
        let labels: BTreeMap<NodeId, Label> =
            own.iter().map(|&node| (node, Label::visible(alphabet.intern(&Self::action(node))))).collect();
        let last = Label::visible(alphabet.intern(FINAL));
        let states: BTreeMap<NodeId, StateId> =
            own.iter().enumerate().map(|(at, &node)| (node, StateId::from_index(at))).collect();
        let mut builder = LtsBuilder::with_states(alphabet, own.len() + 2);
        let (initial, end) = (StateId::from_index(own.len()), StateId::from_index(own.len() + 1));
        builder.set_initial(initial);
        builder.set_end(Some(end));
        let side = |node: &NodeId| {
            self.graphs.nodes[node.index()].tasks.iter().position(|it| *it == task).unwrap_or(0)
        };
        let begin = &self.following[self.graphs.begins[task].index()][0];
        let all = [(initial, begin)].into_iter();
        for (from, following) in
            all.chain(own.iter().map(|node| (states[node], &self.following[node.index()][side(node)])))
        {
            for next in following.events.iter().filter(|next| states.contains_key(next)) {
                builder.add_transition(from, labels[next], states[next]);
            }
            if following.may_end {
                builder.add_transition(from, last, end);
            }
        }
        Ok(builder.build())
    }
}

/// The flow model with the automata of all variables and tasks, for those who look for constraints.
pub(crate) struct Constrained {
    flow: Flow,
    constraints: Vec<Component>,
}

impl Constrained {
    /// Fails if an automaton has two names for one event, which those of the program have not.
    pub(crate) fn new(flow: Flow) -> Result<Self, FlowError> {
        let mut constraints = Vec::new();
        for (name, lts) in &flow.variables {
            constraints.push(Component::new(name, flow.over_nodes(lts)?));
        }
        for name in &flow.tasks {
            constraints.push(Component::new(name, flow.task_automaton(name)?));
        }
        Ok(Self { flow, constraints })
    }
}

impl FlowModel for Constrained {
    /// The tasks are the first components of the exact model.
    fn threads(&self) -> Vec<usize> {
        (0..self.flow.tasks.len()).collect()
    }

    fn constraints(&self) -> &[Component] {
        &self.constraints
    }

    fn over_nodes(&self, lts: &Lts) -> Lts {
        self.flow.actions_to_nodes(lts)
    }

    fn network(&self, others: Vec<Component>) -> Network {
        self.flow.beside(others)
    }

    fn graph(&self, part: Option<usize>) -> Lts {
        let task = part.and_then(|part| self.flow.tasks.get(part));
        if let Some(task) = task.and_then(|name| self.flow.task_automaton(name).ok()) {
            return rely_lts::operators::trim(&task);
        }
        let nodes = (0..self.flow.graphs.nodes.len()).map(NodeId::from_index);
        let happens = |node: &NodeId| self.flow.graphs.nodes[node.index()].event.is_some();
        let all: Vec<String> = nodes.filter(happens).map(Flow::action).collect();
        let graph = self.flow.trace_flow_graph(&all.iter().map(String::as_str).collect());
        rely_lts::operators::trim(&graph)
    }

    fn node_count(&self) -> u32 {
        u32::try_from(self.flow.graphs.nodes.len()).unwrap_or(u32::MAX)
    }

    fn event(&self, node: u32) -> Option<FlowEvent> {
        let id = NodeId::from_raw(node);
        let Node { event, tasks, spans, .. } = self.flow.graphs.nodes.get(id.index())?;
        let places = tasks.iter().copied().zip(spans.iter().copied()).collect();
        Some(FlowEvent { action: event.clone()?, node: Flow::action(id), places })
    }
}
