//! What `verify` claims, and with which evidence.
//!
//! A proof with assumptions is its own evidence. After a reduction, it is what was composed, step by step; after a
//! localisation, the same for the parts that were needed. Making it costs as much as the compositions themselves, so it
//! is made only if a certificate is wanted. Where it cannot be made within the limits, and where the product decided,
//! there is nothing but the product of the parts that matter, which the judge has to search.

use rely_assume::{Proof, Rule, Whole};
use rely_base::{Budget, Id};
use rely_certificate::{Claim, Evidence};

use super::questions::{Question, Questions};
use super::strategies::Aid;
use super::{Strategy, VerifyQuery};
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
    ) -> Claim {
        let count = self.own.components().len();
        let is_part = question.goal.iter().all(|id| id.index() < count);
        let (network, goal) = match is_part {
            true => (self.own.clone(), question.goal.clone()),
            false => {
                let network = self.own.clone().with_components(question.problem.goal.components.clone());
                let goal = ids(&network).skip(count).collect();
                (network, goal)
            }
        };
        let whole = Whole { network: &network, parts: &question.parts, goal: &goal };
        let evidence = match proof {
            Some(proof) => proof.evidence(&question.parts, &goal),
            None if query.certify => of_reduction(&whole, question, strategy, trail, budget)
                .unwrap_or_else(|| product(question, &trail.inside).evidence(&question.parts, &goal)),
            None => product(question, &trail.inside).evidence(&question.parts, &goal),
        };
        composition_claim(&query.system, &network, &question.name, &goal, evidence)
    }

    /// The same about an answer that is remembered. What was reduced is not, so it is reduced once more.
    pub(super) fn claim_of_known(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        result: &VerifyResult,
        proof: Option<&Proof>,
        budget: Budget<'_>,
    ) -> Result<Claim, Internal> {
        let was_reduced =
            [Strategy::Reduce, Strategy::Localise].map(Strategy::name).contains(&&*result.strategy);
        if query.certify && proof.is_none() && was_reduced {
            let asked = self.ask(question, query, &Aid::default(), budget)?;
            if let Some(claim) = self.told(question, query, asked, &budget).claim {
                return Ok(claim);
            }
        }
        let strategy = Strategy::Monolithic;
        Ok(self.claim(question, query, strategy, proof, &Trail::default(), &budget))
    }
}

/// The evidence of a reduction, if there was one and it fits into the limits.
fn of_reduction(
    whole: &Whole<'_>,
    question: &Question,
    strategy: Strategy,
    trail: &Trail,
    budget: &Budget<'_>,
) -> Option<Evidence> {
    let made = match strategy {
        Strategy::Reduce => whole.reduction_evidence(&trail.compositions, budget),
        Strategy::Localise => whole.evidence_of_parts(&question.problem, &trail.inside, budget),
        _ => return None,
    };
    made.ok().flatten()
}

/// The proof that has a single group: the parts that were needed, if that is known, or else those that the goal can feel.
/// The judge searches their product, so every part that is left out makes it smaller.
pub(super) fn product(question: &Question, needed: &[usize]) -> Proof {
    let felt: Vec<usize> = question.problem.cone().parts().collect();
    let all = || (0..question.problem.parts.len()).collect();
    let group = [needed.to_vec(), felt].into_iter().find(|group| !group.is_empty()).unwrap_or_else(all);
    Proof { rule: Rule::Chain, groups: vec![group], assumptions: Vec::new() }
}
