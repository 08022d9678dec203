//! The ways to decide deadlock and safety against each other, and against the definition.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Budget, Id, Limits, Observer, Progress, Resource};
use rely_explore::System;
use rely_lts::operators::complete;
use rely_lts::{Component, ComponentId, Network};
use rely_testkit::naive::product::{NaiveProduct, error_in, is_deadlocked};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Checker, Inquiry, Product, Reachability, TraceEffort};
use crate::vacuity::forbids_everything;
use crate::vacuity::tests::{random, walked};
use crate::{Decision, Limit, Unknown, Vacuity, Verdict};

fn checked(network: &Network, threads: usize, inquiry: Inquiry) -> Reachability {
    let threads = NonZeroUsize::new(threads).unwrap();
    inquiry.check(network, &Budget::UNLIMITED.with_threads(threads)).expect("it can be replayed")
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

const WITH_NUMBERS: Inquiry = Inquiry {
    reduction: false,
    patience: usize::MAX,
    small: usize::MAX,
    trace_effort: TraceEffort { states: 0, times: 0 },
    ..Inquiry::USUAL
};

/// Whether a component has an error state: otherwise a deadlock is all there is to find.
fn can_fail(network: &Network) -> bool {
    network.components().iter().any(|component| component.lts.error().is_some())
}

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
            let found = checked(&network, threads, Inquiry { small, ..WITH_NUMBERS });
            assert_eq!(essence(&found.deadlock), essence(&expected.deadlock), "seed {seed}");
            assert_eq!(essence(&found.safety), essence(&expected.safety), "seed {seed}");
            let all = length(&expected.safety).is_none() && can_fail(&network);
            if all || length(&expected.deadlock).is_none() {
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
        for states in [0, 1 << 20] {
            let trace_effort = TraceEffort { states, times: 0 };
            let inquiry = Inquiry { reduction: true, small, trace_effort, ..WITH_NUMBERS };
            let found = checked(&network, 1, inquiry);
            for (found, expected) in
                [(&found.deadlock, &expected.deadlock), (&found.safety, &expected.safety)]
            {
                match (&found.verdict, &expected.verdict) {
                    (Verdict::Violated(found), Verdict::Violated(expected)) if !found.is_shortest => {
                        assert!(states == 0, "seed {seed}");
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
    let mut components = networks::philosophers(6).components().to_vec();
    let turns = networks::from_transitions(2, &[(0, "sit.0", 1), (1, "arise.0", 0)]);
    components.push(Component::new("TURNS", complete(&turns)));
    let network = Network::new(components);
    let full = checked(&network, 2, Inquiry { small: 100, ..WITH_NUMBERS });
    let reduced = checked(&network, 1, Inquiry { small: 100, ..Inquiry::USUAL });
    assert_eq!(essence(&full.deadlock), essence(&reduced.deadlock));
    let (full, reduced) = (full.safety.explored.states, reduced.safety.explored.states);
    assert!(full == 46_656 && reduced * 10 < full, "{reduced} of {full}");
}

#[test]
fn what_cannot_fail_is_not_searched_to_the_end() {
    let found = checked(&networks::philosophers(6), 1, WITH_NUMBERS);
    assert!(found.safety.verdict.holds() && found.deadlock.verdict.counterexample().is_some());
    assert!(found.safety.explored.states < 46_656);
}

#[test]
fn a_single_question_has_the_same_answer() {
    let given_up = Verdict::Unknown(Unknown::GivenUp);
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { components: 5, ..Shape::FULL });
        let expected = checked(&network, 1, WITH_NUMBERS);
        let small = if rng.chance(1, 2) { usize::MAX } else { 1 + rng.below(8) };
        // What is asked alone is looked for to the end, whatever the patience.
        let inquiry = Inquiry { small, reduction: rng.chance(1, 2), patience: rng.below(4), ..WITH_NUMBERS };
        let inquiry = Inquiry { trace_effort: TraceEffort { states: usize::MAX, times: 0 }, ..inquiry };
        for threads in [1, 2] {
            let found = checked(&network, threads, Inquiry { safety: false, ..inquiry });
            assert_eq!(length(&found.deadlock), length(&expected.deadlock), "seed {seed}");
            assert_eq!(found.deadlock.verdict.holds(), expected.deadlock.verdict.holds(), "seed {seed}");
            assert!(!found.safety.verdict.holds(), "seed {seed}");
            let found = checked(&network, threads, Inquiry { deadlock: false, ..inquiry });
            assert_eq!(length(&found.safety), length(&expected.safety), "seed {seed}");
            assert_eq!(found.safety.verdict.holds(), expected.safety.verdict.holds(), "seed {seed}");
            assert!(!found.deadlock.verdict.holds(), "seed {seed}");
        }
        // Whatever the patience, one violation is found if there is one, and nothing wrong is said of the other.
        let is_violated =
            |found: &Reachability| length(&found.deadlock).is_some() || length(&found.safety).is_some();
        for reduction in [false, true] {
            let patience = rng.below(4);
            let found = checked(&network, 2, Inquiry { patience, reduction, ..inquiry });
            assert_eq!(is_violated(&found), is_violated(&expected), "seed {seed}");
            for (found, expected) in
                [(&found.deadlock, &expected.deadlock), (&found.safety, &expected.safety)]
            {
                let is_same = found.verdict.holds() == expected.verdict.holds()
                    && length(found).is_some() == length(expected).is_some();
                assert!(is_same || found.verdict == given_up, "seed {seed}");
            }
        }
    }
}

#[test]
fn a_search_ends_soon_after_the_first_violation() {
    let counter = |i: usize| {
        let name = format!("inc.{i}");
        let cycle: Vec<(usize, &str, usize)> = (0..10).map(|s| (s, name.as_str(), (s + 1) % 10)).collect();
        Component::new(format!("C.{i}"), networks::from_transitions(10, &cycle))
    };
    let mut components: Vec<Component> = (0..6).map(counter).collect();
    let property = networks::from_transitions(2, &[(0, "ok", 0), (1, "inc.0", 1)]);
    components.push(Component::new("BAD", complete(&property)));
    let network = Network::new(components);
    for reduction in [false, true] {
        for small in [10, usize::MAX] {
            let inquiry = Inquiry { patience: 1000, reduction, small, ..Inquiry::USUAL };
            let found = checked(&network, 2, inquiry);
            assert_eq!(length(&found.safety), Some(1));
            assert_eq!(found.deadlock.verdict, Verdict::Unknown(Unknown::GivenUp));
            assert!(found.deadlock.explored.states < 20_000, "{} states", found.deadlock.explored.states);
        }
    }
}

/// Counters that stop when all are done, and a property that can fail before the first step.
fn deep(length: usize) -> Network {
    let counter = |i: usize| {
        let names = [format!("step.{i}"), "done".to_owned()];
        let mut steps: Vec<(usize, &str, usize)> =
            (0..length).map(|s| (s, names[0].as_str(), s + 1)).collect();
        steps.push((length, names[1].as_str(), length + 1));
        Component::new(format!("C.{i}"), networks::from_transitions(length + 2, &steps))
    };
    let mut components: Vec<Component> = (0..3).map(counter).collect();
    let offer = networks::from_transitions(2, &[(0, "oops", 0), (0, "step.0", 1), (1, "step.0", 1)]);
    components.push(Component::new("OFFER", offer));
    let once = networks::from_transitions(3, &[(0, "done", 1), (2, "oops", 2)]);
    components.push(Component::new("ONCE", complete(&once)));
    Network::new(components)
}

#[test]
fn what_is_found_late_is_not_lost() {
    // The error is found at once, and the deadlock at the end of all levels; neither depends on threads.
    let network = deep(12);
    let mut explored = None;
    for threads in 1..=4 {
        for patience in [0, 100, usize::MAX] {
            let inquiry = Inquiry { patience, small: 10, ..WITH_NUMBERS };
            let found = checked(&network, threads, inquiry);
            assert!(length(&found.safety).is_some());
            let alone = checked(&network, threads, Inquiry { safety: false, ..inquiry });
            assert_eq!(length(&alone.deadlock), Some(37));
            assert_eq!(alone.safety.verdict, Verdict::Unknown(Unknown::GivenUp));
            match patience {
                usize::MAX => assert_eq!(length(&found.deadlock), Some(37)),
                _ => assert_eq!(found.deadlock.verdict, Verdict::Unknown(Unknown::GivenUp)),
            }
            if patience == 100 {
                let states = found.deadlock.explored;
                assert_eq!(*explored.get_or_insert(states), states, "{threads} threads");
            }
        }
    }
}

#[test]
fn what_a_sweep_has_found_is_found_again() {
    // A deadlock after seven steps is the only violation, most states come later, and the property cannot fail. The error
    // is given up, and the deadlock has to be shown all the same.
    let counter = |i: usize| {
        let step = format!("step.{i}");
        let mut steps: Vec<(usize, &str, usize)> =
            (0..12).map(|s| (s, step.as_str(), (s + 1) % 12)).collect();
        steps.push((2, "halt", 12));
        Component::new(format!("C.{i}"), networks::from_transitions(13, &steps))
    };
    let mut components: Vec<Component> = (0..3).map(counter).collect();
    components.push(Component::new("NEVER", networks::from_transitions(2, &[(1, "never", 1)])));
    let property = networks::from_transitions(3, &[(0, "halt", 1), (2, "never", 2)]);
    components.push(Component::new("ONCE", complete(&property)));
    let network = Network::new(components);
    for threads in 1..=3 {
        let inquiry = Inquiry { patience: 0, small: 10, ..WITH_NUMBERS };
        let found = checked(&network, threads, inquiry);
        assert_eq!(length(&found.deadlock), Some(7), "{threads} threads");
        assert_eq!(found.safety.verdict, Verdict::Unknown(Unknown::GivenUp), "{threads} threads");
    }
}

/// A component that stops after this number of steps, in parallel with one that never does anything and could fail.
fn long(length: usize) -> Network {
    let steps: Vec<(usize, &str, usize)> = (0..length).map(|s| (s, "step", s + 1)).collect();
    let never = networks::from_transitions(2, &[(1, "never", 1), (1, "well", 1)]);
    let property = networks::from_transitions(2, &[(0, "well", 0), (1, "never", 1)]);
    Network::new(vec![
        Component::new("LONG", networks::from_transitions(length + 1, &steps)),
        Component::new("NEVER", never),
        Component::new("P", complete(&property)),
    ])
}

/// Stops an analysis when it is asked for the `n`th time.
struct Nth(AtomicUsize, usize);

impl Observer for Nth {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) >= self.1).then_some(Resource::Time)
    }
}

