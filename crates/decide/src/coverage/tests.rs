//! Coverage against its definition.

use std::sync::Arc;

use rely_base::{Budget, Id, Label, Limits, StateId};
use rely_lts::{Component, ComponentId, Network};
use rely_testkit::generate::{Special, all_ltss};
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Coverage, Exercised, Sight, coverage};

fn ids(network: &Network) -> impl Iterator<Item = ComponentId> + use<> {
    (0..network.components().len()).map(ComponentId::from_index)
}

/// What is exercised of a component, by the definition: for each state and each transition, look for a reachable tuple,
/// and for a move, that has it.
fn defined(network: &Network, naive: &NaiveProduct, id: ComponentId) -> Exercised {
    let (i, lts) = (id.index(), &network.components()[id.index()].lts);
    let reached = |state: StateId| naive.moves.keys().any(|tuple| tuple[i] == state);
    let name = |label: Label| label.action().map(|action| lts.alphabet().name(action).to_owned());
    let is_move_of = |tuple: &[StateId], label: Label, target: StateId| {
        naive.moves[tuple].iter().any(|(action, next)| {
            let moved = match (action, name(label)) {
                (None, None) => (0..tuple.len()).all(|j| j == i || tuple[j] == next[j]),
                (Some(action), Some(name)) => network.alphabet().name(*action) == name,
                _ => false,
            };
            moved && next[i] == target
        })
    };
    let taken = |transition: rely_lts::Transition| {
        naive.moves.keys().any(|tuple| {
            tuple[i] == transition.source && is_move_of(tuple, transition.label, transition.target)
        })
    };
    let approached = |transition: rely_lts::Transition| {
        let Some(name) = name(transition.label).filter(|_| lts.error() == Some(transition.target)) else {
            return lts.error() == Some(transition.target) && taken(transition);
        };
        let is_ready = |tuple: &[StateId]| {
            network.components().iter().enumerate().any(|(j, other)| {
                let own = other.lts.alphabet().get(&name);
                j != i
                    && own.is_some_and(|own| !other.lts.edges_with(tuple[j], Label::visible(own)).is_empty())
            })
        };
        let at_source =
            |tuple: &&Vec<StateId>| tuple[i] == transition.source && error_in(network, tuple).is_none();
        taken(transition) || naive.moves.keys().filter(at_source).any(|tuple| is_ready(tuple))
    };
    Exercised {
        states: lts.states().map(reached).collect(),
        transitions: lts.transitions().map(taken).collect(),
        approached: lts.transitions().map(approached).collect(),
    }
}

/// The length of a shortest run to a tuple in which a component of the goal forbids what some are ready for and some
/// refuse.
fn nearest(network: &Network, naive: &NaiveProduct, goal: &[ComponentId]) -> Option<usize> {
    let is_near = |tuple: &[StateId]| {
        let ready = |j: usize, name: &str| {
            let lts = &network.components()[j].lts;
            lts.alphabet().get(name).map(|own| !lts.edges_with(tuple[j], Label::visible(own)).is_empty())
        };
        error_in(network, tuple).is_none()
            && goal.iter().any(|id| {
                let lts = &network.components()[id.index()].lts;
                let edges = lts.edges(tuple[id.index()]).iter();
                let mut forbidden = edges.filter(|edge| lts.error() == Some(edge.target));
                forbidden.any(|edge| {
                    let Some(action) = edge.label.action() else { return false };
                    let others = (0..tuple.len()).filter(|&j| j != id.index());
                    let answers: Vec<bool> =
                        others.filter_map(|j| ready(j, lts.alphabet().name(action))).collect();
                    answers.contains(&true) && answers.contains(&false)
                })
            })
    };
    naive.distance.iter().filter(|(tuple, _)| is_near(tuple)).map(|(_, &distance)| distance).min()
}

/// Silent moves that leave everything as it is are the same for all components, so the naive product cannot tell whose
/// they are; then any component that has one at that state takes it.
fn compare(network: &Network, goal: &[ComponentId], seed: u64) -> Coverage {
    let naive = NaiveProduct::new(network);
    let found = coverage(network, goal, &Budget::UNLIMITED).expect("the witness can be replayed");
    assert!(found.is_exhaustive, "seed {seed}");
    for id in ids(network) {
        let expected = defined(network, &naive, id);
        assert_eq!(found.components[id.index()].transitions, expected.transitions, "seed {seed}, {id:?}");
        assert_eq!(found.components[id.index()].approached, expected.approached, "seed {seed}, {id:?}");
        assert_eq!(found.components[id.index()].states, expected.states, "seed {seed}, {id:?}");
    }
    for (action, _) in network.alphabet().iter() {
        let occurs = naive.moves.values().flatten().any(|(taken, _)| *taken == Some(action));
        assert_eq!(found.actions[action.index()], occurs, "seed {seed}");
    }
    let expected = nearest(network, &naive, goal);
    match &found.witness {
        Some(witness) if matches!(witness.sight, Sight::Near { .. }) => {
            assert_eq!(Some(witness.steps.len()), expected, "seed {seed}");
        }
        Some(_) | None => assert_eq!(expected, None, "seed {seed}"),
    }
    found
}

