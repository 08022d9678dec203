//! Properties inside of a component of `assume` or `retrieve` only observe, whatever is done to the composite that they are
//! in.

use rely_base::Budget;
use rely_session::report::{Outcome, Report, RetrieveResult, Verdict};
use rely_session::{AssumeQuery, Project, assume, build_single, retrieve};

const MODEL: &str = "
M = (a -> M | b -> M).
E = (a -> E | b -> E).
property P = (b -> P) + {a}.
property Q = (b -> Q) + {a}.
||FLAT = (M || Q).
minimal ||MINIMAL = (M || Q).
deterministic ||DETERMINISTIC = (M || Q).
||HIDING = (M || Q)@{a, b}.
||RANKED = (M || Q) << {nothing}.
||NESTED = (MINIMAL).
||DEEP = (x:NESTED)/{a/x.a, b/x.b}.
minimal ||ERRS = (F).
F = (a -> F | b -> F | c -> ERROR).
property ||ORDER = (W).
W = (b -> W) + {a}.
";

fn project(name: &str, text: &str) -> Project {
    Project::new(name, text, Box::new(|_| Err("no imports".to_owned())))
}

/// The outcome, and the codes and lines of errors.
fn asked(component: &str) -> (Option<Outcome>, Vec<(String, Option<usize>)>) {
    let project = project("m.lts", MODEL);
    let query = AssumeQuery {
        components: vec![component.to_owned()],
        property: "P".to_owned(),
        environment: vec!["E".to_owned()],
        alphabet: None,
        learn: None,
        deadlock_free: false,
        discharge: false,
        equal: false,
    };
    let report =
        assume(std::slice::from_ref(&project), &query, Budget::UNLIMITED).expect("no mistake").report;
    let errors = report.diagnostics.iter().filter(|finding| finding.code.starts_with('E'));
    let errors = errors
        .map(|finding| (finding.code.clone(), finding.place.as_ref().map(|place| place.line)))
        .collect();
    (report.results.first().map(|result| result.outcome), errors)
}

#[test]
fn what_is_done_to_a_composite_does_not_make_its_properties_part_of_it() {
    for component in ["M", "FLAT", "MINIMAL", "DETERMINISTIC", "HIDING", "RANKED", "ERRS"] {
        assert_eq!(asked(component), (Some(Outcome::Assumption), Vec::new()), "{component}");
    }
}

#[test]
fn a_property_that_is_built_in_is_refused() {
    for component in ["NESTED", "DEEP"] {
        assert_eq!(asked(component), (None, vec![("E0250".to_owned(), Some(7))]), "{component}");
    }
    assert!(rely_session::explain("E0250").is_some());
}

/// Which components never do b after a; Q lets none of them do a.
fn retrieved(names: &[&str]) -> Report<RetrieveResult> {
    let need = project("need.lts", "NEED = (a -> DONE | b -> NEED), DONE = (a -> DONE).");
    let need = build_single(&need, None, Budget::UNLIMITED).expect("it can be built");
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    retrieve(&need, &[project("m.lts", MODEL)], &names, Budget::UNLIMITED).expect("no mistake")
}

#[test]
fn properties_do_not_make_a_component_better_than_it_is() {
    for component in ["M", "FLAT", "MINIMAL", "DETERMINISTIC", "HIDING", "RANKED", "ERRS"] {
        let report = retrieved(&[component]);
        let verdicts: Vec<Verdict> = report.results.iter().map(|result| result.verdict).collect();
        assert_eq!(verdicts, [Verdict::Violated], "{component}: {report:?}");
        assert_eq!(report.results[0].trace, ["a", "b"], "{component}");
    }
}

#[test]
fn what_is_retrieved_has_no_property_built_in() {
    for component in ["NESTED", "DEEP"] {
        let report = retrieved(&[component]);
        assert!(report.results.is_empty(), "{component}: {report:?}");
        let errors = report.diagnostics.iter().filter(|finding| finding.code.starts_with('E'));
        assert_eq!(errors.map(|finding| &*finding.code).collect::<Vec<_>>(), ["E0250"], "{component}");
    }
    // In a library the others are judged.
    let all = retrieved(&[]);
    assert!(!all.has_errors(), "{all:?}");
    let found = |name: &str| all.results.iter().find(|result| result.component == name).expect("it is there");
    assert_eq!(found("MINIMAL").verdict, Verdict::Violated);
    for component in ["NESTED", "DEEP"] {
        assert_eq!(found(component).verdict, Verdict::Unknown, "{component}");
        let reason = found(component).reason.as_deref().unwrap_or_default();
        assert!(reason.contains("is built before it is composed, with the property `Q` in it"), "{reason}");
    }
}
