//! Searches against naive products: with stubborn sets a failure is found exactly if there is one, and what is chosen is a
//! closed set, by the definition.

use std::collections::BTreeSet;

use rely_base::{Alphabet, Id, Label, Limits, Resource, StateId};
use rely_lts::{Component, Lts, LtsBuilder};
use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];

/// Sets are chosen from the beginning.
const AT_ONCE: Manner = Manner { few: 0, ..Manner::USUAL };

/// Components that have few actions each, so that many have none in common.
fn sparse(rng: &mut Rng) -> Network {
    let component = |rng: &mut Rng| {
        let first = rng.below(ACTIONS.len() - 1);
        let actions = &ACTIONS[first..(first + 1 + rng.below(2)).min(ACTIONS.len())];
        let shape = Shape { states: 3, actions, operators: false, ..Shape::FULL };
        Component::new("M", networks::component(rng, &shape))
    };
    Network::new((0..2 + rng.below(3)).map(|_| component(rng)).collect())
}

fn raw(tuple: &Tuple) -> Vec<u32> {
    tuple.iter().map(|state| state.raw()).collect()
}

/// Whether a sequence of labels leads to a failure.
fn fails_after(network: &Network, product: &NaiveProduct, trace: &[String]) -> bool {
    let mut now: BTreeSet<&Tuple> = BTreeSet::from([&product.initial]);
    for label in trace {
        let named = |action: Option<ActionId>| action.map_or("tau", |action| network.alphabet().name(action));
        let after = now.iter().flat_map(|tuple| &product.moves[*tuple]);
        now = after.filter(|(action, _)| named(*action) == label).map(|(_, target)| target).collect();
    }
    now.iter().any(|tuple| error_in(network, tuple).is_some())
}

#[test]
fn stubborn_sets_find_what_there_is() {
    let (mut failing, mut smaller, mut rested) = (0, 0, 0);
    for seed in seeds(6000) {
        let network = sparse(&mut Rng::new(seed));
        let product = NaiveProduct::new(&network);
        let fails = product.moves.keys().any(|tuple| error_in(&network, tuple).is_some());
        let impatient = Manner { patience: 1, longest_rest: 100, ..AT_ONCE };
        for manner in
            [AT_ONCE, impatient, Manner { few: 3, ..AT_ONCE }, Manner { few: usize::MAX, ..AT_ONCE }]
        {
            let trace = first_failure_by(manner, &network, &Budget::UNLIMITED).expect("no limit");
            assert_eq!(trace.is_some(), fails, "seed {seed}, {manner:?}");
            assert!(
                trace.is_none_or(|trace| fails_after(&network, &product, &trace)),
                "seed {seed}, {manner:?}"
            );
        }
        failing += usize::from(fails);
        let composition = Composition::new(&network);
        let never = |_: &[u32]| false;
        let reached = |manner: Manner| {
            let mut walk = Walk::new(&composition, &never, &Budget::UNLIMITED);
            walk.some(manner).expect("no limit");
            let is_real = |it: &Reached| product.moves.keys().any(|tuple| raw(tuple)[..] == *it.tuple);
            assert!(walk.reached.iter().all(is_real), "seed {seed}, {manner:?}");
            walk.reached.len()
        };
        let fewest = reached(AT_ONCE);
        smaller += usize::from(fewest < product.moves.len());
        rested += usize::from(fewest < reached(impatient));
    }
    let enough = failing > 1000 && smaller > 500 && rested > 15;
    assert!(enough || is_single_seed(), "too few: {failing}, {smaller}, {rested}");
}

