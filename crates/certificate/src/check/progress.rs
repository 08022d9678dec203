//! Progress by ranks.
//!
//! Under fair choice a run stays in the end among states that all reach one another and that no step leaves, and takes
//! all their steps again and again. So what is possible after *every* reachable state happens again and again.
//!
//! Rule for a set of actions: besides initiation and consecution, no step leads to the error state, and
//! - a state of rank greater than 0 has a step with an action of the set, or one to a state of smaller rank;
//! - a state of rank 0 is allowed only if the property has a condition. None of its steps has an action of the
//!   condition, and all of them lead to states of rank 0.
//!
//! Sound: by induction on the rank, after every state an action of the set is possible, or a state of rank 0. After the
//! latter no action of the condition occurs any more.
//!
//! Rule for every action of the alphabet: a state of rank greater than 0 has a step to a state of smaller rank; and
//! after a state of rank 0 each action is possible, which a plain search from that state shows. (One such state for
//! each terminal component is enough, so the searches together look at no state twice.)

use std::collections::BTreeSet;

use rely_base::{ActionId, Budget, Id};

use super::states::{Errors, States, action_name};
use crate::semantics::Semantics;
use crate::{Rejection, Table};

/// Judges whether the ranks show that some of the actions happen again and again, if some of the condition do.
pub(super) fn check_progress(
    semantics: &impl Semantics,
    condition: Option<&[String]>,
    actions: &[String],
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 1, Errors::Forbidden, budget)?;
    let wanted = numbers(semantics, actions);
    let condition = condition.map(|condition| numbers(semantics, condition));
    for row in states.rows() {
        match (states.rank(row), &condition) {
            (0, None) => return Err(Rejection::NotAGoal(states.shown(row))),
            (0, Some(condition)) => check_condition_is_over(&states, row, condition)?,
            _ => check_decreases(&states, row, &wanted)?,
        }
    }
    Ok(())
}

/// The actions of the behaviour with these names.
fn numbers(semantics: &impl Semantics, names: &[String]) -> BTreeSet<ActionId> {
    names.iter().filter_map(|name| semantics.behaviour().alphabet().get(name)).collect()
}

/// Checks that a state has a step with one of the actions or to a state of smaller rank.
fn check_decreases(
    states: &States<'_, impl Semantics>,
    row: usize,
    actions: &BTreeSet<ActionId>,
) -> Result<(), Rejection> {
    let mut decreases = false;
    states.steps(row, &mut |action, target| {
        decreases |= action.is_some_and(|action| actions.contains(&action));
        decreases |= target.is_some_and(|target| states.rank(target) < states.rank(row));
        Ok(())
    })?;
    if decreases { Ok(()) } else { Err(Rejection::RankNotDecreasing(states.shown(row))) }
}

/// Checks that no step of a state has an action of the condition, and that all lead to states of rank 0.
fn check_condition_is_over(
    states: &States<'_, impl Semantics>,
    row: usize,
    condition: &BTreeSet<ActionId>,
) -> Result<(), Rejection> {
    states.steps(row, &mut |action, target| {
        let recurs = action.is_some_and(|action| condition.contains(&action));
        match recurs || target.is_some_and(|target| states.rank(target) != 0) {
            true => Err(Rejection::NotAGoal(states.shown(row))),
            false => Ok(()),
        }
    })
}

/// Judges whether the ranks show that every action of the alphabet happens again and again.
pub(super) fn check_every_action(
    semantics: &impl Semantics,
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 1, Errors::Forbidden, budget)?;
    for row in states.rows() {
        match states.rank(row) {
            0 => check_reaches_every_action(semantics, &states, row)?,
            _ => check_decreases(&states, row, &BTreeSet::new())?,
        }
    }
    Ok(())
}

/// The bytes of a state in the set of reached states, with its share of the tree.
const REACHED: usize = 4 * size_of::<usize>();

/// Checks that every action of the alphabet is possible after a state. All steps of the state itself are looked at.
fn check_reaches_every_action(
    semantics: &impl Semantics,
    states: &States<'_, impl Semantics>,
    row: usize,
) -> Result<(), Rejection> {
    let all = semantics.behaviour().alphabet().len();
    let mut missing: BTreeSet<ActionId> = (0..all).map(ActionId::from_index).collect();
    let mut reached = BTreeSet::from([row]);
    let mut pending = vec![row];
    let mut held = 0;
    while let Some(state) = pending.pop() {
        states.hold(REACHED);
        held += REACHED;
        states.steps(state, &mut |action, target| {
            if let Some(action) = action {
                missing.remove(&action);
            }
            pending.extend(target.filter(|&target| reached.insert(target)));
            Ok(())
        })?;
        if missing.is_empty() {
            break;
        }
    }
    states.release(held);
    match missing.first() {
        None => Ok(()),
        Some(&action) => Err(Rejection::ActionLost {
            state: states.shown(row),
            action: action_name(semantics, Some(action)),
        }),
    }
}
