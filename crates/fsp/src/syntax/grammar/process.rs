//! Processes: their local processes, and the names and conditions that these are made of.

use rely_base::Diagnostic;

use super::super::SyntaxKind::{
    Arrow, At, Bar, BarBar, Call, Colon, ColonColon, Comma, Dot, ElseKw, EndOfText, Equal, EqualEqual, Goto,
    IfBody, IfKw, Indices, LeftBracket, LeftParen, LocalDef, Lower, ProcessDef, RightBrace, RightBracket,
    RightParen, Semicolon, ThenKw, Upper, WhenKw,
};
use super::super::parser::{Marker, Marks, Parser};
use super::choice::{bare_choice, begins_prefix, choice};
use super::label::{at_keyword_as_action, at_label, at_upper_case_action};
use super::recover::{
    at_definition, at_indexed_head, at_next_definition, at_process_head, close, skip_definition, skip_token,
    too_deep,
};
use super::tail::{Owner, tails};
use super::{defined_name, equal, expr, label, params};
use crate::codes;

/// `P(N = 2) = body, Q[i:R] = body + {…} / {…} \ {…}.`; the modifiers have been read.
pub(super) fn process(p: &mut Parser<'_>, definition: Marker) {
    let name = p.text(0);
    p.marks = if p.is_interface { Marks::Roles } else { Marks::Misplaced };
    if at_indexed_head(p, 0) {
        indexed_process(p);
    }
    let mut is_read = local(p, Position::First);
    loop {
        while is_read && p.at(Comma) {
            is_read = next_local(p);
        }
        is_read = is_read && tails(p, Owner::Process);
        if !is_read {
            skip_definition(p);
            break;
        }
        if p.eat(Dot) {
            break;
        }
        match missing_end(p, name) {
            After::Definition => break,
            After::Local => is_read = local(p, Position::Later),
            After::Same => {}
        }
    }
    p.complete(definition, ProcessDef);
}

/// Reports that a process has indices, which only a local process may have.
fn indexed_process(p: &mut Parser<'_>) {
    let name = p.text(0);
    let message =
        format!("`{name}` has an index, so it can only be a local process, but here a new definition begins");
    let before = p.previous_span();
    let mut diagnostic = Diagnostic::error(codes::INDEXED_PROCESS, p.span(0), message);
    if p.previous() == Dot {
        diagnostic = diagnostic
            .with_note(before, "the definition before ends with this `.`")
            .with_help("local processes are separated by `,`; only the last one ends with `.`");
    } else {
        diagnostic =
            diagnostic.with_help(format!("begin with a process without index: `{name} = {name}[0],`"));
    }
    p.report(diagnostic);
}

/// Which of the local processes is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The process itself, which may have parameters.
    First,
    /// Another.
    Later,
}

/// The local process behind a `,`.
fn next_local(p: &mut Parser<'_>) -> bool {
    if matches!(p.nth(1), Upper | Lower) {
        p.bump();
        return local(p, Position::Later);
    }
    let is_end = p.nth(1) == Dot || p.nth(1) == EndOfText || at_definition(p, 1);
    if is_end {
        p.error_with_help(
            codes::EXPECTED,
            "no local process follows this `,`",
            "end the definition with `.`",
        );
        skip_token(p);
        if !p.at(Dot) {
            p.mark_reported();
        }
        return true;
    }
    p.bump();
    p.expected("the name of a local process");
    false
}

/// `BUSY[i:R] = body`
fn local(p: &mut Parser<'_>, position: Position) -> bool {
    let local = p.start();
    let is_read = head(p, position) && body(p);
    p.complete(local, LocalDef);
    is_read
}

/// Everything up to the `=`.
fn head(p: &mut Parser<'_>, position: Position) -> bool {
    let what = if position == Position::First { "a process" } else { "a local process" };
    if !defined_name(p, what) {
        return false;
    }
    if position == Position::First {
        params(p);
    }
    p.eat(At);
    let is_dotted = p.at(Dot) && p.nth(1) != EndOfText;
    if is_dotted || p.at(LeftBracket) {
        let indices = p.start();
        p.eat(Dot);
        let is_read = label::label_with(p, Marks::Misplaced);
        p.complete(indices, Indices);
        if !is_read {
            return false;
        }
    }
    if !p.at(Equal) && !p.at(EqualEqual) && matches!(p.current(), LeftParen | Upper | IfKw) {
        // The `=` is missing, but what should follow it is there.
        p.expected("`=`");
        return true;
    }
    equal(p)
}

/// How to continue after a definition that does not end as it should.
enum After {
    /// With the next definition.
    Definition,
    /// With another local process.
    Local,
    /// With the same definition.
    Same,
}

/// Reports that the `.` of a process is missing, and decides how to continue.
fn missing_end(p: &mut Parser<'_>, name: &str) -> After {
    if p.is_uncertain() && !at_definition(p, 0) && !at_process_head(p, 0) && !p.at(RightParen) {
        skip_definition(p);
        return After::Definition;
    }
    match p.current() {
        EndOfText => no_dot(p, name),
        Upper | Lower if at_indexed_head(p, 0) => {
            missing_separator(p);
            return After::Local;
        }
        Upper if at_process_head(p, 0) => missing_separator(p),
        _ if at_definition(p, 0) => no_dot(p, name),
        Semicolon => {
            let help = "end a definition with `.`, and separate local processes with `,`";
            p.error_with_help(codes::END_OF_DEFINITION, "a process does not end with `;`", help);
            skip_token(p);
            if at_indexed_head(p, 0) {
                return After::Local;
            }
        }
        RightParen | RightBracket | RightBrace => {
            let message = format!("this `{}` closes nothing", p.text(0));
            p.error_with_help(
                codes::UNOPENED_BRACKET,
                message,
                "delete it, or open the bracket that it should close",
            );
            skip_token(p);
            p.mark_reported();
            return After::Same;
        }
        Bar | Arrow => {
            let help = "the alternatives of a choice stand in one pair of parentheses: `(a -> P | b -> Q)`";
            let message = format!("expected `,` or `.`, found {}", p.found());
            p.error_with_help(codes::PARENTHESES, message, help);
            skip_definition(p);
        }
        BarBar => missing_bars(p, name),
        _ => {
            p.expected("`,` and a local process, or `.`");
            skip_definition(p);
        }
    }
    After::Definition
}

