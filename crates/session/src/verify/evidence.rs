//! What `verify` claims, and with which evidence.
//!
//! A proof with assumptions is its own evidence. After a reduction, it is what was composed, step by step; after a
//! localisation, the same for the parts that were needed. Where the product decided, it is nothing but the parts that
//! matter, and the judge searches their product; so does the judge with premises. If that would be more work than to follow
//! a reduction, the evidence is the reduction. Making it costs as much as the compositions themselves, so it is made only if
//! a certificate is wanted. Where neither is known to be little work, a warning says so.

use rely_assume::{Hints, Judgeable, Proof, Rule, Strategy, Whole};
use rely_base::{Budget, Id};
use rely_certificate::{Claim, Evidence, Property};
use rely_lts::{ComponentId, Network};

use super::VerifyQuery;
use super::questions::{Question, Questions};
use crate::Internal;
use crate::certify::composition_claim;
use crate::explanation::Trail;
use crate::parts::ids;
use crate::report::VerifyResult;

impl Questions {
    /// What a certificate says about an answer. A property that is no part of the system stands behind its parts.
    pub(super) fn claim(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        strategy: Strategy,
        proof: Option<&Proof>,
        trail: &Trail,
        budget: &Budget<'_>,
    ) -> Claimed {
        let (network, goal) = self.claimed_network(question);
        let whole = Whole { network: &network, parts: &question.parts, goal: &goal };
        // With priority the judge searches the whole, whatever the evidence is.
        let (evidence, warning) = match query.certify && network.priority().is_none() {
            true => evidence_for_the_judge(&whole, question, strategy, proof, trail, budget),
            false => {
                let product = || product(question, &trail.inside);
                (proof.cloned().unwrap_or_else(product).evidence(&question.parts, &goal), None)
            }
        };
        let property =
            Property::Unbroken { name: &question.name, components: &goal, observers: &question.observers };
        let claim = composition_claim(&query.system, &network, &property, evidence);
        Claimed { claim, warning }
    }

    /// The network that a claim is about, and the components of it that must not fail.
    pub(super) fn claimed_network(&self, question: &Question) -> (Network, Vec<ComponentId>) {
        let count = self.own.components().len();
        if question.goal.iter().all(|id| id.index() < count) {
            return (self.own.clone(), question.goal.clone());
        }
        let network = self.own.clone().with_components(question.problem.goal.components.clone());
        let goal = ids(&network).skip(count).collect();
        (network, goal)
    }

    /// What a certificate says about an answer that is remembered. The reduction is not, so it is made again.
    pub(super) fn claim_of_known(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        result: &VerifyResult,
        proof: Option<&Proof>,
        budget: Budget<'_>,
    ) -> Result<Claimed, Internal> {
        if query.certify && proof.is_none() && result.was_reduced() {
            let answered = self.ask(question, query, &Hints::default(), budget)?;
            if let Some(claim) = self.reported(question, query, answered, &budget).claim {
                return Ok(claim);
            }
        }
        let strategy = Strategy::Monolithic;
        Ok(self.claim(question, query, strategy, proof, &Trail::default(), &budget))
    }
}

/// What is claimed, and what somebody who wants to have it judged should know.
pub(super) struct Claimed {
    pub(super) claim: Claim,
    pub(super) warning: Option<String>,
}

/// The evidence that is least work to judge, and a warning if that is still much.
fn evidence_for_the_judge(
    whole: &Whole<'_>,
    question: &Question,
    strategy: Strategy,
    proof: Option<&Proof>,
    trail: &Trail,
    budget: &Budget<'_>,
) -> (Evidence, Option<String>) {
    if let Some(proof) = proof {
        let (evidence, dear) = proof.reduced_evidence(whole, budget);
        return (evidence, (dear > 0).then(|| DEAR.to_owned()));
    }
    let problem = &question.problem;
    let made = match strategy {
        // Where nothing can fail, the judge sees that at once.
        _ if whole.goal.is_empty() => Ok(Judgeable::ByProduct),
        Strategy::Reduce => whole
            .reduction_evidence(&trail.compositions, budget)
            .map(|made| made.map_or(Judgeable::Dear, Judgeable::ByReduction)),
        Strategy::Localise => whole.evidence_of_parts(problem, &trail.inside, budget),
        _ => whole.evidence_if_large(problem, &problem.cone().parts().collect::<Vec<_>>(), budget),
    };
    let product = || product(question, &trail.inside).evidence(whole.parts, whole.goal);
    match made {
        Ok(Judgeable::ByReduction(proof)) => (Evidence::Reduction(proof), None),
        Ok(Judgeable::ByProduct) => (product(), None),
        Ok(Judgeable::Dear) | Err(_) => (product(), Some(DEAR.to_owned())),
    }
}

/// What is said where no evidence is known to be little work.
const DEAR: &str = "its certificate may be much more work to judge than the answer was to find";

/// The proof that has a single group: the parts that were needed, if that is known, or else those that the goal can feel.
/// The judge searches their product, so every part that is left out makes it smaller.
pub(super) fn product(question: &Question, needed: &[usize]) -> Proof {
    let felt: Vec<usize> = question.problem.cone().parts().collect();
    let all = || (0..question.problem.parts.len()).collect();
    let group = [needed.to_vec(), felt].into_iter().find(|group| !group.is_empty()).unwrap_or_else(all);
    Proof { rule: Rule::Chain, groups: vec![group], assumptions: Vec::new() }
}
