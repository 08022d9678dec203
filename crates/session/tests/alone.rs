//! Components on their own: what is said about them is true of the whole system, which a naive interpreter explores.

#[path = "../../reactive/tests/semantics/program.rs"]
#[allow(dead_code, reason = "another test uses the rest")]
mod program;
#[path = "../../reactive/tests/semantics/random.rs"]
mod random;

use std::collections::BTreeSet;

use rely_base::{Budget, Id, Span};
use rely_certificate::Certificate;
use rely_lts::UnitId;
use rely_model::Assumption;
use rely_reactive::Elaborator;
use rely_reactive::program::{Check, Options, View, lower};
use rely_reactive::system::{ComponentId, Instant, System};
use rely_session::report::{CheckResult, Verdict};
use rely_session::{CheckQuery, Environment, Project, certificate, certify, check};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const ENVIRONMENTS: [Environment; 4] =
    [Environment::Universal, Environment::Mined, Environment::Written, Environment::Mixed];

fn project(text: &str) -> Project {
    Project::new("m.srs", text, Box::new(|_| Err("nothing".to_owned())))
}

fn system(text: &str) -> System {
    let parse = rely_reactive::parse(text);
    Elaborator::new(parse.file()).systems().next().expect("there is one").clone()
}

fn answers(project: &Project, component: &str, environment: Environment) -> Vec<CheckResult> {
    let query = CheckQuery {
        targets: vec![component.to_owned()],
        only: vec!["safety".to_owned()],
        environment,
        ..CheckQuery::default()
    };
    let report = check(project, &query, Budget::UNLIMITED).expect("runs can be replayed");
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    report.results
}

/// Which of some checks fail in a view, one at a time, by the naive interpreter; nothing if that is too large.
fn failing(system: &System, view: View, checks: &[Check]) -> Option<BTreeSet<String>> {
    let mut failing = BTreeSet::new();
    for check in checks {
        let options = Options { checks: vec![check.clone()], counted: 4, ..Options::without_properties() };
        let program = lower(system, view, &options).program;
        // Of the units that fail in a step the first is reported, and another may notice a macrostep that does not end.
        let watcher = UnitId::from_index(program.units().len() - 1);
        let found = program::explore(&program.with_unit_first(watcher), 10_000, |_, _, _| {})?.failing;
        failing.extend(found.into_iter().filter(|name| *name == check.name));
    }
    Some(failing)
}

/// Whether the environment of a component keeps to something, by the naive interpreter; nothing if it is too large.
fn keeps(system: &System, component: ComponentId, assumption: &Assumption) -> Option<bool> {
    let formula = rely_reactive::assumed::formula(system, component, assumption).expect("it has a meaning");
    let check = Check {
        name: "kept".to_owned(),
        instant: Instant::Microstep(None),
        formula,
        place: Span::new(0, 0),
        is_about_border: true,
    };
    Some(failing(system, View::Environment(component), &[check])?.is_empty())
}

