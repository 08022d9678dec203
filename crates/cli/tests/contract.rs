//! The contract with other programs: exit statuses, the fields of the JSON, what goes where, and the same answer always.

mod common;

use std::collections::BTreeSet;

use serde_json::Value;

use common::{Run, folder, keys, model, rely, rely_reading};

/// Runs `rely` on a text from standard input.
fn on(text: &str, arguments: &[&str]) -> Run {
    let all: Vec<&str> = arguments[..1].iter().chain(&["-"]).chain(&arguments[1..]).copied().collect();
    rely_reading(&all, text.as_bytes())
}

/// The models in FSP: they have exactly one result about safety for each target, and are small.
fn models() -> Vec<String> {
    let entries = std::fs::read_dir(model("")).expect("there are models");
    let names = entries.map(|entry| entry.expect("an entry").path().display().to_string());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".lts")).collect();
    names.sort();
    names
}

/// What makes a model that has millions of states a small one.
fn smaller(path: &str) -> &'static [&'static str] {
    let is_docking = path.ends_with("docking.lts");
    let small =
        &["--define", "MODES=1", "--define", "SENSORS=2", "--define", "QUANTITIES=1", "--define", "PULSES=1"];
    if is_docking { small } else { &[] }
}

const CHECK: [&str; 8] = ["target", "property", "kind", "verdict", "trace", "cycle", "states", "transitions"];
const CHECK_MORE: [&str; 9] =
    ["violates", "formula", "steps", "cycle_steps", "components", "cause", "expected", "reason", "warnings"];
const SIZE: [&str; 5] = ["target", "states", "transitions", "alphabet", "error_reachable"];

#[test]
fn check_gives_one_deadlock_and_one_safety_result_for_each_target() {
    for path in models() {
        let run = rely(&[&["check", &path, "--json"], smaller(&path)].concat());
        let report = run.json();
        assert_eq!(keys(&report), ["command", "diagnostics", "results", "schema"].into());
        assert_eq!((&report["schema"], &report["command"]), (&"rely/1".into(), &"check".into()));
        let results = report["results"].as_array().expect("results");
        let targets: BTreeSet<&str> = results.iter().filter_map(|result| result["target"].as_str()).collect();
        assert!(!targets.is_empty());
        for target in targets {
            for kind in ["deadlock", "safety"] {
                let of_kind = |result: &&Value| result["target"] == target && result["kind"] == kind;
                let found: Vec<&Value> = results.iter().filter(of_kind).collect();
                assert_eq!(found.len(), 1, "{path} {target} {kind}");
                assert_eq!(found[0]["property"], kind);
            }
        }
        let mut violated = false;
        for result in results {
            let keys = keys(result);
            assert!(CHECK.iter().all(|field| keys.contains(field)), "{keys:?}");
            assert!(keys.iter().all(|key| CHECK.contains(key) || CHECK_MORE.contains(key)), "{keys:?}");
            let is_violated = result["verdict"] == "violated";
            assert_eq!(keys.contains("violates"), is_violated && result["kind"] == "safety");
            // A violation that the model expects is no failure.
            violated |= is_violated && result["expected"] != result["verdict"];
        }
        assert_eq!(run.status, i32::from(violated), "{path}");
    }
}

