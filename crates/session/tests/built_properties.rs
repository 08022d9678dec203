//! Properties inside of a component of `assume` only look on, whatever is done to the composite that they are in.

use rely_base::Budget;
use rely_session::report::Outcome;
use rely_session::{AssumeQuery, Project, assume};

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

/// The outcome, and the codes and lines of errors.
fn asked(component: &str) -> (Option<Outcome>, Vec<(String, Option<usize>)>) {
    let project = Project::new("m.lts", MODEL, Box::new(|_| Err("no imports".to_owned())));
    let query = AssumeQuery {
        components: vec![component.to_owned()],
        property: "P".to_owned(),
        environment: vec!["E".to_owned()],
        alphabet: None,
        learn: None,
        deadlock_free: false,
        discharge: false,
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
