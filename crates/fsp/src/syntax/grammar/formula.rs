//! Assertions and their formulas of linear temporal logic.
//!
//! `! X <> []` bind most tightly, then `&&`, then one of `U W -> <->`, then `||`. An assertion is one formula of the
//! first kind, so a binary operator needs parentheses around it: `assert A = (a -> b)`.

use super::super::SyntaxKind::{
    self, ActionFormula, Always, Amp, AmpAmp, Arrow, AssertDef, Bar, BarBar, BinaryFormula, DoubleArrow,
    EndOfText, Equal, Eventually, ExistsKw, ForallKw, LeftBrace, LeftBracket, LeftParen, Lower, NamedFormula,
    Not, ParenFormula, Plus, QuantifiedFormula, RightParen, RigidFormula, RigidKw, UnaryFormula, Upper,
};
use super::super::parser::{Completed, Marks, Parser};
use super::{complete_simple, defined_name, equal, expr, label, params, recover, tail};
use crate::codes;
use rely_syntax::{Infix, infix, infix_after};

/// `assert A = []p`, `constraint C = []p`, `ltl_property L = []p`
pub(super) fn assertion(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_named = defined_name(p, "an assertion");
    if is_named {
        params(p);
    }
    let is_read = is_named && equal(p) && top(p) && (!p.at(Plus) || tail::one(p, SyntaxKind::Extension));
    complete_simple(p, definition, AssertDef, is_read);
}

/// The formula of an assertion.
fn top(p: &mut Parser<'_>) -> bool {
    let start = p.span(0);
    let Some(formula) = unary(p) else { return false };
    let is_definition = recover::at_definition(p, 0) || (p.at(Upper) && p.nth(1) == Equal);
    if is_definition || operator(p).is_none() {
        return true;
    }
    let operator = p.text(0);
    let message = format!("`{operator}` needs parentheses around it at the top of an assertion");
    let pos = p.span(0);
    if infix_after(p, &Operators, BinaryFormula, formula, OR).is_none() {
        if !p.is_reported() {
            p.report(rely_base::Diagnostic::error(codes::FORMULA_PARENTHESES, pos, message));
        }
        return false;
    }
    let written = rely_syntax::shorten(p.source(start.to(p.previous_span())));
    let diagnostic = rely_base::Diagnostic::error(codes::FORMULA_PARENTHESES, pos, message);
    p.forget_reported();
    p.report(diagnostic.with_help(format!("write `({written})`")));
    true
}

/// The precedence of `||`, the weakest.
const OR: u8 = 1;
/// The precedence of `U`, `W`, `->` and `<->`.
const ARROW: u8 = 2;
/// The precedence of `&&`.
const AND: u8 = 3;

/// The precedence of the binary operator here.
fn operator(p: &Parser<'_>) -> Option<u8> {
    match p.current() {
        BarBar if recover::at_composite_head(p, 0) => None,
        BarBar | Bar => Some(OR),
        Arrow | DoubleArrow => Some(ARROW),
        AmpAmp | Amp => Some(AND),
        Upper if matches!(p.text(0), "U" | "W") => Some(ARROW),
        Lower => word(p.text(0)).map(|(level, _)| level),
        _ => None,
    }
}

/// The operator that a word stands for.
fn word(text: &str) -> Option<(u8, &'static str)> {
    Some(match text {
        "or" => (OR, "||"),
        "and" => (AND, "&&"),
        "implies" => (ARROW, "->"),
        "iff" => (ARROW, "<->"),
        "until" => (ARROW, "U"),
        "unless" => (ARROW, "W"),
        _ => return None,
    })
}

/// The operators of formulas.
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

/// Formulas joined by operators that bind at least as tightly as `weakest`.
fn binary(p: &mut Parser<'_>, weakest: u8) -> Option<Completed> {
    infix(p, &Operators, BinaryFormula, weakest)
}

