//! Statements.

use rely_base::Span;

use super::declarations::{body, parameters, pragma};
use super::expressions::{discrete_range, expr, name};
use super::{P, end_name, ident, outside, outside_at, semicolon, skip_past_semicolon};
use crate::ast::{
    Accept, Alternative, AlternativeKind, CaseArm, Ident, Loop, LoopScheme, Select, Stmt, StmtKind,
};
use crate::codes;
use crate::kind::Token::{self, *};

/// Statements up to `end`, or another word that ends the list.
pub(super) fn statements(p: &mut P<'_>, unread: &mut Vec<Ident>, ends: &[Token]) -> Vec<Stmt> {
    let mut all = Vec::new();
    loop {
        if matches!(p.current(), End | Exception | EndOfText) || ends.contains(&p.current()) {
            return all;
        }
        let before = p.span(0);
        match statement(p, unread) {
            Some(statement) => all.extend(statement),
            None => recover(p, before),
        }
    }
}

/// Reads to a place where a statement may begin, or a list of them end.
fn recover(p: &mut P<'_>, start: Span) {
    let mut is_first = p.span(0) == start;
    while !p.at(EndOfText) {
        let is_boundary = matches!(
            p.current(),
            End | Else
                | Elsif
                | When
                | Accept
                | If
                | Case
                | Loop
                | While
                | For
                | Select
                | Null
                | Exit
                | Return
        );
        if is_boundary && !is_first {
            break;
        }
        is_first = false;
        if p.eat(Semicolon) {
            break;
        }
        p.bump();
    }
    p.forget_reported();
}

