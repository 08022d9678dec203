//! The explorers agree with the definition of a premise on random components.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use random::case::{ACTIONS, Case};
use random::program::premise;

/// Steps of the component, and calls of its environment.
const OWN: usize = 2;
const CALLS: usize = 2;

#[test]
fn a_premise_has_one_verdict() {
    let count: u64 = std::env::var("RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut violated, mut executions, mut sequences) = (0, 0, 0);
    for seed in 0..count {
        let case = Case::new(seed);
        let outcome = premise(&case, OWN, CALLS);
        assert_eq!(outcome.failure.is_some(), case.is_violated(OWN, CALLS), "seed {seed}: {outcome}\n{case:?}");
        if outcome.failure.is_none() {
            assert!(outcome.holds_for_all(), "seed {seed}: {outcome}");
            // Not only the verdict: every sequence of events is found, and no other.
            let expected = case.sequences(OWN, CALLS);
            let name = |events: &Vec<usize>| events.iter().map(|&action| ACTIONS[action]).collect::<Vec<_>>();
            let lost = expected.iter().map(name).find(|events| !outcome.explored.has_seen(events));
            assert_eq!((lost, outcome.explored.sequences), (None, expected.len()), "seed {seed}: {case:?}");
            sequences += expected.len();
        }
        violated += usize::from(outcome.failure.is_some());
        executions += outcome.explored.executions;
    }
    println!("{count} components, {violated} of them violated, {executions} executions, {sequences} sequences of events");
    // A generator that gives only one answer would test nothing.
    assert!(violated > 0 && (violated as u64) < count);
}