#[test]
fn what_is_exercised_is_what_occurs() {
    let (mut unvisited, mut untaken) = (0, 0);
    for seed in seeds(1500) {
        let network = networks::network(&mut Rng::new(seed), &Shape { operators: false, ..Shape::FULL });
        let found = compare(&network, &[ComponentId::from_index(0)], seed);
        unvisited += usize::from(found.components.iter().any(|one| one.states.contains(&false)));
        untaken += usize::from(found.components.iter().any(|one| one.transitions.contains(&false)));
    }
    assert!(is_single_seed() || (unvisited > 200 && untaken > 200), "too few: {unvisited}, {untaken}");
}

#[test]
fn pairs_of_tiny_systems() {
    let error = Special { error: true, end: false };
    for (part_states, goal_states) in [(2, 1), (1, 2)] {
        for (i, part) in all_ltss(part_states, 1, Special::NONE).map(Arc::new).enumerate() {
            for goal in all_ltss(goal_states, 1, error).map(Arc::new) {
                let component = |name: &str, lts| Component { name: name.to_owned(), lts };
                let network = Network::new(vec![component("M", part.clone()), component("P", goal)]);
                compare(&network, &[ComponentId::from_index(1)], i as u64);
            }
        }
    }
}

#[test]
fn priority_and_hiding_are_respected() {
    for seed in seeds(800) {
        let network = networks::network(&mut Rng::new(seed), &Shape { silent: false, ..Shape::FULL });
        compare(&network, &[], seed);
    }
}

#[test]
fn witnesses_are_shortest_and_come_near() {
    let (mut near, mut moved) = (0, 0);
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let shape = Shape { components: 2, states: 3, errors: false, operators: false, ..Shape::FULL };
        let component = |name: &str, lts| Component { name: name.to_owned(), lts: Arc::new(lts) };
        let mut components: Vec<Component> =
            (0..2 + rng.below(2)).map(|_| component("M", networks::component(&mut rng, &shape))).collect();
        components.push(component("P", networks::property(&mut rng, 3, &["a", "b", "c"])));
        let goal = ComponentId::from_index(components.len() - 1);
        let network = Network::new(components);
        let found = compare(&network, &[goal], seed);
        match found.witness.map(|witness| (witness.sight, witness.steps)) {
            Some((Sight::Near { action, ready, refusing, .. }, _)) => {
                let has =
                    |id: &ComponentId| network.components()[id.index()].lts.alphabet().contains(&action);
                assert!(ready.iter().chain(&refusing).all(has), "seed {seed}");
                near += 1;
            }
            Some((Sight::Moved { .. }, steps)) => {
                let last = steps.last().expect("a step was taken");
                assert!(last.movers.contains(&goal), "seed {seed}");
                moved += 1;
            }
            None => {
                let taken = &found.components[goal.index()].transitions;
                let lts = &network.components()[goal.index()].lts;
                let mut proper = lts.transitions().zip(taken);
                assert!(proper.all(|(t, &taken)| !taken || Some(t.target) == lts.error()), "seed {seed}");
            }
        }
    }
    assert!(is_single_seed() || (near > 50 && moved > 50), "too few to mean anything: {near}, {moved}");
}

#[test]
fn a_limit_leaves_what_was_seen() {
    let network = networks::philosophers(6);
    let whole = coverage(&network, &[], &Budget::UNLIMITED).expect("no witness");
    let budget = Budget::new(Limits { states: Some(100), bytes: None }, None);
    let part = coverage(&network, &[], &budget).expect("no witness");
    assert!(whole.is_exhaustive && !part.is_exhaustive);
    assert!(part.explored.states <= 100 && part.explored.states > 50);
    for (all, some) in whole.components.iter().zip(&part.components) {
        let within = |some: &[bool], all: &[bool]| some.iter().zip(all).all(|(some, all)| !some || *all);
        assert!(within(&some.states, &all.states) && within(&some.transitions, &all.transitions));
    }
}
