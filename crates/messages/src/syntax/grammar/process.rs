//! Processes: variables, states with what is done on entering them, and transitions on messages.

use super::super::Parser;
use super::super::SyntaxKind::{
    Arrow, Block, Colon, Comma, Equal, FinalKw, Ident, InputKw, InputList, LeftBrace, LeftBracket, LeftParen,
    OnKw, Pattern, Patterns, ProcessDef, QueueKw, RightParen, Sources, State, StateKw, Transition, Variable,
    VisibleKw,
};
use super::{component, equal, expr, messages, name, recover, statement, type_expr};
use crate::codes;

/// `process P { … }` or `process P[i: 1..3] { … }`
pub(super) fn definition(p: &mut Parser<'_>) -> bool {
    let process = p.start();
    p.bump();
    let is_read = name(p, "a process") && (!p.at(LeftBracket) || expr::index(p)) && recover::block(p, member);
    p.complete(process, ProcessDef);
    is_read
}

fn member(p: &mut Parser<'_>) -> bool {
    match (p.current(), p.nth(1)) {
        (VisibleKw, _) | (Ident, Colon | LeftBracket) => variable(p),
        (StateKw | FinalKw, _) => state(p),
        (QueueKw, _) => component::queue(p),
        (InputKw, _) => {
            let list = p.start();
            p.bump();
            let is_read = messages(p);
            p.complete(list, InputList);
            is_read
        }
        (Ident, _) => transition(p),
        _ => {
            let message = format!("expected a member of the process, found {}", p.found());
            let help =
                "a process has variables `x: bool`, states `state s { … }`, and transitions `s -> t on m`";
            p.error_with_help(codes::NO_MEMBER, message, help);
            false
        }
    }
}

/// `visible x: 0..3 = 1` or `x[1..2]: bool`
fn variable(p: &mut Parser<'_>) -> bool {
    let variable = p.start();
    p.eat(VisibleKw);
    let mut is_read =
        name(p, "a variable") && (!p.at(LeftBracket) || expr::index(p)) && p.expect(Colon) && type_expr(p);
    if is_read && (p.at(Equal) || p.at(super::Assign)) {
        is_read = equal(p) && expr::additive(p);
    }
    p.complete(variable, Variable);
    is_read
}

/// `state s`, `final state s { x := 1 }`
fn state(p: &mut Parser<'_>) -> bool {
    let state = p.start();
    p.eat(FinalKw);
    let mut is_read = p.expect(StateKw) && name(p, "a state");
    if is_read && p.at(LeftBrace) {
        let block = p.start();
        is_read = statement::block(p);
        p.complete(block, Block);
    }
    p.complete(state, State);
    is_read
}

/// `a, b -> c on m(x, _)`
fn transition(p: &mut Parser<'_>) -> bool {
    let transition = p.start();
    let sources = p.start();
    let mut is_read = name(p, "a state");
    while is_read && p.eat(Comma) {
        is_read = name(p, "a state");
    }
    p.complete(sources, Sources);
    if is_read && !p.at(Arrow) {
        p.expected_as(codes::TRANSITION, "`->` and the state that follows");
        is_read = false;
    }
    is_read = is_read && p.expect(Arrow) && name(p, "a state");
    if is_read && !p.at(OnKw) {
        p.expected_as(codes::TRANSITION, "`on` and a message");
        is_read = false;
    }
    if is_read {
        p.bump();
        is_read = name(p, "a message") && (!p.at(LeftParen) || patterns(p));
    }
    p.complete(transition, Transition);
    is_read
}

/// `(x, _, 3)`: where the parameters of the message go, or what they have to be.
fn patterns(p: &mut Parser<'_>) -> bool {
    let patterns = p.start();
    let opening = p.span(0);
    p.bump();
    let mut is_read = pattern(p);
    while is_read && p.eat(Comma) {
        is_read = pattern(p);
    }
    is_read = is_read && recover::close(p, RightParen, opening);
    p.complete(patterns, Patterns);
    is_read
}

fn pattern(p: &mut Parser<'_>) -> bool {
    let pattern = p.start();
    let is_read = expr::additive(p);
    p.complete(pattern, Pattern);
    is_read
}
