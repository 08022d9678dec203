//! Expressions, paths and indices. Conditions, arithmetic and temporal formulas have one grammar; which operators make
//! sense where is decided when the meaning is looked for.
//!
//! From weak to strong: `||`; `->`, `<->`, `U` and `W`; `&&`; `==` and `!=`; `<`, `<=`, `>` and `>=`; `+` and `-`; `*`, `/`
//! and `%`; and the operators before an operand: `!`, `-`, `[]`, `<>` and `X`. This is the order of FSP's assertions. A
//! chain of operators of one precedence is one flat node, however long it is.

use rely_syntax::{Completed, Infix, infix};

use super::super::Parser;
use super::super::SyntaxKind::{
    Always, Amp, AmpAmp, AnyExpr, AnyKw, Arrow, Bar, BarBar, BinaryExpr, BoolExpr, Colon, Dot, DotDot,
    DoubleArrow, Equal, EqualEqual, Eventually, FalseKw, Greater, GreaterEqual, Ident, Index, Int, IntExpr,
    LeftBracket, LeftParen, Less, LessEqual, Minus, Not, NotEqual, ParenExpr, Path, PathExpr, PathPart,
    Percent, Plus, RightBracket, RightParen, Slash, Star, TrueKw, UnaryExpr,
};
use super::{name, range_end, recover, statement, type_expr};
use crate::codes;

/// The precedence of `||`, the weakest.
const OR: u8 = 1;
/// The precedence of `U`, `W`, `->` and `<->`.
const ARROW: u8 = 2;
/// The precedence of `&&`.
const AND: u8 = 3;
/// The precedence of `==`.
const EQUALITY: u8 = 4;
/// The precedence of `+` and `-`.
const ADDITIVE: u8 = 6;

/// Any expression.
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    binary(p, OR).is_some()
}

/// An expression of `+ - * / %` only.
pub(super) fn additive(p: &mut Parser<'_>) -> bool {
    binary(p, ADDITIVE).is_some()
}

/// Whether the token `n` places ahead is one of `+ - * / %`.
pub(super) fn at_additive_operator(p: &Parser<'_>, n: usize) -> bool {
    matches!(p.nth(n), Plus | Minus | Star | Slash | Percent)
}

/// The precedence of the binary operator here.
fn operator(p: &Parser<'_>) -> Option<u8> {
    Some(match p.current() {
        BarBar | Bar => OR,
        Arrow | DoubleArrow => ARROW,
        AmpAmp | Amp => AND,
        EqualEqual | NotEqual | Equal => EQUALITY,
        Less | LessEqual | Greater | GreaterEqual => 5,
        Plus | Minus => ADDITIVE,
        Star | Slash | Percent => 7,
        Ident if matches!(p.text(0), "U" | "W") && !p.is_first_of_line(0) => ARROW,
        Ident => return word(p).map(|(level, _)| level),
        _ => return None,
    })
}

/// The operator that a word of another language stands for, if an operand follows it in the same line.
fn word(p: &Parser<'_>) -> Option<(u8, &'static str)> {
    let found = match p.text(0) {
        "or" | "OR" => (OR, "||"),
        "and" | "AND" => (AND, "&&"),
        "implies" => (ARROW, "->"),
        "until" => (ARROW, "U"),
        "unless" => (ARROW, "W"),
        "mod" => (7, "%"),
        _ => return None,
    };
    let is_export = p.text(0) == "and" && p.text(1) == "out";
    let is_followed = matches!(p.nth(1), Ident | Int | LeftParen | Not | Minus | TrueKw | FalseKw);
    (is_followed && !is_export && !p.is_first_of_line(0)).then_some(found)
}

/// The operators of the language.
struct Operators;

impl<'t> Infix<Parser<'t>> for Operators {
    fn operator(&self, p: &Parser<'t>) -> Option<u8> {
        operator(p)
    }

