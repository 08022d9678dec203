//! `verify` says, like `check`, that a property is never exercised; and that a property is no part.

use rely_base::Budget;
use rely_session::report::Verdict;
use rely_session::{CheckQuery, Project, Strategy, Verified, VerifyQuery, check, verify};

const MODEL: &str = "
    CELL(K=1) = (put[K] -> get[K] -> CELL).
    MUTE      = (tick -> MUTE)+{zip, zap}.
    LEFT      = (x -> y -> LEFT).
    RIGHT     = (y -> x -> RIGHT).
    CAREFUL   = (put[1] -> CAREFUL)+{bad}.
    WAITS     = (x -> x -> ERROR).
    property REFUSED = (zip -> zap -> REFUSED).
    property STUCK   = (x -> y -> STUCK).
    property FREE    = (z -> FREE).
    property NEVER   = STOP+{bad}.
    property ORDER   = (put[1] -> get[1] -> ORDER).
    ||CELLS = (CELL(1) || CELL(2)).
    ||R = (CELLS || MUTE || REFUSED).
    ||S = (CELLS || LEFT || RIGHT || STUCK).
    ||F = (CELLS || FREE).
    ||N = (CELLS || CAREFUL || NEVER).
    ||O = (CELLS || MUTE || ORDER).
    ||E = (CELLS || LEFT || RIGHT || WAITS).
    property HALF    = (put[1] -> HALF | z -> STOP).
    property LAX     = (put[1] -> LAX | z -> LAX).
    ||H = (CELLS || HALF).
    ||L = (CELLS || LAX).
";

fn project() -> Project {
    Project::new("model.lts", MODEL, Box::new(|_| Err("no imports".into())))
}

fn verified(query: &VerifyQuery<'_>) -> Verified {
    verify(&project(), query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"))
}

/// What every strategy warns of; they agree.
fn warnings(system: &str) -> Vec<String> {
    let by = |strategy: Strategy| {
        let verified = verified(&VerifyQuery { strategy, ..VerifyQuery::about(system) });
        let [result] = &verified.report.results[..] else { panic!("one property in {system}") };
        assert_eq!(result.verdict, Verdict::Holds, "{system} {strategy:?}");
        result.warnings.clone()
    };
    let first = by(Strategy::ALL[0]);
    for strategy in Strategy::ALL {
        assert_eq!(by(strategy), first, "{system} {strategy:?}");
    }
    first
}

/// What `check` warns of.
fn warnings_of_check(system: &str) -> Vec<String> {
    let query = CheckQuery {
        targets: vec![system.to_owned()],
        only: vec!["safety".to_owned()],
        ..CheckQuery::default()
    };
    let report = check(&project(), &query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"));
    report.results.iter().flat_map(|result| result.warnings.clone()).collect()
}

#[test]
fn verify_warns_of_what_check_warns_of() {
    for (system, property) in [("R", "REFUSED"), ("S", "STUCK")] {
        let expected = format!("property {property} holds vacuously: none of its actions ever occurs");
        assert_eq!(warnings(system).join("; "), expected);
        assert_eq!(warnings_of_check(system).join("; "), expected);
    }
}

#[test]
fn what_is_exercised_or_forbids_everything_is_no_warning() {
    for system in ["O", "N"] {
        assert_eq!(warnings(system), Vec::<String>::new(), "{system}");
        assert_eq!(warnings_of_check(system), Vec::<String>::new(), "{system}");
    }
}

#[test]
fn a_property_about_nobody_is_a_warning() {
    assert_eq!(warnings("F"), ["no component has z: it is free to occur at any time"]);
}

#[test]
fn a_part_that_can_fail_and_never_does_anything_is_a_warning() {
    assert_eq!(warnings("E"), ["component WAITS never does anything"]);
}

#[test]
fn a_property_is_no_part_of_a_group() {
    let left = |name: &str| {
        let query = VerifyQuery { left: vec![name.to_owned()], ..VerifyQuery::about("O") };
        let report = verified(&query).report;
        report
            .diagnostics
            .iter()
            .map(|finding| (finding.message.clone(), finding.help.clone()))
            .collect::<Vec<_>>()
    };
    let help = Some("its parts are CELLS.CELL(1), CELLS.CELL(2), MUTE".to_owned());
    assert_eq!(left("ORDER"), [("`ORDER` is a property of `O`, not a part".to_owned(), help.clone())]);
    assert_eq!(left("NOBODY"), [("`O` has no part `NOBODY`".to_owned(), help)]);
    assert_eq!(left("MUTE"), []);
}

#[test]
fn what_only_the_property_has_is_told_whatever_the_answer_is() {
    let expected = ["no component has z: it is free to occur at any time"];
    for strategy in Strategy::ALL {
        let query = VerifyQuery { strategy, ..VerifyQuery::about("H") };
        let violated = verified(&query).report.results.remove(0);
        assert_eq!(
            (violated.verdict, &violated.warnings[..]),
            (Verdict::Violated, &expected.map(str::to_owned)[..])
        );
        let none = Budget::new(rely_base::Limits { states: Some(0), bytes: None }, None);
        let unknown = verify(&project(), &query, none).unwrap_or_else(|error| panic!("{error}"));
        let unknown = &unknown.report.results[0];
        assert_eq!(
            (unknown.verdict, &unknown.warnings[..]),
            (Verdict::Unknown, &expected.map(str::to_owned)[..])
        );
    }
    let forbids_nothing = "property LAX forbids nothing: whatever happens, it holds";
    assert_eq!(warnings("L"), [expected[0], forbids_nothing]);
}
