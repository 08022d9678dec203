//! A question of `verify`, asked in the way that the query wants.
//!
//! The strategies are those of `rely_assume`. They know neither priority nor parts that can fail by themselves; where these
//! matter, the product of the whole system is searched as it is.

use rely_assume::{Answer, Answered, Approach, Hints, Strategy, Unsuited, outlives_a_failure, prove};
use rely_base::{Budget, Id};
use rely_lts::{ComponentId, Network};

use super::VerifyQuery;
use super::questions::{Question, Questions};
use crate::Internal;
use crate::parts::ids;
use crate::reuse::LastProof;

impl Questions {
    /// Asks in the way that the query wants.
    pub(super) fn ask(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        hints: &Hints,
        budget: Budget<'_>,
    ) -> Result<Answered, Internal> {
        if self.network.priority().is_some() {
            let reason = "the system has priority, which no rule allows for";
            let differs = query.strategy != Strategy::Monolithic;
            return self.exactly(question, differs.then(|| reason.to_owned()), &budget);
        }
        let VerifyQuery { strategy, rule, algorithm, alphabets, .. } = *query;
        let approach = Approach { strategy, rule, algorithm, alphabets, left: &self.left };
        let mut answered = prove(&question.problem, &approach, hints, &budget)?;
        if let Some(unsuited) = answered.unsuited {
            answered.reason = Some(words(unsuited).to_owned());
        }
        match &answered.answer {
            Answer::Refuted(run) if outlives_a_failure(run, &self.network, &question.parts) => {
                let reason =
                    "a part can fail by itself, which ends a run: the product was searched up to there";
                let exact = self.exactly(question, Some(reason.to_owned()), &budget)?;
                let mut effort = answered.effort;
                effort.add(exact.effort);
                Ok(Answered { effort, ..exact })
            }
            _ => Ok(answered),
        }
    }

    /// The search of the whole system, where a run ends as soon as something fails.
    fn exactly(
        &self,
        question: &Question,
        reason: Option<String>,
        budget: &Budget<'_>,
    ) -> Result<Answered, Internal> {
        let mut answered = Answered::new(Strategy::Monolithic);
        answered.reason = reason;
        // The judge has to search the same.
        answered.inside = (0..question.parts.len()).collect();
        let whole = self.whole(question);
        let goal: Vec<ComponentId> = ids(&whole).skip(question.parts.len()).collect();
        let decision = rely_decide::check_safety_of(&whole, &goal, budget)?;
        answered.effort.held(decision.explored.states);
        answered.answer = decision.verdict.into();
        Ok(answered)
    }

    /// The whole system as it is, the goal of a question last.
    fn whole(&self, question: &Question) -> Network {
        let parts = question.whole.clone();
        let goal = question.problem.goal.components.clone();
        let Some(priority) = self.own.priority() else { return Network::new([parts, goal].concat()) };
        let named = |name: &str| self.own.alphabet().get(name).is_some_and(|a| priority.is_named(a));
        let is_own = |id: &ComponentId| id.index() < self.own.components().len();
        match question.goal.iter().all(is_own) {
            true => Network::new([parts, goal].concat()).with_priority(priority.rank, named),
            // What only a property from outside has is not ordered.
            false => Network::new(parts).with_priority(priority.rank, named).with_components(goal),
        }
    }

    /// The parts and the goal of a question.
    pub(super) fn closed(&self, question: &Question) -> Network {
        match self.network.priority() {
            Some(_) => self.whole(question),
            None => question.problem.network(),
        }
    }
}

/// The answer that the last proof gives, if it stands.
pub(super) fn by_last_proof(last: &mut LastProof) -> Option<Answered> {
    let proof = last.proof.take()?;
    let earlier = Strategy::from_name(&last.strategy).unwrap_or_default();
    let mut answered = Answered::new(if earlier.uses_a_rule() { earlier } else { Strategy::Abstract });
    if !earlier.uses_a_rule() {
        // What was composed before, or what the parts did, is what the others are abstracted to.
        let way = earlier.name();
        answered.reason = Some(format!("the assumptions are from an earlier answer by {way}"));
    }
    answered.groups.clone_from(&proof.groups);
    answered.effort = last.effort;
    answered.answer = Answer::Proved(Some(proof));
    last.stands = true;
    Some(answered)
}

/// Why a rule cannot be used, in the words of the command line.
fn words(unsuited: Unsuited) -> &'static str {
    match unsuited {
        Unsuited::TooFewParts => "there are too few parts to split",
        Unsuited::FirstGroupEmpty => "--left names no part but what can fail, so nothing is left for M1",
        Unsuited::FirstGroupFull => "--left names all parts, so nothing is left for M2",
        Unsuited::GoalTakesPart => "the rule needs a property that only looks on",
        Unsuited::MethodNeedsChain => "the strategy needs a rule that is a chain",
        Unsuited::AlphabetsNeedChain => "--refine-alphabet needs a rule that is a chain",
        Unsuited::NothingShared => "the groups share nothing, so there is nothing to assume",
    }
}
