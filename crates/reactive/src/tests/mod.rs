//! Tests of the front end: syntax, names, warnings, and what hostile texts do.

mod diagrams;
mod hostile;
mod logic;
mod mistakes;
mod structure;

use rely_base::Diagnostic;

use crate::Elaborator;

/// All findings about a text, of syntax and meaning.
fn findings(text: &str) -> Vec<Diagnostic> {
    let parse = crate::parse(text);
    assert_eq!(parse.syntax().text().to_string(), text, "the tree is not the text");
    let elaborator = Elaborator::new(parse.file());
    parse.diagnostics().iter().chain(elaborator.diagnostics()).cloned().collect()
}

/// Reads a text in which every finding is announced on a comment line below it: `// ^^^ E0701 part of message`.
#[track_caller]
fn check(text: &str) {
    let findings = findings(text);
    rely_testkit::carets::compare(text, "//", &findings);
    for diagnostic in &findings {
        let is_explained = crate::explanations().any(|explanation| explanation.code == diagnostic.code);
        assert!(is_explained, "{} is not explained", diagnostic.code);
    }
}