#[test]
fn the_name_of_a_definition_selects_all_that_it_makes() {
    let text = "P = (a[1] -> P).\nprogress EN[i:1..2] = {a[i]}\nprogress OTHER = {a[1]}\n";
    let properties = |only: &str| -> Vec<String> {
        let report = on(text, &["check", "--only", only, "--json"]).json();
        let results = report["results"].as_array().expect("results").clone();
        results.iter().map(|result| result["property"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(properties("EN"), ["EN.1", "EN.2"]);
    assert_eq!(properties("EN.2"), ["EN.2"]);
    assert_eq!(on(text, &["check", "--only", "E"]).status, 3);
}

/// A process is a target like a composite: what it hides has its name in the answers.
#[test]
fn check_sees_through_the_hiding_of_a_process() {
    let text = "P = (a -> b -> P)\\{a}.\nprogress PA = {a}\nassert L = []<>a\n";
    let run = on(text, &["check", "--target", "P", "--json"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(!run.stdout.contains("free to occur"), "{run:?}");
    let size = on(text, &["compose", "--target", "P", "--json"]).result();
    assert_eq!(size["alphabet"], serde_json::json!(["b"]));
}

#[test]
fn compose_and_minimise_have_the_same_fields() {
    for verb in ["compose", "minimise"] {
        let run = on("P = (a -> b -> P | c -> ERROR).", &[verb, "--json"]);
        let report = run.json();
        assert_eq!((run.status, &report["command"]), (0, &verb.into()));
        let result = &report["results"][0];
        assert_eq!(keys(result), SIZE.into());
        assert_eq!((&result["states"], &result["transitions"]), (&2.into(), &3.into()));
        assert_eq!(result["alphabet"], serde_json::json!(["a", "b", "c"]));
        assert_eq!(result["error_reachable"], true);
    }
}

#[test]
fn errors_are_exit_3_with_diagnostics_and_without_results() {
    for verb in ["check", "compose", "minimise"] {
        let run = on("P = (a -> b).\n||S = (Q).\n", &[verb, "--json"]);
        let report = run.json();
        assert_eq!(run.status, 3);
        assert_eq!(report["results"], serde_json::json!([]));
        let diagnostics = report["diagnostics"].as_array().expect("diagnostics");
        let codes: Vec<&str> = diagnostics.iter().filter_map(|found| found["code"].as_str()).collect();
        assert_eq!(codes, ["E0131", "E0315"], "{verb}");
        assert_eq!((&diagnostics[1]["line"], &diagnostics[1]["column"]), (&2.into(), &8.into()));
    }
}

#[test]
fn verdicts_go_to_standard_output_and_remarks_to_standard_error() {
    let run = on("P = P[0], P[i:0..1] = (a -> P[i+1]).", &["check"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("safety violated by P") && !run.stdout.contains("W0301"));
    assert!(run.stderr.contains("W0301") && !run.stderr.contains("violated"));
    assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "no colour when piped");
    let quiet = on("P = P[0], P[i:0..1] = (a -> P[i+1]).", &["check", "-q"]);
    assert_eq!(quiet.stderr, "");
    let coloured = on("P = (a -> P).", &["check", "--color", "always"]);
    assert!(coloured.stdout.contains('\x1b'));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for path in models() {
        let check = [&["check", &path, "--json"], smaller(&path)].concat();
        let one = rely(&[&check[..], &["-j", "1"]].concat()).stdout;
        for jobs in ["2", "3", "7"] {
            assert_eq!(rely(&[&check[..], &["-j", jobs, "--seed", jobs]].concat()).stdout, one, "{path}");
        }
    }
}

#[test]
fn limits_are_exit_4() {
    let path = model("philosophers.lts");
    for limit in [["--max-states", "50"], ["--max-memory", "1K"], ["--timeout", "0s"]] {
        for verb in ["check", "compose", "minimise"] {
            let run = rely(&[verb, &path, limit[0], limit[1]]);
            assert_eq!(
                (run.status, run.stdout.contains("unknown")),
                (4, true),
                "{verb} {limit:?}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn a_violation_counts_more_than_a_limit() {
    let text = "P = (go -> ERROR).\n||BAD = (P).\n\
                Q = C[0], C[i:0..5000] = (when (i < 5000) up -> C[i+1] | down -> C[0]).\n||BIG = (Q).\n";
    let run = on(text, &["check", "--max-states", "100"]);
    assert!(run.stdout.contains("violated") && run.stdout.contains("unknown"), "{}", run.stdout);
    assert_eq!(run.status, 1);
}

#[test]
fn wrong_usage_is_exit_2_and_says_nothing_on_standard_output() {
    let path = model("philosophers.lts");
    let wrong: [&[&str]; 6] = [
        &[],
        &["chekc"],
        &["check"],
        &["check", &path, "--no-such-option"],
        &["draw", &path, "-o", "picture.gif"],
        &["explain", "E9999"],
    ];
    for arguments in wrong {
        let run = rely(arguments);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments:?}");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn hostile_input_ends_with_an_error() {
    let nested = format!("P = {}a -> P{}.", "(".repeat(100_000), ")".repeat(100_000));
    let sum = format!("const N = {}1", "1+".repeat(100_000));
    let hostile: [(&str, &[u8]); 6] = [
        ("nesting", nested.as_bytes()),
        ("a long sum", sum.as_bytes()),
        ("a huge range", b"P = (a[0..2000000000] -> P)."),
        ("a circle", b"||A = (B).\n||B = (A)."),
        ("endless recursion", b"P = (a -> P).\n||S(N=1) = (P || S(N+1))."),
        ("no text", b"\xff\xfe\x00\x80"),
    ];
    for (what, text) in hostile {
        let run = rely_reading(&["check", "-", "--timeout", "20s", "--max-memory", "1G"], text);
        assert_eq!(run.status, 3, "{what}: {}", run.stderr.chars().take(500).collect::<String>());
    }
}

#[test]
fn a_file_that_cannot_be_made_in_full_is_not_left_behind() {
    let folder = folder("contract");
    let out = folder.join("out.aut").display().to_string();
    for (text, status) in [("P = (a -> b).", 3), ("P = (a -> P).", 0)] {
        assert_eq!(on(text, &["convert", "-o", &out]).status, status);
        let names: Vec<_> = std::fs::read_dir(&folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        assert_eq!(names.len(), usize::from(status == 0), "{names:?}");
    }
    let nowhere = folder.join("no/such/folder/out.aut").display().to_string();
    assert_ne!(on("P = (a -> P).", &["convert", "-o", &nowhere]).status, 0);
}
