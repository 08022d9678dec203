//! The grammar, one function for each production, and the definitions of the top level.
//!
//! The functions read what LTSA reads. Where LTSA would stop, they report what is wrong, assume what was most
//! probably meant, and go on.

mod choice;
mod composite;
mod expr;
mod formula;
mod label;
mod process;
mod recover;
mod simple;
mod tail;

use rely_base::Diagnostic;
use rely_syntax::Kind;

use super::SyntaxKind::{
    self, AnimationKw, AssertKw, BarBar, Comma, ComposeKw, ConstKw, ConstraintKw, DeterministicKw, Dot,
    EndOfText, Equal, EqualEqual, File, FluentKw, ImportKw, LeftParen, Lower, MenuKw, MinimalKw, Name, Param,
    ParamList, ProgressKw, PropertyKw, RangeKw, RightBrace, RightBracket, RightParen, Semicolon, SetKw, Text,
    Upper,
};
use super::parser::{Marker, Marks, Parser};
use crate::codes;
use recover::{at_indexed_head, at_interface_word, at_mtsa_word, skip_definition, skip_token};

/// The whole text.
pub(super) fn file(p: &mut Parser<'_>) {
    let file = p.start();
    while !p.at(EndOfText) {
        let start = p.span(0).start;
        definition(p);
        p.end_definition(start);
    }
    p.complete(file, File);
}

/// One definition. Consumes at least one token.
fn definition(p: &mut Parser<'_>) {
    if p.is_uncertain() && !recover::at_definition(p, 0) {
        // The rest of a definition that went wrong.
        p.doubt();
        skip_token(p);
        skip_definition(p);
        return;
    }
    p.be_certain();
    p.open_choices = 0;
    p.is_interface = false;
    p.is_refused = false;
    p.marks = Marks::Misplaced;
    match p.current() {
        ConstKw => simple::constant(p),
        RangeKw => simple::range(p),
        SetKw => simple::set(p),
        ProgressKw => simple::progress(p),
        MenuKw => simple::menu(p),
        AnimationKw => simple::animation(p),
        ImportKw => simple::import(p),
        FluentKw => simple::fluent(p),
        AssertKw | ConstraintKw => formula::assertion(p),
        Lower if p.text(0) == "ltl_property" && p.nth(1) == Upper => formula::assertion(p),
        BarBar | DeterministicKw | MinimalKw | ComposeKw | PropertyKw => with_modifiers(p),
        Lower if at_interface_word(p, 0) => with_modifiers(p),
        Lower if p.text(0) == "safe" && matches!(p.nth(1), BarBar) => with_modifiers(p),
        Upper if p.nth(1) == Equal && lacks_keyword(p) => simple::without_keyword(p),
        Upper => {
            let definition = p.start();
            process::process(p, definition);
        }
        Lower if matches!(p.nth(1), Equal | LeftParen | SyntaxKind::At) || at_indexed_head(p, 0) => {
            let definition = p.start();
            process::process(p, definition);
        }
        _ => no_definition(p),
    }
}

/// Whether the next tokens are `N = 3`, `R = 0..3` or `S = {a, b}`, without the keyword.
fn lacks_keyword(p: &Parser<'_>) -> bool {
    match p.nth(2) {
        SyntaxKind::Int => true,
        SyntaxKind::LeftBrace => recover::after_braces(p, 2).is_some_and(|n| {
            !matches!(
                p.nth(n),
                SyntaxKind::Arrow | SyntaxKind::LeftBracket | SyntaxKind::Colon | SyntaxKind::ColonColon
            ) && (p.nth(n) != Dot || recover::at_final_dot(p, n))
        }),
        _ => false,
    }
}

/// `property P = …`, `minimal ||S = …`, `interface A = …`
fn with_modifiers(p: &mut Parser<'_>) {
    let definition = p.start();
    let order = |kind| [DeterministicKw, MinimalKw, ComposeKw, PropertyKw].iter().position(|&k| k == kind);
    let mut last = None;
    while let Some(position) = order(p.current()) {
        if last.is_some_and(|last| last >= position) {
            let message = format!("`{}` stands too far behind", p.text(0));
            p.error_with_help(
                codes::MODIFIER_ORDER,
                message,
                "the order is `deterministic minimal compose property`",
            );
        }
        last = last.max(Some(position));
        p.bump();
    }
    if p.at(Lower) && p.text(0) == "safe" {
        p.bump();
    }
    if at_interface_word(p, 0) {
        p.is_interface = true;
        p.bump();
    }
    match p.current() {
        BarBar => composite::definition(p, definition),
        Lower if at_mtsa_word(p, 0) => {
            mtsa(p);
            p.complete(definition, SyntaxKind::Unreadable);
        }
        Upper | Lower => process::process(p, definition),
        _ => {
            p.expected("the name of a process, or `||` and the name of a composition");
            skip_definition(p);
            p.complete(definition, SyntaxKind::Unreadable);
        }
    }
}

