//! Labels, sets of labels and indices.
//!
//! An upper-case name is a label only if it is the name of a set that was defined above: `S -> P` is a prefix then,
//! and `S` a process otherwise.

use rely_base::Diagnostic;
use rely_syntax::Kind;

use super::super::SyntaxKind::{
    Arrow, Backslash, BindPart, Colon, Comma, Dot, DotDot, Equal, IndexPart, Indices, Int, Label, LeftBrace,
    LeftBracket, Lower, Mark, NamePart, Not, Question, RightBrace, RightBracket, SetExpr, SetLiteral,
    SetPart, Slash, Upper,
};
use super::super::parser::{Marks, Parser};
use super::{expr, recover};
use crate::codes;

/// Whether a label begins here.
pub(super) fn at_label(p: &Parser<'_>) -> bool {
    matches!(p.current(), Lower | LeftBracket | LeftBrace) || p.is_set(0)
}

/// Whether the next token is a keyword where only an action makes sense.
pub(super) fn at_keyword_as_action(p: &Parser<'_>) -> bool {
    p.current().is_keyword()
        && matches!(p.nth(1), Arrow | Dot | LeftBracket | Comma | RightBrace | Slash | Question)
}

/// Whether the next token is an upper-case name that is not a set, where only an action makes sense: before `->` or
/// `.a`.
pub(super) fn at_upper_case_action(p: &Parser<'_>) -> bool {
    if !p.at(Upper) || p.is_set(0) {
        return false;
    }
    match p.nth(recover::after_indices(p, 1)) {
        Arrow | Question => true,
        Dot => {
            p.nth(1) == Dot
                && p.is_joined(1)
                && p.is_joined(2)
                && matches!(p.nth(2), Lower | LeftBracket | LeftBrace)
        }
        _ => false,
    }
}

/// `a.b[i].{x, y}`
pub(super) fn label(p: &mut Parser<'_>) -> bool {
    let label = p.start();
    let marked = p.marked;
    let mut is_read = part(p);
    while is_read {
        if p.at(Dot) && at_part_after_dot(p) {
            p.bump();
        } else if !p.at(LeftBracket) {
            break;
        }
        inner_mark(p, marked);
        is_read = part(p);
    }
    if at_mark(p) {
        inner_mark(p, marked);
        mark(p);
    }
    p.complete(label, Label);
    is_read
}

/// A label in which `?` and `!` have another meaning than around it.
pub(super) fn label_with(p: &mut Parser<'_>, marks: Marks) -> bool {
    let around = std::mem::replace(&mut p.marks, marks);
    let is_read = label(p);
    p.marks = around;
    is_read
}

/// Whether the next token is a mark: `?`, or `!` where it is not an operator.
fn at_mark(p: &Parser<'_>) -> bool {
    p.at(Question) || (p.at(Not) && p.marks != Marks::Operators)
}

/// `?` or `!`
fn mark(p: &mut Parser<'_>) {
    let sign = p.text(0);
    if p.marks == Marks::Roles {
        let mark = p.start();
        p.bump();
        p.complete(mark, Mark);
        p.marked += 1;
        return;
    }
    if p.is_interface {
        let message = "an action has its mark where it is taken and in `+ {…}`, and none here";
        p.error_with_help(codes::MARK_PLACE, message, format!("delete the `{sign}`"));
    } else if !std::mem::replace(&mut p.is_refused, true) {
        let kind = if p.at(Question) { "input" } else { "output" };
        let message = format!("`{sign}` marks an {kind}, and only an interface automaton has {kind}s");
        let maybe = match p.at(Question) {
            true => "; the maybe transitions `a?` of MTSA are not part of FSP",
            false => "",
        };
        let help = format!("begin the definition with `interface`, or delete the `{sign}`{maybe}");
        p.error_with_help(codes::MARK, message, help);
    }
    recover::skip_token(p);
}

/// Reports marks inside a label that continues after them: only the whole label can have a mark. `before` is the
/// number of labels with a mark when the label began.
fn inner_mark(p: &mut Parser<'_>, before: usize) {
    if p.marked > before {
        p.error_with_help(
            codes::MARK_PLACE,
            "the actions of this set have marks of their own, so nothing can follow it",
            "the mark stands behind the whole label: `{a, b}.c?`, or `{a?, b!}` where there is only the set",
        );
    }
}

/// Whether the `.` at the current token joins another part to the label, and does not end the definition.
fn at_part_after_dot(p: &Parser<'_>) -> bool {
    match p.nth(1) {
        Lower => p.nth(2) != Equal,
        LeftBracket | LeftBrace => true,
        Int => p.is_joined(1),
        Upper if p.is_set(1) => p.nth(2) != Equal,
        Upper => p.is_joined(0) && p.is_joined(1) && !recover::at_process_head(p, 1),
        kind => kind.is_keyword() && p.is_joined(0) && p.is_joined(1),
    }
}

