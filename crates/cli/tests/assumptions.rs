//! The contract of the verbs about assumptions: `assume`, `verify` and `retrieve`, on every model that has parts.

mod common;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use common::{Run, file_in as file, keys, model, rely};

/// A new folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    common::folder(&format!("assumptions-{name}"))
}

/// A component with a property, and its environments: those that satisfy the assumption, and those that do not.
struct Open {
    file: &'static str,
    component: &'static str,
    property: &'static str,
    good: &'static [&'static str],
    bad: &'static [&'static str],
    /// The states of the weakest assumption.
    states: usize,
}

const fn open(
    [file, component, property]: [&'static str; 3],
    good: &'static [&'static str],
    bad: &'static [&'static str],
    states: usize,
) -> Open {
    Open { file, component, property, good, bad, states }
}

const MODELS: [Open; 9] = [
    open(["mutex-writer.lts", "WRITER,MUTEX", "EXCLUSION"], &["CAREFUL"], &["HASTY"], 4),
    open(["deadlock-assumption.lts", "COMPONENT", "FEW_B"], &["HELPS", "STRANDS", "TALKS"], &["INSISTS"], 3),
    open(["elevator.lts", "CAR,X", "DOORS_CLOSED"], &["CONTROLLER"], &["FORGETFUL"], 14),
    open(["rover-executive.lts", "THREADS,SAVED", "TAKEN_ONCE"], &["EXECUTIVE"], &["HASTY_EXECUTIVE"], 6),
    open(
        ["rover-executive.lts", "THREADS,CHANGED", "UNDISTURBED"],
        &["EXECUTIVE", "HASTY_EXECUTIVE"],
        &[],
        5,
    ),
    open(["remote-agent.lts", "DAEMON", "INTERRUPTED"], &["CAUTIOUS_TASKS"], &["TASKS"], 7),
    open(["client-server.lts", "SERVER", "ALONE"], &["CLIENTS"], &["BAD_CLIENTS"], 65),
    open(["token-ring.lts", "HOLDER", "ALONE"], &["OTHERS"], &[], 6),
    open(["alternating-bit.lts", "SENDER,CHANNELS", "ONCE"], &["RECEIVER"], &[], 8),
];

const LEARNERS: [&str; 4] = ["lstar", "tree", "lsharp", "adaptive"];
const RULES: [&str; 6] = ["simple", "chain", "alternating", "conjunction", "symmetric", "circular"];

impl Open {
    fn assume(&self, environment: &str, more: &[&str]) -> Run {
        let path = model(self.file);
        let question = ["assume", &path, "-c", self.component, "-p", self.property, "-e", environment];
        rely(&[&question, more].concat())
    }
}

const ASSUME: [&str; 10] = [
    "component",
    "property",
    "outcome",
    "assumption",
    "steps",
    "trace",
    "further",
    "peak_states",
    "queries",
    "conjectures",
];
const ASSUME_MORE: [&str; 11] = [
    "environment",
    "deadlock_free",
    "forbids",
    "further",
    "consequences",
    "partial",
    "discharged",
    "steps_of_violation",
    "components",
    "reason",
    "warnings",
];
const VERIFY: [&str; 13] = [
    "system",
    "property",
    "verdict",
    "strategy",
    "rule",
    "left",
    "right",
    "assumptions",
    "peak_states",
    "queries",
    "conjectures",
    "trace",
    "time_ms",
];
const VERIFY_MORE: [&str; 8] =
    ["groups", "premises", "steps", "components", "cause", "reason", "shortest", "warnings"];

fn assert_fields(result: &Value, always: &[&str], sometimes: &[&str]) {
    let keys = keys(result);
    assert!(always.iter().all(|field| keys.contains(field)), "{keys:?}");
    assert!(keys.iter().all(|key| always.contains(key) || sometimes.contains(key)), "{keys:?}");
}

