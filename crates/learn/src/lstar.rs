//! Angluin's L*: learning with an observation table.
//!
//! Problem: find the minimal automaton of a teacher's language. Source: [Angluin 1987], with the counterexample analysis
//! of [Rivest & Schapire 1993] as [Maler & Pnueli 1995] and others use it. Idea: the rows of the table are the access
//! words of states and these with one letter more, the columns are words; the entry is whether row and column together
//! are in the language. Rows that differ are different states. A row of the second kind that equals no row of the first
//! becomes a state (the table was not *closed*). A counterexample gives a new column that two rows differ on which were
//! equal.
//!
//! Invariant: the rows of states are pairwise different, so the table needs no check for consistency. Complexity: every
//! column but those of the start adds a state, so there are at most n conjectures and kn² + n log m queries. Among the
//! learners here it asks the most queries and makes few conjectures: every column is tried on all rows. Callers:
//! [`learn`](crate::learn).

use std::collections::VecDeque;

use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};
use rustc_hash::FxHashMap;

use crate::counterexample::wrong_transition;
use crate::learner::Learner;
use crate::observation::{NodeId, Observations};
use crate::{Teacher, Word};

/// The observation table.
pub(crate) struct LStar {
    letters: usize,
    /// The columns; the first one is the empty word.
    columns: Vec<Word>,
    /// The access words of the states.
    access: Vec<NodeId>,
    /// The states by their rows.
    states: FxHashMap<Vec<bool>, StateId>,
    /// The row of each transition: that of state `s` by letter `a` is at `s · letters + a`.
    rows: Vec<Row>,
    /// Transitions whose rows lack entries.
    unfilled: VecDeque<usize>,
}

struct Row {
    /// The node of the source's access word with the letter; `None` until it is needed.
    node: Option<NodeId>,
    answers: Vec<bool>,
}

impl LStar {
    /// A closed table. A `start` gives it columns.
    pub(crate) fn new<T: Teacher>(
        letters: usize,
        tree: &mut Observations<'_, T>,
        start: Option<&Dfa>,
    ) -> Result<Self, T::Stop> {
        let columns = start.map_or_else(|| vec![Word::new()], crate::warm::separating_words);
        let mut table = Self {
            letters,
            columns,
            access: Vec::new(),
            states: FxHashMap::default(),
            rows: Vec::new(),
            unfilled: VecDeque::new(),
        };
        let mut answers = Vec::new();
        let root = tree.root();
        table.fill(tree, root, &mut answers)?;
        table.promote(root, answers);
        table.close(tree)?;
        Ok(table)
    }

    /// Asks for the entries that a row lacks.
    fn fill<T: Teacher>(
        &self,
        tree: &mut Observations<'_, T>,
        node: NodeId,
        answers: &mut Vec<bool>,
    ) -> Result<(), T::Stop> {
        for column in &self.columns[answers.len()..] {
            answers.push(tree.output_after(node, column)?);
        }
        Ok(())
    }

    /// The bytes of the table.
    fn bytes(&self) -> usize {
        let row = size_of::<Row>() + self.columns.len();
        (self.rows.len() + self.states.len()) * row
    }

    fn promote(&mut self, node: NodeId, answers: Vec<bool>) {
        let state = StateId::from_index(self.access.len());
        self.access.push(node);
        self.states.insert(answers, state);
        for _ in 0..self.letters {
            self.unfilled.push_back(self.rows.len());
            self.rows.push(Row { node: None, answers: Vec::new() });
        }
    }

    /// Fills all rows of transitions, and makes states of those that are new.
    fn close<T: Teacher>(&mut self, tree: &mut Observations<'_, T>) -> Result<(), T::Stop> {
        while let Some(place) = self.unfilled.pop_front() {
            let node = match self.rows[place].node {
                Some(node) => node,
                None => {
                    let letter = ActionId::from_index(place % self.letters);
                    tree.step(self.access[place / self.letters], letter)?
                }
            };
            let mut answers = std::mem::take(&mut self.rows[place].answers);
            self.fill(tree, node, &mut answers)?;
            if !self.states.contains_key(&answers) {
                self.promote(node, answers.clone());
            }
            self.rows[place] = Row { node: Some(node), answers };
            tree.hold_beside(self.bytes())?;
        }
        Ok(())
    }

    /// Adds a column to the rows of all states and transitions.
    fn add_column<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        column: Word,
    ) -> Result<(), T::Stop> {
        self.columns.push(column);
        let mut states: Vec<(Vec<bool>, StateId)> = std::mem::take(&mut self.states).into_iter().collect();
        states.sort_unstable_by_key(|&(_, state)| state);
        for (mut answers, state) in states {
            self.fill(tree, self.access[state.index()], &mut answers)?;
            self.states.insert(answers, state);
        }
        self.unfilled.extend(0..self.rows.len());
        self.close(tree)
    }
}

impl<T: Teacher> Learner<T> for LStar {
    fn hypothesis(&self, tree: &Observations<'_, T>) -> Dfa {
        let accepting = self.access.iter().map(|&node| tree.known(node) == Some(true));
        let successors = self.rows.iter().map(|row| self.states[&row.answers]);
        Dfa::new(self.letters, StateId::from_index(0), accepting.collect(), successors.collect())
    }

    fn refine(
        &mut self,
        tree: &mut Observations<'_, T>,
        hypothesis: &Dfa,
        word: &[ActionId],
    ) -> Result<(), T::Stop> {
        let wrong = wrong_transition(tree, &self.access, hypothesis, word)?;
        self.add_column(tree, wrong.suffix)
    }
}
