//! Evidence for answers of flow analysis.

use rely_base::Budget;
use rely_certificate::{Claim, Evidence, FlowProof};

use super::Model;
use crate::meaning::Meaning;
use crate::report::FlowResult;

/// Replaces the evidence of a claim by the threads and constraints of a flow analysis, if the judge accepts them.
///
/// The judge does not know the flow graph, and is less precise about what may come next if a step has more than two
/// threads. If that does not suffice, the evidence of the claim remains that the whole is searched.
pub(super) fn choose_evidence(claim: &mut Claim, flow: &FlowResult, model: &Model<'_>, budget: &Budget<'_>) {
    let mut meaning = Meaning::of(model.project, *budget);
    let Ok(found) = meaning.flow(&claim.target) else { return };
    let numbered = |name: &String| claim.components.iter().position(|component| component.name == *name);
    let kept: Option<Vec<usize>> = flow.constraints.iter().map(|it| numbered(&it.name)).collect();
    let followed: Option<Vec<usize>> = flow.followed.iter().map(numbered).collect();
    let (Some(kept), Some(followed)) = (kept, followed) else { return };
    let threads = if followed.is_empty() { found.threads() } else { followed };
    let proof = FlowProof { threads, kept };
    let before = std::mem::replace(&mut claim.evidence, Evidence::Flow(proof));
    let is_accepted = model.judge(claim, budget).is_ok_and(|judged| judged.reason.is_none());
    if !is_accepted {
        claim.evidence = before;
    }
}
