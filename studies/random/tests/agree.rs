//! The explorers agree with the definition of a premise on random components.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use random::case::Case;
use random::program::premise;

/// Steps of the component, and calls of its environment.
const OWN: usize = 2;
const CALLS: usize = 2;

#[test]
fn a_premise_has_one_verdict() {
    let count: u64 = std::env::var("RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut violated, mut executions) = (0, 0);
    for seed in 0..count {
        let case = Case::new(seed);
        let outcome = premise(&case, OWN, CALLS);
        assert_eq!(outcome.failure.is_some(), case.is_violated(OWN, CALLS), "seed {seed}: {outcome}\n{case:?}");
        assert!(outcome.failure.is_some() || outcome.holds_for_all(), "seed {seed}: {outcome}");
        violated += usize::from(outcome.failure.is_some());
        executions += outcome.explored.executions;
    }
    println!("{count} components, {violated} of them violated, {executions} executions");
    // A generator that gives only one answer would test nothing.
    assert!(violated > 0 && (violated as u64) < count);
}
