//! Learning a smallest automaton between two languages.
//!
//! **Problem.** A teacher knows words that have to be accepted and words that have to be rejected; the others may be
//! either. Find a smallest prefix-closed automaton that does what it has to.
//!
//! **Source.** Candidates that are minimal for what has been seen, until one is right: [Gupta, McMillan, Fu 2007]. Three
//! kinds of answers: [Chen et al. 2009].
//!
//! **Idea.** What has been observed of the teacher is a *sample*, and the candidate is always a smallest separator of
//! it. A counterexample is walked through the teacher's places and becomes part of the sample. Words that lead to the
//! same place are one state of the sample, since the teacher treats their continuations alike: so a sample is not a
//! tree, and one answer counts for many words.
//!
//! **Invariants.** A candidate is minimal among the automata that agree with some of the teacher's answers; so no
//! automaton that agrees with all of them is smaller than the accepted one. Nothing is asked below a word that has to
//! be rejected.
//!
//! **Complexity.** Every counterexample adds a transition to the sample, so there are at most as many conjectures as the
//! teacher has places times letters; each solves an NP-complete problem, for which there is a limit.
//!
//! **Deviations.** [Chen et al. 2009] learn an automaton with three kinds of states with a table and minimise it from
//! time to time, with a heuristic; [Gupta, McMillan, Fu 2007] use words instead of places.
//!
//! **Callers.** Separating assumptions in the crate `assume`.

use std::hash::Hash;

use rely_automata::{Dfa, Mark, Patience, Sample, Separation};
use rely_base::{ActionId, Budget, Exhausted, StateId};
use rustc_hash::FxHashMap;

use crate::{Counts, Learned, Word};

/// Answers a learner's questions about words that have to be accepted or rejected, walking letter by letter.
///
/// If a word has to be accepted, so have its prefixes; the empty word has to be accepted in any case.
pub trait SeparationTeacher {
    /// What the teacher remembers of a word: enough to go on from its end. Words that lead to equal places are treated
    /// alike.
    type Place: Clone + Eq + Hash;
    /// Why the teacher ends the learning.
    type Stop: From<Exhausted>;

    /// Where the empty word leads.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn start(&mut self) -> Result<Self::Place, Self::Stop>;

    /// Where a word leads that goes on from `from` by one letter.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn step(&mut self, from: &Self::Place, letter: ActionId) -> Result<Self::Place, Self::Stop>;

    /// What has to be done with the words that lead here.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn mark(&mut self, place: &Self::Place) -> Result<Mark, Self::Stop>;

    /// Words on which the hypothesis does not do what it has to; none if it is accepted.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Self::Stop>;
}

/// Learns a smallest prefix-closed automaton that accepts and rejects what the teacher requires, over `letters`
/// letters. `None` if a limit of `patience` was met.
///
/// # Errors
/// The value with which the teacher ended the learning, or the limit of the budget that was met.
///
/// # Panics
/// When the teacher does not accept a hypothesis and gives no word to show why.
pub fn learn_separator<T: SeparationTeacher>(
    letters: usize,
    teacher: &mut T,
    patience: Patience,
    budget: &Budget<'_>,
) -> Result<Option<Learned>, T::Stop> {
    let start = teacher.start()?;
    let sample = Sample::new(letters);
    let states = FxHashMap::from_iter([(start.clone(), sample.initial())]);
    let mut separating =
        Separating { teacher, sample, places: vec![start], states, counts: Counts::default() };
    separating.until_accepted(Separation::new(letters, patience, budget))
}

struct Separating<'t, T: SeparationTeacher> {
    teacher: &'t mut T,
    /// What has been observed.
    sample: Sample,
    /// The teacher's place for each state of the sample, and the state for each place.
    places: Vec<T::Place>,
    states: FxHashMap<T::Place, StateId>,
    counts: Counts,
}

impl<T: SeparationTeacher> Separating<'_, T> {
    fn until_accepted(&mut self, mut separation: Separation<'_>) -> Result<Option<Learned>, T::Stop> {
        loop {
            let Some(hypothesis) = separation.smallest_separator(&self.sample)? else { return Ok(None) };
            self.counts.conjectures += 1;
            let counterexamples = self.teacher.conjecture(&hypothesis)?;
            if counterexamples.is_empty() {
                return Ok(Some(Learned { hypothesis: hypothesis.minimise(), counts: self.counts }));
            }
            let steps = self.counts.steps;
            for word in &counterexamples {
                self.counts.counterexamples += 1;
                self.add(word)?;
            }
            assert!(
                self.counts.steps > steps,
                "a teacher who does not accept a hypothesis gives a word on which it is wrong"
            );
        }
    }

    /// Adds a word to the sample, up to where it has to be rejected.
    fn add(&mut self, word: &[ActionId]) -> Result<(), T::Stop> {
        let mut state = self.sample.initial();
        for &letter in word {
            if self.sample.mark(state) == Mark::Rejected {
                break;
            }
            state = match self.sample.step(state, letter) {
                Some(known) => known,
                None => self.walked(state, letter)?,
            };
        }
        Ok(())
    }

    /// The state after a transition that has not been walked yet.
    fn walked(&mut self, source: StateId, letter: ActionId) -> Result<StateId, T::Stop> {
        self.counts.steps += 1;
        let place = self.teacher.step(&self.places[rely_base::Id::index(source)], letter)?;
        let target = match self.states.get(&place) {
            Some(&known) => known,
            None => {
                self.counts.queries += 1;
                let state = self.sample.add_state(self.teacher.mark(&place)?);
                self.places.push(place.clone());
                self.states.insert(place, state);
                state
            }
        };
        self.sample.add_transition(source, letter, target);
        Ok(target)
    }
}
