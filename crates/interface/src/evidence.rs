//! Proofs as the evidence of certificates.
//!
//! The premises of IA-Compat, the hybrid and IA-AltRef are those of an interface proof about [`Problem::network`]: no
//! component reaches its error state. The premises of IA-Prop are those of the simple rule about the same network: the
//! property is not broken. The judge of [`rely_certificate`] searches them on the components as they are; that the
//! assumption was found on reduced ones does not matter.

use rely_base::Id;
use rely_certificate::{self as certificate, Decomposition, Evidence, Guarantee, InterfaceProof, Premise};
use rely_lts::{ComponentId, Role};

use crate::{Aim, Problem, Proof};

impl Proof {
    /// The proof for a certificate about [`Problem::network`] and [`Problem::goal_components`].
    pub fn evidence(&self, problem: &Problem) -> Evidence {
        let assumption = certificate::Assumption::of(self.assumption.lts());
        let parts = problem.system.parts().len();
        let constraints = parts..parts + problem.system.constraints().len();
        let mut first = self.groups[0].clone();
        first.extend(constraints);
        let goal: Vec<usize> = problem.goal_components().into_iter().map(Id::index).collect();
        if matches!(problem.aim, Aim::Safe(_)) {
            return Evidence::Composition(simple(first, self.groups[1].clone(), goal, assumption));
        }
        first.extend(goal);
        let inputs = self.assumption.names(Role::Input);
        Evidence::Interface(InterfaceProof {
            first,
            second: self.groups[1].clone(),
            inputs: inputs.names().map(str::to_owned).collect(),
            assumption,
        })
    }
}

impl Problem {
    /// The components of [`Problem::network`] that are neither parts nor constraints. If the aim is a property alone,
    /// these must not fail; otherwise no component must.
    pub fn goal_components(&self) -> Vec<ComponentId> {
        let before = self.system.parts().len() + self.system.constraints().len();
        let all = match &self.aim {
            Aim::Compatible => before,
            Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => before + goal.components.len(),
            Aim::Refines(_) => before + 1,
        };
        (before..all).map(ComponentId::from_index).collect()
    }
}

/// ⟨A⟩ M₁ ⟨P⟩ and ⟨true⟩ M₂ ⟨A⟩.
fn simple(
    first: Vec<usize>,
    second: Vec<usize>,
    goal: Vec<usize>,
    assumption: certificate::Assumption,
) -> Decomposition {
    let assumptions = vec![assumption];
    let reference = Decomposition::reference(&assumptions, 0);
    let premises = vec![
        Premise::Triple {
            assumes: Some(reference.clone()),
            group: 0,
            components: first.clone(),
            guarantees: Guarantee::Goal,
        },
        Premise::Triple {
            assumes: None,
            group: 1,
            components: second.clone(),
            guarantees: Guarantee::Within(reference),
        },
    ];
    Decomposition { by: "simple".to_owned(), groups: vec![first, second], goal, assumptions, premises }
}
