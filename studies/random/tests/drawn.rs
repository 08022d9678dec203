//! What is drawn at random: every violation that it finds is one, and it finds those that there are.
#![cfg(all(feature = "shuttle", not(feature = "loom")))]

use random::case::{CALLS, Case, OWN_STEPS};
use random::explore::Way;
use random::program::premise_by;

const CASES: u64 = 20;

fn agrees(way: Way) {
    let mut violated = 0;
    for seed in 0..CASES {
        let case = Case::new(seed);
        let outcome = premise_by(&case, OWN_STEPS, CALLS, way);
        assert_eq!(outcome.failure.is_some(), case.is_violated(OWN_STEPS, CALLS), "seed {seed}: {outcome}");
        // However many were drawn, there may be others.
        assert!(!outcome.holds_for_all());
        violated += u64::from(outcome.failure.is_some());
    }
    assert!(violated > 0 && violated < CASES);
}

#[test]
fn at_random() {
    agrees(Way::Random { seed: 1 });
}

#[test]
fn by_random_priorities() {
    agrees(Way::Pct { seed: 1, depth: 3 });
}
