//! Commitments by measures: no fair run meets all assumptions and breaks the claim.
//!
//! A *situation* is a state of every acceptor ([`Acceptor`]), of each assumption and of the violations of the claim,
//! and a state of the program. Each step says of each *pair* whether it is requested and whether it is answered; a
//! pair is one of an acceptor, or one for a process: a run is fair to a process if its pair, if requested infinitely
//! often, is answered infinitely often. A run that breaks the commitment answers infinitely often every pair that it
//! requests infinitely often.
//!
//! Rule: every situation has a list of levels, each a *class* and the number of a pair. The first situation is in the table, and for
//! every step of a situation of the table that all acceptors can read, the next one is, too. Compare the two, level by level:
//! - if the class of the next one is smaller, the step is fine;
//! - it must not be greater;
//! - if they are equal, both have the same pair, and the step does not answer it. If it requests it, the step is fine; else look
//!   at the next level. There has to be one.
//!
//! Sound: take a run that breaks the commitment. On the first level classes do not increase, so they stay the same from some
//! point on. From there on their pair is not answered, so it is requested finitely often only, and from some point on all
//! steps are compared on the second level, where the same argument applies; but levels come to an end. This is a progress
//! measure for Rabin conditions [Klarlund & Kozen 1991].
//!
//! A step by which a unit fails, or that leaves the bounds of what is explored, is a reason for rejection if the acceptors may
//! be able to read it, whatever is true after it. A state without steps goes on with a step in which nothing happens.

use rely_base::{ActionId, Budget, Id};
use rely_lts::Observation;
use rely_omega::{AtomId, AtomSet, Commitment, Justice, Scheduling};

use super::states::{Meter, action_name, cut};
use crate::certificate::Measure;
use crate::rejection::shown;
use crate::{Acceptor, Interpreter, ProgramEnd, ProgramStep, Reading, Rejection, StateTable};

/// Maximum number of conditions with unknown values of which all combinations are tried.
const MOST_UNKNOWN: usize = 12;

/// Judges whether measures show that a program keeps a commitment. There is one measure for each acceptor of violations.
pub(super) fn check_commitment(
    program: &Interpreter<'_>,
    (commitment, scheduling): (&Commitment<Observation>, &Scheduling),
    measures: &[Measure],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let violations = Acceptor::of_violations(&commitment.claim);
    if violations.len() != measures.len() {
        return Err(Rejection::WrongEvidence);
    }
    let assumptions: Vec<Acceptor> = commitment.assuming.iter().map(Acceptor::of).collect();
    for (violation, measure) in violations.into_iter().zip(measures) {
        let mut acceptors = assumptions.clone();
        acceptors.push(violation);
        let levels = usize::try_from(measure.levels).map_err(|_| Rejection::WrongEvidence)?;
        let width = acceptors.iter().map(Acceptor::width).sum::<usize>() + program.program().slots().len();
        let notes = levels.checked_mul(2).ok_or(Rejection::WrongEvidence)?;
        let table = StateTable::decode(&measure.states, width, notes, budget)??;
        let meter = Meter::new(budget, table.bytes());
        Judge { program, commitment, scheduling, acceptors: &acceptors, table: &table, meter }.judge()?;
    }
    Ok(())
}

struct Judge<'a> {
    program: &'a Interpreter<'a>,
    commitment: &'a Commitment<Observation>,
    scheduling: &'a Scheduling,
    acceptors: &'a [Acceptor],
    table: &'a StateTable,
    meter: Meter<'a>,
}

/// The pairs of a step, in order: for each, whether it is requested, and whether it is answered.
type Pairs = Vec<(bool, bool)>;

