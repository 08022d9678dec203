//! Data races: two tasks are at an access of one variable at the same time, one of them is to write, and nothing puts the
//! accesses in order.
//!
//! **Idea.** Whoever is at an access can take it at once, and an access leaves all other tasks where they are. So two tasks
//! are at their accesses at the same time if and only if there is a run in which one access comes right after the other. That
//! is a safety property of the run: it fails where an access follows an access of another task to the same variable, or to
//! the same element of an array, and one of them writes. The property sees every action, so that it knows what comes right
//! after what; silent steps of a task can be taken earlier.
//!
//! Accesses of atomic variables come one after the other whatever the tasks do: they race for the order, not for the memory.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::{Component, LtsBuilder};
use rely_model::StateNames;

use super::action::Action;
use super::tasks::{CellId, TaskId, Tasks};
use crate::hir::VariableId;

/// Who accesses an element of a variable, and whether it writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    cell: CellId,
    task: TaskId,
    is_write: bool,
}

impl Access {
    fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Read { task, cell, .. } => Some(Self { cell: *cell, task: *task, is_write: false }),
            Action::Write { task, cell, .. } => Some(Self { cell: *cell, task: *task, is_write: true }),
            _ => None,
        }
    }

    fn races_with(self, other: Self) -> bool {
        self.cell == other.cell && self.task != other.task && (self.is_write || other.is_write)
    }
}

/// A variable for which tasks may race.
#[derive(Clone, Debug)]
pub(super) struct Race {
    /// `race.` and its name.
    pub(super) name: String,
    /// What tasks do with it, by the names of the actions.
    accesses: BTreeMap<String, Access>,
    /// The accesses in words, such as `a write by receiving`: the names of the states of the property.
    in_words: BTreeMap<Access, String>,
}

/// The variables that are not atomic, and that some task writes and another one reads or writes.
pub(super) fn races(tasks: &Tasks<'_>, names: &BTreeMap<Action, String>) -> Vec<Race> {
    let mut of_variables: BTreeMap<VariableId, BTreeMap<String, Access>> = BTreeMap::new();
    for (action, name) in names {
        if let Some(access) = Access::of(action) {
            let (variable, _) = tasks.cell_variables[access.cell.index()];
            of_variables.entry(variable).or_default().insert(name.clone(), access);
        }
    }
    let is_contended = |accesses: &BTreeMap<String, Access>| {
        let distinct: BTreeSet<Access> = accesses.values().copied().collect();
        distinct.iter().any(|a| a.is_write && distinct.iter().any(|b| a.races_with(*b)))
    };
    let program = tasks.program;
    let contended = of_variables
        .into_iter()
        .filter(|(variable, accesses)| !program.atomic.contains(variable) && is_contended(accesses));
    let named = contended.map(|(variable, accesses)| {
        let name = format!("race.{}", program.variables[variable.index()].name.text);
        let done = |is_write: bool| if is_write { "a write" } else { "a read" };
        let in_words = |access: &Access| format!("{} by {}", done(access.is_write), tasks.name(access.task));
        let in_words = accesses.values().map(|access| (*access, in_words(access))).collect();
        Race { name, accesses, in_words }
    });
    named.collect()
}

impl Race {
    /// The property that there is no race, for a network with these actions, and the names of its states.
    pub(super) fn property(
        &self,
        alphabet: &Alphabet,
        budget: &Budget<'_>,
    ) -> Result<(Component, StateNames), Exhausted> {
        let distinct: BTreeSet<Access> = self.accesses.values().copied().collect();
        let (states, transitions) = (distinct.len() + 1, (distinct.len() + 1) * alphabet.len());
        // A transition is written down and then sorted into place.
        budget.check(&Progress { states, transitions, bytes: 24 * transitions, ..Progress::default() })?;
        let mut builder = LtsBuilder::with_states(alphabet.names().collect(), states);
        let error = builder.error_state();
        // State 0: what came last was no access of the variable.
        let state_after = |access: Access| {
            StateId::from_index(1 + distinct.iter().position(|it| *it == access).unwrap_or(0))
        };
        let labelled: Vec<(Label, Option<Access>)> = builder
            .alphabet()
            .iter()
            .map(|(action, name)| (Label::visible(action), self.accesses.get(name).copied()))
            .collect();
        for last in [None].into_iter().chain(distinct.iter().copied().map(Some)) {
            let from = last.map_or(StateId::from_index(0), state_after);
            for &(label, access) in &labelled {
                let goal = match (last, access) {
                    (Some(last), Some(access)) if last.races_with(access) => error,
                    (_, Some(access)) => state_after(access),
                    (_, None) => StateId::from_index(0),
                };
                builder.add_transition(from, label, goal);
            }
        }
        let mut names = StateNames::new(Alphabet::new(), states);
        names.name(StateId::from_index(0), "no access");
        for access in &distinct {
            names.name(state_after(*access), &self.in_words[access]);
        }
        Ok((Component::new(&self.name, builder.build()), names))
    }
}
