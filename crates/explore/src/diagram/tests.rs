//! Counting by diagrams against counting state by state.

use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Budget, Exhausted, Limits, Observer, Progress, Resource};
use rely_lts::{Component, Network};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Counted, count_by_diagram};
use crate::{Product, Size, count};

fn by_diagram(network: &Network) -> Option<Size> {
    match count_by_diagram(network, &Budget::UNLIMITED).expect("no limit") {
        Counted::Size { size, .. } => Some(size),
        Counted::TooMany | Counted::NoDiagram => None,
    }
}

#[test]
fn random_networks_have_the_same_size() {
    let shapes = [
        Shape::FULL,
        Shape { components: 6, states: 3, ..Shape::FULL },
        Shape { actions: &["a", "b"], ..Shape::FULL },
    ];
    let (mut counted, mut ended, mut failed) = (0, 0, 0);
    for seed in seeds(6_000) {
        let mut rng = Rng::new(seed);
        let shape = *rng.pick(&shapes);
        let network = networks::network(&mut rng, &shape);
        let product = Product::new(&network);
        let Some(diagram) = by_diagram(&network) else { continue };
        assert_eq!(Ok(diagram), count(&product, &Budget::UNLIMITED), "seed {seed}: {network:?}");
        counted += 1;
        ended += usize::from(network.can_terminate());
        failed += usize::from(diagram.error_reachable);
    }
    assert!(is_single_seed() || counted.min(ended).min(failed) > 200, "{counted} {ended} {failed}");
}

#[test]
fn philosophers_beyond_all_searches() {
    for n in 2..6 {
        let network = networks::philosophers(n);
        assert_eq!(by_diagram(&network), count(&Product::new(&network), &Budget::UNLIMITED).ok());
    }
    let states = |n: usize| by_diagram(&networks::philosophers(n)).map(|size| size.states);
    // An explicit search of all states has found the same number, in a minute.
    assert_eq!(states(11), Some(362_797_054));
    assert!(states(20).is_some_and(|states| states > 1 << 50));
    let many = count_by_diagram(&networks::philosophers(40), &Budget::UNLIMITED);
    assert_eq!(many, Ok(Counted::TooMany), "a number has no place for so many");
}

/// A component that counts, each time by another action, beside one that turns.
fn wide(width: usize) -> Network {
    let names: Vec<String> = (0..width).map(|i| format!("up.{i}")).collect();
    let steps: Vec<_> = names.iter().enumerate().map(|(i, name)| (i, name.as_str(), i + 1)).collect();
    let turns = from_transitions(2, &[(0, "tick", 1), (1, "tock", 0)]);
    let counter = from_transitions(width + 1, &steps);
    Network::new(vec![Component::new("counter", counter), Component::new("clock", turns)])
}

/// Counts how often the budget is checked.
struct Working(AtomicUsize);

impl Observer for Working {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

#[test]
fn wide_components_take_linear_work() {
    let network = wide(64);
    assert_eq!(by_diagram(&network), count(&Product::new(&network), &Budget::UNLIMITED).ok());
    let work = |width: usize| {
        let working = Working(0.into());
        let size = count_by_diagram(&wide(width), &Budget::new(Limits::default(), Some(&working)));
        let states = 2 * (width + 1);
        assert!(matches!(size, Ok(Counted::Size { size, .. }) if size.states == states), "{width}");
        working.0.into_inner()
    };
    let (less, more) = (work(4_000), work(16_000));
    assert!(more < 6 * less + 8, "{less} and {more}");
}

/// Stops an analysis after some checks of the budget.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) >= 2).then_some(Resource::Time)
    }
}

#[test]
fn diagrams_have_limits() {
    let network = networks::philosophers(24);
    let stopped = |budget: &Budget<'_>| match count_by_diagram(&network, budget) {
        Err(Exhausted { resource, .. }) => resource,
        counted => panic!("no limit was met: {counted:?}"),
    };
    assert_eq!(stopped(&Budget::new(Limits { states: Some(100), bytes: None }, None)), Resource::States);
    assert_eq!(stopped(&Budget::new(Limits { states: None, bytes: Some(10_000) }, None)), Resource::Memory);
    assert_eq!(stopped(&Budget::new(Limits::default(), Some(&Impatient(0.into())))), Resource::Time);
}
