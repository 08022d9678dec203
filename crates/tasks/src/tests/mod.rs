//! Tests of reading: what is wrong is said at its place, with its code.

mod hostile;
mod mistakes;
mod packages;

use crate::{explanations, parse, resolve};

/// Reads a text in which every diagnostic is announced on a comment line below it: `-- ^^^ E0611 part of message`.
#[track_caller]
fn check(text: &str) {
    let parse = parse(text);
    let mut diagnostics = parse.diagnostics().to_vec();
    diagnostics.extend(resolve(&parse).diagnostics);
    rely_testkit::carets::compare(text, "--", &diagnostics);
    for diagnostic in diagnostics {
        let is_explained = explanations().any(|e| e.code == diagnostic.code);
        assert!(is_explained, "{} is not explained", diagnostic.code);
    }
}

/// Checks declarations and statements inside of a main procedure with a task `T` that has entries.
#[track_caller]
fn check_body(declarations: &str, statements: &str) {
    check(&format!("procedure Main is\n{declarations}\nbegin\n{statements}\nnull;\nend Main;"));
}

#[test]
fn codes_are_unique_and_in_order() {
    let codes: Vec<_> = explanations().map(|e| e.code).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
}
