//! Compositional reduction towards the goal.
//!
//! **Problem.** Whether a goal can fail, without ever building the product of everything.
//!
//! **Source.** Compositional reachability analysis [Cheung, Kramer 1999], with the error propagated at every step
//! [Giannakopoulou, Păsăreanu, Barringer 2003, section 3.2]; stopping as soon as the error is out of reach is the
//! recomposition of [Dardik et al. 2024].
//!
//! **Idea.** Start with the goal and take in one part after the other, the one that shares most first. After each,
//! actions that nobody else has are hidden, what fails by silent steps has failed, runs that can no longer fail are cut
//! off, and the rest is reduced. When no run fails any more, the parts that were not taken in do not matter.
//!
//! **Invariants.** At every step, the goal can fail in the composition of what was built and the parts that remain exactly
//! if it can in the problem.
//!
//! **Callers.** `rely verify --strategy reduce`, and `auto`.

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise, without_harmless_states};
use rely_lts::operators::{hide, propagate_error, trim};
use rely_lts::{Component, Lts, Network};

use crate::problem::alphabet_of;
use crate::{Effort, Problem};

/// Whether the goal of a problem can fail.
///
/// # Errors
/// The limit of the budget that was met.
pub fn reduce(problem: &Problem, budget: &Budget<'_>, effort: &mut Effort) -> Result<bool, Exhausted> {
    let answer = part_by_part(problem, budget, effort);
    if let Err(exhausted) = &answer {
        effort.held(exhausted.states);
    }
    answer
}

fn part_by_part(problem: &Problem, budget: &Budget<'_>, effort: &mut Effort) -> Result<bool, Exhausted> {
    let largest = problem.parts.iter().map(|part| part.lts.state_count()).max();
    effort.held(largest.unwrap_or(0));
    let Problem { parts, goal } = problem.abstracted(budget)?;
    let mut remaining = parts;
    let mut whole = generate(&Network::new(goal.components), budget)?;
    loop {
        effort.held(whole.state_count());
        let outside = alphabet_of(&remaining);
        whole = reduced(&whole, &outside, budget)?;
        if whole.error().is_none() {
            return Ok(false);
        }
        if whole.error() == Some(whole.initial()) || remaining.is_empty() {
            return Ok(true);
        }
        let next = remaining.swap_remove(nearest(&whole, &remaining));
        let whole_part = Component { name: String::new(), lts: Arc::new(whole) };
        whole = generate(&Network::new(vec![whole_part, next]), budget)?;
    }
}

/// What the parts outside can feel of whether the error is reached.
fn reduced(lts: &Lts, outside: &Alphabet, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    let hidden = hide(lts, |name| !outside.contains(name));
    let harmful = trim(&without_harmless_states(&propagate_error(&hidden))?);
    minimise(&harmful, Equivalence::Branching, budget)
}

/// The part that shares most with what there is, for its own size; the first of those that are equal.
fn nearest(whole: &Lts, parts: &[Component]) -> usize {
    let merit = |part: &Component| {
        let alphabet = part.lts.alphabet();
        let shared = alphabet.names().filter(|name| whole.alphabet().contains(name)).count();
        let new = alphabet.len() - shared;
        // Parts that share nothing come last; then few new actions, then few states.
        (shared == 0, new, part.lts.state_count())
    };
    let order = |&i: &usize| (merit(&parts[i]), i);
    (0..parts.len()).min_by_key(order).expect("a part remains")
}
