//! Several ways at once, under one budget.
//!
//! **Problem.** Which way of proving is quick is not known before one has tried. The product may have a hundred states or
//! a hundred million, and a reduction may be done after three parts or grow beyond the product.
//!
//! **Idea.** The search of the product, localisation and reduction take turns, and none starts again from the beginning:
//! each is put off as soon as it has reached a number of states; then all are allowed four times as many. What is small is
//! decided on the product before anything else is tried. The others get a fixed start, and after that a share of what the
//! search has had, so that trying them costs little where they lead nowhere. A reduction that has got on well so far, and
//! will be done soon if it goes on like this, gets more. What localisation and reduction make of the same pieces is made
//! once.
//!
//! **Invariants.** No step holds more states than the search of the product would have held in the end, but for the fixed
//! start of the others. The order of the turns does not depend on time or on threads, so neither does the result.
//!
//! **Callers.** `rely verify`, unless another strategy is asked for.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_decide::{Counterexample, ReplayError, SafetySearch, Unknown, Verdict};
use rely_explore::Product;

use crate::reduce::Table;
use crate::{Composition, Cone, Effort, Localisation, Problem, Proof, Reduction, Unrealised};

/// What was found, and how.
#[derive(Clone, Debug)]
pub struct Automatic {
    /// What was found.
    pub outcome: Outcome,
    /// The way that led to it.
    pub way: Way,
    /// What all ways together have cost.
    pub effort: Effort,
    /// Why it was this way: what was tried, in the user's words.
    pub story: String,
    /// The parts that localisation has needed, by number, if it decided.
    pub inside: Vec<usize>,
    /// The reduction and what it was applied to, if it decided.
    reduction: Option<Box<(Reduction, Cone)>>,
}

impl Automatic {
    /// A chain of assumptions that probably proves the problem, where reduction has found that it holds; see
    /// [`Reduction::sketch`].
    pub fn sketch(&self, budget: &Budget<'_>) -> Option<Proof> {
        let (reduction, cone) =
            self.reduction.as_deref().filter(|_| matches!(self.outcome, Outcome::Proved))?;
        let mut proof = reduction.sketch(budget)?;
        let parts: Vec<usize> = cone.parts().collect();
        proof.groups.iter_mut().flatten().for_each(|part| *part = parts[*part]);
        Some(proof)
    }

    /// The compositions of the reduction, in order, if it decided.
    pub fn compositions(&self) -> Vec<Composition> {
        let Some((reduction, cone)) = self.reduction.as_deref() else { return Vec::new() };
        let parts: Vec<usize> = cone.parts().collect();
        let whole = |group: &Vec<usize>| group.iter().map(|&part| parts[part]).collect();
        let widened = |composition: &Composition| Composition {
            first: whole(&composition.first),
            second: whole(&composition.second),
            ..composition.clone()
        };
        reduction.compositions().iter().map(widened).collect()
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The goal cannot fail.
    Proved,
    /// The goal fails; the run has been replayed.
    Refuted(Box<Counterexample>),
    /// A limit was met first.
    Unknown(Exhausted),
}

/// A way to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The product of everything.
    Monolithic,
    /// The product of the parts that matter.
    Localise,
    /// Part after part, reduced after each.
    Reduce,
}

/// The product is searched up to so many states before anything else is tried.
const SMALL: usize = 1 << 12;

/// How many times the work of the search, in states and transitions, each of the others may do in its first turn.
const START: usize = 2;

/// The same for a reduction that will then probably be done; for one within localisation half of that.
const OUTLOOK: usize = 40;

/// The part of the work of the search that the reduction may do in later turns: one in so many.
const SHARE: usize = 12;

/// The same for localisation, which mostly looks at few states again and again.
const LOCAL_SHARE: usize = 2;

