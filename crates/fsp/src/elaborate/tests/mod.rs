//! What FSP means: small texts, and the transition systems, properties and diagnostics that they stand for.

use rely_base::Budget;
use rely_lts::{Lts, operators};

use rely_model::{Failure, compose};

use super::Elaborator;
use crate::parse;

mod flaws;
mod interfaces;
mod meaning;
mod mistakes;
mod origins;

pub(crate) fn no_imports(_: &str) -> Result<Vec<u8>, String> {
    Err("there are no imports here".to_owned())
}

/// The system of a target, composed: `source action target` for each transition, then the alphabet. States are
/// numbered breadth first, `E` is the error state and `$` the end.
fn system(text: &str, target: &str) -> String {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let target = elaborator.target(target).unwrap_or_else(|_| panic!("{:?}", elaborator.diagnostics()));
    show(&operators::trim(&compose(&target, &Budget::UNLIMITED).expect("there is no limit")))
}

fn show(lts: &Lts) -> String {
    let state = |state| match Some(state) {
        error if error == lts.error() => "E".to_owned(),
        end if end == lts.end() => "$".to_owned(),
        _ => state.raw().to_string(),
    };
    let mut lines: Vec<String> = lts
        .transitions()
        .map(|t| format!("{} {} {}", state(t.source), lts.alphabet().label_name(t.label), state(t.target)))
        .collect();
    lines.push(format!("{{{}}}", lts.alphabet().sorted_names().join(" ")));
    lines.join("; ")
}

/// Checks the system of the only composite, or of all processes.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parse = parse(text);
    let target = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED).default_targets().remove(0);
    assert_eq!(system(text, &target), expected, "{text}");
}

/// Checks the diagnostics of everything in a text against those announced below their places.
#[track_caller]
fn check_diagnostics(text: &str) {
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    for target in elaborator.default_targets() {
        let _ = elaborator.target(&target);
    }
    let _ = elaborator.progress_properties();
    let _ = elaborator.assertions();
    elaborator.check_unused(&|_| false);
    let mut diagnostics = parse.diagnostics().to_vec();
    diagnostics.extend(elaborator.diagnostics());
    crate::tests::compare(text, &diagnostics);
}
