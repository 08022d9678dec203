//! Warnings about properties and assertions that hold without being exercised: one line for each kind of doubt about
//! the copies of a property, and one for an assertion.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rely_base::{Budget, Id, Limits};
use rely_decide::{Constant, Unexercised, constants, forbids_something, unexercised};
use rely_lts::{Behaviour, ComponentId, Network};
use rely_omega::{Assertion, Proposition};

use crate::check::{list, named};

/// Minimum number of states in a search for parts of properties that are never met.
const LEAST: usize = 1 << 12;

/// Maximum number of states in this search, so that it hardly takes longer than a second.
const MOST: usize = 1 << 18;

/// Warnings of properties that hold in a network and are not exercised. The answer took a search of `explored`
/// states.
pub(crate) fn of_untested(
    network: &Network,
    properties: &[ComponentId],
    explored: usize,
    budget: &Budget<'_>,
) -> Vec<String> {
    let lts = |id: &ComponentId| &network.components()[id.index()].lts;
    let (properties, idle): (Vec<ComponentId>, Vec<ComponentId>) =
        properties.iter().copied().partition(|id| forbids_something(lts(id)));
    let mut doubts: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |doubt: String, id: ComponentId| {
        let name = network.components()[id.index()].name.clone();
        match doubts.iter_mut().find(|(other, _)| *other == doubt) {
            Some((_, names)) => names.push(name),
            None => doubts.push((doubt, vec![name])),
        }
    };
    idle.into_iter().for_each(|id| add("forbids nothing: whatever happens, it holds".to_owned(), id));
    let states = explored.clamp(LEAST, MOST);
    let narrow = budget.narrowed(Limits { states: Some(states), bytes: None });
    for found in unexercised(network, &properties, &narrow).unwrap_or_default() {
        if let Some(doubt) = doubt(network, &found) {
            add(doubt, found.property);
        }
    }
    doubts.into_iter().map(|(doubt, names)| format!("property {} {doubt}", list(&names))).collect()
}

/// A warning of an assertion that holds because one of its atoms never changes. The answer took a search of
/// `explored` states.
pub(crate) fn of_constants(
    behaviour: &Behaviour,
    assertion: &Assertion,
    explored: usize,
    budget: &Budget<'_>,
) -> Option<String> {
    let narrow = budget.narrowed(Limits { states: Some(explored.clamp(LEAST, MOST)), bytes: None });
    let found = constants(behaviour, assertion, &narrow)?;
    let Constant { atom, value, irrelevant } =
        found.iter().max_by_key(|constant| (constant.irrelevant.len(), Reverse(constant.atom)))?;
    let names: Vec<String> = irrelevant.iter().map(|&atom| named(assertion, atom)).collect();
    let name = named(assertion, *atom);
    let is_fluent = matches!(assertion.propositions[atom.index()], Proposition::Fluent(_));
    let always = match (is_fluent, value) {
        (true, true) => format!("fluent {name} always holds"),
        (true, false) => format!("fluent {name} never holds"),
        (false, true) => format!("nothing but {name} ever occurs"),
        (false, false) => format!("{name} never occurs"),
    };
    Some(match irrelevant.is_empty() {
        true => format!("{always}: the assertion would hold without it"),
        false => format!("it holds vacuously: {always}, so that it says nothing about {}", list(&names)),
    })
}

/// The most serious doubt about a property of which something is never met.
fn doubt(network: &Network, found: &Unexercised) -> Option<String> {
    let Unexercised { property, forbids, absent, unreached } = found;
    let alphabet = network.components()[property.index()].lts.alphabet();
    if alphabet.names().all(|name| absent.iter().any(|other| other == name)) {
        // This case is reported elsewhere: none of its actions occurs.
        return None;
    }
    let never = unreached.as_ref().map(|(way, action)| match &way[..] {
        _ if absent.contains(action) => format!("{action} never occurs"),
        [] => format!("{action} never comes first"),
        [.., last] if way.len() > 3 => format!("{action} never comes after {} steps up to {last}", way.len()),
        way => format!("{action} never comes after {}", way.join(", ")),
    });
    let others = absent_words(alphabet.names().collect(), absent);
    match (never, &others[..]) {
        (Some(never), _) if !forbids => {
            Some(format!("holds vacuously: it forbids nothing in the states that it gets to, since {never}"))
        }
        (_, [_, ..]) => Some(format!("allows {}, which never occurs", list(&others))),
        (Some(never), []) => Some(format!("has a state that it never gets to: {never}")),
        (None, []) => None,
    }
}

/// The absent actions of which no other copy occurs. A property that several components share, or with an index,
/// allows many copies of an action, and in most models some of them never occur; an action of which no copy occurs is
/// more suspicious.
fn absent_words(all: Vec<&str>, absent: &[String]) -> Vec<String> {
    let is_absent = |name: &str| absent.iter().any(|other| other == name);
    let occurring: BTreeSet<&str> = all.into_iter().filter(|name| !is_absent(name)).map(word).collect();
    absent.iter().filter(|name| !occurring.contains(word(name))).cloned().collect()
}

/// The last part of an action that is not an index: `acquire` of `reader.1.acquire.0`.
fn word(action: &str) -> &str {
    let is_word = |part: &&str| part.chars().any(|c| !c.is_ascii_digit() && c != '-');
    action.rsplit('.').find(is_word).unwrap_or(action)
}