#[test]
fn the_assumptions_of_the_models_have_the_sizes_they_should_and_all_the_fields() {
    for open in &MODELS {
        let run = open.assume(open.good[0], &["--json"]);
        assert_eq!((run.status, &run.json()["command"]), (0, &json!("assume")), "{}", open.file);
        let result = run.result();
        assert_fields(&result, &ASSUME, &ASSUME_MORE);
        assert_eq!(
            (&result["outcome"], &result["assumption"]["states"]),
            (&json!("assumption"), &json!(open.states))
        );
        assert_eq!(keys(&result["assumption"]), ["alphabet", "states", "transitions"].into());
        let steps = &result["steps"];
        assert_eq!(keys(steps), ["composed", "determinised", "final", "minimised", "propagated"].into());
        assert_eq!(steps["final"], result["assumption"]["states"]);
        assert!(steps["composed"].as_u64() >= steps["minimised"].as_u64());
    }
}

#[test]
fn every_learner_finds_the_assumption_that_is_constructed() {
    for open in &MODELS {
        let constructed = open.assume(open.good[0], &["--json"]).result();
        for learner in LEARNERS {
            let run = open.assume(open.good[0], &["--json", "--method", "learn", "--learner", learner]);
            let learned = run.result();
            for field in ["outcome", "assumption", "forbids", "further"] {
                assert_eq!(learned[field], constructed[field], "{} {learner} {field}", open.file);
            }
            assert_eq!(learned["steps"]["final"], learned["assumption"]["states"]);
            assert!(learned["queries"].as_u64() > Some(0) && learned["conjectures"].as_u64() > Some(0));
        }
    }
}

#[test]
fn environments_are_told_apart() {
    for open in &MODELS {
        for (environments, verdict) in [(open.good, "holds"), (open.bad, "violated")] {
            for environment in environments {
                for method in ["direct", "learn"] {
                    let run = open.assume(environment, &["--discharge", "--json", "--method", method]);
                    let result = run.result();
                    assert_eq!(result["discharged"], verdict, "{} {environment}", open.file);
                    assert_eq!(run.status, i32::from(verdict == "violated"));
                    let is_shown = !result["steps_of_violation"].as_array().is_none_or(Vec::is_empty);
                    assert_eq!(is_shown, verdict == "violated", "the run of the whole system");
                }
            }
        }
    }
}

#[test]
fn an_assumption_that_was_written_can_be_used() {
    let folder = folder("written");
    for (i, open) in MODELS.iter().enumerate() {
        for ending in ["fsp", "aut", "json"] {
            let path = folder.join(format!("need{i}.{ending}")).display().to_string();
            assert_eq!(open.assume(open.good[0], &["-o", &path]).status, 0);
            let read = rely(&["compose", &path, "--json"]).result();
            assert_eq!(read["states"], json!(open.states), "{path}");
            let components = model(open.file);
            for (names, status) in [(open.good, 0), (open.bad, 1)] {
                let names = names.join(",");
                // An environment that does not have all the actions leaves them to chance.
                if names.is_empty() || open.component == "COMPONENT" {
                    continue;
                }
                let run = rely(&["retrieve", &path, &components, "-t", &names, "--json"]);
                assert_eq!(run.status, status, "{path} {names}");
                let found = run.result();
                assert_eq!(keys(&found), ["component", "file", "shared", "trace", "verdict"].into());
            }
            let monitor = rely(&["monitor", &path, "--language", "python"]);
            assert!(monitor.status == 0 && monitor.stdout.contains("class "), "{}", monitor.stderr);
        }
    }
}

#[test]
fn a_format_without_an_alphabet_loses_nothing_silently() {
    let folder = folder("lost");
    let text = "CLOCK = (tick -> tock -> CLOCK).\nTOCKER = (tock -> TOCKER).\n\
                property NO_TOCK = (tick -> NO_TOCK) + {tock}.\n";
    let path = file(&folder, "clock.lts", text);
    for (ending, is_said) in [("aut", true), ("json", false), ("fsp", false)] {
        let out = folder.join(format!("need.{ending}")).display().to_string();
        let question = ["assume", &path, "-c", "CLOCK", "-p", "NO_TOCK", "-e", "TOCKER", "-o", &out];
        let run = rely(&question);
        let is_told = run.stderr.contains("W0003") && run.stderr.contains("never taken: tock");
        assert_eq!((run.status, is_told), (0, is_said), "{}", run.stderr);
        let codes = rely(&[&question[..], &["--json"]].concat()).codes();
        assert_eq!(codes, if is_said { vec!["W0003"] } else { vec![] }, "{ending}");
    }
}

