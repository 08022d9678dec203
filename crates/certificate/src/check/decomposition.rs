//! Judging proofs by decomposition.
//!
//! **Claim.** No run of the network leads a component of the goal G to its error state, unless a component has failed
//! before its last step; observers are set aside (`goal.rs`).
//!
//! **Rule.** A rule and the number of groups say which premises there are; the judge computes them anew and compares.
//! Then it checks each from its definition (`premise.rs`), on the components as the model has them:
//! - ⟨A⟩ M ⟨G⟩: no component of G reaches its error state in A ‖ M ‖ G;
//! - ⟨A⟩ M ⟨A′⟩: no component reaches its error state in A ‖ M ‖ A′, where A′ is completed: what A′ does not allow
//!   leads to an error state;
//! - halves of the goal: failing by an action of the first group counts (0), or failing by any other action (1);
//! - ⟨true⟩ M ⟨G⟩ where M is everything but G: what the claim says, on the network as it is;
//! - outside: no sequence of actions breaks G and is outside of each assumption.
//!
//! Components of groups are *stopped*: the steps by which they fail lead to an ordinary state without transitions.
//!
//! A premise ⟨A⟩ M ⟨G⟩ says that certain systems do not fail together: A, the components of M, and G. That is a claim like
//! the one above, about a network of these systems in which G is the goal. So instead of being searched it may be shown by a
//! reduction (`reduction.rs`), if the certificate has one for it.
//!
//! **Why it is sound.** Take a run against the claim, up to where G fails, and the sequence σ of its actions, hidden
//! ones included. It is a run of every set of components of the network, if the steps of the others are dropped. No
//! component of a group fails before the last step of the run, so all its steps are still there after stopping. Write
//! σ ∈ A if the projection of σ to the alphabet of A is a word of A.
//! 1. ⟨A⟩ M ⟨G⟩ implies σ ∉ A: otherwise A could follow the run, and A ‖ M ‖ G would fail. ⟨true⟩ M ⟨G⟩ cannot be.
//! 2. ⟨A⟩ M ⟨A′⟩ and σ ∈ A imply σ ∈ A′: otherwise A ‖ M could follow σ, and A′ would fail. ⟨true⟩ M ⟨A′⟩ implies
//!    σ ∈ A′.
//! 3. A rule is a chain if its last premise assumes nothing, and each guarantees what the one before assumes. By 2 σ
//!    is in the assumption of each premise, from the last one back to the first, which is impossible by 1.
//! 4. *conjunction*: the goal fails by the last action of σ, or is failed at once. So one of its halves fails by σ, and
//!    3 applies to the premises of this half.
//! 5. *symmetric*: by 1, σ is outside of each assumption, and it breaks G, which the last premise excludes.
//!
//! **Conditions.** None of this needs a condition on the alphabets of assumptions. An action of A that no component of
//! a group has is free to occur where A is guaranteed, so A has to allow it; and where A is assumed, it is free to
//! occur as well, which only makes failing easier. A small alphabet makes a rule incomplete and not unsound. Components
//! that are in no group and not in the goal are left out; then more is possible. Priority is left out for the same
//! reason, but where the whole network is searched, and hiding because components synchronise beneath it. But an
//! observer that is set aside must not be in a group: it goes on after it has failed, and stopped it would not. That
//! components of the goal are in no group, and that rules with complements and halves require a goal that restricts
//! nothing, belongs to the definitions of the rules.
//!
//! **Complexity.** Each premise is searched once: the product of one group, an assumption and what is guaranteed,
//! without the systems that cannot affect a failure. Or its reduction is judged, in time linear in its relations.

use std::collections::BTreeSet;

use rely_base::{Budget, Id};
use rely_lts::{ComponentId, Lts, Network};

use super::goal::Goal;
use super::premise::{
    can_fail, completed, composed, excused, failure, failure_of, is_observer, outside_of_all, stopped,
};
use super::reduction::check_reduction;
use crate::{Decomposition, Guarantee, Premise, ReductionProof, Reference, Rejection};

