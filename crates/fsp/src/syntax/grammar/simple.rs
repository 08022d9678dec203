//! The definitions that do not end with a `.`: constants, ranges, sets, progress, menus, animations, imports, fluents.

use super::super::SyntaxKind::{
    ActionsKw, AnimationDef, Backslash, BarBar, Comma, ComposeKw, ConstDef, ControlsKw, Dot, DotDot,
    FluentDef, Greater, IfKw, ImportDef, InitiallyKw, Int, LeftBrace, LeftBracket, LeftParen, Less, Lower,
    MenuDef, ProgressDef, RangeDef, RightBrace, SetDef, Slash, TargetKw, Text, ThenKw, Upper,
};
use super::super::parser::Parser;
use super::{complete_simple, defined_name, equal, expr, label, recover, tail};
use crate::codes;

/// `N = 3`, `R = 0..3` or `S = {a, b}`: a definition whose keyword is missing.
pub(super) fn without_keyword(p: &mut Parser<'_>) {
    let definition = p.start();
    let (name, place) = (p.text(0), p.span(0));
    let (keyword, what, kind) = match (p.nth(2), p.nth(3)) {
        (LeftBrace, _) => ("set", "a set of labels", SetDef),
        (_, DotDot) => ("range", "a range", RangeDef),
        _ => ("const", "a number", ConstDef),
    };
    let message = format!("a process cannot be {what}");
    p.error_with_help(codes::EXPECTED, message, format!("did you mean `{keyword} {name} = …`?"));
    let is_read = defined_name(p, "a process") && equal(p);
    let is_read = is_read
        && match kind {
            SetDef => set_value(p),
            RangeDef => bounds(p),
            _ => expr::simple(p),
        };
    if kind == SetDef {
        p.define_set(name, place);
    }
    p.eat(Dot);
    complete_simple(p, definition, kind, is_read);
}

/// `const N = 3`
pub(super) fn constant(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "a constant") && equal(p) && expr::simple(p) && is_whole(p);
    complete_simple(p, definition, ConstDef, is_read);
}

/// Whether an expression ends here, and is not continued by operators of other languages: `\` for division, or a
/// fraction.
fn is_whole(p: &mut Parser<'_>) -> bool {
    let is_operand = matches!(p.nth(1), Int | Upper | Lower | LeftParen);
    if p.at(Backslash) && is_operand && !p.is_first_of_line(0) {
        p.error_meaning(codes::WORD_OPERATOR, "`\\` does not divide: it hides actions", "/");
        return false;
    }
    if p.at(Dot) && p.nth(1) == Int {
        let help = "numbers are whole; count in a smaller unit, as in 25 tenths for 2.5";
        p.error_with_help(codes::NUMBER, "a number has no fraction", help);
        return false;
    }
    true
}

/// `range R = 0..N`
pub(super) fn range(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "a range") && equal(p) && bounds(p);
    complete_simple(p, definition, RangeDef, is_read);
}

fn bounds(p: &mut Parser<'_>) -> bool {
    if p.at(LeftBrace) || p.at(LeftBracket) {
        let help =
            "a range is written without brackets, as in `range R = 0..3`; labels in braces are a `set`";
        let found = p.found();
        p.error_with_help(
            codes::RANGE,
            format!("expected the first value of the range, found {found}"),
            help,
        );
        return false;
    }
    if !expr::simple(p) {
        return false;
    }
    if !p.eat(DotDot) {
        let message = format!("expected `..` and the last value of the range, found {}", p.found());
        p.error_with_help(codes::RANGE, message, "a range has two bounds, as in `range R = 0..3`");
        return false;
    }
    expr::simple(p)
}

/// `set S = {a, b}`
pub(super) fn set(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let (name, place) = (p.text(0), p.span(0));
    let is_read = defined_name(p, "a set") && equal(p) && set_value(p);
    // As in LTSA, the set is known once its value has been read.
    p.define_set(name, place);
    complete_simple(p, definition, SetDef, is_read);
}

