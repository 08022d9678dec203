//! Expressions by rewriting: reads of shared variables and calls of functions are replaced by their values, one after the
//! other, from left to right; what is left is computed at once.

use rely_base::Id;
use rely_tasks::hir::{
    Expr, ExprKind, Fault, Form, Program, Role, SubprogramId, Subtype, VariableId, apply, apply_unary,
};

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stuck {
    Fault(Fault),
    /// An element of a local variable has no value yet.
    Undefined(VariableId, usize),
}

impl From<Fault> for Stuck {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What has to be done next for an expression.
pub(crate) enum Next {
    /// Nothing: it is pure.
    Nothing,
    /// A part was computed; nobody notices.
    Silent,
    /// A shared variable is read; the value goes into the hole.
    Read(VariableId, usize),
    /// A function is called with values; its result goes into the hole.
    Call(SubprogramId, Vec<i64>),
}

/// The variables of a task.
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    /// The values of a local variable.
    pub(crate) local: &'a dyn Fn(VariableId, usize) -> Option<i64>,
    /// The values of discriminants.
    pub(crate) discriminant: &'a dyn Fn(VariableId) -> i64,
}

impl Scope<'_> {
    fn role(&self, variable: VariableId) -> Role {
        self.program.variables[variable.index()].role
    }

    pub(crate) fn position(&self, variable: VariableId, index: Option<i64>) -> Result<usize, Fault> {
        match (self.program.variables[variable.index()].form, index) {
            (Form::Array { index: subtype, .. }, Some(at)) => {
                let at = check(at, subtype)?;
                Ok(usize::try_from(at - subtype.low).expect("the program has been checked"))
            }
            _ => Ok(0),
        }
    }

    /// The value of an expression without reads and calls.
    pub(crate) fn value(&self, expr: &Expr) -> Result<i64, Stuck> {
        Ok(match &expr.kind {
            ExprKind::Literal(value) => *value,
            &ExprKind::Variable(variable) => self.variable(variable, None)?,
            ExprKind::Element(variable, index) => self.variable(*variable, Some(self.value(index)?))?,
            ExprKind::Unary(operator, a) => apply_unary(*operator, self.value(a)?)?,
            ExprKind::Binary(operator, a, b) => apply(*operator, self.value(a)?, self.value(b)?)?,
            ExprKind::Short(true, a, b) => i64::from(self.value(a)? != 0 && self.value(b)? != 0),
            ExprKind::Short(false, a, b) => i64::from(self.value(a)? != 0 || self.value(b)? != 0),
            ExprKind::Within(v, low, high) => {
                let (v, low, high) = (self.value(v)?, self.value(low)?, self.value(high)?);
                i64::from(low <= v && v <= high)
            }
            ExprKind::Checked(v, subtype) => check(self.value(v)?, *subtype)?,
            ExprKind::Wrapped(v, modulus) => self.value(v)?.rem_euclid(*modulus),
            ExprKind::Call(..) => unreachable!("calls have been replaced"),
        })
    }

    fn variable(&self, variable: VariableId, index: Option<i64>) -> Result<i64, Stuck> {
        if self.role(variable) == Role::Discriminant {
            return Ok((self.discriminant)(variable));
        }
        let at = self.position(variable, index)?;
        (self.local)(variable, at).ok_or(Stuck::Undefined(variable, at))
    }

    /// Whether shared variables are to be read or functions to be called.
    pub(crate) fn is_pending(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) => false,
            &ExprKind::Variable(variable) => self.role(variable) == Role::Shared,
            ExprKind::Element(variable, a) => self.role(*variable) == Role::Shared || self.is_pending(a),
            ExprKind::Unary(_, a) | ExprKind::Checked(a, _) | ExprKind::Wrapped(a, _) => self.is_pending(a),
            ExprKind::Binary(_, a, b) | ExprKind::Short(_, a, b) => self.is_pending(a) || self.is_pending(b),
            ExprKind::Within(a, b, c) => [a, b, c].into_iter().any(|part| self.is_pending(part)),
            ExprKind::Call(..) => true,
        }
    }

    /// Does the next thing for a list of expressions, and makes a hole where a value will come.
    pub(crate) fn reduce_all(&self, exprs: &mut [&mut Expr]) -> Result<Next, Stuck> {
        for at in 0..exprs.len() {
            if self.is_pending(exprs[at]) {
                return self.reduce(exprs[at]);
            }
            let is_known = matches!(exprs[at].kind, ExprKind::Literal(_));
            if !is_known && exprs[at + 1..].iter().any(|later| has_call(later)) {
                exprs[at].kind = ExprKind::Literal(self.value(exprs[at])?);
                return Ok(Next::Silent);
            }
        }
        Ok(Next::Nothing)
    }

    pub(crate) fn reduce(&self, expr: &mut Expr) -> Result<Next, Stuck> {
        if !self.is_pending(expr) {
            return Ok(Next::Nothing);
        }
        match &mut expr.kind {
            ExprKind::Literal(_) => Ok(Next::Nothing),
            &mut ExprKind::Variable(variable) => {
                expr.kind = hole();
                Ok(Next::Read(variable, 0))
            }
            ExprKind::Element(variable, index) => {
                if self.is_pending(index) {
                    return self.reduce(index);
                }
                let (variable, at) = (*variable, self.position(*variable, Some(self.value(index)?))?);
                expr.kind = hole();
                Ok(Next::Read(variable, at))
            }
            ExprKind::Unary(_, a) | ExprKind::Checked(a, _) | ExprKind::Wrapped(a, _) => self.reduce(a),
            ExprKind::Binary(_, a, b) => self.reduce_all(&mut [a, b]),
            ExprKind::Within(a, b, c) => self.reduce_all(&mut [a, b, c]),
            ExprKind::Short(is_and, a, b) => {
                if self.is_pending(a) {
                    return self.reduce(a);
                }
                // The second operand is pending, so the first decides whether it is looked at.
                let first = self.value(a)? != 0;
                expr.kind =
                    if first == *is_and { b.kind.clone() } else { ExprKind::Literal(i64::from(first)) };
                Ok(Next::Silent)
            }
            ExprKind::Call(function, arguments) => {
                let mut list: Vec<&mut Expr> = arguments.iter_mut().collect();
                match self.reduce_all(&mut list)? {
                    Next::Nothing => {}
                    next => return Ok(next),
                }
                let function = *function;
                let mut values = Vec::new();
                let parameters = &self.program.subprograms[function.index()].parameters;
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    let subtype = self.program.variables[parameter.variable.index()].form.element();
                    values.push(check(self.value(argument)?, subtype)?);
                }
                expr.kind = hole();
                Ok(Next::Call(function, values))
            }
        }
    }
}