/// Judges whether a decomposition shows that a goal does not fail, unless something has failed before.
pub(super) fn check_decomposition(
    network: &Network,
    goal: &Goal,
    decomposition: &Decomposition,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if decomposition.goal != goal.members {
        return Err(Rejection::AnotherGoal);
    }
    let judge = Judge::new(network, goal, decomposition, budget)?;
    judge.check_premises(decomposition)?;
    judge.check_side_condition(&decomposition.by)?;
    let reductions = reductions(decomposition)?;
    for (i, (premise, reduction)) in decomposition.premises.iter().zip(reductions).enumerate() {
        match reduction {
            None => judge.check(premise)?,
            Some(proof) => judge.check_reduced(i, premise, proof)?,
        }
    }
    Ok(())
}

/// The systems of a premise of a decomposition, and those of them that must not fail: a reduction of the premise has
/// to be about these. `None` if the premise is about sequences of actions instead of systems, or if what is
/// guaranteed has no error state that can be reached.
///
/// # Errors
/// Why the decomposition is malformed, or the limit that was met.
pub fn problem_of_premise(
    network: &Network,
    decomposition: &Decomposition,
    premise: usize,
    budget: &Budget<'_>,
) -> Result<Option<(Network, Vec<ComponentId>)>, Rejection> {
    if decomposition.goal.iter().any(|&member| member >= network.components().len()) {
        return Err(Rejection::AnotherGoal);
    }
    let goal: Vec<ComponentId> = decomposition.goal.iter().copied().map(ComponentId::from_index).collect();
    let goal = Goal::of(&goal);
    let judge = Judge::new(network, &goal, decomposition, budget)?;
    judge.check_premises(decomposition)?;
    let Some(premise) = decomposition.premises.get(premise) else { return Ok(None) };
    let is_open = |(network, goal): &(Network, Vec<ComponentId>)| {
        goal.iter().any(|id| can_fail(&network.components()[id.index()].lts))
    };
    Ok(judge.problem(premise)?.filter(is_open))
}

/// The data of the proof that is judged.
struct Judge<'a> {
    network: &'a Network,
    /// The components of each group, by number.
    groups: Vec<&'a [usize]>,
    goal: &'a Goal,
    /// The assumptions, as they have been read.
    assumptions: Vec<Lts>,
    budget: &'a Budget<'a>,
}

impl<'a> Judge<'a> {
    fn new(
        network: &'a Network,
        goal: &'a Goal,
        decomposition: &'a Decomposition,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Rejection> {
        Ok(Self {
            network,
            groups: groups(network, goal, decomposition)?,
            goal,
            assumptions: assumptions(decomposition)?,
            budget,
        })
    }

    fn lts(&self, component: usize) -> &Lts {
        &self.network.components()[component].lts
    }

    /// The systems that must not fail.
    fn goals(&self) -> impl Iterator<Item = &Lts> {
        self.goal.systems(self.network)
    }

    /// Checks that the premises are those of the rule.
    fn check_premises(&self, decomposition: &Decomposition) -> Result<(), Rejection> {
        let (claimed, by) = (&decomposition.premises, &decomposition.by);
        let references: Vec<Reference> = (0..self.assumptions.len())
            .map(|assumption| Decomposition::reference(&decomposition.assumptions, assumption))
            .collect();
        let required = required_premises(by, &self.groups, &references)?;
        let differs = |&i: &usize| claimed.get(i) != required.get(i);
        match (0..claimed.len().max(required.len())).find(differs) {
            None => Ok(()),
            Some(i) => Err(Rejection::WrongPremise {
                number: i + 1,
                claimed: claimed.get(i).map(ToString::to_string),
                required: required.get(i).map(ToString::to_string),
            }),
        }
    }

    fn check_side_condition(&self, by: &str) -> Result<(), Rejection> {
        let needed = matches!(by, "conjunction" | "symmetric");
        match needed && !self.goals().all(is_observer) {
            true => Err(Rejection::GoalTakesPart),
            false => Ok(()),
        }
    }

