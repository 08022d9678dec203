//! Machines: states, nested states and transitions.

use super::super::SyntaxKind::{
    AfterKw, Arrow, Colon, Comma, Condition, Dot, EndOfText, ExistsKw, FalseKw, ForallKw, LeftBrace,
    LeftBracket, LeftParen, Lower, MachineDef, Name, Not, OnKw, Outputs, RightBracket, Slash, StateDef,
    StateKw, StateRef, Transition, TrueKw, Upper,
};
use super::{Parser, binders, body, defined_name, event, expr, indices, recover};
use crate::codes;
use recover::{skip_item, skip_transition};

/// How far the parser looks ahead for the arrow behind an index.
const FAR: usize = 64;

/// `machine M[i: 1..N] { … }`
pub(super) fn machine(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    if defined_name(p, Upper, "a machine") && binders(p) {
        body(p, "machine", recover::at_item, part);
    } else {
        skip_item(p);
    }
    p.complete(definition, MachineDef);
}

/// A state or a transition.
fn part(p: &mut Parser<'_>) {
    match p.current() {
        StateKw if !at_transition(p, 0) => state(p),
        ForallKw if p.nth(1) == LeftBracket && p.nth(3) == Colon => transition(p),
        kind if kind.names_state() => transition(p),
        _ => {
            let message = format!("expected a state or a transition, found {}", p.found());
            let help = "a transition is written `from -> to on condition / events`";
            p.error_with_help(codes::EXPECTED, message, help);
            skip_transition(p);
        }
    }
}

/// `state s`, or `state s { … }` with states in it.
fn state(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = if p.current().names_state() {
        let name = p.start();
        p.bump();
        p.complete(name, Name);
        indices(p)
    } else {
        defined_name(p, Lower, "a state") && indices(p)
    };
    if !is_read {
        skip_transition(p);
    } else if p.at(LeftBrace) {
        if p.enter() {
            body(p, "state", recover::at_item, part);
            p.leave();
        } else {
            recover::too_deep(p);
        }
    }
    p.complete(definition, StateDef);
}

/// `forall [i: 1..N] a[i] -> b on condition / events`
fn transition(p: &mut Parser<'_>) {
    let transition = p.start();
    let is_bound = !(p.at(ForallKw) && p.nth(1) == LeftBracket) || {
        p.bump();
        binders(p)
    };
    let is_read = is_bound && state_ref(p) && arrow(p) && target(p) && condition(p) && outputs(p);
    if !is_read {
        skip_transition(p);
    }
    p.complete(transition, Transition);
}

fn arrow(p: &mut Parser<'_>) -> bool {
    if p.eat(Arrow) {
        return true;
    }
    let message = format!("expected `->`, found {}", p.found());
    p.error_with_help(codes::EXPECTED, message, "a transition is written `from -> to on condition / events`");
    false
}

/// The state behind the arrow. In `a -> on x` it is missing: `on` begins the condition.
fn target(p: &mut Parser<'_>) -> bool {
    let is_missing = p.at(OnKw) && at_condition(p, 1);
    if is_missing {
        p.expected("the state that the transition leads to");
    }
    !is_missing && state_ref(p)
}

/// Whether a condition, and no further transition, begins `n` tokens ahead.
fn at_condition(p: &Parser<'_>, n: usize) -> bool {
    let begins = matches!(p.nth(n), Lower | Upper | Not | LeftParen | AfterKw | TrueKw | FalseKw | ExistsKw);
    begins && !at_transition(p, n)
}

/// `s` or `s[i + 1]`
fn state_ref(p: &mut Parser<'_>) -> bool {
    let state = p.start();
    if !p.current().names_state() {
        p.abandon(state);
        if p.at(Upper) {
            let message = format!("expected the name of a state, found {}", p.found());
            p.error_with_help(codes::CASE, message, "the name of a state begins with a lower-case letter");
        } else {
            p.expected("the name of a state");
        }
        return false;
    }
    p.bump();
    let is_read = indices(p);
    p.complete(state, StateRef);
    is_read
}

/// `on condition`, or nothing: then the transition is always enabled.
fn condition(p: &mut Parser<'_>) -> bool {
    if !p.at(OnKw) || at_transition(p, 0) {
        return true;
    }
    let condition = p.start();
    p.bump();
    let is_empty = at_transition(p, 0) && p.is_first_of_line(0);
    if is_empty {
        p.expected("a condition behind `on`");
    }
    let is_read = is_empty || expr::condition(p);
    p.complete(condition, Condition);
    is_read
}

/// `/ a, b[1..N]`, or nothing.
fn outputs(p: &mut Parser<'_>) -> bool {
    if !p.at(Slash) {
        return true;
    }
    let outputs = p.start();
    p.bump();
    let mut is_read = true;
    while is_read {
        is_read = event(p);
        if !p.eat(Comma) {
            break;
        }
    }
    p.complete(outputs, Outputs);
    is_read
}

/// Whether a transition begins `n` tokens ahead: the name of a state, an index perhaps, and an arrow.
pub(super) fn at_transition(p: &Parser<'_>, n: usize) -> bool {
    if !p.nth(n).names_state() || p.before(n) == Dot && n > 0 {
        return false;
    }
    let mut open = 0_u32;
    for ahead in n + 1..n + FAR {
        match p.nth(ahead) {
            LeftBracket => open += 1,
            RightBracket if open > 0 => open -= 1,
            EndOfText => return false,
            kind if open == 0 => return kind == Arrow,
            _ => {}
        }
    }
    false
}
