//! Control-flow graphs of all tasks, joined where tasks meet.
//!
//! A node is something that happens, or a place where a task waits for what comes next. *Waiting* nodes are the states of
//! the unfolded tasks. *Local* nodes are reads, writes, marks, ends, and that a task goes on
//! with `else`. A *rendezvous* node stands for a call in one task
//! that is accepted by another; it belongs to both. A waiting node comes before every rendezvous and before the end of each
//! task: without it, two tasks that come to a rendezvous at different times would seem never to meet.
//!
//! What the flow model does not know is taken as possible: `else`, `terminate` and calls of ended tasks whenever a task comes
//! there. Nothing follows an error of the program in its task.

use std::collections::BTreeMap;

use rely_base::{Id, Span};
use rustc_hash::FxHashSet;

use super::Following;
use crate::exact::{Action, Goal, TaskId, Unfolded};

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
}

/// The control-flow graphs of all tasks.
#[derive(Clone, Debug)]
pub(super) struct Graphs {
    pub(super) nodes: Vec<Node>,
    /// For each task, the node at which it begins.
    pub(super) begins: Vec<NodeId>,
    /// For each node, whether it is one at which a task has ended or may terminate.
    is_end: Vec<bool>,
}

/// Half of a rendezvous: the state from which it happens, the state to which it leads, and its place.
type Half = (NodeId, NodeId, Span);

impl Graphs {
    pub(super) fn new(unfolded: &[Unfolded], names: &BTreeMap<Action, String>) -> Self {
        let mut graphs = Self { nodes: Vec::new(), begins: Vec::new(), is_end: Vec::new() };
        // The two sides of each rendezvous: those of the caller, those of the acceptor.
        let mut meetings: BTreeMap<&Action, [Vec<Half>; 2]> = BTreeMap::new();
        for (task, unfolded) in unfolded.iter().enumerate() {
            let first = graphs.nodes.len();
            let waiting = |state: usize| NodeId::from_index(first + state);
            graphs.begins.push(waiting(0));
            for state in &unfolded.states {
                graphs.add(None, vec![task], vec![state.span]);
            }
            for (number, state) in unfolded.states.iter().enumerate() {
                let from = waiting(number);
                if state.is_done {
                    graphs.is_end[from.index()] = true;
                }
                for (action, goal, span) in &state.steps {
                    let span = span.unwrap_or(state.span);
                    match (action, goal) {
                        (Some(action), Goal::Error) => {
                            let node = graphs.add(Some(names[action].clone()), vec![task], vec![span]);
                            graphs.connect(from, node, 0);
                        }
                        (None, Goal::Error) => {}
                        (_, Goal::End) => graphs.is_end[from.index()] = true,
                        (
                            Some(action @ (Action::Begin { caller, .. } | Action::Finish { caller, .. })),
                            Goal::State(to),
                        ) => {
                            let side = usize::from(*caller != TaskId::from_index(task));
                            meetings.entry(action).or_default()[side].push((from, waiting(*to), span));
                        }
                        (Some(action), Goal::State(to)) => {
                            let node = graphs.add(Some(names[action].clone()), vec![task], vec![span]);
                            graphs.connect(from, node, 0);
                            graphs.connect(node, waiting(*to), 0);
                        }
                        (None, Goal::State(to)) => graphs.connect(from, waiting(*to), 0),
                    }
                }
            }
        }
        for (action, [callers, acceptors]) in meetings {
            for &(from, to, called_at) in &callers {
                for &(accepting, accepted, accepted_at) in &acceptors {
                    let tasks = [from, accepting].map(|node| graphs.nodes[node.index()].tasks[0]);
                    let spans = vec![called_at, accepted_at];
                    let node = graphs.add(Some(names[action].clone()), tasks.to_vec(), spans);
                    graphs.connect(from, node, 0);
                    graphs.connect(accepting, node, 1);
                    graphs.connect(node, to, 0);
                    graphs.connect(node, accepted, 0);
                }
            }
        }
        graphs
    }

    fn add(&mut self, event: Option<String>, tasks: Vec<usize>, spans: Vec<Span>) -> NodeId {
        let predecessors = vec![Vec::new(); tasks.len()];
        self.is_end.push(false);
        self.nodes.push(Node { event, tasks, spans, successors: Vec::new(), predecessors });
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

    /// What comes after a node in one of its tasks, with nothing but waiting in between.
    pub(super) fn following(&self, node: NodeId, task: usize) -> Following {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut following = Following::default();
        let is_waiting = |node: NodeId| self.nodes[node.index()].event.is_none();
        let mut pending = vec![node];
        if !is_waiting(node) {
            // The tasks of a rendezvous part there.
            let is_own = |next: &&NodeId| self.nodes[next.index()].tasks.contains(&task);
            pending = self.nodes[node.index()].successors.iter().filter(is_own).copied().collect();
        }
        while let Some(next) = pending.pop() {
            if !seen.insert(next) {
                continue;
            }
            if is_waiting(next) {
                following.may_end |= self.is_end[next.index()];
                pending.extend(&self.nodes[next.index()].successors);
            } else {
                following.events.push(next);
            }
        }
        following.events.sort_unstable();
        following
    }
}
