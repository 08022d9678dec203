//! The tree of all observations.
//!
//! A node is a word; its children are the words with one letter more. A node keeps the teacher's place, so that the
//! teacher walks every edge once, and the answer, so that nothing is asked twice. All learners ask through this tree.
//!
//! What is counted. A teacher that shows prefixes is thought of as a machine that is reset, walks, and shows after
//! each letter whether it accepts: a *query* is such a run that learns something new, and its *letters* are all
//! letters from the reset to its end. Continuing from where the last run ended counts as the same run, so a learner
//! may choose each letter after it has seen the answer to the one before. With a teacher of words, a query is a word
//! that the teacher was asked about. In both cases *steps* are the edges of the tree, the work that a walking teacher
//! really has.
//!
//! In a prefix-closed language all words below a rejected one are rejected: there the tree does not grow, and a step
//! from a rejected node stays where it is.

use rely_automata::Dfa;
use rely_base::{ActionId, Id};

use crate::{Counts, Teacher, Word};

rely_base::define_id! {
    /// A word of the observation tree.
    NodeId
}

/// The tree of all observations, with its teacher.
pub(crate) struct Observations<'t, T: Teacher> {
    teacher: &'t mut T,
    nodes: Vec<Node>,
    /// The teacher's place after the word of each node.
    places: Vec<T::Place>,
    /// Whether words below a rejected one are known to be rejected.
    prefix_closed: bool,
    /// Whether the answer comes with every new node, because the teacher shows prefixes.
    eager: bool,
    /// Where the last run ended.
    tip: NodeId,
    /// The bytes that the learner holds in addition to the tree.
    beside: usize,
    /// The number of bytes that was last reported to the teacher.
    told: usize,
    /// How often an answer followed another one, as `followed[before][after]`.
    followed: [[u32; 2]; 2],
    counts: Counts,
}

struct Node {
    /// The word without its last letter; the root is its own parent.
    parent: NodeId,
    /// The last letter; meaningless at the root.
    letter: ActionId,
    depth: u32,
    first_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    /// The answer, if it is known.
    accepts: Option<bool>,
    /// The known answers after one more letter, for the first 64 letters.
    next: Answers,
}

/// Answers after each of the first 64 letters, as bits: which are known, and which of these are yes.
#[derive(Clone, Copy, Default)]
struct Answers {
    known: u64,
    yes: u64,
}

impl<'t, T: Teacher> Observations<'t, T> {
    /// The tree of the empty word.
    pub(crate) fn new(teacher: &'t mut T, prefix_closed: bool) -> Result<Self, T::Stop> {
        let place = teacher.start()?;
        let root = NodeId::from_index(0);
        let node = Node {
            parent: root,
            letter: ActionId::from_index(0),
            depth: 0,
            first_child: None,
            next_sibling: None,
            accepts: None,
            next: Answers::default(),
        };
        let mut tree = Self {
            eager: teacher.shows_prefixes(),
            teacher,
            nodes: vec![node],
            places: vec![place],
            prefix_closed,
            tip: root,
            beside: 0,
            told: 0,
            followed: [[0; 2]; 2],
            counts: Counts::default(),
        };
        tree.output(root)?;
        Ok(tree)
    }

    /// The empty word.
    pub(crate) fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// How much was asked so far.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether the answer for a word comes with the answers for all its prefixes.
    pub(crate) fn shows_prefixes(&self) -> bool {
        self.eager
    }

    /// Whether the last run ended here, so that it can go on.
    pub(crate) fn is_tip(&self, node: NodeId) -> bool {
        self.eager && self.tip == node
    }

    /// Whether no observation suggests that there are accepted words below this one.
    pub(crate) fn seems_dead(&self, node: NodeId) -> bool {
        self.known(node) == Some(false) && (self.prefix_closed || self.followed[0][1] == 0)
    }

