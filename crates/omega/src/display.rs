//! Formulas as the user writes them.

use std::fmt;

use crate::{AtomId, Formula};

/// A formula with names for its atoms, to be written out. See [`Formula::display`].
pub struct DisplayFormula<'a, N> {
    formula: &'a Formula,
    name: N,
}

impl Formula {
    /// The formula with the atoms' names, in the operators of the input language.
    pub fn display<N: Fn(AtomId) -> String>(&self, name: N) -> DisplayFormula<'_, N> {
        DisplayFormula { formula: self, name }
    }
}

impl fmt::Display for Formula {
    /// Atoms are written `p0`, `p1`, ….
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(|atom| format!("p{}", atom.raw())).fmt(f)
    }
}

impl<N: Fn(AtomId) -> String> fmt::Display for DisplayFormula<'_, N> {
    /// Writes with a stack of what is left to write, since formulas may be deep.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending = vec![Piece::Formula(self.formula)];
        while let Some(piece) = pending.pop() {
            let formula = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Operand(formula) if infix(formula).is_some() => {
                    pending.extend([Piece::Text(")"), Piece::Formula(formula), Piece::Text("(")]);
                    continue;
                }
                Piece::Formula(formula) | Piece::Operand(formula) => formula,
            };
            match formula {
                Formula::True => f.write_str("true")?,
                Formula::False => f.write_str("false")?,
                Formula::Atom(atom) => f.write_str(&(self.name)(*atom))?,
                _ => push_operator(formula, &mut pending),
            }
        }
        Ok(())
    }
}

/// Something that is left to write.
enum Piece<'a> {
    Text(&'static str),
    /// A formula that needs no parentheses where it stands.
    Formula(&'a Formula),
    /// An operand of a formula: in parentheses if it is an infix formula itself.
    Operand(&'a Formula),
}

/// Leaves the operator and the operands to be written. `&&` and `||` are associative: nested ones of the same kind
/// need no parentheses.
fn push_operator<'a>(formula: &'a Formula, pending: &mut Vec<Piece<'a>>) {
    let operand = |operand: &'a Formula| match (formula, operand) {
        (Formula::And(..), Formula::And(..)) | (Formula::Or(..), Formula::Or(..)) => Piece::Formula(operand),
        _ => Piece::Operand(operand),
    };
    let operands: Vec<&Formula> = formula.operands().collect();
    match *operands {
        [only] => pending.extend([operand(only), Piece::Text(prefix(formula))]),
        [left, right] => {
            let infix = infix(formula).expect("a formula with two operands has an infix operator");
            pending.extend([operand(right), Piece::Text(infix), operand(left)]);
        }
        _ => {}
    }
}

/// The operator of a formula with one operand.
fn prefix(formula: &Formula) -> &'static str {
    match formula {
        Formula::Not(_) => "!",
        Formula::Next(_) => "X ",
        Formula::Eventually(_) => "<>",
        Formula::Always(_) => "[]",
        _ => "",
    }
}

/// The operator of a formula with two operands.
fn infix(formula: &Formula) -> Option<&'static str> {
    Some(match formula {
        Formula::And(..) => " && ",
        Formula::Or(..) => " || ",
        Formula::Implies(..) => " -> ",
        Formula::Iff(..) => " <-> ",
        Formula::Until(..) => " U ",
        Formula::WeakUntil(..) => " W ",
        Formula::Release(..) => " R ",
        _ => return None,
    })
}
