//! The weakest assumption, straight from its definition.
//!
//! A word over the interface is bad if one of its prefixes is what the interface shows of a run in which some component
//! reaches its error state. So follow all runs at once, as sets of tuples; two words that lead to the same set have the
//! same future. The automaton of these sets is then made minimal by telling states apart word by word.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::StateId;
use rely_lts::{Component, Network};

use crate::naive::product::{Move, NaiveProduct, Tuple, error_in, is_terminated, moves_of};

/// The minimal automaton of a weakest assumption: for each state, by action of the interface, where it leads, or
/// nothing where that is forbidden. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaiveAssumption {
    /// The transitions.
    pub rows: Vec<Vec<Option<usize>>>,
}

/// Where a word may lead; nothing if the error state is among it.
type Set = Option<BTreeSet<Tuple>>;

/// The weakest assumption over an interface under which no component reaches its error state; nothing if there is
/// none.
pub fn weakest(components: &[Component], interface: &[&str]) -> Option<NaiveAssumption> {
    let network = Network::new(components.to_vec());
    let initial: Tuple = components.iter().map(|component| component.lts.initial()).collect();
    let start = closed(&network, interface, BTreeSet::from([initial]));
    start.as_ref()?;
    let mut numbers: BTreeMap<Set, usize> = BTreeMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut rows: Vec<Vec<usize>> = Vec::new();
    while rows.len() < order.len() {
        let from = order[rows.len()].clone();
        let mut row = Vec::new();
        for letter in interface {
            let set = step(&network, interface, &from, letter);
            let next = numbers.len();
            let number = *numbers.entry(set.clone()).or_insert(next);
            if number == next {
                order.push(set);
            }
            row.push(number);
        }
        rows.push(row);
    }
    let accepts: Vec<bool> = order.iter().map(Option::is_some).collect();
    Some(minimal(&rows, &accepts))
}

fn step(network: &Network, interface: &[&str], from: &Set, letter: &str) -> Set {
    let from = from.as_ref()?;
    if network.alphabet().get(letter).is_none() {
        // Nobody has the action: it changes nothing.
        return Some(from.clone());
    }
    let mut reached = BTreeSet::new();
    for tuple in from {
        for (action, target) in moves_of(network, tuple) {
            if action.is_some_and(|action| network.alphabet().name(action) == letter) {
                reached.insert(target);
            }
        }
    }
    closed(network, interface, reached)
}

/// With everything that is reached without the interface showing it.
fn closed(network: &Network, interface: &[&str], mut set: BTreeSet<Tuple>) -> Set {
    loop {
        if set.iter().any(|tuple| error_in(network, tuple).is_some()) {
            return None;
        }
        let mut more = set.clone();
        for tuple in &set {
            for (action, target) in moves_of(network, tuple) {
                if action.is_none_or(|action| !interface.contains(&network.alphabet().name(action))) {
                    more.insert(target);
                }
            }
        }
        if more == set {
            return Some(set);
        }
        set = more;
    }
}

/// Tells states apart by ever longer words; the rejecting states are left out.
fn minimal(rows: &[Vec<usize>], accepts: &[bool]) -> NaiveAssumption {
    let mut class: Vec<usize> = accepts.iter().map(|&accepts| usize::from(accepts)).collect();
    loop {
        let signature = |state: usize| {
            let next: Vec<usize> = rows[state].iter().map(|&target| class[target]).collect();
            (class[state], next)
        };
        let signatures: BTreeSet<_> = (0..rows.len()).map(signature).collect();
        let refined: Vec<usize> = (0..rows.len())
            .map(|state| signatures.iter().position(|known| *known == signature(state)).expect("a signature"))
            .collect();
        let count = |class: &[usize]| class.iter().collect::<BTreeSet<_>>().len();
        if count(&refined) == count(&class) {
            break;
        }
        class = refined;
    }
    // Breadth first, so that equal languages give equal tables.
    let member = |wanted: usize| (0..rows.len()).find(|&state| class[state] == wanted).expect("a member");
    let mut order = vec![class[0]];
    let mut result = Vec::new();
    while result.len() < order.len() {
        let mut row = Vec::new();
        for &target in &rows[member(order[result.len()])] {
            if !accepts[target] {
                row.push(None);
                continue;
            }
            let at = order.iter().position(|&known| known == class[target]).unwrap_or_else(|| {
                order.push(class[target]);
                order.len() - 1
            });
            row.push(Some(at));
        }
        result.push(row);
    }
    NaiveAssumption { rows: result }
}