/// The place for a value that is on its way.
fn hole() -> ExprKind {
    ExprKind::Literal(i64::MAX)
}

/// Puts a value into the hole of some expressions.
pub(crate) fn fill(exprs: &mut [Expr], value: i64) {
    let filled = exprs.iter_mut().map(|expr| usize::from(fill_one(expr, value))).sum::<usize>();
    assert_eq!(filled, 1, "there is one hole");
}

fn fill_one(expr: &mut Expr, value: i64) -> bool {
    match &mut expr.kind {
        ExprKind::Literal(known) if *known == i64::MAX => {
            *known = value;
            true
        }
        ExprKind::Literal(_) | ExprKind::Variable(_) => false,
        ExprKind::Element(_, a)
        | ExprKind::Unary(_, a)
        | ExprKind::Checked(a, _)
        | ExprKind::Wrapped(a, _) => fill_one(a, value),
        ExprKind::Binary(_, a, b) | ExprKind::Short(_, a, b) => fill_one(a, value) || fill_one(b, value),
        ExprKind::Within(a, b, c) => [a, b, c].into_iter().any(|part| fill_one(part, value)),
        ExprKind::Call(_, arguments) => arguments.iter_mut().any(|argument| fill_one(argument, value)),
    }
}

pub(crate) fn check(value: i64, subtype: Subtype) -> Result<i64, Fault> {
    if subtype.contains(value) { Ok(value) } else { Err(Fault::ConstraintError) }
}

fn has_call(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) => false,
        ExprKind::Element(_, a)
        | ExprKind::Unary(_, a)
        | ExprKind::Checked(a, _)
        | ExprKind::Wrapped(a, _) => has_call(a),
        ExprKind::Binary(_, a, b) | ExprKind::Short(_, a, b) => has_call(a) || has_call(b),
        ExprKind::Within(a, b, c) => has_call(a) || has_call(b) || has_call(c),
        ExprKind::Call(..) => true,
    }
}
