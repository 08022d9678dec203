//! A naive interpreter of programs: all interleavings of their tasks, one small step after the other.
//!
//! It follows the words of the language over the checked program: each task has a stack of what it still has to do and its
//! own variables, and every silent step, beginning to wait included, is a step. It shares neither code nor ideas with the
//! unfolding of tasks.

mod expressions;
mod item;
mod statements;
mod task;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_model::Naming;
use rely_tasks::hir::{EntryId, ExprKind, Fault, GroupId, Initial, Program, Role, VariableId};

use task::{Step, Task};

/// An entry of a task, with the index of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Door {
    pub(crate) acceptor: usize,
    pub(crate) entry: EntryId,
    pub(crate) family: Option<i64>,
}

/// The values of the shared variables.
pub(crate) type Memory = BTreeMap<(VariableId, usize), Option<i64>>;

#[derive(Clone)]
struct Global<'p> {
    tasks: Vec<Task<'p>>,
    memory: Memory,
}

/// Where a step leads.
enum Goal<'p> {
    Global(Global<'p>),
    Error,
    End,
}

/// The tasks of a program, by number.
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    /// Group and name of each task.
    pub(crate) tasks: Vec<(GroupId, String)>,
    first: Vec<usize>,
}

impl<'p> World<'p> {
    fn new(program: &'p Program) -> Self {
        let (mut tasks, mut first) = (Vec::new(), Vec::new());
        for (number, group) in program.groups.iter().enumerate() {
            first.push(tasks.len());
            let id = GroupId::from_index(number);
            match group.index {
                None => tasks.push((id, group.name.text.to_string())),
                Some(index) => tasks.extend(
                    (index.low..=index.high)
                        .map(|at| (id, format!("{}.{}", group.name.text, program.show(index.base, at)))),
                ),
            }
        }
        Self { program, tasks, first }
    }

    pub(crate) fn member(&self, group: GroupId, index: Option<i64>) -> usize {
        let low = self.program.groups[group.index()].index.map_or(0, |index| index.low);
        self.first[group.index()]
            + usize::try_from(index.unwrap_or(low) - low).expect("the program has been checked")
    }

    fn door_name(&self, door: Door) -> String {
        let entry = &self.program.entries[door.entry.index()];
        let name = format!("{}.{}", self.tasks[door.acceptor].1, entry.name.text);
        match (door.family, entry.family) {
            (Some(at), Some(family)) => format!("{name}.{}", self.program.show(family.base, at)),
            _ => name,
        }
    }

    fn rendezvous(&self, caller: usize, door: Door, values: &[i64], is_end: bool) -> String {
        let entry = &self.program.entries[door.entry.index()];
        let mut name = format!("{}.{}", self.tasks[caller].1, self.door_name(door));
        if is_end {
            name += ".end";
        }
        let passed =
            entry.parameters.iter().filter(|(mode, _)| if is_end { mode.is_out } else { mode.is_in });
        for ((_, subtype), &value) in passed.zip(values) {
            name += &format!(".{}", self.program.show(subtype.base, value));
        }
        name
    }

    fn access(&self, task: usize, variable: VariableId, at: usize, value: i64, sign: &str) -> String {
        let declared = &self.program.variables[variable.index()];
        let name = match declared.form {
            rely_tasks::hir::Form::Scalar(_) => declared.name.text.to_string(),
            rely_tasks::hir::Form::Array { index, .. } => {
                let at = index.low + i64::try_from(at).expect("the program has been checked");
                format!("{}.{}", declared.name.text, self.program.show(index.base, at))
            }
        };
        let value = self.program.show(declared.form.element().base, value);
        format!("{}.{name}{sign}{value}", self.tasks[task].1)
    }
}

/// The whole behaviour of a program; nothing if it has more states than a limit. Labels are those of the network.
pub(crate) fn interpret(program: &Program, naming: &Naming, limit: usize) -> Option<Lts> {
    let world = World::new(program);
    let start = Global::at_first(&world);
    let mut builder = LtsBuilder::new(Alphabet::new());
    let mut numbers: HashMap<String, StateId> = HashMap::new();
    numbers.insert(start.key(), builder.add_state());
    let mut pending = vec![(StateId::from_index(0), start)];
    let mut end = None;
    while let Some((from, global)) = pending.pop() {
        for (name, goal) in global.successors(&world) {
            let label = match name {
                None => Label::TAU,
                Some(name) => {
                    let mut actions = naming.actions(&name);
                    let action = actions.next().unwrap_or_else(|| panic!("the network has no {name}"));
                    assert!(actions.next().is_none(), "{name} is several actions");
                    Label::visible(builder.alphabet_mut().intern(action))
                }
            };
            let to = match goal {
                Goal::Error => builder.error_state(),
                Goal::End => *end.get_or_insert_with(|| builder.add_state()),
                Goal::Global(next) => {
                    let key = next.key();
                    match numbers.get(&key) {
                        Some(&state) => state,
                        None => {
                            let state = builder.add_state();
                            numbers.insert(key, state);
                            pending.push((state, next));
                            state
                        }
                    }
                }
            };
            builder.add_transition(from, label, to);
        }
        if numbers.len() > limit {
            return None;
        }
    }
    builder.set_end(end);
    Some(builder.build())
}

