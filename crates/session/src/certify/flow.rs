//! Evidence for answers of flow analysis.

use rely_base::Budget;
use rely_certificate::{Claim, Evidence, FlowProof};

use super::Model;
use crate::Project;
use crate::meaning::Meaning;

/// What an answer of flow analysis rests on, by the names of components.
pub(crate) struct Rests {
    /// The threads that were followed; all of them if none is named.
    pub(crate) followed: Vec<String>,
    /// The constraints.
    pub(crate) constraints: Vec<String>,
}

/// Replaces the evidence of a claim by the threads and constraints of a flow analysis, if the judge accepts them. Whether it
/// does.
///
/// The judge does not know the flow graph, and is less precise about what may come next if a step has more than two
/// threads. If that does not suffice, the evidence of the claim remains what it is.
pub(super) fn choose_evidence(
    claim: &mut Claim,
    rests: &Rests,
    model: &Model<'_>,
    budget: &Budget<'_>,
) -> bool {
    let mut meaning = Meaning::of(model.project, *budget);
    let Ok(found) = meaning.flow(&claim.target) else { return false };
    let numbered = |name: &String| claim.components.iter().position(|component| component.name == *name);
    let kept: Option<Vec<usize>> = rests.constraints.iter().map(numbered).collect();
    let followed: Option<Vec<usize>> = rests.followed.iter().map(numbered).collect();
    let (Some(kept), Some(followed)) = (kept, followed) else { return false };
    let threads = if followed.is_empty() { found.threads() } else { followed };
    let proof = FlowProof { threads, kept };
    let before = std::mem::replace(&mut claim.evidence, Evidence::Flow(proof));
    let is_accepted = model.judge(claim, budget).is_ok_and(|judged| judged.reason.is_none());
    if !is_accepted {
        claim.evidence = before;
    }
    is_accepted
}

/// [`choose_evidence`] for a caller that has not read the project for the judge: it is read here.
pub(crate) fn choose_evidence_in(
    project: &Project,
    claim: &mut Claim,
    rests: &Rests,
    budget: Budget<'_>,
) -> bool {
    let (target, property) = (claim.target.clone(), claim.property.clone());
    let model = Model::read(project, [(&*target, &*property)].into_iter(), budget);
    model.is_ok_and(|model| choose_evidence(claim, rests, &model, &budget))
}
