//! Why nothing is possible: what each component waits for, and which components refuse it.
//!
//! **Problem.** A trace leads to a deadlock, and the question is what is wrong there.
//!
//! **Source.** The graph of who waits for whom, as in [Coffman, Elphick & Shoshani 1971], for components that may wait
//! for one of several actions.
//!
//! **Idea.** In a tuple of states, a component *waits* for each action that it has a transition with. Another
//! component *refuses* an action that it has in its alphabet and no transition with. If nothing is possible, every
//! action that a component waits for is refused by another one. Following these links from a waiting component leads
//! into a cycle, or to a component that waits for nothing at all. Of the cycles a shortest one is shown.
//!
//! Not all links are worth following. A fork that has been taken waits to be put back by either of its users, of
//! which one does not have it: that one could put it back only after having taken it, from the very fork that waits.
//! So a component that refuses an action counts as *hopeful* if it can become ready for it by itself, without actions
//! of the component that waits. If a component waits for some that are hopeful, only the links to these are followed.
//!
//! **Complexity.** For each component its transitions in the tuple, times the participants of each action; a search
//! in each refusing component, which is given up after some states; and for the cycle, a search from each component.

use std::collections::VecDeque;

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{ComponentId, Network};
use rustc_hash::FxHashSet;

/// What a component waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The component.
    pub component: ComponentId,
    /// The actions that it has transitions with, in the order of the network; none if it has stopped.
    pub refusals: Vec<Refusal>,
}

/// An action that a component is ready for, and others are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The action.
    pub action: ActionId,
    /// Those that have it in their alphabets and no transition with it; none if it is possible.
    pub refusing: Vec<ComponentId>,
}

/// What each component of a network waits for in a tuple of states, in the order of the components.
pub fn waiting(network: &Network, tuple: &[u32]) -> Vec<Waiting> {
    (0..tuple.len()).map(|i| waiting_of(network, tuple, ComponentId::from_index(i))).collect()
}

/// What one component of a network waits for in a tuple of states.
pub fn waiting_of(network: &Network, tuple: &[u32], component: ComponentId) -> Waiting {
    let own = network.actions_of(component);
    let state = StateId::from_raw(tuple[component.index()]);
    let edges = network.components()[component.index()].lts.edges(state);
    let mut ready: Vec<ActionId> =
        edges.iter().filter_map(|edge| edge.label.action()).map(|action| own[action.index()]).collect();
    ready.sort_unstable();
    ready.dedup();
    let refusal = |action| Refusal { action, refusing: refusing(network, tuple, action) };
    Waiting { component, refusals: ready.into_iter().map(refusal).collect() }
}

/// The components that refuse an action in a tuple of states, in their order.
pub fn refusing(network: &Network, tuple: &[u32], action: ActionId) -> Vec<ComponentId> {
    let refuses = |component: &ComponentId| {
        let lts = &network.components()[component.index()].lts;
        let own = lts.alphabet().get(network.alphabet().name(action));
        let state = StateId::from_raw(tuple[component.index()]);
        own.is_none_or(|own| lts.edges_with(state, Label::visible(own)).is_empty())
    };
    network.participants(action).iter().copied().filter(refuses).collect()
}

/// A shortest cycle of components, each of which waits for an action that the next one refuses, the last one for one
/// that the first refuses; empty if there is none. If a component waits for some that are hopeful, its other links do
/// not count.
pub fn cycle_of_waiting(network: &Network, tuple: &[u32], waiting: &[Waiting]) -> Vec<ComponentId> {
    let followed: Vec<Vec<usize>> = waiting.iter().map(|it| followed(network, tuple, it)).collect();
    let mut shortest: Vec<ComponentId> = Vec::new();
    for first in 0..waiting.len() {
        if let Some(cycle) = cycle_from(&followed, first, shortest.len())
            && (shortest.is_empty() || cycle.len() < shortest.len())
        {
            shortest = cycle;
        }
    }
    shortest
}

/// The components that a component waits for; only the hopeful ones if there are any.
fn followed(network: &Network, tuple: &[u32], waiting: &Waiting) -> Vec<usize> {
    let all = || {
        let pairs = |refusal: &'_ Refusal| -> Vec<(ActionId, ComponentId)> {
            refusal.refusing.iter().map(|&by| (refusal.action, by)).collect()
        };
        waiting.refusals.iter().flat_map(pairs)
    };
    let is_hopeful =
        |&(action, by): &(ActionId, ComponentId)| is_hopeful(network, tuple, waiting.component, by, action);
    let hopeful: Vec<usize> = all().filter(is_hopeful).map(|(_, by)| by.index()).collect();
    if hopeful.is_empty() { all().map(|(_, by)| by.index()).collect() } else { hopeful }
}

