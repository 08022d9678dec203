//! What is taken away at once is what round after round takes away, and it takes no more steps than there are
//! transitions, where nothing loses its path twice.

use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Limits, Observer, Resource};
use rely_lts::LtsBuilder;
use rely_lts::equivalence::{Equivalence, determinise};
use rely_lts::operators::propagate_error;
use rely_testkit::generate::{Special, all_ltss};
use rely_testkit::naive::equivalence as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::backwards::reaching;

const SHAPE: Shape = Shape { states: 9, ..Shape::FULL };

fn is_own(name: &str) -> bool {
    name == "a" || name == "c"
}

/// The naive twin of [`without_deadlocks`]: in each round all states are looked at.
fn in_rounds(lts: &Lts) -> Lts {
    let mut lts = trim(lts);
    loop {
        let proper = |source: StateId| {
            let edges = lts.edges(source).iter().filter(|edge| Some(edge.target) != lts.error());
            edges.map(move |edge| (source, edge.label, edge.target))
        };
        let all: Vec<(StateId, Label, StateId)> = lts.states().flat_map(proper).collect();
        let is_own = |label: Label| label.action().is_some_and(|action| is_own(lts.alphabet().name(action)));
        let acting = all.iter().filter(|(_, label, _)| is_own(*label)).map(|(source, _, _)| *source);
        let edges = all.iter().map(|(source, _, target)| (*source, *target));
        let alive = reaching(&sources(lts.state_count(), edges), acting);
        if lts.states().all(|state| alive[state.index()] || Some(state) == lts.error()) {
            return lts;
        }
        lts = propagate_error(&merged_into_error(&lts, |state| !alive[state.index()]));
    }
}

/// The naive twin of [`stuck_sets`].
fn stuck_in_rounds(graph: &Graph, sets: &[StateId], count: usize, own: &[bool]) -> Vec<bool> {
    let mut is_stuck = vec![false; count];
    loop {
        let is_left = |pair: StateId| !is_stuck[sets[pair.index()].index()];
        let allowed = |pair| graph.edges(pair).iter().filter(|edge| is_left(edge.target));
        let edges = graph.states().flat_map(|pair| allowed(pair).map(move |edge| (pair, edge.target)));
        let is_own = |label: Label| label.action().is_some_and(|action| own[action.index()]);
        let acting = graph.states().filter(|&pair| allowed(pair).any(|edge| is_own(edge.label)));
        let alive = reaching(&sources(graph.state_count(), edges), acting);
        let stuck: Vec<StateId> =
            graph.states().filter(|&pair| is_left(pair) && !alive[pair.index()]).collect();
        if stuck.is_empty() {
            return is_stuck;
        }
        stuck.into_iter().for_each(|pair| is_stuck[sets[pair.index()].index()] = true);
    }
}

/// Compares the two on a system; whether something was taken away, and whether something was left.
fn compare(lts: &Lts, about: &str) -> (bool, bool) {
    let lts = propagate_error(lts);
    let found = without_deadlocks(&lts, is_own, &Budget::UNLIMITED).expect("no limit");
    let expected = in_rounds(&lts);
    assert_eq!(found.state_count(), expected.state_count(), "{about}");
    assert!(naive::equivalent(&found, &expected, Equivalence::Strong), "{about}");
    let is_left = found.error() != Some(found.initial());
    if is_left {
        compare_sets(&found, about);
    }
    (found.state_count() < lts.state_count(), is_left)
}

fn compare_sets(system: &Lts, about: &str) {
    let automaton = determinise(system, &Budget::UNLIMITED).expect("no limit");
    let component = |lts: &Lts| Component { name: "M".to_owned(), lts: Arc::new(lts.clone()) };
    let network = Network::new(vec![component(system), component(&automaton)]);
    let product = Product::transparent(&network);
    let (graph, search) = Graph::explore(&product, &Budget::UNLIMITED).expect("no limit");
    let sets: Vec<StateId> =
        graph.states().map(|pair| product.unpack(search.states().get(pair))[1]).collect();
    let own: Vec<bool> = network.alphabet().names().map(is_own).collect();
    let count = automaton.state_count();
    let found = stuck_sets(&graph, &sets, count, &own, &Budget::UNLIMITED).expect("no limit");
    assert_eq!(found, stuck_in_rounds(&graph, &sets, count, &own), "{about}");
}

#[test]
fn what_goes_at_once_goes_in_rounds() {
    let (mut taken, mut left) = (0, 0);
    for seed in seeds(3000) {
        let lts = networks::component(&mut Rng::new(seed), &SHAPE);
        let (is_taken, is_left) = compare(&lts, &format!("seed {seed}"));
        taken += usize::from(is_taken && is_left);
        left += usize::from(is_left);
    }
    assert!((taken > 100 && left > 500) || is_single_seed(), "too few: {taken}, {left}");
    for (actions, special) in [(2, Special::NONE), (1, Special { error: true, end: false })] {
        for (number, lts) in all_ltss(2, actions, special).enumerate() {
            compare(&lts, &format!("number {number} of {special:?}"));
        }
    }
}

/// Counts how often it is asked, and stops the analysis after `most` times.
struct Counting {
    asked: AtomicUsize,
    most: usize,
}

impl Observer for Counting {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.asked.fetch_add(1, Ordering::Relaxed) >= self.most).then_some(Resource::Time)
    }
}

/// A path of `length` steps that ends.
fn chain(length: usize) -> Lts {
    let alphabet = ["a"].into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, length + 1);
    let action = builder.alphabet().get("a").expect("it is there");
    for state in 0..length {
        let [source, target] = [state, state + 1].map(StateId::from_index);
        builder.add_transition(source, Label::visible(action), target);
    }
    builder.build()
}

#[test]
fn a_long_way_takes_few_steps_and_can_be_stopped() {
    const LENGTH: usize = 50_000;
    let lts = chain(LENGTH);
    let counting = |most| Counting { asked: AtomicUsize::new(0), most };
    let patient = counting(usize::MAX);
    let found = without_deadlocks(&lts, is_own, &Budget::new(Limits::default(), Some(&patient)));
    let found = found.expect("no limit");
    assert_eq!(found.error(), Some(found.initial()), "wherever it goes it is stuck in the end");
    let asked = patient.asked.into_inner();
    assert!(asked > 0 && asked * Budget::INTERVAL <= 8 * LENGTH, "asked {asked} times");
    let hasty = counting(1);
    let stopped = without_deadlocks(&lts, is_own, &Budget::new(Limits::default(), Some(&hasty)));
    assert_eq!(stopped.map_err(|exhausted| exhausted.resource).err(), Some(Resource::Time));
}
