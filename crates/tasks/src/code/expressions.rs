//! Expressions: shared variables are read and functions executed, from left to right; what is left is pure.

use rely_base::Id;

use super::compile::{Compiler, Return};
use super::{Pure, Slot, Step};
use crate::hir::{Expr, ExprKind, Fault, Form, Program, Role, SubprogramId, Subtype, VariableId};

impl Compiler<'_> {
    /// An expression, after everything has been read that it needs.
    pub(super) fn value(&mut self, expr: &Expr) -> Pure {
        match &expr.kind {
            ExprKind::Literal(value) => Pure::Literal(*value),
            &ExprKind::Variable(variable) => self.variable(variable, None),
            ExprKind::Element(variable, index) => {
                let index = self.value(index);
                self.variable(*variable, Some(index))
            }
            ExprKind::Unary(operator, a) => Pure::Unary(*operator, Box::new(self.value(a))),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = self.pair(a, b);
                Pure::Binary(*operator, Box::new(a), Box::new(b))
            }
            ExprKind::Short(is_and, a, b) => self.short(*is_and, a, b),
            ExprKind::Within(value, low, high) => {
                let mut values = self.values([&**value, low, high]).into_iter().map(Box::new);
                match (values.next(), values.next(), values.next()) {
                    (Some(value), Some(low), Some(high)) => Pure::Within(value, low, high),
                    _ => unreachable!("three expressions have three values"),
                }
            }
            ExprKind::Checked(value, subtype) => Pure::Checked(Box::new(self.value(value)), *subtype),
            ExprKind::Wrapped(value, modulus) => Pure::Wrapped(Box::new(self.value(value)), *modulus),
            ExprKind::Call(function, arguments) => self.function(*function, arguments),
        }
    }

    fn pair(&mut self, a: &Expr, b: &Expr) -> (Pure, Pure) {
        let mut values = self.values([a, b]).into_iter();
        match (values.next(), values.next()) {
            (Some(a), Some(b)) => (a, b),
            _ => unreachable!("two expressions have two values"),
        }
    }

    /// Expressions from left to right. What a function may change is computed before it is called.
    pub(super) fn values<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<Pure> {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        let mut values = Vec::with_capacity(exprs.len());
        for (at, expr) in exprs.iter().enumerate() {
            let mut value = self.value(expr);
            if exprs[at + 1..].iter().any(|later| has_call(later)) {
                value = self.materialise(value, whole());
            }
            values.push(value);
        }
        values
    }

    fn variable(&mut self, variable: VariableId, index: Option<Pure>) -> Pure {
        let form = self.form(variable);
        match self.program.variables[variable.index()].role {
            Role::Discriminant => Pure::Literal(self.discriminants[&variable]),
            Role::Shared => {
                let slot = self.take(1);
                self.emit(Step::Read { variable, index, slot });
                Pure::Slot(slot, form.element())
            }
            Role::Local | Role::Fixed => {
                let base = self.slots[&variable];
                match (form, index) {
                    (Form::Array { index, element }, Some(at)) => {
                        Pure::Element { base, index, at: Box::new(at), element }
                    }
                    _ => Pure::Slot(base, form.element()),
                }
            }
        }
    }

    /// The second operand is only evaluated if the first does not decide.
    fn short(&mut self, is_and: bool, a: &Expr, b: &Expr) -> Pure {
        if !is_impure(self.program, b) {
            let (a, b) = (self.value(a), self.value(b));
            return Pure::Short(is_and, Box::new(a), Box::new(b));
        }
        let boolean = Subtype { base: a.ty, low: 0, high: 1 };
        let slot = self.take(1);
        let first = self.value(a);
        self.emit(Step::Set(Slot::At(slot), first, boolean));
        let decided = Pure::Slot(slot, boolean);
        let condition = if is_and {
            decided.clone()
        } else {
            Pure::Unary(crate::ast::Unary::Not, Box::new(decided.clone()))
        };
        let skip = self.emit(Step::Unless(condition, 0));
        let second = self.value(b);
        self.emit(Step::Set(Slot::At(slot), second, boolean));
        self.height = slot + 1;
        self.land(skip);
        decided
    }

    fn function(&mut self, function: SubprogramId, arguments: &[Expr]) -> Pure {
        let program = self.program;
        let callee = &program.subprograms[function.index()];
        let result = callee.result.unwrap_or(whole());
        let slot = self.take(1);
        let values = self.values(arguments);
        for (parameter, value) in callee.parameters.iter().zip(values) {
            let at = self.take(1);
            let subtype = self.form(parameter.variable).element();
            self.emit(Step::Set(Slot::At(at), value, subtype));
            self.slots.insert(parameter.variable, at);
        }
        let span = self.span;
        self.returns.push(Return { result: Some((slot, result)), jumps: Vec::new() });
        self.declare(&callee.locals);
        self.statements(&callee.body);
        self.raise(Fault::ProgramError);
        self.height = slot + 1;
        self.land_returns();
        self.span = span;
        Pure::Slot(slot, result)
    }
}

/// All values: an intermediate value is not checked.
pub(super) fn whole() -> Subtype {
    Subtype { base: crate::resolve::INTEGER, low: i64::from(i32::MIN), high: i64::from(i32::MAX) }
}

/// Whether an expression calls a function.
fn has_call(expr: &Expr) -> bool {
    expr.any(&|part| matches!(part.kind, ExprKind::Call(..)))
}

/// Whether an expression reads shared variables or calls a function.
fn is_impure(program: &Program, expr: &Expr) -> bool {
    let is_shared = |variable: &VariableId| program.variables[variable.index()].role == Role::Shared;
    expr.any(&|part| match &part.kind {
        ExprKind::Variable(variable) | ExprKind::Element(variable, _) => is_shared(variable),
        ExprKind::Call(..) => true,
        _ => false,
    })
}
