//! The states of evidence, and their steps in the behaviour.

use std::cell::Cell;

use rely_base::{ActionId, Budget, Exhausted, Id, Progress};
use rely_lts::ComponentId;

use crate::rejection::shown;
use crate::semantics::{Semantics, Target};
use crate::{Rejection, StateTable, Table};

/// Whether the behaviour may reach its error state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errors<'a> {
    /// It may; nothing has to be shown about these steps.
    Allowed,
    /// It must not.
    Forbidden,
    /// It must not reach it by a failure of one of these.
    ForbiddenFor(&'a [ComponentId]),
}

/// States of the behaviour with notes about them.
pub(super) struct States<'a, S> {
    semantics: &'a S,
    table: StateTable,
    errors: Errors<'a>,
    meter: Meter<'a>,
}

impl<'a, S: Semantics> States<'a, S> {
    /// Reads the states: proper states of the behaviour with the given number of notes each, the initial state among
    /// them.
    pub(super) fn read(
        semantics: &'a S,
        table: &Table,
        notes: usize,
        errors: Errors<'a>,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Rejection> {
        let table = StateTable::decode(table, semantics.width(), notes, budget)??;
        let meter = Meter::new(budget, table.bytes());
        for row in 0..table.len() {
            meter.step(table.len())?;
            let tuple = table.key(row);
            if !semantics.is_state(tuple) {
                return Err(Rejection::NoState(shown(tuple)));
            }
        }
        let states = Self { semantics, table, errors, meter };
        states.check_initiation()?;
        Ok(states)
    }

    fn check_initiation(&self) -> Result<(), Rejection> {
        let initial = self.semantics.initial();
        match self.semantics.failed_at_start() {
            Some(component) => self.fail(None, None, component),
            None if self.table.find(&initial).is_none() => Err(Rejection::InitialMissing),
            None => Ok(()),
        }
    }

    /// A step into the error state: a reason for rejection unless errors are allowed.
    fn fail(&self, row: Option<usize>, action: Option<ActionId>, component: usize) -> Result<(), Rejection> {
        match self.errors {
            Errors::Allowed => Ok(()),
            Errors::ForbiddenFor(parts) if !parts.iter().any(|part| part.index() == component) => Ok(()),
            Errors::Forbidden | Errors::ForbiddenFor(_) => Err(Rejection::Fails {
                state: row.map(|row| self.shown(row)),
                action: action_name(self.semantics, action),
                component: part_name(self.semantics, component),
            }),
        }
    }

    /// Calls `visit` for every step of a state with its action and the row of its target, which is `None` for the
    /// error state. All targets have to be among the states.
    pub(super) fn steps(
        &self,
        row: usize,
        visit: &mut impl FnMut(Option<ActionId>, Option<usize>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        self.meter.work(self.semantics.effort(), self.table.len())?;
        self.semantics.steps(self.table.key(row), &mut |action, target| {
            self.meter.step(self.table.len())?;
            match target {
                Target::Failure(part) => {
                    self.fail(Some(row), action, part)?;
                    visit(action, None)
                }
                Target::Cut(unit) => Err(cut(self.semantics, self.shown(row), action, unit)),
                Target::State(target) => match self.table.find(target) {
                    Some(target) => visit(action, Some(target)),
                    None => Err(Rejection::NotClosed {
                        state: self.shown(row),
                        action: action_name(self.semantics, action),
                    }),
                },
            }
        })
    }

    /// Counts bytes that are held in addition.
    pub(super) fn hold(&self, bytes: usize) {
        self.meter.hold(bytes);
    }

    /// Counts bytes that are no longer held.
    pub(super) fn release(&self, bytes: usize) {
        self.meter.release(bytes);
    }

    /// All rows.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        0..self.table.len()
    }

    pub(super) fn tuple(&self, row: usize) -> &[u32] {
        self.table.key(row)
    }

    /// The first note about a state.
    pub(super) fn rank(&self, row: usize) -> u32 {
        self.table.notes(row)[0]
    }

    pub(super) fn shown(&self, row: usize) -> String {
        shown(self.table.key(row))
    }
}

/// The name of an action, or of a silent step.
pub(super) fn action_name(semantics: &impl Semantics, action: Option<ActionId>) -> String {
    action.map_or("tau", |action| semantics.behaviour().alphabet().name(action)).to_owned()
}

/// The name of a component or unit.
pub(super) fn part_name(semantics: &impl Semantics, part: usize) -> String {
    semantics.behaviour().part_names()[part].to_owned()
}

/// The rejection because of a step out of the bounds of what is explored: nothing is proved of runs with such steps.
pub(super) fn cut(
    semantics: &impl Semantics,
    state: String,
    action: Option<ActionId>,
    unit: usize,
) -> Rejection {
    Rejection::Cut { state, action: action_name(semantics, action), unit: part_name(semantics, unit) }
}

/// Counts work, and checks the budget now and then.
pub(crate) struct Meter<'a> {
    budget: &'a Budget<'a>,
    /// The work done so far. A unit is a step of the behaviour, or something that takes no longer.
    done: Cell<usize>,
    /// The work done since the last check of the budget.
    unasked: Cell<usize>,
    /// The number of known states.
    states: Cell<usize>,
    /// The number of bytes held.
    bytes: Cell<usize>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget<'a>, bytes: usize) -> Self {
        let [done, unasked, states] = [(); 3].map(|()| Cell::new(0));
        Self { budget, done, unasked, states, bytes: Cell::new(bytes) }
    }

    pub(super) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Counts a step; `states` is the number of known states.
    pub(super) fn step(&self, states: usize) -> Result<(), Exhausted> {
        self.work(1, states)
    }

    /// Counts `amount` units of work; `states` is a lower bound of the number of known states.
    pub(super) fn work(&self, amount: usize, states: usize) -> Result<(), Exhausted> {
        self.states.set(self.states.get().max(states));
        self.done.set(self.done.get() + amount);
        self.unasked.set(self.unasked.get() + amount);
        if self.unasked.get() < Budget::INTERVAL && self.states.get() <= self.budget.max_states() {
            return Ok(());
        }
        self.unasked.set(0);
        let (states, transitions, bytes) = (self.states.get(), self.done.get(), self.bytes.get());
        self.budget.check(&Progress { states, transitions, frontier: 0, bytes })
    }

    /// Counts bytes that are held in addition.
    pub(super) fn hold(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes);
    }

    /// Counts bytes that are no longer held.
    pub(super) fn release(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }
}
