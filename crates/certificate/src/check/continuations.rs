//! Continuations after an error: does the automaton of the violations accept some continuation of a run?
//!
//! Problem: a run into the error state ends there. It satisfies a formula for certain if no
//! sequence of actions that might have followed violates it. Idea: straight from the definition. All states of the
//! automaton and the fluents that any actions lead to are made, and a violation is a path through them that postpones no
//! until-formula for ever (`acceptance.rs`).
//!
//! Three things keep their number small. Fluents that do not occur in the conjunct count as off. Of several actions
//! with the same effect on the atoms of the conjunct only one is used. And a word that meets all obligations meets
//! each of them: if one obligation alone cannot be met, the whole state accepts nothing.
//!
//! Complexity: linear in the number of these states and their steps, for all errors of a network together. Called by the
//! rule for assertions.

use rely_base::ActionId;
use rely_omega::AtomSet;

use super::acceptance::{Acceptance, Onward, choices};
use super::meaning::Meaning;
use super::states::Meter;
use crate::{Rejection, Violations};

/// A state of the automaton and the fluents.
type Situation = (Vec<u32>, Vec<u32>);

/// Continuations of runs by any actions, for one conjunct of a formula.
pub(super) struct Continuations<'a> {
    next: Next<'a>,
    /// Decided situations with a single obligation, and what they lead to.
    alone: Acceptance<Situation>,
    /// Decided situations. Those with an obligation that cannot be met have no steps.
    together: Acceptance<Situation>,
}

impl<'a> Continuations<'a> {
    pub(super) fn new(meaning: &'a Meaning, violations: &'a Violations) -> Self {
        let atoms = violations.atoms();
        let held = (violations.width() + meaning.fluent_count()) * size_of::<u32>();
        let next = Next { meaning, violations, atoms, actions: meaning.distinct(atoms) };
        Self { next, alone: Acceptance::new(held), together: Acceptance::new(held) }
    }

    /// Whether the automaton accepts, in a state and with these fluents, some continuation by actions.
    pub(super) fn some_violates(
        &mut self,
        state: &[u32],
        fluents: &[u32],
        meter: &Meter<'_>,
    ) -> Result<bool, Rejection> {
        let Self { next, alone, together } = self;
        let start = (state.to_vec(), next.meaning.masked(fluents, next.atoms));
        together.is_accepted(&start, meter, &mut |situation| {
            for obligation in each_alone(&situation.0) {
                let start = (obligation, situation.1.clone());
                if !alone.is_accepted(&start, meter, &mut |situation| next.steps(situation, meter))? {
                    return Ok(Vec::new());
                }
            }
            next.steps(situation, meter)
        })
    }
}

/// Each obligation of a state, as a state with this obligation alone.
fn each_alone(state: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let alone = |place: usize| (0..state.len()).map(|other| u32::from(other == place)).collect();
    (0..state.len()).filter(|&place| state[place] == 1).map(alone)
}

/// The steps of situations.
struct Next<'a> {
    meaning: &'a Meaning,
    violations: &'a Violations,
    /// The atoms of the conjunct.
    atoms: &'a AtomSet,
    /// One action for each effect that actions can have on these atoms.
    actions: Vec<Option<ActionId>>,
}

impl Next<'_> {
    fn steps(
        &self,
        (state, fluents): &Situation,
        meter: &Meter<'_>,
    ) -> Result<Vec<Onward<Situation>>, Rejection> {
        let mut onward = Vec::new();
        for &action in &self.actions {
            let after = self.meaning.masked(&self.meaning.after(fluents, action), self.atoms);
            let letter = self.meaning.letter(&after, action, self.atoms);
            for choice in choices(self.violations, (state, &letter), meter)?.iter() {
                onward.push(((choice.target.clone(), after.clone()), choice.postponed.clone()));
            }
        }
        Ok(onward)
    }
}

#[cfg(test)]
mod tests;
