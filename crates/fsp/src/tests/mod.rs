//! Tests of the front end's syntax.

mod ast;
mod hostile;
mod mistakes;

use rely_base::Diagnostic;

/// Parses a text in which every diagnostic is announced on a comment line below it: `// ^^^ E0101 part of message`.
///
/// The carets stand under the place of the diagnostic (one caret if it is empty), which must not go beyond its line.
#[track_caller]
fn check(text: &str) {
    let parse = crate::parse(text);
    assert_eq!(parse.syntax().text().to_string(), text, "the tree is not the text");
    compare(text, parse.diagnostics());
}

/// Compares diagnostics with those that a text announces.
#[track_caller]
pub(crate) fn compare(text: &str, diagnostics: &[Diagnostic]) {
    rely_testkit::carets::compare(text, "//", diagnostics);
    for diagnostic in diagnostics {
        let is_explained = crate::explanations().any(|e| e.code == diagnostic.code);
        assert!(is_explained, "{} is not explained", diagnostic.code);
    }
}
