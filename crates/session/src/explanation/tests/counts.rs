//! The figures of coverage against a naive count: walk over all tuples of states, and note who moves by which transition.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Id, Label, StateId};
use rely_lts::{Component, ComponentId, Lts, Network};
use rely_testkit::networks::{Shape, component, property};
use rely_testkit::rng::{Rng, seeds};

use super::super::exercised;
use crate::report::ComponentCoverage;

type Tuple = Vec<StateId>;

/// A transition of a component: source, name of the action if it has one, target.
type Taken = (StateId, Option<String>, StateId);

/// What happens in some run.
#[derive(Default)]
struct Walk {
    tuples: BTreeSet<Tuple>,
    /// By component, the transitions that are taken.
    taken: BTreeMap<usize, BTreeSet<Taken>>,
    /// The actions that occur.
    actions: BTreeSet<String>,
}

fn named(lts: &Lts, label: Label) -> Option<String> {
    label.action().map(|action| lts.alphabet().name(action).to_owned())
}

/// What a component can do from a state by an action, or silently.
fn moves(component: &Component, state: StateId, action: Option<&str>) -> Vec<Taken> {
    let lts = &component.lts;
    let all = lts.transitions().filter(|transition| transition.source == state);
    let all = all.map(|transition| (state, named(lts, transition.label), transition.target));
    all.filter(|(_, name, _)| name.as_deref() == action).collect()
}

impl Walk {
    fn over(network: &Network) -> Self {
        let mut walk = Self::default();
        let mut open: Vec<Tuple> = vec![network.components().iter().map(|one| one.lts.initial()).collect()];
        while let Some(tuple) = open.pop() {
            if !walk.tuples.insert(tuple.clone()) || failed(network, &tuple) {
                continue;
            }
            for (i, component) in network.components().iter().enumerate() {
                for one in moves(component, tuple[i], None) {
                    open.push(walk.step(&tuple, &[(i, one)]));
                }
            }
            let names: BTreeSet<&str> =
                network.components().iter().flat_map(|component| component.lts.alphabet().names()).collect();
            for name in names {
                for together in joint(network, &tuple, name) {
                    walk.actions.insert(name.to_owned());
                    open.push(walk.step(&tuple, &together));
                }
            }
        }
        walk
    }

    /// Notes a step, and gives the tuple after it.
    fn step(&mut self, tuple: &Tuple, movers: &[(usize, Taken)]) -> Tuple {
        let mut next = tuple.clone();
        for (i, taken) in movers {
            self.taken.entry(*i).or_default().insert(taken.clone());
            next[*i] = taken.2;
        }
        next
    }
}

fn failed(network: &Network, tuple: &[StateId]) -> bool {
    network.components().iter().zip(tuple).any(|(component, &state)| component.lts.error() == Some(state))
}

/// Everything that those who have an action can do together by it; nothing if one of them refuses.
fn joint(network: &Network, tuple: &[StateId], action: &str) -> Vec<Vec<(usize, Taken)>> {
    let mut together: Vec<Vec<(usize, Taken)>> = vec![Vec::new()];
    for (i, component) in network.components().iter().enumerate() {
        if component.lts.alphabet().get(action).is_none() {
            continue;
        }
        let own = moves(component, tuple[i], Some(action));
        let with = |before: &Vec<(usize, Taken)>, one: &Taken| {
            let mut all = before.clone();
            all.push((i, one.clone()));
            all
        };
        together = together
            .iter()
            .flat_map(|before| own.iter().map(|one| with(before, one)).collect::<Vec<_>>())
            .collect();
    }
    together
}

/// How many transitions into the error state of a component are taken, or could be if another component that is ready for
/// the action were not alone.
fn approached(network: &Network, walk: &Walk, i: usize) -> usize {
    let lts = &network.components()[i].lts;
    let forbidden = lts.transitions().filter(|transition| lts.error() == Some(transition.target));
    let is_near = |transition: &rely_lts::Transition| {
        let name = named(lts, transition.label);
        let is_taken = walk
            .taken
            .get(&i)
            .is_some_and(|taken| taken.contains(&(transition.source, name.clone(), transition.target)));
        let ready = |tuple: &&Tuple| {
            let others = network.components().iter().enumerate().filter(|(j, _)| *j != i);
            let mut others = others.filter(|(j, other)| !moves(other, tuple[*j], name.as_deref()).is_empty());
            !failed(network, tuple) && tuple[i] == transition.source && others.next().is_some()
        };
        is_taken || (name.is_some() && walk.tuples.iter().any(|tuple| ready(&tuple)))
    };
    forbidden.filter(is_near).count()
}

/// The figures of a component.
fn counted(network: &Network, walk: &Walk, i: usize) -> [usize; 6] {
    let lts = &network.components()[i].lts;
    let is_error = |state: StateId| lts.error() == Some(state);
    let states: Vec<StateId> = lts.states().filter(|&state| !is_error(state)).collect();
    let visited = states.iter().filter(|&&state| walk.tuples.iter().any(|tuple| tuple[i] == state));
    let proper = lts.transitions().filter(|transition| !is_error(transition.target));
    let taken = walk.taken.get(&i).map_or(0, |taken| taken.iter().filter(|one| !is_error(one.2)).count());
    let forbidden = lts.transitions().filter(|transition| is_error(transition.target));
    [states.len(), visited.count(), proper.count(), taken, forbidden.count(), approached(network, walk, i)]
}

fn figures(one: &ComponentCoverage) -> [usize; 6] {
    [
        one.states,
        one.states_visited,
        one.transitions,
        one.transitions_taken,
        one.forbidden,
        one.forbidden_approached,
    ]
}

fn compare(network: &Network, what: &str) {
    let last = ComponentId::from_index(network.components().len() - 1);
    let coverage = exercised(network, &[last], &Budget::UNLIMITED).expect("nothing can go wrong");
    assert!(coverage.exhaustive, "{what}");
    let walk = Walk::over(network);
    for (i, one) in coverage.components.iter().enumerate() {
        assert_eq!(figures(one), counted(network, &walk, i), "{what}: {}", one.name);
        let own = network.components()[i].lts.alphabet();
        let never: Vec<String> = own.sorted_names().into_iter().map(str::to_owned).collect();
        let never: Vec<String> = never.into_iter().filter(|name| !walk.actions.contains(name)).collect();
        assert_eq!(one.never, never, "{what}: {}", one.name);
        assert_eq!(one.untaken.len() + one.further, one.transitions - one.transitions_taken, "{what}");
    }
    let goal = coverage.components.last().expect("the property");
    if coverage.witness.is_none() {
        assert_eq!(coverage.exercised, goal.transitions_taken + goal.forbidden_approached > 0, "{what}");
    }
}

#[test]
fn the_figures_are_those_of_a_naive_count() {
    const SHAPE: Shape = Shape { components: 3, states: 3, errors: false, operators: false, ..Shape::FULL };
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let mut components: Vec<Component> =
            (0..2).map(|i| Component::new(format!("M{i}"), component(&mut rng, &SHAPE))).collect();
        components.push(Component::new("P".to_owned(), property(&mut rng, 3, SHAPE.actions)));
        compare(&Network::new(components), &format!("seed {seed}"));
    }
}
