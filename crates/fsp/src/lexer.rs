//! Cutting a text into tokens. Nothing is lost: the tokens, blanks and comments included, are the text.
//!
//! What is wrong with a single token is reported here, and the token then gets the kind that was meant, so that the
//! parser does not report it again.

use rely_base::{Diagnostic, Span};
use rely_syntax::{Kind, Lexed, invisible_character, shorten};

use crate::codes;
use crate::syntax::SyntaxKind;

/// A token: its kind and its place.
pub type Token = rely_syntax::Token<SyntaxKind>;

/// Cuts a text into tokens.
///
/// The tokens' spans follow each other without a gap and cover the text. The text must be shorter than 4 GiB.
pub fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    rely_syntax::lex(text, judge)
}

/// The tokens and mistakes, as [`lex`] finds them, and the number of mistakes that were not collected.
pub(crate) fn lex_counting(text: &str) -> Lexed<SyntaxKind> {
    rely_syntax::lex_counting(text, judge)
}

/// The value of an integer literal, if it is one of 32 bits.
pub(crate) fn int_value(literal: &str) -> Option<i32> {
    let (digits, radix) = match literal.strip_prefix('0') {
        None => (literal, 10),
        Some("") => return Some(0),
        Some(rest) => match rest.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (rest, 8),
        },
    };
    i32::from_str_radix(digits, radix).ok()
}

/// What is wrong with a token of a known kind.
fn judge(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    match kind {
        SyntaxKind::BlockComment => unclosed_comment(span, text),
        SyntaxKind::Int => number(span, text),
        SyntaxKind::Text => string(span, text),
        SyntaxKind::Upper | SyntaxKind::Lower => name(span, text),
        SyntaxKind::Blank => invisible_character::<SyntaxKind>(span, text),
        _ => look_alike(kind, span, text),
    }
}

fn unclosed_comment(span: Span, text: &str) -> Option<Diagnostic> {
    if text.len() >= 4 && text.ends_with("*/") {
        return None;
    }
    let opening = Span::new(span.start, span.start + 2);
    Some(
        Diagnostic::warning(
            codes::UNCLOSED_COMMENT,
            opening,
            "this comment is never closed, so it hides the rest of the text",
        )
        .with_help("close it with `*/`"),
    )
}

fn number(span: Span, text: &str) -> Option<Diagnostic> {
    if int_value(text).is_some() {
        return None;
    }
    let is_octal = text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    if is_octal && text.contains(['8', '9']) {
        let decimal = text.trim_start_matches('0');
        return Some(
            Diagnostic::error(
                codes::NUMBER,
                span,
                format!("`{text}` begins with 0, so it is octal and cannot have the digits 8 and 9"),
            )
            .did_you_mean(decimal),
        );
    }
    if text.len() == 2 && text.ends_with(['x', 'X']) {
        return Some(Diagnostic::error(
            codes::NUMBER,
            span,
            "`0x` begins a hexadecimal number, but no digits follow",
        ));
    }
    Some(
        Diagnostic::error(
            codes::NUMBER_TOO_LARGE,
            span,
            format!("the number `{}` is too large", shorten(text)),
        )
        .with_help("the largest number is 2147483647"),
    )
}

fn string(span: Span, text: &str) -> Option<Diagnostic> {
    if text.starts_with(['“', '”', '„']) {
        return Some(
            Diagnostic::error(
                codes::LOOK_ALIKE,
                span,
                "a string stands between straight quotes `\"`, not typographic ones",
            )
            .with_help("such quotes often come with text that was copied from a document"),
        );
    }
    if text.len() > 1 && text.ends_with('"') {
        return None;
    }
    Some(
        Diagnostic::error(codes::UNCLOSED_STRING, span, "this string is not closed on its line")
            .with_help("end it with `\"`"),
    )
}

fn name(span: Span, text: &str) -> Option<Diagnostic> {
    let letter = text.chars().find(|c| !c.is_ascii())?;
    Some(
        Diagnostic::error(
            codes::STRAY_CHARACTER,
            span,
            format!("the name `{}` contains the letter `{letter}`", shorten(text)),
        )
        .with_help("names are made of the letters a to z, A to Z, digits and `_`"),
    )
}

fn look_alike(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    let meant = kind.spelling()?;
    if meant == text {
        return None;
    }
    let meant = if text == "…" || text == "..." { ".." } else { meant };
    Some(Diagnostic::error(codes::LOOK_ALIKE, span, format!("`{text}` is not FSP")).did_you_mean(meant))
}
