//! Judging proofs with an interface.
//!
//! **Claim.** No component of the network reaches its error state.
//!
//! **Rule.** Two groups M₁ and M₂ of components, together all that can fail, and an assumption A over some actions,
//! of which some are inputs. A? is A where every input that is not possible leads to an error state; A! is A where
//! every other action of A that is not possible does. The premises, searched from their definitions:
//! 1. no component reaches its error state in M₁ ‖ A?;
//! 2. no component reaches its error state in M₂ ‖ A!.
//!
//! **Why it is sound.** Take a shortest run of the network by which a component fails, and the projection σ of its
//! actions to the alphabet of A. Suppose that A can follow the run up to a step, which is the last or one before it,
//! with an action a of A. If a is an input, M₁ ‖ A? can take the run up to this step, without M₂; since A? does not
//! fail by premise 1, A has a transition with a, and follows. Otherwise the argument is the same with M₂ ‖ A! and
//! premise 2. So A follows all of σ, and the group of the component that fails takes the run together with A? or A!,
//! against its premise.
//!
//! **Conditions.** None on alphabets: an action that a group does not have is free for A alone, and an action that A does
//! not have is free for each group; both only make failing easier. Priority is left out for the same reason.

use std::collections::BTreeSet;

use rely_base::Budget;
use rely_lts::{Lts, Network};

use super::premise::{completed_for, failure};
use crate::{Digest, InterfaceProof, Rejection};

/// Judges whether a proof with an interface shows that no component fails.
pub(super) fn check_interface(
    network: &Network,
    proof: &InterfaceProof,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    check_groups(network, proof)?;
    let assumption = assumption(proof)?;
    let inputs: BTreeSet<&str> = proof.inputs.iter().map(String::as_str).collect();
    let is_input = |name: &str| inputs.contains(name);
    let premises = [
        ("M1 ‖ A?", &proof.first, completed_for(&assumption, is_input, budget)?),
        ("M2 ‖ A!", &proof.second, completed_for(&assumption, |name| !is_input(name), budget)?),
    ];
    for (premise, group, completed) in premises {
        let members = group.iter().map(|&member| (*network.components()[member].lts).clone());
        if let Some(trace) = failure(members.chain([completed]).collect(), budget)? {
            return Err(Rejection::FalsePremise { premise: premise.to_owned(), trace });
        }
    }
    Ok(())
}

/// Checks that the groups consist of components of the network, each once, and that all components that can fail are
/// in one of them. Components that cannot fail may be in both: they take the same run in either.
fn check_groups(network: &Network, proof: &InterfaceProof) -> Result<(), Rejection> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for group in [&proof.first, &proof.second] {
        let mut here: BTreeSet<usize> = BTreeSet::new();
        for &member in group {
            let Some(component) = network.components().get(member) else {
                return Err(Rejection::BadGroups(format!("the target has no component {member}")));
            };
            let is_used = used.contains(&member) && component.lts.error().is_some();
            if !here.insert(member) || is_used {
                return Err(Rejection::BadGroups(format!("{} is there twice", component.name)));
            }
        }
        used.extend(here);
    }
    let forgotten =
        |(i, component): &(usize, &rely_lts::Component)| component.lts.error().is_some() && !used.contains(i);
    match network.components().iter().enumerate().find(forgotten) {
        None => Ok(()),
        Some((_, component)) => {
            Err(Rejection::BadGroups(format!("{} can fail and is in none", component.name)))
        }
    }
}

fn assumption(proof: &InterfaceProof) -> Result<Lts, Rejection> {
    let reject = |what: String| Rejection::BadAssumption { number: 1, what };
    let lts = proof.assumption.read().map_err(reject)?;
    if Digest::of_lts(&lts) != proof.assumption.digest {
        return Err(reject("it is not the one that its digest was made for".to_owned()));
    }
    match proof.inputs.iter().find(|name| !lts.alphabet().contains(name)) {
        None => Ok(lts),
        Some(name) => Err(reject(format!("its input {name} is no action of it"))),
    }
}