#[test]
fn answers_about_a_component_are_true_of_the_whole_system() {
    let (mut proofs, mut violations, mut alarms, mut refused) = (0, 0, 0, 0);
    for seed in seeds(24) {
        let text = random::system(&mut Rng::new(seed));
        let (project, system) = (project(&text), system(&text));
        let checks = Options::with_properties(&system, View::Whole).checks;
        let Some(broken) = failing(&system, View::Whole, &checks) else { continue };
        for (number, component) in system.components.iter().enumerate() {
            let id = ComponentId::from_index(number);
            for environment in ENVIRONMENTS {
                let context = format!("seed {seed}, {} {environment:?}\n{text}", component.name);
                let results = answers(&project, &component.name, environment);
                for result in &results {
                    let is_broken = broken.contains(&result.property);
                    let rule = result.rule.iter().map(|rule| Assumption::Rule(rule.clone()));
                    for assumption in result.rests_on.iter().map(Assumption::from).chain(rule) {
                        assert_ne!(keeps(&system, id, &assumption), Some(false), "{assumption}: {context}");
                    }
                    if result.is_assumption {
                        let assumption = Assumption::Written(result.property.clone());
                        if let Some(kept) = keeps(&system, id, &assumption) {
                            assert_eq!(result.verdict == Verdict::Holds, kept, "{assumption}: {context}");
                            refused += usize::from(!kept);
                        }
                        continue;
                    }
                    match result.verdict {
                        Verdict::Holds => assert!(!is_broken, "{} holds: {context}", result.property),
                        Verdict::Violated if result.property == "safety" => {}
                        Verdict::Violated => assert!(is_broken, "{} fails: {context}", result.property),
                        Verdict::Unknown => {
                            let is_false = result.false_positive == Some(Some(true));
                            let by_search = is_false && result.rule.is_none() && result.property != "safety";
                            assert!(!(by_search && is_broken), "{} is false: {context}", result.property);
                            alarms += usize::from(is_false);
                        }
                    }
                    violations += usize::from(result.verdict == Verdict::Violated);
                    proofs += usize::from(result.verdict == Verdict::Holds && !result.rests_on.is_empty());
                }
                if results.iter().any(|result| !result.rests_on.is_empty()) {
                    let written = certificate(&project, &results, Budget::UNLIMITED).expect("no limits");
                    assert!(rejected(&project, &written).is_empty(), "{context}");
                }
            }
        }
    }
    let is_rich = proofs > 5 && violations > 5 && alarms > 5 && refused > 5;
    assert!(is_rich || is_single_seed(), "{proofs} {violations} {alarms} {refused}");
}

/// The claims of a certificate that are not accepted.
fn rejected(project: &Project, certificate: &Certificate) -> Vec<String> {
    let text = serde_json::to_vec(certificate).expect("plain data");
    let report = certify(project, "c.cert", &text, &[], Budget::UNLIMITED).expect("no limits");
    report
        .results
        .into_iter()
        .filter_map(|it| it.reason.map(|why| format!("{}: {why}", it.property)))
        .collect()
}

/// Control needs both facts about Water for its property: low and high never come together, and only in microstep 2.
const LEVELS: &str = "system S {
    input one of raw_low, raw_high
    input go
    component Water {
        gives low, high
        machine Filter { f -> f on raw_low / is_low   f -> f on raw_high & !raw_low / is_high }
        machine Range { r -> r on is_low / low   r -> r on is_high & !is_low / high }
    }
    component Control {
        takes low, high
        machine Mode { a -> b on low & high   a -> c on low & Late.no   a -> a on high & Late.no }
        machine Late { no -> soon on ms1   soon -> yes on ms2 }
        machine Clock { idle -> idle on go / ms1   idle -> idle on ms1 / ms2 }
        property fine at macrostep: !Mode.b
    }
}";

#[test]
fn a_proof_says_what_it_rests_on_and_nothing_else() {
    let project = project(LEVELS);
    let results = answers(&project, "Control", Environment::Mined);
    let fine = results.iter().find(|result| result.property == "Control.fine").expect("it is there");
    assert_eq!(fine.verdict, Verdict::Holds);
    let rests_on: Vec<&str> = fine.rests_on.iter().map(|it| it.assumption.as_str()).collect();
    assert_eq!(rests_on, ["never low with high"]);
    let alarm = answers(&project, "Control", Environment::Universal);
    let alarm = alarm.iter().find(|result| result.property == "Control.fine").expect("it is there");
    assert_eq!((alarm.verdict, alarm.false_positive), (Verdict::Unknown, Some(Some(true))));
    assert!(alarm.rule.is_some() && !alarm.trace.is_empty());
}

