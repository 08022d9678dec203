//! Proofs that are looked at again after a change.
//!
//! **Problem.** A system was proved, then some components changed. Does the proof still stand, and if not, what has the
//! change broken?
//!
//! **Idea.** A premise ⟨A⟩ M ⟨G⟩ speaks about one group of components. Its digest, over the assumption, the components
//! and the guarantee, is remembered when it has been shown; if nothing that it speaks about has changed, and the memory
//! can be trusted, it is recalled and not searched. The others are looked at again with the assumptions of old: if a changed component does no more than
//! it did, a premise that was true of the old one is true; otherwise the premise is searched, in several ways at once
//! ([`crate::automatic`]), because a group may be large. If all are true, the proof stands. If
//! one is not, the sequence against it tells which assumption the change has broken: either a group does what an
//! assumption forbids, or a group fails although the assumption is kept. A learner then starts from the assumptions that
//! there are ([`crate::verify_from`]).
//!
//! A proof without assumptions is looked at in another way: see `inherit.rs`.
//!
//! **Invariants.** A proof stands only if each premise has been searched on exactly these components: now or, with a
//! memory that can be trusted, before. So it does not matter where the proof comes from: it may as well be a guess ([`crate::Reduction::sketch`]).
//!
//! **Deviations.** [Cobleigh 2007, section 5.6] re-uses assumptions on larger systems of a family; here it is the same
//! system some changes later.
//!
//! **Callers.** `rely verify`, with a store.

mod content;
mod inherit;
mod matching;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rely_base::{Budget, Exhausted};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, operators};

use crate::problem::alphabet_of;
use crate::{
    Answer, Effort, Goal, Guarantee, Premise, Problem, Proof, Unrealised, automatic, conjunct, realise,
};

pub use content::{Content, Key};
pub use inherit::{Inherited, Surprise, inherit};
pub use matching::Matching;

/// Remembers what was found out, by content. It may forget.
pub trait Memory {
    /// Whether what it recalls is what it was told: nobody else can write to it. What any other memory recalls is a hint,
    /// and no verdict rests on it.
    fn is_trusted(&self) -> bool {
        false
    }

    /// What is known by a key.
    fn recall(&self, key: &Key) -> Option<Vec<u8>>;

    /// Remembers values.
    fn remember(&self, entries: &[(Key, Vec<u8>)]);
}

/// What became of a proof that was looked at again.
#[derive(Clone, Debug)]
pub enum Again {
    /// All premises are true. The number of those that were known before.
    Stands(usize),
    /// A premise is not true any more.
    Broken(Broken),
    /// The proof does not fit the problem, or has a premise that is not searched like a product.
    Unusable,
}

/// A premise that is not true any more.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The premise.
    pub premise: Premise,
    /// The assumption that it shows to be wrong, by number.
    pub assumption: usize,
    /// Whether the assumption is not kept any more; otherwise it is kept, and not enough any more.
    pub is_breached: bool,
    /// The actions of the group that show it.
    pub trace: Vec<String>,
}

/// The keys by which the premises of a proof are remembered.
fn keys(problem: &Problem, proof: &Proof) -> Vec<(Premise, Key)> {
    let premises = proof.rule.premises(proof.groups.len());
    let with_key = |premise| (premise, content::key_of_premise(problem, proof, premise));
    premises.into_iter().map(with_key).collect()
}

/// What there is to remember of a proof that has been found for a problem.
pub fn premises_to_remember(problem: &Problem, proof: &Proof) -> Vec<(Key, Vec<u8>)> {
    if !fits(problem, proof) {
        return Vec::new();
    }
    keys(problem, proof).into_iter().map(|(_, key)| (key, Vec::new())).collect()
}

