//! Cutting a text into tokens. Nothing is lost: the tokens, blanks and comments included, are the text.
//!
//! Whatever is wrong with a single token is said here, and the token is then given the kind that was meant, so that
//! the parser need not stumble over it again.

use logos::Logos;
use rely_base::{Diagnostic, Span};

use crate::codes;
use crate::parse::MAX_DIAGNOSTICS;
use crate::syntax::SyntaxKind;

/// A token: its kind and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What kind of token it is.
    pub kind: SyntaxKind,
    /// Its place; it begins where the token before it ends.
    pub span: Span,
}

/// Cuts a text into tokens.
///
/// The tokens' spans follow each other without a gap and cover the text. The text must be shorter than 4 GiB.
///
/// What is no text, such as the bytes of a picture, is one token that has no meaning.
pub fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    if let Some(diagnostic) = no_text(text) {
        let token = Token { kind: SyntaxKind::Stray, span: Span::new(0, offset(text.len())) };
        return (vec![token], vec![diagnostic]);
    }
    let mut tokens: Vec<Token> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut lexer = SyntaxKind::lexer(text);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(offset(range.start), offset(range.end));
        match result {
            Ok(kind) => {
                if diagnostics.len() <= MAX_DIAGNOSTICS {
                    diagnostics.extend(judge(kind, span, &text[range]));
                }
                tokens.push(Token { kind, span });
            }
            Err(()) => match tokens.last_mut() {
                // One message for a run of them.
                Some(last) if last.kind == SyntaxKind::Stray => last.span.end = span.end,
                _ => tokens.push(Token { kind: SyntaxKind::Stray, span }),
            },
        }
    }
    let strays = tokens.iter().filter(|token| token.kind == SyntaxKind::Stray).take(MAX_DIAGNOSTICS + 1);
    diagnostics.extend(
        strays.map(|token| stray(token.span, &text[token.span.start as usize..token.span.end as usize])),
    );
    (tokens, diagnostics)
}

/// A complaint about a file that was never meant to be read: a character in eight, or NUL, is none that a text has.
fn no_text(text: &str) -> Option<Diagnostic> {
    const ONE_IN: usize = 8;
    let is_foreign =
        |c: char| c == '\u{fffd}' || (c.is_control() && !c.is_whitespace() && c != END_OF_DOS_FILE);
    let first = text.find(is_foreign)?;
    let foreign = text.chars().filter(|&c| is_foreign(c)).count();
    let is_text = !text.contains('\0') && foreign * ONE_IN < text.chars().count();
    if is_text || text.len() < ONE_IN {
        return None;
    }
    let character = text[first..].chars().next()?;
    let span = Span::new(offset(first), offset(first + character.len_utf8()));
    let message = format!("this is no text: it has the character U+{:04X}", u32::from(character));
    let help = "rely reads texts in UTF-8; if this is FSP, save it in that encoding";
    Some(Diagnostic::error(codes::NO_TEXT, span, message).with_help(help))
}

/// What old editors write at the end of a file.
const END_OF_DOS_FILE: char = '\u{1a}';

fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("texts of 4 GiB and more are refused before they are lexed")
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
        SyntaxKind::Blank => blank(span, text),
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
            .with_help(format!("did you mean `{decimal}`?")),
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

fn blank(span: Span, text: &str) -> Option<Diagnostic> {
    // A byte order mark at the very start is what some editors write.
    let judged = if span.start == 0 { text.trim_start_matches('\u{feff}') } else { text };
    let first = text.len() - judged.len() + judged.find(|c: char| !c.is_ascii())?;
    let rest = &text[first..];
    let length = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
    let start = span.start + offset(first);
    Some(
        Diagnostic::error(
            codes::STRAY_CHARACTER,
            Span::new(start, start + offset(length)),
            "there is an invisible character here that is not a plain blank",
        )
        .with_help(
            "replace it by a blank; such characters often come with text that was copied from a document",
        ),
    )
}

fn look_alike(kind: SyntaxKind, span: Span, text: &str) -> Option<Diagnostic> {
    let meant = kind.spelling()?;
    if meant == text {
        return None;
    }
    let meant = if text == "…" || text == "..." { ".." } else { meant };
    Some(
        Diagnostic::error(codes::LOOK_ALIKE, span, format!("`{text}` is not FSP"))
            .with_help(format!("did you mean `{meant}`?")),
    )
}

fn stray(span: Span, text: &str) -> Diagnostic {
    let Some(first) = text.chars().next() else {
        return Diagnostic::error(codes::STRAY_CHARACTER, span, "unexpected character");
    };
    let shown = if first.is_control() || first == '\u{fffd}' {
        format!("the character U+{:04X}", u32::from(first))
    } else {
        format!("`{}`", shorten(text))
    };
    let diagnostic =
        Diagnostic::error(codes::STRAY_CHARACTER, span, format!("{shown} has no meaning in FSP"));
    match first {
        '$' | '`' | '\u{fffd}' => diagnostic.with_help("delete it"),
        _ if first.is_alphabetic() => {
            diagnostic.with_help("names are made of the letters a to z, A to Z, digits and `_`")
        }
        _ => diagnostic.with_help("delete it, or put `//` before it if it belongs to a comment"),
    }
}

/// At most the first few characters, so that a message stays a line.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
