//! From a text to its tree: lexing, parsing, and the findings of both in the order of the text.

use rely_base::{Diagnostic, Span};
use rowan::GreenNode;

use crate::{Kind, Lexed, Read, Token, settle, text_too_long};

/// A text that was read.
pub struct ReadText {
    /// The tree over all tokens.
    pub root: GreenNode,
    /// What is wrong, in the order of the text, up to a limit.
    pub diagnostics: Vec<Diagnostic>,
    /// The definitions of which it is uncertain what was meant, in order.
    pub broken: Vec<Span>,
}

impl ReadText {
    /// Whether there is an error, not only warnings.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a text with the lexer and the grammar of a language. It always succeeds.
///
/// A text of more than [`MAX_TEXT`](crate::MAX_TEXT) bytes is rejected: its tree is that of the empty text, and there is
/// one diagnostic.
pub fn read_text<K: Kind>(
    text: &str,
    lex: impl Fn(&str) -> Lexed<K>,
    grammar: impl FnOnce(&str, &[Token<K>]) -> Read,
) -> ReadText {
    if let Some(diagnostic) = text_too_long::<K>(text) {
        return ReadText { root: grammar("", &[]).root, diagnostics: vec![diagnostic], broken: Vec::new() };
    }
    let Lexed { tokens, mut diagnostics, dropped: dropped_tokens } = lex(text);
    let Read { root, diagnostics: errors, dropped, broken } = grammar(text, &tokens);
    diagnostics.extend(errors);
    settle(&mut diagnostics, dropped_tokens + dropped);
    ReadText { root, diagnostics, broken }
}
