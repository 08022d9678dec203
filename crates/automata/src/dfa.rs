//! The complete deterministic automaton, and how one is made.

use std::collections::VecDeque;
use std::hash::Hash;

use rely_base::{ActionId, Id, StateId};
use rustc_hash::FxHashMap;

/// A complete deterministic automaton: every state has exactly one successor by every letter.
///
/// It has at least one state; states that cannot be reached are allowed. Two values are equal when they have the same
/// numbering, which for results of [`Dfa::minimise`] means: when they accept the same words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dfa {
    /// How many letters there are: the actions 0, …, `letters` − 1.
    letters: usize,
    /// Where words begin.
    initial: StateId,
    /// Whether a state accepts; its length is the number of states.
    accepting: Vec<bool>,
    /// The successor of state `s` by letter `a` is at `s · letters + a`.
    successors: Vec<StateId>,
}

impl Dfa {
    /// The automaton with this table: the successor of state `s` by letter `a` is at `s · letters + a`.
    ///
    /// # Panics
    /// When there is no state, or the table has another size or names a state that does not exist.
    pub fn new(letters: usize, initial: StateId, accepting: Vec<bool>, successors: Vec<StateId>) -> Self {
        assert!(initial.index() < accepting.len(), "the initial state exists");
        assert_eq!(successors.len(), accepting.len() * letters, "a row of successors for every state");
        assert!(successors.iter().all(|to| to.index() < accepting.len()), "all successors exist");
        Self { letters, initial, accepting, successors }
    }

    /// The automaton with these rows: whether a state accepts, and its successors by number. For tests and examples.
    ///
    /// # Panics
    /// As [`Dfa::new`].
    pub fn from_rows(letters: usize, initial: usize, rows: &[(bool, &[usize])]) -> Self {
        assert!(rows.iter().all(|(_, row)| row.len() == letters), "a successor for every letter");
        let successors = rows.iter().flat_map(|(_, row)| row.iter().copied().map(StateId::from_index));
        let accepting = rows.iter().map(|&(accepting, _)| accepting).collect();
        Self::new(letters, StateId::from_index(initial), accepting, successors.collect())
    }

    /// The automaton with one state, which accepts every word or none.
    pub fn constant(letters: usize, accepting: bool) -> Self {
        let initial = StateId::from_index(0);
        Self::new(letters, initial, vec![accepting], vec![initial; letters])
    }

    /// The reachable part of a deterministic system that is given by its start, its steps, and which of its states
    /// accept. States are numbered breadth first, letters in order.
    pub fn reachable<S: Clone + Eq + Hash>(
        letters: usize,
        start: S,
        accepts: impl Fn(&S) -> bool,
        mut step: impl FnMut(&S, ActionId) -> S,
    ) -> Self {
        let mut numbers = FxHashMap::default();
        numbers.insert(start.clone(), StateId::from_index(0));
        let mut accepting = vec![accepts(&start)];
        let mut successors = Vec::new();
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for letter in (0..letters).map(ActionId::from_index) {
                let next = step(&state, letter);
                let number = *numbers.entry(next).or_insert_with_key(|next| {
                    accepting.push(accepts(next));
                    queue.push_back(next.clone());
                    StateId::from_index(accepting.len() - 1)
                });
                successors.push(number);
            }
        }
        Self::new(letters, StateId::from_index(0), accepting, successors)
    }

    /// How many letters there are.
    pub fn letter_count(&self) -> usize {
        self.letters
    }

    /// The letters in order.
    pub fn letters(&self) -> impl ExactSizeIterator<Item = ActionId> + use<> {
        (0..self.letters).map(ActionId::from_index)
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.accepting.len()
    }

    /// The states in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.accepting.len()).map(StateId::from_index)
    }

    /// The state in which words begin.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// Whether a word that ends in the state is accepted.
    #[inline]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// The successor of a state by a letter.
    #[inline]
    pub fn step(&self, state: StateId, letter: ActionId) -> StateId {
        debug_assert!(letter.index() < self.letters, "a letter of the automaton");
        self.successors[state.index() * self.letters + letter.index()]
    }

    /// The successors of a state, by letter.
    pub fn successors(&self, state: StateId) -> &[StateId] {
        &self.successors[state.index() * self.letters..][..self.letters]
    }

    /// The state in which a word ends that begins in `from`.
    pub fn run(&self, from: StateId, word: &[ActionId]) -> StateId {
        word.iter().fold(from, |state, &letter| self.step(state, letter))
    }

    /// Whether the word is in the language.
    pub fn accepts(&self, word: &[ActionId]) -> bool {
        self.is_accepting(self.run(self.initial, word))
    }

    /// The automaton with the same table and other accepting states.
    #[must_use]
    pub(crate) fn map_accepting(mut self, accepts: impl Fn(StateId, bool) -> bool) -> Self {
        for (i, accepting) in self.accepting.iter_mut().enumerate() {
            *accepting = accepts(StateId::from_index(i), *accepting);
        }
        self
    }

    /// Only the states that can be reached, numbered breadth first from the initial one.
    #[must_use]
    pub fn trim(&self) -> Self {
        Self::reachable(self.letters, self.initial, |&s| self.is_accepting(s), |&s, a| self.step(s, a))
    }
}

impl std::fmt::Debug for Dfa {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dfa(initial {}", self.initial.raw())?;
        for state in self.states() {
            let mark = if self.is_accepting(state) { "+" } else { "-" };
            write!(f, "; {}{mark}", state.raw())?;
            for to in self.successors(state) {
                write!(f, " {}", to.raw())?;
            }
        }
        f.write_str(")")
    }
}
