//! The teachers of figures 4 and 5 of [Emmi, Giannakopoulou, Păsăreanu 2008], written down as they are printed: Lemma 3
//! (ii) says that they answer rightly, and that every word they refine with is one on which hypothesis and weakest
//! assumption differ.

use std::collections::BTreeSet;

use rely_assume::Assumption;
use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Budget, Id, Label, StateId};
use rely_decide::{Ending, Verdict, check_safety};
use rely_interface::{Algorithm, input_completion, output_completion};
use rely_learn::{ByWord, Settings, Word, WordTeacher, learn};
use rely_lts::operators::complete;
use rely_lts::{Component, InterfaceAutomaton, Lts, Network, Role};
use rely_testkit::interfaces::{self, Shape, Signature, from_marked};
use rely_testkit::naive::interface as naive;
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// What learning ends with.
#[derive(PartialEq, Eq, Debug)]
enum Outcome {
    /// The conclusion of the rule holds.
    Proved,
    /// It does not.
    Refuted,
    /// The teacher gave a word on which hypothesis and language do not differ.
    NoCounterexample(Word),
}

/// Which figure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Figure {
    /// M₁? and M₂?.
    Four,
    /// M₁ ‖ P^π and M₂.
    Five,
}

struct Printed {
    figure: Figure,
    first: Lts,
    second: Lts,
    letters: Alphabet,
    roles: Vec<Role>,
}

impl Printed {
    fn run(self) -> Outcome {
        let letters = self.letters.len();
        let mut teacher = ByWord(self);
        match learn(&Settings::new(Algorithm::LStar), letters, &mut teacher, None) {
            Ok(_) => Outcome::Proved,
            Err(outcome) => outcome,
        }
    }

    /// simulate, on the first system: the states that a word may lead to, nothing if one of them is the error state.
    ///
    /// For figure 5, ext_simulate: what can be reached by actions that A does not control counts as well.
    fn simulate(&self, word: &[ActionId]) -> Option<BTreeSet<StateId>> {
        let mut set = self.closed(BTreeSet::from([self.first.initial()]), false);
        for &letter in word {
            if self.fails(&set) {
                return None;
            }
            let own = self.first.alphabet().get(self.letters.name(letter)).map(Label::visible);
            let step = |state: &StateId| own.map_or(&[][..], |own| self.first.edges_with(*state, own));
            let next = set.iter().flat_map(step).map(|edge| edge.target).collect();
            set = self.closed(next, false);
        }
        (!self.fails(&set)).then_some(set)
    }

    fn fails(&self, set: &BTreeSet<StateId>) -> bool {
        let ahead = match self.figure {
            Figure::Four => set.clone(),
            Figure::Five => self.closed(set.clone(), true),
        };
        ahead.iter().any(|&state| Some(state) == self.first.error())
    }

    /// The states that can be reached by steps that are not seen, or that A does not control.
    fn closed(&self, mut set: BTreeSet<StateId>, ahead: bool) -> BTreeSet<StateId> {
        let follows = |label: Label| {
            let name = label.action().map(|action| self.first.alphabet().name(action));
            match name.and_then(|name| self.letters.get(name)) {
                None => true,
                Some(letter) => ahead && self.roles[letter.index()] == Role::Input,
            }
        };
        loop {
            let more: Vec<StateId> = set
                .iter()
                .flat_map(|&state| self.first.edges(state))
                .filter(|edge| follows(edge.label))
                .map(|edge| edge.target)
                .collect();
            let before = set.len();
            set.extend(more);
            if set.len() == before {
                return set;
            }
        }
    }

    /// ControlPref: the longest prefix that ends with an action that A controls.
    fn controllable_prefix(&self, word: &[ActionId]) -> Word {
        let last = word.iter().rposition(|letter| self.roles[letter.index()] != Role::Input);
        word[..last.map_or(0, |last| last + 1)].to_vec()
    }

    fn query(&self, word: &[ActionId]) -> bool {
        match self.figure {
            Figure::Four => self.simulate(word).is_some_and(|states| !states.is_empty()),
            Figure::Five => self.simulate(&self.controllable_prefix(word)).is_some(),
        }
    }

    /// analyze: what the interface shows of a shortest run that fails, and which of the two components has failed.
    fn analyze(&self, group: &Lts, assumption: Lts) -> Option<(usize, Word)> {
        let component = |lts| Component::new("", lts);
        let network = Network::new(vec![component(group.clone()), component(assumption)]);
        let Verdict::Violated(run) = check_safety(&network, &Budget::UNLIMITED).expect("no mistake").verdict
        else {
            return None;
        };
        let Ending::Error(failing) = run.ending else { panic!("a search for errors ends with one") };
        let word = run.trace_names().into_iter().filter_map(|name| self.letters.get(name)).collect();
        Some((failing.index(), word))
    }

