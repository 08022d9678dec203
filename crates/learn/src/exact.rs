//! A teacher that knows the automaton: for tests, for measuring learners, and for learning a known language again.

use std::convert::Infallible;

use rely_automata::Dfa;
use rely_base::{ActionId, StateId};

use crate::{Teacher, Word};

/// Teaches the language of an automaton, with one shortest counterexample to each wrong hypothesis.
#[derive(Clone, Debug)]
pub struct ExactTeacher<'a> {
    dfa: &'a Dfa,
}

impl<'a> ExactTeacher<'a> {
    /// The teacher of an automaton's language.
    pub fn new(dfa: &'a Dfa) -> Self {
        Self { dfa }
    }
}

impl Teacher for ExactTeacher<'_> {
    type Place = StateId;
    type Stop = Infallible;

    fn start(&mut self) -> Result<StateId, Infallible> {
        Ok(self.dfa.initial())
    }

    fn step(&mut self, from: &StateId, letter: ActionId) -> Result<StateId, Infallible> {
        Ok(self.dfa.step(*from, letter))
    }

    fn accepts(&mut self, place: &StateId) -> Result<bool, Infallible> {
        Ok(self.dfa.is_accepting(*place))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Infallible> {
        Ok(self.dfa.shortest_difference(hypothesis).into_iter().collect())
    }
}
