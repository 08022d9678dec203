//! The teachers of the rules for interface automata.
//!
//! **Problem.** Learn an assumption that makes the premises of a rule true; learning stops as soon as they are, even
//! if the assumption is not the weakest one.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], section 6, figures 4 and 5.
//!
//! **Idea.** The language is that of the weakest assumption (`weakest.rs`): a word belongs to it if the first group
//! can take part in it (*simulate*), and cannot have failed, not even by steps that it may take on its own after the
//! word (*ext_simulate*). A hypothesis A is checked in both premises: the first group with A?, the second with A!
//! (*analyze*). A violation of a premise is a word, and the hypothesis and the language are compared on its prefixes,
//! shortest first: the first difference is the counterexample. If there is none, the second group violates the
//! weakest assumption as well: the system fails.
//!
//! **Invariants.** The first group is composed once, with the errors already where the second group cannot avoid them any
//! more, so that ext_simulate is simulate on it. The shortest prefix on which hypothesis and language differ ends with
//! the controllable prefix of definition 10 or before it.
//!
//! **Deviations.** Oracle 2 of figure 4 looks at which component has failed; here the comparison on prefixes decides. It
//! gives the same answer, and does not depend on which of two failures a search finds first.
//!
//! **Callers.** `verify.rs`.

use std::sync::Arc;

use rely_assume::{Assumption, Effort, failures};
use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Budget, Exhausted, Progress, Resource};
use rely_explore::{Belief, Product, Subsets};
use rely_learn::{Algorithm, Settings, Teacher, Word, learn};
use rely_lts::{Component, InterfaceAutomaton, Lts, Network, Role, operators};

use crate::completion::{Treatment, completion};
use crate::problem::Split;
use crate::weakest::{First, Unsent};

/// Why learning ended without an assumption.
pub(crate) enum Stop {
    /// The system fails with a run that shows this word at the interface.
    Refuted(Word),
    /// A limit was met.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Maximum number of counterexamples that one check of a premise gathers.
const HARVEST: usize = 8;

/// The two groups at their interface.
pub(crate) struct Sides<'a> {
    pub(crate) split: &'a Split,
    pub(crate) first: &'a First,
    pub(crate) second: &'a Arc<Lts>,
    pub(crate) unsent: Unsent,
    pub(crate) budget: &'a Budget<'a>,
}

impl Sides<'_> {
    /// The first premise: nothing fails in the first group together with A?. Returns the words that violate it.
    pub(crate) fn first_premise(
        &self,
        assumption: &Lts,
        effort: &mut Effort,
    ) -> Result<Vec<Word>, Exhausted> {
        let assumed = match self.unsent {
            Unsent::Refused => self.completed(assumption, |role| role == Role::Input),
            Unsent::Allowed => assumption.clone(),
        };
        self.analyse(&self.first.doomed, assumed, effort)
    }

    /// The second premise: nothing fails in the second group together with A!. Returns the words that violate it.
    pub(crate) fn second_premise(
        &self,
        assumption: &Lts,
        effort: &mut Effort,
    ) -> Result<Vec<Word>, Exhausted> {
        let guaranteed = match self.unsent {
            Unsent::Refused => self.completed(assumption, |role| role != Role::Input),
            Unsent::Allowed => operators::complete(assumption),
        };
        self.analyse(self.second, guaranteed, effort)
    }

    /// A with those letters completed whose role satisfies `counts`.
    fn completed(&self, assumption: &Lts, counts: impl Fn(Role) -> bool) -> Lts {
        let automaton = InterfaceAutomaton::new(assumption.clone(), self.split.roles.clone());
        let treatment = |_: &str, role| if counts(role) { Treatment::Completed } else { Treatment::Kept };
        completion(&automaton, treatment)
    }

    /// The words at the interface by which one of two systems fails, shortest first.
    fn analyse(
        &self,
        group: &Arc<Lts>,
        assumption: Lts,
        effort: &mut Effort,
    ) -> Result<Vec<Word>, Exhausted> {
        let members = vec![Component::new("M", Arc::clone(group)), Component::new("A", assumption)];
        let found = failures(members, HARVEST, self.budget, effort)?;
        let word =
            |names: &Vec<String>| names.iter().filter_map(|name| self.split.letters.get(name)).collect();
        Ok(found.iter().map(word).collect())
    }
}

