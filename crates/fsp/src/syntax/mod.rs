//! The lossless syntax tree: every character of the text is in it, in order, whatever the text is.

mod build;
mod grammar;
mod kind;
mod overview;
mod parser;

pub use kind::SyntaxKind;

use rely_base::Diagnostic;
use rowan::GreenNode;

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
/// A node or a token.
pub type SyntaxElement = rowan::SyntaxElement<Fsp>;

/// The tree over all tokens of a text, and what is wrong with it.
pub(crate) fn tree(text: &str, tokens: &[Token]) -> (GreenNode, Vec<Diagnostic>) {
    let mut parser = parser::Parser::new(text, tokens);
    grammar::file(&mut parser);
    let (events, diagnostics) = parser.finish();
    (build::build(text, tokens, events), diagnostics)
}