/// A statement; a pragma that marks nothing gives no statement.
pub(super) fn statement(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Option<Stmt>> {
    if !p.enter() {
        p.error_with_help(codes::TOO_DEEP, "this is nested too deeply", "move a part of it into a procedure");
        return None;
    }
    let start = p.span(0);
    let kind = statement_kind(p, unread);
    p.leave();
    let kind = kind?;
    let span = match &kind {
        Some(StmtKind::Accept(accept)) => accept.span,
        Some(StmtKind::If(arms, _)) => arms.first().map_or(start, |(condition, _)| start.to(condition.span)),
        Some(StmtKind::Case(selector, _)) => start.to(selector.span),
        Some(StmtKind::Loop(_) | StmtKind::Block(..) | StmtKind::Select(_)) => start,
        _ => start.to(p.previous_span()),
    };
    Some(kind.map(|kind| Stmt { kind, span }))
}

fn statement_kind(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Option<StmtKind>> {
    let kind = match p.current() {
        Null => {
            p.bump();
            semicolon(p).then_some(StmtKind::Null)?
        }
        Delay => {
            delay(p)?;
            StmtKind::Delay
        }
        If => conditional(p, unread)?,
        Case => case(p, unread)?,
        Loop | While | For => StmtKind::Loop(loop_statement(p, None, unread)?),
        Exit => {
            p.bump();
            let label = if p.at(Name) { ident(p) } else { None };
            let condition = p.eat(When).then(|| expr(p));
            semicolon(p).then_some(StmtKind::Exit(label, condition))?
        }
        Return => {
            p.bump();
            let value = if p.at(Semicolon) { None } else { Some(expr(p)) };
            semicolon(p).then_some(StmtKind::Return(value))?
        }
        Declare | Begin => block(p, unread)?,
        Accept => StmtKind::Accept(accept(p, unread)?),
        Select => StmtKind::Select(select(p, unread)?),
        Pragma => return Some(pragma(p).map(StmtKind::Event)),
        Name if p.nth(1) == Colon => {
            let label = ident(p)?;
            p.bump();
            if !matches!(p.current(), Loop | While | For) {
                let span = label.span;
                outside_at(p, span, "a label of something other than a loop", "leave the label out");
                return None;
            }
            StmtKind::Loop(loop_statement(p, Some(label), unread)?)
        }
        Name => {
            let name = name(p)?;
            if p.eat(Becomes) {
                let value = expr(p);
                semicolon(p).then_some(StmtKind::Assign(name, value))?
            } else if p.at(Tick) {
                outside_at(p, name.span, "an attribute as a statement", "write a loop or an assignment");
                return None;
            } else {
                semicolon(p).then_some(StmtKind::Call(name))?
            }
        }
        kind => {
            refuse(p, kind);
            return Some(None);
        }
    };
    Some(Some(kind))
}

/// What is Ada and outside of the subset, or no statement at all.
fn refuse(p: &mut P<'_>, kind: Token) {
    match kind {
        Abort => outside(p, "`abort`", "let the task accept an entry that makes it end"),
        Requeue => outside(p, "`requeue`", "let the caller call the other entry itself"),
        Raise => outside(p, "`raise`", "mark the place with `pragma Annotate (Rely, Event, \"error\");`"),
        Goto | LabelOpen => outside(p, "`goto`", "use loops and `exit`"),
        _ => {
            p.expected("a statement");
            skip_past_semicolon(p);
        }
    }
}

/// `delay E;` takes time. How much does not matter: others may do anything meanwhile.
fn delay(p: &mut P<'_>) -> Option<()> {
    p.bump();
    p.eat(Until);
    expr(p);
    semicolon(p).then_some(())
}

fn conditional(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<StmtKind> {
    let mut arms = Vec::new();
    let mut otherwise = Vec::new();
    loop {
        p.bump();
        let condition = expr(p);
        word(p, Then);
        arms.push((condition, statements(p, unread, &[Else, Elsif])));
        if p.at(Else) {
            p.bump();
            otherwise = statements(p, unread, &[]);
        }
        if !p.at(Elsif) {
            break;
        }
    }
    end_of(p, If).then_some(StmtKind::If(arms, otherwise))
}

/// A word that has to be there. Another one in its place, on the same line, is read as a slip.
fn word(p: &mut P<'_>, kind: Token) {
    if !p.expect(kind) && p.at(Name) && !p.is_first_of_line(0) {
        p.bump();
    }
}

/// `end if;` and the like.
fn end_of(p: &mut P<'_>, word: Token) -> bool {
    p.expect(End) && p.expect(word) && semicolon(p)
}

fn case(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<StmtKind> {
    p.bump();
    let selector = expr(p);
    word(p, Is);
    let mut arms = Vec::new();
    while p.at(When) {
        let start = p.span(0);
        p.bump();
        let choices = if p.eat(Others) {
            None
        } else {
            let mut choices = vec![discrete_range(p)?];
            while p.eat(Bar) {
                choices.push(discrete_range(p)?);
            }
            Some(choices)
        };
        let span = start.to(p.previous_span());
        if !p.expect(Arrow) {
            return None;
        }
        arms.push(CaseArm { choices, statements: statements(p, unread, &[When]), span });
    }
    end_of(p, Case).then_some(StmtKind::Case(selector, arms))
}

fn loop_statement(p: &mut P<'_>, label: Option<Ident>, unread: &mut Vec<Ident>) -> Option<Loop> {
    let scheme = match p.current() {
        While => {
            p.bump();
            LoopScheme::While(expr(p))
        }
        For => {
            p.bump();
            let name = ident(p)?;
            if p.at(Of) {
                let span = p.span(0);
                outside_at(p, span, "a loop over elements", "write `for I in A'Range loop`");
                return None;
            }
            if !p.expect(In) {
                return None;
            }
            let reverse = p.eat(Reverse);
            LoopScheme::For { name, reverse, range: discrete_range(p)? }
        }
        _ => LoopScheme::Forever,
    };
    word(p, Loop);
    let body = statements(p, unread, &[]);
    if !p.expect(End) || !p.expect(Loop) {
        return None;
    }
    if let Some(label) = &label {
        end_name(p, label);
    }
    semicolon(p).then_some(Loop { label, scheme, body })
}

fn block(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<StmtKind> {
    p.eat(Declare);
    let (declarations, statements) = body(p, unread)?;
    semicolon(p).then_some(StmtKind::Block(declarations, statements))
}

fn accept(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Accept> {
    let start = p.span(0);
    p.bump();
    let entry = ident(p)?;
    let span = start.to(entry.span);
    let mut family = None;
    if p.at(Open) && !(p.nth(1) == Name && matches!(p.nth(2), Colon | Comma)) {
        p.bump();
        family = Some(expr(p));
        if !p.expect(Close) {
            return None;
        }
    }
    let parameters = parameters(p)?;
    let mut accept = Accept { entry, family, parameters, body: None, span, end: span };
    if p.eat(Do) {
        accept.body = Some(statements(p, unread, &[]));
        if !p.expect(End) {
            return None;
        }
        accept.end = p.previous_span();
        end_name(p, &accept.entry);
    }
    semicolon(p).then_some(accept)
}

fn select(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Select> {
    let mut select = Select { alternatives: Vec::new(), otherwise: None };
    loop {
        p.bump();
        select.alternatives.push(alternative(p, unread)?);
        if !p.at(Or) {
            break;
        }
    }
    if p.eat(Else) {
        select.otherwise = Some(statements(p, unread, &[]));
    } else if p.at(Then) {
        let span = p.span(0);
        outside_at(p, span, "`then abort`", "use a timed or conditional entry call");
        return None;
    }
    end_of(p, Select).then_some(select)
}

fn alternative(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Alternative> {
    let guard = if p.eat(When) {
        let guard = expr(p);
        if !p.expect(Arrow) {
            return None;
        }
        Some(guard)
    } else {
        None
    };
    let (kind, span) = match p.current() {
        Accept => {
            let accept = accept(p, unread)?;
            let span = accept.span;
            (AlternativeKind::Accept(accept), span)
        }
        Delay => {
            let begin = p.span(0);
            delay(p)?;
            (AlternativeKind::Delay, begin.to(p.previous_span()))
        }
        Terminate => {
            let span = p.span(0);
            p.bump();
            semicolon(p).then_some((AlternativeKind::Terminate, span))?
        }
        Name => {
            let name = name(p)?;
            let span = name.span;
            semicolon(p).then_some((AlternativeKind::Call(name), span))?
        }
        _ => {
            p.expected("`accept`, `delay`, `terminate` or a call of an entry");
            return None;
        }
    };
    Some(Alternative { guard, kind, statements: statements(p, unread, &[Or, Else, Then]), span })
}