    /// Checks that the premise is true.
    fn check(&self, premise: &Premise) -> Result<(), Rejection> {
        let counterexample = match premise {
            Premise::Triple { assumes: None, components, guarantees: Guarantee::Goal, .. }
                if self.is_everybody(components) =>
            {
                failure_of(self.network, self.goal, self.budget)?
            }
            Premise::Triple { assumes, group, guarantees, .. } => {
                let systems = self.others(assumes.as_ref(), *group).chain(self.guaranteed(guarantees)?);
                failure(systems.collect(), self.budget)?
            }
            Premise::Outside(_) => {
                outside_of_all(&self.goals().collect::<Vec<_>>(), &self.assumptions, self.budget)?
            }
        };
        match counterexample {
            None => Ok(()),
            Some(trace) => Err(Rejection::FalsePremise { premise: premise.to_string(), trace }),
        }
    }

    /// Whether a group has all components except the goal and the observers.
    fn is_everybody(&self, group: &[usize]) -> bool {
        let Goal { members, observers } = self.goal;
        group.len() + members.len() + observers.len() == self.network.components().len()
    }

    /// Checks that a reduction proves the premise.
    fn check_reduced(
        &self,
        number: usize,
        premise: &Premise,
        proof: &ReductionProof,
    ) -> Result<(), Rejection> {
        let premise_in_words = format!("{}, {premise}", number + 1);
        let reject = |what: String| Rejection::BadReduction { premise: premise_in_words.clone(), what };
        let Some((network, goal)) = self.problem(premise)? else {
            return Err(reject("there are no systems in it that could be reduced".to_owned()));
        };
        check_reduction(&network, &Goal::of(&goal), proof, self.budget).map_err(|rejection| match rejection {
            Rejection::Exhausted(_) => rejection,
            _ => reject(rejection.to_string()),
        })
    }

    /// The systems of a premise, and those that must not fail.
    fn problem(&self, premise: &Premise) -> Result<Option<(Network, Vec<ComponentId>)>, Rejection> {
        let Premise::Triple { assumes, group, guarantees, .. } = premise else { return Ok(None) };
        let mut systems: Vec<Lts> = self.others(assumes.as_ref(), *group).collect();
        let first = systems.len();
        systems.extend(self.guaranteed(guarantees)?);
        let goal = (first..systems.len()).map(ComponentId::from_index).collect();
        Ok(Some((composed(systems), goal)))
    }

    /// The assumption and the components of the group of a premise.
    fn others(&self, assumes: Option<&Reference>, group: usize) -> impl Iterator<Item = Lts> {
        let assumed = assumes.map(|reference| self.assumptions[reference.assumption].clone());
        let members = self.groups[group].iter().map(|&member| stopped(self.lts(member)));
        assumed.into_iter().chain(members)
    }

    /// The systems that fail if a guarantee is not met.
    fn guaranteed(&self, guarantee: &Guarantee) -> Result<Vec<Lts>, Rejection> {
        Ok(match guarantee {
            Guarantee::Goal => self.goals().cloned().collect(),
            Guarantee::Half(half) => {
                let first: Vec<&Lts> = self.groups[0].iter().map(|&member| self.lts(member)).collect();
                let of_first = |name: &str| first.iter().any(|lts| lts.alphabet().contains(name));
                let counts = |name: &str| of_first(name) == (*half == 0);
                self.goals().map(|lts| excused(lts, counts)).collect()
            }
            Guarantee::Within(reference) => {
                vec![completed(&self.assumptions[reference.assumption], self.budget)?]
            }
        })
    }
}

