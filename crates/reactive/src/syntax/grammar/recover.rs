//! Going on after a mistake: what is passed over, and what is said of a bracket that is missing.

use rely_base::Span;

use super::super::SyntaxKind::{
    self, AssumeKw, ComponentKw, ConstKw, EndOfText, ForallKw, GivesKw, InputKw, LeftBrace, LeftBracket,
    MachineKw, OutputKw, PropertyKw, RangeKw, RightBrace, StateKw, SystemKw, TakesKw, Unreadable,
};
use super::Parser;
use super::machine::at_transition;
use crate::codes;

/// Whether an item begins here.
pub(super) fn at_item(p: &Parser<'_>) -> bool {
    let begins = matches!(
        p.current(),
        ConstKw
            | RangeKw
            | SystemKw
            | InputKw
            | OutputKw
            | TakesKw
            | GivesKw
            | MachineKw
            | ComponentKw
            | PropertyKw
            | AssumeKw
    );
    begins && !at_transition(p, 0)
}

/// Passes over the rest of an item: to the next one, or to the `}` that closes what is around it. Always makes progress
/// where it stands at no item.
pub(super) fn skip_item(p: &mut Parser<'_>) {
    skip(p, at_item);
}

/// Passes over the rest of a transition: to the next one, or to the `}` of its machine.
pub(super) fn skip_transition(p: &mut Parser<'_>) {
    let begins = |p: &Parser<'_>| {
        p.is_first_of_line(0)
            && (at_transition(p, 0) || p.at(StateKw) || (p.at(ForallKw) && p.nth(1) == LeftBracket))
    };
    skip(p, |p| at_item(p) || begins(p));
}

/// Passes over the rest of a line.
pub(super) fn skip_line(p: &mut Parser<'_>) {
    skip(p, |p| p.is_first_of_line(0) || at_item(p));
}

fn skip(p: &mut Parser<'_>, stop: impl Fn(&Parser<'_>) -> bool) {
    let unreadable = p.start();
    let start = p.span(0);
    let mut open = 0_u32;
    while !p.at(EndOfText) && (open > 0 || !stop(p)) {
        match p.current() {
            LeftBrace => open += 1,
            RightBrace if open == 0 => break,
            RightBrace => open -= 1,
            SystemKw if p.span(0) != start => break,
            _ => {}
        }
        p.bump();
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Passes over the next token.
pub(super) fn skip_token(p: &mut Parser<'_>) {
    let unreadable = p.start();
    p.bump();
    p.complete(unreadable, Unreadable);
}

/// Says that the text is nested too deeply, and passes over the item.
pub(super) fn too_deep(p: &mut Parser<'_>) {
    let help = "break the condition into machines, or states into machines of their own";
    p.error_with_help(codes::TOO_DEEP, "this is nested too deeply", help);
    skip_item(p);
}

/// Consumes the bracket that closes the one at `opening`, or says that it is missing.
pub(super) fn close(p: &mut Parser<'_>, closing: SyntaxKind, opening: Span) -> bool {
    if p.eat(closing) {
        return true;
    }
    p.unclosed(codes::UNCLOSED_BRACKET, closing, opening);
    false
}
