//! The meaning of expressions, with their types.
//!
//! What is made of constants alone is computed at once. The name of a value of an enumeration may belong to several
//! enumerations: then the type that is expected at its place decides.

use std::sync::Arc;

use rely_base::Diagnostic;
use rely_lts::{Binary, Unary};

use super::scope::{Kind, Scope};
use super::{Elaborator, Fallible, MAX_FAMILY, Reported};
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::codes;
use crate::component::{Expr, Type, Value, VariableRef};

impl Elaborator<'_> {
    /// A number that is constant.
    pub(super) fn number(&mut self, expr: &ast::Expr, scope: Scope<'_>) -> Fallible<i32> {
        let (value, kind) = self.constant(expr, scope)?;
        self.expect_kind(expr, &kind, &Kind::Int)?;
        Ok(value)
    }

    /// A value that is constant.
    pub(super) fn constant(&mut self, expr: &ast::Expr, scope: Scope<'_>) -> Fallible<(i32, Kind)> {
        self.constant_like(expr, scope, None)
    }

    /// A constant value of a type.
    pub(super) fn constant_of(&mut self, expr: &ast::Expr, scope: Scope<'_>, ty: &Type) -> Fallible<i32> {
        let expected = Kind::of(ty);
        let (value, kind) = self.constant_like(expr, scope, Some(&expected))?;
        self.expect_kind(expr, &kind, &expected)?;
        let (low, high) = ty.bounds();
        if !(low..=high).contains(&value) {
            let message = format!("{value} is not a value of {ty}");
            return Err(self.report(Diagnostic::error(codes::OUT_OF_RANGE, expr.span, message)));
        }
        Ok(value)
    }

    fn constant_like(
        &mut self,
        expr: &ast::Expr,
        scope: Scope<'_>,
        expected: Option<&Kind>,
    ) -> Fallible<(i32, Kind)> {
        let (value, kind) = self.expr(expr, scope, expected)?;
        let Expr::Constant(value) = value else {
            let message = "this value has to be constant";
            return Err(self.report(Diagnostic::error(codes::NOT_CONSTANT, expr.span, message)));
        };
        match i32::try_from(value) {
            Ok(value) => Ok((value, kind)),
            Err(_) => {
                let message = "this number is too large";
                Err(self.report(Diagnostic::error(codes::ARITHMETIC, expr.span, message)))
            }
        }
    }

    /// What is assigned, sent or decided: an expression of a type, or any value of one.
    pub(super) fn assigned(&mut self, expr: &ast::Expr, scope: Scope<'_>, ty: &Type) -> Fallible<Value> {
        let expected = Kind::of(ty);
        if let ExprKind::Any(written) = &expr.kind {
            let any = self.ty(written, scope)?;
            self.expect_kind(expr, &Kind::of(&any), &expected)?;
            if !any.is_within(ty) {
                let message = format!("not all values of {any} are values of {ty}");
                return Err(self.report(Diagnostic::error(codes::OUT_OF_RANGE, expr.span, message)));
            }
            self.limit(any.count(), expr.span, "values to choose from")?;
            return Ok(Value::Any(any));
        }
        let (value, kind) = self.expr(expr, scope, Some(&expected))?;
        self.expect_kind(expr, &kind, &expected)?;
        if let Expr::Constant(constant) = value {
            let (low, high) = ty.bounds();
            if !(i64::from(low)..=i64::from(high)).contains(&constant) {
                let message = format!("{constant} is not a value of {ty}");
                return Err(self.report(Diagnostic::error(codes::OUT_OF_RANGE, expr.span, message)));
            }
        }
        Ok(Value::Expr(value))
    }

    /// Fails where there are more than [`MAX_FAMILY`] of something.
    pub(super) fn limit(&mut self, count: u64, span: rely_base::Span, what: &str) -> Fallible<()> {
        if count <= MAX_FAMILY.unsigned_abs() {
            return Ok(());
        }
        let message = format!("there are {count} {what}, and more than {MAX_FAMILY} cannot be explored");
        Err(self.report(Diagnostic::error(codes::TOO_LARGE, span, message)))
    }

    pub(super) fn expect_kind(&mut self, expr: &ast::Expr, found: &Kind, expected: &Kind) -> Fallible<()> {
        if found == expected {
            return Ok(());
        }
        let message = format!("expected {}, found {}", expected.show(), found.show());
        Err(self.report(Diagnostic::error(codes::TYPE_MISMATCH, expr.span, message)))
    }

    /// The meaning of an expression, and its kind.
    pub(super) fn expr(
        &mut self,
        expr: &ast::Expr,
        scope: Scope<'_>,
        expected: Option<&Kind>,
    ) -> Fallible<(Expr, Kind)> {
        match &expr.kind {
            ExprKind::Int(value) => Ok((Expr::Constant(i64::from(*value)), Kind::Int)),
            ExprKind::Bool(value) => Ok((Expr::Constant(i64::from(*value)), Kind::Bool)),
            ExprKind::Any(_) => {
                let message = "`any` can only be all of what is assigned, sent or decided";
                Err(self.report(Diagnostic::error(codes::ANY_PLACE, expr.span, message)))
            }
            ExprKind::Path { path, arguments: None, suffix: None } => self.named(path, scope, expected),
            ExprKind::Path { path, .. } => {
                let message = "a message is no value: only properties speak of messages";
                Err(self.report(Diagnostic::error(codes::UNDEFINED, path.span, message)))
            }
            ExprKind::Unary(op, operand) => self.unary(expr, *op, operand, scope),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right, scope),
        }
    }

    /// A variable, index, constant or value of an enumeration.
    fn named(
        &mut self,
        path: &ast::Path,
        scope: Scope<'_>,
        expected: Option<&Kind>,
    ) -> Fallible<(Expr, Kind)> {
        let [(name, index)] = path.parts.as_slice() else {
            let message = "a process sees only its own variables";
            let diagnostic = Diagnostic::error(codes::FOREIGN_VARIABLE, path.span, message);
            return Err(
                self.report(diagnostic.with_help("have the other process send its value in a message"))
            );
        };
        if let Some((process, variables)) = scope.process
            && let Some(number) = variables.iter().position(|variable| variable.name == name.text)
        {
            let variable = VariableRef { process, variable: number };
            return self.variable(variable, &variables[number], name, index.as_ref(), scope);
        }
        if let Some(index) = index {
            let message = format!("`{}` is no array", name.text);
            return Err(self.report(Diagnostic::error(codes::INDEX, index.span, message)));
        }
        if let Some((_, value)) = scope.indices.iter().rev().find(|(known, _)| *known == name.text) {
            return Ok((Expr::Constant(i64::from(*value)), Kind::Int));
        }
        if let Some((value, kind)) = self.globals.constants.get(&name.text) {
            return Ok((Expr::Constant(i64::from(*value)), kind.clone()));
        }
        self.literal(name, scope, expected)
    }

    /// The value of an enumeration.
    fn literal(
        &mut self,
        name: &ast::Name,
        scope: Scope<'_>,
        expected: Option<&Kind>,
    ) -> Fallible<(Expr, Kind)> {
        let candidates = self.globals.literals.get(&name.text).map_or(&[][..], Vec::as_slice);
        let fitting = candidates.iter().find(|names| expected == Some(&Kind::Enumeration(Arc::clone(names))));
        let chosen = match (fitting, candidates) {
            (Some(fitting), _) => Arc::clone(fitting),
            (None, [only]) => Arc::clone(only),
            (None, []) => {
                let variables = scope.process.map_or(&[][..], |(_, variables)| variables);
                let known: Vec<Arc<str>> = variables.iter().map(|it| Arc::clone(&it.name)).collect();
                return Err(self.undefined(name, &known));
            }
            (None, _) => {
                let message = format!("`{}` is a value of several enumerations", name.text);
                return Err(self.report(Diagnostic::error(codes::AMBIGUOUS, name.span, message)));
            }
        };
        let position = chosen.iter().position(|value| *value == name.text).unwrap_or_default();
        Ok((Expr::Constant(i64::try_from(position).unwrap_or_default()), Kind::Enumeration(chosen)))
    }

    /// A variable, or an element of an array.
    pub(super) fn variable(
        &mut self,
        reference: VariableRef,
        variable: &crate::component::Variable,
        name: &ast::Name,
        index: Option<&ast::Index>,
        scope: Scope<'_>,
    ) -> Fallible<(Expr, Kind)> {
        let kind = Kind::of(&variable.ty);
        match (variable.array, index) {
            (None, None) => Ok((Expr::Variable(reference), kind)),
            (Some(array), Some(index)) => {
                let index = self.element_index(index, array, scope)?;
                Ok((Expr::Element(reference, Box::new(index)), kind))
            }
            (None, Some(index)) => {
                let message = format!("`{}` is no array", name.text);
                Err(self.report(Diagnostic::error(codes::INDEX, index.span, message)))
            }
            (Some(_), None) => {
                let message = format!("`{}` is an array, which needs an index here", name.text);
                Err(self.report(Diagnostic::error(codes::INDEX, name.span, message)))
            }
        }
    }

    /// The index of an element of an array.
    pub(super) fn element_index(
        &mut self,
        index: &ast::Index,
        (low, length): (i32, u32),
        scope: Scope<'_>,
    ) -> Fallible<Expr> {
        if index.high.is_some() || index.variable.is_some() {
            let message = "expected one index, found a range";
            return Err(self.report(Diagnostic::error(codes::INDEX, index.span, message)));
        }
        let (value, kind) = self.expr(&index.low, scope, Some(&Kind::Int))?;
        self.expect_kind(&index.low, &kind, &Kind::Int)?;
        if let Expr::Constant(value) = value
            && !(i64::from(low)..i64::from(low) + i64::from(length)).contains(&value)
        {
            let high = i64::from(low) + i64::from(length) - 1;
            let message = format!("the index {value} lies outside of {low}..{high}");
            return Err(self.report(Diagnostic::error(codes::OUT_OF_RANGE, index.span, message)));
        }
        Ok(value)
    }

    fn unary(
        &mut self,
        expr: &ast::Expr,
        op: UnaryOp,
        operand: &ast::Expr,
        scope: Scope<'_>,
    ) -> Fallible<(Expr, Kind)> {
        let (op, kind) = match op {
            UnaryOp::Not => (Unary::Not, Kind::Bool),
            UnaryOp::Negate => (Unary::Negate, Kind::Int),
            UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => return Err(self.temporal(expr)),
        };
        let (value, found) = self.expr(operand, scope, Some(&kind))?;
        self.expect_kind(operand, &found, &kind)?;
        let folded = match (op, &value) {
            (Unary::Not, Expr::Constant(value)) => Expr::Constant(i64::from(*value == 0)),
            (Unary::Negate, Expr::Constant(value)) => Expr::Constant(value.wrapping_neg()),
            _ => Expr::Unary(op, Box::new(value)),
        };
        Ok((folded, kind))
    }

    fn binary(
        &mut self,
        expr: &ast::Expr,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: Scope<'_>,
    ) -> Fallible<(Expr, Kind)> {
        let Some((operator, is_swapped)) = operator(op) else {
            return self.connective(expr, op, left, right, scope);
        };
        let (operands, result) = match op {
            BinaryOp::And | BinaryOp::Or => (Some(Kind::Bool), Kind::Bool),
            BinaryOp::Equal | BinaryOp::NotEqual => (None, Kind::Bool),
            BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual => {
                (Some(Kind::Int), Kind::Bool)
            }
            _ => (Some(Kind::Int), Kind::Int),
        };
        let (first, second) = match operands {
            Some(kind) => (self.of_kind(left, scope, &kind), self.of_kind(right, scope, &kind)),
            None => self.same_kind(left, right, scope)?,
        };
        let (first, second) = if is_swapped { (second?, first?) } else { (first?, second?) };
        self.fold(expr, operator, first, second).map(|value| (value, result))
    }

    /// `a -> b` and `a <-> b` of one moment.
    fn connective(
        &mut self,
        expr: &ast::Expr,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: Scope<'_>,
    ) -> Fallible<(Expr, Kind)> {
        if matches!(op, BinaryOp::Until | BinaryOp::WeakUntil) {
            return Err(self.temporal(expr));
        }
        let operands = (self.of_kind(left, scope, &Kind::Bool), self.of_kind(right, scope, &Kind::Bool));
        let (first, second) = (operands.0?, operands.1?);
        let value = match op {
            BinaryOp::Iff => self.fold(expr, Binary::Equal, first, second)?,
            _ => {
                let negated = match first {
                    Expr::Constant(value) => Expr::Constant(i64::from(value == 0)),
                    other => Expr::Unary(Unary::Not, Box::new(other)),
                };
                self.fold(expr, Binary::Or, negated, second)?
            }
        };
        Ok((value, Kind::Bool))
    }

    fn of_kind(&mut self, expr: &ast::Expr, scope: Scope<'_>, kind: &Kind) -> Fallible<Expr> {
        let (value, found) = self.expr(expr, scope, Some(kind))?;
        self.expect_kind(expr, &found, kind)?;
        Ok(value)
    }

    /// Two operands that are compared: what one of them is decides about names of values in the other.
    #[allow(clippy::type_complexity, reason = "two results, both of which are wanted where one is wrong")]
    fn same_kind(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: Scope<'_>,
    ) -> Fallible<(Fallible<Expr>, Fallible<Expr>)> {
        let is_name = |expr: &ast::Expr| match &expr.kind {
            ExprKind::Path { path, .. } => {
                path.as_name().is_some_and(|name| self.globals.literals.contains_key(&name.text))
            }
            _ => false,
        };
        let (first, second) = if is_name(left) { (right, left) } else { (left, right) };
        let (value, kind) = self.expr(first, scope, None)?;
        let other = self.of_kind(second, scope, &kind);
        Ok(if std::ptr::eq(left, first) { (Ok(value), other) } else { (other, Ok(value)) })
    }

    /// An operator applied to operands; what is constant is computed.
    fn fold(&mut self, expr: &ast::Expr, op: Binary, first: Expr, second: Expr) -> Fallible<Expr> {
        let (Expr::Constant(a), Expr::Constant(b)) = (&first, &second) else {
            return Ok(Expr::Binary(op, Box::new(first), Box::new(second)));
        };
        let (a, b) = (*a, *b);
        let value = match op {
            Binary::And => Some(i64::from(a != 0 && b != 0)),
            Binary::Or => Some(i64::from(a != 0 || b != 0)),
            Binary::Equal => Some(i64::from(a == b)),
            Binary::NotEqual => Some(i64::from(a != b)),
            Binary::Less => Some(i64::from(a < b)),
            Binary::LessOrEqual => Some(i64::from(a <= b)),
            Binary::Add => a.checked_add(b),
            Binary::Subtract => a.checked_sub(b),
            Binary::Multiply => a.checked_mul(b),
            Binary::Divide => a.checked_div(b),
            Binary::Remainder | Binary::Modulo => a.checked_rem(b),
        };
        match value {
            Some(value) => Ok(Expr::Constant(value)),
            None => {
                let message = if b == 0 { "this divides by zero" } else { "this number is too large" };
                Err(self.report(Diagnostic::error(codes::ARITHMETIC, expr.span, message)))
            }
        }
    }

    pub(super) fn temporal(&mut self, expr: &ast::Expr) -> Reported {
        let message = "a temporal operator cannot stand here";
        let diagnostic = Diagnostic::error(codes::TEMPORAL, expr.span, message);
        self.report(diagnostic.with_help("only properties that are formulas have temporal operators"))
    }

    /// The values that an index of a family, an array or a part takes.
    pub(super) fn indices(&mut self, index: &ast::Index, scope: Scope<'_>) -> Fallible<(i32, i32)> {
        let (low, high) = match &index.high {
            Some(high) => {
                let bounds = (self.number(&index.low, scope), self.number(high, scope));
                (bounds.0?, bounds.1?)
            }
            None => match self.range_name(&index.low) {
                Some(bounds) => bounds,
                None => {
                    let value = self.number(&index.low, scope)?;
                    (value, value)
                }
            },
        };
        if low > high {
            let message = format!("the range {low}..{high} has no values");
            return Err(self.report(Diagnostic::error(codes::EMPTY_TYPE, index.span, message)));
        }
        let count = u64::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(u64::MAX);
        self.limit(count, index.span, "values of an index")?;
        Ok((low, high))
    }

    /// The bounds of the range that an expression names.
    fn range_name(&self, expr: &ast::Expr) -> Option<(i32, i32)> {
        let ExprKind::Path { path, arguments: None, suffix: None } = &expr.kind else { return None };
        match self.globals.types.get(&path.as_name()?.text)? {
            &Type::Range(low, high) => Some((low, high)),
            _ => None,
        }
    }
}

/// The operator of programs, and whether its operands change places.
fn operator(op: BinaryOp) -> Option<(Binary, bool)> {
    Some(match op {
        BinaryOp::Or => (Binary::Or, false),
        BinaryOp::And => (Binary::And, false),
        BinaryOp::Equal => (Binary::Equal, false),
        BinaryOp::NotEqual => (Binary::NotEqual, false),
        BinaryOp::Less => (Binary::Less, false),
        BinaryOp::LessOrEqual => (Binary::LessOrEqual, false),
        BinaryOp::Greater => (Binary::Less, true),
        BinaryOp::GreaterOrEqual => (Binary::LessOrEqual, true),
        BinaryOp::Add => (Binary::Add, false),
        BinaryOp::Subtract => (Binary::Subtract, false),
        BinaryOp::Multiply => (Binary::Multiply, false),
        BinaryOp::Divide => (Binary::Divide, false),
        BinaryOp::Remainder => (Binary::Remainder, false),
        BinaryOp::Implies | BinaryOp::Iff | BinaryOp::Until | BinaryOp::WeakUntil => return None,
    })
}