/// The premises of a rule, from its definition.
fn required_premises(
    by: &str,
    members: &[&[usize]],
    assumptions: &[Reference],
) -> Result<Vec<Premise>, Rejection> {
    let groups = members.len();
    // Whether the rule fits the number of groups, and how many assumptions it then needs.
    let (fits, expected) = match by {
        "monolithic" => (groups == 1, 0),
        "simple" => (groups == 2, 1),
        "alternating" | "conjunction" => (groups == 2, 2),
        "chain" => (groups >= 2, groups.saturating_sub(1)),
        "symmetric" | "circular" => (groups >= 2, groups),
        _ => return Err(Rejection::UnknownRule(by.to_owned())),
    };
    if !fits {
        return Err(Rejection::BadGroups(format!("the rule {by} is not for {groups}")));
    }
    if assumptions.len() != expected {
        return Err(Rejection::WrongAssumptions { claimed: assumptions.len(), required: expected });
    }
    let triple = |assumes: Option<&Reference>, group: usize, guarantees| Premise::Triple {
        assumes: assumes.cloned(),
        group,
        components: members[group].to_vec(),
        guarantees,
    };
    let assume = |i: usize, group, guarantees| triple(Some(&assumptions[i]), group, guarantees);
    let alone = |group, guarantees| triple(None, group, guarantees);
    let within = |i: usize| Guarantee::Within(assumptions[i].clone());
    let goal_or_within = |i: usize| if i == 0 { Guarantee::Goal } else { within(i - 1) };
    let last = groups - 1;
    Ok(match by {
        "monolithic" => vec![alone(0, Guarantee::Goal)],
        "simple" => vec![assume(0, 0, Guarantee::Goal), alone(1, within(0))],
        "alternating" => vec![assume(0, 0, Guarantee::Goal), assume(1, 1, within(0)), alone(0, within(1))],
        "conjunction" => vec![
            assume(0, 0, Guarantee::Half(0)),
            alone(1, within(0)),
            assume(1, 1, Guarantee::Half(1)),
            alone(0, within(1)),
        ],
        "chain" => {
            let before = (0..last).map(|i| assume(i, i, goal_or_within(i)));
            before.chain([alone(last, goal_or_within(last))]).collect()
        }
        "circular" => {
            let around = (0..groups).map(|i| assume(i, i, goal_or_within(i)));
            around.chain([alone(0, within(last))]).collect()
        }
        _ => {
            let each = (0..groups).map(|i| assume(i, i, Guarantee::Goal));
            each.chain([Premise::Outside(assumptions.to_vec())]).collect()
        }
    })
}

/// The reduction of each premise, if it has one.
fn reductions(decomposition: &Decomposition) -> Result<Vec<Option<&ReductionProof>>, Rejection> {
    let mut reductions = vec![None; decomposition.premises.len()];
    for reduction in &decomposition.reductions {
        let reject = |what: &str| {
            let premise = reduction.premise.saturating_add(1).to_string();
            Rejection::BadReduction { premise, what: what.to_owned() }
        };
        match reductions.get_mut(reduction.premise) {
            None => return Err(reject("there is no such premise")),
            Some(Some(_)) => return Err(reject("it is there twice")),
            Some(place) => *place = Some(&reduction.proof),
        }
    }
    Ok(reductions)
}

/// Reads the groups: components of the network that are neither in the goal nor set aside, each in at most one group.
/// Only the group of a proof without assumptions may be empty.
fn groups<'d>(
    network: &Network,
    goal: &Goal,
    decomposition: &'d Decomposition,
) -> Result<Vec<&'d [usize]>, Rejection> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for group in &decomposition.groups {
        if group.is_empty() && decomposition.groups.len() > 1 {
            return Err(Rejection::BadGroups("one is empty".to_owned()));
        }
        for &member in group {
            let what = match network.components().get(member) {
                None => format!("the target has no component {member}"),
                Some(component) if goal.members.contains(&member) => {
                    format!("{} is what must not fail", component.name)
                }
                Some(component) if goal.observers.contains(&member) => {
                    format!("{} is a property that is set aside", component.name)
                }
                Some(component) if !used.insert(member) => format!("{} is there twice", component.name),
                Some(_) => continue,
            };
            return Err(Rejection::BadGroups(what));
        }
    }
    Ok(decomposition.groups.iter().map(Vec::as_slice).collect())
}

fn assumptions(decomposition: &Decomposition) -> Result<Vec<Lts>, Rejection> {
    let read = |(i, assumption): (usize, &crate::Assumption)| {
        let reject = |what| Rejection::BadAssumption { number: i + 1, what };
        let lts = assumption.read().map_err(reject)?;
        match crate::Digest::of_lts(&lts) == assumption.digest {
            true => Ok(lts),
            false => Err(reject("it is not the one that its digest was made for".to_owned())),
        }
    };
    decomposition.assumptions.iter().enumerate().map(read).collect()
}
