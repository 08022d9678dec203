//! What tasks may exchange: the calls that are made, the values that come back, the values that variables have.
//!
//! **Problem.** A task is unfolded by itself, but what it can do depends on the others: which values a variable has, who
//! calls with which values. All values of all types would give far too many states.
//!
//! **Idea.** Begin with nothing but the initial values, unfold all tasks, and collect what they offer to each other; then
//! unfold again with that, until nothing new is offered. Offers only grow and are finite, so this ends; and every step that
//! a task takes in a run of the program is among its steps then, by induction over the run.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use rely_base::{Budget, Diagnostic, Exhausted, Id, Progress, Resource};

use super::Refused;
use super::action::{Action, Door};
use super::tasks::{CellId, TaskId, Tasks};
use super::unfold::{MAX_UNDEFINED, Trouble, Unfolded, unfold};
use crate::codes;
use crate::hir::{ExprKind, Form, Initial};

/// What tasks offer to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offers {
    /// For each door, who calls with which values.
    calls: BTreeMap<Door, BTreeSet<(TaskId, Vec<i64>)>>,
    /// For each caller and door, which values come back.
    returns: BTreeMap<(TaskId, Door), BTreeSet<Vec<i64>>>,
    /// For each cell, its values.
    values: Vec<BTreeSet<i64>>,
}

impl Offers {
    /// Who calls at a door, with which values.
    pub(super) fn calls(&self, door: Door) -> impl Iterator<Item = (TaskId, &Vec<i64>)> {
        self.calls.get(&door).into_iter().flatten().map(|(caller, values)| (*caller, values))
    }

    /// Which values come back to a caller from a door.
    pub(super) fn returns(&self, caller: TaskId, door: Door) -> impl Iterator<Item = &Vec<i64>> {
        self.returns.get(&(caller, door)).into_iter().flatten()
    }

    /// Which values a cell has.
    pub(super) fn values(&self, cell: CellId) -> &BTreeSet<i64> {
        &self.values[cell.index()]
    }

    /// Adds what a task offers.
    fn add(&mut self, unfolded: &Unfolded) {
        for (action, ..) in unfolded.states.iter().flat_map(|state| &state.steps) {
            match action {
                Some(Action::Begin { caller, door, values }) => {
                    self.calls.entry(*door).or_default().insert((*caller, values.clone()));
                }
                Some(Action::Finish { caller, door, values }) => {
                    self.returns.entry((*caller, *door)).or_default().insert(values.clone());
                }
                Some(Action::Write { cell, value, .. }) => _ = self.values[cell.index()].insert(*value),
                _ => {}
            }
        }
    }
}

/// The most rounds. A shared variable that counts up offers one more value in each.
const MAX_ROUNDS: usize = 1000;

/// Unfolds all tasks with everything that they may exchange.
pub(super) fn unfold_all(tasks: &Tasks<'_>, budget: &Budget<'_>) -> Result<(Vec<Unfolded>, Offers), Refused> {
    if tasks.is_too_large() {
        let message = "the program gets too large when subprograms are put in place of their calls";
        let diagnostic = Diagnostic::error(codes::TOO_LARGE, tasks.program.name.span, message)
            .with_help("call fewer subprograms inside of subprograms");
        return Err(Refused::Mistakes(vec![diagnostic]));
    }
    let mut offers = initial_offers(tasks)?;
    for _ in 0..MAX_ROUNDS {
        let mut all = Vec::new();
        let mut next = offers.clone();
        for task in tasks.ids() {
            let unfolded = unfold(tasks, task, &offers, budget).map_err(|trouble| match trouble {
                Trouble::Exhausted(exhausted) => Refused::Exhausted(exhausted),
                Trouble::TooManyValues(span) => Refused::Mistakes(vec![too_many_values(span)]),
            })?;
            next.add(&unfolded);
            all.push(unfolded);
        }
        if next == offers {
            return Ok((all, offers));
        }
        let states = all.iter().map(|task: &Unfolded| task.states.len()).sum();
        budget.check(&Progress { states, ..Progress::default() })?;
        offers = next;
    }
    Err(Exhausted { resource: Resource::States, states: MAX_ROUNDS, transitions: 0 }.into())
}

fn initial_offers(tasks: &Tasks<'_>) -> Result<Offers, Refused> {
    let cells = (0..tasks.cell_variables.len()).map(CellId::from_index);
    let mut mistakes = Vec::new();
    let values = cells
        .map(|cell| match initial_value(tasks, cell) {
            Some(value) => [value].into(),
            None => {
                let (variable, _) = tasks.cell_variables[cell.index()];
                let variable = &tasks.program.variables[variable.index()];
                let subtype = variable.form.element();
                if subtype.count() > MAX_UNDEFINED {
                    mistakes.push(too_many_values(variable.name.span));
                    return BTreeSet::new();
                }
                (subtype.low..=subtype.high).collect()
            }
        })
        .collect();
    mistakes.dedup();
    match mistakes.is_empty() {
        true => Ok(Offers { calls: BTreeMap::new(), returns: BTreeMap::new(), values }),
        false => Err(Refused::Mistakes(mistakes)),
    }
}

fn too_many_values(span: rely_base::Span) -> Diagnostic {
    let message = "a variable may be read before it has a value, and its type has too many values";
    Diagnostic::error(codes::TOO_MANY_VALUES, span, message)
        .with_help("give the variable an initial value, or a type with a small range")
}

/// The initial value of a cell, if it has one.
pub(super) fn initial_value(tasks: &Tasks<'_>, cell: CellId) -> Option<i64> {
    let (mut variable, at) = tasks.cell_variables[cell.index()];
    loop {
        let declared = &tasks.program.variables[variable.index()];
        let value = match declared.initial.as_ref()? {
            Initial::Scalar(value) => value,
            Initial::Array(values) => values.get(at)?,
            // An array is declared after the one that it is a copy of.
            Initial::Copy(source) => {
                variable = *source;
                continue;
            }
        };
        debug_assert!(matches!(declared.form, Form::Scalar(_)) || at < declared.form.len());
        return match value.kind {
            ExprKind::Literal(value) => Some(value),
            _ => None,
        };
    }
}
