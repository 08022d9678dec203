//! Which nodes may happen in parallel, and so which may immediately precede each other.
//!
//! *Source*: Naumovich and Avrunin's data-flow analysis for rendezvous, with a waiting node before each rendezvous.
//!
//! *Equations*. The nodes at which the tasks begin happen in parallel. A rendezvous node is reachable if a waiting node of
//! the one task and one of the other, from which it happens, happen in parallel. M(n), what may happen in parallel with n,
//! is for a local node the union of OUT(p) over the nodes p before it, without the nodes of its own task; for a reachable
//! rendezvous node the intersection of what its two tasks bring, each the union of OUT(p) over the nodes p before it in that
//! task. OUT(n) is M(n), and for a reachable rendezvous node its successors as well: both tasks have left it. The relation
//! is kept symmetric, and all of this is repeated until nothing changes.
//!
//! *Invariant*. Whenever two tasks of a run are at two nodes, or one does something while the other is somewhere, the two
//! nodes are a pair: by induction over the run. *Complexity*: the sets grow at most n² times in all, and each growth costs
//! the degree of its node.

use std::collections::VecDeque;

use rely_base::{Budget, Exhausted, Id, Progress};

use super::graph::{Graphs, Node, NodeId};

/// A symmetric relation between nodes, a row of bits for each.
#[derive(Clone, Debug)]
pub struct Parallel {
    rows: Vec<Vec<u64>>,
}

impl Parallel {
    /// Whether two nodes may happen in parallel.
    pub fn contains(&self, a: NodeId, b: NodeId) -> bool {
        self.rows[a.index()][b.index() / 64] >> (b.index() % 64) & 1 == 1
    }

    /// The nodes that may happen in parallel with a node, in order.
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let row = self.rows[node.index()].iter().enumerate();
        row.flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| NodeId::from_index(at * 64 + bit))
        })
    }

    /// How many pairs there are, each counted once.
    pub fn pair_count(&self) -> usize {
        self.rows.iter().flatten().map(|word| word.count_ones() as usize).sum::<usize>() / 2
    }

    /// Adds a pair. Whether it is new.
    fn insert(&mut self, a: NodeId, b: NodeId) -> bool {
        let is_new = !self.contains(a, b);
        self.rows[a.index()][b.index() / 64] |= 1 << (b.index() % 64);
        self.rows[b.index()][a.index() / 64] |= 1 << (a.index() % 64);
        is_new
    }
}

/// Computes which nodes may happen in parallel, and which are reachable.
///
/// # Errors
/// When the budget is used up.
pub(super) fn parallel(graphs: &Graphs, budget: &Budget<'_>) -> Result<(Parallel, Vec<bool>), Exhausted> {
    let nodes = &graphs.nodes;
    let words = nodes.len().div_ceil(64);
    let bytes = nodes.len() * words * 8;
    budget.check(&Progress { states: nodes.len(), bytes, ..Progress::default() })?;
    let mut analysis = Analysis {
        nodes,
        parallel: Parallel { rows: vec![vec![0; words]; nodes.len()] },
        reachable: vec![false; nodes.len()],
        queue: VecDeque::new(),
        is_queued: vec![false; nodes.len()],
    };
    for &begin in &graphs.begins {
        analysis.reachable[begin.index()] = true;
        for &other in &graphs.begins {
            if begin != other {
                analysis.parallel.insert(begin, other);
            }
        }
        analysis.push_after(begin);
    }
    let mut steps = 0_usize;
    while let Some(node) = analysis.queue.pop_front() {
        analysis.is_queued[node.index()] = false;
        analysis.update(node);
        steps += 1;
        if steps.is_multiple_of(Budget::INTERVAL) {
            budget.check(&Progress {
                states: nodes.len(),
                transitions: steps,
                bytes,
                ..Progress::default()
            })?;
        }
    }
    Ok((analysis.parallel, analysis.reachable))
}

struct Analysis<'g> {
    nodes: &'g [Node],
    parallel: Parallel,
    reachable: Vec<bool>,
    /// Nodes whose equations have to be looked at again.
    queue: VecDeque<NodeId>,
    is_queued: Vec<bool>,
}

impl Analysis<'_> {
    fn push(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.is_queued[node.index()], true) {
            self.queue.push_back(node);
        }
    }

    /// What a node brings has changed.
    fn push_after(&mut self, node: NodeId) {
        for at in 0..self.nodes[node.index()].successors.len() {
            let successor = self.nodes[node.index()].successors[at];
            self.push(successor);
        }
    }

    /// Looks at the equation of a node.
    fn update(&mut self, node: NodeId) {
        let it = &self.nodes[node.index()];
        if !self.reachable[node.index()] {
            let is_reachable = match &it.predecessors[..] {
                [callers, acceptors] => {
                    let meets = |a: &NodeId| acceptors.iter().any(|b| self.parallel.contains(*a, *b));
                    callers.iter().any(meets)
                }
                [before] => before.iter().any(|p| self.reachable[p.index()]),
                _ => false,
            };
            if !is_reachable {
                return;
            }
            self.reachable[node.index()] = true;
            self.push_after(node);
        }
        let mut found: Option<Vec<u64>> = None;
        for side in &it.predecessors {
            let brought = self.brought(side);
            found = Some(match found {
                None => brought,
                Some(first) => first.iter().zip(&brought).map(|(a, b)| a & b).collect(),
            });
        }
        let Some(found) = found else { return };
        let mut has_changed = false;
        for (at, word) in found.into_iter().enumerate() {
            let mut fresh = word & !self.parallel.rows[node.index()][at];
            while fresh != 0 {
                let other = NodeId::from_index(at * 64 + fresh.trailing_zeros() as usize);
                fresh &= fresh - 1;
                let has_task = self.nodes[other.index()].tasks.iter().any(|task| it.tasks.contains(task));
                if !has_task && self.parallel.insert(node, other) {
                    has_changed = true;
                    // The other one's set has grown as well.
                    self.push_after(other);
                }
            }
        }
        if has_changed {
            self.push_after(node);
        }
    }

    /// The union of OUT over some nodes.
    fn brought(&self, nodes: &[NodeId]) -> Vec<u64> {
        let mut union = vec![0_u64; self.parallel.rows.first().map_or(0, Vec::len)];
        for &node in nodes.iter().filter(|node| self.reachable[node.index()]) {
            for (word, &more) in union.iter_mut().zip(&self.parallel.rows[node.index()]) {
                *word |= more;
            }
            let it = &self.nodes[node.index()];
            if it.tasks.len() == 2 {
                for successor in &it.successors {
                    union[successor.index() / 64] |= 1 << (successor.index() % 64);
                }
            }
        }
        union
    }
}
