//! Control-flow graphs of some tasks, joined where they meet.
//!
//! A node is something that happens, or a place where a task waits for what comes next. *Waiting* nodes are the states of
//! the unfolded tasks. *Local* nodes are reads, writes, marks, ends, and that a task goes on
//! with `else`. A *rendezvous* node stands for a call in one task
//! that is accepted by another; it belongs to both. A waiting node comes before every rendezvous and before the end of each
//! task: without it, two tasks that come to a rendezvous at different times would seem never to meet.
//!
//! What the flow model does not know is taken as possible: `else`, `terminate` and calls of ended tasks whenever a task comes
//! there, and a rendezvous with a task that is not among those of the graph, which is a local node of the other one. Nothing
//! follows an error of the program in its task.

use std::collections::BTreeMap;

use rely_base::{Id, Span};

use crate::exact::{Action, Goal, TaskId, Unfolded, Unfoldings};

rely_base::define_id! {
    /// A node of the flow graphs.
    NodeId
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// The action of the exact model that happens here; nothing if nothing can be noticed.
    pub event: Option<String>,
    /// The numbers of the tasks that it belongs to: two for a rendezvous.
    pub tasks: Vec<usize>,
    /// The place in the text, task by task in the order of `tasks`.
    pub spans: Vec<Span>,
    /// The nodes that come next in one of its tasks.
    pub successors: Vec<NodeId>,
    /// The nodes that come before it, task by task in the order of `tasks`.
    pub predecessors: Vec<Vec<NodeId>>,
    /// The task on the other side of a rendezvous that is not among those of the graph.
    pub outsider: Option<usize>,
}

/// The control-flow graphs of some tasks.
#[derive(Clone, Debug)]
pub(super) struct Graphs {
    pub(super) nodes: Vec<Node>,
    /// For each of these tasks, by number, the node at which it begins.
    pub(super) begins: BTreeMap<usize, NodeId>,
    /// For each node, whether it is one at which a task has ended or may terminate.
    pub(super) is_end: Vec<bool>,
}

/// Half of a rendezvous: the state from which it happens, the state to which it leads, and its place.
type Half = (NodeId, NodeId, Span);

/// The two sides of each rendezvous: those of the caller, those of the acceptor.
type Meetings<'a> = BTreeMap<&'a Action, [Vec<Half>; 2]>;

impl Graphs {
    /// The graphs of the tasks with these numbers.
    pub(super) fn new(unfoldings: &Unfoldings, tasks: &[usize]) -> Self {
        let mut graphs = Self { nodes: Vec::new(), begins: BTreeMap::new(), is_end: Vec::new() };
        let mut meetings = Meetings::new();
        for &task in tasks {
            graphs.add_task(unfoldings, tasks, task, &mut meetings);
        }
        for (action, [callers, acceptors]) in meetings {
            for &(from, to, called_at) in &callers {
                for &(accepting, accepted, accepted_at) in &acceptors {
                    let both = [from, accepting].map(|node| graphs.nodes[node.index()].tasks[0]);
                    let spans = vec![called_at, accepted_at];
                    let node = graphs.add(Some(unfoldings.names[action].clone()), both.to_vec(), spans);
                    graphs.connect(from, node, 0);
                    graphs.connect(accepting, node, 1);
                    graphs.connect(node, to, 0);
                    graphs.connect(node, accepted, 0);
                }
            }
        }
        graphs
    }

    /// The waiting and local nodes of a task; its sides of meetings with others of the graph are collected.
    fn add_task<'a>(
        &mut self,
        unfoldings: &'a Unfoldings,
        tasks: &[usize],
        task: usize,
        meetings: &mut Meetings<'a>,
    ) {
        let Unfolded { states } = &unfoldings.tasks[task];
        let first = self.nodes.len();
        let waiting = |state: usize| NodeId::from_index(first + state);
        self.begins.insert(task, waiting(0));
        for state in states {
            self.add(None, vec![task], vec![state.span]);
        }
        for (number, state) in states.iter().enumerate() {
            let from = waiting(number);
            self.is_end[from.index()] |= state.is_done;
            for (action, goal, span) in &state.steps {
                let span = span.unwrap_or(state.span);
                let (action, goal) = match (action, goal) {
                    (_, Goal::End) => {
                        self.is_end[from.index()] = true;
                        continue;
                    }
                    (None, Goal::State(to)) => {
                        self.connect(from, waiting(*to), 0);
                        continue;
                    }
                    (None, Goal::Error) => continue,
                    (Some(action), goal) => (action, goal),
                };
                let partner = partner(action, task);
                let known = partner.filter(|partner| tasks.binary_search(partner).is_ok());
                if let (Some(_), Goal::State(to)) = (known, goal) {
                    let side = usize::from(!is_caller(action, task));
                    meetings.entry(action).or_default()[side].push((from, waiting(*to), span));
                    continue;
                }
                let node = self.add(Some(unfoldings.names[action].clone()), vec![task], vec![span]);
                self.nodes[node.index()].outsider = partner;
                self.connect(from, node, 0);
                if let Goal::State(to) = goal {
                    self.connect(node, waiting(*to), 0);
                }
            }
        }
    }

    fn add(&mut self, event: Option<String>, tasks: Vec<usize>, spans: Vec<Span>) -> NodeId {
        let predecessors = vec![Vec::new(); tasks.len()];
        self.is_end.push(false);
        let successors = Vec::new();
        self.nodes.push(Node { event, tasks, spans, successors, predecessors, outsider: None });
        NodeId::from_index(self.nodes.len() - 1)
    }

    /// An edge, on which a node is reached from the side of one of its tasks.
    fn connect(&mut self, from: NodeId, to: NodeId, side: usize) {
        if !self.nodes[from.index()].successors.contains(&to) {
            self.nodes[from.index()].successors.push(to);
        }
        let side = &mut self.nodes[to.index()].predecessors[side];
        if !side.contains(&from) {
            side.push(from);
        }
    }

    /// Whether something happens at a node.
    pub(super) fn happens(&self, node: NodeId) -> bool {
        self.nodes[node.index()].event.is_some()
    }

    /// The nodes that come right after a node in one of its tasks.
    pub(super) fn next(&self, node: NodeId, task: usize) -> impl Iterator<Item = NodeId> {
        let of_task = move |next: &NodeId| self.nodes[next.index()].tasks.contains(&task);
        self.nodes[node.index()].successors.iter().copied().filter(of_task)
    }
}

/// The other task of a rendezvous in which a task takes part.
fn partner(action: &Action, task: usize) -> Option<usize> {
    let (Action::Begin { caller, door, .. } | Action::Finish { caller, door, .. }) = action else {
        return None;
    };
    let other = if is_caller(action, task) { door.acceptor } else { *caller };
    Some(other.index())
}

/// Whether a task calls in a rendezvous.
fn is_caller(action: &Action, task: usize) -> bool {
    let (Action::Begin { caller, .. } | Action::Finish { caller, .. }) = action else { return false };
    *caller == TaskId::from_index(task)
}
