//! What questions verdicts, through the questions of `check` and `verify`.

use rely_base::Budget;

use crate::report::{CheckResult, Report, Verdict};
use crate::{CheckQuery, Project, Strategy, VerifyQuery, check, verify};

fn project(text: &str) -> Project {
    Project::new("m.lts", text, Box::new(|_| Err("no imports".to_owned())))
}

fn report(text: &str, query: &CheckQuery) -> Report<CheckResult> {
    check(&project(text), query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"))
}

/// The verdict about a property, and what questions it.
fn answer(text: &str, property: &str) -> (Verdict, Vec<String>) {
    let report = report(text, &CheckQuery::default());
    let mut results = report.results.into_iter().filter(|result| result.property == property);
    let result = results.next().unwrap_or_else(|| panic!("no result about {property}"));
    assert_eq!(results.next(), None, "one target");
    (result.verdict, result.warnings)
}

const SYSTEM: &str = "P = (commit -> P | abort -> P). Q = (commit -> rest -> Q). ||S = (P || Q).\n";

const FREE: &str = "no component has comit: it is free to occur at any time; did you mean commit?";

#[test]
fn a_misspelt_action_of_an_assertion_is_part_of_the_answer() {
    let model = format!("{SYSTEM} assert LIVE = <>comit assert SAME = <>commit");
    assert_eq!(answer(&model, "LIVE").1, [FREE]);
    assert_eq!(answer(&model, "SAME").1, [""; 0]);
    // In a set, in a fluent, behind an index, in another assertion, in the alphabet.
    for assertion in [
        "assert A = []<>{comit, rest}",
        "fluent F = <comit, rest> assert A = [](F -> <>rest)",
        "fluent F = <rest, {abort, comit}> assert A = <>F",
        "assert A = [](rest -> B) assert B = <>comit",
        "assert A = []<>rest + {comit}",
    ] {
        assert_eq!(answer(&format!("{SYSTEM} {assertion}"), "A").1, [FREE], "{assertion}");
    }
}

#[test]
fn a_misspelt_action_of_a_property_is_part_of_the_answer() {
    let model = "P = (commit -> P | abort -> P). property SAFE = (abort -> SAFE | comit -> SAFE) + {commit}.
        ||S = (P || SAFE).
        assert A = []<>comit";
    let of_safe =
        "no process has comit of property SAFE: it is free to occur at any time; did you mean commit?";
    assert_eq!(answer(model, "safety").1, [of_safe]);
    // It keeps the target from being stuck.
    assert_eq!(answer(model, "deadlock"), (Verdict::Holds, vec![of_safe.to_owned()]));
    let of_assertion =
        "nothing but a property has comit: it is free to occur at any time; did you mean commit?";
    assert_eq!(answer(model, "A").1, [of_assertion]);
}

#[test]
fn a_property_in_a_part_that_is_built_first_is_part_of_the_answer() {
    let model = "P = (commit -> P | abort -> P). property SAFE = (abort -> SAFE | comit -> SAFE).
        ||INNER = (P || SAFE)@{abort}. ||S = (INNER || Q). Q = (abort -> Q).";
    let report = report(model, &CheckQuery { targets: vec!["S".to_owned()], ..CheckQuery::default() });
    for result in &report.results {
        assert_eq!(result.warnings.len(), 1, "{result:?}");
        assert!(result.warnings[0].starts_with("no process has comit of property SAFE"), "{result:?}");
    }
    let verified = verify(&project(model), &VerifyQuery::about("S"), Budget::UNLIMITED);
    let verified = verified.unwrap_or_else(|error| panic!("{error}"));
    let [result] = &verified.report.results[..] else { panic!("only the part can fail") };
    assert!(result.warnings[0].starts_with("no process has comit of property SAFE"), "{result:?}");
}

#[test]
fn a_misspelt_action_of_a_progress_property_is_part_of_the_answer() {
    let warnings = |property: &str| answer(&format!("{SYSTEM} progress G = {property}"), "G").1;
    assert_eq!(warnings("{comit}"), ["no component has comit: it never occurs; did you mean commit?"]);
    assert_eq!(
        warnings("{abort, abrot, comit}"),
        ["no component has abrot, comit: they never occur; did you mean abort for abrot, commit for comit?"]
    );
    assert_eq!(warnings("{commit}"), [""; 0]);
    assert_eq!(warnings("if {abort} then {commit, rest}"), [""; 0]);
    let vacuous = "it holds vacuously: none of the actions of its condition exists";
    assert_eq!(
        warnings("if {comit} then {rest}"),
        ["no component has comit: it never occurs; did you mean commit?", vacuous]
    );
}

#[test]
fn a_forgotten_prefix_is_a_warning() {
    let model = "P = (work -> rest -> P | stop -> STOP). ||S = (x:P || y:P). progress G = {work}";
    let expected = "no component has work: it never occurs; did you mean x.work or y.work?";
    assert_eq!(answer(model, "G").1, [expected]);
}

/// The codes and messages of what was found.
fn findings(text: &str, targets: &[&str], only: &[&str]) -> Vec<(String, String)> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let query = CheckQuery { targets: owned(targets), only: owned(only), ..CheckQuery::default() };
    let diagnostics = report(text, &query).diagnostics;
    diagnostics.into_iter().map(|finding| (finding.code, finding.message)).collect()
}

