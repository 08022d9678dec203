//! Which evidence is less work for the judge: a reduction, or none, so that the judge searches the product.
//!
//! **Problem.** A certificate that is short to write may be long to judge. What the judge will have to do is known only by
//! doing it.
//!
//! **Idea.** Both are tried in turns, and allowed more each time: the reduction, and the judge's own search of the product.
//! Who comes to an end first is taken. A product of a few states is taken at once, because it needs no evidence at all.
//!
//! **Complexity.** A few times that of the one that comes to an end first; no more than a fixed bound, after which it is
//! said that neither does.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_certificate::is_searched_within;

use crate::reduce::Reduction;
use crate::{Effort, Problem};

/// What is less work.
pub(super) enum Choice {
    /// A reduction, which has been made.
    Reduction(Box<Reduction>),
    /// The product of the parts that the goal can feel.
    Product,
    /// Neither came to an end.
    Neither,
}

/// What is allowed at first, in states, or in states and transitions.
const START: usize = 1 << 14;

/// What is allowed at last.
const MOST: usize = 1 << 22;

/// What the search is allowed at last, in tuples, or in states of single components: the judge takes its time.
const MOST_TUPLES: usize = 1 << 16;
const MOST_IN_TUPLES: usize = 1 << 22;

/// What is less work for a problem whose goal cannot fail, if a product of `few` states is no work at all.
///
/// # Errors
/// The limit of the budget that was met.
pub(super) fn choose(problem: &Problem, few: usize, budget: &Budget<'_>) -> Result<Choice, Exhausted> {
    let network = problem.cone().problem.network();
    if few > 0 && is_searched_within(few, &network, budget)? {
        return Ok(Choice::Product);
    }
    let most_searched = MOST_TUPLES.max(MOST_IN_TUPLES / network.components().len().max(1));
    let mut reduction = Reduction::new(problem);
    let mut allowed = START;
    while allowed <= MOST {
        let narrow = budget.narrowed(Limits { states: Some(allowed), bytes: None });
        match reduction.run_for(allowed, &narrow, &mut Effort::default()) {
            Ok(_) => return Ok(Choice::Reduction(Box::new(reduction))),
            Err(Exhausted { resource: Resource::States, .. }) => {}
            Err(exhausted) => return Err(exhausted),
        }
        if allowed <= most_searched && is_searched_within(allowed, &network, budget)? {
            return Ok(Choice::Product);
        }
        allowed = allowed.saturating_mul(4);
    }
    Ok(Choice::Neither)
}
