//! Which automata, processes and properties a question about compatibility is about.

use rely_base::Budget;
use rely_session::report::{CompatibleResult, Report, Verdict};
use rely_session::{
    CompatibleQuery, ContractQuery, Operation, Project, RefinesQuery, compatible, contract, refines,
};

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
||REDUCING  = (REDUCED || x:B).
||JOINED    = (AC)/{act/{go, rest}}.
||RANKED    = (A || C) << {go}.
||APART     = (QUIET || B)\\{stop}.
||BESIDE    = (APART || D).

interface FAILS = (go! -> ERROR).
interface BROKE = (go? -> ERROR).
S = (go -> ERROR).
||WITH_S    = (G || C || S).
||BROKEN    = (G || LISTENER || P).
// It takes a call only after a silent step.
interface LATER       = (think -> go? -> LATER)\\{think}.
minimal interface MIN = (think -> go? -> MIN)\\{think}.
minimal ||SMALL       = (LATER).
||CALLED    = (SMALL || G).
";

/// There is a warning if an environment may do little, and none if it may do each action at some time.
#[test]
fn an_environment_that_hardly_does_anything_is_told() {
    let text = "interface CLIENT = (start? -> ask! -> CLIENT).
        interface OPEN = (start? -> ask! -> OPEN | poll? -> done! -> OPEN).
        interface SENDS = (tick! -> SENDS | start? -> ask! -> SENDS).
        interface ONCE = (start? -> ask! -> ONCE | ready? -> start? -> ONCE).
        interface DEAF = STOP + {ask?}.
        interface HEARS = (ask? -> HEARS).";
    let answer = |name: &str, other: &str, every_environment| {
        let project = Project::new("m.lts", text, Box::new(|_| Err("no imports".to_owned())));
        let components = vec![name.to_owned(), other.to_owned()];
        let query = CompatibleQuery { components, every_environment, ..CompatibleQuery::default() };
        let matched = compatible(&project, &query, Budget::UNLIMITED).expect("no mistake");
        let result = matched.report.results[0].clone();
        assert_eq!(result.verdict, if every_environment { Verdict::Violated } else { Verdict::Holds });
        (result.may_send, result.warnings.join("; "))
    };
    let (may, warning) = answer("CLIENT", "DEAF", false);
    assert_eq!(may, Some(vec![]));
    assert_eq!(warning, "the environment must never do anything: it must not send start, ever");
    let (may, warning) = answer("SENDS", "DEAF", false);
    assert_eq!(may, Some(vec![]));
    assert_eq!(warning, "the environment must never send anything: not start, ever");
    let (may, warning) = answer("OPEN", "DEAF", false);
    assert_eq!(may, Some(vec!["poll".to_owned()]));
    assert_eq!(warning, "the environment must never send start; at most it may send poll");
    // It may send everything at some time, or goes wrong anyway, or cannot go wrong.
    assert_eq!(answer("ONCE", "DEAF", false), (None, String::new()));
    assert_eq!(answer("OPEN", "HEARS", false), (None, String::new()));
    assert_eq!(answer("OPEN", "DEAF", true), (None, String::new()));
}

/// The answer about some components.
fn ask(query: &CompatibleQuery) -> CompatibleResult {
    let matched = compatible(&project(), query, Budget::UNLIMITED).expect("no mistake");
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
}

/// The codes of the diagnostics, and how many answers there are. The file always has one warning, for `ALSO`.
fn told<R>(report: &Report<R>) -> (Vec<&str>, usize) {
    let codes = report.diagnostics.iter().map(|finding| finding.code.as_str());
    (codes.filter(|&code| code != "W0303").collect(), report.results.len())
}

fn project() -> Project {
    Project::new("automata.lts", AUTOMATA, Box::new(|_| Err("there are no imports".to_owned())))
}

#[test]
fn nothing_that_is_lost_is_called_compatible() {
    for name in ["NESTED", "REDUCING", "JOINED", "RANKED", "FAILS", "BROKE", "WITH_S"] {
        let query = CompatibleQuery { components: vec![name.to_owned()], ..CompatibleQuery::default() };
        let matched = compatible(&project(), &query, Budget::UNLIMITED).expect("no mistake");
        assert_eq!(told(&matched.report), (vec!["E0008"], 0), "{name}");
        let query = RefinesQuery {
            implementation: name.to_owned(),
            specification: name.to_owned(),
            ..RefinesQuery::default()
        };
        let report = refines(&project(), &query, Budget::UNLIMITED).expect("no mistake").report;
        assert_eq!(told(&report), (vec!["E0008"], 0), "{name}");
        for operation in [Operation::Compose, Operation::Mirror] {
            let query = ContractQuery { operation, operands: vec![name.to_owned()] };
            assert_eq!(
                told(&contract(&project(), &query, Budget::UNLIMITED).expect("no mistake").report),
                (vec!["E0008"], 0),
                "{name}"
            );
        }
    }
    // No part of `APART` sends to another, so nothing is lost when it is built.
    assert_eq!(about(&["BESIDE"]).trace, ["tau", "go"]);
    // A property that is broken is no matter of compatibility.
    assert_eq!(about(&["BROKEN"]).verdict, Verdict::Holds);
}

#[test]
fn an_input_after_a_silent_step_is_not_there_before_it() {
    for components in [&["LATER", "G"][..], &["MIN", "G"], &["SMALL", "G"], &["CALLED"]] {
        let result = about(components);
        assert_eq!(
            (result.verdict, result.trace),
            (Verdict::Violated, vec!["go".to_owned()]),
            "{components:?}"
        );
    }
}

#[test]
fn refines_says_what_it_leaves_out() {
    let ask = |implementation: &str| {
        let query = RefinesQuery {
            implementation: implementation.to_owned(),
            specification: "RESTED".to_owned(),
            ..RefinesQuery::default()
        };
        refines(&project(), &query, Budget::UNLIMITED).expect("no mistake").report
    };
    assert_eq!(told(&ask("AC")), (vec!["W0001"], 1));
    assert_eq!(told(&ask("RESTED")), (vec![], 1));
    // What breaks a property is no automaton.
    assert_eq!(told(&ask("BROKEN")), (vec!["E0008"], 0));
}

#[test]
fn contract_says_what_it_leaves_out() {
    let ask = |operation, operands: &[&str]| {
        let operands = operands.iter().map(|&name| name.to_owned()).collect();
        contract(&project(), &ContractQuery { operation, operands }, Budget::UNLIMITED)
            .expect("no mistake")
            .report
    };
    assert_eq!(told(&ask(Operation::Mirror, &["AC"])), (vec!["W0001"], 1));
    assert_eq!(told(&ask(Operation::Mirror, &["RESTED"])), (vec![], 1));
    // Composition takes the parts, and leaves nothing out.
    assert_eq!(told(&ask(Operation::Compose, &["AC"])), (vec![], 1));
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