/// What `check` says about the safety of each target of a model.
fn safety(path: &str) -> Vec<(String, String)> {
    let report = rely(&["check", path, "--only", "safety", "--json"]).json();
    let results = report["results"].as_array().expect("results").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    results.iter().map(|result| (text(&result["target"]), text(&result["verdict"]))).collect()
}

#[test]
fn every_rule_and_strategy_says_what_check_says_and_is_certified() {
    let folder = folder("certified");
    let certificate = folder.join("proof.cert").display().to_string();
    for (name, left) in [
        ("mutex-writer.lts", "WRITER,MUTEX"),
        ("deadlock-assumption.lts", "COMPONENT"),
        ("elevator.lts", "CAR,X"),
        ("client-server.lts", "SERVER"),
    ] {
        let path = model(name);
        for (system, verdict) in safety(&path) {
            for (rule, method) in RULES.iter().flat_map(|rule| [(rule, "learn"), (rule, "direct")]) {
                let how = ["--rule", rule, "--strategy", method, "--left", left];
                let asked = ["verify", &path, "--system", &system, "--json", "--certificate", &certificate];
                let _ = std::fs::remove_file(&certificate);
                let run = rely(&[&asked[..], &how].concat());
                let report = run.json();
                let results = report["results"].as_array().expect("results");
                if results.is_empty() {
                    // Without the property or the part there is nothing to ask.
                    assert_eq!((run.status, &*verdict == "holds" || system == "OPEN"), (3, true), "{system}");
                    continue;
                }
                results.iter().for_each(|result| assert_fields(result, &VERIFY, &VERIFY_MORE));
                let is_violated = results.iter().any(|result| result["verdict"] == "violated");
                assert_eq!(is_violated, verdict == "violated", "{system} {rule} {method}");
                assert_eq!(run.status, i32::from(is_violated), "{system} {rule} {method}");
                let certified = rely(&["certify", &certificate, &path]);
                // Where nothing holds, there is no certificate to be accepted.
                let claims = results.iter().any(|result| result["verdict"] == "holds");
                assert_eq!(Path::new(&certificate).exists(), claims, "{system} {rule} {method}");
                let expected = if claims { 0 } else { 3 };
                assert_eq!(certified.status, expected, "{system} {rule} {method}: {}", certified.stdout);
            }
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer_but_for_times() {
    let without_times = |run: &Run| {
        let is_time = |line: &&str| !line.contains("time_ms");
        run.stdout.lines().filter(is_time).collect::<Vec<_>>().join("\n")
    };
    for open in &MODELS {
        for method in ["direct", "learn"] {
            let ask =
                |jobs| open.assume(open.good[0], &["--json", "--method", method, "--jobs", jobs]).stdout;
            assert_eq!(ask("1"), ask("3"), "{}", open.file);
        }
    }
    let path = model("rover-executive.lts");
    for how in
        [["--rule", "simple"], ["--rule", "alternating"], ["--strategy", "reduce"], ["--strategy", "auto"]]
    {
        let ask = |jobs| {
            let question = ["verify", &path, "--system", "ROVER", "--left", "COND_CHECKER", "--json"];
            without_times(&rely(&[&question[..], &how, &["--jobs", jobs]].concat()))
        };
        assert_eq!(ask("1"), ask("3"), "{how:?}");
    }
}

/// A small limit leaves room for what needs few states.
#[test]
fn auto_goes_on_within_the_limits_of_the_user() {
    let path = model("rover-executive.lts");
    let ask = |most| rely(&["verify", &path, "--system", "ROVER", "--json", "--max-states", most]);
    let run = ask("1000");
    let result = run.result();
    assert_eq!(
        (run.status, &result["verdict"], &result["strategy"]),
        (0, &json!("holds"), &json!("localise"))
    );
    // The attempt that was given up counts.
    assert_eq!(result["peak_states"], 1000);
    let run = ask("5");
    assert_eq!((run.status, &run.result()["verdict"]), (4, &json!("unknown")));
    for strategy in ["reduce", "localise"] {
        let run =
            rely(&["verify", &path, "-s", "ROVER", "--json", "--max-states", "8", "--strategy", strategy]);
        assert_eq!((run.status, &run.result()["verdict"]), (4, &json!("unknown")), "{strategy}");
    }
}

#[test]
fn limits_are_exit_4_with_what_is_known() {
    let path = model("client-server.lts");
    let question = ["assume", &path, "-c", "SERVER", "-p", "ALONE", "-e", "CLIENTS", "--json"];
    for method in ["direct", "learn"] {
        for most in ["1", "10", "30"] {
            let run = rely(&[&question[..], &["--method", method, "--max-states", most]].concat());
            assert_eq!((run.status, &run.result()["outcome"]), (4, &json!("unknown")), "{method} {most}");
            assert!(run.result()["reason"].is_string() && run.result()["assumption"].is_null());
        }
        // The time is over at once: before anything is read, or before the answer is there.
        let large = model("chiron-single.lts");
        let question = ["assume", &large, "--define", "N=5", "-c", "SYSTEM", "-p", "A1_5_NOBODY_REGISTERED"];
        let run = rely(&[&question[..], &["--json", "--method", method, "--timeout", "0.001ms"]].concat());
        assert_eq!(run.status, 4, "{method}");
    }
}

const PARTS: &str = "WRITER = (take -> write -> give -> WRITER).\n\
                     READER = (take -> read -> give -> READER).\n\
                     property ORDER = (write -> read -> ORDER).\n\
                     property NOWHERE = (here -> there -> NOWHERE).\n\
                     OTHER = (elsewhere -> OTHER).\n\
                     ||SYSTEM = (WRITER || READER || ORDER).\n\
                     ||LOOSE = (WRITER || OTHER).\n";

/// Arguments with the status, and a part of what is said, on standard output or standard error.
const STRANGE: [(&[&str], i32, &str); 37] = [
    (&["assume", "-c", "WRITER", "-p", "ORDER", "-a", "write"], 1, "only the property has read"),
    (&["assume", "-c", "WRITTER", "-p", "ORDER"], 3, "did you mean `WRITER`?"),
    (&["assume", "-c", "WRITER", "-p", "ODRER"], 3, "did you mean `ORDER`?"),
    (
        &["assume", "-c", "WRITER", "-p", "NOPE"],
        3,
        "there are WRITER, READER, ORDER, NOWHERE, OTHER, SYSTEM, LOOSE",
    ),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "--learner", "tree", "-v"], 0, "words asked"),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "--method", "direct", "--learner", "tree"], 2, "of no use"),
    (
        &["assume", "-c", "WRITER", "-p", "ORDER", "--deadlock-free", "--learner", "tree"],
        2,
        "free of deadlock",
    ),
    (&["assume", "-c", "X1", "-p", "X2", "-e", "X3"], 3, "3 errors"),
    (&["assume", "-c", "WRITER"], 2, "--property"),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "--discharge"], 2, "--environment"),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "-a", "read", "-e", "READER"], 2, "cannot be used with"),
    (
        &["assume", "-c", "WRITER", "-p", "ORDER", "--deadlock-free", "--method", "learn"],
        2,
        "free of deadlock",
    ),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "--deadlock-free", "--method", "direct"], 0, "ORDER holds"),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "-a", ""], 1, "the interface is empty"),
    (
        &["assume", "-c", "WRITER", "-p", "ORDER", "-a", "nobody"],
        1,
        "neither the component nor the property has nobody",
    ),
    (&["assume", "-c", "WRITER", "-p", "ORDER", "-e", "OTHER"], 1, "shares no action"),
    (&["assume", "-c", "WRITER", "-p", "NOWHERE", "-e", "READER"], 1, "only the property has here, there"),
    (&["assume", "-c", "WRITER", "-p", "WRITER"], 0, "holds in every environment"),
    (&["assume", "-c", "ORDER", "-p", "ORDER"], 0, "only observes"),
    (&["verify", "-s", "SYSTEM", "-l", "NOBODY"], 3, "its parts are WRITER, READER"),
    (&["verify", "-s", "LOOSE"], 3, "has no property"),
    (&["verify", "-s", "LOOSE", "-p", "ORDER"], 1, "violated"),
    (&["verify", "-s", "SYSTEM", "--strategy", "monolithic", "--rule", "chain"], 2, "uses no rule"),
    (&["verify", "-s", "NOTHING"], 3, "not defined"),
    (&["verify", "-s", "SYSTEM", "--strategy", "auto", "--rule", "chain"], 2, "uses no rule"),
    (&["verify", "-s", "SYSTEM", "--left", "WRITER"], 1, "violated (learn, rule simple)"),
    (&["verify", "-s", "SYSTEM", "--learner", "lstar"], 1, "violated (learn, rule simple)"),
    (&["verify", "-s", "SYSTEM", "--refine-alphabet"], 1, "violated (learn, rule simple)"),
    (&["verify", "-s", "SYSTEM", "--strategy", "direct", "--learner", "lstar"], 2, "--learner is of no use"),
    (
        &["verify", "-s", "SYSTEM", "--strategy", "separate", "--learner", "lstar"],
        2,
        "--learner is of no use",
    ),
    (&["verify", "-s", "SYSTEM", "--strategy", "auto", "--learner", "lstar"], 2, "--learner is of no use"),
    (
        &["verify", "-s", "SYSTEM", "--strategy", "reduce", "--refine-alphabet"],
        2,
        "--refine-alphabet is of no use",
    ),
    (&["verify", "-s", "SYSTEM", "--strategy", "reduce", "--left", "WRITER"], 2, "--left is of no use"),
    (&["verify", "-s", "SYSTEM", "--rule", "ia-prop", "--cache", "kept"], 2, "are not kept"),
    (
        &["verify", "-s", "SYSTEM", "--rule", "ia-prop", "--strategy", "direct", "--learner", "tree"],
        2,
        "of no use",
    ),
    (
        &["decompose", "-s", "SYSTEM", "-p", "ORDER", "--method", "direct", "--learner", "tree"],
        2,
        "of no use",
    ),
    (&["decompose", "-s", "SYSTEM", "-p", "ORDER", "--method", "direct", "--max-words", "9"], 2, "of no use"),
];

