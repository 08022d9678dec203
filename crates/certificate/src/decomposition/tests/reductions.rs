//! Premises that are shown by reductions: right ones, changed ones, and those of premises that are not true.

use std::collections::BTreeSet;

use rely_base::{Alphabet, Budget, Id};
use rely_lts::{LtsBuilder, Network};
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::rng::Rng;
use serde_json::Value;

use super::mutations::changed_values;
use super::{Case, cases, channel, judge};
use crate::{
    Abstraction, Decomposition, Premise, PremiseReduction, ReductionProof, ReductionStep, Rejection,
    StateTable, problem_of_premise,
};

/// For each premise about systems, a reduction in one step: everything becomes a system that does nothing, and all tuples
/// that can be reached, and in which nothing has failed, are said to be harmless. If the premise is true, so is that.
pub(super) fn with_reductions(network: &Network, decomposition: &Decomposition) -> Decomposition {
    let of = |premise: usize| {
        let problem = problem_of_premise(network, decomposition, premise, &Budget::UNLIMITED).ok()??;
        let (systems, goal) = problem;
        let goal: Vec<usize> = goal.iter().map(|id| id.index()).collect();
        let count = systems.components().len();
        let product = NaiveProduct::new(&systems);
        let rows: BTreeSet<Vec<u32>> = product
            .moves
            .keys()
            .filter(|tuple| error_in(&systems, tuple).is_none())
            .map(|tuple| tuple.iter().map(|state| state.raw()).chain([1]).collect())
            .collect();
        let mut relation = StateTable::new(count + 1, 0);
        rows.into_iter().for_each(|row| relation.push(row));
        let step = ReductionStep::Replace {
            pieces: (0..count).collect(),
            by: Abstraction::of(&LtsBuilder::with_states(Alphabet::new(), 1).build()),
            relation: relation.encode(),
        };
        let parts = (0..count).filter(|i| !goal.contains(i)).collect();
        Some(PremiseReduction { premise, proof: ReductionProof { goal, parts, steps: vec![step] } })
    };
    let reductions = (0..decomposition.premises.len()).filter_map(of).collect();
    Decomposition { reductions, ..decomposition.clone() }
}

/// Some reductions are left out, and some are those of other premises.
pub(super) fn shuffled(rng: &mut Rng, mut proof: Decomposition) -> Decomposition {
    proof.reductions.retain(|_| rng.chance(4, 5));
    for i in 0..proof.reductions.len() {
        if rng.chance(1, 6) {
            let other = rng.below(proof.reductions.len());
            proof.reductions[i].proof = proof.reductions[other].proof.clone();
        }
    }
    proof
}

#[test]
fn premises_may_be_reduced() {
    for Case { network, goal, decomposition } in cases() {
        let reduced = with_reductions(&network, &decomposition);
        assert!(!reduced.reductions.is_empty());
        assert_eq!(judge(&network, &goal, &reduced), Ok(()), "{reduced:?}");
        let text = serde_json::to_string(&reduced).expect("it can be written");
        assert_eq!(serde_json::from_str::<Decomposition>(&text).expect("it can be read"), reduced);
        let text = serde_json::to_string(&decomposition).expect("it can be written");
        assert!(!text.contains("reductions"), "without reductions a certificate is what it was before");
    }
}

#[test]
fn whoever_changes_a_reduction_is_found_out() {
    let (mut unread, mut rejected) = (0, 0);
    for Case { network, goal, decomposition } in cases() {
        let proof = with_reductions(&network, &decomposition);
        for i in 0..proof.reductions.len() {
            let document = serde_json::to_value(&proof.reductions[i]).expect("it can be written");
            for changed in changed_values(&document) {
                let Ok(other) = serde_json::from_value::<PremiseReduction>(changed.clone()) else {
                    unread += 1;
                    continue;
                };
                if other == proof.reductions[i] {
                    continue;
                }
                let mut forged = proof.clone();
                forged.reductions[i] = other;
                let judgement = judge(&network, &goal, &forged);
                assert!(judgement.is_err(), "{}", Value::to_string(&changed));
                rejected += 1;
            }
        }
    }
    assert!(unread > 500 && rejected > 1000, "too few to mean anything: {unread}, {rejected}");
}

#[test]
fn what_is_wrong_with_a_reduction_is_said() {
    let Case { network, goal, decomposition } = channel("simple");
    let proof = with_reductions(&network, &decomposition);
    let complaint = |change: &dyn Fn(&mut Decomposition)| {
        let mut other = proof.clone();
        change(&mut other);
        judge(&network, &goal, &other).expect_err("it is wrong").to_string()
    };
    assert_eq!(
        complaint(&|other| other.reductions[1].premise = 7),
        "the reduction of premise 8: there is no such premise"
    );
    assert_eq!(
        complaint(&|other| other.reductions[1].premise = usize::MAX),
        format!("the reduction of premise {}: there is no such premise", usize::MAX)
    );
    assert_eq!(
        complaint(&|other| other.reductions[1].premise = 0),
        "the reduction of premise 1: it is there twice"
    );
    assert_eq!(
        complaint(&|other| {
            other.reductions.truncate(1);
            other.reductions[0].proof.steps.clear();
        }),
        "the reduction of premise 1, ⟨A1⟩ M1 ⟨P⟩: piece 2, which is left in the end, can fail"
    );
    assert_eq!(
        complaint(&|other| other.reductions[1].proof.goal = vec![0]),
        "the reduction of premise 2, ⟨true⟩ M2 ⟨A1⟩: its evidence is about other components"
    );
    let mut swapped = proof.clone();
    swapped.reductions.swap(0, 1);
    assert_eq!(judge(&network, &goal, &swapped), Ok(()), "their order does not matter");
}

#[test]
fn a_premise_about_sequences_has_no_reduction() {
    let Case { network, goal, decomposition } = channel("symmetric");
    let mut proof = with_reductions(&network, &decomposition);
    let last = proof.premises.len() - 1;
    assert!(matches!(proof.premises[last], Premise::Outside(_)));
    let forged = PremiseReduction { premise: last, ..proof.reductions[0].clone() };
    proof.reductions.push(forged);
    let rejection = judge(&network, &goal, &proof).expect_err("it is none");
    assert!(matches!(rejection, Rejection::BadReduction { .. }), "{rejection}");
}
