//! Which automata, processes and properties a question about compatibility is about.

use rely_base::Budget;
use rely_session::report::{CompatibleResult, Verdict};
use rely_session::{CompatibleQuery, Project, compatible};

const AUTOMATA: &str = "
interface A = (go! -> go! -> A).
interface B = (go? -> B | stop! -> STOP) + {late?}.
interface C = (go? -> rest -> C).
interface G = (go! -> G).
interface D = (go! -> late! -> D).
interface LISTENER = (go? -> LISTENER).
// Between two calls there is a rest.
T = (go -> rest -> T).
property P = (go -> rest -> P).

||AC        = (A || C).
||RESTED    = (G || C || T).
||WATCHED   = (A || C || P).
||HIDING    = (A || C)\\{go}.
||ALSO      = (A || C)@{nothing}.
minimal ||REDUCED = (A || C).
||QUIET     = (G)\\{go}.
||NESTED    = (HIDING || x:B).
";

/// The answer about some components.
fn ask(query: &CompatibleQuery) -> CompatibleResult {
    let project =
        Project::new("automata.lts", AUTOMATA, Box::new(|_| Err("there are no imports".to_owned())));
    let matched = compatible(&project, query, Budget::UNLIMITED).expect("no mistake");
    let errors: Vec<&str> =
        matched.report.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(matched.report.results.len(), 1, "{errors:?}");
    matched.report.results[0].clone()
}

fn about(components: &[&str]) -> CompatibleResult {
    let components = components.iter().map(|&name| name.to_owned()).collect();
    ask(&CompatibleQuery { components, ..CompatibleQuery::default() })
}

#[test]
fn composites_stand_for_their_parts() {
    for components in [&["A", "C"][..], &["AC"], &["WATCHED"], &["HIDING"], &["ALSO"], &["REDUCED"]] {
        let result = about(components);
        assert_eq!(result.verdict, Verdict::Violated, "{components:?}");
        assert_eq!(result.trace, ["go", "go"], "{components:?}");
        let illegal = result.illegal.expect("somebody is to blame");
        assert_eq!((illegal.sender.as_str(), illegal.receiver.as_str()), ("A", "C"), "{components:?}");
        assert!(!result.open, "{components:?}");
    }
}

#[test]
fn processes_restrict_and_properties_look_on() {
    assert_eq!(about(&["RESTED"]).verdict, Verdict::Holds);
    assert_eq!(about(&["G", "C"]).verdict, Verdict::Violated);
    assert_eq!(about(&["WATCHED"]).trace, ["go", "go"]);
}

#[test]
fn what_is_hidden_is_nobody_elses() {
    // G's own calls are not those that C takes.
    let result = about(&["QUIET", "C"]);
    assert_eq!((result.verdict, result.open), (Verdict::Holds, true));
    assert_eq!((result.inputs, result.outputs), (vec!["go".to_owned()], Vec::new()));
    let result = about(&["HIDING", "LISTENER"]);
    assert_eq!(result.verdict, Verdict::Violated);
    assert_eq!(result.trace, ["HIDING:go", "HIDING:go"]);
    // A composite that hides and is part of another is a component of its own.
    assert_eq!(about(&["NESTED"]).verdict, Verdict::Holds);
}

#[test]
fn open_components_are_told_what_to_avoid() {
    let result = about(&["B", "D"]);
    assert_eq!((result.verdict, result.open), (Verdict::Violated, true));
    assert_eq!(result.trace, ["go", "late"]);
    let query = CompatibleQuery {
        components: vec!["A".to_owned(), "LISTENER".to_owned()],
        environment: true,
        ..CompatibleQuery::default()
    };
    let result = ask(&query);
    assert_eq!((result.verdict, result.open), (Verdict::Holds, false));
    assert!(result.avoid.is_none() && result.environment.is_none());
}
