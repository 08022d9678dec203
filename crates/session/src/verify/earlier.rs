//! What there is to explain an answer of an earlier run with.
//!
//! A page says what an answer rests on. For an answer from the store that is the proof or the run that was kept with it,
//! or what localisation and reduction have done. The premises of the proof are checked once more within the limits of
//! a page, since they are counted for it anyway; the run has been replayed when it was read. What was kept by a version
//! that kept less, or does not stand, is not used: then the question is asked anew.

use rely_assume::{Effort, Problem, Proof, Reduction, Strategy, automatic};
use rely_base::Budget;

use super::VerifyQuery;
use super::questions::Question;
use crate::Internal;
use crate::explanation::{Recheck, Trail, recheck};
use crate::report::{Verdict, VerifyResult};
use crate::reuse::{Known, QUICK};

/// The trail of an answer that is known. Nothing if a page is wanted, and cannot be made of what was kept.
///
/// # Errors
/// A mistake in this program: a run that cannot be replayed.
pub(super) fn trail_of(
    known: &Known,
    question: &Question,
    query: &VerifyQuery<'_>,
    budget: &Budget<'_>,
) -> Result<Option<Trail>, Internal> {
    if !query.details.explanation {
        return Ok(Some(Trail::default()));
    }
    let Known { result, proof, run, ways } = known;
    let problem = &question.problem;
    let Some(groups) = groups_of(result, problem) else { return Ok(None) };
    let mut trail = Trail { run: run.clone(), groups, ..Trail::default() };
    if let Some(proof) = proof {
        let checked = recheck(problem, proof, budget)?;
        if checked == Recheck::False {
            return Ok(None);
        }
        trail.is_rechecked = checked == Recheck::True;
        trail.proof = Some(proof.clone());
    }
    if result.verdict == Verdict::Holds && proof.is_none() && result.was_reduced() {
        let Some(ways) = ways.clone() else { return Ok(None) };
        (trail.inside, trail.compositions, trail.sketch) = (ways.inside, ways.compositions, ways.sketch);
        let was_quick = result.strategy == Strategy::Reduce.name() && result.peak_states < QUICK;
        if trail.sketch.is_none() && was_quick {
            trail.sketch = sketch_again(problem, query.strategy, budget)?;
        }
    }
    Ok(Some(trail))
}

/// The sketch of a reduction that was quick, and is kept without one.
fn sketch_again(
    problem: &Problem,
    strategy: Strategy,
    budget: &Budget<'_>,
) -> Result<Option<Proof>, Internal> {
    if strategy == Strategy::Auto {
        return Ok(automatic(problem, budget)?.sketch(budget));
    }
    let mut reduction = Reduction::new(problem);
    let end = reduction.run(budget, &mut Effort::default());
    Ok(if end == Ok(false) { reduction.sketch(budget) } else { None })
}

/// The groups of the rule that was used, none if none was; nothing if they are not groups of parts.
fn groups_of(result: &VerifyResult, problem: &Problem) -> Option<Vec<Vec<usize>>> {
    if result.rule.is_none() {
        return Some(Vec::new());
    }
    let part = |name: &String| problem.parts.iter().position(|part| part.name == *name);
    let two = [result.left.clone(), result.right.clone()];
    let groups = if result.groups.is_empty() { &two[..] } else { &result.groups[..] };
    groups.iter().map(|group| group.iter().map(part).collect()).collect()
}
