//! The ways to decide deadlock and safety against each other, and against the definition.

use std::num::NonZeroUsize;

use rely_base::Budget;
use rely_lts::Network;
use rely_testkit::naive::product::{NaiveProduct, error_in, is_deadlocked};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use super::{Effort, Reachability, check};
use crate::{Decision, Verdict};

fn checked(network: &Network, threads: usize, effort: Effort) -> Reachability {
    let threads = NonZeroUsize::new(threads).unwrap();
    check(network, &Budget::UNLIMITED.with_threads(threads), effort).expect("it can be replayed")
}

/// The lengths of shortest runs to a deadlock and to an error, by the definition.
fn defined(network: &Network) -> (Option<usize>, Option<usize>) {
    let naive = NaiveProduct::new(network);
    let nearest = |is: &dyn Fn(&[rely_base::StateId]) -> bool| {
        naive.distance.iter().filter(|(tuple, _)| is(tuple)).map(|(_, &distance)| distance).min()
    };
    (nearest(&|tuple| is_deadlocked(network, tuple)), nearest(&|tuple| error_in(network, tuple).is_some()))
}

fn length(decision: &Decision) -> Option<usize> {
    match &decision.verdict {
        Verdict::Violated(counterexample) => Some(counterexample.trace.len()),
        _ => None,
    }
}

/// A verdict without what was explored for it.
fn essence(decision: &Decision) -> Verdict {
    let mut verdict = decision.verdict.clone();
    if let Verdict::Holds(evidence) = &mut verdict {
        evidence.explored = crate::Explored::default();
    }
    verdict
}

const WITH_NUMBERS: Effort =
    Effort { reduction: false, small: usize::MAX, for_shortest: 0, times_for_shortest: 0 };

#[test]
fn sweeping_finds_what_a_search_with_numbers_finds() {
    let mut swept = 0;
    for seed in seeds(1500) {
        let network = networks::network(&mut Rng::new(seed), &Shape { components: 5, ..Shape::FULL });
        let expected = checked(&network, 1, WITH_NUMBERS);
        assert_eq!((length(&expected.deadlock), length(&expected.safety)), defined(&network), "seed {seed}");
        let small = 1 + Rng::new(seed).below(8);
        swept += usize::from(expected.deadlock.explored.states > small);
        for threads in [1, 2] {
            let found = checked(&network, threads, Effort { small, ..WITH_NUMBERS });
            assert_eq!(essence(&found.deadlock), essence(&expected.deadlock), "seed {seed}");
            assert_eq!(essence(&found.safety), essence(&expected.safety), "seed {seed}");
            if length(&expected.deadlock).is_none() || length(&expected.safety).is_none() {
                assert_eq!(found.safety.explored, expected.safety.explored, "seed {seed}");
            }
        }
    }
    assert!(swept > 150, "hardly anything was swept: {swept}");
}

#[test]
fn reduced_search_has_the_same_verdicts() {
    let (mut reduced, mut longer) = (0, 0);
    for seed in seeds(4000) {
        let shape =
            Shape { components: 5, actions: &["a", "b", "c", "d", "e", "f", "g", "h"], ..Shape::FULL };
        let network = networks::network(&mut Rng::new(seed), &shape);
        let expected = checked(&network, 1, WITH_NUMBERS);
        let small = 1 + Rng::new(seed).below(4);
        for for_shortest in [0, 1 << 20] {
            let effort = Effort { reduction: true, small, for_shortest, times_for_shortest: 0 };
            let found = checked(&network, 1, effort);
            for (found, expected) in
                [(&found.deadlock, &expected.deadlock), (&found.safety, &expected.safety)]
            {
                match (&found.verdict, &expected.verdict) {
                    (Verdict::Violated(found), Verdict::Violated(expected)) if !found.is_shortest => {
                        assert!(for_shortest == 0, "seed {seed}");
                        longer += usize::from(found.trace.len() > expected.trace.len());
                        assert!(found.trace.len() >= expected.trace.len(), "seed {seed}");
                    }
                    // With what is said about components that never move and properties that are never active.
                    _ => assert_eq!(essence(found), essence(expected), "seed {seed}"),
                }
                reduced += usize::from(found.explored.states < expected.explored.states);
            }
        }
    }
    assert!(reduced > 500 && longer > 10, "hardly anything was reduced: {reduced}, {longer}");
}

#[test]
fn reduction_of_philosophers() {
    let network = networks::philosophers(6);
    let full = checked(&network, 2, Effort { small: 100, ..WITH_NUMBERS });
    let effort = Effort { reduction: true, small: 100, ..Effort::USUAL };
    let reduced = checked(&network, 1, effort);
    assert_eq!(essence(&full.deadlock), essence(&reduced.deadlock));
    let (full, reduced) = (full.safety.explored.states, reduced.safety.explored.states);
    assert!(full == 46_656 && reduced * 10 < full, "{reduced} of {full}");
}
