//! The trace-flow graph: what may come right after what.
//!
//! *Edges*. Let n be the node that came last, and m one that is shown. For each task q of m: if q was at n, then m comes next in q
//! after n, with nothing shown in between; if not, q may wait before m while n happens. Since whatever is passed over is done by
//! one task alone, may-happen-in-parallel is closed under it: if q was at w when n happened, and came from there to a place
//! before m, then that place, too, may happen in parallel with n.

use std::collections::BTreeSet;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};

use super::graph::{Node, NodeId};
use super::{FINAL, Flow};

/// The nodes that are shown in the graph of a question, and what comes next after each.
pub(super) struct Shown {
    is_shown: Vec<bool>,
    /// The nodes that are shown, in order.
    nodes: Vec<NodeId>,
    /// For each node, what comes next, task by task in the order of its tasks. Nothing for nodes that are not shown, but for
    /// those at which tasks begin.
    following: Vec<Vec<Following>>,
}

/// What comes after a node in one of its tasks, with nothing in between that is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Following {
    /// The nodes that are shown.
    pub(super) events: Vec<NodeId>,
    /// Whether a task may have ended.
    pub(super) may_end: bool,
}

impl Shown {
    /// The reachable nodes of some kind, and those at which two tasks meet.
    pub(super) fn new(flow: &Flow, matters: impl Fn(&Node) -> bool) -> Self {
        let of = |(node, &is_reachable): (&Node, &bool)| {
            is_reachable && node.event.is_some() && (node.tasks.len() == 2 || matters(node))
        };
        let is_shown: Vec<bool> = flow.graphs.nodes.iter().zip(&flow.reachable).map(of).collect();
        let all = (0..is_shown.len()).map(NodeId::from_index);
        let nodes = all.filter(|node| is_shown[node.index()]).collect();
        let mut shown = Self { following: vec![Vec::new(); is_shown.len()], is_shown, nodes };
        let mut visits = vec![usize::MAX; shown.is_shown.len()];
        let begins: Vec<NodeId> = flow.graphs.begins.values().copied().collect();
        for (visit, &node) in shown.nodes.iter().chain(&begins).enumerate() {
            let tasks = &flow.graphs.nodes[node.index()].tasks;
            let of_task =
                |(side, &task): (usize, &usize)| shown.walk(flow, node, task, 2 * visit + side, &mut visits);
            shown.following[node.index()] = tasks.iter().enumerate().map(of_task).collect();
        }
        shown
    }

    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.is_shown[node.index()]
    }

    /// The nodes that are shown, in order.
    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What comes after a node that is shown, or at which a task begins, in one of its tasks.
    pub(super) fn after(&self, flow: &Flow, node: NodeId, task: usize) -> &Following {
        let side = flow.graphs.nodes[node.index()].tasks.iter().position(|&it| it == task);
        &self.following[node.index()][side.unwrap_or(0)]
    }

    /// Walks from a node to those that are shown, in one task. A walk marks the nodes where it was with its number.
    fn walk(&self, flow: &Flow, from: NodeId, task: usize, visit: usize, visits: &mut [usize]) -> Following {
        let mut following = Following::default();
        let mut pending = Vec::new();
        match flow.graphs.happens(from) {
            // The tasks of a rendezvous part there.
            true => pending.extend(flow.graphs.next(from, task)),
            false => pending.push(from),
        }
        while let Some(next) = pending.pop() {
            if !flow.reachable[next.index()] || std::mem::replace(&mut visits[next.index()], visit) == visit {
                continue;
            }
            if self.is_shown[next.index()] {
                following.events.push(next);
            } else {
                following.may_end |= flow.graphs.is_end[next.index()];
                pending.extend(flow.graphs.next(next, task));
            }
        }
        following.events.sort_unstable();
        following
    }
}

impl Flow {
    /// The trace-flow graph as a transition system: a state for each node that happened last, with the number of the node,
    /// and besides the initial and the final node. Only nodes that are watched have actions; what is watched and happens at no
    /// node does not happen, unless it is done outside.
    pub(super) fn trace_flow_graph(&self, shown: &Shown, watched: &BTreeSet<&str>) -> Lts {
        let count = self.graphs.nodes.len();
        let mut alphabet = Alphabet::new();
        let mut labels = vec![Label::TAU; count];
        for &node in shown.nodes() {
            let action = Self::action(node);
            if watched.contains(&*action) {
                labels[node.index()] = Label::visible(alphabet.intern(&action));
            }
        }
        let last = Label::visible(alphabet.intern(FINAL));
        for name in watched.iter().filter(|name| !name.starts_with(&Self::foreign(""))) {
            alphabet.intern(name);
        }
        let mut builder = LtsBuilder::with_states(alphabet, count + 2);
        let (initial, end) = (StateId::from_index(count), StateId::from_index(count + 1));
        builder.set_initial(initial);
        builder.set_end(Some(end));
        let state = |node: NodeId| StateId::from_index(node.index());
        for &from in shown.nodes() {
            let next = self.next_in_tasks(shown, from).into_iter().chain(self.parallel.of(from));
            for next in next.filter(|&next| shown.contains(next)) {
                builder.add_transition(state(from), labels[next.index()], state(next));
            }
            if shown.following[from.index()].iter().all(|following| following.may_end) {
                builder.add_transition(state(from), last, end);
            }
        }
        let at_first = |task: &usize| &shown.following[self.graphs.begins[task].index()][0];
        for &next in shown.nodes() {
            let is_first = |task: &usize| at_first(task).events.binary_search(&next).is_ok();
            if self.graphs.nodes[next.index()].tasks.iter().all(is_first) {
                builder.add_transition(initial, labels[next.index()], state(next));
            }
        }
        if self.tasks.iter().all(|task| at_first(task).may_end) {
            builder.add_transition(initial, last, end);
        }
        builder.build()
    }

    /// The nodes that may come right after a node and have a task in common with it: they follow it in every such task, and
    /// their other task may wait for them meanwhile.
    fn next_in_tasks(&self, shown: &Shown, node: NodeId) -> Vec<NodeId> {
        let own = &self.graphs.nodes[node.index()].tasks;
        let follows = |next: NodeId| {
            let it = &self.graphs.nodes[next.index()];
            it.tasks.iter().zip(&it.predecessors).all(|(task, waiting)| match own.contains(task) {
                true => shown.after(self, node, *task).events.binary_search(&next).is_ok(),
                false => waiting.iter().any(|&waiting| self.parallel.contains(node, waiting)),
            })
        };
        let mut all: Vec<NodeId> =
            own.iter().flat_map(|&task| shown.after(self, node, task).events.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&next| follows(next));
        all
    }
}
