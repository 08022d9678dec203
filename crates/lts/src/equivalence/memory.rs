//! What a reduction may still hold, besides what is held already.
//!
//! A reduction goes through several stages, each of which counts its own tables. While one of them works, the system that
//! was given is in memory, too, and so is its copy without the states that cannot be reached. So a stage gets what is left
//! of the budget, and whoever is about to make a large table asks before, not after.

use rely_base::{Budget, Exhausted, Limits, Resource};

use crate::Lts;

/// What is left of a budget while so many bytes are held that the next stage does not count.
pub(super) fn besides<'b>(budget: &Budget<'b>, held: usize) -> Budget<'b> {
    let bytes = budget.max_bytes().saturating_sub(held);
    budget.narrowed(Limits { states: None, bytes: Some(bytes) })
}

/// Whether so many bytes may be held in all, for the reduction of a system.
///
/// # Errors
/// When that is more than the budget has.
pub(super) fn afford(lts: &Lts, bytes: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
    afford_bytes(bytes, (lts.state_count(), lts.transition_count()), budget)
}

/// The same for a system of some states and transitions.
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
