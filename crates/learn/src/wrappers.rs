//! Wrappers of teachers: one that counts questions, and one that stops at a limit.

use rely_automata::Dfa;
use rely_base::ActionId;

use crate::{Teacher, Word};

/// Counts the questions to a teacher.
#[derive(Clone, Debug)]
pub struct Counting<T> {
    /// The teacher that answers.
    pub teacher: T,
    /// How often the teacher walked a letter.
    pub steps: usize,
    /// How often the teacher was asked whether it accepts.
    pub answers: usize,
    /// How often a hypothesis was conjectured.
    pub conjectures: usize,
}

impl<T> Counting<T> {
    /// Counts from zero.
    pub fn new(teacher: T) -> Self {
        Self { teacher, steps: 0, answers: 0, conjectures: 0 }
    }
}

impl<T: Teacher> Teacher for Counting<T> {
    type Place = T::Place;
    type Stop = T::Stop;

    fn start(&mut self) -> Result<T::Place, T::Stop> {
        self.teacher.start()
    }

    fn step(&mut self, from: &T::Place, letter: ActionId) -> Result<T::Place, T::Stop> {
        self.steps += 1;
        self.teacher.step(from, letter)
    }

    fn accepts(&mut self, place: &T::Place) -> Result<bool, T::Stop> {
        self.answers += 1;
        self.teacher.accepts(place)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, T::Stop> {
        self.conjectures += 1;
        self.teacher.conjecture(hypothesis)
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), T::Stop> {
        self.teacher.learner_holds(bytes)
    }

    fn shows_prefixes(&self) -> bool {
        self.teacher.shows_prefixes()
    }
}

/// Limits on the questions to a teacher, and on the memory of the learner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// Maximum number of bytes that the learner may hold, as far as it reports them.
    pub bytes: usize,
    /// Maximum number of letters that the teacher walks.
    pub steps: usize,
    /// Maximum number of conjectures.
    pub conjectures: usize,
}

/// Why a limited teacher ends the learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit<S> {
    /// The quota is used up.
    Reached,
    /// The teacher itself ends it.
    Teacher(S),
}

/// A teacher that stops when the quota is used up.
#[derive(Clone, Debug)]
pub struct Limited<T> {
    teacher: T,
    /// What is left.
    left: Quota,
}

impl<T> Limited<T> {
    /// A teacher with this quota.
    pub fn new(teacher: T, quota: Quota) -> Self {
        Self { teacher, left: quota }
    }
}

/// Takes one from what is left.
fn spend<S>(left: &mut usize) -> Result<(), Limit<S>> {
    *left = left.checked_sub(1).ok_or(Limit::Reached)?;
    Ok(())
}

impl<T: Teacher> Teacher for Limited<T> {
    type Place = T::Place;
    type Stop = Limit<T::Stop>;

    fn start(&mut self) -> Result<T::Place, Self::Stop> {
        self.teacher.start().map_err(Limit::Teacher)
    }

    fn step(&mut self, from: &T::Place, letter: ActionId) -> Result<T::Place, Self::Stop> {
        spend(&mut self.left.steps)?;
        self.teacher.step(from, letter).map_err(Limit::Teacher)
    }

    fn accepts(&mut self, place: &T::Place) -> Result<bool, Self::Stop> {
        self.teacher.accepts(place).map_err(Limit::Teacher)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Self::Stop> {
        spend(&mut self.left.conjectures)?;
        self.teacher.conjecture(hypothesis).map_err(Limit::Teacher)
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), Self::Stop> {
        if bytes > self.left.bytes {
            return Err(Limit::Reached);
        }
        self.teacher.learner_holds(bytes).map_err(Limit::Teacher)
    }

    fn shows_prefixes(&self) -> bool {
        self.teacher.shows_prefixes()
    }
}
