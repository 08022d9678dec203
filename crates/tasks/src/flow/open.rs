//! A slice as a component, for those who compose it with what other tasks do.
//!
//! Its actions are those of the exact model that others notice: rendezvous with tasks that are not followed, and what the property
//! or the automaton of a variable sees. Whatever the others do is left to them: that is the environment in which every entry may
//! be called, every call accepted and every variable assigned, in any order.

use std::collections::BTreeSet;

use rely_base::Id;
use rely_lts::operators::Relabelling;
use rely_lts::{Component, Network};
use rely_model::OpenSlice;

use super::trace_flow::Shown;
use super::{FINAL, Flow, Node};

impl Flow {
    /// The graph beside the automata of some of its tasks, given what is seen of the exact model.
    pub(super) fn open(&self, seen: &BTreeSet<&str>, tasks: &[usize]) -> OpenSlice {
        let is_noticed = |node: &Node| {
            node.outsider.is_some() || node.event.as_deref().is_some_and(|event| seen.contains(event))
        };
        let shown = Shown::new(self, is_noticed);
        let mut names = Relabelling::new();
        let mut hidden = BTreeSet::new();
        // What others notice and is not reachable here cannot happen, so that they cannot do it alone.
        let mut watched: BTreeSet<String> = BTreeSet::new();
        for node in self.graphs.nodes.iter().filter(|node| is_noticed(node)) {
            watched.extend(node.event.clone());
        }
        for &node in shown.nodes() {
            let it = &self.graphs.nodes[node.index()];
            let action = Self::action(node);
            watched.insert(action.clone());
            match &it.event {
                Some(event) if is_noticed(it) => {
                    names.add(event.clone(), action);
                    watched.remove(event);
                }
                _ => _ = hidden.insert(action),
            }
        }
        if !seen.contains(FINAL) {
            hidden.insert(FINAL.to_owned());
        }
        let watched = watched.iter().map(String::as_str).collect();
        let graph = Component::new("graph", self.trace_flow_graph(&shown, &watched));
        let automaton =
            |&task: &usize| Component::new(&self.program.task_names[task], self.task_automaton(task, &shown));
        let network = Network::new([graph].into_iter().chain(tasks.iter().map(automaton)).collect());
        OpenSlice { network, names, hidden }
    }
}
