//! One task of the naive interpreter: what others see of it, and its small steps.

use std::collections::BTreeMap;
use std::rc::Rc;

use rely_base::Id;
use rely_tasks::hir::{
    Accept, AlternativeKind, Expr, ExprKind, Fault, Form, GroupId, Program, Role, Select, Stmt, StmtKind,
    VariableId,
};

use super::expressions::{Next, Scope, Stuck, check, fill};
use super::item::{Item, Place, Prepared, Then};
use super::{Door, World};

/// A step that a task can take, as far as it depends on the task.
pub(crate) enum Step<'p> {
    Silent(Task<'p>),
    Fault(Fault),
    Event(String, Task<'p>),
    Done(Task<'p>),
    Read(VariableId, usize, Box<dyn Fn(i64) -> Task<'p> + 'p>),
    Write(VariableId, usize, i64, Task<'p>),
    Call {
        door: Door,
        values: Vec<i64>,
        accepted: Task<'p>,
        refused: Option<Task<'p>>,
    },
    Finish {
        caller: usize,
        door: Door,
        values: Vec<i64>,
        task: Task<'p>,
    },
    /// No call waits at some doors.
    Else(Vec<Door>, Task<'p>),
}

#[derive(Clone)]
pub(crate) struct Task<'p> {
    pub(super) program: &'p Program,
    group: GroupId,
    pub(super) items: Vec<Item<'p>>,
    pub(super) variables: BTreeMap<Place, Option<i64>>,
    pub(crate) is_done: bool,
}

impl<'p> Task<'p> {
    pub(crate) fn new(program: &'p Program, group: GroupId) -> Self {
        let unit = &program.units[program.groups[group.index()].unit.index()];
        let items = vec![Item::Stmts(&unit.body), Item::Declare(&unit.locals)];
        Self { program, group, items, variables: BTreeMap::new(), is_done: false }
    }

    /// Two tasks with the same key are in the same state.
    pub(crate) fn key(&self) -> String {
        let items: Vec<String> = self.items.iter().map(Item::key).collect();
        format!("{items:?} {:?} {}", self.variables, self.is_done)
    }

    pub(super) fn form(&self, variable: VariableId) -> Form {
        self.program.variables[variable.index()].form
    }

    fn is_shared(&self, variable: VariableId) -> bool {
        self.program.variables[variable.index()].role == Role::Shared
    }

    fn discriminant(&self, variable: VariableId) -> i64 {
        let group = &self.program.groups[self.group.index()];
        let discriminants = &self.program.units[group.unit.index()].discriminants;
        group.discriminants
            [discriminants.iter().position(|&it| it == variable).expect("the program has been checked")]
    }

    fn scoped<T>(&self, f: impl FnOnce(&Scope<'_>) -> T) -> T {
        let local = |variable, at| self.variables.get(&(variable, at)).copied().flatten();
        let discriminant = |variable| self.discriminant(variable);
        f(&Scope { program: self.program, local: &local, discriminant: &discriminant })
    }

    pub(super) fn push(&mut self, item: Item<'p>) {
        self.items.push(item);
    }

    pub(super) fn position(&self, variable: VariableId, index: Option<i64>) -> Result<usize, Fault> {
        self.scoped(|scope| scope.position(variable, index))
    }

    // What others see.

    /// Whether the task waits at an open `terminate`.
    pub(crate) fn may_terminate(&self) -> bool {
        let Some(Item::Select { select, state, is_waiting: true }) = self.items.last() else { return false };
        select.alternatives.iter().zip(state).any(|(alternative, (is_open, _))| {
            *is_open && matches!(alternative.kind, AlternativeKind::Terminate)
        })
    }

    /// The door at which the task waits for its call to be accepted.
    pub(crate) fn waits_at(&self) -> Option<Door> {
        match self.items.last() {
            Some(Item::Call { call, is_waiting: true }) => Some(call.door),
            _ => None,
        }
    }

    /// Whether the task waits for a call.
    pub(crate) fn waits_for(&self, world: &World<'p>, door: Door) -> bool {
        let Some(Item::Select { select, is_waiting: true, .. }) = self.items.last() else { return false };
        select.otherwise.is_none() && self.open(world, door).next().is_some()
    }

    /// The alternatives that are open for a call.
    fn open(
        &self,
        _: &World<'p>,
        door: Door,
    ) -> impl Iterator<Item = (&'p rely_tasks::hir::Alternative, &'p Accept)> {
        let found: Vec<_> = match self.items.last() {
            Some(Item::Select { select, state, is_waiting: true }) => select
                .alternatives
                .iter()
                .zip(state)
                .filter_map(|(alternative, &(is_open, family))| match &alternative.kind {
                    AlternativeKind::Accept(accept)
                        if is_open && accept.entry == door.entry && family == door.family =>
                    {
                        Some((alternative, accept))
                    }
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        found.into_iter()
    }

    /// The task after it has accepted a call, for each alternative that can.
    pub(crate) fn accepting(
        &self,
        world: &World<'p>,
        caller: usize,
        door: Door,
        values: &[i64],
    ) -> Vec<Self> {
        let mut all = Vec::new();
        for (alternative, accept) in self.open(world, door) {
            let mut task = self.clone();
            task.items.pop();
            task.push(Item::Stmts(&alternative.body));
            let entry = &self.program.entries[door.entry.index()];
            if entry.has_end {
                task.push(Item::Accept { caller, door, accept });
                task.push(Item::Stmts(&accept.body));
                let mut given = values.iter();
                for (&parameter, (mode, _)) in accept.parameters.iter().zip(&entry.parameters) {
                    let value = if mode.is_in { given.next().copied() } else { None };
                    task.variables.insert((parameter, 0), value);
                }
            }
            all.push(task);
        }
        all
    }

    /// The task after a rendezvous in which it is the caller has ended.
    pub(crate) fn released(&self, door: Door, values: &[i64]) -> Option<Self> {
        let Some(Item::Await { door: awaited, targets }) = self.items.last() else { return None };
        (*awaited == door).then_some(())?;
        let mut task = self.clone();
        task.items.pop();
        task.push(Item::Store(targets.iter().copied().zip(values.iter().copied()).collect()));
        Some(task)
    }

    // Steps.

    /// The task with its next statement prepared: which expressions are to be evaluated first, and so on. This is no step.
    pub(crate) fn prepared(mut self, world: &World<'p>) -> Self {
        loop {
            match self.items.last().cloned() {
                Some(Item::Stmts([first, rest @ ..])) if !matches!(first.kind, StmtKind::Event(_)) => {
                    self.items.pop();
                    self.push(Item::Stmts(rest));
                    self.statement(world, first);
                }
                Some(Item::Stmts([]) | Item::Declare([])) => _ = self.items.pop(),
                Some(Item::Store(stores)) if stores.is_empty() => _ = self.items.pop(),
                Some(Item::Declare([first, rest @ ..])) => {
                    self.items.pop();
                    self.push(Item::Declare(rest));
                    self.declare(*first);
                }
                Some(Item::Guards(select, state)) => {
                    self.items.pop();
                    self.guards(select, state);
                }
                _ => return self,
            }
        }
    }

    fn declare(&mut self, variable: VariableId) {
        match &self.program.variables[variable.index()].initial {
            None => {
                for at in 0..self.form(variable).len() {
                    self.variables.insert((variable, at), None);
                }
            }
            Some(initial) => {
                let exprs = self.initial(initial);
                self.push(Item::Eval(exprs, Then::Initial(variable)));
            }
        }
    }

    pub(crate) fn steps(&self, world: &World<'p>, number: usize) -> Vec<Step<'p>> {
        if self.is_done {
            return Vec::new();
        }
        match self.try_steps(world, number) {
            Ok(steps) => steps,
            Err(Stuck::Fault(fault)) => vec![Step::Fault(fault)],
            Err(Stuck::Undefined(variable, at)) => {
                let subtype = self.form(variable).element();
                let define = |value| {
                    let mut task = self.clone();
                    task.variables.insert((variable, at), Some(value));
                    Step::Silent(task)
                };
                (subtype.low..=subtype.high).map(define).collect()
            }
        }
    }

    fn try_steps(&self, world: &World<'p>, number: usize) -> Result<Vec<Step<'p>>, Stuck> {
        let mut task = self.clone();
        let Some(item) = task.items.pop() else {
            task.is_done = true;
            task.variables.clear();
            return Ok(vec![Step::Done(task)]);
        };
        match item {
            Item::Stmts(statements) => {
                let Some((Stmt { kind: StmtKind::Event(name), .. }, rest)) = statements.split_first() else {
                    unreachable!("other statements have been prepared")
                };
                task.push(Item::Stmts(rest));
                return Ok(vec![Step::Event(name.to_string(), task)]);
            }
            Item::Eval(mut exprs, then) => {
                let next = self.scoped(|scope| {
                    let mut list: Vec<&mut Expr> = exprs.iter_mut().collect();
                    scope.reduce_all(&mut list)
                })?;
                match next {
                    Next::Nothing => {
                        let values: Vec<i64> = exprs
                            .iter()
                            .map(|expr| self.scoped(|scope| scope.value(expr)))
                            .collect::<Result<_, _>>()?;
                        task.then(world, then, &values)?;
                    }
                    Next::Silent => task.push(Item::Eval(exprs, then)),
                    Next::Read(variable, at) => {
                        let goes_on = move |value| {
                            let mut task = task.clone();
                            let mut exprs = exprs.clone();
                            fill(&mut exprs, value);
                            task.push(Item::Eval(exprs, then.clone()));
                            task
                        };
                        return Ok(vec![Step::Read(variable, at, Box::new(goes_on))]);
                    }
                    Next::Call(function, values) => {
                        task.push(Item::Eval(exprs, then));
                        let program = task.program;
                        let callee = &program.subprograms[function.index()];
                        for (parameter, value) in callee.parameters.iter().zip(values) {
                            task.variables.insert((parameter.variable, 0), Some(value));
                        }
                        task.push(Item::Function);
                        task.push(Item::Stmts(&callee.body));
                        task.push(Item::Declare(&callee.locals));
                    }
                }
            }
            Item::Store(mut stores) => {
                let ((variable, at), value) = stores.remove(0);
                let value = check(value, self.form(variable).element())?;
                task.push(Item::Store(stores));
                if self.is_shared(variable) {
                    return Ok(vec![Step::Write(variable, at, value, task)]);
                }
                task.variables.insert((variable, at), Some(value));
            }
            Item::Declare(_) | Item::Guards(..) => unreachable!("it has been prepared"),
            Item::Loop(id, scheme, body, at) => task.round(id, scheme, body, at),
            Item::Function => return Err(Stuck::Fault(Fault::ProgramError)),
            Item::Procedure(procedure, targets) => {
                let callee = &task.program.subprograms[procedure.index()];
                for (parameter, target) in callee.parameters.iter().zip(targets).rev() {
                    if let Some(target) = target {
                        let ty = task.form(parameter.variable).element().base;
                        let kind = ExprKind::Variable(parameter.variable);
                        let value = Expr { kind, ty, span: callee.name.span };
                        task.push(Item::Eval(vec![value], Then::CopyOut(target)));
                    }
                }
            }
            Item::Arguments(arguments) => task.arguments(arguments)?,
            Item::Call { call, is_waiting } => return Ok(self.call(task, &call, is_waiting)),
            // The acceptor ends the rendezvous.
            Item::Await { .. } => return Ok(Vec::new()),
            Item::Select { select, state, is_waiting } => {
                return self.select(task, number, select, state, is_waiting);
            }
            Item::Accept { caller, door, accept } => {
                let entry = &task.program.entries[door.entry.index()];
                let mut values = Vec::new();
                for (&parameter, (mode, _)) in accept.parameters.iter().zip(&entry.parameters) {
                    if mode.is_out {
                        let value = task.variables[&(parameter, 0)];
                        values.push(value.ok_or(Stuck::Undefined(parameter, 0))?);
                    }
                }
                return Ok(vec![Step::Finish { caller, door, values, task }]);
            }
        }
        Ok(vec![Step::Silent(task)])
    }

    fn call(&self, task: Self, call: &Rc<Prepared<'p>>, is_waiting: bool) -> Vec<Step<'p>> {
        let (door, values) = (call.door, call.values.clone());
        let completed = |mut task: Self, accepted: &'p [Stmt]| {
            task.push(Item::Stmts(accepted));
            if task.program.entries[door.entry.index()].has_end {
                task.push(Item::Await { door, targets: call.targets.clone() });
            }
            task
        };
        // A call of a task that has ended is noticed before the call waits, too.
        match &call.statement.kind {
            StmtKind::SelectCall { accepted, otherwise, is_timed: false, .. } => {
                let mut refused = task.clone();
                refused.push(Item::Stmts(otherwise));
                vec![Step::Call { door, values, accepted: completed(task, accepted), refused: Some(refused) }]
            }
            _ if !is_waiting => {
                let mut waiting = task;
                waiting.push(Item::Call { call: Rc::clone(call), is_waiting: true });
                vec![Step::Silent(waiting)]
            }
            StmtKind::SelectCall { accepted, otherwise, .. } => {
                let mut late = task.clone();
                late.push(Item::Stmts(otherwise));
                let accepted = completed(task, accepted);
                vec![Step::Silent(late), Step::Call { door, values, accepted, refused: None }]
            }
            _ => vec![Step::Call { door, values, accepted: completed(task, &[]), refused: None }],
        }
    }

    fn select(
        &self,
        task: Self,
        number: usize,
        select: &'p Select,
        state: Vec<(bool, Option<i64>)>,
        is_waiting: bool,
    ) -> Result<Vec<Step<'p>>, Stuck> {
        if !state.iter().any(|(is_open, _)| *is_open) && select.otherwise.is_none() {
            return Err(Stuck::Fault(Fault::ProgramError));
        }
        if !is_waiting {
            let mut waiting = task;
            waiting.push(Item::Select { select, state, is_waiting: true });
            return Ok(vec![Step::Silent(waiting)]);
        }
        let mut steps = Vec::new();
        let mut doors = Vec::new();
        for (alternative, (is_open, family)) in select.alternatives.iter().zip(state) {
            match &alternative.kind {
                AlternativeKind::Delay if is_open => {
                    let mut late = task.clone();
                    late.push(Item::Stmts(&alternative.body));
                    steps.push(Step::Silent(late));
                }
                AlternativeKind::Accept(accept) if is_open => {
                    doors.push(Door { acceptor: number, entry: accept.entry, family });
                }
                _ => {}
            }
        }
        if let Some(otherwise) = &select.otherwise {
            let mut other = task;
            other.push(Item::Stmts(otherwise));
            steps.push(Step::Else(doors, other));
        }
        Ok(steps)
    }
}
