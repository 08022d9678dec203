//! Going on after a mistake: at the next member or the next definition.

use rely_base::Span;

use super::super::Parser;
use super::super::SyntaxKind::{
    self, ComponentKw, ConstKw, EndOfText, FinalKw, ImportKw, InputKw, LeftBrace, OutputKw, ProcessKw,
    PropertyKw, QueueKw, RangeKw, RightBrace, StateKw, TypeKw, Unreadable, VisibleKw,
};
use crate::codes;

/// Whether a definition begins here: these words begin nothing else.
pub(super) fn at_definition(p: &Parser<'_>) -> bool {
    p.is_first_of_line(0) && matches!(p.current(), ComponentKw | ConstKw | RangeKw | TypeKw | ImportKw)
}

/// Whether a member of a component or of a process begins with the line here.
fn at_member(p: &Parser<'_>) -> bool {
    let begins = matches!(
        p.current(),
        InputKw | OutputKw | ProcessKw | PropertyKw | QueueKw | StateKw | FinalKw | VisibleKw
    );
    p.is_first_of_line(0) && begins
}

/// Passes over the rest of a definition.
pub(super) fn skip_definition(p: &mut Parser<'_>) {
    let unreadable = p.start();
    while !p.at(EndOfText) && !at_definition(p) {
        p.bump();
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Passes over the rest of a member: to the next member, to the brace that closes the block around it, or, where the
/// member has opened no brace, to the end of the line.
pub(super) fn skip_member(p: &mut Parser<'_>) {
    let unreadable = p.start();
    let mut open = 0_u32;
    let mut is_first = true;
    while !p.at(EndOfText) && !at_definition(p) {
        if (open == 0 && p.is_first_of_line(0) && !is_first) || (at_member(p) && !is_first) {
            break;
        }
        match p.current() {
            LeftBrace => open += 1,
            RightBrace if open == 0 => break,
            RightBrace => open -= 1,
            _ => {}
        }
        p.bump();
        is_first = false;
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Passes over the rest of a block of statements, with the brace that closes it.
pub(super) fn skip_block(p: &mut Parser<'_>, opening: Span) -> bool {
    p.be_uncertain();
    let unreadable = p.start();
    let mut open = 0_u32;
    while !p.at(EndOfText) && !at_definition(p) && !at_member(p) {
        match p.current() {
            LeftBrace => open += 1,
            RightBrace if open == 0 => break,
            RightBrace => open -= 1,
            _ => {}
        }
        p.bump();
    }
    p.complete(unreadable, Unreadable);
    close(p, RightBrace, opening)
}

/// Passes over the next token.
pub(super) fn skip_token(p: &mut Parser<'_>) {
    let unreadable = p.start();
    p.bump();
    p.complete(unreadable, Unreadable);
}

/// Says that the text is nested too deeply, and passes over the definition.
pub(super) fn too_deep(p: &mut Parser<'_>) {
    p.error_with_help(
        codes::TOO_DEEP,
        "this is nested too deeply",
        "split it into parts with names of their own",
    );
    skip_definition(p);
}

/// Consumes the bracket that closes the one at `opening`, or says that it is missing.
pub(super) fn close(p: &mut Parser<'_>, closing: SyntaxKind, opening: Span) -> bool {
    if p.eat(closing) {
        return true;
    }
    p.unclosed(codes::UNCLOSED_BRACKET, closing, opening);
    p.mark_reported();
    p.be_uncertain();
    false
}

/// `{`, members, `}`. `member` reads one of them, and says whether it could; it has to consume a token if it could.
pub(super) fn block(p: &mut Parser<'_>, member: fn(&mut Parser<'_>) -> bool) -> bool {
    let opening = p.span(0);
    if !p.expect(LeftBrace) {
        return false;
    }
    while !p.at(RightBrace) && !p.at(EndOfText) && !at_definition(p) {
        p.be_certain();
        if !member(p) {
            skip_member(p);
        }
    }
    if p.at(RightBrace) {
        p.be_certain();
    }
    close(p, RightBrace, opening)
}