const UNCHECKED: &str = "P = (a -> P). Q = (b -> Q).
    property IN = (a -> IN). property OUT = (a -> OUT). ltl_property FORMULA = []a
    ||S = (P || IN). ||T = (Q).";

#[test]
fn a_property_that_no_target_has_is_found() {
    let found = |targets: &[&str], only: &[&str]| findings(UNCHECKED, targets, only);
    let unchecked = |why: &str| {
        [("W0010".to_owned(), format!("properties `OUT`, `FORMULA` are not checked: no {why} has them"))]
    };
    assert_eq!(found(&[], &[]), unchecked("target"));
    // If the user chooses a target, the properties of other targets are left out on purpose.
    assert_eq!(found(&["T"], &[]), unchecked("composite"));
    assert_eq!(found(&["DEFAULT"], &[]), []);
    assert_eq!(found(&[], &["deadlock"]), []);
    let one = ("W0010".to_owned(), "property `OUT` is not checked: no target has it".to_owned());
    assert_eq!(findings("P = (a -> P). property OUT = (a -> OUT). ||S = (P).", &[], &[]), [one]);
    // All processes of a file without composites are checked together.
    assert_eq!(findings("P = (a -> P). property IN = (a -> IN).", &[], &[]), []);
    assert_eq!(findings("P = (a -> P). property IN = (a -> IN).", &["P"], &[]), []);
}

#[test]
fn verify_finds_it_as_well() {
    let found = |query: &VerifyQuery<'_>| -> Vec<String> {
        let verified = verify(&project(UNCHECKED), query, Budget::UNLIMITED);
        let verified = verified.unwrap_or_else(|error| panic!("{error}"));
        verified.report.diagnostics.into_iter().map(|finding| finding.message).collect()
    };
    let expected = "properties `OUT`, `FORMULA` are not checked: no composite has them";
    assert_eq!(found(&VerifyQuery::about("S")), [expected]);
    let named = VerifyQuery { properties: vec!["OUT".to_owned()], ..VerifyQuery::about("S") };
    assert_eq!(found(&named), [""; 0]);
}

#[test]
fn a_fluent_that_no_formula_uses_is_found() {
    let model = |formula: &str| {
        format!("P = (a -> b -> P). fluent F = <a, b> fluent G[i:0..1] = <a, b> assert A = {formula}")
    };
    let found = |formula: &str| findings(&model(formula), &[], &[]);
    let one = "no formula uses the fluent `G`, so its actions are not looked at";
    assert_eq!(found("[](F -> <>b)"), [("W0011".to_owned(), one.to_owned())]);
    let both = "no formula uses the fluents `F`, `G`, so their actions are not looked at";
    assert_eq!(found("[]<>b"), [("W0011".to_owned(), both.to_owned())]);
    assert_eq!(found("forall[i:0..1] !(F U X !G[i])"), []);
}

/// What is said about a property that holds in a system.
fn untested(processes: &str, property: &str) -> Vec<String> {
    let model = format!("{processes} property SAFE = {property}. ||S = (P || SAFE).");
    let (verdict, warnings) = answer(&model, "safety");
    assert_eq!(verdict, Verdict::Holds, "{model}");
    // `verify` says the same, whatever the strategy.
    for strategy in Strategy::ALL {
        let query = VerifyQuery { strategy, ..VerifyQuery::about("S") };
        let verified = verify(&project(&model), &query, Budget::UNLIMITED);
        let verified = verified.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verified.report.results[0].warnings, warnings, "{strategy:?} {model}");
    }
    warnings
}