impl Judge<'_> {
    fn judge(&self) -> Result<(), Rejection> {
        let mut initial: Vec<u32> = self.acceptors.iter().flat_map(Acceptor::initial).collect();
        initial.extend(self.program.initial());
        if self.table.find(&initial).is_none() {
            return Err(Rejection::InitialMissing);
        }
        let width = initial.len() - self.program.program().slots().len();
        for row in 0..self.table.len() {
            let (states, place) = self.table.key(row).split_at(width);
            if !self.program.is_state(place) {
                return Err(Rejection::NoState(shown(self.table.key(row))));
            }
            self.meter.work(1 + self.program.effort(), self.table.len())?;
            self.judge_row(row, states, place)?;
        }
        Ok(())
    }

    fn judge_row(&self, row: usize, states: &[u32], place: &[u32]) -> Result<(), Rejection> {
        let mut steps: Vec<ProgramStep> = Vec::new();
        self.program.steps(place, &mut |step| {
            steps.push(step.clone());
            Ok::<(), Rejection>(())
        })?;
        let mover = |action: Option<ActionId>| {
            let action = action?;
            self.scheduling.processes.iter().position(|process| process.contains(&action))
        };
        let movers: Vec<Option<usize>> = steps.iter().map(|step| mover(step.action)).collect();
        if steps.is_empty() {
            let fair = self.fair_pairs(&movers, None);
            return self.judge_step(row, states, (None, place), &fair);
        }
        for (step, moved) in steps.iter().zip(&movers) {
            match &step.end {
                ProgramEnd::State(target) => {
                    let fair = self.fair_pairs(&movers, *moved);
                    self.judge_step(row, states, (step.action, target), &fair)?;
                }
                ProgramEnd::Failure { unit, .. } => {
                    if self.may_be_read(states, step.action)? {
                        let action = action_name(self.program, step.action);
                        let component = self.program.program().units()[unit.index()].name.clone();
                        return Err(Rejection::Fails { state: Some(self.shown(row)), action, component });
                    }
                }
                ProgramEnd::Cut(unit) => {
                    if self.may_be_read(states, step.action)? {
                        return Err(cut(self.program, self.shown(row), step.action, unit.index()));
                    }
                }
            }
        }
        Ok(())
    }

    /// The pairs of the processes for a step, given the processes that can move and the one that does.
    fn fair_pairs(&self, movers: &[Option<usize>], moved: Option<usize>) -> Pairs {
        let of = |process: usize| {
            let is_ready = movers.contains(&Some(process));
            let moves = moved == Some(process);
            match self.scheduling.justice {
                Justice::None => (false, true),
                Justice::Weak => (true, moves || !is_ready),
                Justice::Strong => (is_ready, moves),
            }
        };
        (0..self.scheduling.processes.len()).map(of).collect()
    }

    /// Judges how the acceptors can read a step to a place.
    fn judge_step(
        &self,
        row: usize,
        states: &[u32],
        (action, place): (Option<ActionId>, &[u32]),
        fair: &Pairs,
    ) -> Result<(), Rejection> {
        let letter = self.letter(action, place);
        let mut partial: Vec<(Vec<u32>, Pairs)> = vec![(Vec::new(), Vec::new())];
        let mut rest = states;
        for acceptor in self.acceptors {
            let (state, others) = rest.split_at(acceptor.width());
            rest = others;
            let readings = acceptor.read(state, &letter, self.meter.budget())?;
            let mut longer = Vec::new();
            for (target, pairs) in &partial {
                for Reading { target: next, pairs: more } in &readings {
                    longer.push(([&target[..], next].concat(), [&pairs[..], more].concat()));
                }
            }
            self.meter.work(longer.len(), self.table.len())?;
            partial = longer;
        }
        for (mut target, mut pairs) in partial {
            target.extend(place);
            pairs.extend(fair);
            let Some(next) = self.table.find(&target) else {
                let action = action_name(self.program, action);
                return Err(Rejection::NotClosed { state: self.shown(row), action });
            };
            self.meter.step(self.table.len())?;
            self.compare(row, next, &pairs)?;
        }
        Ok(())
    }

    /// The rule about the levels of two situations.
    fn compare(&self, row: usize, next: usize, pairs: &Pairs) -> Result<(), Rejection> {
        let levels = self.table.notes(row).chunks_exact(2).zip(self.table.notes(next).chunks_exact(2));
        for (here, there) in levels {
            if there[0] < here[0] {
                return Ok(());
            }
            if there[0] > here[0] {
                return Err(Rejection::ClassIncreases(self.shown(row)));
            }
            let pair = here[1].checked_sub(1).and_then(|pair| pairs.get(usize::try_from(pair).ok()?));
            match pair {
                Some(&(requested, answered)) if here[1] == there[1] && !answered => {
                    if requested {
                        return Ok(());
                    }
                }
                _ => return Err(Rejection::RankNotDecreasing(self.shown(row))),
            }
        }
        Err(Rejection::RankNotDecreasing(self.shown(row)))
    }

    /// The propositions that are true just after a step.
    fn letter(&self, action: Option<ActionId>, place: &[u32]) -> AtomSet {
        let observed = self.commitment.propositions.iter().enumerate();
        let is_true = |observation: &Observation| match observation {
            Observation::Actions(actions) => action.is_some_and(|action| actions.contains(&action)),
            Observation::Condition(condition) => self.program.holds(place, *condition),
        };
        observed.filter(|(_, it)| is_true(it)).map(|(atom, _)| AtomId::from_index(atom)).collect()
    }

    /// Whether all acceptors can read a step of which only the action is known, for some values of the conditions.
    fn may_be_read(&self, states: &[u32], action: Option<ActionId>) -> Result<bool, Rejection> {
        let mut rest = states;
        for acceptor in self.acceptors {
            let (state, others) = rest.split_at(acceptor.width());
            rest = others;
            if !self.may_read(acceptor, state, action)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn may_read(
        &self,
        acceptor: &Acceptor,
        state: &[u32],
        action: Option<ActionId>,
    ) -> Result<bool, Rejection> {
        let (mut known, mut unknown) = (AtomSet::new(), Vec::new());
        for (number, observation) in self.commitment.propositions.iter().enumerate() {
            let atom = AtomId::from_index(number);
            match observation {
                Observation::Condition(_) => unknown.push(atom),
                Observation::Actions(actions) => {
                    if action.is_some_and(|action| actions.contains(&action)) {
                        known.insert(atom);
                    }
                }
            }
        }
        let atoms = acceptor.atoms();
        unknown.retain(|atom| atoms.contains(*atom));
        if unknown.len() > MOST_UNKNOWN {
            return Ok(true);
        }
        for values in 0..1_u32 << unknown.len() {
            let mut letter = known.clone();
            let chosen = unknown.iter().enumerate().filter(|(place, _)| values >> place & 1 == 1);
            chosen.for_each(|(_, &atom)| letter.insert(atom));
            self.meter.step(self.table.len())?;
            if !acceptor.read(state, &letter, self.meter.budget())?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn shown(&self, row: usize) -> String {
        shown(self.table.key(row))
    }
}