/// The names of the variables for which tasks race: in some state two tasks are at an access of the same element, one of them is
/// to write, and the variable is not atomic. Nothing if there are more states than a limit.
pub(crate) fn races(program: &Program, limit: usize) -> Option<BTreeSet<String>> {
    let world = World::new(program);
    let start = Global::at_first(&world);
    let mut seen = HashSet::from([start.key()]);
    let mut pending = vec![start];
    let mut found = BTreeSet::new();
    while let Some(global) = pending.pop() {
        let mut accesses: Vec<(usize, (VariableId, usize), bool)> = Vec::new();
        for (number, task) in global.tasks.iter().enumerate() {
            for step in task.steps(&world, number) {
                match step {
                    Step::Read(variable, at, _) => accesses.push((number, (variable, at), false)),
                    Step::Write(variable, at, ..) => accesses.push((number, (variable, at), true)),
                    _ => {}
                }
            }
        }
        for (task, cell, writes) in &accesses {
            let races =
                |(other, same, _): &&(usize, (VariableId, usize), bool)| task != other && cell == same;
            let is_race = *writes && accesses.iter().any(|other| races(&other));
            if is_race && !program.atomic.contains(&cell.0) {
                found.insert(program.variables[cell.0.index()].name.text.to_string());
            }
        }
        for (_, goal) in global.successors(&world) {
            if let Goal::Global(next) = goal
                && seen.insert(next.key())
            {
                pending.push(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(found)
}

fn initial(initial: &Option<Initial>, at: usize) -> Option<i64> {
    let value = match initial.as_ref()? {
        Initial::Scalar(value) => value,
        Initial::Array(values) => &values[at],
        Initial::Copy(_) => panic!("random programs do not copy shared arrays at first"),
    };
    match value.kind {
        ExprKind::Literal(value) => Some(value),
        _ => panic!("shared variables have known initial values"),
    }
}

impl<'p> Global<'p> {
    fn at_first(world: &World<'p>) -> Self {
        let program = world.program;
        let of_group = |&(group, _): &(GroupId, String)| Task::new(program, group).prepared(world);
        let mut memory = Memory::new();
        for &variable in &program.shared {
            let declared = &program.variables[variable.index()];
            assert_eq!(declared.role, Role::Shared);
            for at in 0..declared.form.len() {
                memory.insert((variable, at), initial(&declared.initial, at));
            }
        }
        Self { tasks: world.tasks.iter().map(of_group).collect(), memory }
    }

    fn key(&self) -> String {
        let tasks: Vec<String> = self.tasks.iter().map(Task::key).collect();
        format!("{tasks:?} {:?}", self.memory)
    }

    fn with(&self, world: &World<'p>, number: usize, task: Task<'p>) -> Self {
        let mut next = self.clone();
        next.tasks[number] = task.prepared(world);
        next
    }

    /// Everything that can happen next, with long names.
    fn successors(&self, world: &World<'p>) -> Vec<(Option<String>, Goal<'p>)> {
        let mut all = Vec::new();
        for (number, task) in self.tasks.iter().enumerate() {
            for step in task.steps(world, number) {
                self.take(world, number, step, &mut all);
            }
        }
        let may_leave = |task: &Task<'p>| task.is_done || task.may_terminate();
        if self.tasks.iter().all(may_leave) {
            all.push((None, Goal::End));
        }
        all
    }

    fn take(
        &self,
        world: &World<'p>,
        number: usize,
        step: Step<'p>,
        all: &mut Vec<(Option<String>, Goal<'p>)>,
    ) {
        let name = &world.tasks[number].1;
        match step {
            Step::Silent(task) => all.push((None, Goal::Global(self.with(world, number, task)))),
            Step::Fault(fault) => all.push((Some(format!("{name}.{}", fault.name())), Goal::Error)),
            Step::Event(event, task) => {
                all.push((Some(format!("{name}.{event}")), Goal::Global(self.with(world, number, task))));
            }
            Step::Done(task) => {
                all.push((Some(format!("{name}.end")), Goal::Global(self.with(world, number, task))));
            }
            Step::Read(variable, at, goes_on) => {
                let subtype = world.program.variables[variable.index()].form.element();
                let known = self.memory[&(variable, at)];
                for value in subtype.low..=subtype.high {
                    if known.is_some_and(|known| known != value) {
                        continue;
                    }
                    let mut next = self.with(world, number, goes_on(value));
                    next.memory.insert((variable, at), Some(value));
                    all.push((Some(world.access(number, variable, at, value, "==")), Goal::Global(next)));
                }
            }
            Step::Write(variable, at, value, task) => {
                let mut next = self.with(world, number, task);
                next.memory.insert((variable, at), Some(value));
                all.push((Some(world.access(number, variable, at, value, "=")), Goal::Global(next)));
            }
            Step::Call { door, values, accepted, refused } => {
                let acceptor = &self.tasks[door.acceptor];
                if acceptor.is_done {
                    let label =
                        format!("{name}.{}.{}", world.tasks[door.acceptor].1, Fault::TaskingError.name());
                    all.push((Some(label), Goal::Error));
                    return;
                }
                for after in acceptor.accepting(world, number, door, &values) {
                    let mut next = self.with(world, number, accepted.clone());
                    next.tasks[door.acceptor] = after.prepared(world);
                    all.push((Some(world.rendezvous(number, door, &values, false)), Goal::Global(next)));
                }
                if let Some(refused) = refused
                    && !acceptor.waits_for(world, door)
                {
                    all.push((None, Goal::Global(self.with(world, number, refused))));
                }
            }
            Step::Finish { caller, door, values, task } => {
                if let Some(after) = self.tasks[caller].released(door, &values) {
                    let mut next = self.with(world, number, task);
                    next.tasks[caller] = after.prepared(world);
                    all.push((Some(world.rendezvous(caller, door, &values, true)), Goal::Global(next)));
                }
            }
            Step::Else(doors, task) => {
                let waits = |other: &Task<'p>| other.waits_at().is_some_and(|door| doors.contains(&door));
                if !self.tasks.iter().any(waits) {
                    all.push((None, Goal::Global(self.with(world, number, task))));
                }
            }
        }
    }
}
