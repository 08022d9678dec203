//! What tasks and variables do together, before it has a name.

use std::sync::Arc;

use rely_base::Id;

use super::tasks::{CellId, TaskId, Tasks};
use crate::hir::{EntryId, Fault};

/// An entry of a task, with the index in a family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Door {
    pub(crate) acceptor: TaskId,
    pub(crate) entry: EntryId,
    pub(crate) family: Option<i64>,
}

impl Door {
    /// `task.entry`, with the index in a family.
    pub(super) fn name(self, tasks: &Tasks<'_>) -> String {
        door_name(tasks, self)
    }
}

/// An action.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Action {
    /// A rendezvous, or its beginning, with in-values.
    Begin { caller: TaskId, door: Door, values: Vec<i64> },
    /// The end of a rendezvous, with out-values.
    Finish { caller: TaskId, door: Door, values: Vec<i64> },
    /// A task reads a value from a shared variable.
    Read { task: TaskId, cell: CellId, value: i64 },
    /// A task assigns a value to a shared variable.
    Write { task: TaskId, cell: CellId, value: i64 },
    /// A task passes a mark.
    Event { task: TaskId, name: Arc<str> },
    /// A task has come to its end.
    End { task: TaskId },
    /// Something went wrong in a task.
    Fault { task: TaskId, fault: Fault },
    /// A task calls one that has ended.
    Gone { caller: TaskId, acceptor: TaskId },
    /// A conditional call is not accepted, because the acceptor does not wait for it.
    Refused { caller: TaskId, door: Door },
    /// A selective accept with `else` finds no call waiting at these doors.
    Idle { acceptor: TaskId, doors: Vec<Door> },
    /// All tasks leave together.
    Terminate,
}

impl Action {
    /// The name without the task that comes first, and that task if there is one to come first.
    pub(super) fn short_name(&self, tasks: &Tasks<'_>) -> (Option<TaskId>, String) {
        match self {
            Self::Begin { caller, door, values } => {
                (Some(*caller), with_values(tasks, *door, "", values, false))
            }
            Self::Finish { caller, door, values } => {
                (Some(*caller), with_values(tasks, *door, ".end", values, true))
            }
            Self::Read { task, cell, value } => {
                (Some(*task), format!("{}=={}", tasks.cell_name(*cell), tasks.show(*cell, *value)))
            }
            Self::Write { task, cell, value } => {
                (Some(*task), format!("{}={}", tasks.cell_name(*cell), tasks.show(*cell, *value)))
            }
            Self::Event { task, name } => (Some(*task), name.to_string()),
            Self::End { task } => (None, format!("{}.end", tasks.name(*task))),
            Self::Fault { task, fault } => (None, format!("{}.{}", tasks.name(*task), fault.name())),
            Self::Gone { caller, acceptor } => {
                let fault = Fault::TaskingError.name();
                (None, format!("{}.{}.{fault}", tasks.name(*caller), tasks.name(*acceptor)))
            }
            Self::Refused { caller, door } => (Some(*caller), format!("{}.else", door_name(tasks, *door))),
            Self::Idle { acceptor, doors } => {
                let doors: Vec<String> = doors.iter().map(|door| entry_name(tasks, *door)).collect();
                (None, format!("{}.else.{}", tasks.name(*acceptor), doors.join(".")))
            }
            Self::Terminate => (None, "terminate".to_owned()),
        }
    }

    /// The name without values, for actions that have some.
    pub(super) fn name_without_values(&self, tasks: &Tasks<'_>) -> Option<String> {
        match self {
            Self::Begin { door, values, .. } if !values.is_empty() => Some(door_name(tasks, *door)),
            Self::Finish { door, values, .. } if !values.is_empty() => {
                Some(format!("{}.end", door_name(tasks, *door)))
            }
            _ => None,
        }
    }

    /// The numbers of the tasks among whose steps it is, the caller first; none if all leave together.
    pub(crate) fn tasks(&self) -> Vec<usize> {
        match self {
            Self::Begin { caller, door, .. } | Self::Finish { caller, door, .. } => {
                vec![caller.index(), door.acceptor.index()]
            }
            Self::Read { task, .. }
            | Self::Write { task, .. }
            | Self::Event { task, .. }
            | Self::End { task }
            | Self::Fault { task, .. } => vec![task.index()],
            Self::Gone { caller, .. } | Self::Refused { caller, .. } => vec![caller.index()],
            Self::Idle { acceptor, .. } => vec![acceptor.index()],
            Self::Terminate => Vec::new(),
        }
    }

    /// Whether it only serves to find out that somebody is not waiting, or that all have ended.
    pub(crate) fn is_auxiliary(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Idle { .. } | Self::Terminate)
    }
}

fn with_values(tasks: &Tasks<'_>, door: Door, suffix: &str, values: &[i64], is_out: bool) -> String {
    let entry = &tasks.program.entries[door.entry.index()];
    let passed = entry.parameters.iter().filter(|(mode, _)| if is_out { mode.is_out } else { mode.is_in });
    let shown = passed.zip(values).map(|((_, subtype), &value)| tasks.program.show(subtype.base, value));
    shown.fold(format!("{}{suffix}", door_name(tasks, door)), |name, value| format!("{name}.{value}"))
}

/// `task.entry`, with the index in a family.
fn door_name(tasks: &Tasks<'_>, door: Door) -> String {
    format!("{}.{}", tasks.name(door.acceptor), entry_name(tasks, door))
}

fn entry_name(tasks: &Tasks<'_>, door: Door) -> String {
    let entry = &tasks.program.entries[door.entry.index()];
    match (door.family, entry.family) {
        (Some(index), Some(family)) => {
            format!("{}.{}", entry.name.text, tasks.program.show(family.base, index))
        }
        _ => entry.name.text.to_string(),
    }
}