#[test]
fn an_environment_is_unknown_where_nothing_is_certain() {
    let question =
        ["assume", &model("mutex-writer.lts"), "-c", "WRITER,MUTEX", "-p", "EXCLUSION", "-e", "HASTY"];
    let run =
        rely(&[&question[..], &["--deadlock-free", "--discharge", "--json", "--max-states", "1"]].concat());
    let result = run.result();
    assert_eq!((run.status, &result["outcome"], &result["partial"]), (4, &json!("unknown"), &Value::Null));
    assert_eq!(result["discharged"], "unknown");
}

#[test]
fn strange_questions_get_a_clear_answer() {
    let path = file(&folder("strange"), "parts.lts", PARTS);
    for (arguments, status, said) in STRANGE {
        let all = [&arguments[..1], &[path.as_str()], &arguments[1..]].concat();
        let run = rely(&all);
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(run.status == status && text.contains(said), "{arguments:?}: {} {text}", run.status);
    }
}

#[test]
fn a_property_that_is_named_twice_is_answered_once() {
    let path = file(&folder("twice"), "parts.lts", PARTS);
    for property in ["ORDER", "NOWHERE"] {
        let run = rely(&["verify", &path, "-s", "SYSTEM", "-p", property, "-p", property, "--json"]);
        assert_eq!(run.json()["results"].as_array().map(Vec::len), Some(1), "{property}");
    }
}

