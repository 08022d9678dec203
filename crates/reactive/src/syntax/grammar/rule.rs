//! Rules as people say them, and as mining prints them. They can be pasted into an assumption:
//!
//! ```text
//! assume about_water {
//!     never level_low with level_high
//!     never level_rep without level_fail or level_ok in microstep 2
//!     always level_low or level_high in microsteps 3 and 4
//!     no level_fail in microsteps 1 and 2
//!     level_low, level_high: only in microstep 3
//!     never level_ok after level_low with level_high
//!     always level_rep after no level_fail in microstep 2
//!     never level_low after a macrostep with level_fail without level_rep
//! }
//! ```
//!
//! The words are no keywords: events may be called like them, if a rule does not begin with the name.

use super::super::SyntaxKind::{
    AfterKw, Colon, Comma, Int, Lower, MacrostepKw, MicrostepKw, Rule, RuleAfter, RuleEvents, RuleWhen,
    RuleWithout, Upper,
};
use super::{Parser, expr, recover};
use crate::codes;

/// One rule.
pub(super) fn rule(p: &mut Parser<'_>) {
    let rule = p.start();
    let start = p.span(0);
    let is_read = if at_sentence(p, "never") {
        p.bump();
        events(p, "with") && without(p, "without") && after(p) && (!at_word(p, "in") || when(p))
    } else if at_sentence(p, "always") {
        p.bump();
        events(p, "or") && after(p) && (!at_word(p, "in") || when(p))
    } else if at_sentence(p, "no") {
        p.bump();
        events(p, ",") && when(p)
    } else {
        events(p, ",") && p.expect(Colon) && predicate(p)
    };
    if !is_read {
        if p.span(0) == start {
            recover::skip_token(p);
        }
        recover::skip_line(p);
    }
    p.complete(rule, Rule);
}

/// Whether a word stands here.
fn at_word(p: &Parser<'_>, word: &str) -> bool {
    p.at(Lower) && p.text(0) == word
}

/// Whether a word begins a sentence here: the name of an event follows.
fn at_sentence(p: &Parser<'_>, word: &str) -> bool {
    at_word(p, word) && matches!(p.nth(1), Lower | Upper)
}

/// Events with a word or a comma between them.
fn events(p: &mut Parser<'_>, between: &str) -> bool {
    let events = p.start();
    let mut is_read = expr::path(p);
    while is_read && (at_word(p, between) || (between == "," && p.at(Comma))) {
        p.bump();
        is_read = expr::path(p);
    }
    p.complete(events, RuleEvents);
    is_read
}

/// `without a or b`, with this word, or nothing.
fn without(p: &mut Parser<'_>, word: &str) -> bool {
    if !at_word(p, word) {
        return true;
    }
    let without = p.start();
    p.bump();
    let mut is_read = expr::path(p);
    while is_read && at_word(p, "or") {
        p.bump();
        is_read = expr::path(p);
    }
    p.complete(without, RuleWithout);
    is_read
}

/// What was there one microstep, or one macrostep, earlier: `after a with b without c`, `after no c`,
/// `after a macrostep with a`, `after a macrostep without c`; or nothing.
fn after(p: &mut Parser<'_>) -> bool {
    if !p.at(AfterKw) {
        return true;
    }
    let after = p.start();
    p.bump();
    let is_read = if at_word(p, "a") && p.nth(1) == MacrostepKw {
        p.bump();
        p.bump();
        if at_word(p, "with") {
            p.bump();
            events(p, "with") && without(p, "without")
        } else if at_word(p, "without") {
            without(p, "without")
        } else {
            p.expected("`with` or `without`, and an event");
            false
        }
    } else if at_sentence(p, "no") {
        without(p, "no")
    } else {
        events(p, "with") && without(p, "without")
    };
    p.complete(after, RuleAfter);
    is_read
}

/// `never`, `always`, `always in microstep 3` or `only in microstep 3`
fn predicate(p: &mut Parser<'_>) -> bool {
    let (is_never, is_always, is_only) = (at_word(p, "never"), at_word(p, "always"), at_word(p, "only"));
    if !(is_never || is_always || is_only) {
        let message = format!("expected `never`, `always` or `only in microstep …`, found {}", p.found());
        p.error(codes::EXPECTED, message);
        return false;
    }
    p.bump();
    is_never || (is_always && !at_word(p, "in")) || when(p)
}

/// `in microsteps 1, 2 and later`
fn when(p: &mut Parser<'_>) -> bool {
    if !at_word(p, "in") {
        p.expected("`in microstep` and a number");
        return false;
    }
    let when = p.start();
    p.bump();
    let is_named = p.eat(MicrostepKw) || (at_word(p, "microsteps") && p.nth(1) == Int);
    if is_named && p.at(Lower) {
        p.bump();
    }
    let mut is_read = is_named && p.eat(Int);
    while is_read && (p.at(Comma) || at_word(p, "and")) {
        p.bump();
        is_read = p.eat(Int) || at_word(p, "later");
        if at_word(p, "later") {
            p.bump();
        }
    }
    if !is_read {
        p.expected("the number of a microstep");
    }
    p.complete(when, RuleWhen);
    is_read
}
