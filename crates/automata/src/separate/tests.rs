//! Smallest separators against the definition: all tables with at most three states.

use std::collections::BTreeSet;

use rely_base::{ActionId, Budget, Exhausted, Id, Limits, Observer, Progress, Resource, StateId};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::apartness::Apartness;
use super::encoding::{Formula, Solution};
use super::{Mark, Patience, Sample, Separation};
use crate::Dfa;

const LETTERS: usize = 2;

/// A random sample: accepted states come after accepted states only, and some transitions are missing.
fn random(rng: &mut Rng, max_states: usize) -> Sample {
    let mut sample = Sample::new(LETTERS);
    for _ in 1..1 + rng.below(max_states) {
        sample.add_state(*rng.pick(&[Mark::Accepted, Mark::Accepted, Mark::Rejected, Mark::Open]));
    }
    for source in sample.states() {
        for letter in (0..LETTERS).map(ActionId::from_index) {
            let target = StateId::from_index(rng.below(sample.state_count()));
            let accepted = |state| sample.mark(state) == Mark::Accepted;
            if rng.chance(4, 5) && (accepted(source) || !accepted(target)) {
                sample.add_transition(source, letter, target);
            }
        }
    }
    sample
}

/// Whether an automaton does what the marks say with every word, walking both at once.
fn separates(dfa: &Dfa, sample: &Sample) -> bool {
    let start = (sample.initial(), dfa.initial());
    let mut seen = BTreeSet::from([start]);
    let mut stack = vec![start];
    while let Some((s, q)) = stack.pop() {
        match sample.mark(s) {
            Mark::Accepted if !dfa.is_accepting(q) => return false,
            Mark::Rejected if dfa.is_accepting(q) => return false,
            // Marks after a rejected word are not looked at: all automata here are prefix-closed.
            Mark::Rejected => continue,
            Mark::Accepted | Mark::Open => {}
        }
        for letter in dfa.letters() {
            let Some(next) = sample.step(s, letter) else { continue };
            let pair = (next, dfa.step(q, letter));
            if seen.insert(pair) {
                stack.push(pair);
            }
        }
    }
    true
}

/// All prefix-closed automata with this number of accepting states and one that rejects.
fn all_prefix_closed(states: usize) -> impl Iterator<Item = Dfa> {
    let tables = (states + 1).pow(u32::try_from(states * LETTERS).expect("small"));
    (0..tables).map(move |mut code| {
        let mut digit = || {
            let digit = code % (states + 1);
            code /= states + 1;
            StateId::from_index(digit)
        };
        let mut successors: Vec<StateId> = (0..states * LETTERS).map(|_| digit()).collect();
        successors.extend([StateId::from_index(states); LETTERS]);
        let accepting = (0..=states).map(|state| state < states).collect();
        Dfa::new(LETTERS, StateId::from_index(0), accepting, successors)
    })
}

/// Whether a table with this number of states can be filled so that it separates: places are filled when a word needs
/// them, in every possible way. The number of states stands for *rejected*.
fn can_be_filled(sample: &Sample, states: usize, table: &mut Vec<Option<usize>>) -> bool {
    let mut seen = BTreeSet::from([(sample.initial(), 0)]);
    let mut stack = vec![(sample.initial(), 0)];
    while let Some((s, q)) = stack.pop() {
        for letter in 0..LETTERS {
            let Some(next) = sample.step(s, ActionId::from_index(letter)) else { continue };
            let place = q * LETTERS + letter;
            let Some(to) = table[place] else {
                return (0..=states).any(|to| {
                    table[place] = Some(to);
                    let filled = can_be_filled(sample, states, table);
                    table[place] = None;
                    filled
                });
            };
            match (sample.mark(next), to == states) {
                (Mark::Accepted, true) | (Mark::Rejected, false) => return false,
                (_, true) => {}
                (_, false) => {
                    if seen.insert((next, to)) {
                        stack.push((next, to));
                    }
                }
            }
        }
    }
    true
}

/// The least number of states of which the formula says that it is enough, when only the initial state has its number.
fn least_without_clique(sample: &Sample) -> usize {
    let apartness = Apartness::new(sample, &Budget::UNLIMITED).expect("no limit");
    let is_enough = |&states: &usize| {
        let mut formula = Formula::new(LETTERS, states, usize::MAX, &Budget::UNLIMITED);
        assert!(formula.extend(sample, &apartness, &[sample.initial()], usize::MAX));
        matches!(formula.solve(), Ok(Solution::Table(_)))
    };
    (1..=sample.state_count()).find(is_enough).expect("the sample itself is a separator")
}

