//! Sweeps, on any number of threads, against a search that numbers the states.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Label, Limits, StateId};
use rely_lts::{Component, ComponentId, Network};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Inspector, Known, sweep};
use crate::count::Merger;
use crate::{Product, Search, Size, StateSet, System, Visitor, count};

/// A budget with this number of threads and no limits.
fn threads(count: usize) -> Budget<'static> {
    Budget::UNLIMITED.with_threads(NonZeroUsize::new(count).unwrap())
}

#[test]
fn counting_does_not_depend_on_threads() {
    let mut wide = 0;
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        // Every third network has a ring of 25 more, in which a token goes round, for states of two words.
        let mut network = networks::network(&mut rng, &Shape { components: 5, ..Shape::FULL });
        if seed % 3 == 0 && network.priority().is_none() {
            let station = |i: usize| {
                let (here, next) = (format!("token.{i}"), format!("token.{}", (i + 1) % 25));
                let (without, with) = if i == 0 { (4, 0) } else { (0, 4) };
                let transitions = [(without, &*here, with), (with, &*next, without)];
                Component::new(format!("W{i}"), from_transitions(5, &transitions))
            };
            let parts = network.components().iter().cloned();
            network = Network::new(parts.chain((0..25).map(station)).collect());
        }
        let product = Product::new(&network);
        wide += usize::from(product.words() > 1 && product.is_compiled());
        let interpreted = product.clone().interpreted();
        let expected = count_numbered(&interpreted, &Budget::UNLIMITED);
        for number in 1..=8 {
            assert_eq!(count(&product, &threads(number)), expected, "seed {seed}, {number} threads");
            assert_eq!(count(&interpreted, &threads(number)), expected, "seed {seed}, {number} threads");
        }
        let limits = Limits { states: Some(1 + rng.below(40)), bytes: None };
        let limited = |number: usize| {
            let number = NonZeroUsize::new(number).unwrap();
            count(&product, &Budget::new(limits, None).with_threads(number))
        };
        let alone = limited(1);
        assert!((2..=8).all(|number| limited(number) == alone), "seed {seed}");
    }
    assert!(wide > 50 || is_single_seed(), "states of several words were hardly tested: {wide}");
}

#[test]
fn philosophers_on_several_threads() {
    let network = networks::philosophers(6);
    let product = Product::new(&network);
    let expected = count_numbered(&product, &Budget::UNLIMITED);
    for number in [2, 3, 8] {
        assert_eq!(count(&product, &threads(number)), expected);
    }
}

#[test]
fn counting_with_and_without_numbers_agrees() {
    for n in [3, 5] {
        let network = networks::philosophers(n);
        let product = Product::new(&network);
        assert_eq!(count(&product, &Budget::UNLIMITED), count_numbered(&product, &Budget::UNLIMITED));
    }
    for seed in seeds(3000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::new(&network);
        let limits = Limits { states: Some(1 + Rng::new(seed).below(30)), bytes: None };
        for budget in [Budget::UNLIMITED, Budget::new(limits, None)] {
            // At a limit, the number of transitions seen depends on how states are batched.
            let essence =
                |size: Result<Size, Exhausted>| size.map_err(|limit| (limit.resource, limit.states));
            let (unnumbered, numbered) = (count(&product, &budget), count_numbered(&product, &budget));
            assert_eq!(essence(unnumbered), essence(numbered), "seed {seed}");
        }
    }
}

/// Counts with a search that numbers the states.
fn count_numbered<S: System>(system: &S, budget: &Budget<'_>) -> Result<Size, Exhausted> {
    let mut search = Search::new(system);
    let mut counter = Counter { merger: Merger::new(system), transitions: 0, error_reachable: false };
    search.run(budget, &mut counter)?;
    Ok(Size {
        states: search.states().len() - counter.merger.merged(),
        transitions: counter.transitions,
        error_reachable: counter.error_reachable,
        cut: None,
    })
}

struct Counter<'s, S: System> {
    merger: Merger<'s, S>,
    transitions: usize,
    error_reachable: bool,
}

impl<S: System> Visitor for Counter<'_, S> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        self.merger.discovered(state, words);
    }

    fn transition(&mut self, _source: StateId, label: Label, target: StateId) {
        self.merger.transition(label, Some(target));
    }

    fn error(&mut self, source: Option<StateId>, label: Label, _component: ComponentId) {
        self.error_reachable = true;
        if source.is_some() {
            self.merger.transition(label, None);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        self.transitions += self.merger.take_edges().len();
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.merger.bytes()
    }
}

/// Counts the states that it is shown, and panics at one of them.
struct Panics {
    left: usize,
}

impl Inspector for Panics {
    fn fresh(&self) -> Self {
        Self { left: self.left }
    }

    fn expanded(&mut self, _state: &[u64], transitions: usize) -> usize {
        self.left = self.left.checked_sub(1).expect("this is how long it goes well");
        transitions
    }

    fn absorb(&mut self, _other: Self) {}
}

#[test]
fn nobody_waits_for_a_worker_who_has_panicked() {
    let network = networks::philosophers(5);
    let product = Product::new(&network);
    let mut initial = vec![0; product.words()];
    product.initial(&mut initial).unwrap();
    let mut states = StateSet::new(product.words());
    states.insert(&initial);
    for (number, left) in [(2, 100), (3, 300), (5, 0), (8, 20)] {
        let known = Known { states: &states, expanded: 0, transitions: 0 };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            sweep(&product, &known, &threads(number), Panics { left }).states
        }));
        assert!(ended.is_err(), "{number} threads");
    }
}