    /// The information, in bits, that the answers no and yes would give for a word with one letter more, judged by
    /// how often they followed the answer of the node so far. Even an answer that nearly always comes counts half a
    /// bit: the past is no proof.
    pub(crate) fn surprise(&self, node: NodeId) -> [f64; 2] {
        let before = self.known(node).unwrap_or(true);
        let counts = self.followed[usize::from(before)].map(|count| f64::from(count) + 4.0);
        let all = counts[0] + counts[1];
        counts.map(|count| (all / count).log2().max(0.5))
    }

    /// The letters from a node down to one below it.
    pub(crate) fn word_between(&self, from: NodeId, mut node: NodeId) -> Word {
        let mut word = Word::new();
        while node != from {
            let Node { parent, letter, .. } = self.nodes[node.index()];
            word.push(letter);
            node = parent;
        }
        word.reverse();
        word
    }

    /// The answer for a node, if it is known.
    pub(crate) fn known(&self, node: NodeId) -> Option<bool> {
        self.nodes[node.index()].accepts
    }

    /// The node after one more letter, if it is in the tree.
    pub(crate) fn peek(&self, node: NodeId, letter: ActionId) -> Option<NodeId> {
        if self.is_end(node) {
            return Some(node);
        }
        self.children(node).find(|&(by, _)| by == letter).map(|(_, child)| child)
    }

