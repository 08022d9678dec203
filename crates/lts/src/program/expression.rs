//! Expressions over the slots of a program.
//!
//! Values are integers of 64 bits; conditions are 0 for false and anything else for true, and comparisons and logical
//! operators give 0 or 1. Expressions are kept in one list in which operands stand before the expressions that use them,
//! so that nothing has to recurse, and common parts are written once.

use std::fmt;

use rely_base::Id;

use super::{Array, Program, SlotId};

rely_base::define_id! {
    /// An expression of a program.
    ExpressionId
}

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// A number.
    Constant(i64),
    /// The value of a slot.
    Slot(SlotId),
    /// The value of an element of an array; an index beyond the array is undefined.
    Element(Array, ExpressionId),
    /// An operator with one operand.
    Unary(Unary, ExpressionId),
    /// An operator with two operands.
    Binary(Binary, ExpressionId, ExpressionId),
    /// The second where the first is not 0, else the third. The other one may be undefined.
    If(ExpressionId, ExpressionId, ExpressionId),
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// 1 for 0, and 0 for everything else.
    Not,
    /// The negative number.
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Whether both are not 0. The second is evaluated only where the first is not 0.
    And,
    /// Whether one of them is not 0. The second is evaluated only where the first is 0.
    Or,
    /// Whether they are equal.
    Equal,
    /// Whether they differ.
    NotEqual,
    /// Whether the first is less.
    Less,
    /// Whether the first is not greater.
    LessOrEqual,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient, rounded towards zero.
    Divide,
    /// The remainder of the division; it has the sign of the first operand.
    Remainder,
    /// The remainder that has the sign of the second operand, as in Ada's `mod`.
    Modulo,
}

/// Why an expression or an assignment has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A division by zero.
    DivisionByZero,
    /// A number of more than 64 bits.
    Overflow,
    /// An index beyond the array.
    Index,
    /// A value that the slot does not have.
    Range(SlotId),
    /// Two different values for one slot in one step.
    Clash(SlotId),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DivisionByZero => "division by zero",
            Self::Overflow => "a number of more than 64 bits",
            Self::Index => "an index beyond the array",
            Self::Range(_) => "a value that the variable does not have",
            Self::Clash(_) => "two different values for one variable in one step",
        })
    }
}

impl Fault {
    /// A description of the fault, with the name of the slot.
    pub fn describe(self, program: &Program) -> String {
        let name = |slot: SlotId| program.slots().get(slot.index()).map_or("?", |slot| &slot.name);
        match self {
            Self::DivisionByZero | Self::Overflow | Self::Index => self.to_string(),
            Self::Range(slot) => format!("a value that `{}` does not have", name(slot)),
            Self::Clash(slot) => format!("two different values for `{}` in one step", name(slot)),
        }
    }
}

impl Expression {
    /// The operands.
    pub fn operands(self) -> impl Iterator<Item = ExpressionId> {
        let operands = match self {
            Self::Constant(_) | Self::Slot(_) => [None; 3],
            Self::Element(_, index) => [Some(index), None, None],
            Self::Unary(_, operand) => [Some(operand), None, None],
            Self::Binary(_, first, second) => [Some(first), Some(second), None],
            Self::If(condition, then, otherwise) => [Some(condition), Some(then), Some(otherwise)],
        };
        operands.into_iter().flatten()
    }
}
