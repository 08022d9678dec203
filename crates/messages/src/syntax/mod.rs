//! The lossless syntax tree: every character of the text is in it, in order, whatever the text is.

mod grammar;
mod kind;

pub use kind::SyntaxKind;

use rely_syntax::Read;

use crate::lexer::Token;

/// A node of the tree.
pub type SyntaxNode = rely_syntax::SyntaxNode<SyntaxKind>;
/// A token of the tree.
pub type SyntaxToken = rely_syntax::SyntaxToken<SyntaxKind>;

/// The parser of this language.
type Parser<'t> = rely_syntax::Parser<'t, SyntaxKind>;

/// The tree over all tokens of a text.
pub(crate) fn tree(text: &str, tokens: &[Token]) -> Read {
    let mut parser = Parser::new(text, tokens);
    grammar::file(&mut parser);
    parser.finish(tokens)
}
