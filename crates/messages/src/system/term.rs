//! Expressions of a program with what is known of them: constants are computed while the program is written.

use rely_lts::{Binary, Expression, ExpressionId, ProgramBuilder, Unary};

/// An expression of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) id: ExpressionId,
    /// Its value, if it is constant.
    pub(super) constant: Option<i64>,
}

/// A number.
pub(super) fn constant(program: &mut ProgramBuilder, value: i64) -> Term {
    Term { id: program.constant(value), constant: Some(value) }
}

/// Something that is not constant.
pub(super) fn opaque(id: ExpressionId) -> Term {
    Term { id, constant: None }
}

/// An operator with one operand.
pub(super) fn unary(program: &mut ProgramBuilder, op: Unary, operand: Term) -> Term {
    let value = operand.constant.and_then(|value| match op {
        Unary::Not => Some(i64::from(value == 0)),
        Unary::Negate => value.checked_neg(),
    });
    match value {
        Some(value) => constant(program, value),
        None => opaque(program.expression(Expression::Unary(op, operand.id))),
    }
}

/// An operator with two operands. What has no value is left to fail when it is computed.
pub(super) fn binary(program: &mut ProgramBuilder, op: Binary, first: Term, second: Term) -> Term {
    let value = match (op, first.constant, second.constant) {
        // The second operand is not looked at.
        (Binary::And, Some(0), _) => Some(0),
        (Binary::Or, Some(a), _) if a != 0 => Some(1),
        (_, Some(a), Some(b)) => computed(op, a, b),
        _ => None,
    };
    match value {
        Some(value) => constant(program, value),
        None => opaque(program.binary(op, first.id, second.id)),
    }
}

fn computed(op: Binary, a: i64, b: i64) -> Option<i64> {
    match op {
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
        Binary::Remainder => a.checked_rem(b),
        // The language has no such operator.
        Binary::Modulo => None,
    }
}

/// The first of two where a condition is true, else the second.
pub(super) fn choice(program: &mut ProgramBuilder, condition: Term, then: Term, otherwise: Term) -> Term {
    match condition.constant {
        Some(0) => otherwise,
        Some(_) => then,
        None if then == otherwise => then,
        None => opaque(program.expression(Expression::If(condition.id, then.id, otherwise.id))),
    }
}

/// Whether a term lies between two numbers, both included.
pub(super) fn between(program: &mut ProgramBuilder, term: Term, (low, high): (i64, i64)) -> Term {
    let (low, high) = (constant(program, low), constant(program, high));
    let (above, below) =
        (binary(program, Binary::LessOrEqual, low, term), binary(program, Binary::LessOrEqual, term, high));
    binary(program, Binary::And, above, below)
}

/// Whether a term has a value.
pub(super) fn is(program: &mut ProgramBuilder, term: Term, value: i64) -> Term {
    let value = constant(program, value);
    binary(program, Binary::Equal, term, value)
}
