//! From text to syntax: the front door of the parser.

use std::sync::Arc;

use rely_base::Diagnostic;
use rowan::GreenNode;

use crate::syntax::{self, SyntaxNode};
use crate::{ast, lexer, lower};

/// What parsing a text gives: a tree, its meaning in brief, and what is wrong.
#[derive(Clone, Debug)]
pub struct Parse {
    tree: GreenNode,
    file: ast::File,
    diagnostics: Vec<Diagnostic>,
    defined: Vec<(Arc<str>, i32)>,
}

impl Parse {
    /// The lossless tree: its text is the text that was parsed, to the last character.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.tree.clone())
    }

    /// The definitions that could be read.
    pub fn file(&self) -> &ast::File {
        &self.file
    }

    /// Gives a constant another value, whatever its definition says. Whether there may be such a constant: it is in the
    /// file, or the file imports others, which are read later. The elaborator says where there is none.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        let may_define = self.file.definitions.iter().any(|definition| match definition {
            ast::Definition::Const { name: defined, .. } => &*defined.text == name,
            definition => matches!(definition, ast::Definition::Import { .. }),
        });
        if may_define {
            self.defined.push((name.into(), value));
        }
        may_define
    }

    /// The constants that were given other values.
    pub(crate) fn defined(&self) -> &[(Arc<str>, i32)] {
        &self.defined
    }

    /// What is wrong with the text, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether something is wrong that is more than a warning.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a text. It always succeeds: what cannot be read is in the diagnostics.
///
/// ```
/// let parse = rely_messages::parse("component Lamp { input press process Bulb { state off  off -> off on press } }");
/// assert!(parse.diagnostics().is_empty());
/// assert_eq!(parse.file().definitions.len(), 1);
///
/// let parse = rely_messages::parse("component Lamp { input press,");
/// assert_eq!(parse.diagnostics()[0].message, "expected the name of a message, found the end of the text");
/// ```
///
/// The time is linear in the text. A text of more than [`MAX_TEXT`](rely_syntax::MAX_TEXT) bytes is refused: its tree is
/// empty and there is one diagnostic.
pub fn parse(text: &str) -> Parse {
    let read = rely_syntax::read_text(text, lexer::lex_counting, syntax::tree);
    let mut file = lower::file(&SyntaxNode::new_root(read.root.clone()));
    file.has_errors = read.has_errors();
    file.broken = read.broken;
    Parse { tree: read.root, file, diagnostics: read.diagnostics, defined: Vec::new() }
}
