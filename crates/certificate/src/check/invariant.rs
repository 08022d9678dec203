//! Deadlock and safety by an inductive invariant.
//!
//! Rule: the initial state is in the set; every successor of a state of the set is in it; and
//! - for safety: no step of a state of the set leads to the error state, and the initial state is not the error state;
//! - for one unit of a program alone: no step of a state of the set is a failure of the unit. It has to be the first unit,
//!   because a step by which several fail is a failure of the first of them;
//! - for deadlock: every state of the set has a step or is the end. Steps into the error state count, and where the
//!   initial state is the error state there is nothing to show.
//!
//! In every rule, a step out of the bounds within which a program is explored is a reason for rejection.
//!
//! Sound since all reachable states are in the set, by induction on the length of a run [Floyd 1967].

use rely_base::Budget;

use super::states::{Errors, States};
use crate::semantics::Semantics;
use crate::{Rejection, Table};

/// Judges whether the states show that no deadlock is reachable.
pub(super) fn check_deadlock(
    semantics: &impl Semantics,
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 0, Errors::Allowed, budget)?;
    for row in states.rows() {
        let mut stuck = true;
        states.steps(row, &mut |_, _| {
            stuck = false;
            Ok(())
        })?;
        if stuck && !semantics.is_end(states.tuple(row)) {
            return Err(Rejection::Stuck(states.shown(row)));
        }
    }
    Ok(())
}

/// Judges whether the states show that the error state is not reachable, as far as it is forbidden.
pub(super) fn check_safety(
    semantics: &impl Semantics,
    table: &Table,
    errors: Errors,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 0, errors, budget)?;
    for row in states.rows() {
        states.steps(row, &mut |_, _| Ok(()))?;
    }
    Ok(())
}
