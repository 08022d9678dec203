//! Divergence by ranks.
//!
//! Rule: besides initiation and consecution, every silent step, a τ or a hidden action, leads to a state of smaller
//! rank. Sound since ranks are natural numbers: no run can take silent steps for ever [Floyd 1967]. Nothing is silent
//! after the error state.

use rely_base::Budget;

use super::states::{Errors, States};
use crate::semantics::Semantics;
use crate::{Rejection, Table};

/// Judges whether the ranks show that no cycle of silent steps is reachable.
pub(super) fn check_divergence(
    semantics: &impl Semantics,
    table: &Table,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let states = States::read(semantics, table, 1, Errors::Allowed, budget)?;
    for row in states.rows() {
        states.steps(row, &mut |action, target| {
            let silent = action.is_none_or(|action| semantics.behaviour().is_hidden(action));
            match target {
                Some(target) if silent && states.rank(target) >= states.rank(row) => {
                    Err(Rejection::RankNotDecreasing(states.shown(row)))
                }
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}
