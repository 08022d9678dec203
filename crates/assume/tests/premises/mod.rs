//! Whether a proof is one, from the definitions of the premises.

use std::collections::BTreeSet;

use rely_assume::{Assumption, Goal, Guarantee, Premise, Problem, Proof, conjunct};
use rely_base::{Id, Label, StateId};
use rely_lts::Component;
use rely_testkit::naive::assumption as naive;

/// Whether all premises of a proof are true, from their definitions.
pub(crate) fn is_proof(problem: &Problem, proof: &Proof) -> bool {
    let group = |group: usize| -> Vec<Component> {
        proof.groups[group].iter().map(|&part| problem.parts[part].clone()).collect()
    };
    proof.rule.premises(proof.groups.len()).into_iter().all(|premise| match premise {
        Premise::Triple { assumes, group: of, guarantees } => {
            let mut components = group(of);
            components.extend(assumes.map(|assumption| proof.assumptions[assumption].component("A")));
            match guarantees {
                Guarantee::Goal => components.extend(problem.goal.components.clone()),
                Guarantee::Conjunct(half) => {
                    components.extend(conjunct(&problem.goal, &group(0), half).components);
                }
                Guarantee::Assumption(assumption) => {
                    components.push(proof.assumptions[assumption].property("A"));
                }
            }
            !naive::fails(&components)
        }
        Premise::NoneOutside => !some_sequence_is_outside(&problem.goal, &proof.assumptions),
    })
}

/// Whether some sequence breaks a property and is outside of all assumptions: all of them followed at once.
fn some_sequence_is_outside(goal: &Goal, assumptions: &[Assumption]) -> bool {
    let wanted = goal.components.len();
    let properties: Vec<Component> = goal
        .components
        .iter()
        .cloned()
        .chain(assumptions.iter().map(|assumption| assumption.property("A")))
        .collect();
    let names: BTreeSet<&str> =
        properties.iter().flat_map(|component| component.lts.alphabet().names()).collect();
    // By component its state, or nothing once the sequence is outside.
    let start: Vec<Option<usize>> = properties
        .iter()
        .map(|component| {
            Some(component.lts.initial()).filter(|&s| component.lts.error() != Some(s)).map(Id::index)
        })
        .collect();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some(states) = stack.pop() {
        // One property of the goal is broken, and all assumptions are.
        if states[..wanted].iter().any(Option::is_none) && states[wanted..].iter().all(Option::is_none) {
            return true;
        }
        for name in &names {
            let step = |(component, state): (&Component, &Option<usize>)| {
                let lts = &component.lts;
                let Some(action) = lts.alphabet().get(name) else { return *state };
                let from = StateId::from_index((*state)?);
                let to = lts.edges_with(from, Label::visible(action))[0].target;
                Some(to).filter(|&to| lts.error() != Some(to)).map(Id::index)
            };
            let next: Vec<Option<usize>> = properties.iter().zip(&states).map(step).collect();
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    false
}
