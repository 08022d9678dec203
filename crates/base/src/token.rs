//! The tokens of a text as they are shown: where each stands, and what kind of word or sign it is.

use crate::Span;

/// What kind of word or sign a token is, whatever the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TokenClass {
    /// A comment.
    Comment,
    /// A reserved word.
    Keyword,
    /// A number.
    Number,
    /// A string between quotes.
    Text,
    /// A name.
    Name,
    /// Any other sign.
    Sign,
}

/// A token of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceToken {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub class: TokenClass,
}
