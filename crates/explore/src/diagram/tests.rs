//! Counting by diagrams against counting state by state.

use rely_base::{Budget, Exhausted, Limits, Observer, Progress, Resource};
use rely_lts::Network;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use super::size;
use crate::{Product, Size, count, count_network};

/// Enough for every network of these tests.
const OPERATIONS: usize = 1 << 20;

fn by_diagram(network: &Network) -> Option<Size> {
    size(network, OPERATIONS, &Budget::UNLIMITED).expect("no limit").map(|(size, _)| size)
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
    assert!(
        rely_testkit::rng::is_single_seed() || counted.min(ended).min(failed) > 200,
        "{counted} {ended} {failed}"
    );
}

#[test]
fn philosophers_beyond_all_searches() {
    for n in 2..6 {
        let network = networks::philosophers(n);
        assert_eq!(by_diagram(&network), count(&Product::new(&network), &Budget::UNLIMITED).ok());
    }
    let states = |n: usize| by_diagram(&networks::philosophers(n)).map(|size| size.states);
    // As a search of all of them has found, in a minute.
    assert_eq!(states(11), Some(362_797_054));
    assert!(states(20).is_some_and(|states| states > 1 << 50));
    assert_eq!(states(40), None, "more states than a number has place for");
}

#[test]
fn many_states_are_counted_by_a_diagram() {
    let network = networks::philosophers(14);
    let visiting = Budget::new(Limits { states: Some(1 << 16), bytes: None }, None);
    let (size, _) = count_network(&network, &visiting).expect("that suffices, or it is visited after all");
    assert_eq!(Some(size), by_diagram(&network));
    // Who allows less than a diagram is tried for gets what was reached.
    let limited = Budget::new(Limits { states: Some(1000), bytes: None }, None);
    let reached = count_network(&network, &limited).expect_err("a limit");
    assert_eq!((reached.resource, reached.states), (Resource::States, 1000));
}

/// Stops after some calls.
struct Impatient(std::sync::atomic::AtomicUsize);

impl Observer for Impatient {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        let calls = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (calls >= 2).then_some(Resource::Time)
    }
}

#[test]
fn diagrams_have_limits() {
    let network = networks::philosophers(24);
    assert_eq!(size(&network, 100, &Budget::UNLIMITED), Ok(None), "so few operations are not enough");
    let little = Budget::new(Limits { states: None, bytes: Some(1000) }, None);
    assert_eq!(size(&network, OPERATIONS, &little), Ok(None), "another way may need less memory");
    let impatient = Impatient(0.into());
    let stopped = size(&network, OPERATIONS, &Budget::new(Limits::default(), Some(&impatient)));
    assert!(matches!(stopped, Err(Exhausted { resource: Resource::Time, .. })), "{stopped:?}");
}
