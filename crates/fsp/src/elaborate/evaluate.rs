//! The value of an expression.

use std::sync::Arc;

use rely_base::Diagnostic;

use super::scope::{Global, Scope, Value};
use super::{Elaborator, Fallible, Reported, codes};
use crate::ast::{BinaryOp, Expr, ExprKind, LabelExpr, Name, UnaryOp};

impl Elaborator<'_> {
    /// The value of an expression, a number or a label.
    pub(super) fn value(&mut self, expr: &Expr, scope: &Scope) -> Fallible<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Name(name) => self.named_value(name, scope),
            ExprKind::Label(label) => Ok(Value::of_label(self.single_label(label, scope)?)),
            ExprKind::Size(labels) => {
                let size = self.expand(labels, scope)?.len();
                Ok(Value::Int(i32::try_from(size).expect("expansions are limited to far fewer labels")))
            }
            ExprKind::Select(labels, position) => self.select(labels, position, scope),
            ExprKind::Unary(op, operand) => self.unary(expr, *op, operand, scope),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right, scope),
        }
    }

    /// The value of an expression that has to be a number.
    pub(super) fn number(&mut self, expr: &Expr, scope: &Scope) -> Fallible<i32> {
        match self.value(expr, scope)? {
            Value::Int(value) => Ok(value),
            Value::Label(label) => Err(self.report(
                Diagnostic::error(
                    codes::NOT_A_NUMBER,
                    expr.span,
                    format!("this is the label `{label}`, not a number"),
                )
                .with_help("labels can be compared with `==` and `!=`, and used as indices"),
            )),
        }
    }

    /// Whether a condition holds: whether its value is not 0.
    pub(super) fn condition(&mut self, expr: &Expr, scope: &Scope) -> Fallible<bool> {
        Ok(self.number(expr, scope)? != 0)
    }

    fn named_value(&mut self, name: &Name, scope: &Scope) -> Fallible<Value> {
        if name.text.starts_with(char::is_uppercase) {
            self.constant(name, scope)
        } else {
            self.variable(name, scope)
        }
    }

    fn constant(&mut self, name: &Name, scope: &Scope) -> Fallible<Value> {
        if let Some(value) = scope.params.get(&name.text) {
            return Ok(value.clone());
        }
        match self.globals.constants.get(&name.text) {
            Some((Global::Const(value), _)) => return Ok(value.clone()),
            Some(_) => return Err(Reported::already()),
            None => {}
        }
        let mut diagnostic = Diagnostic::error(
            codes::UNDEFINED_CONSTANT,
            name.span,
            format!("constant or parameter `{}` is not defined", name.text),
        );
        if let Some(span) = self.later_definition(&name.text) {
            diagnostic = diagnostic.with_note(span, "it is defined here, below its first use");
        } else if self.globals.ranges.contains_key(&name.text) || self.globals.sets.contains_key(&name.text) {
            diagnostic = diagnostic
                .with_help(format!("`{}` is a range or a set, which cannot be calculated with", name.text));
        } else {
            let known = scope.params.keys().chain(self.globals.constants.keys()).map(|name| &**name);
            diagnostic = super::suggest(&mut self.effort, diagnostic, &name.text, known);
        }
        Err(self.report_undefined(&name.text, diagnostic))
    }

    fn variable(&mut self, name: &Name, scope: &Scope) -> Fallible<Value> {
        if let Some(value) = scope.variable(&name.text) {
            return Ok(value.clone());
        }
        let flaws = &self.file.flaws;
        if flaws.cover(name.span) && flaws.may_define(&name.text) {
            // Its index could not be read, which has been reported.
            return Err(Reported::already());
        }
        let diagnostic = Diagnostic::error(
            codes::UNDEFINED_VARIABLE,
            name.span,
            format!("variable `{}` is not defined here", name.text),
        );
        let diagnostic = super::suggest(&mut self.effort, diagnostic, &name.text, scope.variable_names());
        let diagnostic = if diagnostic.help.is_some() {
            diagnostic
        } else {
            diagnostic.with_help(format!(
                "bind it with an index such as `[{0}:0..3]`; for the action named {0} write `'{0}`",
                name.text
            ))
        };
        Err(self.report(diagnostic))
    }

    /// The one label that an expression stands for.
    fn single_label(&mut self, label: &LabelExpr, scope: &Scope) -> Fallible<Arc<str>> {
        let mut labels = self.expand(label, scope)?;
        match (labels.pop(), labels.pop()) {
            (Some(only), None) => Ok(only.name.into()),
            _ => Err(self.report(Diagnostic::error(
                codes::LABEL_SET_AS_VALUE,
                label.span,
                "one label is needed here, and this is a set of labels",
            ))),
        }
    }

    fn select(&mut self, labels: &LabelExpr, position: &Expr, scope: &Scope) -> Fallible<Value> {
        let index = self.number(position, scope)?;
        let labels = self.expand(labels, scope)?;
        let selected = usize::try_from(index).ok().and_then(|index| labels.get(index));
        match selected {
            Some(instance) => Ok(Value::of_label(instance.name.as_str())),
            None => Err(self.report(Diagnostic::error(
                codes::SELECT,
                position.span,
                format!("position {index} is outside of the set, which has {} labels", labels.len()),
            ))),
        }
    }

    fn unary(&mut self, whole: &Expr, op: UnaryOp, operand: &Expr, scope: &Scope) -> Fallible<Value> {
        let value = self.number(operand, scope)?;
        let result = match op {
            UnaryOp::Plus => Some(value),
            UnaryOp::Minus => value.checked_neg(),
            UnaryOp::Not => Some(i32::from(value <= 0)),
        };
        result.map(Value::Int).ok_or_else(|| self.overflow(whole))
    }

    fn binary(
        &mut self,
        whole: &Expr,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &Scope,
    ) -> Fallible<Value> {
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            // Numbers and labels can be compared with each other: by name.
            let equal = self.value(left, scope)?.to_string() == self.value(right, scope)?.to_string();
            return Ok(Value::Int(i32::from(equal == (op == BinaryOp::Equal))));
        }
        let left = self.number(left, scope)?;
        let divisor = right;
        let right = self.number(right, scope)?;
        if right == 0 && matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
            return Err(self.report(Diagnostic::error(
                codes::ARITHMETIC,
                divisor.span,
                "this is 0, and nothing can be divided by it",
            )));
        }
        arithmetic(op, left, right).map(Value::Int).ok_or_else(|| self.overflow(whole))
    }

    fn overflow(&mut self, expr: &Expr) -> Reported {
        self.report(Diagnostic::error(
            codes::ARITHMETIC,
            expr.span,
            "the value of this expression does not fit into 32 bits",
        ))
    }
}

/// The operators on numbers; `None` if the result does not fit. Shifts take the distance modulo 32, as in LTSA.
fn arithmetic(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    let distance = right.cast_unsigned() & 31;
    let truth = |condition: bool| Some(i32::from(condition));
    match op {
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
        BinaryOp::ShiftLeft => Some(left.wrapping_shl(distance)),
        BinaryOp::ShiftRight => Some(left.wrapping_shr(distance)),
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder => left.checked_rem(right),
    }
}
