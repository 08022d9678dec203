//! Expressions: conditions over events and states, and arithmetic over constants and index variables.
//!
//! There is one grammar for both; whether an expression is a number or a truth value is found out when it is resolved. A
//! chain of operators of one precedence is one flat node, however long it is.

use super::super::SyntaxKind::{
    AfterKw, Amp, Bar, BinaryExpr, Dot, Equal, EqualEqual, ExistsKw, FalseKw, ForallKw, Greater,
    GreaterEqual, Iff, Implies, Int, IntExpr, LeftBracket, LeftParen, Less, LessEqual, Lower, Minus, MsKw,
    Not, NotEqual, OldKw, ParenExpr, Path, Percent, Plus, QuantifiedExpr, RightParen, Segment, Slash, Star,
    TrueKw, UnaryExpr, Upper, WordExpr,
};
use super::{Parser, binders, indices, recover};
use crate::codes;
use rely_syntax::{Completed, Infix, Kind, infix};

/// The precedence of `<=>`, the weakest.
const IFF: u8 = 1;
/// The precedence of `=>`.
const IMPLIES: u8 = 2;
/// The precedence of `+` and `-`.
const ADDITIVE: u8 = 6;

/// The operators of the language, and what `/` means at this place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slashes {
    /// It divides.
    Divide,
    /// It ends the condition: events follow.
    End,
}

/// Any expression.
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    binary(p, IFF, Slashes::Divide).is_some()
}

/// The condition of a transition, which a `/` ends.
pub(super) fn condition(p: &mut Parser<'_>) -> bool {
    binary(p, IFF, Slashes::End).is_some()
}

/// An expression of `+ - * / %` only.
pub(super) fn additive(p: &mut Parser<'_>) -> bool {
    binary(p, ADDITIVE, Slashes::Divide).is_some()
}

/// The precedence of the operator here.
fn operator(p: &Parser<'_>, slashes: Slashes) -> Option<u8> {
    Some(match p.current() {
        Iff => IFF,
        Implies => IMPLIES,
        Bar => 3,
        Amp => 4,
        EqualEqual | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => 5,
        Plus | Minus => ADDITIVE,
        Slash if slashes == Slashes::End => return None,
        Star | Slash | Percent => 7,
        Lower => return word(p.text(0)).filter(|_| !p.is_first_of_line(0)).map(|(level, _)| level),
        _ => return None,
    })
}

/// The operator that a word of another language stands for.
fn word(text: &str) -> Option<(u8, &'static str)> {
    match text {
        "or" => Some((3, "|")),
        "and" => Some((4, "&")),
        "mod" => Some((7, "%")),
        _ => None,
    }
}

impl<'t> Infix<Parser<'t>> for Slashes {
    fn operator(&self, p: &Parser<'t>) -> Option<u8> {
        operator(p, *self)
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
fn binary(p: &mut Parser<'_>, weakest: u8, slashes: Slashes) -> Option<Completed> {
    infix(p, &slashes, BinaryExpr, weakest)
}

/// Complains about an operator of another language, and about `a => b => c`.
fn judge_operator(p: &mut Parser<'_>, level: u8, before: u32) {
    if p.at(Equal) {
        let help = "`==` compares two numbers; `=` is for definitions";
        p.error_with_help(codes::EXPECTED, "expected `==`, found `=`", help);
    } else if let Some((_, meant)) = word(p.text(0)).filter(|_| p.at(Lower)) {
        let message = format!("`{}` is no operator here", p.text(0));
        p.error_with_help(codes::LOOK_ALIKE, message, format!("did you mean `{meant}`?"));
    } else if level <= 2 && before > 0 {
        let message = format!("it is not clear what belongs to this `{}`", p.text(0));
        p.error_with_help(codes::CHAIN, message, "put parentheses around one of the two");
    } else if level == 5 && before > 0 {
        let help = "compare two numbers at a time, and join the comparisons with `&`";
        p.error_with_help(codes::CHAIN, "comparisons cannot be chained", help);
    }
}

/// An operand, with the operators before it.
fn unary(p: &mut Parser<'_>) -> Option<Completed> {
    rely_syntax::operand(p, &Slashes::Divide)
}

fn operand(p: &mut Parser<'_>) -> Option<Completed> {
    match p.current() {
        Not | Minus | OldKw | AfterKw => {
            let marker = p.start();
            p.bump();
            let operand = unary(p);
            let mut completed = p.complete(marker, UnaryExpr);
            completed.height = operand.map_or(0, |operand| operand.height) + 1;
            operand.map(|_| completed)
        }
        ForallKw | ExistsKw => quantified(p),
        _ => primary(p),
    }
}

/// `forall [i: 1..N] operand`
fn quantified(p: &mut Parser<'_>) -> Option<Completed> {
    let marker = p.start();
    p.bump();
    if !p.at(LeftBracket) {
        p.expected("an index such as `[i: 1..3]`");
    }
    let operand = if p.is_reported() || !binders(p) { None } else { unary(p) };
    let mut completed = p.complete(marker, QuantifiedExpr);
    completed.height = operand.map_or(0, |operand| operand.height) + 1;
    operand.map(|_| completed)
}

fn primary(p: &mut Parser<'_>) -> Option<Completed> {
    let marker = p.start();
    match p.current() {
        Int => {
            p.bump();
            Some(p.complete(marker, IntExpr))
        }
        TrueKw | FalseKw | MsKw => {
            p.bump();
            Some(p.complete(marker, WordExpr))
        }
        LeftParen => {
            let opening = p.span(0);
            p.bump();
            let inner = binary(p, IFF, Slashes::Divide);
            let is_closed = inner.is_some() && recover::close(p, RightParen, opening);
            let mut completed = p.complete(marker, ParenExpr);
            completed.height = inner.map_or(0, |inner| inner.height) + 1;
            is_closed.then_some(completed)
        }
        Lower | Upper => {
            p.abandon(marker);
            path_node(p)
        }
        kind => {
            p.abandon(marker);
            if kind.is_keyword() {
                let message = format!("expected an event, a state or a number, found {}", p.found());
                p.error(codes::EXPECTED, message);
            } else {
                p.expected("an event, a state such as `Door.open`, or a number");
            }
            None
        }
    }
}

/// `a`, `b[i]`, `Door.open`, `Pump[1].Motor.on`
pub(super) fn path(p: &mut Parser<'_>) -> bool {
    if !matches!(p.current(), Lower | Upper) {
        p.expected("a name");
        return false;
    }
    path_node(p).is_some()
}

fn path_node(p: &mut Parser<'_>) -> Option<Completed> {
    let path = p.start();
    let mut is_read = segment(p);
    while is_read && p.eat(Dot) {
        // A state may be called as a keyword is: `Lamp.on`.
        is_read = (p.at(Upper) || p.current().names_state()) && segment(p);
        if !is_read {
            p.expected("the name of a machine, a state or an event");
        }
    }
    let completed = p.complete(path, Path);
    is_read.then_some(completed)
}

fn segment(p: &mut Parser<'_>) -> bool {
    let segment = p.start();
    p.bump();
    let is_read = indices(p);
    p.complete(segment, Segment);
    is_read
}