/// Learns an assumption that makes both premises true.
pub(crate) fn learned(
    sides: &Sides<'_>,
    algorithm: Algorithm,
    most_words: Option<usize>,
    effort: &mut Effort,
) -> Result<Lts, Stop> {
    let component = Component::new("M", Arc::clone(&sides.first.doomed));
    let network = Network::new(vec![component]);
    let product = Product::transparent(&network);
    let letters = letters_of(&network, &sides.split.letters);
    let mut subsets = Subsets::new(&product, letters);
    let start = subsets.initial(sides.budget)?;
    if start == Belief::Error {
        return Err(Stop::Refuted(Word::new()));
    }
    let mut teacher = InterfaceTeacher { sides, subsets, start, most_words, effort, accepted: None };
    let count = sides.split.letters.len();
    let learned = learn(&Settings::prefix_closed(algorithm), count, &mut teacher, None);
    let InterfaceTeacher { subsets, effort, accepted, .. } = teacher;
    effort.held(subsets.state_count().max(subsets.subset_count()));
    learned?;
    Ok(accepted.expect("learning ends with an assumption that was accepted"))
}

/// By label of a network, the letter that an alphabet has for it.
fn letters_of(network: &Network, alphabet: &Alphabet) -> Vec<Option<ActionId>> {
    std::iter::once(None).chain(network.alphabet().names().map(|name| alphabet.get(name))).collect()
}

/// Teaches the weakest assumption, and accepts every hypothesis that makes both premises true.
struct InterfaceTeacher<'a, 's> {
    sides: &'a Sides<'a>,
    /// What the first group may do after a word.
    subsets: Subsets<'s, Product<'s>>,
    start: Belief,
    most_words: Option<usize>,
    effort: &'a mut Effort,
    /// The assumption, once it is found.
    accepted: Option<Lts>,
}

impl Teacher for InterfaceTeacher<'_, '_> {
    type Place = Belief;
    type Stop = Stop;

    fn start(&mut self) -> Result<Belief, Stop> {
        Ok(self.start)
    }

    fn step(&mut self, from: &Belief, letter: ActionId) -> Result<Belief, Stop> {
        Ok(self.subsets.step(*from, letter, self.sides.budget)?)
    }

    fn accepts(&mut self, place: &Belief) -> Result<bool, Stop> {
        self.effort.queries += 1;
        if self.most_words.is_some_and(|most| self.effort.queries > most) {
            let states = self.effort.peak_states;
            return Err(Exhausted { resource: Resource::States, states, transitions: 0 }.into());
        }
        Ok(self.is_word(*place))
    }

    fn learner_holds(&mut self, bytes: usize) -> Result<(), Stop> {
        let (states, bytes) = (self.subsets.state_count(), bytes + self.subsets.bytes());
        Ok(self.sides.budget.check(&Progress { states, bytes, ..Progress::default() })?)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Stop> {
        self.effort.conjectures += 1;
        self.effort.held(hypothesis.state_count());
        let assumption = Assumption::of_dfa(&self.sides.split.letters, hypothesis)
            .expect("the empty word is accepted, or learning would not have begun");
        let assumption = assumption.lts();
        let too_weak = self.sides.first_premise(assumption, self.effort)?;
        if !too_weak.is_empty() {
            let differ = |word: &Word| self.difference(hypothesis, word).transpose();
            let found: Vec<Word> = too_weak.iter().filter_map(differ).collect::<Result<_, _>>()?;
            assert!(!found.is_empty(), "the weakest assumption makes the first premise true");
            return Ok(found);
        }
        let mut too_strong = Vec::new();
        for word in self.sides.second_premise(assumption, self.effort)? {
            match self.difference(hypothesis, &word)? {
                Some(difference) => too_strong.push(difference),
                None => return Err(Stop::Refuted(word)),
            }
        }
        if too_strong.is_empty() {
            self.accepted = Some((**assumption).clone());
        }
        Ok(too_strong)
    }
}

impl InterfaceTeacher<'_, '_> {
    /// Whether the words that lead to this place belong to the weakest assumption.
    fn is_word(&self, place: Belief) -> bool {
        place != Belief::Error && (self.sides.unsent == Unsent::Allowed || !self.subsets.is_impossible(place))
    }

    /// The shortest prefix of a word on which a hypothesis and the weakest assumption differ.
    fn difference(&mut self, hypothesis: &Dfa, word: &[ActionId]) -> Result<Option<Word>, Stop> {
        let mut place = self.start;
        let mut state = hypothesis.initial();
        for (i, &letter) in word.iter().enumerate() {
            place = self.subsets.step(place, letter, self.sides.budget)?;
            state = hypothesis.step(state, letter);
            if hypothesis.is_accepting(state) != self.is_word(place) {
                return Ok(Some(word[..=i].to_vec()));
            }
        }
        Ok(None)
    }
}
