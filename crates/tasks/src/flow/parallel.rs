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
//! nodes are a pair: by induction over the run.
//!
//! *Propagation*. Each node keeps apart the pairs that its neighbours have not seen yet, and passes on those alone, a word of
//! 64 nodes at a time. *Complexity*: every pair is passed on once by each of its nodes, so the work is at most n² times the
//! degree of a node, and a 64th of that where pairs come in bulk.

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
        has(&self.rows[a.index()], b)
    }

    /// The nodes that may happen in parallel with a node, in order.
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        members(&self.rows[node.index()])
    }

    /// How many pairs there are, each counted once.
    pub fn pair_count(&self) -> usize {
        self.rows.iter().flatten().map(|word| word.count_ones() as usize).sum::<usize>() / 2
    }
}

fn has(row: &[u64], node: NodeId) -> bool {
    row[node.index() / 64] >> (node.index() % 64) & 1 == 1
}

fn put(row: &mut [u64], node: NodeId) {
    row[node.index() / 64] |= 1 << (node.index() % 64);
}

/// The nodes of a row of bits, in order.
fn members(row: &[u64]) -> impl Iterator<Item = NodeId> {
    row.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(NodeId::from_index(at * 64 + bit))
        })
    })
}

/// Computes which nodes may happen in parallel, and which are reachable.
///
/// # Errors
/// When the budget is used up.
pub(super) fn parallel(graphs: &Graphs, budget: &Budget<'_>) -> Result<(Parallel, Vec<bool>), Exhausted> {
    let count = graphs.nodes.len();
    let words = count.div_ceil(64);
    let bytes = 2 * count * words * 8;
    budget.check(&Progress { states: count, bytes, ..Progress::default() })?;
    let mut analysis = Analysis::new(&graphs.nodes, words);
    let begins: Vec<NodeId> = graphs.begins.values().copied().collect();
    for (number, &begin) in begins.iter().enumerate() {
        analysis.reach(begin);
        begins[..number].iter().for_each(|&other| analysis.add(begin, other));
    }
    let mut steps = 0_usize;
    while let Some(node) = analysis.queue.pop_front() {
        analysis.is_queued[node.index()] = false;
        analysis.pass_on(node);
        steps += 1;
        if steps.is_multiple_of(Budget::INTERVAL) {
            budget.check(&Progress { states: count, transitions: steps, bytes, ..Progress::default() })?;
        }
    }
    Ok((Parallel { rows: analysis.rows }, analysis.reachable))
}

struct Analysis<'g> {
    nodes: &'g [Node],
    rows: Vec<Vec<u64>>,
    /// For each node, the pairs that were not passed on yet.
    fresh: Vec<Vec<u64>>,
    reachable: Vec<bool>,
    /// Whether a node was reached and has passed on nothing yet.
    is_new: Vec<bool>,
    /// For each task, its nodes.
    own: Vec<Vec<u64>>,
    /// Nodes that have something to pass on.
    queue: VecDeque<NodeId>,
    is_queued: Vec<bool>,
}

impl<'g> Analysis<'g> {
    fn new(nodes: &'g [Node], words: usize) -> Self {
        let tasks = nodes.iter().flat_map(|node| &node.tasks).max().map_or(0, |&last| last + 1);
        let mut own = vec![Vec::new(); tasks];
        for (number, node) in nodes.iter().enumerate() {
            for &task in &node.tasks {
                own[task].resize(words, 0);
                put(&mut own[task], NodeId::from_index(number));
            }
        }
        Self {
            nodes,
            rows: vec![vec![0; words]; nodes.len()],
            fresh: vec![vec![0; words]; nodes.len()],
            reachable: vec![false; nodes.len()],
            is_new: vec![false; nodes.len()],
            own,
            queue: VecDeque::new(),
            is_queued: vec![false; nodes.len()],
        }
    }

    fn push(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.is_queued[node.index()], true) {
            self.queue.push_back(node);
        }
    }

    fn reach(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.reachable[node.index()], true) {
            self.is_new[node.index()] = true;
            self.push(node);
        }
    }

    /// Adds a pair.
    fn add(&mut self, a: NodeId, b: NodeId) {
        if has(&self.rows[a.index()], b) {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            put(&mut self.rows[one.index()], other);
            put(&mut self.fresh[one.index()], other);
            self.push(one);
        }
    }

    /// Adds a node with each of a row of others, but for those of its own tasks.
    fn add_all(&mut self, node: NodeId, others: &[u64]) {
        let at = node.index();
        for (word, &bits) in others.iter().enumerate() {
            let mut found = bits & !self.rows[at][word];
            for &task in &self.nodes[at].tasks {
                found &= !self.own[task][word];
            }
            if found == 0 {
                continue;
            }
            self.rows[at][word] |= found;
            self.fresh[at][word] |= found;
            self.push(node);
            while found != 0 {
                let other = NodeId::from_index(word * 64 + found.trailing_zeros() as usize);
                found &= found - 1;
                put(&mut self.rows[other.index()], node);
                put(&mut self.fresh[other.index()], node);
                self.push(other);
            }
        }
    }

    /// Looks at the equations of the nodes that come after a node.
    fn pass_on(&mut self, node: NodeId) {
        let at = node.index();
        if !self.reachable[at] {
            return;
        }
        let words = self.fresh[at].len();
        let mut brought = std::mem::replace(&mut self.fresh[at], vec![0; words]);
        let nodes = self.nodes;
        if std::mem::replace(&mut self.is_new[at], false) {
            brought.clone_from(&self.rows[at]);
            if nodes[at].tasks.len() == 2 {
                // Both tasks have left it.
                nodes[at].successors.iter().for_each(|&next| put(&mut brought, next));
            }
        }
        for &next in &nodes[at].successors {
            match &nodes[next.index()].predecessors[..] {
                [callers, acceptors] => {
                    let partners =
                        if nodes[callers[0].index()].tasks == nodes[at].tasks { acceptors } else { callers };
                    for &partner in partners {
                        self.meet(node, partner, next, &brought);
                    }
                }
                _ => {
                    self.reach(next);
                    self.add_all(next, &brought);
                }
            }
        }
    }

    /// Looks at the equation of a rendezvous of two tasks, one of which brings something new.
    fn meet(&mut self, node: NodeId, partner: NodeId, meeting: NodeId, brought: &[u64]) {
        if !has(&self.rows[node.index()], partner) {
            return;
        }
        let partners = &self.rows[partner.index()];
        let both: Vec<u64> = match self.reachable[meeting.index()] {
            true => brought.iter().zip(partners).map(|(a, b)| a & b).collect(),
            false => self.rows[node.index()].iter().zip(partners).map(|(a, b)| a & b).collect(),
        };
        self.reach(meeting);
        self.add_all(meeting, &both);
    }
}