    fn judge(&self, p: &mut Parser<'t>, level: u8, before: u32) {
        judge_operator(p, level, before);
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

/// Complains about an operator that is spelled as in another language, or that needs parentheses.
fn judge_operator(p: &mut Parser<'_>, level: u8, before: u32) {
    match p.current() {
        Equal => {
            let help = "`==` compares two values";
            p.error_with_help(codes::EQUALITY, "expected `==`, found `=`", help);
        }
        Bar | Amp => {
            let sign = p.text(0);
            let message = format!("conditions are joined by `{sign}{sign}`, not by `{sign}`");
            p.error_with_help(codes::WORD_OPERATOR, message, format!("write `{sign}{sign}`"));
        }
        Ident if !matches!(p.text(0), "U" | "W") => {
            let meant = word(p).map_or("", |(_, meant)| meant);
            let message = format!("`{}` is not an operator", p.text(0));
            p.error_with_help(codes::WORD_OPERATOR, message, format!("write `{meant}`"));
        }
        _ if level == ARROW && before == 1 => {
            let message = format!(
                "`{}` cannot follow another of `->`, `<->`, `U` and `W` without parentheses",
                p.text(0)
            );
            p.error_with_help(codes::FORMULA_CHAIN, message, "write `a -> (b -> c)` or `(a -> b) -> c`");
        }
        _ => {}
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
        Not | Minus | Always | Eventually => {
            height = prefixed(p);
            UnaryExpr
        }
        Ident if p.text(0) == "X" && begins_operand(p, 1) => {
            height = prefixed(p);
            UnaryExpr
        }
        Ident if matches!(p.text(0), "not" | "Not" | "NOT") && begins_operand(p, 1) => {
            let message = format!("`{}` is not an operator", p.text(0));
            p.error_with_help(codes::WORD_OPERATOR, message, "write `!`");
            height = prefixed(p);
            UnaryExpr
        }
        Int => {
            p.bump();
            IntExpr
        }
        TrueKw | FalseKw => {
            p.bump();
            BoolExpr
        }
        AnyKw => {
            p.bump();
            height = u32::from(type_expr(p));
            AnyExpr
        }
        Ident => {
            height = u32::from(path(p) && (!at_arguments(p) || statement::arguments(p)));
            if height > 0 && p.at(Dot) {
                height = u32::from(received(p));
            }
            PathExpr
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
        _ => {
            let message = format!("expected a value, found {}", p.found());
            p.error(codes::EXPRESSION, message);
            p.abandon(operand);
            return None;
        }
    };
    let mut completed = p.complete(operand, kind);
    completed.height = height;
    (height > 0).then_some(completed)
}

/// The `.received` behind the arguments of a message.
fn received(p: &mut Parser<'_>) -> bool {
    p.bump();
    name(p, "what happens to the message, `received`")
}

fn prefixed(p: &mut Parser<'_>) -> u32 {
    p.bump();
    unary(p).map_or(0, |inner| inner.height + 1)
}

/// Whether the arguments of a message stand here: they follow its name without a blank.
fn at_arguments(p: &Parser<'_>) -> bool {
    p.at(LeftParen) && p.is_joined(0)
}

fn begins_operand(p: &Parser<'_>, n: usize) -> bool {
    matches!(p.nth(n), Ident | Int | TrueKw | FalseKw | LeftParen | Not | Minus | Always | Eventually)
        && !p.is_first_of_line(n)
}

/// `Sensor.ADC[2].request`
pub(super) fn path(p: &mut Parser<'_>) -> bool {
    let path = p.start();
    let mut is_read = part(p);
    while is_read && p.at(Dot) {
        p.bump();
        is_read = part(p);
    }
    p.complete(path, Path);
    is_read
}

fn part(p: &mut Parser<'_>) -> bool {
    let part = p.start();
    let is_read = name(p, "a message, process or variable") && (!p.at(LeftBracket) || index(p));
    p.complete(part, PathPart);
    is_read
}

/// `[i]`, `[1..3]` or `[i: 1..3]`
pub(super) fn index(p: &mut Parser<'_>) -> bool {
    let index = p.start();
    let opening = p.span(0);
    p.bump();
    let is_bound = p.at(Ident) && p.nth(1) == Colon;
    let mut is_read = (!is_bound || (name(p, "an index") && p.expect(Colon))) && additive(p);
    if is_read && p.at(DotDot) {
        is_read = range_end(p);
    }
    is_read = is_read && recover::close(p, RightBracket, opening);
    p.complete(index, Index);
    is_read
}
