//! Smallest prefix-closed automata that separate words.
//!
//! **Problem.** Some words have to be accepted and some rejected; the others may be either. Find a prefix-closed
//! automaton with as few states as possible that does so.
//!
//! **Source.** Automata with three kinds of states and their use for separation: [Chen et al. 2009]. Colours for states,
//! a clique of states that need different ones, and a SAT solver: [Heule, Verwer 2010].
//!
//! **Idea.** The words are given as a [`Sample`], an automaton with accepted, rejected and open states in which
//! transitions may be missing. A separator with n states exists exactly if there are a transition table with n states and
//! a relation r between the states of the sample and those of the table, such that r contains the initial pair, is kept
//! by common steps, and holds no rejected state and no accepted state where the table gives up. That is a formula of
//! propositional logic (`encoding.rs`). The search goes upwards from a lower bound, the size of a set of accepted
//! states that are pairwise apart (`apartness.rs`), so that the first n with a solution is the least.
//!
//! **Invariants.** The relation may be larger than what words reach, never smaller: a solution separates. The result is
//! minimal, and depends on nothing but the sample and how it grew.
//!
//! **Complexity.** Finding the least n is NP-complete; the formula has about |sample| · letters · n² clauses. The
//! search gives up at the limits of [`Patience`].
//!
//! **Deviations.** [Heule, Verwer 2010] colour a tree, one colour for each node. States of a sample can be reached by
//! several words that a separator distinguishes, so here they have a set of colours.
//!
//! **Callers.** The learner of separators in the crate `learn`.

mod apartness;
mod encoding;
#[cfg(test)]
mod tests;

use rely_base::{ActionId, Budget, Exhausted, Id, StateId};

use crate::Dfa;
use apartness::Apartness;
use encoding::{Formula, Solution};

/// What a separator has to do with a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// It has to accept.
    Accepted,
    /// It has to reject.
    Rejected,
    /// It may do either.
    Open,
}

/// Words with marks: a deterministic automaton with three kinds of states, in which transitions may be missing.
///
/// Words that leave the automaton are open. Since separators are prefix-closed, all states before an accepted state
/// have to be accepted, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    letters: usize,
    marks: Vec<Mark>,
    /// The successor of state `s` by letter `a` is at `s · letters + a`.
    successors: Vec<Option<StateId>>,
}

/// The limits on the search for a smallest separator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// Maximum number of states of a separator.
    pub states: usize,
    /// Maximum number of clauses of a formula.
    pub clauses: usize,
    /// Maximum number of conflicts of the solver, for all formulas together.
    pub conflicts: usize,
}

impl Patience {
    /// No limit at all.
    pub const UNLIMITED: Self = Self { states: usize::MAX, clauses: usize::MAX, conflicts: usize::MAX };
}

impl Sample {
    /// The sample in which the empty word has to be accepted, and all others are open.
    pub fn new(letters: usize) -> Self {
        Self { letters, marks: vec![Mark::Accepted], successors: vec![None; letters] }
    }

    /// The state in which words begin.
    pub fn initial(&self) -> StateId {
        StateId::from_index(0)
    }

    /// Adds a state without transitions.
    pub fn add_state(&mut self, mark: Mark) -> StateId {
        self.marks.push(mark);
        self.successors.resize(self.marks.len() * self.letters, None);
        StateId::from_index(self.marks.len() - 1)
    }

    /// Adds a transition, or replaces the one that is there.
    ///
    /// # Panics
    /// When an accepted state would come after one that is not: no prefix-closed language has such words.
    pub fn add_transition(&mut self, source: StateId, letter: ActionId, target: StateId) {
        assert!(
            self.mark(target) != Mark::Accepted || self.mark(source) == Mark::Accepted,
            "an accepted state comes after accepted states only"
        );
        self.successors[source.index() * self.letters + letter.index()] = Some(target);
    }

    /// How many letters there are.
    pub fn letter_count(&self) -> usize {
        self.letters
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.marks.len()
    }

    /// The states in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.marks.len()).map(StateId::from_index)
    }

    /// The mark of the words that lead to a state.
    pub fn mark(&self, state: StateId) -> Mark {
        self.marks[state.index()]
    }

    /// The successor of a state by a letter, if it is known.
    pub fn step(&self, state: StateId, letter: ActionId) -> Option<StateId> {
        self.successors[state.index() * self.letters + letter.index()]
    }

    /// The transitions that matter, in order: those after a rejected state do not.
    fn transitions(&self) -> impl Iterator<Item = (StateId, ActionId, StateId)> + '_ {
        let sources = self.states().filter(|&state| self.mark(state) != Mark::Rejected);
        sources.flat_map(move |source| {
            let letters = (0..self.letters).map(ActionId::from_index);
            letters.filter_map(move |letter| Some((source, letter, self.step(source, letter)?)))
        })
    }

    /// A smallest prefix-closed separator: accepting states, and a rejecting one that is never left, which comes last.
    /// `None` if a limit of [`Patience`] was met.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn smallest_separator(
        &self,
        patience: Patience,
        budget: &Budget<'_>,
    ) -> Result<Option<Dfa>, Exhausted> {
        Separation::new(self.letters, patience, budget).smallest_separator(self)
    }
}

/// Smallest separators of a growing sample. What the solver has learned about it is kept.
pub struct Separation<'b> {
    /// What is left of the limits.
    patience: Patience,
    budget: &'b Budget<'b>,
    /// The formula for the least number of states that is not known to be too small.
    formula: Formula<'b>,
}

impl<'b> Separation<'b> {
    /// The separators of a sample with this number of letters.
    pub fn new(letters: usize, patience: Patience, budget: &'b Budget<'b>) -> Self {
        Self { patience, budget, formula: Formula::new(letters, 1, patience.conflicts, budget) }
    }

    /// A smallest separator, as in [`Sample::smallest_separator`], of a sample that has at least the states and
    /// transitions that it had before.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn smallest_separator(&mut self, sample: &Sample) -> Result<Option<Dfa>, Exhausted> {
        let apartness = Apartness::new(sample, self.budget)?;
        let clique = apartness.clique();
        if self.formula.states() < clique.len() {
            self.restart(sample.letters, clique.len());
        }
        loop {
            let states = self.formula.states();
            let fits = states <= self.patience.states
                && self.formula.extend(sample, &apartness, &clique, self.patience.clauses);
            if !fits {
                return Ok(None);
            }
            match self.formula.solve()? {
                Solution::Table(table) => return Ok(Some(with_sink(sample.letters, states, &table))),
                Solution::None => self.restart(sample.letters, states + 1),
                Solution::TooMuch => return Ok(None),
            }
        }
    }

    /// Goes on to a larger number of states.
    fn restart(&mut self, letters: usize, states: usize) {
        self.patience.conflicts = self.formula.conflicts_left();
        self.formula = Formula::new(letters, states, self.patience.conflicts, self.budget);
    }
}

/// The automaton of a table of accepting states. Missing transitions lead to an additional, rejecting state.
fn with_sink(letters: usize, states: usize, table: &[Option<StateId>]) -> Dfa {
    let sink = StateId::from_index(states);
    let successors = table.iter().map(|target| target.unwrap_or(sink)).chain(vec![sink; letters]);
    let accepting = (0..=states).map(|state| state < states).collect();
    Dfa::new(letters, StateId::from_index(0), accepting, successors.collect())
}
