//! The memory that a stage of a reduction may use, given what is held already.
//!
//! A reduction has several stages, each of which counts its own tables. While a stage works, the system that was
//! given is in memory, too, and so is its copy without unreachable states. So a stage gets a budget from which these
//! have been subtracted, and a large table is paid for before it is allocated.

use rely_base::{Budget, Exhausted, Resource};

use crate::Lts;

/// Checks that the reduction of a system may hold this number of bytes in all.
///
/// # Errors
/// When that is more than the budget has.
pub(super) fn afford(lts: &Lts, bytes: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
    afford_bytes(bytes, (lts.state_count(), lts.transition_count()), budget)
}

/// Checks that the reduction of a system with these numbers of states and transitions may hold this number of bytes.
///
/// # Errors
/// When that is more than the budget has.
pub(super) fn afford_bytes(
    bytes: usize,
    (states, transitions): (usize, usize),
    budget: &Budget<'_>,
) -> Result<(), Exhausted> {
    if bytes <= budget.max_bytes() {
        return Ok(());
    }
    Err(Exhausted { resource: Resource::Memory, states, transitions })
}
