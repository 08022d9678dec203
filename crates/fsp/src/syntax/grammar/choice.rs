//! Choices: alternatives with their guards and actions.

use rely_base::{Diagnostic, Span};

use super::super::SyntaxKind::{
    Arrow, Bar, BarBar, Branch, Choice, Colon, ColonColon, Comma, Dot, EndOfText, Equal, Greater, Guard,
    IfKw, LeftBrace, LeftBracket, LeftParen, Lower, Minus, Not, Question, RightParen, Semicolon, Slash,
    ThenKw, Unreadable, Upper, WhenKw,
};
use super::super::parser::Parser;
use super::label::{at_keyword_as_action, at_label, at_upper_case_action};
use super::process::body;
use super::recover::{
    at_composite_head, at_definition, at_end_of_body, at_final_dot, at_foreach, at_next_definition,
    skip_branch, skip_definition, skip_token,
};
use super::{expr, label};
use crate::codes;

/// `(a -> P | b -> Q)`
pub(super) fn choice(p: &mut Parser<'_>) -> bool {
    let choice = p.start();
    let opening = p.span(0);
    p.bump();
    p.open_choices += 1;
    let is_read = alternatives(p, opening);
    p.open_choices = p.open_choices.saturating_sub(1);
    p.complete(choice, Choice);
    is_read
}

fn alternatives(p: &mut Parser<'_>, opening: Span) -> bool {
    loop {
        if !branch(p) {
            skip_branch(p);
        }
        match p.current() {
            Bar => p.bump(),
            BarBar if !at_composite_head(p, 0) => {
                let help = "`|` separates the alternatives of a choice; `||` composes processes";
                p.error_with_help(codes::CHOICE_BARS, "expected `|`, found `||`", help);
                p.bump();
            }
            RightParen => {
                p.bump();
                return true;
            }
            _ if at_end_of_body(p) => return unclosed_choice(p, opening),
            _ => {
                p.expected("`|` and another alternative, or `)`");
                skip_branch(p);
                match p.current() {
                    Bar => p.bump(),
                    RightParen => {
                        p.bump();
                        return true;
                    }
                    _ => return true,
                }
            }
        }
    }
}

/// Continues the definition as if the `)` were there.
fn unclosed_choice(p: &mut Parser<'_>, opening: Span) -> bool {
    let message = format!("expected `)`, found {}", p.found());
    let diagnostic = Diagnostic::error(codes::UNCLOSED_BRACKET, p.span(0), message)
        .with_note(opening, "this `(` is not closed")
        .with_help("close it with `)`");
    p.report(diagnostic);
    true
}

/// `when e a -> b -> body`
fn branch(p: &mut Parser<'_>) -> bool {
    let branch = p.start();
    let is_read = !is_foreign(p) && guard(p) && first_action(p) && prefixes(p);
    p.complete(branch, Branch);
    is_read
}

/// Whether an alternative is one of MTSA, or the next definition begins where it should be.
fn is_foreign(p: &mut Parser<'_>) -> bool {
    if at_foreach(p) {
        let message = "`foreach` belongs to MTSA, another tool, and is not part of FSP";
        let help = "give the action an index that takes all the values: `a[i:0..1] -> P`";
        p.error_with_help(codes::MTSA, message, help);
        return true;
    }
    if at_next_definition(p) {
        let sign = p.source(p.previous_span());
        let diagnostic = Diagnostic::error(
            codes::ALTERNATIVE,
            p.previous_span(),
            format!("nothing follows this `{sign}`"),
        )
        .with_note(p.span(0), "another definition begins here")
        .with_help("a choice is written `(a -> P | b -> Q)`");
        p.report(diagnostic);
        return true;
    }
    false
}

/// `when e`
fn guard(p: &mut Parser<'_>) -> bool {
    if !p.at(WhenKw) {
        return true;
    }
    let guard = p.start();
    p.bump();
    let is_read = expr::expr(p);
    p.complete(guard, Guard);
    if is_read && p.at(Equal) {
        p.error_with_help(
            codes::EQUALITY,
            "expected `==`, found `=`",
            "`==` compares two values; `=` is for definitions",
        );
        return false;
    }
    if is_read && matches!(p.current(), ThenKw | Arrow | Comma | Colon) {
        let message = format!("expected an action after the guard, found {}", p.found());
        p.error_with_help(codes::GUARD, message, "the action follows the guard at once: `when (e) a -> P`");
        skip_token(p);
    }
    is_read
}

/// The action with which an alternative begins.
fn first_action(p: &mut Parser<'_>) -> bool {
    match p.current() {
        Upper if p.is_set(0) || at_upper_case_action(p) => label::label(p),
        Upper if matches!(p.nth(1), BarBar | Colon | ColonColon | Slash) => {
            misplaced_composition(p);
            false
        }
        Upper => {
            let name = p.text(0);
            let message = format!("an alternative begins with an action, not with the process `{name}`");
            let help = format!("write `(a -> {name})`, or `{name}` without parentheses");
            p.error_with_help(codes::ALTERNATIVE, message, help);
            false
        }
        LeftParen if p.previous() != LeftParen && p.previous() != Bar => {
            let help = "the parentheses stand around the whole choice: `(when (e) a -> P | when (f) b -> Q)`";
            p.error_with_help(codes::GUARD, "expected an action after the guard, found `(`", help);
            false
        }
        LeftParen | RightParen | Bar => {
            let message = format!("an alternative begins with an action, found {}", p.found());
            p.error_with_help(codes::ALTERNATIVE, message, "a choice is written `(a -> P | b -> Q)`");
            false
        }
        _ => label::label(p),
    }
}