const DEADLOCK: Inquiry = Inquiry { safety: false, small: 1000, ..Inquiry::USUAL };

/// The result of a search for a deadlock with a limit on bytes, and on checks of the budget.
fn told(network: &Network, inquiry: Inquiry, bytes: Option<usize>, times: usize) -> (Verdict, usize) {
    let nth = Nth(0.into(), times);
    let budget = Budget::new(Limits { states: None, bytes }, Some(&nth));
    let found = inquiry.check(network, &budget).expect("it can be replayed");
    (found.deadlock.verdict, nth.0.into_inner())
}

#[test]
fn a_long_run_is_told_and_replayed_within_the_limits() {
    let network = networks::from_transitions(20_001, &{
        (0..20_000).map(|s| (s, "step", s + 1)).collect::<Vec<(usize, &str, usize)>>()
    });
    let network = Network::new(vec![Component::new("LONG", network)]);
    for inquiry in [DEADLOCK, Inquiry { small: usize::MAX, ..DEADLOCK }] {
        let (verdict, times) = told(&network, inquiry, None, usize::MAX);
        assert_eq!(verdict.counterexample().map(|run| run.trace.len()), Some(20_000));
        // The states take less than that, the run takes more.
        let (verdict, _) = told(&network, inquiry, Some(4 << 20), usize::MAX);
        match verdict {
            Verdict::Unknown(Unknown::Limit(Limit::Run(met))) => assert_eq!(met.resource, Resource::Memory),
            other => panic!("{:?}", other.counterexample().map(|run| run.trace.len())),
        }
        // The search asks, and so does every stage of telling; the last one is the replay.
        let stopped = |times: usize| told(&network, inquiry, None, times).0;
        let is_untold =
            |times: &usize| matches!(stopped(*times), Verdict::Unknown(Unknown::Limit(Limit::Run(_))));
        assert!((0..times).all(|times| stopped(times).counterexample().is_none()));
        assert!((0..times).filter(is_untold).count() >= 8, "{times}");
        assert!(stopped(times).counterexample().is_some());
    }
}

