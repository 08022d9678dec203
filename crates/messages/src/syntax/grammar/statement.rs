//! Statements: what a state does when it is entered.

use super::super::Parser;
use super::super::SyntaxKind::{
    Arguments, Assign, AssignStmt, Block, Comma, ElseKw, EndOfText, Equal, Ident, IfKw, IfStmt, LeftBrace,
    LeftParen, RightBrace, RightParen, Semicolon, SendKw, SendStmt,
};
use super::{expr, recover};
use crate::codes;

/// `{ statement; statement }`
pub(super) fn block(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        recover::too_deep(p);
        return false;
    }
    let is_read = statements(p);
    p.leave();
    is_read
}

fn statements(p: &mut Parser<'_>) -> bool {
    let opening = p.span(0);
    if !p.expect(LeftBrace) {
        return false;
    }
    while p.eat(Semicolon) {}
    while !p.at(RightBrace) {
        if p.at(EndOfText) || recover::at_definition(p) {
            return recover::close(p, RightBrace, opening);
        }
        let is_block = p.at(IfKw);
        if !statement(p) {
            return recover::skip_block(p, opening);
        }
        if !p.at(Semicolon) && !p.at(RightBrace) && !is_block && begins_statement(p) {
            let message = format!("expected `;` between two statements, found {}", p.found());
            p.error_with_help(codes::SEPARATOR, message, "put `;` before it");
        } else if !p.at(Semicolon) && !p.at(RightBrace) && !is_block {
            p.expected_as(codes::STATEMENT, "`;` or `}` after the statement");
            return recover::skip_block(p, opening);
        }
        while p.eat(Semicolon) {}
    }
    p.bump();
    true
}

fn begins_statement(p: &Parser<'_>) -> bool {
    matches!(p.current(), SendKw | IfKw | Ident)
}

fn statement(p: &mut Parser<'_>) -> bool {
    match p.current() {
        SendKw => send(p),
        IfKw => condition(p),
        Ident => assignment(p),
        _ => {
            let message = format!("expected a statement, found {}", p.found());
            let help = "a statement is `x := e`, `send message(e)` or `if e { … }`";
            p.error_with_help(codes::STATEMENT, message, help);
            false
        }
    }
}

/// `x := e`
fn assignment(p: &mut Parser<'_>) -> bool {
    let assignment = p.start();
    let mut is_read = expr::path(p);
    if is_read && p.at(Equal) {
        p.error_with_help(
            codes::ASSIGNMENT,
            "expected `:=`, found `=`",
            "`:=` assigns a value to a variable",
        );
        p.bump();
    } else if is_read && !p.eat(Assign) {
        let message = format!("expected `:=` and a value, found {}", p.found());
        p.error_with_help(codes::STATEMENT, message, "a message is sent with `send`");
        is_read = false;
    }
    is_read = is_read && expr::expr(p);
    p.complete(assignment, AssignStmt);
    is_read
}

/// `send App.sample(any 0..1)`
fn send(p: &mut Parser<'_>) -> bool {
    let send = p.start();
    p.bump();
    let is_read = expr::path(p) && (!p.at(LeftParen) || arguments(p));
    p.complete(send, SendStmt);
    is_read
}

/// `(e, e)`
pub(super) fn arguments(p: &mut Parser<'_>) -> bool {
    let arguments = p.start();
    let opening = p.span(0);
    p.bump();
    let mut is_read = expr::expr(p);
    while is_read && p.eat(Comma) {
        is_read = expr::expr(p);
    }
    is_read = is_read && recover::close(p, RightParen, opening);
    p.complete(arguments, Arguments);
    is_read
}

/// `if e { … } else { … }`
fn condition(p: &mut Parser<'_>) -> bool {
    let condition = p.start();
    p.bump();
    let mut is_read = expr::expr(p) && inner_block(p);
    if is_read && p.eat(ElseKw) {
        is_read = match p.at(IfKw) {
            true => else_if(p),
            false => inner_block(p),
        };
    }
    p.complete(condition, IfStmt);
    is_read
}

fn inner_block(p: &mut Parser<'_>) -> bool {
    let node = p.start();
    let is_read = block(p);
    p.complete(node, Block);
    is_read
}

/// The `if` behind `else`, which nests.
fn else_if(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        recover::too_deep(p);
        return false;
    }
    let is_read = condition(p);
    p.leave();
    is_read
}
