//! Assumptions with actions that no component has: `retrieve` and `monitor` warn of them.

use rely_base::Budget;
use rely_session::report::Finding;
use rely_session::{Project, build_single, retrieve};

const SYSTEM: &str = "
SERVER = (begin -> commit -> SERVER).
CLIENT = (begin -> work[1..2] -> commit -> CLIENT).
||SYSTEM = (s:SERVER || s:CLIENT).
";

fn project(text: &str) -> Project {
    Project::new("m.lts", text, Box::new(|_| Err("no imports".to_owned())))
}

/// The warnings of foreign actions.
fn foreign(findings: &[Finding]) -> Vec<&str> {
    let about = findings.iter().filter(|finding| finding.code == "W0012");
    about.inspect(|finding| assert!(finding.questions_verdicts())).map(|finding| &*finding.message).collect()
}

#[track_caller]
fn retrieved(assumption: &str, expected: &[&str]) {
    let built = build_single(&project(assumption), None, Budget::UNLIMITED).expect("it can be built");
    let report = retrieve(&built, &[project(SYSTEM)], &[], Budget::UNLIMITED).expect("no mistake");
    assert_eq!(report.results.len(), 3);
    assert_eq!(foreign(&report.diagnostics), expected);
}

#[test]
fn an_action_that_no_component_has_is_told() {
    retrieved("NEED = (begin -> commit -> NEED).", &[]);
    retrieved("NEED = (s.begin -> commit -> NEED).", &[]);
    retrieved(
        "NEED = (begin -> comit -> NEED).",
        &[
            "of the actions of the assumption, no component has comit: it is free to occur at any time; did you mean \
           commit?",
        ],
    );
    retrieved(
        "NEED = (zebra -> giraffe -> NEED).",
        &[
            "of the actions of the assumption, no component has giraffe, zebra: they are free to occur at any time",
        ],
    );
}

#[track_caller]
fn monitored(assumption: &str, expected: &[&str]) {
    let text = format!("{SYSTEM}{assumption}");
    let built = build_single(&project(&text), Some("NEED"), Budget::UNLIMITED).expect("it can be built");
    assert_eq!(foreign(&built.findings), expected);
}

#[test]
fn an_action_that_is_nearly_that_of_another_process_is_told() {
    monitored("NEED = (begin -> commit -> NEED).", &[]);
    // What others do not have may be meant to be missing, and so may another index.
    monitored("NEED = (begin -> rollback -> work[3] -> NEED).", &[]);
    let expected = "no other process has some actions of NEED; did you mean commit for comit?";
    monitored("NEED = (begin -> comit -> NEED).", &[expected]);
    // That the assumption itself is part of a composite says nothing.
    monitored("NEED = (begin -> comit -> NEED).\n||CHECKED = (SYSTEM || NEED).", &[expected]);
    let alone = build_single(&project("NEED = (begin -> comit -> NEED)."), None, Budget::UNLIMITED);
    assert!(foreign(&alone.expect("it can be built").findings).is_empty());
}