    /// The word that the oracles refine with; nothing if both are content.
    fn oracles(&self, assumption: &Lts) -> Result<Option<Word>, Outcome> {
        let automaton = InterfaceAutomaton::new(assumption.clone(), self.roles.clone());
        let (assumed, guaranteed) = match self.figure {
            Figure::Four => (input_completion(&automaton), output_completion(&automaton)),
            Figure::Five => (assumption.clone(), complete(assumption)),
        };
        if let Some((_, word)) = self.analyze(&self.first, assumed) {
            return Ok(Some(match self.figure {
                Figure::Four => word,
                Figure::Five => self.controllable_prefix(&word),
            }));
        }
        let Some((failing, word)) = self.analyze(&self.second, guaranteed) else { return Ok(None) };
        match self.figure {
            Figure::Five if self.query(&word) => Ok(Some(self.controllable_prefix(&word))),
            Figure::Five => Err(Outcome::Refuted),
            Figure::Four => match self.simulate(&word) {
                None => Err(Outcome::Refuted),
                Some(states) if states.is_empty() => Ok(Some(self.shortest_impossible(&word))),
                Some(_) if failing == 1 => Ok(Some(word)),
                Some(_) => Err(Outcome::Refuted),
            },
        }
    }

    /// The shortest prefix that is no trace of the first system.
    fn shortest_impossible(&self, word: &[ActionId]) -> Word {
        let impossible = |length: &usize| self.simulate(&word[..*length]).is_some_and(|it| it.is_empty());
        let length = (0..=word.len()).find(impossible).expect("the word itself is none");
        word[..length].to_vec()
    }
}

impl WordTeacher for Printed {
    type Stop = Outcome;

    fn member(&mut self, word: &[ActionId]) -> Result<bool, Outcome> {
        Ok(self.query(word))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Outcome> {
        let Some(assumption) = Assumption::of_dfa(&self.letters, hypothesis) else {
            // Nothing that the second group does helps.
            return Err(Outcome::Refuted);
        };
        match self.oracles(assumption.lts())? {
            None => Ok(Vec::new()),
            Some(word) if hypothesis.accepts(&word) == self.query(&word) => {
                Err(Outcome::NoCounterexample(word))
            }
            Some(word) => Ok(vec![word]),
        }
    }
}

/// A closed system of two random automata.
fn random_pair(rng: &mut Rng) -> [InterfaceAutomaton; 2] {
    let signatures = interfaces::signatures(rng, 2, &["a", "b", "c", "d"], false);
    let mut random = |signature: &Signature| {
        let percent = 50 + rng.below(50);
        interfaces::automaton(rng, signature, &Shape { states: 3, percent, ..Shape::ANY })
    };
    [random(&signatures[0]), random(&signatures[1])]
}

/// The actions of the second automaton that count, and what they are to it.
fn interface(second: &InterfaceAutomaton, counts: impl Fn(&str, Role) -> bool) -> (Alphabet, Vec<Role>) {
    let (mut letters, mut roles) = (Alphabet::new(), Vec::new());
    for (action, name) in second.lts().alphabet().iter() {
        if counts(name, second.role(action)) {
            letters.intern(name);
            roles.push(second.role(action));
        }
    }
    (letters, roles)
}

#[test]
fn lemma_3_the_teacher_of_figure_4_answers_rightly() {
    let mut counts = [0; 2];
    for seed in seeds(2000) {
        let pair = random_pair(&mut Rng::new(seed));
        let (letters, roles) = interface(&pair[1], |_, role| role != Role::Internal);
        let [first, second] = pair.each_ref().map(input_completion);
        let outcome = Printed { figure: Figure::Four, first, second, letters, roles }.run();
        let expected = naive::distance_to_illegal(&pair, false, false).is_none();
        let right = if expected { Outcome::Proved } else { Outcome::Refuted };
        assert_eq!(outcome, right, "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn lemma_3_the_teacher_of_figure_5_answers_rightly() {
    let mut counts = [0; 2];
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let pair = random_pair(&mut rng);
        if naive::distance_to_illegal(&pair, false, false).is_some() {
            continue;
        }
        let property = networks::property(&mut rng, 3, &["a", "b", "c", "d"]);
        let observed = |name: &str, role: Role| role != Role::Internal || property.alphabet().contains(name);
        let (letters, roles) = interface(&pair[1], observed);
        let component = |lts: &Lts| Component::new("", lts.clone());
        let network = Network::new(vec![component(pair[0].lts()), component(&property)]);
        let first = rely_explore::generate(&network, &Budget::UNLIMITED).expect("no limit");
        let second = pair[1].lts().clone();
        let outcome = Printed { figure: Figure::Five, first, second, letters, roles }.run();
        let expected = !naive::breaks(&pair, &property, false);
        let right = if expected { Outcome::Proved } else { Outcome::Refuted };
        assert_eq!(outcome, right, "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// M₁ of several parts that are incompatible with each other after an output: figure 4 asks for the output to be accepted
/// and does not accept it itself.
#[test]
fn figure_4_needs_errors_at_inputs() {
    let sender = from_marked(2, &[(0, "x!", 1), (1, "y!", 1)], &[]);
    let receiver = from_marked(1, &[], &["y?"]);
    let second = from_marked(1, &[(0, "x?", 0)], &[]);
    let component = |lts| Component::new("", lts);
    let group = vec![component(input_completion(&sender)), component(input_completion(&receiver))];
    let first = rely_explore::generate(&Network::new(group), &Budget::UNLIMITED).expect("no limit");
    let (letters, roles) = interface(&second, |_, _| true);
    let second = input_completion(&second);
    let outcome = Printed { figure: Figure::Four, first, second, letters, roles }.run();
    assert_eq!(outcome, Outcome::NoCounterexample(vec![ActionId::from_index(0)]));
}