/// A composition where a choice should be.
fn misplaced_composition(p: &mut Parser<'_>) {
    let help = "the name of a composition is written with bars before it: `||S = (P || Q).`";
    p.error_with_help(codes::MISSING_BARS, "processes can be composed only in a composition", help);
    skip_definition(p);
}

/// `-> b -> c -> body`, after the first action.
fn prefixes(p: &mut Parser<'_>) -> bool {
    loop {
        match arrow(p) {
            Next::Action => {}
            Next::Nothing => return true,
            Next::Unreadable => return false,
        }
        if at_next_definition(p) {
            arrow_at_end(p);
            return false;
        }
        if p.at(WhenKw) {
            late_guard(p);
        }
        let is_action = at_label(p) && !is_lower_case_process(p);
        if !is_action && !at_upper_case_action(p) && !at_keyword_as_action(p) {
            return body(p);
        }
        if !label::label(p) {
            return false;
        }
    }
}

fn is_lower_case_process(p: &Parser<'_>) -> bool {
    p.at(Lower) && p.overview.lower_case_processes.contains(p.text(0)) && !begins_prefix(p)
}

/// What follows an action.
enum Next {
    /// Another action, or a process.
    Action,
    /// Nothing: the missing part has been reported.
    Nothing,
    /// Something that cannot be read.
    Unreadable,
}

/// The `->` behind an action.
fn arrow(p: &mut Parser<'_>) -> Next {
    match p.current() {
        Arrow => p.bump(),
        Minus if p.nth(1) == Greater => {
            let span = p.span(0).to(p.span(1));
            let message = "expected `->`, found `- >`";
            p.report(Diagnostic::error(codes::ARROW, span, message).did_you_mean("->"));
            p.bump();
            p.bump();
        }
        Colon | ColonColon => {
            misplaced_composition(p);
            return Next::Nothing;
        }
        Bar | RightParen | Comma | Dot | Semicolon | EndOfText => {
            action_at_end(p);
            return Next::Nothing;
        }
        _ if at_definition(p, 0) => {
            action_at_end(p);
            return Next::Nothing;
        }
        Lower | Upper | LeftBrace | LeftParen | IfKw => {
            let help = "every action is followed by `->`";
            let found = p.found();
            p.error_with_help(codes::ARROW, format!("expected `->`, found {found}"), help);
        }
        WhenKw => {}
        BarBar => {
            action_at_end(p);
            return Next::Nothing;
        }
        _ => {
            p.expected("`->`");
            return Next::Unreadable;
        }
    }
    Next::Action
}

/// A branch that ends with an arrow, because another definition begins.
fn arrow_at_end(p: &mut Parser<'_>) {
    let diagnostic =
        Diagnostic::error(codes::NO_PROCESS, p.previous_span(), "after this `->` there is no process")
            .with_note(p.span(0), "another definition begins here")
            .with_help("an action leads to a process: `a -> P`, or `a -> STOP` if nothing follows");
    p.report(diagnostic);
}

/// A branch that ends with an action.
fn action_at_end(p: &mut Parser<'_>) {
    let span = p.previous_span();
    let action = p.source(span);
    if let Some(place) = p.set_place(action).filter(|_| p.overview.processes.contains(action)) {
        set_at_end(p, place);
        return;
    }
    let message = if p.previous() == Lower {
        format!("after the action `{action}` there is no `->` and no process")
    } else {
        "after this action there is no `->` and no process".to_owned()
    };
    let diagnostic = Diagnostic::error(codes::NO_PROCESS, span, message);
    let diagnostic = match p.overview.process_like(action) {
        Some(process) if p.previous() == Lower => {
            diagnostic.did_you_mean(&process).with_help(format!("did you mean the process `{process}`?"))
        }
        _ => {
            diagnostic.with_help("an action leads to a process: `a -> P`, or `a -> STOP` if nothing follows")
        }
    };
    p.report(diagnostic);
}

/// A branch that ends with a name that is both a set's and a process's.
fn set_at_end(p: &mut Parser<'_>, place: Span) {
    let span = p.previous_span();
    let name = p.source(span);
    let message =
        format!("`{name}` is read as a set of actions, after which there is no `->` and no process");
    let diagnostic = Diagnostic::error(codes::NO_PROCESS, span, message)
        .with_note(place, format!("the set `{name}` is defined here"))
        .with_help("give the process another name than the set");
    p.report(diagnostic);
}

/// A guard behind an action.
fn late_guard(p: &mut Parser<'_>) {
    let help = "a guard stands at the head of an alternative; open a new choice: `a -> (when (e) b -> P)`";
    p.error_with_help(codes::LATE_GUARD, "a guard cannot stand behind an action", help);
    let unreadable = p.start();
    p.bump();
    expr::expr(p);
    p.complete(unreadable, Unreadable);
}

/// Prefixes or alternatives without their parentheses.
pub(super) fn bare_choice(p: &mut Parser<'_>) -> bool {
    let help = "put parentheses around it: `P = (a -> P).`";
    p.error_with_help(codes::PARENTHESES, "actions and `->` stand in parentheses", help);
    let choice = p.start();
    let mut is_read = branch(p);
    while is_read && p.open_choices == 0 && p.eat(Bar) {
        is_read = branch(p);
    }
    p.complete(choice, Choice);
    is_read
}

/// Whether the name here is an action, judged by what follows it.
pub(super) fn begins_prefix(p: &Parser<'_>) -> bool {
    match p.nth(1) {
        Arrow | LeftBracket | LeftBrace | Question | Not | Lower => true,
        Dot => !at_final_dot(p, 1),
        Colon | ColonColon => true,
        _ => false,
    }
}
