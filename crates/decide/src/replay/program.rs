//! Re-executing runs of a program with the interpreter of the judge, which shares nothing with the searches.

use rely_base::Id;
use rely_certificate::{Interpreter, ProgramEnd, ProgramStep};
use rely_lts::UnitId;

use super::{Last, Stage};
use crate::{Ending, Step};

/// A program, and the actions that are free to occur.
pub(super) struct Units<'a> {
    pub(super) interpreter: Interpreter<'a>,
    pub(super) free: &'a [String],
}

impl Units<'_> {
    fn name(&self, step: &ProgramStep) -> &str {
        step.action.map_or("tau", |action| self.interpreter.program().alphabet().name(action))
    }

    /// Whether a state has a step that satisfies a condition.
    fn has(&self, state: &[u32], kind: impl Fn(&ProgramStep) -> bool) -> bool {
        let found = self.interpreter.steps(state, &mut |step| if kind(step) { Err(()) } else { Ok(()) });
        found.is_err()
    }
}

impl Stage for Units<'_> {
    fn initial(&self) -> Vec<u32> {
        self.interpreter.initial()
    }

    fn check_step(&self, step: &Step, last: Option<Last>) -> Result<(), &'static str> {
        let Step { action, movers, before, after, .. } = step;
        if !self.interpreter.is_state(before) || !self.interpreter.is_state(after) {
            return Err("a slot has no such value");
        }
        if movers.is_empty() && self.free.contains(action) {
            return if before == after { Ok(()) } else { Err("a free action changes something") };
        }
        let moves =
            |units: &[UnitId]| units.iter().map(|unit| unit.index()).eq(movers.iter().map(|it| it.index()));
        let is_failure = last.is_some_and(|last| matches!(last.ending, Ending::Error(_)));
        let is_taken = |it: &ProgramStep| match &it.end {
            ProgramEnd::State(target) => target == after && !is_failure,
            ProgramEnd::Cut(_) => false,
            ProgramEnd::Failure { unit, fault, after: target } => {
                target == after
                    && match last {
                        None => false,
                        Some(Last { ending: Ending::Error(part), fault: told }) => {
                            part.index() == unit.index() && told == *fault
                        }
                        Some(Last { ending, .. }) => ending == Ending::BadPrefix,
                    }
            }
        };
        match self.has(before, |it| self.name(it) == action && moves(&it.movers) && is_taken(it)) {
            true => Ok(()),
            false => Err("the units cannot do it"),
        }
    }

    fn check_ending(
        &self,
        ending: Ending,
        state: &[u32],
        (cyclic, is_start): (bool, bool),
    ) -> Result<(), &'static str> {
        let is_stuck = || self.free.is_empty() && !self.has(state, |_| true);
        let right = match ending {
            Ending::Deadlock => !cyclic && is_stuck() && !self.interpreter.is_end(state),
            Ending::Terminated => !cyclic && is_stuck() && self.interpreter.is_end(state),
            // The last step has been checked to be a failure of the unit.
            Ending::Error(_) => !cyclic && !is_start,
            Ending::BadPrefix => !cyclic,
            Ending::Cycle => cyclic,
        };
        if right { Ok(()) } else { Err("the run does not end as it says") }
    }

    fn steps(&self, state: &[u32]) -> Vec<(&str, Vec<u32>)> {
        let free = self.free.iter().map(|action| (action.as_str(), state.to_vec()));
        let mut steps: Vec<(&str, Vec<u32>)> = free.collect();
        let all: Result<(), ()> = self.interpreter.steps(state, &mut |step| {
            // A step that leads to no state cannot be a step of a cycle.
            let after = if let ProgramEnd::State(after) = &step.end { after.clone() } else { Vec::new() };
            let alphabet = self.interpreter.program().alphabet();
            steps.push((step.action.map_or("tau", |action| alphabet.name(action)), after));
            Ok(())
        });
        debug_assert!(all.is_ok());
        steps
    }
}
