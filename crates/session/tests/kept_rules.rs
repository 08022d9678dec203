//! Rules that are kept from one run to the next: no answer depends on what is in the store, and what changed is said.

#[path = "../../reactive/tests/semantics/random.rs"]
mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;

use rely_base::Budget;
use rely_session::report::{CheckResult, MineResult, Verdict};
use rely_session::{CheckQuery, Environment, Key, Memory, Outside, Project, Window, check_with, mine};
use rely_testkit::rng::{Rng, seeds};

/// A store, which may say the same of whatever it is asked.
#[derive(Default)]
struct Store {
    entries: RefCell<BTreeMap<Key, Vec<u8>>>,
    is_trusted: bool,
    lie: Option<Vec<u8>>,
}

impl Memory for Store {
    fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        self.lie.clone().or_else(|| self.entries.borrow().get(key).cloned())
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        self.entries.borrow_mut().extend(entries.iter().cloned());
    }
}

fn project(text: &str) -> Project {
    Project::new("m.srs", text, Box::new(|_| Err("nothing".to_owned())))
}

fn answers(text: &str, component: &str, memory: Option<&dyn Memory>) -> Vec<CheckResult> {
    let query = CheckQuery {
        targets: vec![component.to_owned()],
        only: vec!["safety".to_owned()],
        environment: Environment::Mined,
        ..CheckQuery::default()
    };
    let outside = Outside { spin: None, memory };
    let report =
        check_with(&project(text), &query, outside, Budget::UNLIMITED).expect("runs can be replayed");
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    report.results
}

fn mined(text: &str, component: &str, memory: &Store) -> MineResult {
    let components = [component.to_owned()];
    let report = mine(&project(text), &components, Window::One, Some(memory), Budget::UNLIMITED);
    report.expect("there are no errors").results.remove(0)
}

/// The verdicts, with what they rest on.
fn verdicts(results: &[CheckResult]) -> Vec<(String, Verdict, Vec<String>)> {
    let rests_on = |it: &CheckResult| it.rests_on.iter().map(|it| it.assumption.clone()).collect();
    results.iter().map(|it| (it.property.clone(), it.verdict, rests_on(it))).collect()
}

#[test]
fn no_answer_depends_on_what_is_stored() {
    let mut lies_told = 0;
    for seed in seeds(12) {
        let text = random::system(&mut Rng::new(seed));
        for (component, other) in [("C0", "g1"), ("C1", "g0")] {
            if !text.contains(&format!("component {component}")) {
                continue;
            }
            let context = format!("seed {seed}, {component}\n{text}");
            let fresh = answers(&text, component, None);
            for is_trusted in [false, true] {
                let store = Store { is_trusted, ..Store::default() };
                for is_reused in [false, true] {
                    let again = answers(&text, component, Some(&store));
                    assert_eq!(verdicts(&again), verdicts(&fresh), "{context}");
                    // Hints that leave something open are not used.
                    let is_decided = fresh.iter().all(|it| it.verdict != Verdict::Unknown);
                    let is_used = is_reused && (is_trusted || is_decided);
                    let says_so = again.iter().all(|it| it.rules_reused == is_used);
                    assert!(says_so && again.iter().all(|it| it.rules_gone.is_empty()), "{context}");
                }
            }
            for rule in [format!("{other}: never"), format!("always {other}"), "nobody: never".to_owned()] {
                let lie = serde_json::json!({
                    "configurations": 1, "rules": [], "redundant": 0, "lines": [],
                    "assumptions": [rule], "is_by_part": false,
                });
                let store = Store { lie: Some(lie.to_string().into_bytes()), ..Store::default() };
                let deceived = answers(&text, component, Some(&store));
                let only_verdicts = |all: &[CheckResult]| {
                    all.iter().map(|it| (it.property.clone(), it.verdict)).collect::<Vec<_>>()
                };
                assert_eq!(only_verdicts(&deceived), only_verdicts(&fresh), "{rule}: {context}");
                lies_told += 1;
            }
        }
    }
    assert!(lies_told > 0, "no system has components");
}

/// A barrier at a level crossing. It relies on opening and closing never coming together, and in one microstep only.
fn gate(inputs: &str, arm: &str, more: &str) -> String {
    format!(
        "system Gate {{
            input {inputs}
            component Sensor {{
                gives open, close
                machine Road {{ r -> r on car / open }}
                machine Rail {{ r -> r on train / close }}
            }}
            component Barrier {{
                takes open, close
                output ring
                machine Arm {{ down -> up on open   up -> down on close {arm} }}
                property safe at macrostep: close => Arm.down
                {more}
            }}
        }}"
    )
}

fn about<'r>(results: &'r [CheckResult], property: &str) -> &'r CheckResult {
    results.iter().find(|result| result.property == property).expect("it was asked about")
}

#[test]
fn a_changed_component_reuses_rules_and_a_changed_environment_does_not() {
    let store = Store::default();
    let ring = "/ ring";
    let first = answers(&gate("one of car, train", ring, ""), "Barrier", Some(&store));
    let safe = about(&first, "Barrier.safe");
    assert_eq!((safe.verdict, safe.rules_reused), (Verdict::Holds, false));
    assert!(safe.rests_on.iter().any(|it| it.assumption == "never open with close"), "{:?}", safe.rests_on);

    // Another machine, and another property.
    let more = "property rings at macrostep: ring => close";
    let second = answers(
        &gate("one of car, train", "down -> down on close & !open / ring", more),
        "Barrier",
        Some(&store),
    );
    assert_eq!(
        (about(&second, "Barrier.safe").verdict, about(&second, "Barrier.safe").rules_reused),
        (Verdict::Holds, true)
    );
    assert_eq!(about(&second, "Barrier.rings").verdict, Verdict::Holds);

    // Both may come together now.
    let both = gate("car, train", ring, "");
    let known = mined(&both, "Barrier", &store);
    assert!(!known.reused);
    assert_eq!(known.gone, ["never open with close"]);
    assert_eq!(known.broken_proofs, ["Barrier.safe"]);
    let third = answers(&both, "Barrier", Some(&store));
    let safe = about(&third, "Barrier.safe");
    assert_eq!(
        (safe.verdict, &safe.rules_gone[..]),
        (Verdict::Violated, &["never open with close".to_owned()][..])
    );

    // It is said once; and the first environment is still known.
    assert!(about(&answers(&both, "Barrier", Some(&store)), "Barrier.safe").rules_gone.is_empty());
    assert!(
        about(&answers(&gate("one of car, train", ring, ""), "Barrier", Some(&store)), "Barrier.safe")
            .rules_reused
    );
}

#[test]
fn a_rule_that_still_follows_is_not_gone() {
    let store = Store::default();
    let text = gate("one of car, train", "/ ring", "");
    assert!(mined(&text, "Barrier", &store).gone.is_empty());
    // Nothing opens any more, so that nothing opens when something closes.
    let closed = text
        .replace("machine Road { r -> r on car / open }", "machine Road { r -> r on car & train / open }");
    let known = mined(&closed, "Barrier", &store);
    assert!(known.lines.iter().any(|line| line.text == "open: never"), "{:?}", known.lines);
    assert_eq!(known.gone, [""; 0]);
}
