//! Cutting a text into tokens. Nothing is lost: the tokens, blanks and comments included, are the text.
//!
//! What is wrong with a single token is reported here, and the token then gets the kind that was meant, so that the
//! parser does not report it again.

use logos::Logos;
use rely_base::{Diagnostic, Span};

use crate::{Kind, MAX_DIAGNOSTICS, shorten};

/// A token: its kind and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<K> {
    /// What kind of token it is.
    pub kind: K,
    /// Its place; it begins where the token before it ends.
    pub span: Span,
}

/// A text that was cut into tokens.
#[derive(Clone, Debug)]
pub struct Lexed<K> {
    /// The tokens, which follow each other without a gap and cover the text.
    pub tokens: Vec<Token<K>>,
    /// What is wrong with single tokens, up to a limit.
    pub diagnostics: Vec<Diagnostic>,
    /// How many further findings there are.
    pub dropped: usize,
}

/// Cuts a text into tokens, as [`lex_counting`] does.
pub fn lex<'t, K>(
    text: &'t str,
    judge: impl Fn(K, Span, &'t str) -> Option<Diagnostic>,
) -> (Vec<Token<K>>, Vec<Diagnostic>)
where
    K: Kind + Logos<'t, Source = str, Error = ()>,
    K::Extras: Default,
{
    let Lexed { tokens, diagnostics, .. } = lex_counting(text, judge);
    (tokens, diagnostics)
}

/// Cuts a text into tokens. `judge` reports what is wrong with a token of a known kind.
///
/// The tokens' spans follow each other without a gap and cover the text. The text must be shorter than 4 GiB.
///
/// A file that is not text, such as a picture, becomes one token without meaning.
pub fn lex_counting<'t, K>(text: &'t str, judge: impl Fn(K, Span, &'t str) -> Option<Diagnostic>) -> Lexed<K>
where
    K: Kind + Logos<'t, Source = str, Error = ()>,
    K::Extras: Default,
{
    if let Some(diagnostic) = no_text::<K>(text) {
        let token = Token { kind: K::STRAY, span: Span::new(0, offset(text.len())) };
        return Lexed { tokens: vec![token], diagnostics: vec![diagnostic], dropped: 0 };
    }
    let mut tokens: Vec<Token<K>> = Vec::new();
    let (mut diagnostics, mut dropped) = (Vec::new(), 0);
    let mut lexer = K::lexer(text);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(offset(range.start), offset(range.end));
        match result {
            Ok(kind) => {
                match judge(kind, span, &text[range]) {
                    Some(diagnostic) if diagnostics.len() <= MAX_DIAGNOSTICS => diagnostics.push(diagnostic),
                    found => dropped += usize::from(found.is_some()),
                }
                tokens.push(Token { kind, span });
            }
            Err(()) => match tokens.last_mut() {
                // One message covers a run of stray characters.
                Some(last) if last.kind == K::STRAY => last.span.end = span.end,
                _ => tokens.push(Token { kind: K::STRAY, span }),
            },
        }
    }
    let strays = || tokens.iter().filter(|token| token.kind == K::STRAY);
    let complaint =
        |token: &Token<K>| stray::<K>(token.span, &text[token.span.start as usize..token.span.end as usize]);
    diagnostics.extend(strays().take(MAX_DIAGNOSTICS + 1).map(complaint));
    dropped += strays().skip(MAX_DIAGNOSTICS + 1).count();
    Lexed { tokens, diagnostics, dropped }
}

/// A position in a text as a number of 32 bits.
///
/// # Panics
/// When it is 4 GiB or more: such texts are refused before they are lexed.
pub fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("texts of 4 GiB and more are refused before they are lexed")
}

/// The finding about a file that is not text: NUL occurs in it, or one in eight characters occurs in no text.
fn no_text<K: Kind>(text: &str) -> Option<Diagnostic> {
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
    let help = format!("rely reads texts in UTF-8; if this is {}, save it in that encoding", K::LANGUAGE);
    Some(Diagnostic::error(K::CODES.no_text, span, message).with_help(help))
}

/// The character that old editors write at the end of a file.
const END_OF_DOS_FILE: char = '\u{1a}';

/// The finding about the first character that looks like a blank and is none.
pub fn invisible_character<K: Kind>(span: Span, text: &str) -> Option<Diagnostic> {
    // A byte order mark at the very start is what some editors write.
    let judged = if span.start == 0 { text.trim_start_matches('\u{feff}') } else { text };
    let first = text.len() - judged.len() + judged.find(|c: char| !c.is_ascii())?;
    let rest = &text[first..];
    let length = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
    let start = span.start + offset(first);
    Some(
        Diagnostic::error(
            K::CODES.stray,
            Span::new(start, start + offset(length)),
            "there is an invisible character here that is not a plain blank",
        )
        .with_help(
            "replace it by a blank; such characters often come with text that was copied from a document",
        ),
    )
}

fn stray<K: Kind>(span: Span, text: &str) -> Diagnostic {
    let Some(first) = text.chars().next() else {
        return Diagnostic::error(K::CODES.stray, span, "unexpected character");
    };
    let shown = if first.is_control() || first == '\u{fffd}' {
        format!("the character U+{:04X}", u32::from(first))
    } else {
        format!("`{}`", shorten(text))
    };
    let message = format!("{shown} has no meaning in {}", K::LANGUAGE);
    let diagnostic = Diagnostic::error(K::CODES.stray, span, message);
    match first {
        '$' | '`' | '\u{fffd}' => diagnostic.with_help("delete it"),
        _ if first.is_alphabetic() => {
            diagnostic.with_help("names are made of the letters a to z, A to Z, digits and `_`")
        }
        _ => diagnostic
            .with_help(format!("delete it, or put `{}` before it if it belongs to a comment", K::COMMENT)),
    }
}
