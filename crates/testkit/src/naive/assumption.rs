//! The weakest assumption, straight from its definition.
//!
//! A word over the interface is bad if one of its prefixes is the projection of a run in which some component reaches
//! its error state. So follow all runs at once, as sets of tuples; two words that lead to the same set have the same
//! future. The automaton of these sets is then minimised by distinguishing states word by word.

use std::collections::{BTreeMap, BTreeSet};

use rely_lts::{Component, Network};

use crate::naive::product::{Tuple, error_in, initial, is_terminated, moves_of};

/// The minimal automaton of a weakest assumption: for each state, by action of the interface, the target, or nothing
/// if the action is forbidden. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaiveAssumption {
    /// The transitions.
    pub rows: Vec<Vec<Option<usize>>>,
}

/// The tuples that a word may lead to; `None` if the error state is among them.
type Set = Option<BTreeSet<Tuple>>;

/// The weakest assumption over an interface under which no component reaches its error state; `None` if there is
/// none.
pub fn weakest(components: &[Component], interface: &[&str]) -> Option<NaiveAssumption> {
    let network = Network::new(components.to_vec());
    let (sets, rows) = subsets(&network, interface);
    let accepts: Vec<bool> = sets.iter().map(Option::is_some).collect();
    accepts[0].then(|| minimal(&rows, &accepts))
}

/// The sets to which the words over the interface lead, that of the empty word first, and the transitions between them.
fn subsets(network: &Network, interface: &[&str]) -> (Vec<Set>, Vec<Vec<usize>>) {
    let start = closed(network, interface, BTreeSet::from([initial(network)]));
    let mut numbers: BTreeMap<Set, usize> = BTreeMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut rows: Vec<Vec<usize>> = Vec::new();
    while rows.len() < order.len() {
        let from = order[rows.len()].clone();
        let mut row = Vec::new();
        for letter in interface {
            let set = step(network, interface, &from, letter);
            let next = numbers.len();
            let number = *numbers.entry(set.clone()).or_insert(next);
            if number == next {
                order.push(set);
            }
            row.push(number);
        }
        rows.push(row);
    }
    (order, rows)
}

fn step(network: &Network, interface: &[&str], from: &Set, letter: &str) -> Set {
    let from = from.as_ref()?;
    if network.alphabet().get(letter).is_none() {
        // No component has the action: it changes nothing.
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

/// The set, extended by everything that can be reached by runs that show nothing at the interface.
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

/// Distinguishes states by words of increasing length; the rejecting states are left out.
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
    closed(&network, &[], BTreeSet::from([initial(&network)])).is_none()
}

/// The weakest assumption over an interface under which no component fails, and the first `first` components are
/// never stuck; `None` if there is none.
///
/// A tuple is *stuck* after a word if no run from it, of which the interface shows only allowed words, has an action
/// that the first components have in the interface, and no such run leads to where these components have ended. A
/// word after which a tuple may be stuck is forbidden; this is repeated until nothing changes.
pub fn deadlock_free(components: &[Component], first: usize, interface: &[&str]) -> Option<NaiveAssumption> {
    let network = Network::new(components.to_vec());
    let own: BTreeSet<&str> =
        components[..first].iter().flat_map(|part| part.lts.alphabet().names()).collect();
    let (sets, rows) = subsets(&network, interface);
    let mut accepts: Vec<bool> = sets.iter().map(Option::is_some).collect();
    let alone = Network::new(components[..first].to_vec());
    loop {
        let judge =
            Judge { network: &network, alone: &alone, interface, own: &own, rows: &rows, accepts: &accepts };
        let is_fine =
            |at: usize| accepts[at] && sets[at].iter().flatten().all(|tuple| judge.goes_on(at, tuple));
        let fewer: Vec<bool> = (0..sets.len()).map(is_fine).collect();
        if fewer == accepts {
            break;
        }
        accepts = fewer;
    }
    accepts[0].then(|| minimal(&prefix_closed(&rows, &accepts), &accepts))
}

/// All words after a forbidden one are forbidden.
fn prefix_closed(rows: &[Vec<usize>], accepts: &[bool]) -> Vec<Vec<usize>> {
    let row = |(at, row): (usize, &Vec<usize>)| if accepts[at] { row.clone() } else { vec![at; row.len()] };
    rows.iter().enumerate().map(row).collect()
}

/// The possible continuations if some sets of tuples must not be reached.
struct Judge<'a> {
    network: &'a Network,
    /// The first components.
    alone: &'a Network,
    interface: &'a [&'a str],
    own: &'a BTreeSet<&'a str>,
    rows: &'a [Vec<usize>],
    accepts: &'a [bool],
}

impl Judge<'_> {
    /// Whether a run leads from a tuple of a set to an action of the first components in the interface, or to their end.
    fn goes_on(&self, set: usize, tuple: &Tuple) -> bool {
        let mut known = BTreeSet::from([(set, tuple.clone())]);
        let mut rest = vec![(set, tuple.clone())];
        while let Some((set, tuple)) = rest.pop() {
            if is_terminated(self.alone, &tuple[..self.alone.components().len()]) {
                return true;
            }
            for (action, target) in moves_of(self.network, &tuple) {
                let name = action.map(|action| self.network.alphabet().name(action));
                let letter = name.and_then(|name| self.interface.iter().position(|known| *known == name));
                let next = letter.map_or(set, |letter| self.rows[set][letter]);
                if !self.accepts[next] {
                    continue;
                }
                if letter.is_some_and(|letter| self.own.contains(self.interface[letter])) {
                    return true;
                }
                if known.insert((next, target.clone())) {
                    rest.push((next, target));
                }
            }
        }
        false
    }
}