fn no_dot(p: &mut Parser<'_>, name: &str) {
    let message = format!("the definition of `{name}` does not end with `.`");
    let span = p.previous_span();
    p.report(Diagnostic::error(codes::NO_DOT, span, message).with_help("put a `.` behind this"));
}

fn missing_separator(p: &mut Parser<'_>) {
    let next = p.text(0);
    let message = format!("there is no `,` or `.` before `{next}`");
    let help =
        format!("put a `,` here if `{next}` is a local process, and a `.` if it is a process of its own");
    let span = p.previous_span();
    p.report(Diagnostic::error(codes::NO_SEPARATOR, span, message).with_help(help));
    p.doubt_next();
}

/// A composition under the name of a process.
fn missing_bars(p: &mut Parser<'_>, name: &str) {
    let help = format!("the name of a composition is written with bars before it: `||{name} = …`");
    p.error_with_help(codes::MISSING_BARS, "processes can be composed only in a composition", help);
    skip_definition(p);
}

/// `(a -> P | b -> Q)`, `P[e]`, `if e then P else Q`
pub(super) fn body(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        too_deep(p);
        return false;
    }
    let is_read = body_inside(p);
    p.leave();
    is_read
}

fn body_inside(p: &mut Parser<'_>) -> bool {
    match p.current() {
        _ if at_next_definition(p) => no_body(p),
        LeftParen => choice(p),
        IfKw => condition(p),
        Upper if matches!(p.nth(1), Colon | ColonColon) => no_body(p),
        Upper if !p.is_set(0) && !at_upper_case_action(p) => goto(p),
        Lower if !begins_prefix(p) => lower_case_goto(p),
        _ if at_label(p) || at_upper_case_action(p) || p.at(WhenKw) || at_keyword_as_action(p) => {
            bare_choice(p)
        }
        _ => no_body(p),
    }
}

fn no_body(p: &mut Parser<'_>) -> bool {
    let message = format!("expected a process, found {}", p.found());
    let help = "a process is a choice in parentheses `(a -> P | b -> Q)`, a name, or `if e then P else Q`";
    p.error_with_help(codes::EXPECTED, message, help);
    false
}

fn lower_case_goto(p: &mut Parser<'_>) -> bool {
    let name = p.text(0);
    if !p.overview.lower_case_processes.contains(name) {
        let message = format!("expected a process, found `{name}`, which begins with a lower-case letter");
        let meant = p.overview.process_like(name).unwrap_or_else(|| super::upper_case(name));
        p.error_meaning(codes::UPPER_CASE, message, &meant);
    }
    let goto = p.start();
    p.bump();
    p.complete(goto, Goto);
    true
}

/// `if e then P else Q`
fn condition(p: &mut Parser<'_>) -> bool {
    let condition = p.start();
    p.bump();
    let mut is_read = expr::expr(p) && then(p) && body(p);
    if is_read && p.eat(ElseKw) {
        is_read = body(p);
    }
    p.complete(condition, IfBody);
    is_read
}

/// `then`
pub(super) fn then(p: &mut Parser<'_>) -> bool {
    if p.eat(ThenKw) {
        return true;
    }
    let message = format!("expected `then`, found {}", p.found());
    p.error_with_help(codes::EXPECTED, message, "a condition is written `if e then P else Q`");
    matches!(p.current(), LeftParen | Upper)
}

/// `A; B(3); NAME[e]`
fn goto(p: &mut Parser<'_>) -> bool {
    let goto = p.start();
    let mut is_read = true;
    while is_read && p.at(Upper) && (p.nth(1) == LeftParen || (p.nth(1) == Semicolon && goes_on(p, 1))) {
        is_read = call(p) && sequel(p);
    }
    if is_read && p.eat(Upper) {
        while is_read && p.at(LeftBracket) {
            let opening = p.span(0);
            p.bump();
            is_read = expr::expr(p) && close(p, RightBracket, opening);
        }
    }
    p.complete(goto, Goto);
    is_read
}

/// Whether the `;` that is `n` tokens ahead is followed by a process, and is not meant to end the definition.
fn goes_on(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n + 1) == Upper && !at_process_head(p, n + 1)
}

/// The `;` behind a process that runs to its end, and what follows it.
fn sequel(p: &mut Parser<'_>) -> bool {
    if p.at(Semicolon) && p.nth(1) == Upper {
        p.bump();
        return true;
    }
    let message = format!("expected `;` and a process, found {}", p.found());
    let help = "a process with parameters runs to its END, and another follows: `P(3); END`";
    p.error_with_help(codes::EXPECTED, message, help);
    false
}

/// `P(3)`
pub(super) fn call(p: &mut Parser<'_>) -> bool {
    let call = p.start();
    p.bump();
    let is_read = !p.at(LeftParen) || expr::arguments(p);
    p.complete(call, Call);
    is_read
}
