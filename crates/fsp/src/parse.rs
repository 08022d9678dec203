//! From text to syntax.

use rely_base::Diagnostic;
use rowan::GreenNode;

use crate::syntax::{self, SyntaxNode};
use crate::{ast, lexer, lower};

/// The result of parsing a text: its tree, its abstract syntax, and its diagnostics.
#[derive(Clone, Debug)]
pub struct Parse {
    tree: GreenNode,
    file: ast::File,
    diagnostics: Vec<Diagnostic>,
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

    /// Gives a constant of the file another value, whatever its definition is. Returns whether there is such a
    /// constant.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        let mut found = false;
        for definition in &mut self.file.definitions {
            if let ast::Definition::Const(def) = definition
                && &*def.name.text == name
            {
                def.value.kind = ast::ExprKind::Int(value);
                found = true;
            }
        }
        found
    }

    /// What is wrong with the text, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is an error, not only warnings.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a text. It always succeeds: what cannot be read is in the diagnostics.
///
/// ```
/// let parse = rely_fsp::parse("SWITCH = (on -> off -> SWITCH).");
/// assert!(parse.diagnostics().is_empty());
/// assert_eq!(parse.file().definitions.len(), 1);
///
/// let parse = rely_fsp::parse("SWITCH = (on -> off -> SWITCH)");
/// assert_eq!(parse.diagnostics()[0].message, "the definition of `SWITCH` does not end with `.`");
/// ```
///
/// The time is linear in the text. A text of more than [`MAX_TEXT`](rely_syntax::MAX_TEXT) bytes is rejected: its
/// tree is empty and there is one diagnostic.
pub fn parse(text: &str) -> Parse {
    let read = rely_syntax::read_text(text, lexer::lex_counting, syntax::tree);
    let top = SyntaxNode::new_root(read.root.clone());
    let mut file = lower::file(&top);
    if read.has_errors() {
        file.flaws = ast::Flaws { has_errors: true, broken: read.broken, unread: lower::unread_names(&top) };
    }
    Parse { tree: read.root, file, diagnostics: read.diagnostics }
}