/// Whether a proof, found for this problem or for another one, proves the problem.
///
/// # Errors
/// The limit of the budget that was met, or a mistake in the program: a run that cannot be replayed.
pub fn check_again(
    problem: &Problem,
    proof: &Proof,
    memory: &dyn Memory,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Again, Unrealised> {
    check_after(problem, None, proof, memory, budget, effort)
}

/// Checks a proof again for a problem of which there was an earlier version with the same number of parts: what is
/// remembered of its premises helps with those of this one.
///
/// # Errors
/// The limit of the budget that was met, or a mistake in the program: a run that cannot be replayed.
pub fn check_after(
    problem: &Problem,
    earlier: Option<&Problem>,
    proof: &Proof,
    memory: &dyn Memory,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Again, Unrealised> {
    if !fits(problem, proof) {
        return Ok(Again::Unusable);
    }
    let is_known = |key: &Key| memory.is_trusted() && memory.recall(key).is_some();
    let mut shown = Vec::new();
    // What has been shown is remembered also if a limit ends the rest.
    let mut judge = || {
        let mut known = 0;
        for (premise, key) in keys(problem, proof) {
            if is_known(&key) {
                known += 1;
                continue;
            }
            let Premise::Triple { assumes, guarantees, .. } = premise else { return Ok(Again::Unusable) };
            if let Some(earlier) = earlier.filter(|earlier| has_same_shape(earlier, problem))
                && is_known(&content::key_of_premise(earlier, proof, premise))
                && still_true(earlier, problem, proof, premise, budget, effort)?
            {
                shown.push((key, Vec::new()));
                continue;
            }
            let Some(trace) = counterexample(problem, proof, premise, budget, effort)? else {
                shown.push((key, Vec::new()));
                continue;
            };
            let breached = match guarantees {
                Guarantee::Assumption(assumption) => Some(assumption),
                Guarantee::Goal | Guarantee::Conjunct(_) => None,
            };
            let broken = |assumption| Broken { premise, assumption, is_breached: breached.is_some(), trace };
            return Ok(breached.or(assumes).map_or(Again::Unusable, |wrong| Again::Broken(broken(wrong))));
        }
        Ok(Again::Stands(known))
    };
    let outcome = judge();
    memory.remember(&shown);
    outcome
}

/// Whether a proof has the groups and assumptions that its rule needs, and parts that the problem has.
pub fn fits(problem: &Problem, proof: &Proof) -> bool {
    let groups = proof.groups.len();
    let right_count = if proof.rule.is_binary() { groups == 2 } else { groups >= 2 };
    let mut parts: Vec<usize> = proof.groups.concat();
    parts.sort_unstable();
    let distinct = parts.windows(2).all(|two| two[0] < two[1]);
    let exist = parts.last().is_none_or(|&last| last < problem.parts.len());
    if !right_count || !distinct || !exist || proof.groups.iter().any(Vec::is_empty) {
        return false;
    }
    let assumptions = proof.rule.premises(groups).into_iter().filter_map(|premise| match premise {
        Premise::Triple { assumes, .. } => assumes,
        Premise::NoneOutside => None,
    });
    assumptions.max().map_or(0, |last| last + 1) == proof.assumptions.len()
        && (!proof.rule.needs_observer() || problem.goal.is_observer())
}

/// Whether two problems have the same number of parts, and the same goal.
fn has_same_shape(one: &Problem, other: &Problem) -> bool {
    let (goal, goals) = (&one.goal.components, &other.goal.components);
    let same_goal = goal.len() == goals.len() && goal.iter().zip(goals).all(|(a, b)| a.lts == b.lts);
    same_goal && one.parts.len() == other.parts.len()
}

/// Whether a premise that is true of an earlier problem is true because no part of its group does more than it did.
///
/// With A for what the others in the premise saw of the old part Q, A ‖ rest has the traces of Q ‖ rest, so it keeps the
/// guarantee, and Q' ‖ rest has no others if Q' keeps to A.
fn still_true(
    earlier: &Problem,
    problem: &Problem,
    proof: &Proof,
    premise: Premise,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<bool, Exhausted> {
    let Premise::Triple { group, guarantees, .. } = premise else { return Ok(false) };
    // What a half of the goal is depends on the parts.
    if matches!(guarantees, Guarantee::Conjunct(_)) {
        return Ok(false);
    }
    let group = &proof.groups[group];
    // Parts are exchanged one by one.
    let mut between = earlier.clone();
    for &part in group {
        let (old, new) = (&earlier.parts[part], &problem.parts[part]);
        if old.lts == new.lts {
            continue;
        }
        let mut others: Vec<Component> =
            group.iter().filter(|&&other| other != part).map(|&other| between.parts[other].clone()).collect();
        others.extend(around(&between, proof, premise));
        if !inherit::does_no_more(old, new, &alphabet_of(&others), budget, effort)? {
            return Ok(false);
        }
        between.parts[part] = new.clone();
    }
    Ok(true)
}

/// What is in a premise beside the parts of its group.
fn around(problem: &Problem, proof: &Proof, premise: Premise) -> Vec<Component> {
    let Premise::Triple { assumes, guarantees, .. } = premise else { return Vec::new() };
    let mut around: Vec<Component> =
        assumes.map(|assumption| proof.assumptions[assumption].component("A")).into_iter().collect();
    around.extend(guaranteed(problem, proof, guarantees).components);
    around
}

fn guaranteed(problem: &Problem, proof: &Proof, guarantee: Guarantee) -> Goal {
    match guarantee {
        Guarantee::Goal => problem.goal.clone(),
        Guarantee::Conjunct(half) => {
            let first: Vec<Component> =
                proof.groups[0].iter().map(|&part| problem.parts[part].clone()).collect();
            conjunct(&problem.goal, &first, half)
        }
        Guarantee::Assumption(assumption) => Goal::property(proof.assumptions[assumption].property("G")),
    }
}

/// A sequence of actions against a premise; none if it is true.
fn counterexample(
    problem: &Problem,
    proof: &Proof,
    premise: Premise,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<Vec<String>>, Unrealised> {
    let Premise::Triple { assumes, group, guarantees } = premise else { return Ok(None) };
    let members: Vec<Component> =
        proof.groups[group].iter().map(|&part| problem.parts[part].clone()).collect();
    let around = around(problem, proof, premise);
    let mut parts = reduced(&members, &around, budget, effort)?;
    parts.extend(assumes.map(|assumption| proof.assumptions[assumption].component("A")));
    let searched = Problem { composites: Vec::new(), parts, goal: guaranteed(problem, proof, guarantees) };
    let found = automatic(&searched, budget)?;
    effort.held(found.effort.peak_states);
    match found.outcome {
        Answer::Proved(()) => Ok(None),
        Answer::Unknown(exhausted) => Err(exhausted.into()),
        Answer::Refuted(run) => {
            let alphabet = alphabet_of(&searched.components());
            let names = run.trace_names();
            let visible: Vec<String> =
                names.into_iter().filter(|name| alphabet.contains(name)).map(str::to_owned).collect();
            // What was hidden in the group is shown, unless finding it takes more than there is.
            let whole: Vec<Component> = members.into_iter().chain(around).collect();
            match realise(&whole, &visible, &alphabet, budget, effort) {
                Ok(run) => Ok(Some(run.trace_names().into_iter().map(str::to_owned).collect())),
                Err(Unrealised::Exhausted(_)) => Ok(Some(visible)),
                Err(mistake) => Err(mistake),
            }
        }
    }
}

/// Components without what is nobody else's business among them and some others: hidden, and reduced modulo branching
/// bisimilarity, which keeps the traces.
fn reduced(
    components: &[Component],
    others: &[Component],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Vec<Component>, Exhausted> {
    let mut owners: rustc_hash::FxHashMap<&str, usize> = rustc_hash::FxHashMap::default();
    for component in components.iter().chain(others) {
        for name in component.lts.alphabet().names() {
            *owners.entry(name).or_default() += 1;
        }
    }
    let mut reduce = |component: &Component| {
        effort.held(component.lts.state_count());
        let hidden = operators::hide(&component.lts, |name| owners[name] == 1);
        let lts = Arc::new(minimise(&hidden, Equivalence::Branching, budget)?);
        Ok(Component { name: component.name.clone(), lts })
    };
    components.iter().map(&mut reduce).collect()
}
