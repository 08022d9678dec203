//! All learners against automata that are known: the result is the minimal automaton, whatever the counterexamples are.

use std::collections::HashSet;

use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};
use rely_learn::{
    Algorithm, ByWord, Counting, ExactTeacher, Learned, Limit, Limited, Quota, Settings, Teacher, Word,
    WordTeacher, learn,
};
use rely_testkit::automata::{Table, all_tables};
use rely_testkit::rng::{Rng, seeds};

/// What a random automaton is like.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Random,
    PrefixClosed,
    /// Most letters are rejected, as in the behaviours of a component.
    Sparse,
    /// Nearly all states accept: there are few differences, and far away.
    Rare,
}

const SHAPES: [Shape; 4] = [Shape::Random, Shape::PrefixClosed, Shape::Sparse, Shape::Rare];

impl Shape {
    fn is_prefix_closed(self) -> bool {
        matches!(self, Shape::PrefixClosed | Shape::Sparse)
    }

    fn automaton(self, rng: &mut Rng, states: usize, letters: usize) -> Dfa {
        let accepting = (0..states)
            .map(|state| match self {
                Shape::Random => rng.chance(1, 2),
                Shape::PrefixClosed | Shape::Sparse => state + 1 < states,
                Shape::Rare => state + 1 < states || rng.chance(1, 2),
            })
            .collect();
        let successors = (0..states * letters).map(|place| {
            let sink = self.is_prefix_closed() && place / letters + 1 == states;
            let rejected = match self {
                Shape::Random | Shape::Rare => false,
                Shape::PrefixClosed => rng.chance(1, 5),
                Shape::Sparse => rng.chance(3, 4),
            };
            StateId::from_index(if sink || rejected { states - 1 } else { rng.below(states) })
        });
        Dfa::new(letters, StateId::from_index(0), accepting, successors.collect())
    }
}

/// How a teacher chooses among counterexamples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    Shortest,
    /// Long detours before the difference shows, and letters after it.
    Long,
    /// Several at once: the same one twice, others that the first one makes stale, and words that are none.
    Many,
}

struct Adversary<'a> {
    dfa: &'a Dfa,
    manner: Manner,
    rng: Rng,
}

impl Adversary<'_> {
    /// A random word, and a shortest way from its end to a difference, if there is one.
    fn detour(&mut self, hypothesis: &Dfa, length: usize) -> Option<Word> {
        let letters = self.dfa.letter_count();
        let mut word: Word = (0..length).map(|_| ActionId::from_index(self.rng.below(letters))).collect();
        let (p, q) = (self.dfa.run(self.dfa.initial(), &word), hypothesis.run(hypothesis.initial(), &word));
        word.extend(self.dfa.separating_word(p, hypothesis, q)?);
        Some(word)
    }

    fn counterexamples(&mut self, hypothesis: &Dfa) -> Vec<Word> {
        let Some(shortest) = self.dfa.shortest_difference(hypothesis) else { return Vec::new() };
        if self.dfa.letter_count() == 0 {
            return vec![shortest];
        }
        match self.manner {
            Manner::Shortest => vec![shortest],
            Manner::Long => {
                let length = 1 + self.rng.below(60);
                vec![self.detour(hypothesis, length).unwrap_or(shortest)]
            }
            Manner::Many => {
                let mut words: Vec<Word> = (0..6).filter_map(|i| self.detour(hypothesis, i * 3)).collect();
                words.push(words.first().cloned().unwrap_or_default());
                words.insert(0, Word::new());
                words.push(shortest);
                words
            }
        }
    }
}

impl Teacher for Adversary<'_> {
    type Place = StateId;
    type Stop = ();

    fn start(&mut self) -> Result<StateId, ()> {
        Ok(self.dfa.initial())
    }

    fn step(&mut self, from: &StateId, letter: ActionId) -> Result<StateId, ()> {
        Ok(self.dfa.step(*from, letter))
    }

    fn accepts(&mut self, place: &StateId) -> Result<bool, ()> {
        Ok(self.dfa.is_accepting(*place))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, ()> {
        Ok(self.counterexamples(hypothesis))
    }
}

/// A teacher of words who does not forgive being asked the same word twice, nor, if the language is known to be
/// prefix-closed, being asked what could be known.
struct Strict<'a> {
    adversary: Adversary<'a>,
    prefix_closed: bool,
    asked: HashSet<Word>,
    rejected: HashSet<Word>,
}

impl WordTeacher for Strict<'_> {
    type Stop = ();

    fn member(&mut self, word: &[ActionId]) -> Result<bool, ()> {
        assert!(self.asked.insert(word.to_vec()), "{word:?} is asked twice");
        let accepts = self.adversary.dfa.accepts(word);
        if self.prefix_closed {
            let known = (0..word.len()).any(|end| self.rejected.contains(&word[..end]));
            assert!(!known, "{word:?} is asked although a prefix is rejected");
        }
        if !accepts {
            self.rejected.insert(word.to_vec());
        }
        Ok(accepts)
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, ()> {
        Ok(self.adversary.counterexamples(hypothesis))
    }
}

