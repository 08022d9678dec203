//! The alphabets of the assumptions of a proof.
//!
//! A rule is sound whatever the alphabets of its assumptions are. It is complete if each of them is over its whole
//! interface: the actions that its group, and what the group guarantees, share with the groups that follow. The
//! assumptions of `--refine-alphabet` are over a part of that; those of a reduction are over the actions that
//! remained, which parts in no group may share. So the alphabets are compared, and the page says which case it is.

use rely_assume::{Goal, Guarantee, Premise, Problem, Proof, Rule, conjunct, interface};
use rely_lts::Component;

/// A sentence about the alphabets of the assumptions of a proof.
pub(super) fn alphabets(problem: &Problem, proof: &Proof) -> &'static str {
    if proof.rule == Rule::Symmetric {
        return "every assumption is over the actions that its group shares with the others, and those of the goal: \
                with less the rule is incomplete";
    }
    let (mut is_whole, mut is_part) = (true, true);
    for (assumption, whole) in interfaces(problem, proof) {
        let alphabet = proof.assumptions[assumption].alphabet();
        is_part &= alphabet.names().all(|name| whole.contains(name));
        is_whole &= alphabet.len() == whole.len();
    }
    match (is_part, is_whole) {
        (true, true) => {
            "every assumption is over the actions that its group and what it guarantees share with the groups that \
             follow"
        }
        (true, false) => {
            "every assumption is over some of the actions that its group and what it guarantees share with the groups \
             that follow; over all of them the rule is complete, and it is sound over fewer"
        }
        (false, _) => {
            "none on the actions of assumptions. Where an assumption is guaranteed, an action of it that nothing else \
             in the premise has is free to occur, so the assumption has to allow it"
        }
    }
}

/// For each assumption, by number, its interface.
fn interfaces(problem: &Problem, proof: &Proof) -> Vec<(usize, rely_base::Alphabet)> {
    let pick = |group: usize| -> Vec<Component> {
        proof.groups[group].iter().map(|&part| problem.parts[part].clone()).collect()
    };
    let premises = proof.rule.premises(proof.groups.len());
    let group_of = |premise: &Premise| match premise {
        Premise::Triple { group, .. } => Some(*group),
        Premise::NoneOutside => None,
    };
    let mut interfaces = Vec::new();
    for (i, premise) in premises.iter().enumerate() {
        let &Premise::Triple { assumes: Some(assumption), group, guarantees } = premise else { continue };
        // The two halves of a conjunction are two separate simple rules: one group follows the other.
        let following: Vec<usize> = match proof.rule {
            Rule::Conjunction => vec![1 - group],
            _ => premises[i + 1..].iter().filter_map(group_of).collect(),
        };
        let goal = match guarantees {
            Guarantee::Goal => problem.goal.clone(),
            Guarantee::Conjunct(half) => conjunct(&problem.goal, &pick(0), half),
            Guarantee::Assumption(number) => Goal::property(proof.assumptions[number].property("G")),
        };
        let following: Vec<Component> = following.into_iter().flat_map(pick).collect();
        interfaces.push((assumption, interface(&pick(group), &goal, &following)));
    }
    interfaces
}