#[test]
fn a_short_run_is_told_although_a_limit_has_ended_the_search() {
    // The deadlock is found at once, and the error is looked for until a limit is met.
    let mut components = long(30_000).components().to_vec();
    let jam = networks::from_transitions(3, &[(0, "step", 1), (1, "jam", 2), (1, "step", 1)]);
    components.push(Component::new("JAM", jam));
    let network = Network::new(components);
    let inquiry = Inquiry { patience: usize::MAX, small: usize::MAX, ..Inquiry::ALL_STATES };
    let bytes = Product::transparent(&network).bytes() + 200_000;
    for (bytes, times) in [(Some(bytes), usize::MAX), (None, 2)] {
        let nth = Nth(0.into(), times);
        let budget = Budget::new(Limits { states: None, bytes }, Some(&nth));
        let found = inquiry.check(&network, &budget).expect("it can be replayed");
        assert_eq!(length(&found.deadlock), Some(2));
        assert!(
            matches!(found.safety.verdict, Verdict::Unknown(Unknown::Limit(Limit::Answer(_)))),
            "{:?}",
            found.safety
        );
    }
}

#[test]
fn two_searches_share_the_memory() {
    let network = long(40_000);
    let product = Product::transparent(&network);
    let held = |bytes: Option<usize>| {
        let budget = Budget::new(Limits { states: None, bytes }, None);
        let mut checker = Checker::new(DEADLOCK, &product, &budget);
        let _ = checker.search.run_levels_until(1000, &budget, &mut checker.watch);
        let _ = checker.reduce(&product);
        assert!(checker.watch.deadlock.is_some() || bytes.is_some());
        checker.held()
    };
    let most = held(None);
    for limit in [most - 1, most - most / 8, most / 2, most / 4] {
        let held = held(Some(limit));
        assert!(held <= limit, "{held} bytes where {limit} are allowed");
    }
}

