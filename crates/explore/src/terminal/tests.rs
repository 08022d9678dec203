//! Terminal components against their definition.

use std::collections::BTreeSet;

use rely_base::{Budget, Id, Limits, Resource, StateId};
use rely_lts::{Component, Network};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::{Graph, Part, Product, Search};

/// The states of a terminal component, found by starting in one of them.
fn members(
    product: &Product<'_>,
    search: &TerminalSearch<'_, Product<'_>>,
    root: StateId,
) -> BTreeSet<Vec<StateId>> {
    let part = Part::starting_at(product, search.states().get(root));
    let (graph, component) = Graph::explore(&part, &Budget::UNLIMITED).unwrap();
    assert!(graph.error().is_none(), "a terminal component cannot fail");
    graph.states().map(|state| product.unpack(component.states().get(state))).collect()
}

#[test]
fn terminal_components_are_as_defined() {
    let (mut beside_errors, mut several) = (0, 0);
    for seed in seeds(4000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let naive = NaiveDecisions::new(&network);
        if naive.product.moves.len() > 60 {
            continue;
        }
        let tuples = naive.product.moves.keys().filter(|tuple| naive.is_terminal(tuple));
        let expected: BTreeSet<_> = tuples.map(|tuple| naive.reach[tuple].clone()).collect();
        let product = Product::transparent(&network);
        let mut search = TerminalSearch::new(&product);
        let mut found = Vec::new();
        let mut allowed = 0;
        loop {
            // With a pause now and then, after which it goes on.
            allowed += Rng::new(seed + allowed as u64).below(3);
            match search.find_next(allowed, &Budget::UNLIMITED).unwrap() {
                Terminal::Component(root) => found.push(members(&product, &search, root)),
                Terminal::Paused => allowed += 1,
                Terminal::Complete => break,
            }
        }
        assert_eq!(found.len(), expected.len(), "seed {seed}: a component was found twice, or missed");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        beside_errors += usize::from(naive.error().is_some() && !expected.is_empty());
        several += usize::from(expected.len() > 1);
    }
    let enough = beside_errors > 100 && several > 100;
    assert!(enough || is_single_seed(), "too few to mean anything: {beside_errors}, {several}");
}

#[test]
fn a_part_within_known_states_has_the_ways_between_them() {
    for seed in seeds(500) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let product = Product::transparent(&network);
        let mut search = TerminalSearch::new(&product);
        let _ = search.find_next(Rng::new(seed).below(12), &Budget::UNLIMITED).unwrap();
        let part = Part::within(&product, search.states());
        let mut within = Search::new(&part);
        within.run(&Budget::UNLIMITED, &mut ()).unwrap();
        assert_eq!(
            within.states().len(),
            search.states().len(),
            "seed {seed}: a known state was not reached"
        );
    }
}

/// Counters that go round, so that all their states are one component, beside one that ends.
fn counters(count: usize) -> Network {
    let counter = |i: usize| {
        let name = format!("step.{i}");
        let steps: Vec<(usize, &str, usize)> = (0..10).map(|s| (s, name.as_str(), (s + 1) % 10)).collect();
        Component::new(format!("C.{i}"), from_transitions(10, &steps))
    };
    Network::new((0..count).map(counter).collect())
}

#[test]
fn the_transitions_that_are_allowed_are_kept_to() {
    let network = counters(5);
    let product = Product::transparent(&network);
    let mut search = TerminalSearch::new(&product);
    assert_eq!(search.find_next(1000, &Budget::UNLIMITED), Ok(Terminal::Paused));
    assert!((1000..1005).contains(&search.transitions()), "{}", search.transitions());
    assert_eq!(
        search.find_next(usize::MAX, &Budget::UNLIMITED),
        Ok(Terminal::Component(StateId::from_index(0)))
    );
    assert_eq!((search.states().len(), search.transitions()), (100_000, 500_000));
    assert_eq!(search.find_next(usize::MAX, &Budget::UNLIMITED), Ok(Terminal::Complete));
}

#[test]
fn limits_are_kept() {
    let network = counters(5);
    let product = Product::transparent(&network);
    let all = {
        let mut search = TerminalSearch::new(&product);
        search.find_next(usize::MAX, &Budget::UNLIMITED).unwrap();
        search.bytes()
    };
    let bytes = [all - 1, all - all / 8, all / 2, all / 4, all / 100]
        .map(|bytes| Limits { states: None, bytes: Some(bytes) });
    let memory = bytes.map(|limits| (limits, Resource::Memory));
    for (limits, resource) in
        memory.into_iter().chain([(Limits { states: Some(5000), bytes: None }, Resource::States)])
    {
        let mut search = TerminalSearch::new(&product);
        let met = search.find_next(usize::MAX, &Budget::new(limits, None)).unwrap_err();
        assert_eq!(met.resource, resource);
        assert!(search.states().len() <= limits.states.unwrap_or(usize::MAX));
        assert!(search.bytes() <= limits.bytes.unwrap_or(usize::MAX), "{} bytes", search.bytes());
    }
}

#[test]
fn what_starts_in_its_error_has_no_component() {
    let mut builder = rely_lts::LtsBuilder::with_states(["a"].into_iter().collect(), 0);
    let error = builder.error_state();
    builder.set_initial(error);
    let network = Network::new(vec![Component::new("P", builder.build())]);
    let product = Product::transparent(&network);
    assert_eq!(TerminalSearch::new(&product).find_next(9, &Budget::UNLIMITED), Ok(Terminal::Complete));
}
