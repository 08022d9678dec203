//! Re-executing counterexamples on the behaviour itself.
//!
//! Problem: a violated verdict must never be the product of a mistake in the search. Idea: go through the run once
//! more, straight from the definitions: on the components of a network (`replay/network.rs`), with the judge's interpreter
//! of programs (`replay/program.rs`). None of the tables of the search is used, and nothing is clever. Cost: for each step
//! O(components × alphabet), or the steps of the state before it; so it is always done.
//!
//! A cycle that is said to be fair must be: every step that is possible in one of its states is a step of the cycle
//! from that state. For fairness to choices at random, the fluents are part of the state; whether what the formula
//! remembers is treated fairly, too, is not checked here.

mod network;
mod program;

use std::collections::{HashMap, HashSet};
use std::fmt;

use rely_base::{Budget, Exhausted, Progress};
use rely_certificate::Interpreter;
use rely_lts::{BehaviourRef, Fault};
use rely_omega::Fairness;

use self::network::Components;
use self::program::Units;
use crate::{Counterexample, Ending, Step};

/// A counterexample that is not a run of the behaviour: there is a mistake in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The step that cannot be taken, counted from 0 through trace and cycle; the number of steps if the end is wrong.
    pub step: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the counterexample cannot be replayed: {} at step {}", self.reason, self.step)
    }
}

impl std::error::Error for ReplayError {}

/// Re-executes a counterexample on the components of a network or the units of a program.
///
/// # Errors
/// The first step that they cannot take, or what is wrong with the end of the run.
pub fn replay<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    counterexample: &Counterexample,
) -> Result<(), ReplayError> {
    replay_asking(behaviour.into(), counterexample, |_| Ok(()))
}

/// Why a replay was stopped.
pub(crate) enum Stopped {
    Mistake(ReplayError),
    Exhausted(Exhausted),
}

impl From<ReplayError> for Stopped {
    fn from(mistake: ReplayError) -> Self {
        Self::Mistake(mistake)
    }
}

/// Replays like [`replay`], within a budget that is checked while the run is long.
pub(crate) fn replay_within(
    behaviour: BehaviourRef<'_>,
    counterexample: &Counterexample,
    progress: &Progress,
    budget: &Budget<'_>,
) -> Result<(), Stopped> {
    replay_asking(behaviour, counterexample, |step| match step > 0 && step.is_multiple_of(Budget::INTERVAL) {
        true => budget.check(progress).map_err(Stopped::Exhausted),
        false => Ok(()),
    })
}

/// Replays like [`replay`]; calls `ask` before each step, which may stop the replay.
fn replay_asking<E: From<ReplayError>>(
    behaviour: BehaviourRef<'_>,
    run: &Counterexample,
    ask: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    match behaviour {
        BehaviourRef::Network(network) => Components { network, free: &run.free }.replay(run, ask),
        BehaviourRef::Program(program) => {
            Units { interpreter: Interpreter::new(program), free: &run.free }.replay(run, ask)
        }
    }
}

/// Re-executes steps from the initial state on, however they end.
///
/// # Errors
/// The first step that the behaviour cannot take.
pub(crate) fn replay_steps(behaviour: BehaviourRef<'_>, steps: &[Step]) -> Result<(), ReplayError> {
    match behaviour {
        BehaviourRef::Network(network) => Components { network, free: &[] }.replay_steps(steps),
        BehaviourRef::Program(program) => {
            Units { interpreter: Interpreter::new(program), free: &[] }.replay_steps(steps)
        }
    }
}

/// The claimed ending of a run, for checking its last step.
#[derive(Clone, Copy)]
struct Last {
    ending: Ending,
    fault: Option<Fault>,
}

/// The steps that a cycle takes from a state: the action, and where it leads.
type Taken<'a> = HashSet<(&'a str, &'a [u32])>;

/// An executable definition of the behaviour.
trait Stage {
    /// The state at the start.
    fn initial(&self) -> Vec<u32>;

    /// Checks that a step can be taken without a failure; if it is the last one, it may be a failure.
    fn check_step(&self, step: &Step, last: Option<Last>) -> Result<(), &'static str>;

    /// Checks the claimed ending, given the last state; `has` says whether there is a cycle, and whether the trace is
    /// empty.
    fn check_ending(&self, ending: Ending, state: &[u32], has: (bool, bool)) -> Result<(), &'static str>;

    /// Every step that is possible in a state: its action, and its target.
    fn steps(&self, state: &[u32]) -> Vec<(&str, Vec<u32>)>;

    fn replay<E: From<ReplayError>>(
        &self,
        run: &Counterexample,
        mut ask: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let Counterexample { initial, trace, cycle, ending, fault, fair, .. } = run;
        if self.initial() != *initial {
            return Err(ReplayError { step: 0, reason: "the behaviour does not start so" }.into());
        }
        let mut current: &[u32] = initial;
        let mut turn = None;
        for (number, step) in trace.iter().chain(cycle).enumerate() {
            if number == trace.len() {
                turn = Some(current);
            }
            ask(number)?;
            let fail = |reason| ReplayError { step: number, reason };
            if step.before != current {
                return Err(fail("it does not start where the step before it ended").into());
            }
            let is_last = number + 1 == trace.len() && cycle.is_empty();
            let last = is_last.then_some(Last { ending: *ending, fault: *fault });
            self.check_step(step, last).map_err(fail)?;
            current = &step.after;
        }
        let fail = |reason| ReplayError { step: trace.len() + cycle.len(), reason };
        if turn.is_some_and(|turn| turn != current) {
            return Err(fail("the cycle does not return to its beginning").into());
        }
        let has = (!cycle.is_empty(), trace.is_empty());
        self.check_ending(*ending, current, has).map_err(fail)?;
        match fair.is_none_or(|fairness| self.is_fair(cycle, fairness)) {
            true => Ok(()),
            false => Err(fail("the cycle is not fair").into()),
        }
    }

    fn replay_steps(&self, steps: &[Step]) -> Result<(), ReplayError> {
        let mut current = self.initial();
        for (number, step) in steps.iter().enumerate() {
            let fail = |reason| ReplayError { step: number, reason };
            if step.before != current {
                return Err(fail("it does not start where the step before it ended"));
            }
            self.check_step(step, None).map_err(fail)?;
            current.clone_from(&step.after);
        }
        Ok(())
    }

    /// Whether a cycle takes every possible step of each of its states.
    fn is_fair(&self, cycle: &[Step], fairness: Fairness) -> bool {
        // The fluents before a step are those after the preceding step.
        let fluents = |i: usize| match fairness {
            Fairness::None | Fairness::Choice => &[][..],
            Fairness::Random => &cycle[(i + cycle.len() - 1) % cycle.len()].fluents[..],
        };
        let mut taken: HashMap<(&[u32], &[String]), Taken<'_>> = HashMap::new();
        for (i, step) in cycle.iter().enumerate() {
            let here = taken.entry((&step.before, fluents(i))).or_default();
            here.insert((&step.action, &step.after));
        }
        let leaves_out = |state: &[u32], taken: &Taken<'_>| {
            self.steps(state).iter().any(|(action, after)| !taken.contains(&(*action, &after[..])))
        };
        fairness == Fairness::None || !taken.iter().any(|((state, _), taken)| leaves_out(state, taken))
    }
}
