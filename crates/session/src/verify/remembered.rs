//! Answers from a store that is not trusted: judged before they are believed.
//!
//! **Problem.** Somebody else may be able to write to the store: a folder that is shared, such as the cache of a build
//! server that also builds what strangers propose. An entry that says *holds* about a system that does not would be given
//! as the answer, and nothing about it looks wrong: its checksum has no secret.
//!
//! **Idea.** An answer has its evidence beside it. A run that breaks the property has been replayed when it was read. The
//! premises of a proof are searched on the components as they are, as those of a proof that was just found
//! (`rely_assume::check_again`), within a budget. A proof with a premise that is not searched like a product becomes the
//! claim that a certificate would make, and the judge (`rely_certificate::check`) decides. What has no proof, takes more
//! than the budget, or is rejected, is computed again.
//!
//! **Deviation.** The judge could decide about all proofs. It has no reductions, and takes tens of times as long for the
//! same premises; and whoever wants more than for an answer that was just found asks for a certificate.
//!
//! **Invariant.** Of what is told, only the proof or the run, the strategy, and the numbers about the effort come from the
//! store. The rest is made anew, as for an answer that was just found.

use rely_assume::{Again, Answer, Answered, Effort, Memory, Strategy, Unrealised, check_again};
use rely_base::{Budget, Limits};
use rely_certificate::{Claim, Property, Rejection};

use super::questions::{Question, Questions};
use super::{Reported, VerifyQuery};
use crate::Internal;
use crate::report::{Reused, Verdict};
use crate::reuse::{Known, states_for_a_look};

/// What became of an answer from the store.
pub(super) enum Remembered {
    /// It is true, and this is told.
    True(Box<Reported>),
    /// It has no evidence, or more than can be judged.
    Open,
    /// Its evidence is none.
    False,
}

/// What is said where an entry of the store was rejected.
pub(super) const REJECTED: &str = "the store had another answer, whose proof is none: it was ignored, and somebody may have tampered with the store";

impl Questions {
    /// Judges an answer from the store.
    ///
    /// # Errors
    /// A mistake in this program: a run that cannot be replayed.
    pub(super) fn judge_remembered(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        known: Known,
        memory: &dyn Memory,
        budget: Budget<'_>,
    ) -> Result<Remembered, Internal> {
        let states = states_for_a_look(known.result.peak_states);
        let narrow = budget.narrowed(Limits { states: Some(states), bytes: None });
        let renamed = known.result.reused.as_ref().map(|reused| reused.renamed.clone());
        let was_shortest = known.result.shortest;
        let Some(answered) = answered(known) else { return Ok(Remembered::Open) };
        let mut is_proved = false;
        if let Answer::Proved(Some(proof)) = &answered.answer {
            match check_again(&question.problem, proof, memory, &narrow, &mut Effort::default()) {
                Ok(Again::Stands(_)) => is_proved = true,
                Ok(Again::Broken(_)) => return Ok(Remembered::False),
                Ok(Again::Unusable) => {}
                Err(Unrealised::Exhausted(_)) => return Ok(Remembered::Open),
                Err(Unrealised::Mistake(mistake)) => return Err(mistake.into()),
            }
        }
        let mut reported = self.reported(question, query, answered, &budget);
        if let Some(claimed) = reported.claim.as_ref().filter(|_| !is_proved) {
            match self.judge(question, &claimed.claim, &narrow) {
                Ok(()) => {}
                Err(Rejection::Exhausted(_)) => return Ok(Remembered::Open),
                Err(_) => return Ok(Remembered::False),
            }
        }
        reported.trail.is_rechecked = reported.claim.is_some();
        if reported.result.verdict == Verdict::Violated && reported.result.trace.len() > 1 {
            // That no run is shorter has no evidence.
            reported.result.shortest = false;
            let replayed =
                "the run is from the store, and was replayed; that none is shorter was not checked again";
            reported.result.reason = was_shortest.then(|| replayed.to_owned());
        }
        let assumptions = reported.result.assumptions.len();
        let renamed = renamed.unwrap_or_default();
        reported.result.reused = Some(Reused { verdict: true, assumptions, renamed, ..Reused::default() });
        Ok(Remembered::True(Box::new(reported)))
    }

    /// Has the claim judged that an answer makes.
    fn judge(&self, question: &Question, claim: &Claim, budget: &Budget<'_>) -> Result<(), Rejection> {
        let (network, goal) = self.claimed_network(question);
        let property =
            Property::Unbroken { name: &question.name, components: &goal, observers: &question.observers };
        rely_certificate::check(claim, &network, &property, budget)
    }
}

/// An answer from the store as one that was just found. Nothing if it has no evidence.
fn answered(known: Known) -> Option<Answered> {
    let Known { result, proof, run, .. } = known;
    let mut answered = Answered::new(Strategy::from_name(&result.strategy)?);
    answered.effort =
        Effort { peak_states: result.peak_states, queries: result.queries, conjectures: result.conjectures };
    answered.answer = match (result.verdict, run, proof) {
        (Verdict::Violated, Some(run), _) => Answer::Refuted(Box::new(run)),
        (Verdict::Holds, _, Some(proof)) => {
            answered.groups.clone_from(&proof.groups);
            Answer::Proved(Some(proof))
        }
        _ => return None,
    };
    Some(answered)
}
