//! From text to syntax: the front door of the parser.

use rely_base::Diagnostic;
use rely_syntax::{Kind, Parser};

use crate::kind::Token;
use crate::{ast, grammar, lexer};

/// What parsing a text gives: what was written, and what is wrong.
#[derive(Clone, Debug)]
pub struct Parse {
    file: ast::File,
    diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// What could be read.
    pub fn file(&self) -> &ast::File {
        &self.file
    }

    /// Gives a named number of the main procedure or of a package another value, whatever its declaration says. Whether there
    /// is one.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        let ast::File { packages, main, .. } = &mut self.file;
        let of_main =
            main.iter_mut().filter_map(|main| main.body.as_mut()).map(|(declarations, _)| declarations);
        let mut parts: Vec<&mut Vec<ast::Declaration>> = of_main.collect();
        parts.extend(packages.iter_mut().flat_map(|(_, it)| [&mut it.declarations, &mut it.private]));
        let mut found = false;
        while let Some(declarations) = parts.pop() {
            for declaration in declarations {
                match declaration {
                    ast::Declaration::Object(object) => found |= redefine(object, name, value),
                    ast::Declaration::Package(it) => parts.extend([&mut it.declarations, &mut it.private]),
                    _ => {}
                }
            }
        }
        found
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

/// Gives a constant another value, if it has a name.
fn redefine(object: &mut ast::Object, name: &str, value: i32) -> bool {
    let is_meant =
        object.constant && object.names.iter().any(|declared| declared.text.eq_ignore_ascii_case(name));
    let Some(expr) = object.value.as_mut().filter(|_| is_meant) else { return false };
    expr.kind = ast::ExprKind::Int(i64::from(value));
    true
}

/// Parses a text. It always succeeds: what cannot be read is in the diagnostics.
///
/// ```
/// let parse = rely_tasks::parse("procedure Nothing is begin null; end Nothing;");
/// assert!(parse.diagnostics().is_empty());
///
/// let parse = rely_tasks::parse("procedure Nothing is begin null end Nothing;");
/// assert_eq!(parse.diagnostics()[0].message, "expected `;`, found the keyword `end`");
/// ```
///
/// The time is linear in the text. A text of more than [`MAX_TEXT`](rely_syntax::MAX_TEXT) bytes is refused.
pub fn parse(text: &str) -> Parse {
    let mut file = ast::File::default();
    let read = rely_syntax::read_text(text, lexer::lex_counting, |text, tokens| {
        let mut parser = Parser::new(text, tokens);
        let root = parser.start();
        file = grammar::file(&mut parser);
        parser.complete(root, Token::FILE);
        parser.finish(tokens)
    });
    Parse { file, diagnostics: read.diagnostics }
}