/// Learns an automaton in every way that there is, and compares.
fn check(dfa: &Dfa, prefix_closed: bool, manner: Manner, start: Option<&Dfa>, context: &str) {
    let minimal = dfa.minimise();
    let rng = Rng::new(42);
    for algorithm in Algorithm::ALL {
        let context = format!("{context}, {algorithm:?}, {manner:?}, prefix-closed {prefix_closed}: {dfa:?}");
        let settings = Settings { algorithm, prefix_closed };
        let letters = dfa.letter_count();
        let mut walking = Counting::new(Adversary { dfa, manner, rng: rng.clone() });
        let learned = learn(&settings, letters, &mut walking, start).expect("the adversary does not stop");
        check_learned(&learned, &minimal, &context);
        assert_eq!(learned.counts.conjectures, walking.conjectures, "{context}");
        assert_eq!(learned.counts.steps, walking.steps, "{context}");
        assert!(walking.answers <= walking.steps + 1, "{context}");

        let adversary = Adversary { dfa, manner, rng: rng.clone() };
        let strict = Strict { adversary, prefix_closed, asked: HashSet::new(), rejected: HashSet::new() };
        let mut strict = ByWord(strict);
        let learned = learn(&settings, letters, &mut strict, start).expect("the adversary does not stop");
        check_learned(&learned, &minimal, &context);
        assert_eq!(learned.counts.queries, strict.0.asked.len(), "{context}");
        let letters = strict.0.asked.iter().map(Vec::len).sum::<usize>();
        assert_eq!(learned.counts.letters, letters, "{context}");
    }
}

fn check_learned(learned: &Learned, minimal: &Dfa, context: &str) {
    assert_eq!(&learned.hypothesis, minimal, "{context}");
    assert!(learned.counts.conjectures <= minimal.state_count(), "{context}: {:?}", learned.counts);
}

/// All automata with these numbers of states and letters that begin in state 0.
fn all_automata(states: usize, letters: usize) -> impl Iterator<Item = Dfa> {
    let automaton = move |Table { accepting, successors }| {
        Dfa::new(letters, StateId::from_index(0), accepting, successors)
    };
    all_tables(states, letters).map(automaton)
}

