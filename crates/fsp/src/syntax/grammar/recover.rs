//! Where parsing goes on after an error: what looks like the start of a definition, and how to get there.
//!
//! FSP has no reserved word at the start of a process, so a definition is recognised by its shape: `NAME =`,
//! `NAME(N = …`, `||NAME =`, or a keyword with a name behind it.

use rely_base::Span;

use super::super::SyntaxKind::{
    self, AnimationKw, AssertKw, At, Bar, BarBar, Comma, ComposeKw, ConstKw, ConstraintKw, DeterministicKw,
    Dot, EndOfText, Equal, FluentKw, ForallKw, IfKw, ImportKw, LeftBrace, LeftBracket, LeftParen, Lower,
    MenuKw, MinimalKw, ProgressKw, PropertyKw, RangeKw, RightBrace, RightBracket, RightParen, Semicolon,
    SetKw, Unreadable, Upper, WhenKw,
};
use super::super::parser::Parser;
use crate::codes;

/// The words with which MTSA, a younger relative of LTSA, begins its own definitions.
const MTSA_WORDS: &[&str] = &[
    "abstract",
    "assumption",
    "checkCompatibility",
    "closure",
    "component",
    "compositional",
    "concurrencyFluents",
    "controllable",
    "controller",
    "controllerSpec",
    "controlstack",
    "def",
    "distribution",
    "disturbances",
    "eTS",
    "environment",
    "exceptionHandling",
    "exploration",
    "failure",
    "foreach",
    "goal",
    "gr",
    "graphUpdate",
    "heuristic",
    "instances",
    "lazyness",
    "liveness",
    "mainchart",
    "marking",
    "mdp",
    "model",
    "monolithicDirector",
    "non_transient",
    "nonblocking",
    "optimistic",
    "partialOrderReduction",
    "permissive",
    "pessimistic",
    "plant",
    "prechart",
    "probabilistic",
    "reachability",
    "restricts",
    "rtc",
    "safety",
    "starenv",
    "systemModel",
    "test_latency",
    "tier",
    "uTS",
    "updatingController",
];

/// Maximum number of tokens in which the end of a bracket is looked for.
const FAR: usize = 64;

/// Whether the token `n` places ahead is a word of MTSA at the beginning of a definition.
pub(super) fn at_mtsa_word(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == Lower
        && MTSA_WORDS.binary_search(&p.text(n)).is_ok()
        && matches!(p.nth(n + 1), Upper | Lower | BarBar)
}

/// Whether the `foreach[i:R] …` of MTSA stands here. Before an arrow or a colon it is an action like any other.
pub(super) fn at_foreach(p: &Parser<'_>) -> bool {
    p.at(Lower)
        && p.text(0) == "foreach"
        && p.nth(1) == LeftBracket
        && matches!(p.nth(after_indices(p, 1)), WhenKw | IfKw | ForallKw | Lower | Upper | LeftParen)
}

/// Whether the word `interface` stands `n` tokens ahead, before the name of an automaton. Elsewhere it is an action like
/// any other.
pub(super) fn at_interface_word(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == Lower
        && p.text(n) == "interface"
        && (p.nth(n + 1) == Upper || (p.nth(n + 1) == Lower && matches!(p.nth(n + 2), Equal | LeftParen)))
}

/// Whether a definition begins `n` tokens ahead.
pub(super) fn at_definition(p: &Parser<'_>, n: usize) -> bool {
    let is_fresh = p.before(n) == Dot || (p.is_first_of_line(n) && p.before(n) != Comma);
    match p.nth(n) {
        ConstKw | RangeKw | SetKw | ProgressKw | MenuKw | AnimationKw | AssertKw | ConstraintKw
        | FluentKw | ImportKw => {
            matches!(p.nth(n + 1), Upper | Lower)
        }
        PropertyKw | DeterministicKw | MinimalKw | ComposeKw => {
            matches!(p.nth(n + 1), Upper | BarBar | PropertyKw | MinimalKw | ComposeKw)
                || at_interface_word(p, n + 1)
        }
        BarBar => at_composite_head(p, n),
        Upper => is_fresh && at_process_head(p, n),
        Lower if at_mtsa_word(p, n) || at_interface_word(p, n) => is_fresh,
        Lower if p.text(n) == "ltl_property" => is_fresh && p.nth(n + 1) == Upper,
        Lower => is_fresh && p.nth(n + 1) == Equal,
        _ => false,
    }
}

/// Whether a definition begins with the current line, although the one before is incomplete.
pub(super) fn at_next_definition(p: &Parser<'_>) -> bool {
    p.is_first_of_line(0) && at_definition(p, 0)
}

/// Whether `||NAME =` or `||NAME(N =` stands `n` tokens ahead.
pub(super) fn at_composite_head(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == BarBar && p.nth(n + 1) == Upper && at_equal_or_params(p, n + 2)
}

/// Whether `NAME =`, `NAME@ =`, `NAME(N =` or `NAME[…] =` stands `n` tokens ahead.
pub(super) fn at_process_head(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == Upper
        && (at_equal_or_params(p, n + 1)
            || (p.nth(n + 1) == At && p.nth(n + 2) == Equal)
            || at_indexed_head(p, n))
}

/// Whether `NAME[…] =` stands `n` tokens ahead.
pub(super) fn at_indexed_head(p: &Parser<'_>, n: usize) -> bool {
    matches!(p.nth(n), Upper | Lower)
        && p.nth(n + 1) == LeftBracket
        && p.nth(after_indices(p, n + 1)) == Equal
}