#[test]
fn what_is_little_work_is_known_before() {
    let counter = |name: &str| {
        let steps: Vec<_> = (0..5000).map(|state| (state, name, (state + 1) % 5000)).collect();
        from_transitions(5000, &steps)
    };
    let network = Network::new(vec![Component::new("M", counter("a"))]);
    let states = |most| Budget::new(Limits { states: Some(most), bytes: None }, None);
    assert_eq!(is_searched_within(100_000, &network, &Budget::UNLIMITED), Ok(true));
    assert_eq!(is_searched_within(100, &network, &Budget::UNLIMITED), Ok(false));
    assert_eq!(is_searched_within(100, &network, &states(1000)), Ok(false));
    let met =
        is_searched_within(1000, &network, &states(100)).expect_err("less is allowed than is asked for");
    assert_eq!(met.resource, Resource::States);
}

#[test]
fn what_is_chosen_is_closed() {
    let mut chosen = 0;
    for seed in seeds(1500) {
        let network = sparse(&mut Rng::new(seed));
        let product = NaiveProduct::new(&network);
        let composition = Composition::new(&network);
        let mut chooser = Chooser::new(&composition);
        for (tuple, moves) in product.moves.iter().filter(|(tuple, _)| error_in(&network, tuple).is_none()) {
            let (Some(members), _) = chooser.choose(&raw(tuple)) else { continue };
            chosen += 1;
            let lts = |i: usize| &network.components()[i].lts;
            let knows = |i: usize, name: &str| lts(i).alphabet().contains(name);
            let is_ready = |i: usize, name: &str| {
                let label = lts(i).alphabet().get(name).map(Label::visible);
                label.is_some_and(|label| !lts(i).edges_with(tuple[i], label).is_empty())
            };
            let all = || 0..network.components().len();
            for name in
                network.alphabet().names().filter(|name| all().any(|i| members[i] && is_ready(i, name)))
            {
                let is_possible = moves
                    .iter()
                    .any(|(action, _)| action.is_some_and(|action| network.alphabet().name(action) == name));
                let is_closed = match is_possible {
                    true => all().filter(|&i| knows(i, name)).all(|i| members[i]),
                    false => all().any(|i| members[i] && knows(i, name) && !is_ready(i, name)),
                };
                assert!(is_closed, "seed {seed}, {tuple:?}, {name}");
            }
            let mut steps = 0;
            let counted = composition.steps_of(&raw(tuple), |i| members[i], &mut |_, _| {
                steps += 1;
                Ok::<(), ()>(())
            });
            assert!(counted.is_ok() && steps > 0, "seed {seed}, {tuple:?}");
        }
    }
    assert!(chosen > 1000 || is_single_seed(), "too few to mean anything: {chosen}");
}

/// Goes round with actions of its own.
fn clock(number: usize, states: usize) -> Lts {
    let name = format!("tick{number}");
    let ticks: Vec<(usize, &str, usize)> = (0..states).map(|i| (i, &*name, (i + 1) % states)).collect();
    from_transitions(states, &ticks)
}

/// Fails by its second step.
fn fragile() -> Lts {
    let mut builder = LtsBuilder::with_states(["push"].into_iter().collect(), 2);
    let error = builder.error_state();
    let push = Label::visible(Id::from_index(0));
    builder.add_transition(StateId::from_raw(0), push, StateId::from_raw(1));
    builder.add_transition(StateId::from_raw(1), push, error);
    builder.build()
}

fn network(systems: Vec<Lts>) -> Network {
    Network::new(systems.into_iter().map(|lts| Component::new("M", lts)).collect())
}

#[test]
fn nothing_is_put_off_for_ever() {
    // The clocks come first, and could go round without the last one ever being asked.
    for clocks in 1..4 {
        let systems = (0..clocks).map(|i| clock(i, 3)).chain([fragile()]).collect();
        let trace = first_failure_by(AT_ONCE, &network(systems), &Budget::UNLIMITED).expect("no limit");
        let pushes = trace.expect("it fails").iter().filter(|label| *label == "push").count();
        assert_eq!(pushes, 2);
    }
}