/// Whether some component reaches its error state when all run together.
pub fn fails(components: &[Component]) -> bool {
    let network = Network::new(components.to_vec());
    let initial: Vec<StateId> = components.iter().map(|component| component.lts.initial()).collect();
    closed(&network, &[], BTreeSet::from([initial])).is_none()
}

/// The weakest assumption over all actions that neither lets a component fail nor leaves the first one stuck; nothing if
/// there is none. The components are deterministic, so a word leads to at most one tuple.
///
/// A tuple is *bad* if a component has failed in it, if the first component has ended up where no path over tuples that
/// are not bad has one of its actions, or if a silent step leads to a bad one; repeated until nothing changes.
pub fn deadlock_free(components: &[Component], interface: &[&str]) -> Option<NaiveAssumption> {
    let network = Network::new(components.to_vec());
    let product = NaiveProduct::new(&network);
    let own = components[0].lts.alphabet();
    let mut bad: BTreeSet<Tuple> =
        product.moves.keys().filter(|tuple| error_in(&network, tuple).is_some()).cloned().collect();
    loop {
        // Where an action of the first component is possible, and then everything that leads there.
        let mut alive: BTreeSet<&Tuple> = BTreeSet::new();
        loop {
            let is_alive = |(tuple, moves): (&Tuple, &BTreeSet<Move>)| {
                let step = |(action, target): &Move| {
                    let is_own = action.is_some_and(|action| own.contains(network.alphabet().name(action)));
                    !bad.contains(target) && (is_own || alive.contains(target))
                };
                !bad.contains(tuple) && moves.iter().any(step)
            };
            let more: BTreeSet<&Tuple> = product
                .moves
                .iter()
                .filter(|&(tuple, moves)| is_alive((tuple, moves)))
                .map(|(t, _)| t)
                .collect();
            if more == alive {
                break;
            }
            alive = more;
        }
        let ended = |tuple: &Tuple| is_terminated(&network, tuple);
        let more: BTreeSet<Tuple> = product
            .moves
            .iter()
            .filter(|&(tuple, moves)| {
                let slips = |(action, target): &Move| action.is_none() && bad.contains(target);
                bad.contains(tuple) || !(alive.contains(tuple) || ended(tuple)) || moves.iter().any(slips)
            })
            .map(|(tuple, _)| tuple.clone())
            .collect();
        if more == bad {
            break;
        }
        bad = more;
    }
    if bad.contains(&product.initial) {
        return None;
    }
    // The last two states: everything is allowed, and rejected.
    let tuples: Vec<&Tuple> = product.moves.keys().filter(|tuple| !bad.contains(*tuple)).collect();
    let first = tuples.iter().position(|tuple| **tuple == product.initial).expect("the start is not bad");
    let number = |tuple: &Tuple| {
        let at = tuples.iter().position(|known| *known == tuple).unwrap_or(tuples.len() + 1);
        // The initial tuple has to be the first.
        if at == first {
            0
        } else if at == 0 {
            first
        } else {
            at
        }
    };
    let mut rows = vec![Vec::new(); tuples.len() + 2];
    for tuple in &tuples {
        rows[number(tuple)] = interface
            .iter()
            .map(|letter| {
                let has = |(action, _): &&Move| action.is_some_and(|a| network.alphabet().name(a) == *letter);
                product.moves[*tuple].iter().find(has).map_or(tuples.len(), |(_, target)| number(target))
            })
            .collect();
    }
    rows[tuples.len()] = vec![tuples.len(); interface.len()];
    rows[tuples.len() + 1] = vec![tuples.len() + 1; interface.len()];
    let accepts: Vec<bool> = (0..rows.len()).map(|state| state <= tuples.len()).collect();
    Some(minimal(&rows, &accepts))
}