fn judge_operator(p: &mut Parser<'_>, level: u8, before: u32) {
    let operator = p.text(0);
    match p.current() {
        Lower => {
            let meant = word(operator).map_or("", |(_, meant)| meant);
            let message = format!("`{operator}` is not an operator of FSP");
            p.error_with_help(codes::WORD_OPERATOR, message, format!("write `{meant}`"));
        }
        Bar | Amp => {
            let message = format!("formulas are joined by `{operator}{operator}`, not by `{operator}`");
            p.error_with_help(codes::WORD_OPERATOR, message, format!("write `{operator}{operator}`"));
        }
        _ if level == ARROW && before == 1 => {
            let message =
                format!("`{operator}` cannot follow another of `->`, `<->`, `U` and `W` without parentheses");
            p.error_with_help(codes::FORMULA_CHAIN, message, "write `(a -> (b -> c))` or `((a -> b) -> c)`");
        }
        _ => {}
    }
}

/// A formula with the operators before it.
fn unary(p: &mut Parser<'_>) -> Option<Completed> {
    rely_syntax::operand(p, &Operators)
}

fn operand(p: &mut Parser<'_>) -> Option<Completed> {
    let formula = p.start();
    let mut height;
    let kind = match p.current() {
        Not | Always | Eventually => {
            height = prefixed(p);
            UnaryFormula
        }
        Upper if p.text(0) == "X" => {
            height = prefixed(p);
            UnaryFormula
        }
        Lower if p.text(0) == "not" && begins_formula(p.nth(1)) => {
            p.error_with_help(codes::WORD_OPERATOR, "`not` is not an operator of FSP", "write `!`");
            height = prefixed(p);
            UnaryFormula
        }
        Upper if !matches!(p.text(0), "U" | "W") => {
            height = u32::from(named(p));
            NamedFormula
        }
        LeftParen => {
            let opening = p.span(0);
            p.bump();
            height = binary(p, OR).map_or(0, |inner| inner.height);
            if height > 0 && !recover::close(p, RightParen, opening) {
                height = 0;
            }
            ParenFormula
        }
        Lower | LeftBracket | LeftBrace => {
            height = u32::from(label::label_with(p, Marks::Operators));
            ActionFormula
        }
        ForallKw | ExistsKw => {
            p.bump();
            height = if label::ranges(p) { unary(p).map_or(0, |inner| inner.height + 1) } else { 0 };
            QuantifiedFormula
        }
        RigidKw => {
            p.bump();
            height = u32::from(expr::additive(p));
            RigidFormula
        }
        _ => {
            no_formula(p);
            p.abandon(formula);
            return None;
        }
    };
    let mut completed = p.complete(formula, kind);
    completed.height = height;
    (height > 0).then_some(completed)
}

fn begins_formula(kind: SyntaxKind) -> bool {
    matches!(kind, Not | Always | Eventually | Upper | LeftParen | Lower | LeftBrace)
}

/// An operator and the formula behind it. Returns the height, or 0 if it could not be read.
fn prefixed(p: &mut Parser<'_>) -> u32 {
    p.bump();
    unary(p).map_or(0, |inner| inner.height + 1)
}

/// `F`, `F[i]`, `A(3)`
fn named(p: &mut Parser<'_>) -> bool {
    p.bump();
    match p.current() {
        LeftBracket => label::ranges(p),
        LeftParen => expr::arguments(p),
        _ => true,
    }
}

fn no_formula(p: &mut Parser<'_>) {
    let message = format!("expected a formula, found {}", p.found());
    match p.current() {
        SyntaxKind::Int => {
            p.error_with_help(codes::FORMULA, message, "a condition on numbers is written `rigid(e)`");
        }
        Equal | EndOfText => p.error(codes::FORMULA, message),
        _ => p.error_with_help(
            codes::FORMULA,
            message,
            "a formula is an action, a set of actions, a fluent, or made of them",
        ),
    }
}
