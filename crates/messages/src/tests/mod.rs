//! Tests of the front end.

mod hostile;
mod meaning;
mod mistakes;

use rely_base::{Budget, Diagnostic};

use crate::{Elaborator, Parse, parse};

/// Reads a text in which every finding is announced on a comment line below it: `// ^^^ E0801 part of message`.
#[track_caller]
fn check(text: &str) {
    let read = parse(text);
    assert_eq!(read.syntax().text().to_string(), text, "the tree is not the text");
    rely_testkit::carets::compare(text, "//", &findings(&read));
}

/// What is wrong with a text, syntax and meaning.
fn findings(read: &Parse) -> Vec<Diagnostic> {
    let loader = |_: &str| Err("there are no files".to_owned());
    let elaborator = Elaborator::new(read, &loader, Budget::UNLIMITED);
    let mut diagnostics = read.diagnostics().to_vec();
    diagnostics.extend(elaborator.diagnostics());
    for diagnostic in &diagnostics {
        let is_explained = crate::explanations().any(|e| e.code == diagnostic.code);
        assert!(is_explained, "{} is not explained", diagnostic.code);
    }
    diagnostics
}

#[test]
fn codes_are_in_order() {
    let codes: Vec<&str> = crate::explanations().map(|explanation| explanation.code.0).collect();
    let errors: Vec<&&str> = codes.iter().filter(|code| code.starts_with("E08")).collect();
    assert!(errors.is_sorted() && codes.len() == errors.len() + 5, "{codes:?}");
    assert!(crate::explanations().all(|explanation| !explanation.text.is_empty()));
}
