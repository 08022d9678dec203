//! The lossless syntax tree: every character of the text is in it, in order, whatever the text is.

mod grammar;
mod kind;

pub use kind::SyntaxKind;

use rely_syntax::{Read, Token};

/// A node of the tree.
pub type SyntaxNode = rely_syntax::SyntaxNode<SyntaxKind>;
/// A token of the tree.
pub type SyntaxToken = rely_syntax::SyntaxToken<SyntaxKind>;

/// The tree over all tokens of a text.
pub(crate) fn tree(text: &str, tokens: &[Token<SyntaxKind>]) -> Read {
    let mut parser = rely_syntax::Parser::new(text, tokens);
    grammar::file(&mut parser);
    parser.finish(tokens)
}
