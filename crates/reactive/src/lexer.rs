//! Cutting a text into tokens, and what is wrong with a single token.

use rely_base::{Diagnostic, Span};
use rely_syntax::{Kind, Lexed, invisible_character, shorten};

use crate::codes;
use crate::syntax::SyntaxKind;

/// Cuts a text into tokens; their spans follow each other without a gap and cover the text.
pub(crate) fn lex_counting(text: &str) -> Lexed<SyntaxKind> {
    rely_syntax::lex_counting(text, judge)
}

/// What is wrong with a token of a known kind.
fn judge(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    match kind {
        SyntaxKind::BlockComment => unclosed_comment(span, text),
        SyntaxKind::Int => number(span, text),
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
    let message = "this comment is never closed, so it hides the rest of the text";
    Some(Diagnostic::warning(codes::UNCLOSED_COMMENT, opening, message).with_help("close it with `*/`"))
}

fn number(span: Span, text: &str) -> Option<Diagnostic> {
    if text.parse::<i32>().is_ok() {
        return None;
    }
    let message = format!("the number `{}` is too large", shorten(text));
    Some(
        Diagnostic::error(codes::NUMBER_TOO_LARGE, span, message)
            .with_help("the largest number is 2147483647"),
    )
}

fn name(span: Span, text: &str) -> Option<Diagnostic> {
    let letter = text.chars().find(|c| !c.is_ascii())?;
    let message = format!("the name `{}` contains the letter `{letter}`", shorten(text));
    Some(
        Diagnostic::error(codes::STRAY_CHARACTER, span, message)
            .with_help("names are made of the letters a to z, A to Z, digits and `_`"),
    )
}

fn look_alike(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    let meant = kind.spelling().filter(|&meant| meant != text)?;
    Some(
        Diagnostic::error(codes::LOOK_ALIKE, span, format!("`{text}` has no meaning here"))
            .did_you_mean(meant),
    )
}