/// Decides a problem in the way that turns out to be quickest.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn automatic(problem: &Problem, budget: &Budget<'_>) -> Result<Automatic, ReplayError> {
    let cone = problem.cone();
    let network = cone.problem.network();
    let product = Product::transparent(&network);
    let mut search = Some(SafetySearch::new(&product));
    let table = Table::default();
    let mut localisation = Localisation::sharing(table.clone(), &cone.problem);
    let mut reduction = Reduction::sharing(table, &cone.problem);
    let mut effort = Effort::default();
    let mut limit = SMALL;
    let mut is_first = true;
    let mut unknown: Option<Exhausted> = None;
    loop {
        let mut reached = 0;
        let mut bytes = 0;
        let [mut local_work, mut local_more, mut work, mut more] = [usize::MAX; 4];
        if let Some(running) = &mut search {
            let decision = running.run_until(limit, budget)?;
            (reached, bytes) = (running.states(), running.bytes());
            let done = reached + running.transitions();
            [local_work, local_more, work, more] = match is_first {
                true => [START, OUTLOOK / 2, START, OUTLOOK].map(|times| done.saturating_mul(times)),
                false => [LOCAL_SHARE, 1, SHARE, SHARE].map(|share| done / share),
            };
            effort.held(reached);
            let outcome = match decision.map(|decision| decision.verdict) {
                None => None,
                Some(Verdict::Holds(_)) => Some(Outcome::Proved),
                Some(Verdict::Violated(run)) => Some(Outcome::Refuted(Box::new(cone.widened(*run)?))),
                Some(Verdict::Unknown(Unknown::ErrorReachable | Unknown::GivenUp)) => {
                    unreachable!("safety does not depend on itself")
                }
                // The product is too large. What it held is given back, and the reduction has everything.
                Some(Verdict::Unknown(Unknown::Exhausted(exhausted)))
                    if matches!(exhausted.resource, Resource::States | Resource::Memory) =>
                {
                    unknown = Some(exhausted);
                    search = None;
                    (limit, bytes) = (usize::MAX, 0);
                    [local_work, local_more, work, more] = [usize::MAX; 4];
                    None
                }
                Some(Verdict::Unknown(Unknown::Exhausted(exhausted))) => Some(Outcome::Unknown(exhausted)),
            };
            if let Some(outcome) = outcome {
                let story = match limit {
                    SMALL => "the product is small".to_owned(),
                    _ => "reduction did not get ahead of the search of the product".to_owned(),
                };
                return Ok(Automatic {
                    outcome,
                    way: Way::Monolithic,
                    effort,
                    story,
                    inside: Vec::new(),
                    reduction: None,
                });
            }
        }
        let bytes =
            Some(budget.max_bytes().saturating_sub(bytes)).filter(|_| budget.max_bytes() < usize::MAX);
        let narrow = budget.narrowed(Limits { states: Some(limit / 2), bytes });
        // What is far from being done gets little, and what others do as well gets nothing.
        if localisation.outlook().is_some_and(|left| left > local_more) {
            local_work /= SHARE;
        }
        if search.is_some() && localisation.is_whole() {
            [local_work, local_more] = [0; 2];
        }
        let mut local = localisation.run_for(local_work, &cone.problem, &narrow, &mut effort);
        if matches!(local, Err(Unrealised::Exhausted(_)))
            && localisation.outlook().is_some_and(|left| left <= local_more)
        {
            local = localisation.run_for(local_more, &cone.problem, &narrow, &mut effort);
        }
        match local {
            Ok(outcome) => {
                let outcome = match outcome {
                    Outcome::Refuted(run) => Outcome::Refuted(Box::new(cone.widened(*run)?)),
                    outcome => outcome,
                };
                let parts: Vec<usize> = cone.parts().collect();
                let inside: Vec<usize> = localisation.inside().map(|part| parts[part]).collect();
                let story = format!("{} of {} parts decide it", inside.len(), problem.parts.len());
                return Ok(Automatic { outcome, way: Way::Localise, effort, story, inside, reduction: None });
            }
            Err(Unrealised::Mistake(mistake)) => return Err(mistake),
            Err(Unrealised::Exhausted(_)) => {}
        }
        match reduce(&mut reduction, &cone, [work, more], &narrow, &mut effort) {
            Ok(outcome) => {
                let story = format!("decided when the search of the product had reached {reached} states");
                drop(search);
                let reduction = Some(Box::new((reduction, cone)));
                return Ok(Automatic {
                    outcome,
                    way: Way::Reduce,
                    effort,
                    story,
                    inside: Vec::new(),
                    reduction,
                });
            }
            Err(Unrealised::Mistake(mistake)) => return Err(mistake),
            Err(Unrealised::Exhausted(exhausted)) => {
                let can_go_on = matches!(exhausted.resource, Resource::States | Resource::Memory);
                if !can_go_on || search.is_none() {
                    // What came furthest says how far.
                    let furthest = unknown.filter(|other| can_go_on && other.states > exhausted.states);
                    let outcome = Outcome::Unknown(furthest.unwrap_or(exhausted));
                    let story = "both the search of the product and reduction were given up".to_owned();
                    return Ok(Automatic {
                        outcome,
                        way: Way::Reduce,
                        effort,
                        story,
                        inside: Vec::new(),
                        reduction: None,
                    });
                }
            }
        }
        limit = limit.saturating_mul(4);
        is_first = false;
    }
}

/// A turn of the reduction: some work, and more if it will then probably be done.
fn reduce(
    reduction: &mut Reduction,
    cone: &Cone,
    [work, more]: [usize; 2],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Outcome, Unrealised> {
    let mut end = reduction.run_for(work, budget, effort);
    if end.is_err() && reduction.work_left() == 0 && reduction.outlook().is_some_and(|left| left <= more) {
        end = reduction.run_for(more, budget, effort);
    }
    match end.map_err(Unrealised::Exhausted)? {
        false => Ok(Outcome::Proved),
        true => {
            let run = reduction.counterexample(&cone.problem, budget, effort)?;
            Ok(Outcome::Refuted(Box::new(cone.widened(run).map_err(Unrealised::Mistake)?)))
        }
    }
}