#[test]
fn a_property_that_is_not_put_to_the_test_is_told() {
    let process = "P = (open -> read -> close -> P) + {write, crash}.";
    let told = |property: &str| untested(process, property);
    assert_eq!(told("(open -> read -> close -> SAFE)"), [""; 0]);
    // What must not occur does not occur.
    assert_eq!(told("(open -> close -> SAFE) + {crash}"), [""; 0]);
    assert_eq!(told("STOP + {crash}"), [""; 0]);
    assert_eq!(
        told("(open -> SAFE | close -> SAFE)"),
        ["property SAFE forbids nothing: whatever happens, it holds"]
    );
    let trigger = "(open -> SAFE | close -> SAFE | crash -> DOWN), DOWN = (open -> DOWN)";
    assert_eq!(
        told(trigger),
        [
            "property SAFE holds vacuously: it forbids nothing in the states that it gets to, since crash never \
          occurs"
        ]
    );
    assert_eq!(
        told("(open -> (close -> SAFE | write -> close -> SAFE))"),
        ["property SAFE allows write, which never occurs"]
    );
    assert_eq!(
        told("A, A = (open -> B), B = (close -> A | open -> C), C = (close -> B)"),
        ["property SAFE has a state that it never gets to: open never comes after open"]
    );
}

#[test]
fn copies_of_an_action_are_no_doubt() {
    let process = "P = (reader.get -> writer.put -> x[1] -> P) + {reader.put, writer.get, x[0]}.";
    let property = "(reader.get -> SAFE | writer.get -> SAFE | {reader, writer}.put -> MORE), MORE = (x[i:0..1] -> SAFE)";
    assert_eq!(untested(process, property), [""; 0]);
}

#[test]
fn an_assertion_that_holds_for_a_poor_reason_is_told() {
    let model = |formula: &str| {
        format!(
            "P = (open -> close -> P) + {{crash, repair}}.
            fluent OPEN = <open, close> fluent DOWN = <crash, repair> fluent UP = <repair, crash> initially 1
            assert A = {formula} assert B = []!(OPEN && DOWN && UP)"
        )
    };
    let told = |formula: &str| answer(&model(formula), "A");
    let says = |formula: &str, warning: &str| {
        assert_eq!(told(formula), (Verdict::Holds, vec![warning.to_owned()]), "{formula}");
    };
    says(
        "[]!(OPEN && DOWN)",
        "it holds vacuously: fluent DOWN never holds, so that it says nothing about OPEN",
    );
    says("[](crash -> <>repair)", "it holds vacuously: its premise crash never holds");
    says("[](OPEN -> !crash)", "it holds vacuously: crash never occurs, so that it says nothing about OPEN");
    says("[](UP -> <>close)", "fluent UP always holds: the assertion would hold without it");
    for formula in ["[]!DOWN", "[]!crash", "[]!(DOWN || crash)", "[](OPEN -> <>close)", "[]<>(open || crash)"]
    {
        assert_eq!(told(formula), (Verdict::Holds, Vec::new()), "{formula}");
    }
}

#[test]
fn a_progress_property_whose_condition_never_recurs_is_told() {
    let model = "P = (start -> Q), Q = (work -> Q). progress A = if {start} then {rest} progress B = if {work} then {work}
        R = (rest -> R).";
    let vacuous = "it holds vacuously: its condition never recurs";
    assert_eq!(answer(model, "A"), (Verdict::Holds, vec![vacuous.to_owned()]));
    assert_eq!(answer(model, "B"), (Verdict::Holds, Vec::new()));
}

/// All states of these are too many to be looked at. What is decided with equivalent states merged, or by a reduced search,
/// is doubted in the same way.
#[test]
fn a_property_is_doubted_where_not_all_states_were_looked_at() {
    let merged = "C = C[0], C[i:0..9] = (up -> C[(i+1)%10] | down -> C[(i+9)%10]).";
    let reduced = "C = C[0], C[i:0..9] = (up[i] -> C[(i+1)%10] | when (i == 9) over -> C[0]).";
    for (counter, is_merged) in [(merged, true), (reduced, false)] {
        let system = |property: &str| {
            format!(
                "{counter}
                 B = (go -> work -> B) + {{alarm}}.
                 {property}
                 ||S = (forall[k:1..7] c[k]:C || B || SAFE)."
            )
        };
        let vacuous = system("property SAFE = (go -> work -> SAFE | alarm -> HALT), HALT = (go -> HALT).");
        let doubt = "property SAFE allows alarm, which never occurs";
        assert_eq!(answer(&vacuous, "safety"), (Verdict::Holds, vec![doubt.to_owned()]), "{counter}");
        let tested = system("property SAFE = (go -> work -> SAFE).");
        assert_eq!(answer(&tested, "safety"), (Verdict::Holds, Vec::new()), "{counter}");
        let safety = &report(&vacuous, &CheckQuery::default()).results[1];
        assert_eq!(safety.equivalent_states_merged, is_merged);
        assert!(safety.states < 1 << 18, "{}", safety.states);
    }
}
