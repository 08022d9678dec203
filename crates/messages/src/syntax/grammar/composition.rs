//! Compositions: parts, and which output of which part goes to which input of which part.

use super::super::Parser;
use super::super::SyntaxKind::{
    Arrow, Bar, BarBar, Colon, Comma, Dot, EndOfText, Ident, LeftBracket, Part, PropertyKw, RightBracket,
    Wiring,
};
use super::{equal, expr, name, property};
use crate::codes;

/// How far ahead the arrow of a connection is looked for.
const FAR: usize = 64;

/// `= A || b: B`
pub(super) fn parts(p: &mut Parser<'_>) -> bool {
    let mut is_read = equal(p) && part(p);
    while is_read && (p.at(BarBar) || p.at(Bar)) {
        if p.at(Bar) {
            let help = "write `||`";
            p.error_with_help(codes::WORD_OPERATOR, "components are composed with `||`, not with `|`", help);
        }
        p.bump();
        is_read = part(p);
    }
    is_read
}

/// `A`, `a: A` or `a[1..3]: A`
fn part(p: &mut Parser<'_>) -> bool {
    let part = p.start();
    let is_named = p.at(Ident) && matches!(p.nth(1), Colon | LeftBracket);
    let is_read =
        !is_named || (name(p, "a part") && (!p.at(LeftBracket) || expr::index(p)) && p.expect(Colon));
    let is_read = is_read && name(p, "a component");
    p.complete(part, Part);
    is_read
}

/// A member of a composition.
pub(super) fn member(p: &mut Parser<'_>) -> bool {
    match p.current() {
        PropertyKw => property::definition(p),
        Ident => wiring(p),
        _ => {
            let message = format!("expected a connection or a property, found {}", p.found());
            let help = "a connection is written `A.output -> B.input`";
            p.error_with_help(codes::NO_MEMBER, message, help);
            false
        }
    }
}

/// `A.out -> B.in, C.in and out`. A comma may also stand between two connections.
fn wiring(p: &mut Parser<'_>) -> bool {
    let wiring = p.start();
    let mut is_read = expr::path(p);
    if is_read && !p.at(Arrow) {
        p.expected_as(codes::WIRING, "`->` and the input that the output goes to");
        is_read = false;
    }
    if is_read {
        p.bump();
        is_read = expr::path(p);
        while is_read && p.at(Comma) && !begins_wiring(p, 1) {
            p.bump();
            is_read = expr::path(p);
        }
        if is_read && p.at(Ident) && p.text(0) == "and" {
            p.bump();
            is_read = p.at(Ident) && p.text(0) == "out";
            match is_read {
                true => p.bump(),
                false => p.expected_as(codes::WIRING, "`out`"),
            }
        }
    }
    p.complete(wiring, Wiring);
    if is_read {
        p.eat(Comma);
    }
    is_read
}

/// Whether a path and an arrow stand `n` tokens ahead.
fn begins_wiring(p: &Parser<'_>, n: usize) -> bool {
    let mut open = 0_u32;
    let mut expects_name = true;
    for ahead in n..n + FAR {
        match p.nth(ahead) {
            LeftBracket => open += 1,
            RightBracket => open = open.saturating_sub(1),
            EndOfText => return false,
            _ if open > 0 => {}
            Ident if expects_name => expects_name = false,
            Dot if !expects_name => expects_name = true,
            kind => return kind == Arrow,
        }
    }
    false
}