#[test]
fn a_system_of_a_file_has_the_name_of_the_file() {
    let folder = folder("named");
    let path = file(&folder, "parts.lts", PARTS);
    let aut = folder.join("reader.aut").display().to_string();
    assert_eq!(rely(&["convert", &path, "-t", "READER", "-o", &aut]).status, 0);
    let ask = |environment| {
        let run = rely(&["assume", &path, &aut, "-c", "WRITER", "-p", "ORDER", "-e", environment, "--json"]);
        run.result()["assumption"].clone()
    };
    assert_eq!(ask("reader"), ask("READER"));
    assert!(ask("reader").is_object());
    let monitor = rely(&["monitor", &aut, "--language", "python"]);
    assert!(monitor.stdout.contains("monitor for reader"), "{}", monitor.stdout);
}

/// Processes side by side would be another assumption than any of them.
#[test]
fn an_assumption_is_one_process() {
    let folder = folder("several");
    let several = file(&folder, "several.fsp", "A = (a -> A).\nB = (b -> B).\n");
    let parts = file(&folder, "parts.lts", PARTS);
    let broken = file(&folder, "broken.fsp", "A = (a -> A).\nB = (b ->\n");
    for (arguments, status, said) in [
        (&["monitor", &several, "--language", "c"][..], 2, "A, B"),
        (&["monitor", &several, "--language", "c", "--target", "B"], 0, "monitor for B"),
        (&["retrieve", &several, &parts], 2, "it has several targets, A, B"),
        (&["monitor", &broken, "--language", "c"], 3, "expected"),
    ] {
        let run = rely(arguments);
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(run.status == status && text.contains(said), "{arguments:?}: {} {text}", run.status);
    }
}

