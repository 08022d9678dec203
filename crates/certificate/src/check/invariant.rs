//! Deadlock and safety by an inductive invariant.
//!
//! Rule: the initial state is in the set; every successor of a state of the set is in it; and
//! - for safety: no step of a state of the set leads to the error state, and the initial state is not the error state;
//! - for some units of a program: no step of a state of the set is a failure of one of them;
//! - for deadlock: every state of the set has a step or is the end. Steps into the error state count, and where the
//!   initial state is the error state there is nothing to show.
//!
//! In every rule, a step out of the bounds within which a program is explored is a reason for rejection.
//!
//! Sound since all reachable states are in the set, by induction on the length of a run [Floyd 1967].

use rely_base::Budget;
use rely_lts::ComponentId;

use super::states::{Errors, States};
use crate::semantics::Semantics;
use crate::{Interpreter, Rejection, Table};

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

/// Judges whether the states show that the error state is not reachable.
pub(super) fn check_safety(
    semantics: &impl Semantics,
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    check_errors(semantics, table, Errors::Forbidden, budget)
}

/// Judges whether the states show that none of some units of a program fails. A run ends when another unit fails.
pub(super) fn check_units(
    program: &Interpreter<'_>,
    units: &[ComponentId],
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    check_errors(program, table, Errors::ForbiddenFor(units), budget)
}

fn check_errors(
    semantics: &impl Semantics,
    table: &Table,
    errors: Errors<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 0, errors, budget)?;
    for row in states.rows() {
        states.steps(row, &mut |_, _| Ok(()))?;
    }
    Ok(())
}
