//! One task of the naive interpreter: what it still has to do, its variables, and its small steps.

use std::collections::BTreeMap;
use std::rc::Rc;

use rely_base::Id;
use rely_tasks::hir::{
    Accept, Actual, AlternativeKind, EntryCall, Expr, ExprKind, Fault, Form, GroupId, Initial, LoopId,
    LoopScheme, Program, Role, Select, Stmt, StmtKind, Target, VariableId,
};

use super::expressions::{Next, Scope, Stuck, check, fill};
use super::item::{Arguments, CalleeOf, Item, Place, Prepared, Then};
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
    program: &'p Program,
    group: GroupId,
    items: Vec<Item<'p>>,
    variables: BTreeMap<Place, Option<i64>>,
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

    fn form(&self, variable: VariableId) -> Form {
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

    fn push(&mut self, item: Item<'p>) {
        self.items.push(item);
    }

    fn position(&self, variable: VariableId, index: Option<i64>) -> Result<usize, Fault> {
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

    // Statements.

    fn statement(&mut self, world: &World<'p>, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::Null | StmtKind::Event(_) => {}
            StmtKind::Assign(target, value) => {
                let exprs = target.index.iter().chain([value]).cloned().collect();
                self.push(Item::Eval(exprs, Then::Assign(target.variable, target.index.is_some())));
            }
            StmtKind::AssignArray(variable, initial) => {
                let exprs = self.initial(initial);
                self.push(Item::Eval(exprs, Then::AssignAll(*variable)));
            }
            StmtKind::If(arms, otherwise) => self.conditional(arms, otherwise),
            StmtKind::Case(selector, arms) => self.push(Item::Eval(vec![selector.clone()], Then::Case(arms))),
            StmtKind::Loop(id, scheme, body) => match scheme {
                LoopScheme::Forever => self.round(*id, scheme, body, None),
                LoopScheme::While(_) => self.round(*id, scheme, body, None),
                LoopScheme::For { low, high, .. } => {
                    self.push(Item::Eval(vec![low.clone(), high.clone()], Then::For(*id, scheme, body)));
                }
            },
            StmtKind::Exit(id, None) => self.leave_loop(*id),
            StmtKind::Exit(id, Some(condition)) => {
                self.push(Item::Eval(vec![condition.clone()], Then::Exit(*id)));
            }
            StmtKind::Return(None) => self.leave(),
            StmtKind::Return(Some(value)) => self.push(Item::Eval(vec![value.clone()], Then::Return)),
            StmtKind::Block(locals, body) => {
                self.push(Item::Stmts(body));
                self.push(Item::Declare(locals));
            }
            StmtKind::Call(procedure, actuals) => {
                let parameters = &self.program.subprograms[procedure.index()].parameters;
                self.push(Item::Arguments(Rc::new(Arguments {
                    actuals,
                    modes: parameters.iter().map(|parameter| parameter.mode).collect(),
                    values: Vec::new(),
                    targets: Vec::new(),
                    callee: CalleeOf::Procedure(*procedure),
                })));
            }
            StmtKind::EntryCall(call) | StmtKind::SelectCall { call, .. } => match &call.index {
                Some(index) => self.push(Item::Eval(vec![index.clone()], Then::TaskIndex(statement))),
                None => self.family(statement, world.member(call.group, None), call),
            },
            StmtKind::Select(select) => self.guards(select, Vec::new()),
        }
    }

    /// The index in a family of a call of a task.
    fn family(&mut self, statement: &'p Stmt, acceptor: usize, call: &'p EntryCall) {
        match &call.family {
            Some(family) => {
                self.push(Item::Eval(vec![family.clone()], Then::FamilyIndex(statement, acceptor)));
            }
            None => self.entry_arguments(statement, acceptor, call, None),
        }
    }

    fn entry_arguments(
        &mut self,
        statement: &'p Stmt,
        acceptor: usize,
        call: &'p EntryCall,
        family: Option<i64>,
    ) {
        let entry = &self.program.entries[call.entry.index()];
        let door = Door { acceptor, entry: call.entry, family };
        self.push(Item::Arguments(Rc::new(Arguments {
            actuals: &call.actuals,
            modes: entry.parameters.iter().map(|&(mode, _)| mode).collect(),
            values: Vec::new(),
            targets: Vec::new(),
            callee: CalleeOf::Entry(statement, door),
        })));
    }

    fn arguments(&mut self, arguments: Rc<Arguments<'p>>) -> Result<(), Stuck> {
        let at = arguments.values.len();
        let Some(actual) = arguments.actuals.get(at) else { return self.perform(&arguments) };
        match actual {
            Actual::In(value) => self.push(Item::Eval(vec![value.clone()], Then::Argument(arguments))),
            Actual::Out(target) => {
                let exprs = target.index.iter().cloned().collect();
                self.push(Item::Eval(exprs, Then::Target(arguments)));
            }
        }
        Ok(())
    }

    /// All arguments are there.
    fn perform(&mut self, arguments: &Arguments<'p>) -> Result<(), Stuck> {
        match arguments.callee {
            CalleeOf::Procedure(procedure) => {
                let callee = &self.program.subprograms[procedure.index()];
                for (parameter, value) in callee.parameters.iter().zip(&arguments.values) {
                    let subtype = self.form(parameter.variable).element();
                    let value = value.map(|value| check(value, subtype)).transpose()?;
                    self.variables.insert((parameter.variable, 0), value);
                }
                self.push(Item::Procedure(procedure, arguments.targets.clone()));
                self.push(Item::Stmts(&callee.body));
                self.push(Item::Declare(&callee.locals));
            }
            CalleeOf::Entry(statement, door) => {
                let entry = &self.program.entries[door.entry.index()];
                let mut values = Vec::new();
                for (value, (_, subtype)) in arguments.values.iter().zip(&entry.parameters) {
                    if let Some(value) = value {
                        values.push(check(*value, *subtype)?);
                    }
                }
                let targets = arguments.targets.iter().copied().flatten().collect();
                let call = Rc::new(Prepared { statement, door, values, targets });
                self.push(Item::Call { call, is_waiting: false });
            }
        }
        Ok(())
    }

    fn conditional(&mut self, arms: &'p [(Expr, Vec<Stmt>)], otherwise: &'p [Stmt]) {
        match arms.first() {
            None => self.push(Item::Stmts(otherwise)),
            Some((condition, _)) => self.push(Item::Eval(vec![condition.clone()], Then::If(arms, otherwise))),
        }
    }

    /// The next round of a loop.
    fn round(&mut self, id: LoopId, scheme: &'p LoopScheme, body: &'p [Stmt], at: Option<(i64, i64)>) {
        match scheme {
            LoopScheme::Forever => {
                self.push(Item::Loop(id, scheme, body, None));
                self.push(Item::Stmts(body));
            }
            LoopScheme::While(condition) => {
                self.push(Item::Eval(vec![condition.clone()], Then::While(id, scheme, body)));
            }
            LoopScheme::For { variable, reverse, .. } => {
                let Some((value, last)) = at else { return };
                if value == last {
                    return;
                }
                let next = if *reverse { value - 1 } else { value + 1 };
                self.start_round(id, scheme, body, *variable, (next, last));
            }
        }
    }

    fn start_round(
        &mut self,
        id: LoopId,
        scheme: &'p LoopScheme,
        body: &'p [Stmt],
        variable: VariableId,
        at: (i64, i64),
    ) {
        self.variables.insert((variable, 0), Some(at.0));
        self.push(Item::Loop(id, scheme, body, Some(at)));
        self.push(Item::Stmts(body));
    }

    fn leave_loop(&mut self, id: LoopId) {
        while let Some(item) = self.items.pop() {
            if matches!(item, Item::Loop(found, ..) if found == id) {
                return;
            }
        }
    }

    /// Leaves a procedure, an accept statement or the main procedure.
    fn leave(&mut self) {
        while let Some(item) = self.items.pop() {
            if matches!(item, Item::Procedure(..) | Item::Accept { .. }) {
                self.push(item);
                return;
            }
        }
    }

    fn guards(&mut self, select: &'p Select, state: Vec<(bool, Option<i64>)>) {
        match select.alternatives.get(state.len()) {
            None => self.push(Item::Select { select, state, is_waiting: false }),
            Some(alternative) => match &alternative.guard {
                Some(guard) => self.push(Item::Eval(vec![guard.clone()], Then::Guard(select, state))),
                None => self.guard(select, state, true),
            },
        }
    }

    fn guard(&mut self, select: &'p Select, mut state: Vec<(bool, Option<i64>)>, is_open: bool) {
        let alternative = &select.alternatives[state.len()];
        state.push((is_open, None));
        match &alternative.kind {
            AlternativeKind::Accept(Accept { family: Some(family), .. }) => {
                self.push(Item::Eval(vec![family.clone()], Then::Family(select, state)));
            }
            _ => self.push(Item::Guards(select, state)),
        }
    }

    fn initial(&self, initial: &Initial) -> Vec<Expr> {
        match initial {
            Initial::Scalar(value) => vec![value.clone()],
            Initial::Array(values) => values.clone(),
            Initial::Copy(source) => {
                let Form::Array { index, element } = self.form(*source) else {
                    unreachable!("only arrays are copied")
                };
                let span = self.program.variables[source.index()].name.span;
                let literal = |at| Expr { kind: ExprKind::Literal(at), ty: index.base, span };
                let value = |at| Expr {
                    kind: ExprKind::Element(*source, Box::new(literal(at))),
                    ty: element.base,
                    span,
                };
                (index.low..=index.high).map(value).collect()
            }
        }
    }

    /// What is done with values.
    fn then(&mut self, world: &World<'p>, then: Then<'p>, values: &[i64]) -> Result<(), Stuck> {
        let value = values.last().copied();
        let is_true = value.is_some_and(|value| value != 0);
        match then {
            Then::Assign(variable, has_index) => {
                let at = self.position(variable, has_index.then(|| values[0]))?;
                self.push(Item::Store(vec![((variable, at), values[values.len() - 1])]));
            }
            Then::AssignAll(variable) | Then::Initial(variable) => {
                for &value in values {
                    check(value, self.form(variable).element())?;
                }
                let stores = values.iter().enumerate().map(|(at, &value)| ((variable, at), value)).collect();
                self.push(Item::Store(stores));
            }
            Then::If(arms, otherwise) => match is_true {
                true => self.push(Item::Stmts(&arms[0].1)),
                false => self.conditional(&arms[1..], otherwise),
            },
            Then::Case(arms) => {
                let chosen = |arm: &&rely_tasks::hir::CaseArm| {
                    arm.ranges
                        .iter()
                        .any(|&(low, high)| value.is_some_and(|value| low <= value && value <= high))
                };
                let arm = arms.iter().find(chosen).ok_or(Stuck::Fault(Fault::ConstraintError))?;
                self.push(Item::Stmts(&arm.body));
            }
            Then::While(id, scheme, body) => {
                if is_true {
                    self.push(Item::Loop(id, scheme, body, None));
                    self.push(Item::Stmts(body));
                }
            }
            Then::For(id, scheme, body) => {
                let LoopScheme::For { variable, reverse, .. } = scheme else {
                    unreachable!("it is a for loop")
                };
                let (low, high) = (values[0], values[1]);
                if low <= high {
                    let at = if *reverse { (high, low) } else { (low, high) };
                    self.start_round(id, scheme, body, *variable, at);
                }
            }
            Then::Exit(id) => {
                if is_true {
                    self.leave_loop(id);
                }
            }
            Then::Return => {
                // Only functions return values.
                while let Some(item) = self.items.pop() {
                    if matches!(item, Item::Function) {
                        break;
                    }
                }
                if let Some(Item::Eval(exprs, _)) = self.items.last_mut() {
                    fill(exprs, values[0]);
                }
            }
            Then::CopyOut(place) => self.push(Item::Store(vec![(place, values[0])])),
            Then::Argument(arguments) => self.argument(&arguments, value, None),
            Then::Target(arguments) => {
                let Actual::Out(target) = &arguments.actuals[arguments.values.len()] else {
                    unreachable!("only these have targets")
                };
                let at = self.position(target.variable, value)?;
                if !arguments.modes[arguments.values.len()].is_in {
                    self.argument(&arguments, None, Some((target.variable, at)));
                    return Ok(());
                }
                // The value that is given is read now.
                let mut with_target = (*arguments).clone();
                with_target.targets.push(Some((target.variable, at)));
                let Target { variable, index, span } = target;
                let kind = match (self.form(*variable), index) {
                    (Form::Array { index, .. }, Some(_)) => {
                        let position = index.low + i64::try_from(at).expect("the program has been checked");
                        let literal = Expr { kind: ExprKind::Literal(position), ty: index.base, span: *span };
                        ExprKind::Element(*variable, Box::new(literal))
                    }
                    _ => ExprKind::Variable(*variable),
                };
                let ty = self.form(*variable).element().base;
                let expr = Expr { kind, ty, span: *span };
                self.push(Item::Eval(vec![expr], Then::Argument(Rc::new(with_target))));
            }
            Then::Guard(select, state) => self.guard(select, state, is_true),
            Then::Family(select, mut state) => {
                let AlternativeKind::Accept(accept) = &select.alternatives[state.len() - 1].kind else {
                    unreachable!("only entries have families")
                };
                let family =
                    self.program.entries[accept.entry.index()].family.expect("the program has been checked");
                let value = check(values[0], family)?;
                state.last_mut().expect("the program has been checked").1 = Some(value);
                self.push(Item::Guards(select, state));
            }
            Then::TaskIndex(statement) => {
                let (StmtKind::EntryCall(call) | StmtKind::SelectCall { call, .. }) = &statement.kind else {
                    unreachable!("it is a call")
                };
                let index =
                    self.program.groups[call.group.index()].index.expect("the program has been checked");
                let acceptor = world.member(call.group, Some(check(values[0], index)?));
                self.family(statement, acceptor, call);
            }
            Then::FamilyIndex(statement, acceptor) => {
                let (StmtKind::EntryCall(call) | StmtKind::SelectCall { call, .. }) = &statement.kind else {
                    unreachable!("it is a call")
                };
                let family =
                    self.program.entries[call.entry.index()].family.expect("the program has been checked");
                let value = check(values[0], family)?;
                self.entry_arguments(statement, acceptor, call, Some(value));
            }
        }
        Ok(())
    }

    /// One more argument is known.
    fn argument(&mut self, arguments: &Arguments<'p>, value: Option<i64>, target: Option<Place>) {
        let mut next = arguments.clone();
        next.values.push(value);
        if next.targets.len() < next.values.len() {
            next.targets.push(target);
        }
        self.push(Item::Arguments(Rc::new(next)));
    }
}