/// What is warned of where a reduced search has decided: properties none of whose actions occurs, and components that never
/// move. Stubborn sets lead to every action that can occur, and to every move that a component can make.
#[test]
fn a_reduced_search_warns_of_what_a_walk_over_all_states_never_sees() {
    let (mut inactive, mut unmoved, mut silent) = (0, 0, 0);
    for seed in seeds(6_000) {
        let network = random(&mut Rng::new(seed));
        let (occurring, tuples) = walked(&network);
        let all = || network.components().iter().enumerate();
        let never_active = |(_, component): &(usize, &Component)| {
            let lts = &component.lts;
            let occurs = |name: &str| occurring.contains(name);
            lts.error().is_some() && !forbids_everything(lts) && !lts.alphabet().names().any(occurs)
        };
        let never_moves = |(i, component): &(usize, &Component)| {
            let lts = &component.lts;
            lts.proper_state_count() > 1 && tuples.iter().all(|tuple| tuple[*i] == lts.initial())
        };
        let id = |(i, _): (usize, &Component)| ComponentId::from_index(i);
        let told = |verdict: &Verdict| match verdict {
            Verdict::Holds(evidence) => Some(evidence.vacuity.clone()),
            Verdict::Violated(_) | Verdict::Unknown(_) => None,
        };
        let found =
            Inquiry { small: 1, ..Inquiry::USUAL }.check(&network, &Budget::UNLIMITED).expect("replayed");
        if let Some(vacuity) = told(&found.safety.verdict) {
            let expected: Vec<Vacuity> =
                all().filter(never_active).map(id).map(Vacuity::PropertyNeverActive).collect();
            assert_eq!(vacuity, expected, "seed {seed}");
            inactive += expected.len();
            silent += usize::from(expected.is_empty());
        }
        if let (Some(vacuity), false) = (told(&found.deadlock.verdict), found.can_fail) {
            let expected: Vec<Vacuity> =
                all().filter(never_moves).map(id).map(Vacuity::ComponentNeverMoves).collect();
            assert_eq!(vacuity, expected, "seed {seed}");
            unmoved += expected.len();
        }
    }
    assert!(
        is_single_seed() || (inactive > 50 && unmoved > 50 && silent > 500),
        "{inactive} {unmoved} {silent}"
    );
}
