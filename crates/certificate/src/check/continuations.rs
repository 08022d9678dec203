//! What would follow an error: does the automaton of the violations accept some continuation of a run?
//!
//! Problem: a run into the error state ends there. It satisfies a formula for certain if no
//! sequence of actions that might have followed violates it. Idea: straight from the definition. All states of the
//! automaton and the fluents that any actions lead to are made; a violation is a set of them that reach one another, such
//! that every until-formula is not postponed by some step between two of them.
//!
//! Complexity: quadratic in the number of these states. Where a run satisfies a formula for certain the automaton has
//! mostly given up before, and there are none. Called by the rule for assertions.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{ActionId, Id};

use super::states::Meter;
use crate::Rejection;

/// A state of the automaton and the fluents.
pub(super) type Situation = (Vec<u32>, Vec<u32>);

/// A step: where it leads, and for each until-formula, whether it is postponed.
pub(super) type Onward = (Situation, Vec<bool>);

/// Whether a run in one of some situations may go on so that it is accepted, where `steps` gives the steps of
/// a situation by all actions.
pub(super) fn some_is_accepted(
    starts: Vec<Situation>,
    untils: usize,
    meter: &Meter<'_>,
    steps: &impl Fn(&Situation) -> Result<Vec<Onward>, Rejection>,
) -> Result<bool, Rejection> {
    let mut graph: BTreeMap<Situation, Vec<Onward>> = BTreeMap::new();
    let mut pending = starts;
    while let Some(situation) = pending.pop() {
        if graph.contains_key(&situation) {
            continue;
        }
        meter.step(graph.len())?;
        let onward = steps(&situation)?;
        pending.extend(onward.iter().map(|(target, _)| target.clone()));
        graph.insert(situation, onward);
    }
    let mut reached: BTreeMap<&Situation, BTreeSet<&Situation>> = BTreeMap::new();
    for situation in graph.keys() {
        reached.insert(situation, reach(&graph, situation, meter)?);
    }
    let accepted = |situation: &Situation| {
        let together =
            |other: &Situation| reached[situation].contains(other) && reached[other].contains(situation);
        let class = || graph.iter().filter(|(other, _)| together(other)).flat_map(|(_, onward)| onward);
        let inside = || class().filter(|(target, _)| together(target));
        inside().next().is_some() && (0..untils).all(|until| inside().any(|(_, postponed)| !postponed[until]))
    };
    Ok(graph.keys().any(accepted))
}

/// The situations that are reached in one or more steps.
fn reach<'g>(
    graph: &'g BTreeMap<Situation, Vec<Onward>>,
    from: &Situation,
    meter: &Meter<'_>,
) -> Result<BTreeSet<&'g Situation>, Rejection> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<&Situation> = graph[from].iter().map(|(target, _)| target).collect();
    while let Some(situation) = pending.pop() {
        meter.step(graph.len())?;
        if reached.insert(situation) {
            pending.extend(graph[situation].iter().map(|(target, _)| target));
        }
    }
    Ok(reached)
}

/// One action for each thing that an action can do, and silence, by what each of `count` actions does.
pub(super) fn distinct<T: Ord>(count: usize, effect: impl Fn(ActionId) -> T) -> Vec<Option<ActionId>> {
    let mut seen = BTreeSet::new();
    let actions = (0..count).map(ActionId::from_index).filter(|&action| seen.insert(effect(action)));
    actions.map(Some).chain([None]).collect()
}
