//! The ways in which a refinement can go, against each other: signatures alone, splitters alone, and splitters that take
//! over from signatures. That they are right is for `tests/equivalence.rs` to say.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Budget, Id, Label, Limits, Observer, Progress, Resource, StateId};
use rely_testkit::rng::{Rng, seeds};

use super::{
    Equivalence, Partition,
    branching::{self, Acyclic, Divergence},
    partition,
    signature::mix,
    silent::SilentComponents,
    strong, weak,
};
use crate::{Lts, LtsBuilder};

const BUDGET: Budget<'static> = Budget::UNLIMITED;

/// A random system with at most this number of states; long paths, which take many rounds, are frequent.
fn random_system(rng: &mut Rng, most: usize) -> Lts {
    let states = 1 + rng.below(most);
    let mut builder = LtsBuilder::with_states(["a", "b", "c"].into_iter().collect(), states);
    let labels = 1 + rng.below(4);
    let mut add = |source: usize, label: usize, target: usize| {
        let label = Label::from_raw(u32::try_from(label).expect("there are few labels"));
        builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
    };
    if rng.chance(1, 2) {
        for state in 1..states {
            add(state - 1, rng.below(labels), state);
        }
    }
    for _ in 0..rng.below(3 * states) {
        add(rng.below(states), rng.below(labels), rng.below(states));
    }
    if rng.chance(1, 4) {
        builder.set_error(Some(StateId::from_index(rng.below(states))));
    }
    builder.build()
}

#[test]
fn strong_refinement_does_not_depend_on_who_does_it() {
    let mut handed_over = 0;
    for seed in seeds(3000) {
        let lts = random_system(&mut Rng::new(seed), 40);
        let initial = Partition::of_special_states(&lts);
        let by_signatures = partition(&lts, Equivalence::Strong, &BUDGET).expect("there is no limit");
        for limit in [0, 1, 50, 200, usize::MAX] {
            let found = strong::partition_within(&lts, &initial, limit, mix, &BUDGET);
            assert_eq!(found.expect("there is no limit"), by_signatures, "seed {seed}, limit {limit}");
        }
        // Hashes that tell little apart, or nothing, leave more to splitters and change no result.
        let poor_hashes: [fn(u32, u32) -> u64; 3] =
            [|_, _| 0, |label, _| mix(label, 0), |label, block| mix(label, block % 2)];
        for (i, hash) in poor_hashes.into_iter().enumerate() {
            let found = strong::partition_within(&lts, &initial, usize::MAX, hash, &BUDGET);
            assert_eq!(found.expect("there is no limit"), by_signatures, "seed {seed}, hash {i}");
        }
        handed_over += usize::from(by_signatures.block_count() > 3);
    }
    assert!(handed_over > 1000, "{handed_over}");
}

#[test]
fn strong_refinement_does_not_depend_on_the_number_of_threads() {
    for seed in seeds(40) {
        let lts = random_system(&mut Rng::new(seed), 8000);
        let alone = partition(&lts, Equivalence::Strong, &BUDGET).expect("there is no limit");
        for threads in [2, 3, 8] {
            let budget = BUDGET.with_threads(NonZeroUsize::new(threads).expect("some threads"));
            let together = partition(&lts, Equivalence::Strong, &budget).expect("there is no limit");
            assert_eq!(together, alone, "seed {seed}, {threads} threads");
        }
    }
}

#[test]
fn branching_refinement_does_not_depend_on_who_does_it() {
    for seed in seeds(3000) {
        let lts = random_system(&mut Rng::new(seed), 40);
        let components = SilentComponents::new(&lts, &BUDGET).expect("there is no limit");
        let initial = Partition::of_special_states(&lts);
        let mut classes = vec![0; components.count()];
        for state in lts.states() {
            classes[components.component_of[state.index()] as usize] = initial.block(state).raw();
        }
        for divergence in [Divergence::Ignored, Divergence::Explicit] {
            let system = Acyclic::new(&lts, &components, divergence);
            let within = |limit: usize| {
                let classes = classes.clone();
                branching::partition_within(&system, classes, initial.block_count(), limit, &BUDGET)
                    .expect("there is no limit")
            };
            let by_signatures = within(usize::MAX);
            for limit in [0, 1, 50, 200] {
                assert_eq!(within(limit), by_signatures, "seed {seed}, {divergence:?}, limit {limit}");
            }
        }
    }
}