fn part(p: &mut Parser<'_>) -> bool {
    match p.current() {
        Lower => {
            if p.text(0) == "tau" {
                let help = "to make an action silent, hide it: `P = (a -> P)\\{a}.`";
                p.error_with_help(
                    codes::TAU,
                    "`tau` is the silent action and cannot be used as a label",
                    help,
                );
            }
            name_part(p);
        }
        LeftBrace => return set_part(p),
        Upper if p.is_set(0) => return set_part(p),
        LeftBracket => return index(p),
        Upper => upper_case_part(p),
        Int if matches!(p.nth(1), Arrow | Dot | LeftBracket | Comma | RightBrace) => {
            let help = format!("a number in a label stands in brackets: `[{}]`", p.text(0));
            let found = p.found();
            p.error_with_help(codes::ACTION, format!("a label cannot be the bare number {found}"), help);
            name_part(p);
        }
        kind if kind.is_keyword() && at_keyword_as_action(p) => {
            let message = format!("`{}` is a keyword of FSP and cannot be the name of an action", p.text(0));
            let help = format!("choose another name, such as `{}_`", p.text(0));
            p.error_with_help(codes::KEYWORD_AS_NAME, message, help);
            name_part(p);
        }
        _ => {
            p.expected_as(codes::ACTION, "an action or a set of actions");
            return false;
        }
    }
    true
}

fn name_part(p: &mut Parser<'_>) {
    let part = p.start();
    p.bump();
    p.complete(part, NamePart);
}

fn upper_case_part(p: &mut Parser<'_>) {
    let name = p.text(0);
    if !p.is_new_complaint(name) {
        name_part(p);
        return;
    }
    let diagnostic = Diagnostic::error(
        codes::LOWER_CASE,
        p.span(0),
        format!(
            "the name of an action begins with a lower-case letter, and `{name}` is not the name of a set"
        ),
    );
    let help = if p.overview.sets.contains(name) {
        format!("the set `{name}` must be defined before it is used: move its definition up")
    } else {
        format!("did you mean `{}`?", lower_case(name))
    };
    p.report(diagnostic.with_help(help));
    name_part(p);
}

/// A name in the spelling of an action.
fn lower_case(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        let mut letters = name.chars();
        letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
    } else {
        name.to_ascii_lowercase()
    }
}

fn set_part(p: &mut Parser<'_>) -> bool {
    let part = p.start();
    let is_read = set_expr(p);
    p.complete(part, SetPart);
    is_read
}

/// `{a, b}`, `S`, `S \ {a}`
pub(super) fn set_expr(p: &mut Parser<'_>) -> bool {
    let set = p.start();
    let marked = p.marked;
    let mut is_read = set_base(p);
    if is_read && p.at(Backslash) && matches!(p.nth(1), LeftBrace | Upper) {
        inner_mark(p, marked);
        p.bump();
        let minus = p.start();
        is_read = set_base(p);
        p.complete(minus, SetExpr);
    }
    p.complete(set, SetExpr);
    is_read
}

fn set_base(p: &mut Parser<'_>) -> bool {
    if p.eat(Upper) {
        return true;
    }
    set_literal(p)
}

/// `{a, b}` or `S`, where nothing else is allowed; a single label without braces is read, and reported.
pub(super) fn label_set(p: &mut Parser<'_>) -> bool {
    if p.at(LeftBrace) || p.at(Upper) {
        let set = p.start();
        let is_read = set_base(p);
        p.complete(set, SetExpr);
        return is_read;
    }
    if p.at(Lower) || p.at(LeftBracket) {
        let set = p.start();
        let name = p.text(0);
        p.error_with_help(
            codes::BRACES,
            "labels stand in braces here",
            format!("write them as in `{{{name}}}`"),
        );
        let literal = p.start();
        let is_read = label(p);
        p.complete(literal, SetLiteral);
        p.complete(set, SetExpr);
        return is_read;
    }
    p.expected("`{` and labels, or the name of a set");
    false
}

/// `{a, b[1..2]}`
pub(super) fn set_literal(p: &mut Parser<'_>) -> bool {
    if !p.at(LeftBrace) {
        p.expected("`{`");
        return false;
    }
    if !p.enter() {
        recover::too_deep(p);
        return false;
    }
    let literal = p.start();
    let opening = p.span(0);
    p.bump();
    let is_read = set_elements(p) && recover::close(p, RightBrace, opening);
    p.complete(literal, SetLiteral);
    p.leave();
    is_read
}

