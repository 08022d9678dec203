//! What may follow a process or a composition: `+ {…}`, `/ {…}`, `>> {…}`, `\ {…}`, in this order.

use rely_base::Diagnostic;

use super::super::SyntaxKind::{
    self, Arrow, At, Backslash, Comma, Extension, ForallKw, Hiding, LeftBrace, LeftBracket, Lower, Plus,
    Priority, RelabelForall, RelabelList, RelabelPair, RightBrace, ShiftLeft, ShiftRight, Slash,
};
use super::super::parser::{Marks, Parser};
use super::{label, recover};
use crate::codes;

/// What the operators are applied to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A process.
    Process,
    /// A composition.
    Composition,
}

/// Whether one of the operators stands here.
pub(super) fn at_tail(p: &Parser<'_>) -> bool {
    rank(p.current()).is_some()
}

/// The place of an operator in the order.
fn rank(kind: SyntaxKind) -> Option<u8> {
    Some(match kind {
        Plus => 1,
        Slash => 2,
        ShiftLeft | ShiftRight => 3,
        Backslash | At => 4,
        _ => return None,
    })
}

/// The operators behind a process or a composition. Returns false if one of them could not be read.
pub(super) fn tails(p: &mut Parser<'_>, owner: Owner) -> bool {
    let mut last = (if owner == Owner::Composition && p.previous() == RightBrace { 1 } else { 0 }, p.span(0));
    while let Some(rank) = rank(p.current()) {
        let marks = p.marks;
        if !p.at(Plus) {
            p.marks = Marks::Misplaced;
        }
        judge(p, owner, rank, last);
        last = (last.0.max(rank), p.span(0));
        let is_read = match p.current() {
            Plus => one(p, Extension),
            Slash => relabels(p),
            ShiftLeft | ShiftRight => one(p, Priority),
            _ => one(p, Hiding),
        };
        p.marks = marks;
        if !is_read {
            return false;
        }
    }
    true
}

/// An operator with its set of labels.
pub(super) fn one(p: &mut Parser<'_>, kind: SyntaxKind) -> bool {
    let tail = p.start();
    p.bump();
    let is_read = label::label_set(p);
    p.complete(tail, kind);
    is_read
}

/// Reports an operator that is not allowed here.
fn judge(p: &mut Parser<'_>, owner: Owner, rank: u8, last: (u8, rely_base::Span)) {
    let operator = p.text(0);
    let span = p.span(0);
    let error = |message: &str| Diagnostic::error(codes::TAIL_ORDER, span, message.to_owned());
    match (owner, rank) {
        (Owner::Composition, 1) => {
            let help = "extend the alphabet of one of its processes instead";
            p.report(error("the alphabet of a composition cannot be extended with `+`").with_help(help));
        }
        (Owner::Process, 3) => {
            let help = "define a composition `||S = P >> {…}.` and give it the priority";
            p.report(error("only a composition can have a priority").with_help(help));
        }
        (_, rank) if rank == last.0 => {
            let help = "write one set with all the labels";
            p.report(
                error(&format!("`{operator}` stands here for the second time"))
                    .with_note(last.1, "the first is here")
                    .with_help(help),
            );
        }
        (owner, rank) if rank < last.0 => {
            let help = match owner {
                Owner::Process => "the order is: `+ {extension} / {relabelling} \\ {hidden}`",
                Owner::Composition => "the order is: `/ {relabelling} >> {priority} \\ {hidden}`",
            };
            p.report(
                error(&format!("`{operator}` must stand before this"))
                    .with_note(last.1, "it belongs before this")
                    .with_help(help),
            );
        }
        _ => {}
    }
}

/// `/ {new/old, …}`
pub(super) fn relabels(p: &mut Parser<'_>) -> bool {
    p.bump();
    relabel_set(p)
}

/// `{new/old, forall[i:R] {new[i]/old[i]}}`
pub(super) fn relabel_set(p: &mut Parser<'_>) -> bool {
    if !p.at(LeftBrace) {
        return unbraced_relabel(p);
    }
    if !p.enter() {
        recover::too_deep(p);
        return false;
    }
    let list = p.start();
    let opening = p.span(0);
    p.bump();
    let is_read = relabel_elements(p) && recover::close(p, RightBrace, opening);
    p.complete(list, RelabelList);
    p.leave();
    is_read
}

fn relabel_elements(p: &mut Parser<'_>) -> bool {
    if p.at(RightBrace) {
        p.error_with_help(codes::EMPTY_SET, "a relabelling cannot be empty", "leave the whole clause out");
        return true;
    }
    while relabel(p) {
        if !p.eat(Comma) {
            return true;
        }
        if p.at(RightBrace) {
            p.error_with_help(codes::EXPECTED, "expected `new/old` after `,`, found `}`", "delete the `,`");
            return true;
        }
    }
    false
}

fn unbraced_relabel(p: &mut Parser<'_>) -> bool {
    if !p.at(Lower) && !p.at(LeftBracket) {
        p.expected("`{` and relabellings `new/old`");
        return false;
    }
    p.error_with_help(codes::BRACES, "relabellings stand in braces", "write them as in `/{new/old}`");
    let list = p.start();
    let is_read = relabel(p);
    p.complete(list, RelabelList);
    is_read
}

/// `new/old`
fn relabel(p: &mut Parser<'_>) -> bool {
    let relabel = p.start();
    if p.eat(ForallKw) {
        let is_read = label::ranges(p) && relabel_set(p);
        p.complete(relabel, RelabelForall);
        return is_read;
    }
    let is_read = label::label(p) && over(p) && label::label(p);
    p.complete(relabel, RelabelPair);
    is_read
}

/// The `/` between the new label and the old one.
fn over(p: &mut Parser<'_>) -> bool {
    if p.at(Arrow) {
        let help = "a relabelling is written `new/old`, the new name first";
        p.error_with_help(codes::EXPECTED, "expected `/`, found `->`", help);
        p.bump();
        return true;
    }
    p.expect(Slash)
}