#[test]
fn weak_refinement_does_not_depend_on_who_does_it() {
    for seed in seeds(3000) {
        let lts = random_system(&mut Rng::new(seed), 40);
        let initial = Partition::of_special_states(&lts);
        let within = |limit: usize| {
            weak::partition_within(&lts, &initial, |_| limit, &BUDGET).expect("there is no limit")
        };
        let by_answers = within(usize::MAX);
        for limit in [0, 1, 30, 100] {
            assert_eq!(within(limit), by_answers, "seed {seed}, limit {limit}");
        }
    }
}

/// Counts checks of the budget, of which there is one every [`Budget::INTERVAL`] steps, and stops what checks far too
/// often.
struct Steps(AtomicUsize);

impl Observer for Steps {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) > 10_000).then_some(Resource::Time)
    }
}

/// A counter that goes up to a number, where nothing but the last state differs from the others; silent steps that mean
/// something lead back from every `period`th state.
fn counter(states: usize, period: usize) -> Lts {
    let mut builder = LtsBuilder::with_states(["up", "back"].into_iter().collect(), states);
    let [up, back] = [1, 2].map(Label::from_raw);
    for state in 1..states {
        let [before, here] = [state - 1, state].map(StateId::from_index);
        builder.add_transition(before, up, here);
        builder.add_transition(here, Label::TAU, here);
        if state.is_multiple_of(period) {
            builder.add_transition(here, Label::TAU, before);
            builder.add_transition(before, back, StateId::from_index(0));
        }
    }
    builder.build()
}

#[test]
fn weak_refinement_is_not_quadratic_where_few_silent_steps_are_left() {
    for period in [usize::MAX, 100] {
        let steps = |states: usize| {
            let steps = Steps(0.into());
            let budget = Budget::new(Limits::default(), Some(&steps));
            let found = partition(&counter(states, period), Equivalence::Weak, &budget);
            assert_eq!(found.expect("it takes few steps").block_count(), states);
            steps.0.into_inner()
        };
        let (few, many) = (steps(4_000), steps(16_000));
        assert!(many < 8 * few, "period {period}: {few} and {many}");
    }
}

/// A silent step leads to the same or a smaller component, and states are in one component exactly if they can reach
/// each other.
#[test]
fn silent_components_are_ordered() {
    for seed in seeds(2000) {
        let lts = random_system(&mut Rng::new(seed), 40);
        let components = SilentComponents::new(&lts, &BUDGET).expect("there is no limit");
        let n = lts.state_count();
        let mut pairs = vec![false; n * n];
        for t in lts.transitions().filter(|t| t.label.is_tau()) {
            pairs[t.source.index() * n + t.target.index()] = true;
        }
        for via in 0..n {
            for from in (0..n).filter(|from| pairs[from * n + via]).collect::<Vec<usize>>() {
                for to in 0..n {
                    pairs[from * n + to] |= pairs[via * n + to];
                }
            }
        }
        let reaches = |s: usize, t: usize| pairs[s * n + t];
        let component = |state: usize| components.component_of[state];
        for s in 0..n {
            let is_divergent = components.is_divergent[component(s) as usize];
            assert_eq!(is_divergent, reaches(s, s), "seed {seed}, state {s}");
            for t in 0..n {
                let together = s == t || (reaches(s, t) && reaches(t, s));
                assert_eq!(component(s) == component(t), together, "seed {seed}, states {s} and {t}");
                assert!(!reaches(s, t) || component(s) >= component(t), "seed {seed}, states {s} and {t}");
            }
        }
    }
}
