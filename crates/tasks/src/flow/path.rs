//! A path of the trace-flow graph, with what was passed over.
//!
//! The graph shows only what matters to a question. What a task did between two nodes that are shown is found again by a search for
//! the shortest way through its control flow; it is put right before the second of them. If there is no way, the task does not follow its own
//! control flow there: it went *astray*, which the automaton of the task would not allow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rely_base::Id;
use rely_model::{FlowEvent, FlowPath};

use super::graph::NodeId;
use super::{Flow, Node};

impl Flow {
    /// What happens at a node.
    pub(super) fn event_at(&self, node: NodeId) -> Option<FlowEvent> {
        let Node { event, tasks, spans, outsider, .. } = self.graphs.nodes.get(node.index())?;
        let places = tasks.iter().copied().zip(spans.iter().copied()).collect();
        Some(FlowEvent { action: event.clone()?, node: Self::action(node), places, outsider: *outsider })
    }

    /// The path on which a run of a network of this model leads the graph, given its actions and the states of the graph that
    /// they lead to. `seen` are the actions that somebody sees.
    pub(super) fn path_of(&self, steps: &[(String, u32)], seen: &BTreeSet<&str>) -> FlowPath {
        let mut last: BTreeMap<usize, NodeId> = self.graphs.begins.clone();
        let mut events = Vec::new();
        let mut astray = BTreeSet::new();
        for (action, state) in steps {
            if let Some(plain) = action.strip_prefix(&Self::foreign("")) {
                let (action, node) = (plain.to_owned(), action.clone());
                events.push(FlowEvent { action, node, places: Vec::new(), outsider: None });
                continue;
            }
            let node = NodeId::from_raw(*state);
            // The end of an execution is no node.
            let Some(it) = self.graphs.nodes.get(node.index()) else { continue };
            for &task in &it.tasks {
                let from = last.insert(task, node);
                match from.and_then(|from| self.way(from, node, task, seen)) {
                    Some(way) => events.extend(way.into_iter().filter_map(|node| self.event_at(node))),
                    None => _ = astray.insert(task),
                }
            }
            events.extend(self.event_at(node));
        }
        FlowPath { events, astray: astray.into_iter().collect() }
    }

    /// A shortest way from one node of a task to another, without the two, on which nothing is seen in between.
    fn way(&self, from: NodeId, to: NodeId, task: usize, seen: &BTreeSet<&str>) -> Option<Vec<NodeId>> {
        let mut before: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        let mut pending = VecDeque::from([from]);
        while let Some(node) = pending.pop_front() {
            for next in self.graphs.next(node, task) {
                if next == to {
                    let mut way = Vec::new();
                    let mut at = node;
                    while at != from {
                        way.push(at);
                        at = *before.get(&at)?;
                    }
                    way.reverse();
                    return Some(way);
                }
                let it = &self.graphs.nodes[next.index()];
                let is_seen = it.event.as_deref().is_some_and(|event| seen.contains(event));
                let is_free = self.reachable[next.index()] && it.tasks.len() == 1 && !is_seen;
                if next != from && is_free && !before.contains_key(&next) {
                    before.insert(next, node);
                    pending.push_back(next);
                }
            }
        }
        None
    }
}
