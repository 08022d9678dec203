//! Cutting a text into tokens. Nothing is lost: the tokens, blanks and comments included, are the text.

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

/// The same, and how many more mistakes there are than are collected.
pub(crate) fn lex_counting(text: &str) -> Lexed<SyntaxKind> {
    rely_syntax::lex_counting(text, judge)
}

/// What is wrong with a token of a known kind.
fn judge(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    match kind {
        SyntaxKind::BlockComment => unclosed_comment(span, text),
        SyntaxKind::Int if text.parse::<i32>().is_err() => {
            let message = format!("the number `{}` is too large", shorten(text));
            let diagnostic = Diagnostic::error(codes::NUMBER_TOO_LARGE, span, message);
            Some(diagnostic.with_help("the largest number is 2147483647"))
        }
        SyntaxKind::Text if text.len() < 2 || !text.ends_with('"') => {
            let message = "this string is not closed on its line";
            Some(Diagnostic::error(codes::UNCLOSED_STRING, span, message).with_help("end it with `\"`"))
        }
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

fn look_alike(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    let meant = kind.spelling().filter(|&meant| meant != text)?;
    let message = format!("`{text}` has no meaning here");
    Some(Diagnostic::error(codes::LOOK_ALIKE, span, message).did_you_mean(meant))
}