#[test]
fn what_rests_on_nothing_is_not_certified() {
    let project = project(LEVELS);
    let results = answers(&project, "Control", Environment::Mined);
    let honest = certificate(&project, &results, Budget::UNLIMITED).expect("no limits");
    assert_eq!(rejected(&project, &honest), Vec::<String>::new());
    let about_environment = |target: &str| target.starts_with("the environment of");
    let alone = |certificate: &Certificate| {
        rejected(&project, certificate).iter().any(|it| it.starts_with("Control.fine"))
    };
    // Nothing is said about the environment.
    let mut forged = honest.clone();
    forged.claims.retain(|claim| !about_environment(&claim.target));
    assert!(alone(&forged));
    // It is said too late.
    let mut forged = honest.clone();
    forged.claims.reverse();
    assert!(alone(&forged));
    // The environment is said to keep to something else, or to more, or to what is no rule.
    for other in
        ["never high with low", "never low", "never low with high; never high", "} machine M { a -> b on go"]
    {
        let mut forged = honest.clone();
        for claim in forged.claims.iter_mut().filter(|claim| about_environment(&claim.target)) {
            claim.target = format!("the environment of Control keeping to {other}");
        }
        assert!(alone(&forged), "{other}");
    }
    // Another component is said to keep to it.
    let mut forged = honest;
    for claim in forged.claims.iter_mut().filter(|claim| about_environment(&claim.target)) {
        claim.target = claim.target.replace("Control", "Water");
    }
    assert!(alone(&forged));
}

#[test]
fn every_sender_of_an_event_has_to_keep_to_a_rule() {
    let text = "system S {
        input go
        component Early { gives x  machine M { a -> b on go / x } }
        component Late { gives x  machine M { a -> b on go / y }  machine N { a -> b on y / x } }
        component C {
            takes x
            machine K { a -> b on go / k   a -> a on k / m   b -> b on k / l   b -> b on l / m }
            machine M { a -> b on x & m }
            property p at macrostep: M.a
        }
    }";
    let project = project(text);
    let results = answers(&project, "C", Environment::Mined);
    let honest = certificate(&project, &results, Budget::UNLIMITED).expect("no limits");
    assert_eq!(rejected(&project, &honest), Vec::<String>::new());
    let of = |name: &str| {
        honest.claims.iter().filter(|it| it.target.contains(&format!(", of it S.{name} "))).count()
    };
    assert_eq!((of("Early"), of("Late")), (1, 1));
    for name in ["Early", "Late"] {
        let mut forged = honest.clone();
        forged.claims.retain(|claim| !claim.target.contains(&format!(", of it S.{name} ")));
        assert!(rejected(&project, &forged).iter().any(|it| it.starts_with("C.p")), "{name}");
    }
}

#[test]
fn an_event_of_its_own_is_not_assumed_away() {
    // The environment sends x in microstep 2 only, and the component itself in microstep 1.
    let text = "system S {
        input go
        component A {
            takes x
            gives x
            machine M { a -> b on go / x, mine }
            machine R { r -> s on x & mine }
            property p at macrostep: R.r
        }
        component B {
            gives x
            machine N { n -> m on after 3 / y }
            machine O { n -> m on y / x }
        }
    }";
    for environment in ENVIRONMENTS {
        let results = answers(&project(text), "A", environment);
        let p = results.iter().find(|result| result.property == "A.p").expect("it is there");
        assert_eq!(p.verdict, Verdict::Violated, "{environment:?}");
        assert!(p.components.contains(&"B.N".to_owned()), "the run is one of the whole system");
    }
}

#[test]
fn nothing_rests_on_an_assumption_that_is_wrong() {
    let text = "system S {
        input go
        component A { takes x  machine R { r -> s on x }  assume never: !x  property p at macrostep: R.r }
        component B { takes y  gives x  machine N { n -> m on go & N.m / x } machine O { o -> p on y / x } }
        component C { gives y  machine K { k -> l on go & K.l / y } }
    }";
    // In the whole system y never occurs, nor when the environment of A is checked, since C does nothing.
    let results = answers(&project(text), "A", Environment::Written);
    let verdict = |name: &str| results.iter().find(|it| it.property == name).expect("it is there").verdict;
    assert_eq!((verdict("A.p"), verdict("A.never")), (Verdict::Holds, Verdict::Holds));
    let wrong = text.replace("go & N.m / x", "go / x");
    let results = answers(&project(&wrong), "A", Environment::Written);
    let find = |name: &str| results.iter().find(|it| it.property == name).expect("it is there");
    assert_eq!(find("A.p").verdict, Verdict::Violated);
    let never = find("A.never");
    assert_eq!(never.verdict, Verdict::Unknown);
    assert!(never.is_assumption && never.trace.contains(&"go".to_owned()));
}
