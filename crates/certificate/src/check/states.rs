//! The states of evidence, and their steps in the network.

use std::cell::Cell;

use rely_base::{ActionId, Budget, Exhausted, Progress};

use crate::rejection::shown;
use crate::semantics::network::Composition;
use crate::{Rejection, StateTable, Table};

/// Whether the network may reach its error state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errors {
    /// It may; nothing is said about what happens then.
    Allowed,
    /// It must not.
    Forbidden,
}

/// States of the network with notes about them.
pub(super) struct States<'a, 'n> {
    composition: &'a Composition<'n>,
    table: StateTable,
    errors: Errors,
    meter: Meter<'a>,
}

impl<'a, 'n> States<'a, 'n> {
    /// Reads the states, which are proper states of the network with this many notes each, the initial state among
    /// them.
    pub(super) fn read(
        composition: &'a Composition<'n>,
        table: &Table,
        notes: usize,
        errors: Errors,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Rejection> {
        let table = StateTable::decode(table, composition.len(), notes, budget)??;
        let meter = Meter::new(budget, table.bytes());
        for row in 0..table.len() {
            meter.step(table.len())?;
            let tuple = table.key(row);
            if !composition.is_tuple(tuple) || composition.failed(tuple).is_some() {
                return Err(Rejection::NoState(shown(tuple)));
            }
        }
        let states = Self { composition, table, errors, meter };
        states.check_initiation()?;
        Ok(states)
    }

    fn check_initiation(&self) -> Result<(), Rejection> {
        let initial = self.composition.initial();
        match self.composition.failed(&initial) {
            Some(component) => self.fail(None, None, component),
            None if self.table.find(&initial).is_none() => Err(Rejection::InitialMissing),
            None => Ok(()),
        }
    }

    /// A step into the error state: a reason for rejection unless errors are allowed.
    fn fail(&self, row: Option<usize>, action: Option<ActionId>, component: usize) -> Result<(), Rejection> {
        match self.errors {
            Errors::Allowed => Ok(()),
            Errors::Forbidden => Err(Rejection::Fails {
                state: row.map(|row| self.shown(row)),
                action: action_name(self.composition, action),
                component: self.composition.network().components()[component].name.clone(),
            }),
        }
    }

    /// Calls `visit` for every step of a state with its action and the row of its target; nothing stands for the error
    /// state. All targets have to be among the states.
    pub(super) fn steps(
        &self,
        row: usize,
        visit: &mut impl FnMut(Option<ActionId>, Option<usize>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        self.meter.work(self.composition.effort(), self.table.len())?;
        self.composition.steps(self.table.key(row), &mut |action, target| {
            self.meter.step(self.table.len())?;
            if let Some(component) = self.composition.failed(target) {
                self.fail(Some(row), action, component)?;
                return visit(action, None);
            }
            match self.table.find(target) {
                Some(target) => visit(action, Some(target)),
                None => Err(Rejection::NotClosed {
                    state: self.shown(row),
                    action: action_name(self.composition, action),
                }),
            }
        })
    }

    /// So many bytes more are held.
    pub(super) fn hold(&self, bytes: usize) {
        self.meter.hold(bytes);
    }

    /// So many bytes are no longer held.
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
pub(super) fn action_name(composition: &Composition<'_>, action: Option<ActionId>) -> String {
    action.map_or("tau", |action| composition.network().alphabet().name(action)).to_owned()
}

/// Counts work, and asks now and then whether there is time and memory for more.
pub(crate) struct Meter<'a> {
    budget: &'a Budget<'a>,
    /// How much has been done. A unit is a step of the network, or what takes no longer.
    done: Cell<usize>,
    /// How much of that was done since the budget was asked.
    unasked: Cell<usize>,
    /// How many states are known.
    states: Cell<usize>,
    /// How many bytes are held.
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

    /// A step is taken, where so many states are known.
    pub(super) fn step(&self, states: usize) -> Result<(), Exhausted> {
        self.work(1, states)
    }

    /// So much work is done, where at least so many states are known.
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

    /// So many bytes more are held.
    pub(super) fn hold(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes);
    }

    /// So many bytes are no longer held.
    pub(super) fn release(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }
}
