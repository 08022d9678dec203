//! Parts with an ERROR of their own: they fail by themselves, and are no properties.

use rely_base::Budget;

use super::super::{Details, PageFormat};
use super::{FORMATS, page};
use crate::report::Verdict;
use crate::{Project, Rule, Strategy, Verified, VerifyQuery, verify};

const MODEL: &str = "
    LATHE = (a -> b -> LATHE | crash -> ERROR).
    DRILL = (b -> d -> DRILL | x -> ERROR).
    CLOCK = (d -> CLOCK | x -> CLOCK).
    TAMER = (d -> TAMER)+{x, crash}.
    property ORDER = (a -> b -> ORDER).
    ||ALONE    = (LATHE || CLOCK || ORDER).
    ||TOGETHER = (DRILL || CLOCK || ORDER).
    ||TAMED    = (LATHE || DRILL || CLOCK || TAMER).
";

fn asked(system: &str, properties: &[&str], strategy: Strategy, rule: Rule) -> Verified {
    let project = Project::new("model.lts", MODEL, Box::new(|_| Err("no imports".into())));
    let query = VerifyQuery {
        properties: properties.iter().map(|&name| name.to_owned()).collect(),
        details: Details { explanation: true, coverage: true },
        strategy,
        rule,
        ..VerifyQuery::about(system)
    };
    let verified = verify(&project, &query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"));
    assert!(!verified.report.has_errors(), "{:?}", verified.report.diagnostics);
    for format in FORMATS {
        assert!(!page(&verified.explanations, format).is_empty());
    }
    verified
}

/// The page as one line of text.
fn words(verified: &Verified) -> String {
    let text = page(&verified.explanations, PageFormat::Text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_part_that_fails_alone_is_blamed_for_it() {
    for strategy in Strategy::ALL {
        let text = words(&asked("ALONE", &["ERROR"], strategy, Rule::Simple));
        for said in [
            "A part of ALONE fails by itself: LATHE does so in 1 step, and not in fewer, with crash.",
            "This is no property, but a part with an ERROR of its own.",
            "LATHE acts: it does crash. LATHE is in its state 0 then, where this leads to an ERROR of its own: it fails",
            "What it is ready for there that does not fail: a.",
            "1 crash LATHE error",
            "LATHE (can fail)",
        ] {
            assert!(text.contains(said), "{strategy:?}: {said:?} is not in {text}");
        }
        for wrong in ["No part has", "forbids", "(property)", "The property"] {
            assert!(!text.contains(wrong), "{strategy:?}: {wrong:?} is in {text}");
        }
    }
}

#[test]
fn a_part_that_fails_with_others_is_one_of_those_who_act() {
    let text = words(&asked("TOGETHER", &["ERROR"], Strategy::Monolithic, Rule::Simple));
    let said = "CLOCK and DRILL act together: they do x. DRILL is in its state 0 then, where this leads to an ERROR of \
                its own: it fails by itself.";
    assert!(text.contains(said), "{text}");
    assert!(text.contains("1 x CLOCK, DRILL error"), "{text}");
    assert!(text.contains("DRILL line 3 2 2 3") || text.contains("DRILL line 3 2 3 3"), "{text}");
}

#[test]
fn parts_that_cannot_fail_are_no_property_that_holds() {
    for strategy in Strategy::ALL {
        let verified = asked("TAMED", &["ERROR"], strategy, Rule::Simple);
        assert_eq!(verified.report.results[0].verdict, Verdict::Holds);
        let text = words(&verified);
        for said in [
            "No run of TAMED leads to an ERROR of LATHE, DRILL.",
            "These are no properties, but parts with an ERROR of their own.",
            "DRILL would fail by x, which CLOCK is ready for. Only TAMER keeps it from happening.",
        ] {
            assert!(text.contains(said), "{strategy:?}: {said:?} is not in {text}");
        }
        for wrong in ["the property", "The property", "(property)", "forbids x"] {
            assert!(!text.contains(wrong), "{strategy:?}: {wrong:?} is in {text}");
        }
    }
}

#[test]
fn what_is_counted_beside_parts_that_can_fail_is_said() {
    let beside = "where LATHE halts in a state of its own when it fails by itself.";
    let text = words(&asked("ALONE", &["ORDER"], Strategy::Monolithic, Rule::Simple));
    assert!(text.contains(beside), "{text}");
    let answer = "LATHE has an ERROR of its own. The answer is about runs up to the step in which it fails";
    assert!(text.contains(answer), "{text}");
    let text = words(&asked("ALONE", &["ERROR"], Strategy::Monolithic, Rule::Simple));
    assert!(!text.contains(beside) && !text.contains(answer), "{text}");
}
