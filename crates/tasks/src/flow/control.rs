//! Task automata: a task follows its own control flow.

use std::collections::BTreeMap;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};

use super::graph::NodeId;
use super::trace_flow::Shown;
use super::{FINAL, Flow};

impl Flow {
    /// The automaton of a task: its nodes that are shown come in the order of its control flow, and a path ends where the task
    /// may.
    pub(super) fn task_automaton(&self, task: usize, shown: &Shown) -> Lts {
        let is_own = |node: &&NodeId| self.graphs.nodes[node.index()].tasks.contains(&task);
        let own: Vec<NodeId> = shown.nodes().iter().filter(is_own).copied().collect();
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
        let begin = self.graphs.begins.get(&task).map(|&begin| (initial, begin));
        let from = own.iter().map(|node| (states[node], *node)).chain(begin);
        for (from, node) in from {
            let following = shown.after(self, node, task);
            for next in &following.events {
                builder.add_transition(from, labels[next], states[next]);
            }
            if following.may_end {
                builder.add_transition(from, last, end);
            }
        }
        builder.build()
    }
}
