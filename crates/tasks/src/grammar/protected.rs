//! Protected objects: data that one task at a time may use.
//!
//! A protected object is read as a task that does one operation after the other until everybody is done with it. Its
//! data are variables of that task; an operation is an `accept` with the body of the operation, and a barrier is its guard.
//! No operation begins before the last one has ended, and barriers are evaluated again after each: nothing else can change
//! the data that they depend on. That barriers depend on nothing else is checked where names are looked up.

use super::declarations::{body, declarations, entry, parameters, pragma};
use super::expressions::expr;
use super::{P, end_name, ident, outside, outside_at, semicolon, skip_past_semicolon};
use crate::ast::{
    Accept, Alternative, AlternativeKind, Declaration, Entry, Ident, Loop, LoopScheme, Select, Stmt,
    StmtKind, TaskBody, TaskSpec,
};
use crate::kind::Token::*;

/// The specification or the body of a protected object or type.
pub(super) fn protected(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Declaration> {
    p.bump();
    if p.eat(Body) {
        return protected_body(p, unread).map(Declaration::TaskBody);
    }
    let is_type = p.eat(Type);
    let name = ident(p)?;
    let discriminants = if is_type { parameters(p)? } else { Vec::new() };
    if !p.expect(Is) {
        return None;
    }
    let mut entries = Vec::new();
    let mut private = Vec::new();
    loop {
        match p.current() {
            Entry => match entry(p) {
                Some(entry) => entries.push(entry),
                None => skip_past_semicolon(p),
            },
            Procedure => match procedure(p) {
                Some(entry) => entries.push(entry),
                None => skip_past_semicolon(p),
            },
            Function => {
                refuse_function(p);
                unread.push(name.clone());
            }
            Pragma => {
                pragma(p);
            }
            Private => {
                p.bump();
                private = declarations(p, unread);
            }
            End => break,
            _ => {
                p.expected("`entry`, `procedure`, `private` or `end`");
                return None;
            }
        }
    }
    p.bump();
    end_name(p, &name);
    let spec = TaskSpec { name, is_type, discriminants, entries, private: Some(private) };
    semicolon(p).then_some(Declaration::Task(spec))
}

/// A procedure of a protected object: an entry that is always open.
fn procedure(p: &mut P<'_>) -> Option<Entry> {
    p.bump();
    let name = ident(p)?;
    let parameters = parameters(p)?;
    semicolon(p).then_some(Entry { name, family: None, parameters })
}

fn refuse_function(p: &mut P<'_>) {
    outside(p, "a function of a protected object", "write a procedure with a parameter of mode `out`");
}

fn protected_body(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<TaskBody> {
    let name = ident(p)?;
    if !p.expect(Is) {
        return None;
    }
    let mut alternatives = Vec::new();
    loop {
        match p.current() {
            Entry | Procedure => alternatives.push(operation(p, unread)?),
            Function => {
                refuse_function(p);
                return None;
            }
            Pragma => {
                pragma(p);
            }
            End => break,
            _ => {
                p.expected("`entry`, `procedure` or `end`");
                return None;
            }
        }
    }
    let end = p.span(0);
    p.bump();
    end_name(p, &name);
    semicolon(p);
    let leave = Alternative {
        guard: None,
        kind: AlternativeKind::Terminate,
        statements: Vec::new(),
        span: name.span,
    };
    alternatives.push(leave);
    let select = Stmt { kind: StmtKind::Select(Select { alternatives, otherwise: None }), span: name.span };
    let forever = Loop { label: None, scheme: LoopScheme::Forever, body: vec![select] };
    let statements = vec![Stmt { kind: StmtKind::Loop(forever), span: name.span }];
    Some(TaskBody { name, is_protected: true, declarations: Vec::new(), statements, end })
}

/// The body of an entry or procedure.
fn operation(p: &mut P<'_>, unread: &mut Vec<Ident>) -> Option<Alternative> {
    let is_entry = p.at(Entry);
    let start = p.span(0);
    p.bump();
    let entry = ident(p)?;
    if p.at(Open) && p.nth(1) == For {
        let advice = "write an entry for each index";
        outside_at(p, entry.span, "a family of entries of a protected object", advice);
        return None;
    }
    let parameters = parameters(p)?;
    let mut guard = None;
    if is_entry {
        if !p.expect(When) {
            return None;
        }
        guard = Some(expr(p));
    }
    let span = start.to(entry.span);
    if !p.expect(Is) {
        return None;
    }
    if !p.enter() {
        p.error(crate::codes::TOO_DEEP, "this is nested too deeply");
        return None;
    }
    let read = body(p, unread);
    p.leave();
    let (declarations, mut statements) = read?;
    let end = p.previous_span();
    end_name(p, &entry);
    semicolon(p);
    if !declarations.is_empty() {
        statements = vec![Stmt { kind: StmtKind::Block(declarations, statements), span }];
    }
    let accept = Accept { entry, family: None, parameters, body: Some(statements), span, end };
    Some(Alternative { guard, kind: AlternativeKind::Accept(accept), statements: Vec::new(), span })
}
