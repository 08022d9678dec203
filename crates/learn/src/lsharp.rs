//! L#: learning by apartness.
//!
//! Problem: find the minimal automaton of a teacher's language. Source: [Vaandrager, Garhewal, Rot, Wißmann 2022].
//! Idea: there is no table and no tree of tests, only the tree of observations. Two of its nodes are *apart* when some
//! word has different answers after them. The *basis* are nodes that are pairwise apart: the states. The *frontier* are
//! their successors; the candidates of a frontier node are the states that it is not apart from. A frontier node
//! without candidates joins the basis; one with several is separated from some by a query; when all have one, there is a
//! hypothesis.
//!
//! A separating query is adaptive: it walks from the frontier node and continues with the letter that best splits
//! those candidates that agree with the answers so far and have been observed there; if none splits them, it follows
//! a word that distinguishes two of them. This is a greedy form of the paper's adaptive distinguishing sequences.
//! Counterexamples are analysed as in the other learners, which is what the paper does.
//!
//! Invariants: basis nodes are pairwise apart; candidates are supersets of the states that a frontier node is not apart
//! from. The last candidate is not compared again: if later observations make it apart, they contradict the hypothesis,
//! and no hypothesis that contradicts observations is conjectured. Complexity: at most n conjectures and kn² + n log m
//! queries; to keep the candidates takes n comparisons for each of kn frontier nodes. Callers: [`learn`](crate::learn).

use std::collections::VecDeque;

use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};

use crate::counterexample::wrong_transition;
use crate::learner::Learner;
use crate::observation::{NodeId, Observations};
use crate::{Teacher, Word};

/// The learner.
pub(crate) struct LSharp {
    letters: usize,
    /// The basis.
    access: Vec<NodeId>,
    /// The successor of state `s` by letter `a` is at `s · letters + a`.
    successors: Vec<Successor>,
    /// Successors that have not been walked to.
    fresh: VecDeque<usize>,
    /// Words that are asked of every new state and successor.
    words: Vec<Word>,
}

enum Successor {
    Unknown,
    /// A successor that is a basis node itself.
    Basis(StateId),
    Frontier {
        node: NodeId,
        candidates: Vec<StateId>,
    },
}

impl LSharp {
    /// A learner in which every frontier node has one candidate. A `start` gives it words to ask of states and
    /// successors.
    pub(crate) fn new<T: Teacher>(
        letters: usize,
        tree: &mut Observations<'_, T>,
        start: Option<&Dfa>,
    ) -> Result<Self, T::Stop> {
        let mut learner = Self {
            letters,
            access: Vec::new(),
            successors: Vec::new(),
            fresh: VecDeque::new(),
            words: start.map_or_else(Vec::new, crate::warm::separating_words),
        };
        let root = tree.root();
        learner.ask_words(tree, root)?;
        learner.promote(tree, root);
        learner.identify(tree)?;
        Ok(learner)
    }

    fn ask_words<T: Teacher>(&self, tree: &mut Observations<'_, T>, node: NodeId) -> Result<(), T::Stop> {
        self.words.iter().try_for_each(|word| tree.output_after(node, word).map(drop))
    }

    /// Adds a node to the basis, and to the candidates of the frontier nodes that it is not apart from.
    fn promote<T: Teacher>(&mut self, tree: &Observations<'_, T>, access: NodeId) -> StateId {
        let new = StateId::from_index(self.access.len());
        self.access.push(access);
        for successor in &mut self.successors {
            if let Successor::Frontier { node, candidates } = successor
                && !are_apart(tree, *node, access)
            {
                candidates.push(new);
            }
        }
        for _ in 0..self.letters {
            self.fresh.push_back(self.successors.len());
            self.successors.push(Successor::Unknown);
        }
        new
    }

    /// Applies the rules until every frontier node has exactly one candidate.
    fn identify<T: Teacher>(&mut self, tree: &mut Observations<'_, T>) -> Result<(), T::Stop> {
        loop {
            while let Some(place) = self.fresh.pop_front() {
                self.extend(tree, place)?;
            }
            for place in 0..self.successors.len() {
                if matches!(&self.successors[place], Successor::Frontier { candidates, .. } if candidates.len() > 1)
                {
                    self.separate(tree, place)?;
                }
            }
            if self.fresh.is_empty() && self.is_identified() {
                return Ok(());
            }
        }
    }

    /// Walks to a successor, which joins the frontier.
    fn extend<T: Teacher>(&mut self, tree: &mut Observations<'_, T>, place: usize) -> Result<(), T::Stop> {
        let letter = ActionId::from_index(place % self.letters);
        let node = tree.step(self.access[place / self.letters], letter)?;
        // From now on, only words with at least one letter can separate it from its candidates.
        tree.output(node)?;
        self.ask_words(tree, node)?;
        let candidates = (0..self.access.len()).map(StateId::from_index).collect();
        self.successors[place] = Successor::Frontier { node, candidates };
        self.separate(tree, place)
    }

