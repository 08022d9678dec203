//! The stub of a composition: a program that does any step at any time, with any values of its conditions after it.

use rely_base::{Budget, Exhausted, Id};
use rely_lts::{Observation, Program, ProgramBuilder, Trigger, Values};
use rely_omega::{AtomId, AtomSet, Commitment, Scheduling, Statement};
use rustc_hash::FxHashSet;

use super::Abstraction;
use crate::commitment::prefix::{never_broken, one_letter_later, safety};
use crate::commitment::{AutomatonReader, check_commitment};
use crate::{Decision, ReplayError};

impl Abstraction<'_> {
    /// Whether a statement follows from others: of every infinite word of which they are true, it is true.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn follows(
        &self,
        claim: &Statement,
        premises: &[&Statement],
        budget: &Budget<'_>,
    ) -> Result<Decision, ReplayError> {
        let (program, propositions) = self.stub(claim, premises);
        let commitment = Commitment {
            name: String::new(),
            claim: claim.clone(),
            assuming: premises.iter().map(|&premise| premise.clone()).collect(),
            propositions,
            names: self.names.to_vec(),
        };
        check_commitment(&program, &commitment, &Scheduling::default(), budget)
    }

    /// Whether every prefix that breaks none of some templates for safety does not break another one; the second of the premises may
    /// be broken by the last letter of the prefix. Premises that are no such templates are left out. With the number of states that were explored.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn follows_by_prefixes(
        &self,
        claim: &Statement,
        (premises, delayed): (&[&Statement], &[&Statement]),
        budget: &Budget<'_>,
    ) -> Result<(bool, usize), Exhausted> {
        let Some(claimed) = safety(claim) else { return Ok((false, 0)) };
        let is_safe = |it: &&Statement| safety(it).is_some();
        let all: Vec<&Statement> = premises.iter().chain(delayed).copied().filter(is_safe).collect();
        let (program, propositions) = self.stub(claim, &all);
        let exact = premises.iter().filter_map(|it| safety(it));
        let mut readers: Vec<AutomatonReader> =
            exact.map(|template| AutomatonReader::new(template.acceptor(), 0)).collect();
        for template in delayed.iter().filter_map(|it| safety(it)) {
            readers.push(one_letter_later(template, budget)?);
        }
        never_broken(&program, &propositions, readers, claimed, budget)
    }

    /// The stub for some statements, and what their atoms stand for there.
    fn stub(&self, claim: &Statement, premises: &[&Statement]) -> (Program, Vec<Observation>) {
        let mut used = claim.atoms();
        premises.iter().for_each(|premise| used.insert_all(&premise.atoms()));
        let mut program = ProgramBuilder::new();
        let (always, zero) = (program.constant(1), program.constant(0));
        let system = program.unit("SYS");
        let mut observed = vec![Observation::Actions(Vec::new()); self.propositions.len()];
        let mut conditions = Vec::new();
        for atom in used.iter() {
            if let Observation::Condition(_) = self.propositions[atom.index()] {
                let name = self.names[atom.index()].clone();
                let slot = program.slot(name.clone(), Values::Boolean, 0);
                observed[atom.index()] = Observation::Condition(program.value(slot));
                conditions.push((program.unit(name), slot));
            }
        }
        // Letters that the statements cannot tell apart are one. That nothing happens is always possible.
        let mut seen: FxHashSet<AtomSet> = FxHashSet::default();
        let nothing = [("nothing".to_owned(), AtomSet::new())];
        for (name, letter) in nothing.iter().chain(self.letters) {
            let letter: AtomSet = letter.iter().filter(|atom| used.contains(*atom)).collect();
            if !seen.insert(letter.clone()) {
                continue;
            }
            let action = program.action(name);
            program.command(system, Trigger::Action(action), always);
            for &(unit, slot) in &conditions {
                program.command(unit, Trigger::Action(action), always).assign(slot, zero);
                program.command(unit, Trigger::Action(action), always).assign(slot, always);
            }
            for atom in letter.iter() {
                if let Observation::Actions(actions) = &mut observed[AtomId::index(atom)] {
                    actions.push(action);
                }
            }
        }
        (program.build().expect("slots, units and actions are those that were made above"), observed)
    }
}