#[test]
fn independent_components_need_few_tuples() {
    // Ten that take three steps each: 4^10 tuples, of which a single order of steps suffices.
    let steps = |i: usize| {
        let name = format!("step{i}");
        let mut builder = LtsBuilder::with_states([&*name].into_iter().collect(), 4);
        let label = Label::visible(Id::from_index(0));
        (0..3).for_each(|i| builder.add_transition(StateId::from_raw(i), label, StateId::from_raw(i + 1)));
        builder.build()
    };
    let mut systems: Vec<Lts> = (0..10).map(steps).collect();
    let limits = Limits { states: Some(1 << 13), bytes: None };
    let budget = Budget::new(limits, None);
    assert_eq!(first_failure(&network(systems.clone()), &budget), Ok(None));
    let exhausted = search(&network(systems.clone()), &|_| false, &budget).expect_err("too many tuples");
    assert_eq!(exhausted.resource, Resource::States);
    systems.push(fragile());
    let trace = first_failure_by(AT_ONCE, &network(systems), &budget).expect("few tuples");
    assert!(trace.is_some_and(|trace| trace.last().is_some_and(|label| label == "push")));
}

#[test]
fn a_component_that_has_failed_at_once() {
    let mut builder = LtsBuilder::with_states(Alphabet::new(), 0);
    let error = builder.error_state();
    builder.set_initial(error);
    let network = network(vec![clock(0, 2), builder.build()]);
    for few in [0, 10] {
        assert_eq!(
            first_failure_by(Manner { few, ..AT_ONCE }, &network, &Budget::UNLIMITED),
            Ok(Some(Vec::new()))
        );
    }
}

/// A system of transitions; those to `FAILS` lead to its error state, and `tau` is silent.
fn system(states: usize, transitions: &[(u32, &str, u32)]) -> Lts {
    let names = transitions.iter().map(|&(_, name, _)| name).filter(|&name| name != "tau");
    let alphabet: Alphabet = names.collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
    for &(source, name, target) in transitions {
        let label = alphabet.get(name).map_or(Label::TAU, Label::visible);
        let target = if target == FAILS { builder.error_state() } else { StateId::from_raw(target) };
        builder.add_transition(StateId::from_raw(source), label, target);
    }
    builder.build()
}

const FAILS: u32 = u32::MAX;

/// The failure that is found when sets are chosen from the beginning.
fn found(systems: Vec<Lts>) -> Vec<String> {
    let trace = first_failure_by(AT_ONCE, &network(systems), &Budget::UNLIMITED);
    trace.expect("no limit").expect("it fails")
}

#[test]
fn whoever_refuses_an_action_may_come_to_offer_it() {
    // The first can leave by `b`, which looks like a set of one step. But the other may come to offer `a` before.
    let leaving = system(2, &[(0, "b", 1), (0, "a", FAILS)]);
    let coming = system(4, &[(0, "d", 1), (0, "e", 2), (0, "f", 3), (1, "a", 2)]);
    assert_eq!(found(vec![leaving.clone(), coming]), ["d", "a"]);
    // Here the silent step of the other one is tried first, and gives too large a set.
    let coming = system(3, &[(0, "tau", 2), (0, "d", 1), (1, "a", 2)]);
    assert_eq!(found(vec![leaving, coming]), ["d", "a"]);
}

#[test]
fn whoever_refuses_an_action_does_not_move_alone() {
    // The component that refuses `a` is needed, and so is its partner, which may do `x` and `y` instead.
    let staying = system(2, &[(0, "b", 0), (0, "a", 1)]);
    let refusing = system(3, &[(0, "d", 1), (0, "e", 1), (0, "f", 1), (1, "a", 2)]);
    let choosing =
        system(3, &[(0, "d", 1), (0, "e", 1), (0, "f", 1), (0, "x", 2), (0, "z", 1), (2, "y", FAILS)]);
    assert_eq!(found(vec![staying, refusing, choosing]), ["x", "y"]);
}
