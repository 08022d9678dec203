//! The lossless syntax tree: every character of the text is in it, in order, whatever the text is.

mod build;
mod grammar;
mod kind;
mod overview;
mod parser;

pub use kind::SyntaxKind;

use rely_base::{Diagnostic, Span};
use rowan::GreenNode;

use self::parser::Parsed;
use crate::lexer::Token;

/// The language of the tree, for rowan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fsp {}

impl rowan::Language for Fsp {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the tree.
pub type SyntaxNode = rowan::SyntaxNode<Fsp>;
/// A token of the tree.
pub type SyntaxToken = rowan::SyntaxToken<Fsp>;

/// What reading the tokens of a text gives.
pub(crate) struct Tree {
    /// The tree over all tokens.
    pub(crate) root: GreenNode,
    /// What is wrong.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The definitions of which it is uncertain what was meant, in order.
    pub(crate) broken: Vec<Span>,
}

/// The tree over all tokens of a text.
pub(crate) fn tree(text: &str, tokens: &[Token]) -> Tree {
    let mut parser = parser::Parser::new(text, tokens);
    grammar::file(&mut parser);
    let Parsed { events, diagnostics, broken } = parser.finish();
    Tree { root: build::build(text, tokens, events), diagnostics, broken }
}