#[test]
fn all_small_automata_are_learned() {
    for (states, letters) in [(1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        for dfa in all_automata(states, letters) {
            check(&dfa, false, Manner::Shortest, None, "exhaustive");
            if dfa.is_prefix_closed() {
                check(&dfa, true, Manner::Many, None, "exhaustive");
            }
        }
    }
}

#[test]
fn random_automata_are_learned_with_any_counterexamples() {
    for seed in seeds(120) {
        let mut rng = Rng::new(seed);
        let (states, letters) = (1 + rng.below(25), 1 + rng.below(5));
        for shape in SHAPES {
            let dfa = shape.automaton(&mut rng, states, letters);
            for manner in [Manner::Shortest, Manner::Long, Manner::Many] {
                check(&dfa, false, manner, None, &format!("seed {seed}, {shape:?}"));
                if shape.is_prefix_closed() {
                    check(&dfa, true, manner, None, &format!("seed {seed}, {shape:?}"));
                }
            }
        }
    }
}

#[test]
fn automata_with_many_letters_are_learned() {
    for seed in seeds(10) {
        let mut rng = Rng::new(seed);
        for shape in SHAPES {
            let dfa = shape.automaton(&mut rng, 12, 40);
            let context = format!("seed {seed}, {shape:?}");
            check(&dfa, shape.is_prefix_closed(), Manner::Shortest, None, &context);
        }
    }
}

#[test]
fn a_start_never_changes_the_result() {
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let letters = 1 + rng.below(4);
        for shape in SHAPES {
            let states = 1 + rng.below(20);
            let dfa = shape.automaton(&mut rng, states, letters);
            let unrelated = Shape::Random.automaton(&mut rng, 10, letters);
            let manner = *rng.pick(&[Manner::Shortest, Manner::Long, Manner::Many]);
            for start in [&dfa, &unrelated, &Dfa::constant(letters, true)] {
                let minimal = dfa.minimise();
                for algorithm in Algorithm::ALL {
                    let settings = Settings { algorithm, prefix_closed: shape.is_prefix_closed() };
                    let mut teacher = Adversary { dfa: &dfa, manner, rng: rng.clone() };
                    let learned = learn(&settings, letters, &mut teacher, Some(start)).expect("no stop");
                    let context = format!("seed {seed}, {shape:?}, {algorithm:?}: {dfa:?} from {start:?}");
                    assert_eq!(learned.hypothesis, minimal, "{context}");
                    if start == &dfa {
                        // A start from the answer itself needs no counterexample.
                        assert_eq!(learned.counts.conjectures, 1, "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_start_from_a_similar_automaton_saves_conjectures() {
    let (mut cold, mut warm) = ([0; 4], [0; 4]);
    for seed in seeds(20) {
        let mut rng = Rng::new(seed);
        let old = Shape::Sparse.automaton(&mut rng, 20, 4);
        // One more state, after the first word that is rejected.
        let word = old.shortest_rejected().expect("there is a sink");
        let new = Dfa::reachable(
            4,
            (old.initial(), Some(0)),
            |&(state, place)| old.is_accepting(state) || place == Some(word.len()),
            |&(state, place), letter| {
                (
                    old.step(state, letter),
                    place.filter(|&i| i < word.len() && word[i] == letter).map(|i| i + 1),
                )
            },
        );
        for (i, algorithm) in Algorithm::ALL.into_iter().enumerate() {
            let settings = Settings::prefix_closed(algorithm);
            let Ok(without) = learn(&settings, 4, &mut ExactTeacher::new(&new), None);
            let Ok(with) = learn(&settings, 4, &mut ExactTeacher::new(&new), Some(&old));
            assert_eq!(without.hypothesis, with.hypothesis, "seed {seed}");
            cold[i] += without.counts.conjectures;
            warm[i] += with.counts.conjectures;
        }
    }
    for (i, algorithm) in Algorithm::ALL.into_iter().enumerate() {
        assert!(
            warm[i] < cold[i],
            "{algorithm:?}: {} conjectures with a start, {} without",
            warm[i],
            cold[i]
        );
    }
}

#[test]
fn a_teacher_may_stop_at_any_question() {
    let mut rng = Rng::new(1);
    let dfa = Shape::PrefixClosed.automaton(&mut rng, 15, 3);
    for algorithm in Algorithm::ALL {
        let settings = Settings::new(algorithm);
        let Ok(learned) = learn(&settings, 3, &mut ExactTeacher::new(&dfa), None);
        let (steps, conjectures) = (learned.counts.steps, learned.counts.conjectures);
        let enough = Quota { steps, conjectures, bytes: usize::MAX };
        let limited = |quota| learn(&settings, 3, &mut Limited::new(ExactTeacher::new(&dfa), quota), None);
        assert_eq!(limited(enough), Ok(learned), "{algorithm:?}");
        for steps in 0..enough.steps {
            assert_eq!(
                limited(Quota { steps, ..enough }),
                Err(Limit::Reached),
                "{algorithm:?}, {steps} steps"
            );
        }
        for conjectures in 0..enough.conjectures {
            let quota = Quota { conjectures, ..enough };
            assert_eq!(limited(quota), Err(Limit::Reached), "{algorithm:?}, {conjectures} conjectures");
        }
    }
}

#[test]
fn a_learner_tells_what_it_holds() {
    let dfa = Shape::Random.automaton(&mut Rng::new(3), 1000, 12);
    let quota = |bytes| Quota { steps: usize::MAX, conjectures: usize::MAX, bytes };
    for algorithm in Algorithm::ALL {
        let limited = |bytes| {
            let mut teacher = Limited::new(ExactTeacher::new(&dfa), quota(bytes));
            learn(&Settings::new(algorithm), 12, &mut teacher, None)
        };
        let learned = limited(usize::MAX).unwrap_or_else(|_| panic!("{algorithm:?}: there is no limit"));
        // A word that was observed takes some thirty bytes at the very least.
        let least = learned.counts.steps * 30;
        assert!(least > 2 << 20, "{algorithm:?}: too little to be told");
        assert_eq!(limited(least - (1 << 20)), Err(Limit::Reached), "{algorithm:?}");
    }
}

/// A teacher who shows prefixes and writes down every word that it is asked about, in order.
struct Recording<'a> {
    dfa: &'a Dfa,
    asked: Vec<Word>,
}

impl Teacher for Recording<'_> {
    type Place = Word;
    type Stop = ();

    fn start(&mut self) -> Result<Word, ()> {
        Ok(Word::new())
    }

    fn step(&mut self, from: &Word, letter: ActionId) -> Result<Word, ()> {
        Ok([&from[..], &[letter]].concat())
    }

    fn accepts(&mut self, place: &Word) -> Result<bool, ()> {
        self.asked.push(place.clone());
        Ok(self.dfa.accepts(place))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, ()> {
        Ok(self.dfa.shortest_difference(hypothesis).into_iter().collect())
    }
}

#[test]
fn queries_are_runs_from_the_start() {
    for seed in seeds(40) {
        let mut rng = Rng::new(seed);
        let (states, letters) = (1 + rng.below(20), 1 + rng.below(4));
        for shape in SHAPES {
            let dfa = shape.automaton(&mut rng, states, letters);
            for algorithm in Algorithm::ALL {
                let mut teacher = Recording { dfa: &dfa, asked: Vec::new() };
                let learned = learn(&Settings::new(algorithm), letters, &mut teacher, None).expect("no stop");
                // A run is as long a sequence of words as possible, each with one letter more than the one before.
                let mut runs: Vec<&Word> = Vec::new();
                for word in &teacher.asked {
                    match runs.last_mut() {
                        Some(last) if word.split_last().is_some_and(|(_, before)| before == &last[..]) => {
                            *last = word;
                        }
                        _ => runs.push(word),
                    }
                }
                let context = format!("seed {seed}, {shape:?}, {algorithm:?}");
                assert_eq!(learned.counts.queries, runs.len(), "{context}");
                assert_eq!(
                    learned.counts.letters,
                    runs.iter().map(|run| run.len()).sum::<usize>(),
                    "{context}"
                );
                let different: HashSet<&Word> = teacher.asked.iter().collect();
                assert_eq!(different.len(), teacher.asked.len(), "{context}: something is asked twice");
            }
        }
    }
}

#[test]
fn adaptive_tests_save_queries_where_prefixes_are_shown() {
    let algorithms = [Algorithm::DiscriminationTree, Algorithm::Adaptive];
    let mut queries = [0; 2];
    for seed in seeds(10) {
        let dfa = Shape::Random.automaton(&mut Rng::new(seed), 30, 4);
        let shown = algorithms.map(|algorithm| {
            let Ok(learned) = learn(&Settings::new(algorithm), 4, &mut ExactTeacher::new(&dfa), None);
            learned.counts.queries
        });
        queries = [queries[0] + shown[0], queries[1] + shown[1]];
        let [plain, adaptive] = algorithms.map(|algorithm| {
            let adversary = Adversary { dfa: &dfa, manner: Manner::Shortest, rng: Rng::new(seed) };
            let (asked, rejected) = (HashSet::new(), HashSet::new());
            let mut teacher = ByWord(Strict { adversary, prefix_closed: false, asked, rejected });
            learn(&Settings::new(algorithm), 4, &mut teacher, None).expect("the adversary does not stop")
        });
        assert_eq!(plain, adaptive, "seed {seed}: with whole words they are the same");
    }
    assert!(3 * queries[1] < 2 * queries[0], "{queries:?}");
}

#[test]
fn a_known_sink_is_not_explored() {
    // Nothing may happen, of a hundred letters: a query for each, and none below.
    let nothing = Dfa::reachable(100, true, |&alive| alive, |_, _| false);
    for algorithm in Algorithm::ALL {
        let settings = Settings::prefix_closed(algorithm);
        let Ok(learned) = learn(&settings, 100, &mut ExactTeacher::new(&nothing), None);
        assert_eq!(learned.counts.steps, 100, "{algorithm:?}");
        assert_eq!(learned.counts.conjectures, 1, "{algorithm:?}");
    }
}

#[test]
#[should_panic(expected = "gives a word on which it is wrong")]
fn a_teacher_without_a_counterexample_is_a_mistake() {
    struct Stubborn;
    impl WordTeacher for Stubborn {
        type Stop = ();
        fn member(&mut self, _: &[ActionId]) -> Result<bool, ()> {
            Ok(true)
        }
        fn conjecture(&mut self, _: &Dfa) -> Result<Vec<Word>, ()> {
            Ok(vec![Word::new()])
        }
    }
    let _ = learn(&Settings::new(Algorithm::LStar), 1, &mut ByWord(Stubborn), None);
}

#[test]
fn words_of_any_length_can_be_counterexamples() {
    // A path in a teacher of words is as long as the word; it must not be taken apart recursively.
    let far = Dfa::reachable(1, 0usize, |&s| s != 300, |&s, _| (s + 1).min(301));
    for algorithm in [Algorithm::DiscriminationTree, Algorithm::LStar] {
        struct Far<'a>(&'a Dfa);
        impl WordTeacher for Far<'_> {
            type Stop = bool;
            fn member(&mut self, word: &[ActionId]) -> Result<bool, bool> {
                Ok(self.0.accepts(word))
            }
            fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, bool> {
                // Enough was seen once a counterexample was worked in.
                if hypothesis.state_count() > 1 {
                    return Err(true);
                }
                Ok(vec![vec![ActionId::from_index(0); 300]])
            }
        }
        let outcome = learn(&Settings::new(algorithm), 1, &mut ByWord(Far(&far)), None);
        assert!(outcome == Err(true) || outcome.is_ok_and(|learned| learned.hypothesis == far.minimise()));
    }
}
