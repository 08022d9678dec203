//! Expressions over integers and labels, with the operators and precedences of C.
//!
//! A chain of operators of one precedence is one flat node, however long it is.

use super::super::SyntaxKind::{
    self, Amp, AmpAmp, Arguments, At, Bar, BarBar, BinaryExpr, Caret, Comma, Equal, EqualEqual, Greater,
    GreaterEqual, Hash, Int, IntExpr, LabelExpr, LeftBrace, LeftParen, Less, LessEqual, Lower, Minus,
    NameExpr, Not, NotEqual, ParenExpr, Percent, Plus, Quote, RightParen, SelectExpr, ShiftLeft, ShiftRight,
    SizeExpr, Slash, Star, UnaryExpr, Upper,
};
use super::super::parser::{Completed, Marks, Parser};
use super::{label, recover};
use crate::codes;
use rely_syntax::{Infix, infix};

/// The precedence of `||`, the weakest.
const OR: u8 = 1;
/// The precedence of `+` and `-`.
const ADDITIVE: u8 = 9;

/// Any expression.
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    binary(p, OR).is_some()
}

/// An expression of `+ - * / %` only, after which a formula may go on.
pub(super) fn additive(p: &mut Parser<'_>) -> bool {
    binary(p, ADDITIVE).is_some()
}

/// An expression of `+ - * / %` only: it stands where a definition may follow that begins with `||`.
pub(super) fn simple(p: &mut Parser<'_>) -> bool {
    if !additive(p) {
        return false;
    }
    let is_comparison = operator(p).is_some_and(|(level, _)| level > OR) && !p.at(Bar);
    if is_comparison || (p.at(BarBar) && !recover::at_composite_head(p, 0)) {
        let message = format!("`{}` needs parentheses here", p.text(0));
        p.error_with_help(codes::OPERATOR, message, "put parentheses around the whole expression");
        return false;
    }
    true
}

/// The precedence of the binary operator at the current token, and its kind.
fn operator(p: &Parser<'_>) -> Option<(u8, SyntaxKind)> {
    let level = match p.current() {
        BarBar => OR,
        AmpAmp => 2,
        Bar => 3,
        Caret => 4,
        Amp => 5,
        // `=` was meant to compare only if a plain operand follows; otherwise it belongs to a definition.
        Equal if !matches!(p.nth(1), Int | Lower | Upper | Quote | Minus) => return None,
        EqualEqual | NotEqual | Equal => 6,
        Less | LessEqual | Greater | GreaterEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Plus | Minus => ADDITIVE,
        Star | Slash | Percent => 10,
        Lower if at_word(p) => return word(p.text(0)).map(|(level, _)| (level, Lower)),
        _ => return None,
    };
    Some((level, p.current()))
}

/// Whether the next token is a word that is an operator in other languages: one that is followed by an operand, which
/// the name of an action cannot be.
fn at_word(p: &Parser<'_>) -> bool {
    word(p.text(0)).is_some() && matches!(p.nth(1), Lower | Upper | Int | LeftParen | Not | Minus)
}

/// The operator that a word stands for.
pub(super) fn word(text: &str) -> Option<(u8, &'static str)> {
    match text {
        "or" | "OR" => Some((OR, "||")),
        "and" | "AND" => Some((2, "&&")),
        "mod" => Some((10, "%")),
        _ => None,
    }
}

/// The operators of expressions.
struct Operators;

impl<'t> Infix<Parser<'t>> for Operators {
    fn operator(&self, p: &Parser<'t>) -> Option<u8> {
        operator(p).filter(|_| continues(p)).map(|(level, _)| level)
    }

    fn judge(&self, p: &mut Parser<'t>, _level: u8, _before: u32) {
        judge_operator(p);
    }

    fn operand(&self, p: &mut Parser<'t>) -> Option<Completed> {
        operand(p)
    }

    fn too_deep(&self, p: &mut Parser<'t>) {
        recover::too_deep(p);
    }
}