fn set_value(p: &mut Parser<'_>) -> bool {
    let start = p.span(0);
    let was_braced = p.at(LeftBrace);
    if !was_braced && !matches!(p.current(), Upper | Lower | LeftBracket) {
        p.expected("`{` and the labels of the set");
        return false;
    }
    if was_braced && !label::set_literal(p) {
        return false;
    }
    if was_braced && !p.at(Backslash) {
        return true;
    }
    let unreadable = p.start();
    if was_braced {
        p.bump();
        p.mark_reported();
        label::set_expr(p);
    } else {
        p.mark_reported();
        label::label(p);
    }
    p.complete(unreadable, super::SyntaxKind::Unreadable);
    p.forget_reported();
    let written = p.source(start.to(p.previous_span()));
    let help = format!("put braces around the whole: `{{{}}}`", rely_syntax::shorten(written));
    let span = start.to(p.previous_span());
    p.report(
        rely_base::Diagnostic::error(codes::BRACES, span, "the value of a set stands in braces")
            .with_help(help),
    );
    true
}

/// `progress P[i:R] = if {a} then {b}`
pub(super) fn progress(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "a progress property") && indices(p) && equal(p) && progress_actions(p);
    complete_simple(p, definition, ProgressDef, is_read);
}

fn progress_actions(p: &mut Parser<'_>) -> bool {
    if p.eat(IfKw) {
        return label::label(p) && p.expect(ThenKw) && label::label(p);
    }
    label::label(p)
}

/// The indices of a definition, if it has any.
fn indices(p: &mut Parser<'_>) -> bool {
    if !p.at(LeftBracket) {
        return true;
    }
    label::ranges(p)
}

/// `menu M = {a, b}`
pub(super) fn menu(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "a menu") && equal(p) && label::label(p);
    complete_simple(p, definition, MenuDef, is_read);
}

/// `import P = "file.aut"`
pub(super) fn import(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "an imported process") && equal(p) && file_name(p, "file.aut");
    complete_simple(p, definition, ImportDef, is_read);
}

fn file_name(p: &mut Parser<'_>, example: &str) -> bool {
    if p.eat(Text) {
        return true;
    }
    let message = format!("expected the name of a file in quotes, found {}", p.found());
    p.error_with_help(codes::QUOTES, message, format!("write it as in `\"{example}\"`"));
    false
}

/// `animation A = "file.xml" target S compose {B / {a/b} || C} actions {a/b} controls {c/d}`
pub(super) fn animation(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read =
        defined_name(p, "an animation") && equal(p) && file_name(p, "file.xml") && animation_parts(p);
    complete_simple(p, definition, AnimationDef, is_read);
}

fn animation_parts(p: &mut Parser<'_>) -> bool {
    if p.eat(TargetKw) && !p.eat(Upper) {
        p.expected("the name of a composition");
        return false;
    }
    if p.at(ComposeKw) && p.nth(1) == LeftBrace && !animation_composition(p) {
        return false;
    }
    for keyword in [ActionsKw, ControlsKw] {
        if p.eat(keyword) && !tail::relabel_set(p) {
            return false;
        }
    }
    true
}

fn animation_composition(p: &mut Parser<'_>) -> bool {
    p.bump();
    let opening = p.span(0);
    p.bump();
    loop {
        if !p.eat(Upper) {
            p.expected("the name of an animation");
            return false;
        }
        if p.at(Slash) && !tail::relabels(p) {
            return false;
        }
        if !p.eat(BarBar) {
            break;
        }
    }
    recover::close(p, RightBrace, opening)
}

/// `fluent F[i:R] = <{on}, {off}> initially 1`
pub(super) fn fluent(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, "a fluent") && indices(p) && equal(p) && fluent_actions(p);
    complete_simple(p, definition, FluentDef, is_read);
}

fn fluent_actions(p: &mut Parser<'_>) -> bool {
    if !p.eat(Less) {
        let message = format!("expected `<`, found {}", p.found());
        let help = "a fluent is written `<{actions that make it true}, {actions that make it false}>`";
        p.error_with_help(codes::EXPECTED, message, help);
        return false;
    }
    let is_read = label::label(p) && p.expect(Comma) && label::label(p) && p.expect(Greater);
    if !is_read {
        return false;
    }
    if p.eat(InitiallyKw) {
        return expr::simple(p);
    }
    if p.at(Int) {
        p.expected("`initially` before the value at the start");
        return false;
    }
    true
}
