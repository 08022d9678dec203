//! What a statement of the naive interpreter leaves a task to do, and what is done with the values of expressions.

use std::rc::Rc;

use rely_base::Id;
use rely_tasks::hir::{
    Accept, Actual, AlternativeKind, EntryCall, Expr, ExprKind, Fault, Form, Initial, LoopId, LoopScheme,
    Select, Stmt, StmtKind, Target, VariableId,
};

use super::expressions::{Stuck, check, fill};
use super::item::{Arguments, CalleeOf, Item, Place, Prepared, Then};
use super::task::Task;
use super::{Door, World};

impl<'p> Task<'p> {
    pub(super) fn statement(&mut self, world: &World<'p>, statement: &'p Stmt) {
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

    pub(super) fn arguments(&mut self, arguments: Rc<Arguments<'p>>) -> Result<(), Stuck> {
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
    pub(super) fn round(
        &mut self,
        id: LoopId,
        scheme: &'p LoopScheme,
        body: &'p [Stmt],
        at: Option<(i64, i64)>,
    ) {
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

    pub(super) fn guards(&mut self, select: &'p Select, state: Vec<(bool, Option<i64>)>) {
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

    pub(super) fn initial(&self, initial: &Initial) -> Vec<Expr> {
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
    pub(super) fn then(&mut self, world: &World<'p>, then: Then<'p>, values: &[i64]) -> Result<(), Stuck> {
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
