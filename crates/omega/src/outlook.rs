//! Outlooks: what is left of a formula after a run, when only actions can follow.
//!
//! Problem: a [`Monitor`] says that a prefix is bad when no continuation at all satisfies the formula, and for it a
//! continuation is any sequence of letters. A run goes on with actions: two of them never happen at once, and a fluent
//! changes only when an action switches it. So a formula may be broken before its monitor sees it: of `[](a -> X (b && c))`
//! nothing is left after `a`.
//!
//! Source: the three values of [Bauer, Leucker & Schallhart 2011]; two outlooks, of a formula and of its negation, tell
//! them apart. Idea: the monitor knows which states its automaton can be in, and [`Continuations`] know whether one of
//! them accepts any sequence of actions from there.
//!
//! Called by the check of assertions, for runs into the error state and for shortest traces.

use rely_base::{Budget, Exhausted, Progress};
use rustc_hash::FxHashSet;

use crate::continuations::Continuations;
use crate::{AtomSet, Fluents, Formula, Letters, Monitor, MonitorState};

/// A monitor that knows which continuations are left.
#[derive(Clone, Debug)]
pub struct Outlook {
    monitor: Monitor,
    continuations: Continuations,
}

impl Outlook {
    /// The outlook of a formula over the actions that the letters were compiled for. They have to be the same ones in
    /// every call.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn new(formula: &Formula, letters: &Letters, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        Ok(Self { monitor: Monitor::new(formula, budget)?, continuations: Continuations::new(letters) })
    }

    /// How many bytes have been taken by what was made so far.
    pub fn bytes(&self) -> usize {
        self.monitor.bytes() + self.continuations.bytes()
    }

    /// The state before the first letter; nothing when no word satisfies the formula.
    pub fn initial(&self) -> Option<MonitorState> {
        self.monitor.initial()
    }

    /// The state after one more letter; nothing when no word satisfies the formula from there.
    pub fn step(&mut self, state: MonitorState, letter: &AtomSet) -> Option<MonitorState> {
        self.monitor.step(state, letter)
    }

    /// Whether repeating one letter for ever satisfies the formula.
    pub fn accepts_forever(&self, state: MonitorState, letter: &AtomSet) -> bool {
        self.monitor.accepts_forever(state, letter)
    }

    /// Whether some sequence of actions satisfies the formula after a run that led to a state, if there is one, and to
    /// these fluents.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn can_go_on(
        &mut self,
        state: Option<MonitorState>,
        (letters, fluents): (&Letters, &Fluents),
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let Self { monitor, continuations } = self;
        let Some(state) = state else { return Ok(false) };
        for reached in monitor.reached(state) {
            if continuations.accepts((monitor.buchi(), letters), reached, fluents, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some sequence of actions breaks the formula while none of `watching` sees anything bad. Without any of
    /// them: whether some sequence of actions breaks it at all.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn breaks_unseen(
        &mut self,
        watching: &mut [Monitor],
        letters: &Letters,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let labels = letters.distinct_labels();
        let Some(watched) = watching.iter().map(Monitor::initial).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        let start = (self.initial(), watched, letters.initial());
        if !self.can_go_on(start.0, (letters, &start.2), budget)? {
            return Ok(true);
        }
        let mut seen = FxHashSet::from_iter([start.clone()]);
        let mut pending = vec![start];
        while let Some((state, watched, fluents)) = pending.pop() {
            for &label in &labels {
                let (after, letter) = letters.step(&fluents, label);
                let steps = watching.iter_mut().zip(&watched);
                let Some(watched) = steps.map(|(monitor, &at)| monitor.step(at, &letter)).collect() else {
                    continue;
                };
                let state = state.and_then(|state| self.step(state, &letter));
                if !self.can_go_on(state, (letters, &after), budget)? {
                    return Ok(true);
                }
                let situation = (state, watched, after);
                if seen.insert(situation.clone()) {
                    pending.push(situation);
                }
            }
            let states = seen.len();
            let bytes = states * 2 * size_of::<(Option<MonitorState>, [usize; 8])>();
            budget.check(&Progress { states, bytes, ..Progress::default() })?;
        }
        Ok(false)
    }
}
