//! Changes that take behaviour away.
//!
//! **Problem.** A system was found to be safe, in whatever way, then some components changed. Is it still safe?
//!
//! **Idea.** What the others relied on is, at worst, everything that the old components did. So that is the assumption A:
//! the sequences of shared actions of the components that have changed, as they were. ⟨A⟩ M₁ ⟨G⟩, where M₁ is what has
//! not changed, follows from the old verdict: A does what the old components did, as far as anybody else could see. What
//! remains is ⟨true⟩ M₂ ⟨A⟩ for the changed components as they are. If it is true, the simple rule proves the new
//! system; if not, the sequence against it is behaviour that is new, and may or may not do harm.
//!
//! **Invariants.** The old and the new problem have the same goal and parts of the same names. Each changed component has
//! an automaton of its own, over what it shared with the others then, so that no product of old components is made.
//!
//! **Complexity.** Old components are made deterministic, within a small limit; new ones are compared with them one by
//! one.
//!
//! **Callers.** `rely verify`, with a store, where the old verdict has no proof with assumptions.

use rely_base::{Alphabet, Budget, Exhausted, Limits, Resource};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, determinise_within, minimise};
use rely_lts::{Component, Lts, Network, operators};

use super::reduced;
use crate::premise::failures;
use crate::problem::alphabet_of;
use crate::{Assumption, Effort, Problem, Proof, Rule};

/// What follows from the old verdict.
#[derive(Clone, Debug)]
pub enum Inherited {
    /// The new components do nothing that the old ones did not.
    Stands(Proof),
    /// A component does something new.
    Surprise(Surprise),
    /// The problems cannot be compared.
    Unusable,
}

/// What a component does and did not do before.
#[derive(Clone, Debug)]
pub struct Surprise {
    /// The part, by number.
    pub part: usize,
    /// The actions that it shares with the others.
    pub trace: Vec<String>,
}

/// How often each state and transition of an old component may be looked at while it is made deterministic.
const OFTEN: usize = 64;

/// Whether a problem is solved because one that is known to be solved, before some parts were changed, was.
///
/// # Errors
/// The limit of the budget that was met, other than one on states.
pub fn inherit(
    old: &Problem,
    new: &Problem,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Inherited, Exhausted> {
    if !are_comparable(old, new) {
        return Ok(Inherited::Unusable);
    }
    let has_changed = |part: &usize| old.parts[*part].lts != new.parts[*part].lts;
    let (changed, same): (Vec<usize>, Vec<usize>) = (0..new.parts.len()).partition(has_changed);
    if changed.is_empty() || same.is_empty() {
        return Ok(Inherited::Unusable);
    }
    match compare(old, new, &changed, budget, effort) {
        Ok(Compared::Within(assumption)) => {
            let proof =
                Proof { rule: Rule::Simple, groups: vec![same, changed], assumptions: vec![assumption] };
            Ok(Inherited::Stands(proof))
        }
        Ok(Compared::Surprise(surprise)) => Ok(Inherited::Surprise(surprise)),
        Ok(Compared::TooMuch) => Ok(Inherited::Unusable),
        Err(exhausted) if exhausted.resource == Resource::States => Ok(Inherited::Unusable),
        Err(exhausted) => Err(exhausted),
    }
}

fn are_comparable(old: &Problem, new: &Problem) -> bool {
    let same_names = |one: &[Component], other: &[Component]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.name == other.name)
    };
    let same_systems = |(one, other): (&Component, &Component)| one.lts == other.lts;
    let can_fail = |part: &Component| part.lts.error().is_some();
    same_names(&old.parts, &new.parts)
        && !old.parts.iter().any(can_fail)
        && old.goal.components.len() == new.goal.components.len()
        && old.goal.components.iter().zip(&new.goal.components).all(same_systems)
}

enum Compared {
    /// All changed parts keep to this.
    Within(Assumption),
    Surprise(Surprise),
    /// An old part is too large to be made deterministic.
    TooMuch,
}

fn compare(
    old: &Problem,
    new: &Problem,
    changed: &[usize],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Compared, Exhausted> {
    let mut assumptions = Vec::new();
    for &part in changed {
        let mut others = old.components();
        others.remove(part);
        let Some(assumption) = behaviour(&old.parts[part].lts, &alphabet_of(&others), budget, effort)? else {
            return Ok(Compared::TooMuch);
        };
        let property = [assumption.property("A")];
        let mut components = reduced(&new.parts[part..=part], &property, budget, effort)?;
        components.extend(property);
        if let Some(trace) = failures(components, 1, budget, effort)?.into_iter().next() {
            return Ok(Compared::Surprise(Surprise { part, trace }));
        }
        assumptions.push(assumption);
    }
    if let [only] = assumptions.as_slice() {
        return Ok(Compared::Within(only.clone()));
    }
    let components = assumptions.iter().map(|assumption| assumption.component("A")).collect();
    let together = generate(&Network::new(components), budget)?;
    effort.held(together.state_count());
    Ok(Compared::Within(Assumption::new(together)))
}

/// Whether a component does nothing that an old one did not, as far as others with some actions can see. If it takes too
/// much to find out, it is taken to do more.
pub(super) fn does_no_more(
    old: &Component,
    new: &Component,
    others: &Alphabet,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<bool, Exhausted> {
    if old.lts.error().is_some() || new.lts.error().is_some() {
        return Ok(false);
    }
    let Some(assumption) = behaviour(&old.lts, others, budget, effort)? else { return Ok(false) };
    let property = [assumption.property("A")];
    let mut components = reduced(std::slice::from_ref(new), &property, budget, effort)?;
    components.extend(property);
    Ok(failures(components, 1, budget, effort)?.is_empty())
}

/// What others see of a component, as an assumption; nothing if it takes too much to find out.
fn behaviour(
    lts: &Lts,
    others: &Alphabet,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<Assumption>, Exhausted> {
    let hidden = operators::hide(lts, |name| !others.contains(name));
    effort.held(lts.state_count());
    let small = minimise(&hidden, Equivalence::Branching, budget)?;
    if small.is_deterministic() {
        return Ok(Some(Assumption::new(small).minimised()));
    }
    let work = OFTEN * (small.state_count() + small.transition_count());
    let narrow = budget.narrowed(Limits { states: Some(work), bytes: None });
    let automaton = match determinise_within(&small, work, &narrow) {
        Err(exhausted) if exhausted.resource == Resource::States => None,
        automaton => automaton?,
    };
    Ok(automaton.map(|automaton| {
        effort.held(automaton.state_count());
        Assumption::new(automaton).minimised()
    }))
}
