//! What the claims about properties of a target imply together.
//!
//! If everything in a target that can fail is claimed not to, and all these claims are accepted, then nothing ever
//! fails in it. The proof is in `check/goal.rs` of the judge, which also finds what is not covered.

use std::collections::BTreeMap;

use rely_base::Id;
use rely_certificate::{Claim, uncovered};
use rely_lts::ComponentId;

use crate::explain::NOT_ALL_CLAIMED;
use crate::goals::{ERROR, Goals, unique_names};
use crate::report::{CertifyResult, ClaimedComponent, Finding, Kind, Level};

/// The claims about each target that have been judged.
#[derive(Default)]
pub(super) struct Coverage {
    targets: BTreeMap<String, Claimed>,
}

/// The claims about a target that have been judged.
#[derive(Default)]
struct Claimed {
    /// Whether its safety as a whole is claimed, accepted or not.
    is_whole: bool,
    /// The goals of the claims about its properties that were accepted.
    goals: Vec<Vec<ComponentId>>,
    /// Whether there are claims about its properties.
    has_properties: bool,
}

impl Coverage {
    /// Adds a claim that has been judged, with the components that it is about if it is about a property.
    pub(super) fn add(&mut self, claim: &Claim, accepted: bool, components: Option<&[ClaimedComponent]>) {
        let claimed = self.targets.entry(claim.target.clone()).or_default();
        claimed.is_whole |= claim.kind == rely_certificate::Kind::Safety;
        let Some(components) = components else { return };
        claimed.has_properties = true;
        if accepted {
            let own = components.iter().filter(|component| !component.beside);
            claimed.goals.push(own.map(|component| ComponentId::from_index(component.number - 1)).collect());
        }
    }

    /// The result that nothing fails in a target, or a finding about what is not claimed; `None` if safety is claimed
    /// as a whole, or if nothing can fail.
    pub(super) fn of(&self, target: &str, system: &Goals) -> Option<Result<CertifyResult, Finding>> {
        let claimed = self.targets.get(target).filter(|it| it.has_properties && !it.is_whole)?;
        if uncovered(&system.network, []).is_empty() {
            return None;
        }
        let left = uncovered(&system.network, claimed.goals.iter().map(Vec::as_slice));
        if left.is_empty() {
            return Some(Ok(CertifyResult {
                target: target.to_owned(),
                is_commitment: false,
                property: "safety".to_owned(),
                kind: Kind::Safety,
                fairness: None,
                components: None,
                derived: true,
                accepted: true,
                reason: None,
            }));
        }
        let unique = unique_names(&system.network);
        let (properties, faulty): (Vec<ComponentId>, Vec<ComponentId>) =
            left.iter().partition(|id| system.observers.contains(id));
        let name = |id: &ComponentId| unique[id.index()].as_str();
        let mut names: Vec<String> = properties.iter().map(name).map(str::to_owned).collect();
        if !faulty.is_empty() {
            let parts: Vec<&str> = faulty.iter().map(name).collect();
            names.push(format!("{ERROR} of {}", parts.join(", ")));
        }
        let message =
            format!("safety of {target} as a whole is not certified: nothing shows {}", names.join(", "));
        let mut finding = Finding::without_place(NOT_ALL_CLAIMED, &message);
        finding.severity = Level::Warning;
        finding.help = Some(format!("`rely verify --system {target} --certificate` claims all that holds"));
        Some(Err(finding))
    }
}
