//! The tasks of a program: one for each single task and for each element of an array of tasks.

use std::sync::Arc;

use rely_base::Id;

use super::action::Door;
use crate::code::{Code, Otherwise, Step, compile};
use crate::hir::{EntryId, Form, GroupId, Program, VariableId};

rely_base::define_id! {
    /// A task that runs.
    TaskId
}

rely_base::define_id! {
    /// A shared variable, or an element of a shared array.
    CellId
}

/// A task that runs.
pub(super) struct Task {
    /// Its name: that of its group, with its index in an array.
    pub(super) name: String,
    pub(super) group: GroupId,
}

/// The tasks and shared variables of a program, numbered.
pub(super) struct Tasks<'p> {
    pub(super) program: &'p Program,
    pub(super) all: Vec<Task>,
    /// The first task of each group.
    first: Vec<usize>,
    /// The code of each group.
    codes: Vec<Code>,
    /// For each shared variable, its first cell.
    cells: Vec<Option<usize>>,
    /// For each cell, its variable and its position in it.
    pub(super) cell_variables: Vec<(VariableId, usize)>,
    /// The entries that are called conditionally, with `else`.
    polled_entries: Vec<bool>,
    /// The entries for which some select statement has an `else`.
    polling_entries: Vec<bool>,
}

impl<'p> Tasks<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut all = Vec::new();
        let mut first = Vec::new();
        for (number, group) in program.groups.iter().enumerate() {
            first.push(all.len());
            let id = GroupId::from_index(number);
            let name = &group.name.text;
            match group.index {
                None => all.push(Task { name: name.to_string(), group: id }),
                Some(index) => {
                    all.extend((index.low..=index.high).map(|at| Task {
                        name: format!("{name}.{}", program.show(index.base, at)),
                        group: id,
                    }));
                }
            }
        }
        let codes =
            (0..program.groups.len()).map(|group| compile(program, GroupId::from_index(group))).collect();
        let mut cells = vec![None; program.variables.len()];
        let mut cell_variables = Vec::new();
        for &variable in &program.shared {
            cells[variable.index()] = Some(cell_variables.len());
            let count = program.variables[variable.index()].form.len();
            cell_variables.extend((0..count).map(|at| (variable, at)));
        }
        let mut tasks = Self {
            program,
            all,
            first,
            codes,
            cells,
            cell_variables,
            polled_entries: vec![false; program.entries.len()],
            polling_entries: vec![false; program.entries.len()],
        };
        tasks.find_polls();
        tasks
    }

    fn find_polls(&mut self) {
        for step in self.codes.iter().flat_map(|code| &code.steps) {
            match step {
                Step::Call { callee, otherwise: Otherwise::Else(_), .. } => {
                    self.polled_entries[callee.entry.index()] = true;
                }
                Step::Select { choices, otherwise: Some(_) } => {
                    for choice in choices {
                        if let crate::code::ChoiceKind::Accept { entry, .. } = choice.kind {
                            self.polling_entries[entry.index()] = true;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether somebody asks whether this entry is being waited for.
    pub(super) fn is_polled(&self, entry: EntryId) -> bool {
        self.polled_entries[entry.index()]
    }

    /// Whether somebody asks whether a call of this entry waits.
    pub(super) fn is_polling(&self, entry: EntryId) -> bool {
        self.polling_entries[entry.index()]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.all.len()).map(TaskId::from_index)
    }

    pub(super) fn name(&self, task: TaskId) -> &str {
        &self.all[task.index()].name
    }

    pub(super) fn code(&self, task: TaskId) -> &Code {
        &self.codes[self.all[task.index()].group.index()]
    }

    /// The marks in the code of a task.
    pub(super) fn marks(&self, task: TaskId) -> impl Iterator<Item = &Arc<str>> {
        self.code(task).steps.iter().filter_map(|step| match step {
            Step::Event(name) => Some(name),
            _ => None,
        })
    }

    /// All entries of a task, with all indices of families.
    pub(super) fn doors(&self, task: TaskId) -> impl Iterator<Item = Door> {
        let group = &self.program.groups[self.all[task.index()].group.index()];
        let entries = self.program.units[group.unit.index()].entries.iter().copied();
        entries.flat_map(move |entry| {
            let family = self.program.entries[entry.index()].family;
            let indices: Vec<Option<i64>> = match family {
                None => vec![None],
                Some(family) => (family.low..=family.high).map(Some).collect(),
            };
            indices.into_iter().map(move |family| Door { acceptor: task, entry, family })
        })
    }

    /// Whether the code of some task has got too large.
    pub(super) fn is_too_large(&self) -> bool {
        self.codes.iter().any(|code| code.is_too_large)
    }

    /// The task of a group with an index, which is in range.
    pub(super) fn member(&self, group: GroupId, index: Option<i64>) -> TaskId {
        let low = self.program.groups[group.index()].index.map_or(0, |subtype| subtype.low);
        let at = usize::try_from(index.unwrap_or(low) - low).expect("the index has been checked");
        TaskId::from_index(self.first[group.index()] + at)
    }

    /// The cell of a variable at a position.
    pub(super) fn cell(&self, variable: VariableId, at: usize) -> CellId {
        CellId::from_index(self.cells[variable.index()].expect("the variable is shared") + at)
    }

    /// The name of a cell: that of its variable, with the index in an array.
    pub(super) fn cell_name(&self, cell: CellId) -> String {
        let (variable, at) = self.cell_variables[cell.index()];
        let variable = &self.program.variables[variable.index()];
        match variable.form {
            Form::Scalar(_) => variable.name.text.to_string(),
            Form::Array { index, .. } => {
                let index = self.program.show(index.base, index.low + i64::try_from(at).unwrap_or(0));
                format!("{}.{index}", variable.name.text)
            }
        }
    }

    /// How a value of a cell is written.
    pub(super) fn show(&self, cell: CellId, value: i64) -> String {
        let (variable, _) = self.cell_variables[cell.index()];
        self.program.show(self.program.variables[variable.index()].form.element().base, value)
    }
}
