//! What an analysis has cost.

use rely_base::{Exhausted, Resource};

/// The size of the work that was done for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// The largest number of states that any single step held: a product, the input of a reduction, the states and
    /// sets behind the answers of a teacher, a determinisation, a hypothesis. Steps that led nowhere count as well.
    pub peak_states: usize,
    /// Words that learners asked about.
    pub queries: usize,
    /// Hypotheses that learners made.
    pub conjectures: usize,
}

impl Effort {
    /// Notes a step that held `states` states.
    pub fn held(&mut self, states: usize) {
        self.peak_states = self.peak_states.max(states);
    }

    /// Notes that a learner asks about a word.
    ///
    /// # Errors
    /// When it has asked about too many.
    pub(crate) fn asked(&mut self, most: Option<usize>) -> Result<(), Exhausted> {
        self.queries += 1;
        match most.is_some_and(|most| self.queries > most) {
            true => Err(Exhausted { resource: Resource::States, states: self.peak_states, transitions: 0 }),
            false => Ok(()),
        }
    }

    /// Adds the effort of another analysis, made before or after this one.
    pub fn add(&mut self, other: Self) {
        self.held(other.peak_states);
        self.queries += other.queries;
        self.conjectures += other.conjectures;
    }
}