/// Whether a component can become ready for an action by itself, without actions of the component that waits for it.
/// If the search takes too long, the answer is yes.
fn is_hopeful(
    network: &Network,
    tuple: &[u32],
    waiting: ComponentId,
    refusing: ComponentId,
    action: ActionId,
) -> bool {
    const MOST_STATES: usize = 4096;
    let lts = &network.components()[refusing.index()].lts;
    let own = network.actions_of(refusing);
    let needs = |label: Label| {
        let action = label.action().map(|action| own[action.index()]);
        action.is_some_and(|action| network.participants(action).contains(&waiting))
    };
    let is_it = |label: Label| label.action().is_some_and(|it| own[it.index()] == action);
    let start = StateId::from_raw(tuple[refusing.index()]);
    let mut seen = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for edge in lts.edges(state) {
            if is_it(edge.label) || seen.len() > MOST_STATES {
                return true;
            }
            if !needs(edge.label) && seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    false
}

/// A shortest cycle through a component, unless it is at least as long as the known one (0 if none is known).
fn cycle_from(followed: &[Vec<usize>], first: usize, known: usize) -> Option<Vec<ComponentId>> {
    // Where each component was reached from, and after how many steps.
    let mut before: Vec<Option<(usize, usize)>> = vec![None; followed.len()];
    let mut open = VecDeque::from([(first, 0)]);
    while let Some((here, steps)) = open.pop_front() {
        if known > 0 && steps + 1 >= known {
            return None;
        }
        for &next in &followed[here] {
            if next == first {
                let mut cycle = vec![ComponentId::from_index(here)];
                let mut place = here;
                while let Some((from, _)) = before[place].filter(|_| place != first) {
                    cycle.push(ComponentId::from_index(from));
                    place = from;
                }
                cycle.reverse();
                return Some(cycle);
            }
            if before[next].is_none() {
                before[next] = Some((here, steps + 1));
                open.push_back((next, steps + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in};
    use rely_testkit::networks::{self, Shape};
    use rely_testkit::rng::{Rng, is_single_seed, seeds};

    use super::*;

    fn raw(tuple: &Tuple) -> Vec<u32> {
        tuple.iter().map(|state| state.raw()).collect()
    }

    /// Whether a component has an action by its name, and whether it has a transition with it.
    fn has(network: &Network, i: usize, tuple: &Tuple, name: &str) -> (bool, bool) {
        let lts = &network.components()[i].lts;
        let named = |label: Label| label.action().is_some_and(|own| lts.alphabet().name(own) == name);
        (lts.alphabet().contains(name), lts.edges(tuple[i]).iter().any(|edge| named(edge.label)))
    }

    /// The states that a component can come to without actions of another one, from the definition.
    fn reach(network: &Network, i: usize, without: usize, tuple: &Tuple) -> BTreeSet<StateId> {
        let (lts, other) = (&network.components()[i].lts, &network.components()[without].lts);
        let is_free = |label: Label| {
            label.action().is_none_or(|action| !other.alphabet().contains(lts.alphabet().name(action)))
        };
        let mut reached = BTreeSet::from([tuple[i]]);
        loop {
            let steps = lts.transitions().filter(|it| reached.contains(&it.source) && is_free(it.label));
            let more: BTreeSet<StateId> = steps.map(|it| it.target).chain(reached.iter().copied()).collect();
            if more.len() == reached.len() {
                return reached;
            }
            reached = more;
        }
    }

    /// The length of a shortest cycle, from the definition: which pairs are connected by exactly n steps, for growing
    /// n.
    fn shortest(edges: &BTreeSet<(usize, usize)>, count: usize) -> usize {
        let mut reached: BTreeSet<(usize, usize)> = edges.clone();
        for length in 1..=count {
            if reached.iter().any(|(from, to)| from == to) {
                return length;
            }
            let further = |&(from, via): &(usize, usize)| {
                edges.iter().filter(move |edge| edge.0 == via).map(move |edge| (from, edge.1))
            };
            reached = reached.iter().flat_map(further).collect();
        }
        0
    }

    #[test]
    fn who_waits_and_who_refuses_by_the_definition() {
        let (mut stuck, mut round) = (0, 0);
        for seed in seeds(3000) {
            let mut rng = Rng::new(seed);
            let shape = Shape { states: 3, operators: false, ..Shape::FULL };
            let count = 2 + rng.below(3);
            let component = |rng: &mut Rng| rely_lts::Component::new("M", networks::component(rng, &shape));
            let network = Network::new((0..count).map(|_| component(&mut rng)).collect());
            let product = NaiveProduct::new(&network);
            let proper = product.moves.iter().filter(|(tuple, _)| error_in(&network, tuple).is_none());
            for (tuple, moves) in proper {
                let waiting = waiting(&network, &raw(tuple));
                let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
                let mut hopeful: BTreeSet<(usize, usize)> = BTreeSet::new();
                for (i, it) in waiting.iter().enumerate() {
                    assert_eq!(it.component.index(), i);
                    for name in network.alphabet().names() {
                        let action = network.alphabet().get(name).expect("it is there");
                        let expected: Vec<usize> =
                            (0..count).filter(|&j| has(&network, j, tuple, name) == (true, false)).collect();
                        let found = it.refusals.iter().find(|refusal| refusal.action == action);
                        assert_eq!(found.is_some(), has(&network, i, tuple, name).1, "seed {seed}");
                        let Some(found) = found else { continue };
                        let refusing: Vec<usize> = found.refusing.iter().map(|id| id.index()).collect();
                        assert_eq!(refusing, expected, "seed {seed}, {tuple:?}, {name}");
                        assert!(!moves.is_empty() || !expected.is_empty(), "seed {seed}: it is possible");
                        edges.extend(expected.iter().map(|&j| (i, j)));
                        let comes_to_it = |j: &usize| {
                            let at = |state| [&tuple[..*j], &[state], &tuple[j + 1..]].concat();
                            reach(&network, *j, i, tuple)
                                .into_iter()
                                .any(|s| has(&network, *j, &at(s), name).1)
                        };
                        hopeful.extend(expected.into_iter().filter(comes_to_it).map(|j| (i, j)));
                    }
                }
                edges.retain(|edge| hopeful.contains(edge) || hopeful.iter().all(|it| it.0 != edge.0));
                let cycle = cycle_of_waiting(&network, &raw(tuple), &waiting);
                assert_eq!(cycle.len(), shortest(&edges, count), "seed {seed}, {tuple:?}");
                for (i, one) in cycle.iter().enumerate() {
                    let next = cycle[(i + 1) % cycle.len()];
                    assert!(edges.contains(&(one.index(), next.index())), "seed {seed}, {tuple:?}");
                }
                stuck += usize::from(moves.is_empty());
                round += usize::from(moves.is_empty() && !cycle.is_empty());
            }
        }
        assert!(stuck > 500 && round > 100 || is_single_seed(), "too few: {stuck}, {round}");
    }

    #[test]
    fn philosophers_wait_all_round_the_table() {
        // Every philosopher takes the fork on one side first, and then waits for the one on the other side.
        let count = 4;
        let get = |who: usize, fork: usize| format!("phil.{who}.get.{}", fork % count);
        let put = |who: usize, fork: usize| format!("phil.{who}.put.{}", fork % count);
        let philosopher = |i: usize| {
            let names = [get(i, i), get(i, i + 1), put(i, i), put(i, i + 1)];
            let steps: Vec<_> = (0..4).map(|step| (step, &*names[step], (step + 1) % 4)).collect();
            networks::from_transitions(4, &steps)
        };
        let fork = |i: usize| {
            let users = [i, (i + count - 1) % count];
            let names = users.map(|who| (get(who, i), put(who, i)));
            let steps = names.iter().flat_map(|(get, put)| [(0, &**get, 1), (1, &**put, 0)]);
            networks::from_transitions(2, &steps.collect::<Vec<_>>())
        };
        let systems = (0..count).flat_map(|i| [philosopher(i), fork(i)]);
        let network = Network::new(systems.map(|lts| rely_lts::Component::new("M", lts)).collect());
        let tuple = vec![1; 2 * count];
        let cycle = cycle_of_waiting(&network, &tuple, &waiting(&network, &tuple));
        let numbers: Vec<usize> = cycle.iter().map(|id| id.index()).collect();
        assert_eq!(numbers, [0, 3, 2, 5, 4, 7, 6, 1]);
    }
}