/// Operands joined by operators that bind at least as tightly as `weakest`.
fn binary(p: &mut Parser<'_>, weakest: u8) -> Option<Completed> {
    infix(p, &Operators, BinaryExpr, weakest)
}

/// Whether the operator at the current token continues the expression, and does not begin a composition.
fn continues(p: &Parser<'_>) -> bool {
    !recover::at_composite_head(p, 0)
}

/// Reports an operator that is spelled as in another language.
fn judge_operator(p: &mut Parser<'_>) {
    if p.at(Equal) {
        let help = "`==` compares two values; `=` is for definitions";
        p.error_with_help(codes::EQUALITY, "expected `==`, found `=`", help);
    } else if let (Lower, Some((_, meant))) = (p.current(), word(p.text(0))) {
        let message = format!("`{}` is not an operator of FSP", p.text(0));
        p.error_with_help(codes::WORD_OPERATOR, message, format!("write `{meant}`"));
    }
}

/// An operand, with the operators before it.
fn unary(p: &mut Parser<'_>) -> Option<Completed> {
    rely_syntax::operand(p, &Operators)
}

fn operand(p: &mut Parser<'_>) -> Option<Completed> {
    let operand = p.start();
    let mut height = 1;
    let kind = match p.current() {
        Plus | Minus | Not => {
            p.bump();
            height = unary(p).map_or(0, |inner| inner.height + 1);
            UnaryExpr
        }
        Lower if p.text(0) == "not" && p.nth(1) == LeftParen => {
            p.error_with_help(codes::WORD_OPERATOR, "`not` is not an operator of FSP", "write `!`");
            p.bump();
            height = unary(p).map_or(0, |inner| inner.height + 1);
            UnaryExpr
        }
        Int => {
            p.bump();
            IntExpr
        }
        Lower | Upper => {
            p.bump();
            NameExpr
        }
        LeftParen => {
            let opening = p.span(0);
            p.bump();
            height = binary(p, OR).map_or(0, |inner| inner.height);
            if height > 0 && !recover::close(p, RightParen, opening) {
                height = 0;
            }
            ParenExpr
        }
        Quote => {
            p.bump();
            height = u32::from(label::label_with(p, Marks::Operators));
            LabelExpr
        }
        Hash => {
            p.bump();
            height = u32::from(label::label_with(p, Marks::Operators));
            SizeExpr
        }
        At => {
            height = selection(p);
            SelectExpr
        }
        _ => {
            no_operand(p);
            p.abandon(operand);
            return None;
        }
    };
    let mut completed = p.complete(operand, kind);
    completed.height = height;
    (height > 0).then_some(completed)
}

fn no_operand(p: &mut Parser<'_>) {
    let message = format!("expected a value, found {}", p.found());
    if p.at(LeftBrace) {
        p.error_with_help(codes::EXPRESSION, message, "the number of labels in a set is written `#{a, b}`");
    } else {
        p.error(codes::EXPRESSION, message);
    }
}

/// `@({a, b}, e)`. Returns the height, or 0 if it could not be read.
fn selection(p: &mut Parser<'_>) -> u32 {
    p.bump();
    let opening = p.span(0);
    if !p.expect(LeftParen) || !label::label_with(p, Marks::Operators) || !p.expect(Comma) {
        return 0;
    }
    let Some(position) = binary(p, OR) else { return 0 };
    if recover::close(p, RightParen, opening) { position.height + 1 } else { 0 }
}

/// `(e, e)`
pub(super) fn arguments(p: &mut Parser<'_>) -> bool {
    let arguments = p.start();
    let opening = p.span(0);
    p.bump();
    let mut is_read = true;
    if p.at(RightParen) {
        p.error_with_help(
            codes::EXPRESSION,
            "expected the value of a parameter, found `)`",
            "leave the parentheses out",
        );
    } else {
        is_read = expr(p);
        while is_read && p.eat(Comma) {
            is_read = expr(p);
        }
    }
    let is_read = is_read && recover::close(p, RightParen, opening);
    p.complete(arguments, Arguments);
    is_read
}
