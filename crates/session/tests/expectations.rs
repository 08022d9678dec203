//! Expected verdicts in the model: which are judged, which are asked, and what is said about wrong ones.

use rely_base::Budget;
use rely_session::report::Verdict::{self, Holds, Violated};
use rely_session::{CheckQuery, Project, VerifyQuery, check, verify};

/// A part that deadlocks and starves, inside of a system that does neither.
const MODEL: &str = "\
A = (a -> STOP | b -> A).
B = (b -> c -> B) + {a}.
property P = (b -> c -> P).
property Q = (b -> P), P = (c -> P | b -> P).
||PART = (A || U).
U = (u -> U)\\{u}.
||SYS = (PART || B || P || Q).
progress GO = {c}
progress ON[i:1..2] = {c}
";

fn project(expectations: &str) -> Project {
    Project::new("m.lts", format!("{MODEL}{expectations}"), Box::new(|_| Err("nothing".to_owned())))
}

/// The answers of a check: target, property, verdict, and what was expected.
fn answers(expectations: &str, query: &CheckQuery) -> Vec<(String, String, Verdict, Option<Verdict>)> {
    let report = check(&project(expectations), query, Budget::UNLIMITED).expect("no mistake");
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    let answer = |result: rely_session::report::CheckResult| {
        (result.target, result.property, result.verdict, result.expected)
    };
    report.results.into_iter().map(answer).collect()
}

fn names(answers: &[(String, String, Verdict, Option<Verdict>)]) -> Vec<String> {
    answers.iter().map(|(target, property, ..)| format!("{target} {property}")).collect()
}

#[test]
fn composites_inside_of_others_are_checked_when_all_are_wanted() {
    let by_default = answers("", &CheckQuery::default());
    assert!(by_default.iter().all(|(target, _, verdict, expected)| {
        target == "SYS" && *verdict == Holds && expected.is_none()
    }));
    let all = answers("", &CheckQuery { all_targets: true, ..CheckQuery::default() });
    assert!(all.iter().any(|(target, property, verdict, _)| {
        target == "PART" && property == "GO" && *verdict == Violated
    }));
    // A target that is named is checked for everything.
    let named = answers("", &CheckQuery { targets: vec!["PART".to_owned()], ..CheckQuery::default() });
    assert_eq!(named.len(), 5);
}

#[test]
fn a_target_of_which_something_is_expected_is_checked_for_that() {
    let expectations =
        "//! expect PART GO violated\n//! expect SYS deadlock holds\n//! expect U divergence violated\n";
    let all = answers(expectations, &CheckQuery::default());
    let expected: Vec<_> = all.iter().filter(|answer| answer.3.is_some()).cloned().collect();
    assert_eq!(names(&expected), ["SYS deadlock", "PART GO", "U divergence"]);
    assert!(expected.iter().all(|(.., verdict, expected)| Some(*verdict) == *expected), "{expected:?}");
    // Of the part nothing else is asked.
    assert_eq!(names(&all)[5..], ["PART GO", "U divergence"]);
    // Divergence is checked if it is expected, although it is not asked for otherwise.
    let silent = answers("//! expect SYS divergence violated", &CheckQuery::default());
    assert!(names(&silent).contains(&"SYS divergence".to_owned()));
    assert!(!names(&answers("", &CheckQuery::default())).contains(&"SYS divergence".to_owned()));
}

#[test]
fn what_a_query_leaves_out_is_not_expected() {
    let expectations = "//! expect PART GO holds\n//! expect SYS ON.2 violated\n";
    let named = CheckQuery { targets: vec!["SYS".to_owned()], ..CheckQuery::default() };
    assert!(answers(expectations, &named).iter().all(|(target, ..)| target == "SYS"));
    let only = CheckQuery { only: vec!["deadlock".to_owned()], ..CheckQuery::default() };
    assert_eq!(names(&answers(expectations, &only)), ["SYS deadlock"]);
    // A verdict that differs from the expected one is reported.
    let other = answers(expectations, &CheckQuery { only: vec!["ON".to_owned()], ..CheckQuery::default() });
    assert_eq!(other[1], ("SYS".to_owned(), "ON.2".to_owned(), Holds, Some(Violated)));
}

#[test]
fn verify_knows_what_is_expected() {
    let project = project("//! expect SYS P holds\n//! expect SYS Q violated\n//! expect PART P violated");
    let report = verify(&project, &VerifyQuery::about("SYS"), Budget::UNLIMITED).expect("no mistake").report;
    let answers: Vec<_> =
        report.results.iter().map(|result| (&*result.property, result.verdict, result.expected)).collect();
    assert_eq!(answers, [("P", Holds, Some(Holds)), ("Q", Holds, Some(Violated))]);
}

/// The codes and places of what is found, by `check` and by `verify`.
fn findings(expectations: &str) -> [Vec<(String, usize, usize)>; 2] {
    let project = project(expectations);
    let told = |findings: &[rely_session::report::Finding]| {
        let place = |finding: &rely_session::report::Finding| {
            let place = finding.place.as_ref().expect("it has a place");
            (finding.code.clone(), place.line - MODEL.lines().count(), place.column)
        };
        findings.iter().filter(|finding| finding.code.contains("024")).map(place).collect()
    };
    let checked = check(&project, &CheckQuery::default(), Budget::UNLIMITED).expect("no mistake");
    let verified =
        verify(&project, &VerifyQuery::about("SYS"), Budget::UNLIMITED).expect("no mistake").report;
    for (has_errors, results) in
        [(checked.has_errors(), checked.results.len()), (verified.has_errors(), verified.results.len())]
    {
        assert_eq!(has_errors, results == 0, "an error leaves no results");
    }
    [told(&checked.diagnostics), told(&verified.diagnostics)]
}

#[test]
fn wrong_expectations_are_errors_at_their_places() {
    let cases = [
        ("//! expect SYS deadlock", "E0240", 1),
        ("//! expect SYS deadlock fails", "E0240", 25),
        ("//! expect SYS deadlock holds now", "E0240", 1),
        ("  //!  expect  SIS  deadlock  holds", "E0241", 16),
        ("//! expect SYS deadlocks holds", "E0242", 16),
        ("//! expect SYS progress holds", "E0242", 16),
        ("//! expect SYS B holds", "E0242", 16),
        ("//! expect SYS deadlock holds //! expect SYS safety holds", "E0240", 1),
        ("//! expects SYS deadlock holds", "W0240", 5),
        ("//!expct SYS deadlock holds", "W0240", 4),
    ];
    for (text, code, column) in cases {
        let expected = vec![(code.to_owned(), 1, column)];
        assert_eq!(findings(text), [expected.clone(), expected], "{text}");
        assert!(rely_session::explain(code).is_some(), "{code}");
    }
    let twice = findings("//! expect SYS GO holds\n//! expect SYS GO holds\n//! expect SYS GO violated");
    assert_eq!(twice[0], [("E0240".to_owned(), 3, 16)]);
    // Which indices there are, only a check finds out.
    let [checked, _] = findings("//! expect SYS ON.3 holds\n//! expect SYS ON holds");
    assert_eq!(checked, [("E0242".to_owned(), 1, 16), ("E0242".to_owned(), 2, 16)]);
    for fine in
        ["//! a remark", "// expect SYS deadlock fails", "//!expect SYS safety holds", "/* //! expect */"]
    {
        assert_eq!(findings(fine), [vec![], vec![]], "{fine}");
    }
}
