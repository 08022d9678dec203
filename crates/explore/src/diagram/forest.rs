//! Sets of tuples as diagrams that share nodes.
//!
//! A node is a list of *edges*, each with a value of the component at its level and the node for the rest of the tuple;
//! it stands for the union over its edges. Equal lists are the same node, so equal sets of the same level are, too, and
//! an operation on two nodes has to be done once. No edge leads to the empty set.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rely_base::{Budget, Exhausted, Progress, Resource};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A set of tuples.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(u32);

impl Node {
    /// The set without a tuple, at any level.
    pub(super) const EMPTY: Self = Self(0);
    /// Below the last level, the set of the empty tuple; above it, where an operation says so, all tuples.
    pub(super) const ALL: Self = Self(1);

    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

/// A value of the component at a node's level, and the node for the rest of the tuple.
pub(super) type Edge = (u32, Node);

/// All nodes, without repetition.
pub(super) struct Forest<'b> {
    /// Where the edges of each node begin; they end where those of the next node begin.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// The nodes by their edges.
    unique: HashTable<Node>,
    unions: FxHashMap<(Node, Node), Node>,
    budget: Budget<'b>,
    /// Bytes held elsewhere (`held`), and the number of cached results kept elsewhere.
    held: usize,
    remembered: usize,
    /// Edges looked at since the budget was last checked.
    work: usize,
}

impl<'b> Forest<'b> {
    /// An empty forest. `held` is the number of bytes held elsewhere, which count for the budget, too.
    pub(super) fn new(held: usize, budget: Budget<'b>) -> Self {
        Self {
            // Neither the empty set nor the set of the empty tuple has edges.
            starts: vec![0, 0, 0],
            edges: Vec::new(),
            unique: HashTable::new(),
            unions: FxHashMap::default(),
            budget,
            held,
            remembered: 0,
            work: 0,
        }
    }

    /// The node with these edges, which is created if it does not exist.
    pub(super) fn node(&mut self, edges: &BTreeMap<u32, Node>) -> Result<Node, Exhausted> {
        self.work(edges.len())?;
        let start = self.edges.len();
        self.edges
            .extend(edges.iter().filter(|edge| !edge.1.is_empty()).map(|(&value, &node)| (value, node)));
        if self.edges.len() == start {
            return Ok(Node::EMPTY);
        }
        let (node, end) = (u32::try_from(self.nodes()), u32::try_from(self.edges.len()));
        let (Ok(node), Ok(end)) = (node, end) else { return Err(self.exhausted(Resource::Memory)) };
        let Self { starts, edges, unique, .. } = self;
        let of = |node: Node| {
            let index = node.0 as usize;
            &edges[starts[index] as usize..starts[index + 1] as usize]
        };
        let new = &edges[start..];
        let hash = FxBuildHasher.hash_one(new);
        if let Some(&node) = unique.find(hash, |&node| of(node) == new) {
            edges.truncate(start);
            return Ok(node);
        }
        unique.insert_unique(hash, Node(node), |&node| FxBuildHasher.hash_one(of(node)));
        starts.push(end);
        Ok(Node(node))
    }

    /// The union of two sets of the same level.
    pub(super) fn union(&mut self, one: Node, other: Node) -> Result<Node, Exhausted> {
        let (one, other) = (one.min(other), one.max(other));
        if one == other || one.is_empty() {
            return Ok(other);
        }
        if let Some(&known) = self.unions.get(&(one, other)) {
            return Ok(known);
        }
        self.work(self.width(one) + self.width(other))?;
        let mut edges: BTreeMap<u32, Node> = self.edges(one).iter().copied().collect();
        for index in 0..self.width(other) {
            let (value, node) = self.edge(other, index);
            let united = match edges.get(&value) {
                Some(&there) => self.union(there, node)?,
                None => node,
            };
            edges.insert(value, united);
        }
        let union = self.node(&edges)?;
        self.unions.insert((one, other), union);
        self.remembered += 1;
        Ok(union)
    }

    /// The tuples of the first set that are not in the second, which has the same level.
    pub(super) fn difference(&mut self, one: Node, other: Node) -> Result<Node, Exhausted> {
        self.difference_with(one, other, &mut FxHashMap::default())
    }

    fn difference_with(
        &mut self,
        one: Node,
        other: Node,
        known: &mut FxHashMap<(Node, Node), Node>,
    ) -> Result<Node, Exhausted> {
        if one == other {
            return Ok(Node::EMPTY);
        }
        if one.is_empty() || other.is_empty() {
            return Ok(one);
        }
        if let Some(&known) = known.get(&(one, other)) {
            return Ok(known);
        }
        let mut edges = BTreeMap::new();
        for index in 0..self.width(one) {
            let (value, node) = self.edge(one, index);
            let rest = self.child(other, value);
            edges.insert(value, self.difference_with(node, rest, known)?);
        }
        let difference = self.node(&edges)?;
        known.insert((one, other), difference);
        Ok(difference)
    }

    /// The number of tuples; `None` if it exceeds 64 bits.
    pub(super) fn count(&self, node: Node, known: &mut FxHashMap<Node, u64>) -> Option<u64> {
        match node {
            Node::EMPTY => return Some(0),
            Node::ALL => return Some(1),
            _ => {}
        }
        if let Some(&count) = known.get(&node) {
            return Some(count);
        }
        let mut count = 0_u64;
        for &(_, child) in self.edges(node) {
            count = count.checked_add(self.count(child, known)?)?;
        }
        known.insert(node, count);
        Some(count)
    }

    /// Counts a cached result that an operation keeps elsewhere, so that its bytes count for the budget.
    pub(super) fn remember(&mut self) {
        self.remembered += 1;
    }

    /// Counts looked-at edges as work, and checks the budget every [`Budget::INTERVAL`] units of work.
    pub(super) fn work(&mut self, edges: usize) -> Result<(), Exhausted> {
        self.work += 1 + edges;
        if self.work < Budget::INTERVAL {
            return Ok(());
        }
        self.work = 0;
        self.budget.check(&self.progress())
    }

    /// The answer when a diagram meets a limit of its own.
    pub(super) fn exhausted(&self, resource: Resource) -> Exhausted {
        Exhausted { resource, states: self.nodes(), transitions: 0 }
    }

    /// Nodes count as states, since they are what a saturation finds.
    fn progress(&self) -> Progress {
        Progress { states: self.nodes(), bytes: self.bytes(), ..Progress::default() }
    }

    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many edges a node has.
    pub(super) fn width(&self, node: Node) -> usize {
        self.edges(node).len()
    }

    /// One of the edges of a node.
    pub(super) fn edge(&self, node: Node, index: usize) -> Edge {
        self.edges(node)[index]
    }

    /// The set of what may follow a value; all tuples, if the node stands for all.
    pub(super) fn child(&self, node: Node, value: u32) -> Node {
        if node == Node::ALL {
            return Node::ALL;
        }
        let edges = self.edges(node);
        edges.binary_search_by_key(&value, |edge| edge.0).map_or(Node::EMPTY, |index| edges[index].1)
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        /// Estimated bytes per entry of each table, free places included.
        const PER_NODE: usize = 8;
        const PER_ANSWER: usize = 40;
        self.held
            + self.starts.capacity() * (size_of::<u32>() + PER_NODE)
            + self.edges.capacity() * size_of::<Edge>()
            + self.remembered * PER_ANSWER
    }

    fn edges(&self, node: Node) -> &[Edge] {
        let index = node.0 as usize;
        &self.edges[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}