/// Larger ones, by trying.
#[test]
fn no_smaller_table_can_be_filled() {
    let mut sizes = [0; 7];
    for seed in seeds(1500) {
        let sample = random(&mut Rng::new(seed), 14);
        let smallest = sample.smallest_separator(Patience::UNLIMITED, &Budget::UNLIMITED).expect("no limit");
        let states = smallest.expect("no limit").state_count() - 1;
        if states < sizes.len() {
            let fills = |n: usize| can_be_filled(&sample, n, &mut vec![None; n * LETTERS]);
            assert!(
                fills(states) && (states == 1 || !fills(states - 1)),
                "seed {seed}: {states}, {sample:?}"
            );
            sizes[states] += 1;
        }
        assert_eq!(least_without_clique(&sample), states, "seed {seed}: {sample:?}");
    }
    assert!(sizes[1..5].iter().all(|&count| count >= 10) || is_single_seed(), "{sizes:?}");
}

#[test]
fn the_smallest_separator_is_as_small_as_any() {
    let mut sizes = [0; 5];
    for seed in seeds(3000) {
        let sample = random(&mut Rng::new(seed), 7);
        let smallest = sample
            .smallest_separator(Patience::UNLIMITED, &Budget::UNLIMITED)
            .expect("no limit")
            .expect("no limit");
        assert!(separates(&smallest, &sample), "seed {seed}: {sample:?} {smallest:?}");
        assert!(smallest.is_prefix_closed(), "seed {seed}");
        let states = smallest.state_count() - 1;
        let naive = (1..=3).find(|&n| all_prefix_closed(n).any(|dfa| separates(&dfa, &sample)));
        assert_eq!(naive.unwrap_or(states.max(4)), states, "seed {seed}: {sample:?} {smallest:?}");
        sizes[states.min(4)] += 1;
    }
    assert!(sizes[1..4].iter().all(|&count| count >= 50) || is_single_seed(), "{sizes:?}");
}

/// A sample that is given bit by bit has separators as small as one that is given at once.
#[test]
fn a_sample_may_grow() {
    for seed in seeds(500) {
        let rng = &mut Rng::new(seed);
        let whole = random(rng, 9);
        let mut grown = Sample::new(LETTERS);
        let mut separation = Separation::new(LETTERS, Patience::UNLIMITED, &Budget::UNLIMITED);
        for state in whole.states() {
            if state != whole.initial() {
                grown.add_state(whole.mark(state));
            }
            for source in grown.states() {
                for letter in (0..LETTERS).map(ActionId::from_index) {
                    let target =
                        whole.step(source, letter).filter(|target| target.index() < grown.state_count());
                    if let Some(target) = target {
                        grown.add_transition(source, letter, target);
                    }
                }
            }
            if rng.chance(1, 2) || state.index() + 1 == whole.state_count() {
                let size = |found: Result<Option<Dfa>, Exhausted>| {
                    found.expect("no limit").expect("no limit").state_count()
                };
                let at_once = size(grown.smallest_separator(Patience::UNLIMITED, &Budget::UNLIMITED));
                assert_eq!(size(separation.smallest_separator(&grown)), at_once, "seed {seed}");
            }
        }
        assert_eq!(grown, whole, "seed {seed}");
        let last = separation.smallest_separator(&grown).expect("no limit").expect("no limit");
        assert!(separates(&last, &whole), "seed {seed}");
    }
}

#[test]
fn patience_ends() {
    let mut gave_up = 0;
    for seed in seeds(300) {
        let sample = random(&mut Rng::new(seed), 7);
        let size = |patience: Patience| {
            let found = sample.smallest_separator(patience, &Budget::UNLIMITED).expect("no limit");
            found.map(|dfa| dfa.state_count() - 1)
        };
        let least = size(Patience::UNLIMITED).expect("no limit");
        for states in 1..=3 {
            let found = size(Patience { states, ..Patience::UNLIMITED });
            assert_eq!(found, Some(least).filter(|&least| least <= states), "seed {seed}");
        }
        for patience in [
            Patience { clauses: 40, ..Patience::UNLIMITED },
            Patience { conflicts: 0, ..Patience::UNLIMITED },
        ] {
            match size(patience) {
                Some(found) => assert_eq!(found, least, "seed {seed}"),
                None => gave_up += 1,
            }
        }
    }
    assert!(gave_up > 0 || is_single_seed());
}

#[test]
fn the_budget_is_obeyed() {
    struct Stop;
    impl Observer for Stop {
        fn observe(&self, _progress: &Progress) -> Option<Resource> {
            Some(Resource::Time)
        }
    }
    let sample = random(&mut Rng::new(1), 7);
    let ask = |budget: &Budget<'_>| sample.smallest_separator(Patience::UNLIMITED, budget);
    let stopped = ask(&Budget::new(Limits::default(), Some(&Stop)));
    assert!(matches!(stopped, Err(Exhausted { resource: Resource::Time, .. })));
    let narrow = Limits { states: Some(sample.state_count() - 1), bytes: None };
    assert!(ask(&Budget::new(narrow, None)).is_err());
}
