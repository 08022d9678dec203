//! From text to syntax: the front door of the parser.

use rely_base::Diagnostic;
use rowan::GreenNode;

use crate::syntax::{self, SyntaxNode};
use crate::{ast, lexer, lower};

/// What parsing a text gives: a tree, the abstract syntax, and what is wrong.
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

    /// Gives a constant of the file, or a parameter of its systems, another value. Whether there is such a name.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        let constants = self.file.definitions.iter_mut().filter_map(|definition| match definition {
            ast::Definition::Const(constant) => Some(constant),
            ast::Definition::Range(..) => None,
        });
        let params = self.file.systems.iter_mut().flat_map(|system| &mut system.params);
        let mut found = false;
        for constant in constants.chain(params).filter(|constant| &*constant.name.text == name) {
            constant.value.kind = ast::ExprKind::Int(value);
            found = true;
        }
        found
    }

    /// What is wrong with the syntax, in the order of the text.
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
/// let parse = rely_reactive::parse("system S { input press machine Lamp { off -> on on press } }");
/// assert!(parse.diagnostics().is_empty());
/// assert_eq!(parse.file().systems.len(), 1);
/// ```
///
/// The time is linear in the text. A text of more than [`MAX_TEXT`](rely_syntax::MAX_TEXT) bytes is refused: its tree is
/// empty and there is one diagnostic.
pub fn parse(text: &str) -> Parse {
    let read = rely_syntax::read_text(text, lexer::lex_counting, syntax::tree);
    let top = SyntaxNode::new_root(read.root.clone());
    let mut file = lower::file(&top);
    if read.has_errors() {
        file.flaws = lower::flaws(&top, read.broken);
    }
    Parse { tree: read.root, file, diagnostics: read.diagnostics }
}