/// Something that does not begin a definition.
fn no_definition(p: &mut Parser<'_>) {
    let found = p.found();
    match p.current() {
        Lower if at_mtsa_word(p, 0) => mtsa(p),
        Lower if p.text(0) == "include" && p.nth(1) == Text => {
            p.error_with_help(
                codes::INCLUDE,
                "`include` is not supported",
                "put the definitions into one text",
            );
            skip_token(p);
            skip_token(p);
        }
        Dot | Semicolon => {
            let help = "only processes and compositions end with `.`; other definitions end by themselves";
            p.error_with_help(codes::END_OF_DEFINITION, format!("this {found} ends nothing"), help);
            skip_token(p);
        }
        Comma => {
            let help =
                "every constant, range, set or assertion is a definition of its own, with its own keyword";
            p.error_with_help(codes::END_OF_DEFINITION, "a definition cannot follow a `,` here", help);
            skip_token(p);
            skip_definition(p);
        }
        RightParen | RightBrace | RightBracket => {
            let message = format!("this {found} closes nothing");
            p.error_with_help(
                codes::UNOPENED_BRACKET,
                message,
                "delete it, or open the bracket that it should close",
            );
            skip_token(p);
            p.eat(Dot);
        }
        _ => {
            let help = "a definition begins with the name of a process in upper case, with `||` for a composition, or with \
                        a keyword such as `const`, `range`, `set`, `property` or `assert`";
            p.error_with_help(codes::NO_DEFINITION, format!("expected a definition, found {found}"), help);
            skip_token(p);
            skip_definition(p);
        }
    }
}

/// A definition of MTSA.
fn mtsa(p: &mut Parser<'_>) {
    let message = format!("`{}` belongs to MTSA, another tool, and is not part of FSP", p.text(0));
    p.error_with_help(codes::MTSA, message, "the whole definition is passed over");
    recover::skip_foreign_definition(p);
}

/// The name that a definition defines; `what` is what is defined. It should be in upper case.
fn defined_name(p: &mut Parser<'_>, what: &str) -> bool {
    let name = p.start();
    match p.current() {
        Upper => p.bump(),
        Lower => {
            let text = p.text(0);
            let message =
                format!("the name of {what} begins with an upper-case letter, and `{text}` does not");
            let meant = upper_case(text);
            p.error_meaning(codes::UPPER_CASE, message, &meant);
            p.bump();
        }
        kind if kind.is_keyword() => {
            let message = format!("`{}` is a keyword of FSP and cannot be the name of {what}", p.text(0));
            p.error_with_help(
                codes::KEYWORD_AS_NAME,
                message,
                "choose another name; it begins with an upper-case letter",
            );
            if p.nth(1) != Equal {
                p.abandon(name);
                return false;
            }
            p.bump();
        }
        _ => {
            p.expected(&format!("the name of {what}"));
            p.abandon(name);
            return false;
        }
    }
    p.defined = p.previous_span();
    p.complete(name, Name);
    true
}

/// A name in the spelling of a process: all in upper case if it is short, otherwise with a capital.
fn upper_case(name: &str) -> String {
    let name = name.trim_start_matches('_');
    if name.chars().any(char::is_uppercase) {
        let mut letters = name.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    } else {
        name.to_ascii_uppercase()
    }
}

/// `=`
fn equal(p: &mut Parser<'_>) -> bool {
    if p.at(EqualEqual) {
        p.error_with_help(
            codes::EXPECTED,
            "expected `=`, found `==`",
            "`==` compares; a definition is made with `=`",
        );
        p.bump();
        return true;
    }
    p.expect(Equal) && !is_bodiless(p)
}

/// Whether the next definition begins behind the `=`, where the value of this one should be.
fn is_bodiless(p: &mut Parser<'_>) -> bool {
    if !recover::at_next_definition(p) {
        return false;
    }
    let message = format!("nothing follows the `=` of `{}`", p.source(p.defined));
    let help = format!("here the next definition begins; complete `{}`, or delete it", p.source(p.defined));
    let (head, next) = (p.defined.to(p.previous_span()), p.span(0));
    p.report(
        Diagnostic::error(codes::EXPECTED, head, message)
            .with_note(next, "another definition")
            .with_help(help),
    );
    true
}

/// `(N = 2, M = 3)`
fn params(p: &mut Parser<'_>) {
    let is_list = p.at(LeftParen) && (p.nth(1) == Upper || p.nth(1) == Equal || p.nth(2) == Equal);
    if !is_list {
        return;
    }
    let owner = p.defined;
    let list = p.start();
    let opening = p.span(0);
    p.bump();
    loop {
        let param = p.start();
        let is_read = defined_name(p, "a parameter") && param_default(p);
        p.complete(param, Param);
        if !is_read || !p.eat(Comma) {
            break;
        }
    }
    recover::close(p, RightParen, opening);
    p.complete(list, ParamList);
    p.defined = owner;
}

/// The ` = 2` of a parameter.
fn param_default(p: &mut Parser<'_>) -> bool {
    if !p.at(Equal) && !p.at(EqualEqual) {
        let help = "every parameter has a default value, as in `P(N = 3) = …`";
        let found = p.found();
        p.error_with_help(codes::EXPECTED, format!("expected `=` and a default value, found {found}"), help);
        return false;
    }
    equal(p) && expr::expr(p)
}

/// Completes a definition that may have gone wrong: if so, its rest is skipped.
fn complete_simple(p: &mut Parser<'_>, definition: Marker, kind: SyntaxKind, is_read: bool) {
    if !is_read {
        skip_definition(p);
    }
    p.complete(definition, kind);
}
