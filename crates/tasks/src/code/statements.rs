//! Statements but for those of rendezvous.

use rely_base::Id;

use super::compile::{Compiler, Return};
use super::expressions::whole;
use super::{Pc, Pure, Slot, Step};
use crate::ast::Unary;
use crate::hir::{
    Actual, Binary, CaseArm, Expr, Form, Initial, LoopId, LoopScheme, Stmt, StmtKind, SubprogramId, Subtype,
    Target, VariableId,
};

impl Compiler<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        if !self.enter() {
            return;
        }
        for statement in statements {
            // Intermediate values are forgotten at the end of the statement.
            let height = self.height;
            self.span = statement.span;
            self.statement(statement);
            self.height = height;
        }
        self.nested -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Null => {}
            StmtKind::Assign(target, value) => {
                let (at, value) = self.target_and_value(target, value);
                self.assign(target.variable, at, value);
            }
            StmtKind::AssignArray(variable, values) => self.assign_array(*variable, values),
            StmtKind::If(arms, otherwise) => self.conditional(arms, otherwise),
            StmtKind::Case(selector, arms) => self.case(selector, arms),
            StmtKind::Loop(id, scheme, body) => self.loop_statement(*id, scheme, body),
            StmtKind::Exit(id, condition) => self.exit(*id, condition.as_ref()),
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            StmtKind::Block(locals, body) => {
                self.declare(locals);
                self.statements(body);
            }
            StmtKind::Call(procedure, actuals) => self.procedure(*procedure, actuals),
            StmtKind::EntryCall(call) => self.entry_call(call),
            StmtKind::SelectCall { call, accepted, otherwise, is_timed } => {
                self.select_call(call, accepted, otherwise, *is_timed);
            }
            StmtKind::Select(select) => self.select(select),
            StmtKind::Event(name) => _ = self.emit(Step::Event(std::sync::Arc::clone(name))),
        }
    }

    // Assignments.

    fn target_and_value(&mut self, target: &Target, value: &Expr) -> (Option<Pure>, Pure) {
        let mut values = self.values(target.index.iter().chain([value]));
        let value = values.pop().unwrap_or(Pure::Literal(0));
        (values.pop(), value)
    }

    /// A variable, or its element, gets a value.
    pub(super) fn assign(&mut self, variable: VariableId, index: Option<Pure>, value: Pure) {
        let form = self.form(variable);
        if self.is_shared(variable) {
            let value = match value {
                Pure::Literal(known) if form.element().contains(known) => value,
                _ => Pure::Checked(Box::new(value), form.element()),
            };
            self.emit(Step::Write { variable, index, value });
            return;
        }
        let base = self.slots[&variable];
        let slot = match (form, index) {
            (Form::Array { index, .. }, Some(at)) => Slot::Element { base, index, at },
            _ => Slot::At(base),
        };
        self.emit(Step::Set(slot, value, form.element()));
    }

    /// All values are computed before the first element is assigned.
    fn assign_array(&mut self, variable: VariableId, values: &Initial) {
        let form = self.form(variable);
        let Form::Array { index, element } = form else { return };
        let values = self.initial_values(values);
        let values: Vec<Pure> = values.into_iter().map(|value| self.materialise(value, element)).collect();
        for (at, value) in (index.low..).zip(values) {
            self.assign(variable, Some(Pure::Literal(at)), value);
        }
    }

    // Control.

    fn conditional(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let height = self.height;
            self.span = condition.span;
            let condition = self.value(condition);
            let skip = self.emit(Step::Unless(condition, 0));
            self.height = height;
            self.statements(body);
            ends.push(self.jump());
            self.land(skip);
        }
        self.statements(otherwise);
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn case(&mut self, selector: &Expr, arms: &[CaseArm]) {
        let height = self.height;
        let ty = Subtype { base: selector.ty, ..whole() };
        let value = self.value(selector);
        let value = self.materialise(value, ty);
        let mut bodies: Vec<(Pc, &[Stmt])> = Vec::new();
        for arm in arms {
            for &(low, high) in &arm.ranges {
                let within = Pure::Within(
                    Box::new(value.clone()),
                    Box::new(Pure::Literal(low)),
                    Box::new(Pure::Literal(high)),
                );
                let not = Pure::Unary(Unary::Not, Box::new(within));
                bodies.push((self.emit(Step::Unless(not, 0)), &arm.body));
            }
        }
        // Choices cover every value; what no choice covers is out of its range already.
        self.raise(crate::hir::Fault::ConstraintError);
        self.height = height;
        let mut ends = Vec::new();
        let mut bodies = bodies.into_iter().peekable();
        while let Some((entrance, body)) = bodies.next() {
            self.land(entrance);
            // Several ranges of one arm lead to one body.
            while let Some(&(more, same)) = bodies.peek()
                && std::ptr::eq(same, body)
                && !body.is_empty()
            {
                self.land(more);
                bodies.next();
            }
            self.statements(body);
            ends.push(self.jump());
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn loop_statement(&mut self, id: LoopId, scheme: &LoopScheme, body: &[Stmt]) {
        let span = self.span;
        self.exits.push((id, Vec::new()));
        match scheme {
            LoopScheme::Forever => {
                let start = self.here();
                self.statements(body);
                self.span = span;
                self.emit(Step::Jump(start));
            }
            LoopScheme::While(condition) => {
                let start = self.here();
                let height = self.height;
                let condition = self.value(condition);
                let leave = self.emit(Step::Unless(condition, 0));
                self.height = height;
                self.statements(body);
                self.span = span;
                self.emit(Step::Jump(start));
                self.land(leave);
            }
            LoopScheme::For { variable, low, high, reverse } => {
                self.for_loop(*variable, (low, high), *reverse, body);
            }
        }
        for jump in self.exits.pop().map(|(_, jumps)| jumps).unwrap_or_default() {
            self.land(jump);
        }
    }

    fn for_loop(&mut self, variable: VariableId, bounds: (&Expr, &Expr), reverse: bool, body: &[Stmt]) {
        let span = self.span;
        let all = Subtype { base: bounds.0.ty, ..whole() };
        let values = self.values([bounds.0, bounds.1]);
        let values: Vec<Pure> = values.into_iter().map(|value| self.materialise(value, all)).collect();
        let [low, high] = &values[..] else { unreachable!("a range has two bounds") };
        let (first, last) = if reverse { (high, low) } else { (low, high) };
        let boxed = |value: &Pure| Box::new(value.clone());
        let any = Pure::Binary(Binary::LessEqual, boxed(low), boxed(high));
        let empty = self.emit(Step::Unless(any, 0));
        let slot = self.take(1);
        self.slots.insert(variable, slot);
        let parameter = Pure::Slot(slot, all);
        self.emit(Step::Set(Slot::At(slot), first.clone(), all));
        let start = self.here();
        self.statements(body);
        self.span = span;
        let more = Pure::Binary(Binary::NotEqual, boxed(&parameter), boxed(last));
        let leave = self.emit(Step::Unless(more, 0));
        let operator = if reverse { Binary::Subtract } else { Binary::Add };
        let next = Pure::Binary(operator, boxed(&parameter), Box::new(Pure::Literal(1)));
        self.emit(Step::Set(Slot::At(slot), next, all));
        self.emit(Step::Jump(start));
        self.land(empty);
        self.land(leave);
    }

    fn exit(&mut self, id: LoopId, condition: Option<&Expr>) {
        let skip = condition.map(|condition| {
            let condition = self.value(condition);
            self.emit(Step::Unless(condition, 0))
        });
        let jump = self.jump();
        if let Some((_, jumps)) = self.exits.iter_mut().find(|(open, _)| *open == id) {
            jumps.push(jump);
        }
        if let Some(skip) = skip {
            self.land(skip);
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>) {
        let value = value.map(|value| self.value(value));
        let result = self.returns.last().and_then(|left| left.result);
        if let (Some(value), Some((slot, subtype))) = (value, result) {
            self.emit(Step::Set(Slot::At(slot), value, subtype));
        }
        let jump = self.jump();
        if let Some(left) = self.returns.last_mut() {
            left.jumps.push(jump);
        }
    }

    /// The body of a procedure in place of its call. Parameters are copied in, and out at the end.
    fn procedure(&mut self, procedure: SubprogramId, actuals: &[Actual]) {
        let program = self.program;
        let callee = &program.subprograms[procedure.index()];
        let arguments =
            self.arguments(actuals, &callee.parameters.iter().map(|p| p.mode).collect::<Vec<_>>());
        for (parameter, argument) in callee.parameters.iter().zip(&arguments) {
            let at = self.take(1);
            let subtype = self.form(parameter.variable).element();
            self.emit(match &argument.value {
                Some(value) => Step::Set(Slot::At(at), value.clone(), subtype),
                None => Step::Unset(at, 1),
            });
            self.slots.insert(parameter.variable, at);
        }
        let span = self.span;
        let height = self.height;
        self.returns.push(Return { result: None, jumps: Vec::new() });
        self.declare(&callee.locals);
        self.statements(&callee.body);
        self.height = height;
        self.land_returns();
        self.span = span;
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            if let Some((variable, index)) = argument.target {
                let subtype = self.form(parameter.variable).element();
                let value = Pure::Slot(self.slots[&parameter.variable], subtype);
                self.assign(variable, index, value);
            }
        }
    }
}
