//! The learner of separators: as small as a smallest separator of everything the teacher knows.

use std::collections::BTreeMap;

use rely_automata::{Dfa, Mark, Patience, Sample};
use rely_base::{ActionId, Budget, Exhausted, Id, Limits, StateId};
use rely_learn::{SeparationTeacher, Word, learn_separator};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const LETTERS: usize = 2;

/// A random sample in which no transition is missing.
fn random(rng: &mut Rng, max_states: usize) -> Sample {
    let mut sample = Sample::new(LETTERS);
    // Something to go to that is open or rejected comes first.
    sample.add_state(if rng.chance(1, 2) { Mark::Rejected } else { Mark::Open });
    for _ in 0..rng.below(max_states) {
        sample.add_state(*rng.pick(&[Mark::Accepted, Mark::Accepted, Mark::Rejected, Mark::Open]));
    }
    for source in sample.states() {
        for letter in (0..LETTERS).map(ActionId::from_index) {
            let accepted = |state| sample.mark(state) == Mark::Accepted;
            let mut target = StateId::from_index(rng.below(sample.state_count()));
            if accepted(target) && !accepted(source) {
                target = StateId::from_index(1);
            }
            sample.add_transition(source, letter, target);
        }
    }
    sample
}

/// Teaches a sample, with any number of counterexamples.
struct Knows<'a> {
    sample: &'a Sample,
    most: usize,
    asked: usize,
}

impl SeparationTeacher for Knows<'_> {
    type Place = StateId;
    type Stop = Exhausted;

    fn start(&mut self) -> Result<StateId, Exhausted> {
        Ok(self.sample.initial())
    }

    fn step(&mut self, from: &StateId, letter: ActionId) -> Result<StateId, Exhausted> {
        assert_ne!(self.sample.mark(*from), Mark::Rejected, "nothing is asked below a rejected word");
        Ok(self.sample.step(*from, letter).expect("no transition is missing"))
    }

    fn mark(&mut self, place: &StateId) -> Result<Mark, Exhausted> {
        self.asked += 1;
        Ok(self.sample.mark(*place))
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Exhausted> {
        let mut words = wrong(hypothesis, self.sample);
        words.truncate(self.most);
        Ok(words)
    }
}

/// Words with which an automaton does not do what the marks say, one for each wrong pair of states.
fn wrong(dfa: &Dfa, sample: &Sample) -> Vec<Word> {
    let start = (sample.initial(), dfa.initial());
    let mut words = BTreeMap::from([(start, Word::new())]);
    let mut queue = vec![start];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&(s, q)) = queue.get(next) {
        next += 1;
        let word = words[&(s, q)].clone();
        if sample.mark(s) == Mark::Rejected {
            if dfa.is_accepting(q) {
                found.push(word);
            }
            continue;
        }
        if sample.mark(s) == Mark::Accepted && !dfa.is_accepting(q) {
            found.push(word.clone());
        }
        for letter in dfa.letters() {
            let pair = (sample.step(s, letter).expect("no transition is missing"), dfa.step(q, letter));
            words.entry(pair).or_insert_with(|| {
                queue.push(pair);
                [&word[..], &[letter]].concat()
            });
        }
    }
    found
}

#[test]
fn what_is_learned_separates_and_is_smallest() {
    let mut smaller = 0;
    for seed in seeds(1500) {
        let rng = &mut Rng::new(seed);
        let sample = random(rng, 9);
        let mut teacher = Knows { sample: &sample, most: 1 + rng.below(4), asked: 0 };
        let learned = learn_separator(LETTERS, &mut teacher, Patience::UNLIMITED, &Budget::UNLIMITED)
            .expect("no limit");
        let learned = learned.expect("no limit");
        assert!(wrong(&learned.hypothesis, &sample).is_empty(), "seed {seed}: {sample:?}");
        assert!(learned.hypothesis.is_prefix_closed(), "seed {seed}");
        assert_eq!(learned.counts.queries, teacher.asked, "seed {seed}");
        assert!(teacher.asked < sample.state_count(), "seed {seed}: a place is asked about twice");
        let accepting = |dfa: &Dfa| dfa.states().filter(|&state| dfa.is_accepting(state)).count();
        let whole = sample.smallest_separator(Patience::UNLIMITED, &Budget::UNLIMITED).expect("no limit");
        assert_eq!(accepting(&learned.hypothesis), accepting(&whole.expect("no limit")), "seed {seed}");
        smaller += usize::from(learned.counts.queries + 1 < sample.state_count());
    }
    assert!(smaller > 100 || is_single_seed(), "it hardly ever ends early: {smaller}");
}

#[test]
fn limits_end_the_learning() {
    let mut ended = [0; 2];
    for seed in seeds(200) {
        let sample = random(&mut Rng::new(seed), 9);
        let mut teacher = Knows { sample: &sample, most: 1, asked: 0 };
        let patience = Patience { states: 1, ..Patience::UNLIMITED };
        let learned = learn_separator(LETTERS, &mut teacher, patience, &Budget::UNLIMITED).expect("no limit");
        ended[0] += usize::from(learned.is_none());
        let budget = Budget::new(Limits { states: Some(2), bytes: None }, None);
        ended[1] +=
            usize::from(learn_separator(LETTERS, &mut teacher, Patience::UNLIMITED, &budget).is_err());
    }
    assert!(ended.iter().all(|&count| count > 10) || is_single_seed(), "{ended:?}");
}
