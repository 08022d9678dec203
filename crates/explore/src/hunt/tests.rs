//! Hunts find failures that are there, replay them, and keep to their limits.

use std::sync::Arc;

use rely_lts::{Component, Lts, Network};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::Search;

/// How many steps the shortest run to a failure has, if there is one, by visiting all states.
fn shortest(product: &Product<'_>) -> Option<usize> {
    struct First(Option<Option<StateId>>);
    impl crate::Visitor for First {
        fn error(&mut self, source: Option<StateId>, _label: Label, _component: ComponentId) {
            self.0.get_or_insert(source);
        }
    }
    let (mut search, mut first) = (Search::new(product), First(None));
    search.run(&Budget::UNLIMITED, &mut first).expect("there is no limit");
    first.0.map(|source| source.map_or(0, |source| search.distance(source) + 1))
}

/// Whether a run is one of the product, step by step.
fn is_run(product: &Product<'_>, prey: &Prey) -> bool {
    let mut cursor = product.cursor();
    let mut place = StateId::from_raw(0);
    let has = |place: StateId, wanted: Successor<'_>, by: Label, cursor: &mut ProductCursor| {
        product
            .try_successors(prey.states.get(place), cursor, &mut |label, successor| {
                if label == by && successor == wanted {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .is_break()
    };
    for Step { label, target } in &prey.path {
        if !has(place, Successor::State(prey.states.get(*target)), *label, &mut cursor) {
            return false;
        }
        place = *target;
    }
    let (label, component) = prey.failure;
    has(place, Successor::Error(component), label, &mut cursor)
}

#[test]
fn what_fails_is_found_and_nothing_else() {
    let shape = Shape { components: 5, ..Shape::FULL };
    let (mut found, mut longer, mut pruned) = (0, 0, 0);
    for seed in seeds(3_000) {
        let network = networks::network(&mut Rng::new(seed), &shape);
        let product = Product::transparent(&network);
        let wanted = shortest(&product).filter(|&steps| steps > 0 && network.priority().is_none());
        let mut hunt = Hunt::new(&product, seed);
        let prey = hunt.run_for(usize::MAX, &Budget::UNLIMITED).expect("there is no limit");
        assert_eq!(prey.is_some(), wanted.is_some(), "seed {seed}");
        assert!(hunt.is_over());
        let (Some(prey), Some(wanted)) = (prey, wanted) else {
            pruned += usize::from(hunt.states() > 0 && wanted.is_none());
            continue;
        };
        assert!(is_run(&product, &prey), "seed {seed}");
        found += 1;
        assert!(prey.path.len() + 1 >= wanted, "seed {seed}: shorter than the shortest");
        longer += usize::from(prey.path.len() + 1 > wanted);
    }
    assert!(
        (found > 200 && pruned > 300) || is_single_seed(),
        "{found} found, {longer} longer, {pruned} without"
    );
}

#[test]
fn estimates_exist_where_failures_can_be_reached() {
    let shape = Shape { components: 5, ..Shape::FULL };
    for seed in seeds(1_000) {
        let network = networks::network(&mut Rng::new(seed), &shape);
        let product = Product::transparent(&network);
        let Some(steps) = shortest(&product).filter(|&steps| steps > 0) else { continue };
        let initial: Vec<StateId> = network.components().iter().map(|part| part.lts.initial()).collect();
        let estimate = Distance::new(&network).of(&initial);
        assert!(estimate.is_some(), "seed {seed}: {steps} steps away");
        // With one component nothing is relaxed.
        if let [_] = network.components() {
            assert_eq!(estimate, u32::try_from(steps).ok(), "seed {seed}");
        }
    }
}

#[test]
fn portions_of_work_and_the_seed_decide_what_is_found() {
    let shape = Shape { components: 6, ..Shape::FULL };
    for seed in seeds(300) {
        let network = networks::network(&mut Rng::new(seed), &shape);
        let product = Product::transparent(&network);
        let whole =
            Hunt::new(&product, 7).run_for(usize::MAX, &Budget::UNLIMITED).expect("there is no limit");
        let mut hunt = Hunt::new(&product, 7);
        let mut portions = None;
        while portions.is_none() && !hunt.is_over() {
            portions = hunt.run_for(3, &Budget::UNLIMITED).expect("there is no limit");
        }
        let told = |prey: Option<Prey>| prey.map(|prey| (prey.path, prey.failure));
        assert_eq!(told(whole), told(portions), "seed {seed}");
    }
}

/// A ring of `size` steps, after the last of which it begins again.
fn ring(size: usize, name: &str) -> Lts {
    let steps: Vec<(usize, String, usize)> =
        (0..size).map(|place| (place, format!("{name}.{place}"), (place + 1) % size)).collect();
    let steps: Vec<(usize, &str, usize)> =
        steps.iter().map(|(from, name, to)| (*from, name.as_str(), *to)).collect();
    from_transitions(size, &steps)
}

#[test]
fn a_deep_failure_is_found_among_components_that_have_nothing_to_do_with_it() {
    let fails: Vec<(usize, String, usize)> =
        (0..40).map(|place| (place, format!("a.{place}"), place + 1)).collect();
    let mut builder =
        rely_lts::LtsBuilder::with_states(fails.iter().map(|step| step.1.as_str()).collect(), 40);
    let error = builder.error_state();
    for (place, name, next) in &fails {
        let label = Label::visible(builder.alphabet_mut().intern(name));
        let target = if *next == 40 { error } else { StateId::from_index(*next) };
        builder.add_transition(StateId::from_index(*place), label, target);
    }
    let goal = Component { name: "GOAL".into(), lts: Arc::new(builder.build()) };
    let others = (0..10).map(|i| Component::new(format!("R{i}"), ring(5, &format!("r{i}"))));
    let network =
        Network::new([Component::new("A", ring(40, "a")), goal].into_iter().chain(others).collect());
    let product = Product::transparent(&network);
    let mut hunt = Hunt::new(&product, 1);
    let prey = hunt.run_for(100_000, &Budget::UNLIMITED).expect("there is no limit").expect("it fails");
    assert!(is_run(&product, &prey));
    assert_eq!(prey.path.len(), 39, "nothing is left but what leads to the failure");
    assert!(hunt.states() < 2_000, "{}", hunt.states());
}
