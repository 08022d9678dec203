//! The reachable states, by saturation.
//!
//! Invariant: a node that [`Saturation::saturate`] or [`Saturation::fire`] returns is closed under all events whose
//! first participant is at its level or below. The union of two closed sets is closed, so unions need no care.
//! The depth of recursion is at most twice the number of levels, which the caller bounds.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::Exhausted;
use rustc_hash::FxHashMap;

use super::events::{Events, Local};
use super::forest::{Forest, Node};

/// The states that can be reached from a tuple with a value for each level.
pub(super) fn reachable(
    forest: &mut Forest<'_>,
    events: &Events,
    initial: &[u32],
) -> Result<Node, Exhausted> {
    let mut begins = vec![FxHashMap::default(); initial.len()];
    for (number, event) in events.events.iter().enumerate() {
        let Some(first) = event.steps.first() else { continue };
        for source in first.sources() {
            let begins: &mut FxHashMap<u32, Vec<usize>> = &mut begins[first.level];
            begins.entry(source).or_default().push(number);
        }
    }
    let mut saturation = Saturation { forest, events, begins, fired: FxHashMap::default() };
    let mut node = Node::ALL;
    for (level, &value) in initial.iter().enumerate().rev() {
        // The nodes below are saturated already.
        node = saturation.close(level, BTreeMap::from([(value, node)]))?;
    }
    Ok(node)
}

struct Saturation<'a, 'b> {
    forest: &'a mut Forest<'b>,
    events: &'a Events,
    /// For each level and value, the events whose first participant can make a step there.
    begins: Vec<FxHashMap<u32, Vec<usize>>>,
    /// Cached results of [`Saturation::fire`].
    fired: FxHashMap<(usize, Node), Node>,
}

impl Saturation<'_, '_> {
    /// The smallest closed node that has these edges. The nodes that the edges lead to are closed already.
    fn close(&mut self, level: usize, mut edges: BTreeMap<u32, Node>) -> Result<Node, Exhausted> {
        let events = self.events;
        let mut waiting: BTreeSet<u32> = edges.keys().copied().collect();
        while let Some(value) = waiting.pop_last() {
            let numbers = self.begins[level].get(&value).map_or(0, Vec::len);
            self.forest.work(numbers)?;
            for index in 0..numbers {
                let number = self.begins[level][&value][index];
                let event = &events.events[number];
                let rest = self.fire(number, &event.steps[1..], level + 1, edges[&value])?;
                if rest.is_empty() {
                    continue;
                }
                for &target in event.steps[0].targets(value) {
                    let there = edges.get(&target).copied().unwrap_or(Node::EMPTY);
                    let united = self.forest.union(there, rest)?;
                    if united != there {
                        edges.insert(target, united);
                        waiting.insert(target);
                    }
                }
            }
        }
        self.forest.node(&edges)
    }

    /// The closed set that results from doing the remaining steps of an event on a set of tuples.
    fn fire(&mut self, number: usize, steps: &[Local], level: usize, node: Node) -> Result<Node, Exhausted> {
        let Some((step, following)) = steps.split_first() else { return Ok(node) };
        if let Some(&known) = self.fired.get(&(number, node)) {
            return Ok(known);
        }
        let mut edges = BTreeMap::new();
        if step.level == level {
            for (value, child) in step.edges(self.forest, node)? {
                let rest = self.fire(number, following, level + 1, child)?;
                if rest.is_empty() {
                    continue;
                }
                for &target in step.targets(value) {
                    let there = edges.get(&target).copied().unwrap_or(Node::EMPTY);
                    let united = self.forest.union(there, rest)?;
                    edges.insert(target, united);
                }
            }
        } else {
            self.forest.work(self.forest.width(node))?;
            for index in 0..self.forest.width(node) {
                let (value, child) = self.forest.edge(node, index);
                let rest = self.fire(number, steps, level + 1, child)?;
                if !rest.is_empty() {
                    edges.insert(value, rest);
                }
            }
        }
        let fired = self.close(level, edges)?;
        self.fired.insert((number, node), fired);
        self.forest.remember();
        Ok(fired)
    }
}