#[test]
fn retrieve_has_no_results_where_there_are_errors() {
    let folder = folder("retrieved");
    let path = file(&folder, "parts.lts", PARTS);
    let need = file(&folder, "need.fsp", "NEED = (write -> read -> NEED).\n");
    let broken = file(&folder, "broken.fsp", "NEED = (write ->\n");
    let wrong: [(&str, &str, &str); 3] = [
        (&need, "WRITER,NOBODY", "no file has a process or composite `NOBODY`"),
        (&need, "ORDER", "is a property"),
        (&broken, "WRITER", "expected"),
    ];
    for (assumption, target, said) in wrong {
        let run = rely(&["retrieve", assumption, &path, "-t", target, "--json"]);
        let report = run.json();
        assert_eq!((run.status, &report["results"]), (3, &json!([])), "{target}");
        assert!(report["diagnostics"].to_string().contains(said), "{report}");
    }
    let several = rely(&["retrieve", &path, &path]);
    assert!(several.status == 2 && several.stderr.contains("is no assumption"), "{}", several.stderr);
    let none = rely(&["retrieve", &need, &path, "-t", "OTHER"]);
    assert_eq!(
        (none.status, none.stdout.contains("breaks the assumption by read")),
        (1, true),
        "{}",
        none.stdout
    );
    let some = rely(&["retrieve", &need, &need]);
    assert_eq!((some.status, some.stdout.contains("satisfies")), (0, true), "{}", some.stdout);
}

/// A property inside of a part that was composed first, and that cannot be broken: nothing in the system can fail. This has a
/// certificate by every strategy.
#[test]
fn where_nothing_can_fail_there_is_a_certificate() {
    let folder = folder("nothing-fails");
    let text = "A = (a -> b -> A). property P = (a -> b -> P). B = (b -> c -> B).\n\
                ||HID = (A || P)\\{a}. ||SYSTEM = (HID || B).";
    let input = file(&folder, "whole.lts", text);
    for strategy in ["auto", "monolithic", "localise", "reduce", "learn", "direct", "separate", "abstract"] {
        let certificate = folder.join(format!("{strategy}.cert")).display().to_string();
        let run =
            rely(&["verify", &input, "-s", "SYSTEM", "--strategy", strategy, "--certificate", &certificate]);
        assert_eq!(run.status, 0, "{strategy}: {run:?}");
        let judged = rely(&["certify", &certificate, &input]);
        assert_eq!(judged.status, 0, "{strategy}: {judged:?}");
    }
}
