//! Proofs as the evidence of certificates.
//!
//! The premises of IA-Compat, the hybrid and IA-AltRef are those of an interface proof about [`Problem::network`]: no
//! component reaches its error state. The premises of IA-Prop are those of the simple rule about the same network: the
//! property is not broken. The judge of [`rely_certificate`] searches them on the components as they are; that the
//! assumption was found on reduced ones does not matter.
//!
//! That one automaton refines another is shown by an alternating simulation ([`simulation_evidence`]).

use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{
    self as certificate, Decomposition, Evidence, Guarantee, InterfaceProof, Premise, Refinement, StateTable,
};
use rely_lts::{Component, ComponentId, Lts, Network, Role, operators};

use crate::completion::{Treatment, completion};
use crate::{Aim, Problem, Proof, alternating_simulation};

impl Proof {
    /// The proof for a certificate about [`Problem::network`] and [`Problem::goal_components`].
    pub fn evidence(&self, problem: &Problem) -> Evidence {
        let assumption = certificate::Assumption::of(self.assumption.lts());
        let [mut first, second] = problem.members(&self.groups);
        if matches!(problem.aim, Aim::Safe(_)) {
            let goal = first.split_off(first.len() - problem.goal_count());
            return Evidence::Composition(simple(first, second, goal, assumption));
        }
        let inputs = self.assumption.names(Role::Input);
        let inputs = inputs.names().map(str::to_owned).collect();
        Evidence::Interface(InterfaceProof { first, second, inputs, assumption })
    }

    /// The premises as networks of the components of a problem as they are, with the assumption last. Nothing fails in
    /// either of them.
    pub fn premises(&self, problem: &Problem) -> [Network; 2] {
        let assumption = &self.assumption;
        let completed = |counts: &dyn Fn(Role) -> bool| {
            let treatment = |_: &str, role| if counts(role) { Treatment::Completed } else { Treatment::Kept };
            completion(assumption, treatment)
        };
        let [assumed, guaranteed] = match problem.aim {
            Aim::Safe(_) => [assumption.lts().clone(), operators::complete(assumption.lts())],
            _ => [completed(&|role| role == Role::Input), completed(&|role| role != Role::Input)],
        };
        let components = problem.components();
        let [first, second] = problem.members(&self.groups);
        let network = |members: Vec<usize>, lts: Lts| {
            let members = members.into_iter().map(|member| components[member].clone());
            let last = Component::new("A", lts);
            Network::new(members.chain([last]).collect())
        };
        [network(first, assumed), network(second, guaranteed)]
    }
}

impl Problem {
    /// The components of [`Problem::network`] that are neither parts nor constraints. If the aim is a property alone,
    /// these must not fail; otherwise no component must.
    pub fn goal_components(&self) -> Vec<ComponentId> {
        let before = self.system.parts().len() + self.system.constraints().len();
        (before..before + self.goal_count()).map(ComponentId::from_index).collect()
    }
}

/// The evidence that an automaton refines another: pairs of states. `None` if it does not.
///
/// # Errors
/// The limit of the budget that was met.
pub fn simulation_evidence(
    refinement: &Refinement<'_>,
    budget: &Budget<'_>,
) -> Result<Option<Evidence>, Exhausted> {
    let (implementation, specification) = (refinement.implementation.1, refinement.specification.1);
    let Some(pairs) = alternating_simulation(implementation, specification, budget)? else {
        return Ok(None);
    };
    let mut table = StateTable::new(2, 0);
    pairs.iter().for_each(|(a, b)| table.push([a.raw(), b.raw()]));
    table.sort();
    Ok(Some(Evidence::Simulation { pairs: table.encode() }))
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
    Decomposition {
        by: "simple".to_owned(),
        groups: vec![first, second],
        goal,
        assumptions,
        premises,
        reductions: Vec::new(),
    }
}