fn at_equal_or_params(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == Equal || (p.nth(n) == LeftParen && p.nth(n + 1) == Upper && p.nth(n + 2) == Equal)
}

/// The first token behind the indices `[…][…]` that begin `n` tokens ahead.
pub(super) fn after_indices(p: &Parser<'_>, n: usize) -> usize {
    let mut open = 0_u32;
    for i in n..n + FAR {
        match p.nth(i) {
            LeftBracket => open += 1,
            RightBracket if open > 0 => open -= 1,
            EndOfText => return i,
            _ if open == 0 => return i,
            _ => {}
        }
    }
    n
}

/// The first token behind the braces that open `n` tokens ahead, if it is not too far away.
pub(super) fn after_braces(p: &Parser<'_>, n: usize) -> Option<usize> {
    let mut open = 0_u32;
    for i in n..n + FAR {
        match p.nth(i) {
            LeftBrace => open += 1,
            RightBrace if open == 1 => return Some(i + 1),
            RightBrace => open -= 1,
            EndOfText => return None,
            _ => {}
        }
    }
    None
}

/// Whether the `.` that is `n` tokens ahead ends a definition, and does not join the parts of a label.
pub(super) fn at_final_dot(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == Dot && (p.nth(n + 1) == EndOfText || at_definition(p, n + 1))
}

/// Whether the `,` that is next separates two local processes.
pub(super) fn at_local_boundary(p: &Parser<'_>) -> bool {
    p.at(Comma)
        && (at_process_head(p, 1) || (p.nth(1) == Lower && (p.nth(2) == Equal || at_indexed_head(p, 1))))
}

/// Whether nothing of the process that is being read can follow.
pub(super) fn at_end_of_body(p: &Parser<'_>) -> bool {
    p.at(EndOfText) || at_local_boundary(p) || at_final_dot(p, 0) || at_definition(p, 0)
}

/// Skips the rest of a definition, including its `.`.
pub(super) fn skip_definition(p: &mut Parser<'_>) {
    let unreadable = p.start();
    while !p.at(EndOfText) && !at_definition(p, 0) {
        let is_last = at_final_dot(p, 0);
        p.bump();
        if is_last {
            break;
        }
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Skips a definition of another tool, which may contain definitions in braces.
pub(super) fn skip_foreign_definition(p: &mut Parser<'_>) {
    let unreadable = p.start();
    while matches!(p.current(), Lower | BarBar | Upper) {
        p.bump();
    }
    let mut open = 0_u32;
    while !p.at(EndOfText) && (open > 0 || !at_definition(p, 0)) {
        let is_last = open == 0 && at_final_dot(p, 0);
        match p.current() {
            LeftBrace => open += 1,
            RightBrace => open = open.saturating_sub(1),
            _ => {}
        }
        p.bump();
        if is_last {
            break;
        }
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Skips the rest of an alternative: up to the `|` or `)` of its own choice, or to the end of the process.
pub(super) fn skip_branch(p: &mut Parser<'_>) {
    let unreadable = p.start();
    let mut open = 0_u32;
    while !at_end_of_body(p) {
        match p.current() {
            LeftParen => open += 1,
            RightParen if open == 0 => break,
            RightParen => open -= 1,
            Bar if open == 0 => break,
            _ => {}
        }
        p.bump();
    }
    p.complete(unreadable, Unreadable);
    p.mark_reported();
    p.be_uncertain();
}

/// Whether the parenthesis around what is being read is closed before the definition ends.
pub(super) fn is_closed_ahead(p: &Parser<'_>) -> bool {
    let mut open = 0_u32;
    for n in 0..FAR {
        match p.nth(n) {
            LeftParen => open += 1,
            RightParen if open == 0 => return true,
            RightParen => open -= 1,
            EndOfText => return false,
            _ if at_final_dot(p, n) || at_definition(p, n) => return false,
            _ => {}
        }
    }
    true
}

/// Skips the next token.
pub(super) fn skip_token(p: &mut Parser<'_>) {
    let unreadable = p.start();
    p.bump();
    p.complete(unreadable, Unreadable);
}

/// Reports that the text is nested too deeply, and skips the definition.
pub(super) fn too_deep(p: &mut Parser<'_>) {
    p.error_with_help(
        codes::TOO_DEEP,
        "this is nested too deeply",
        "give parts of it names of their own: local processes, constants, composites or assertions",
    );
    skip_definition(p);
}

/// Consumes the bracket that closes the one at `opening`, or reports that it is missing.
pub(super) fn close(p: &mut Parser<'_>, closing: SyntaxKind, opening: Span) -> bool {
    if p.eat(closing) {
        return true;
    }
    p.unclosed(codes::UNCLOSED_BRACKET, closing, opening);
    // The closing bracket may come after something that should not be there.
    let stop = |kind| matches!(kind, EndOfText | Dot | Comma | Semicolon | Bar | BarBar | RightParen | Equal);
    let ahead = (0..8).take_while(|&n| p.nth(n) == closing || !stop(p.nth(n))).find(|&n| p.nth(n) == closing);
    if let Some(count) = ahead {
        let unreadable = p.start();
        for _ in 0..count {
            p.bump();
        }
        p.complete(unreadable, Unreadable);
        p.bump();
    }
    p.mark_reported();
    p.be_uncertain();
    ahead.is_some()
}
