//! Compositions.

use rely_base::{Diagnostic, Span};

use super::super::SyntaxKind::{
    Bar, BarBar, Call, Colon, ColonColon, Comma, CompositeDef, CompositeForall, CompositeIf, Dot, ElseKw,
    EndOfText, ForallKw, IfKw, Instance, LeftParen, Lower, Parallel, Prefix, RightBrace, RightBracket,
    RightParen, Semicolon, Share, Slash, Unreadable, Upper,
};
use super::super::parser::{Marker, Parser};
use super::label::at_label;
use super::recover::{
    at_composite_head, at_definition, at_final_dot, at_foreach, at_mtsa_word, at_next_definition,
    at_process_head, is_closed_ahead, skip_definition, skip_token, too_deep,
};
use super::tail::{Owner, at_tail, relabels, tails};
use super::{defined_name, equal, expr, label, params, process};
use crate::codes;

/// `||S(N = 2) = (a:P || Q) / {…} >> {…} \ {…}.`; the modifiers have been read.
pub(super) fn definition(p: &mut Parser<'_>, definition: Marker) {
    p.bump();
    let name = p.text(0);
    let is_named = defined_name(p, "a composition");
    if is_named {
        params(p);
    }
    let is_read = is_named && equal(p) && whole(p) && tails(p, Owner::Composition);
    if is_read {
        end(p, name);
    } else {
        skip_definition(p);
    }
    p.complete(definition, CompositeDef);
}

/// The body of a composition. Parts without parentheses are read, and reported.
fn whole(p: &mut Parser<'_>) -> bool {
    let start = p.span(0);
    if !composite(p) {
        return false;
    }
    let is_bare = (p.at(BarBar) && !at_composite_head(p, 0)) || p.at(Bar);
    if !is_bare {
        return true;
    }
    let span = start.to(p.span(0));
    let message = "a parallel composition stands in parentheses";
    let help = "put parentheses around it: `||S = (P || Q).`";
    p.report(Diagnostic::error(codes::COMPOSITION_PARENTHESES, span, message).with_help(help));
    while p.at(BarBar) || p.at(Bar) {
        p.bump();
        if !composite(p) {
            return false;
        }
    }
    true
}

/// The `.` of a composition.
fn end(p: &mut Parser<'_>, name: &str) {
    while matches!(p.current(), RightParen | RightBracket | RightBrace) {
        let message = format!("this `{}` closes nothing", p.text(0));
        p.error_with_help(
            codes::UNOPENED_BRACKET,
            message,
            "delete it, or open the bracket that it should close",
        );
        skip_token(p);
        p.mark_reported();
    }
    match p.current() {
        Dot => p.bump(),
        Semicolon => {
            p.error_with_help(
                codes::END_OF_DEFINITION,
                "a composition does not end with `;`",
                "end it with `.`",
            );
            skip_token(p);
        }
        _ if p.at(EndOfText) || at_definition(p, 0) || at_process_head(p, 0) => {
            let message = format!("the definition of `{name}` does not end with `.`");
            let span = p.previous_span();
            p.report(Diagnostic::error(codes::NO_DOT, span, message).with_help("put a `.` behind this"));
        }
        _ => {
            p.expected("`.`");
            skip_definition(p);
        }
    }
}

/// `a:P`, `(P || Q)`, `forall[i:R] P`, `if e then P else Q`
fn composite(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        too_deep(p);
        return false;
    }
    let is_read = match p.current() {
        Lower if p.text(0) == "foreach" && at_mtsa_word(p, 0) => foreach(p),
        Lower if at_foreach(p) => foreach(p),
        _ if at_next_definition(p) => missing_part(p),
        IfKw => condition(p),
        ForallKw => forall(p),
        _ => instance(p),
    };
    p.leave();
    is_read
}

fn foreach(p: &mut Parser<'_>) -> bool {
    let message = "`foreach` belongs to MTSA, another tool, and is not part of FSP";
    p.error_with_help(codes::MTSA, message, "did you mean `forall`?");
    false
}

fn condition(p: &mut Parser<'_>) -> bool {
    let condition = p.start();
    p.bump();
    let mut is_read = expr::expr(p) && process::then(p) && composite(p);
    if is_read && p.eat(ElseKw) {
        is_read = composite(p);
    }
    p.complete(condition, CompositeIf);
    is_read
}

fn forall(p: &mut Parser<'_>) -> bool {
    let forall = p.start();
    p.bump();
    let is_read = label::ranges(p) && composite(p);
    p.complete(forall, CompositeForall);
    is_read
}

/// `share::prefix:P / {…}`
fn instance(p: &mut Parser<'_>) -> bool {
    let instance = p.start();
    let is_read = labels_before(p) && instantiated(p) && (!p.at(Slash) || relabels(p));
    p.complete(instance, Instance);
    is_read
}

