//! Steps as sets against the transitions of the product, and sweeps that use them against a search.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use rely_base::{Budget, Label, StateId};
use rely_lts::{ComponentId, Network};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::{
    Arrival, Arrivals, Inspector, Known, Product, Search, StateSet, Successor, System, Visitor, sweep,
};

#[test]
fn all_transitions_are_there() {
    let (mut fanned, mut distinct) = (0, 0);
    for seed in seeds(2000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::new(&network);
        if !product.can_fan_out() {
            continue;
        }
        fanned += 1;
        distinct += usize::from(product.has_distinct_transitions());
        let mut search = Search::new(&product);
        search.run(&Budget::UNLIMITED, &mut ()).unwrap();
        let mut cursor = product.cursor();
        for words in search.states().iter() {
            let (mut into, mut shown, mut expected) = (Arrivals::default(), Vec::new(), Vec::new());
            let write = |label: Label, successor: Successor<'_>| (label, format!("{successor:?}"));
            let count =
                product.fan_out(words, Arrival::UNKNOWN, &mut cursor, &mut into, &mut |label, successor| {
                    shown.push(write(label, successor));
                });
            product.successors(words, &mut cursor, &mut |label, successor| {
                expected.push(write(label, successor));
            });
            assert_eq!(count, expected.len(), "seed {seed}");
            let states = shown.iter().filter(|(_, successor)| successor.starts_with("State"));
            assert_eq!(into.len(), states.count(), "seed {seed}");
            if product.has_distinct_transitions() {
                let different: BTreeSet<_> = expected.iter().collect();
                assert_eq!(different.len(), expected.len(), "seed {seed}");
            }
            shown.sort();
            expected.sort();
            assert_eq!(shown, expected, "seed {seed}");
        }
    }
    assert!(fanned > 100 && distinct > 10 || is_single_seed(), "hardly tested: {fanned} {distinct}");
}

/// Counts states, and records labels and failures, without having to see each transition.
#[derive(Default, PartialEq, Eq, Debug)]
struct Notes {
    found: usize,
    labels: BTreeSet<Label>,
    failing: BTreeSet<(Label, ComponentId)>,
    stuck: usize,
}

impl Inspector for Notes {
    fn fresh(&self) -> Self {
        Self::default()
    }

    fn is_thorough(&self) -> bool {
        false
    }

    fn found(&mut self, _state: &[u64]) {
        self.found += 1;
    }

    fn transition(&mut self, label: Label, successor: Successor<'_>) {
        match successor {
            Successor::State(_) => drop(self.labels.insert(label)),
            Successor::Error(component) => drop(self.failing.insert((label, component))),
            Successor::Cut(_) => unreachable!("a network has no bounds"),
        }
    }

    fn expanded(&mut self, _state: &[u64], transitions: usize) -> usize {
        self.stuck += usize::from(transitions == 0);
        transitions
    }

    fn absorb(&mut self, other: Self) {
        self.found += other.found;
        self.labels.extend(other.labels);
        self.failing.extend(other.failing);
        self.stuck += other.stuck;
    }
}

/// The numbers and labels by a search of all transitions.
impl Visitor for Notes {
    fn discovered(&mut self, _state: StateId, _words: &[u64]) {
        self.found += 1;
    }

    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        self.labels.insert(label);
    }

    fn error(&mut self, _source: Option<StateId>, label: Label, component: ComponentId) {
        self.failing.insert((label, component));
    }

    fn expanded(&mut self, _: StateId, _: &[u64], transitions: usize) -> std::ops::ControlFlow<()> {
        self.stuck += usize::from(transitions == 0);
        std::ops::ControlFlow::Continue(())
    }
}

/// What a sweep on `threads` threads records, and how many transitions it counts.
fn swept(network: &Network, threads: usize) -> (Notes, usize) {
    let product = Product::transparent(network);
    let (mut states, mut initial) = (StateSet::new(product.words()), vec![0; product.words()]);
    product.initial(&mut initial).expect("nobody starts in the error state");
    states.insert(&initial);
    let known = Known { states: &states, expanded: 0, transitions: 0 };
    let budget = Budget::UNLIMITED.with_threads(NonZeroUsize::new(threads).unwrap());
    let swept = sweep(&product, &known, &budget, Notes::default());
    assert_eq!(swept.states, swept.inspector.found);
    (swept.inspector, swept.transitions)
}

#[test]
fn sweep_that_is_not_thorough_finds_all_states_and_labels() {
    let mut failing = 0;
    for seed in seeds(1500) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::transparent(&network);
        if !product.can_fan_out() || product.initial(&mut vec![0; product.words()]).is_err() {
            continue;
        }
        let (mut search, mut expected) = (Search::new(&product), Notes::default());
        search.run(&Budget::UNLIMITED, &mut expected).unwrap();
        failing += usize::from(!expected.failing.is_empty());
        let expected = (expected, search.transitions());
        for threads in [1, 3] {
            assert_eq!(swept(&network, threads), expected, "seed {seed}, {threads} threads");
        }
    }
    assert!(failing > 10 || is_single_seed(), "hardly tested: {failing}");
}