    /// The children of a node with their letters, the newest first.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = (ActionId, NodeId)> + '_ {
        let first = self.nodes[node.index()].first_child;
        std::iter::successors(first, |child| self.nodes[child.index()].next_sibling)
            .map(|child| (self.nodes[child.index()].letter, child))
    }

    /// Whether one more letter, of the first ones, is known to have different answers after two nodes.
    pub(crate) fn differ_by_a_letter(&self, first: NodeId, second: NodeId) -> bool {
        let (first, second) = (self.nodes[first.index()].next, self.nodes[second.index()].next);
        first.known & second.known & (first.yes ^ second.yes) != 0
    }

    /// The answer for a node after more letters, if it is known.
    pub(crate) fn peek_output(&self, node: NodeId, word: &[ActionId]) -> Option<bool> {
        let end = word.iter().try_fold(node, |node, &letter| self.peek(node, letter))?;
        self.known(end)
    }

    /// The node after one more letter.
    pub(crate) fn step(&mut self, node: NodeId, letter: ActionId) -> Result<NodeId, T::Stop> {
        if let Some(child) = self.peek(node, letter) {
            return Ok(child);
        }
        let place = self.teacher.step(&self.places[node.index()], letter)?;
        let child = NodeId::from_index(self.nodes.len());
        let parent = &mut self.nodes[node.index()];
        let next_sibling = parent.first_child.replace(child);
        let depth = parent.depth + 1;
        self.nodes.push(Node {
            parent: node,
            letter,
            depth,
            first_child: None,
            next_sibling,
            accepts: None,
            next: Answers::default(),
        });
        self.places.push(place);
        self.counts.steps += 1;
        self.tell_teacher()?;
        if self.eager {
            self.output(child)?;
        }
        Ok(child)
    }

    /// Sets the number of bytes that the learner holds in addition to the tree.
    pub(crate) fn hold_beside(&mut self, bytes: usize) -> Result<(), T::Stop> {
        self.beside = bytes;
        self.tell_teacher()
    }

    /// Reports the number of bytes held to the teacher, whenever it has grown considerably.
    fn tell_teacher(&mut self) -> Result<(), T::Stop> {
        /// The number of bytes more at which a report is made.
        const GOOD_DEAL: usize = 1 << 20;
        /// The bytes of a node with its place, and with its state when a hypothesis is compared with the tree.
        const fn node<P>() -> usize {
            size_of::<Node>() + size_of::<P>() + size_of::<rely_base::StateId>()
        }
        let bytes = self.nodes.len() * node::<T::Place>() + self.beside;
        if bytes < self.told + GOOD_DEAL {
            return Ok(());
        }
        self.told = bytes;
        self.teacher.learner_holds(bytes)
    }

    /// The node after more letters.
    pub(crate) fn walk(&mut self, node: NodeId, word: &[ActionId]) -> Result<NodeId, T::Stop> {
        word.iter().try_fold(node, |node, &letter| self.step(node, letter))
    }

    /// Whether the word of a node is accepted.
    pub(crate) fn output(&mut self, node: NodeId) -> Result<bool, T::Stop> {
        if let Some(accepts) = self.known(node) {
            return Ok(accepts);
        }
        let accepts = if self.prefix_closed && self.has_rejected_prefix(node) {
            false
        } else {
            self.count(node);
            self.teacher.accepts(&self.places[node.index()])?
        };
        self.nodes[node.index()].accepts = Some(accepts);
        self.note_above(node, accepts);
        if node != self.root()
            && let Some(before) = self.known(self.nodes[node.index()].parent)
        {
            self.followed[usize::from(before)][usize::from(accepts)] += 1;
        }
        if accepts && self.prefix_closed {
            self.accept_prefixes(node);
        }
        Ok(accepts)
    }

    /// Whether the word of a node, extended by more letters, is accepted.
    pub(crate) fn output_after(&mut self, node: NodeId, word: &[ActionId]) -> Result<bool, T::Stop> {
        let end = self.walk(node, word)?;
        self.output(end)
    }

    /// Asks the teacher to check a hypothesis.
    pub(crate) fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, T::Stop> {
        self.counts.conjectures += 1;
        self.teacher.conjecture(hypothesis)
    }

    /// An observed word on which the hypothesis is wrong: the one that was observed first.
    pub(crate) fn contradiction(&self, hypothesis: &Dfa) -> Option<Word> {
        // Parents come before their children.
        let mut states = vec![hypothesis.initial(); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            if i > 0 {
                states[i] = hypothesis.step(states[node.parent.index()], node.letter);
            }
            if node.accepts.is_some_and(|accepts| accepts != hypothesis.is_accepting(states[i])) {
                return Some(self.word_between(self.root(), NodeId::from_index(i)));
            }
        }
        None
    }

    /// Counts a counterexample that was used.
    pub(crate) fn count_counterexample(&mut self) {
        self.counts.counterexamples += 1;
    }

    /// Counts a query or its letters; with a teacher that shows prefixes, the question may continue the last run.
    fn count(&mut self, node: NodeId) {
        let Node { parent, depth, .. } = self.nodes[node.index()];
        if self.eager && depth > 0 && self.tip == parent {
            self.counts.letters += 1;
        } else {
            self.counts.queries += 1;
            self.counts.letters += depth as usize;
        }
        self.tip = node;
    }

    /// Stores the answer for a node in the table of its parent.
    fn note_above(&mut self, node: NodeId, accepts: bool) {
        let Node { parent, letter, .. } = self.nodes[node.index()];
        if node != self.root() && letter.index() < 64 {
            let next = &mut self.nodes[parent.index()].next;
            next.known |= 1 << letter.index();
            next.yes |= u64::from(accepts) << letter.index();
        }
    }

    /// Whether all words below this node are known to be rejected.
    fn is_end(&self, node: NodeId) -> bool {
        self.prefix_closed && self.known(node) == Some(false)
    }

    fn has_rejected_prefix(&self, mut node: NodeId) -> bool {
        while node != self.root() {
            node = self.nodes[node.index()].parent;
            if let Some(accepts) = self.known(node) {
                return !accepts;
            }
        }
        false
    }

    fn accept_prefixes(&mut self, mut node: NodeId) {
        while node != self.root() {
            node = self.nodes[node.index()].parent;
            if self.nodes[node.index()].accepts.replace(true) == Some(true) {
                return;
            }
            self.note_above(node, true);
        }
    }
}
