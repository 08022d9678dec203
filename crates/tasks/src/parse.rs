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

    /// Gives a named number of the main procedure another value, whatever its declaration says. Whether there is one.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        let declarations =
            self.file.main.as_mut().and_then(|main| main.body.as_mut()).map(|(declarations, _)| declarations);
        let mut found = false;
        for declaration in declarations.into_iter().flatten() {
            if let ast::Declaration::Object(object) = declaration
                && object.constant
                && object.names.iter().any(|declared| declared.text.eq_ignore_ascii_case(name))
                && let Some(expr) = &mut object.value
            {
                expr.kind = ast::ExprKind::Int(i64::from(value));
                found = true;
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