/// `share::prefix:`
fn labels_before(p: &mut Parser<'_>) -> bool {
    if is_lower_case_process(p) {
        return true;
    }
    let is_upper_case_prefix = p.at(Upper) && matches!(p.nth(1), Colon | ColonColon);
    if !at_label(p) && !is_upper_case_prefix {
        return true;
    }
    let prefix = p.start();
    if !label::label(p) {
        p.complete(prefix, Unreadable);
        return false;
    }
    if p.eat(ColonColon) {
        p.complete(prefix, Share);
        return !at_label(p) || is_lower_case_process(p) || second_prefix(p);
    }
    let is_read = p.eat(Colon);
    if !is_read {
        let message = format!("expected `:` or `::` and a process after the label, found {}", p.found());
        p.error_with_help(codes::EXPECTED, message, "a labelled process is written `a:P`");
    }
    p.complete(prefix, Prefix);
    is_read
}

fn second_prefix(p: &mut Parser<'_>) -> bool {
    let prefix = p.start();
    let is_read = label::label(p) && p.expect(Colon);
    p.complete(prefix, Prefix);
    is_read
}

/// Whether the next token is a process that was written in lower case.
fn is_lower_case_process(p: &Parser<'_>) -> bool {
    p.at(Lower)
        && (matches!(p.nth(1), BarBar | Bar | RightParen | Slash | LeftParen | EndOfText)
            || at_final_dot(p, 1))
}

/// `P(3)` or `(P || Q)`
fn instantiated(p: &mut Parser<'_>) -> bool {
    match p.current() {
        LeftParen => parallel(p),
        Upper => process::call(p),
        Lower if is_lower_case_process(p) => {
            let name = p.text(0);
            if !p.overview.lower_case_processes.contains(name) {
                let message =
                    format!("expected a process, found `{name}`, which begins with a lower-case letter");
                let meant = p.overview.process_like(name).unwrap_or_else(|| super::upper_case(name));
                p.error_meaning(codes::UPPER_CASE, message, &meant);
            }
            let call = p.start();
            p.bump();
            p.complete(call, Call);
            true
        }
        _ => missing_part(p),
    }
}

fn missing_part(p: &mut Parser<'_>) -> bool {
    let message = format!("expected a process or `(`, found {}", p.found());
    p.error_with_help(codes::EXPECTED, message, "a composition is written `(P || a:Q || R(3))`");
    false
}

/// `(P || Q)`
fn parallel(p: &mut Parser<'_>) -> bool {
    let parallel = p.start();
    let opening = p.span(0);
    p.bump();
    let is_read = if p.at(RightParen) {
        let span = opening.to(p.span(0));
        let help = "put the processes to be composed between the parentheses";
        p.report(
            Diagnostic::error(codes::EMPTY_COMPOSITION, span, "this composition is empty").with_help(help),
        );
        p.bump();
        true
    } else {
        parts(p, opening)
    };
    p.complete(parallel, Parallel);
    is_read
}

fn parts(p: &mut Parser<'_>, opening: Span) -> bool {
    loop {
        if !composite(p) {
            return false;
        }
        while at_tail(p) && (p.is_uncertain() || is_closed_ahead(p)) {
            misplaced_tail(p);
        }
        match p.current() {
            BarBar if !at_composite_head(p, 0) => p.bump(),
            RightParen => {
                p.bump();
                return true;
            }
            Bar | Comma => {
                let help = "processes are composed with `||`; `|` separates the alternatives of a choice";
                let found = p.found();
                p.error_with_help(codes::COMPOSITION_BAR, format!("expected `||`, found {found}"), help);
                p.bump();
            }
            _ if at_tail(p) || p.at(EndOfText) || at_final_dot(p, 0) || at_definition(p, 0) => {
                unclosed(p, opening);
                return true;
            }
            Upper | Lower | LeftParen => p.expected("`||` between two processes"),
            _ => {
                p.expected("`||` or `)`");
                return false;
            }
        }
    }
}

fn unclosed(p: &mut Parser<'_>, opening: Span) {
    let message = format!("expected `)`, found {}", p.found());
    let diagnostic = Diagnostic::error(codes::UNCLOSED_BRACKET, p.span(0), message)
        .with_note(opening, "this `(` is not closed")
        .with_help("close it with `)`");
    p.report(diagnostic);
}

/// `(P \ {a} || Q)`: hiding and priority are for whole definitions.
fn misplaced_tail(p: &mut Parser<'_>) {
    let message = format!("`{}` cannot be applied to a part of a composition", p.text(0));
    let help = "give the part a definition of its own: `||A = P\\{a}.`";
    p.error_with_help(codes::TAIL_ORDER, message, help);
    p.be_uncertain();
    let unreadable = p.start();
    p.bump();
    label::label_set(p);
    p.complete(unreadable, Unreadable);
}