fn set_elements(p: &mut Parser<'_>) -> bool {
    if p.at(RightBrace) {
        p.error_with_help(codes::EMPTY_SET, "a set cannot be empty", "leave the whole clause out");
        return true;
    }
    loop {
        if !label(p) {
            return false;
        }
        let is_missing = label_follows(p);
        if is_missing {
            let found = p.found();
            p.error_with_help(
                codes::EXPECTED,
                format!("expected `,` or `}}`, found {found}"),
                "labels are separated by `,`",
            );
        } else if !p.eat(Comma) {
            return true;
        }
        if p.at(RightBrace) {
            p.error_with_help(codes::EXPECTED, "expected a label after `,`, found `}`", "delete the `,`");
            return true;
        }
    }
}

/// Whether another label follows without a `,`.
fn label_follows(p: &Parser<'_>) -> bool {
    p.at(Lower) && matches!(p.nth(1), Comma | RightBrace | Dot | LeftBracket | Question | Not)
}

/// `[i:R][j:0..N]`: the indices of `forall`, of fluents and of progress properties.
pub(super) fn ranges(p: &mut Parser<'_>) -> bool {
    let indices = p.start();
    let mut is_read = true;
    if !p.at(LeftBracket) {
        let help = "indices stand in brackets, as in `forall[i:0..3]`";
        let found = p.found();
        p.error_with_help(codes::EXPECTED, format!("expected `[`, found {found}"), help);
        is_read = false;
    }
    while is_read && p.at(LeftBracket) {
        is_read = index(p);
    }
    p.complete(indices, Indices);
    is_read
}

/// `[e]`, `[0..3]`, `[S]`, `[i:R]`
fn index(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        recover::too_deep(p);
        return false;
    }
    let index = p.start();
    let opening = p.span(0);
    let marks = std::mem::replace(&mut p.marks, Marks::Misplaced);
    p.bump();
    let is_binding = p.at(Lower) && matches!(p.nth(1), Colon | Equal);
    let is_read = if is_binding { binding(p) } else { domain(p).is_some() };
    let is_read = is_read && recover::close(p, RightBracket, opening);
    p.complete(index, if is_binding { BindPart } else { IndexPart });
    p.marks = marks;
    p.leave();
    is_read
}

/// `i:R`
fn binding(p: &mut Parser<'_>) -> bool {
    let variable = p.text(0);
    p.bump();
    if p.at(Equal) {
        let help = format!("write `[{variable}:…]` with a `:`");
        p.error_with_help(
            codes::RANGE,
            format!("expected `:` after the index `{variable}`, found `=`"),
            help,
        );
    }
    p.bump();
    if recover::at_next_definition(p) {
        let help = format!("write `[{variable}:0..3]`, or the name of a range");
        let found = p.found();
        p.error_with_help(
            codes::RANGE,
            format!("expected a range for the index `{variable}`, found {found}"),
            help,
        );
        return false;
    }
    let start = p.span(0);
    let may_be_range = p.at(Upper) && !is_constant(p, p.text(0));
    let Some(shape) = domain(p) else { return false };
    let span = start.to(p.previous_span());
    let written = p.source(span);
    let is_name = may_be_range && written.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if shape == Shape::Value && !is_name {
        let written = rely_syntax::shorten(written);
        let message =
            format!("the index `{variable}` needs a range of values, and `{written}` is a single value");
        let help = format!("did you mean `[{variable}:0..{written}]`?");
        p.report(Diagnostic::error(codes::RANGE, span, message).with_help(help));
    }
    true
}

fn is_constant(p: &Parser<'_>, name: &str) -> bool {
    let names = &p.overview;
    names.constants.contains(name) && !names.ranges.contains(name) && !names.sets.contains(name)
}

/// What was written as the domain of an index.
#[derive(PartialEq, Eq)]
enum Shape {
    /// An expression, or the name of a range or a set.
    Value,
    /// `0..3` or `{a, b}`
    Many,
}

/// What an index ranges over.
fn domain(p: &mut Parser<'_>) -> Option<Shape> {
    if p.at(LeftBrace) || (p.at(Upper) && p.nth(1) == Backslash) {
        return set_expr(p).then_some(Shape::Many);
    }
    if p.at(RightBracket) {
        p.error(codes::EXPRESSION, "expected a value or a range, found `]`");
        return Some(Shape::Many);
    }
    if !expr::expr(p) {
        return None;
    }
    if p.eat(DotDot) {
        return expr::expr(p).then_some(Shape::Many);
    }
    Some(Shape::Value)
}
