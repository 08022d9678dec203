//! Which parts are in the first group of a rule, when the user does not say.
//!
//! **Problem.** How much work a rule is depends on the split more than on anything else: of two that look alike, one may
//! need millions of states and the other a few thousand.
//!
//! **Idea.** The first attempt is with a first group that has a small interface to the rest, and may hold few states. If
//! that does not suffice, the parts that meet the goal by themselves are looked for (`localise.rs`): with these in the first
//! group there is nothing to assume of the others. Where everything is needed, or that is too much work, splits compete: those
//! with narrow interfaces and groups of like size (`decompose/cut.rs`) are tried with a limit on states, which is made larger
//! until one of them is decided.
//!
//! **Invariants.** The outcome depends on the problem and the limits alone. A split is given up at a limit, so all together
//! hold at most four times the states of the best of them, and cost at most a fixed number of times as much.
//!
//! **Callers.** `strategy.rs`, for every strategy that uses a rule; `rely decompose` for what is tried first.

use rely_base::{Budget, Exhausted, Limits};
use rely_decide::ReplayError;

use crate::decompose::promising_splits;
use crate::{Answer, Effort, Localisation, Problem, Unrealised, interface};

/// The most splits that compete.
const COMPETING: usize = 8;

/// How much work may go into finding out which parts meet the goal by themselves, in states and transitions.
const LOOKING: usize = 1 << 21;

/// How many states it may hold meanwhile.
const LOOKING_STATES: usize = 1 << 15;

/// A first group, and what speaks for it, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Promise {
    /// The parts of the first group, in order.
    pub(crate) left: Vec<usize>,
    /// What speaks for it.
    pub(crate) why: String,
}

/// What is known of the parts that meet a goal by themselves.
pub(crate) enum Sufficient {
    /// They do, and others are left.
    Parts(Promise),
    /// All parts are needed, or it is too much work to find out.
    NotKnown,
}

/// The parts of the first group for the first attempt: of the candidates that have actions of the goal, those with the
/// smallest interface to the rest, and the fewest states among those. Without an interface there is nothing to assume.
///
/// Candidates are all parts that have actions of the goal, each of them alone, and all of them but one.
pub(crate) fn narrow(problem: &Problem) -> Vec<usize> {
    let goal = problem.goal.alphabet();
    let is_near = |&part: &usize| problem.parts[part].lts.alphabet().names().any(|name| goal.contains(name));
    let all: Vec<usize> = (0..problem.parts.len()).collect();
    let mut near: Vec<usize> = all.iter().copied().filter(is_near).collect();
    if near.is_empty() {
        near.clone_from(&all);
    }
    let without = |part: usize| near.iter().copied().filter(|&other| other != part).collect();
    let mut candidates: Vec<Vec<usize>> = vec![near.clone()];
    candidates.extend(near.iter().map(|&part| vec![part]));
    candidates.extend(near.iter().map(|&part| without(part)));
    candidates.retain(|left| !left.is_empty() && left.len() < all.len());
    let pick =
        |group: &[usize]| -> Vec<_> { group.iter().map(|&part| problem.parts[part].clone()).collect() };
    let merit = |left: &Vec<usize>| {
        let shared = interface(&pick(left), &problem.goal, &pick(&others(problem, left))).len();
        let states = left.iter().map(|&part| problem.parts[part].lts.state_count());
        (shared == 0, shared, states.fold(1, usize::saturating_mul))
    };
    candidates.into_iter().min_by_key(merit).unwrap_or(all)
}

/// The parts that are not in a group.
pub(crate) fn others(problem: &Problem, left: &[usize]) -> Vec<usize> {
    (0..problem.parts.len()).filter(|part| !left.contains(part)).collect()
}

/// Looks for parts that meet the goal by themselves, with little work.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub(crate) fn sufficient(
    problem: &Problem,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Sufficient, ReplayError> {
    let mut localisation = Localisation::new(problem);
    let few = budget.narrowed(Limits { states: Some(LOOKING_STATES), bytes: None });
    match localisation.run_for(LOOKING, problem, &few, effort) {
        Ok(Answer::Proved(())) => {}
        Ok(Answer::Refuted(_) | Answer::Unknown(_)) | Err(Unrealised::Exhausted(_)) => {
            return Ok(Sufficient::NotKnown);
        }
        Err(Unrealised::Mistake(mistake)) => return Err(mistake),
    }
    let left: Vec<usize> = localisation.inside().collect();
    if left.is_empty() || left.len() == problem.parts.len() {
        return Ok(Sufficient::NotKnown);
    }
    let why = match left.len() {
        1 => "one part meets the property by itself".to_owned(),
        count => format!("these {count} parts meet the property by themselves"),
    };
    Ok(Sufficient::Parts(Promise { left, why }))
}

/// First groups that compete, the most promising first.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn competing(problem: &Problem, budget: &Budget<'_>) -> Result<Vec<Promise>, Exhausted> {
    let units: Vec<Vec<usize>> = (0..problem.parts.len()).map(|part| vec![part]).collect();
    if units.len() < 2 {
        return Ok(Vec::new());
    }
    let promise = |mut split: Vec<Vec<usize>>| -> Promise {
        let left = split.swap_remove(0);
        let pick =
            |group: &[usize]| -> Vec<_> { group.iter().map(|&part| problem.parts[part].clone()).collect() };
        let shared = interface(&pick(&left), &problem.goal, &pick(&others(problem, &left))).len();
        let s = if shared == 1 { "" } else { "s" };
        Promise { left, why: format!("its interface to the other parts has {shared} action{s}") }
    };
    let splits = promising_splits(problem, &units, 2, COMPETING, budget)?;
    Ok(splits.into_iter().map(promise).collect())
}