    /// Separates a frontier node from candidates until one is left, or makes it a state if none is.
    fn separate<T: Teacher>(&mut self, tree: &mut Observations<'_, T>, place: usize) -> Result<(), T::Stop> {
        let Successor::Frontier { node, candidates } = &mut self.successors[place] else { return Ok(()) };
        let node = *node;
        loop {
            candidates.retain(|state| !are_apart(tree, node, self.access[state.index()]));
            if candidates.len() < 2 {
                break;
            }
            let nodes = candidates.iter().map(|state| self.access[state.index()]).collect();
            adaptive_query(self.letters, tree, node, nodes)?;
        }
        if candidates.is_empty() {
            self.successors[place] = Successor::Basis(StateId::from_index(self.access.len()));
            self.promote(tree, node);
        }
        Ok(())
    }

    fn is_identified(&self) -> bool {
        self.successors.iter().all(|successor| match successor {
            Successor::Unknown => false,
            Successor::Basis(_) => true,
            Successor::Frontier { candidates, .. } => candidates.len() == 1,
        })
    }
}

impl<T: Teacher> Learner<T> for LSharp {
    fn hypothesis(&self, tree: &Observations<'_, T>) -> Dfa {
        let accepting = self.access.iter().map(|&node| tree.known(node) == Some(true));
        let successors = self.successors.iter().map(|successor| match successor {
            Successor::Basis(state) => *state,
            Successor::Frontier { candidates, .. } => candidates[0],
            Successor::Unknown => unreachable!("all successors were walked to"),
        });
        Dfa::new(self.letters, StateId::from_index(0), accepting.collect(), successors.collect())
    }

    fn refine(
        &mut self,
        tree: &mut Observations<'_, T>,
        hypothesis: &Dfa,
        word: &[ActionId],
    ) -> Result<(), T::Stop> {
        let wrong = wrong_transition(tree, &self.access, hypothesis, word)?;
        // Makes sure that the two different answers are in the tree, even if the analysis has not asked for them:
        // then the successor is apart from its last candidate.
        let target = hypothesis.step(wrong.state, wrong.letter);
        tree.output_after(self.access[target.index()], &wrong.suffix)?;
        let node = tree.step(self.access[wrong.state.index()], wrong.letter)?;
        tree.output_after(node, &wrong.suffix)?;
        self.separate(tree, wrong.state.index() * self.letters + wrong.letter.index())?;
        self.identify(tree)
    }
}

/// Whether some word has different answers after two nodes.
fn are_apart<T: Teacher>(tree: &Observations<'_, T>, first: NodeId, second: NodeId) -> bool {
    let differ = |first: NodeId, second: NodeId| match (tree.known(first), tree.known(second)) {
        (Some(first), Some(second)) => first != second,
        _ => false,
    };
    if differ(first, second) || tree.differ_by_a_letter(first, second) {
        return true;
    }
    let mut stack = vec![(first, second)];
    while let Some((first, second)) = stack.pop() {
        for (letter, child) in tree.children(first) {
            let Some(other) = tree.peek(second, letter) else { continue };
            if differ(child, other) || tree.differ_by_a_letter(child, other) {
                return true;
            }
            if child != other {
                stack.push((child, other));
            }
        }
    }
    false
}

/// A shortest word that has different answers after two nodes.
fn witness<T: Teacher>(tree: &Observations<'_, T>, first: NodeId, second: NodeId) -> Option<Word> {
    let mut queue = VecDeque::from([(first, second)]);
    while let Some((p, q)) = queue.pop_front() {
        if let (Some(p_accepts), Some(q_accepts)) = (tree.known(p), tree.known(q))
            && p_accepts != q_accepts
        {
            return Some(tree.word_between(first, p));
        }
        queue.extend(tree.children(p).filter_map(|(by, child)| Some((child, tree.peek(q, by)?))));
    }
    None
}

/// Asks for a word after a node that separates it from some of the candidates, whose nodes are given and pairwise
/// apart.
fn adaptive_query<T: Teacher>(
    letters: usize,
    tree: &mut Observations<'_, T>,
    mut node: NodeId,
    mut candidates: Vec<NodeId>,
) -> Result<(), T::Stop> {
    while let Some(letter) = next_letter(letters, tree, &candidates) {
        node = tree.step(node, letter)?;
        let answer = tree.output(node)?;
        candidates = candidates
            .iter()
            .filter_map(|&candidate| tree.peek(candidate, letter))
            .filter(|&candidate| tree.known(candidate).is_none_or(|known| known == answer))
            .collect();
    }
    Ok(())
}

/// The letter after which the candidates' answers are split best, or that begins a word on which two of them differ.
fn next_letter<T: Teacher>(
    letters: usize,
    tree: &Observations<'_, T>,
    candidates: &[NodeId],
) -> Option<ActionId> {
    let mut answers = vec![[0usize; 2]; letters];
    for &candidate in candidates {
        for (letter, child) in tree.children(candidate) {
            if let Some(answer) = tree.known(child) {
                answers[letter.index()][usize::from(answer)] += 1;
            }
        }
    }
    let splits = answers.iter().enumerate().map(|(letter, &[no, yes])| (no * yes, std::cmp::Reverse(letter)));
    match splits.max() {
        Some((pairs, std::cmp::Reverse(letter))) if pairs > 0 => Some(ActionId::from_index(letter)),
        _ => {
            let (&first, others) = candidates.split_first()?;
            let word = others.iter().find_map(|&other| witness(tree, first, other))?;
            word.first().copied()
        }
    }
}
