//! What goes where: one object on standard output with `--json`, whatever happens; warnings on standard error; files that
//! are pipes and links; and limits that hold before the analysis has begun.
#![cfg(unix)]

mod common;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{file_in, run};

/// A file in the folder for tests.
fn path(name: &str) -> PathBuf {
    common::place().join(name)
}

/// A file in the folder for tests; its name there.
fn file(name: &str, text: &str) -> String {
    file_in(&path(""), name, text);
    name.to_owned()
}

#[test]
fn there_is_one_object_whatever_happens() {
    let good = file("one-good.lts", "A = (a -> b -> A).\n");
    let bad = file("one-bad.lts", "A = (a -> b -> B).\n||S = (A || C).\n");
    for (line, status, codes) in [
        (format!("rely convert {good} -o one.aut --json"), 0, vec![]),
        (format!("rely convert {bad} --target S -o one.aut --json"), 3, vec!["E0315"]),
        (format!("rely draw {good} -o one.svg --json"), 0, vec![]),
        (format!("rely draw {good} --json"), 2, vec!["E0009"]),
        (format!("rely draw {good} --target NONE -o one.svg --json"), 3, vec!["E0315"]),
        (format!("rely monitor {good} --language c -o one.c --json"), 0, vec![]),
        (format!("rely simulate {good} --json"), 2, vec!["E0009"]),
        (format!("rely compose {good} -o one.aut --max-states 1 --json"), 4, vec![]),
        (format!("rely check {good} --certificate /no/such/folder/x --json"), 3, vec!["E0001"]),
        (format!("rely check {good} --define N=3 --json"), 2, vec!["E0009"]),
        ("rely check no-such-file.lts --json".to_owned(), 3, vec!["E0001"]),
        ("rely check --json".to_owned(), 2, vec!["E0009"]),
        (format!("rely compose {good} --timeout -1 --json"), 2, vec!["E0009"]),
    ] {
        let run = run(&line);
        let report = run.json();
        let verb = line.split(' ').nth(1).expect("a verb");
        assert_eq!((run.status, report["command"].as_str()), (status, Some(verb)), "{line}\n{}", run.stderr);
        let found = run.codes();
        assert!(codes.iter().all(|code| found.iter().any(|one| one == code)), "{line}: {found:?}");
        assert_eq!(codes.is_empty(), found.is_empty(), "{line}: {found:?}");
    }
    let report = run("rely check no-such-file.lts --json").json();
    assert_eq!(report["diagnostics"][0]["file"], "no-such-file.lts");
    let report = run(&format!("rely compose {good} -o one.aut --max-states 1 --json")).json();
    let result = &report["results"][0];
    assert!(result["reason"].is_string() && result["error_reachable"].is_null(), "{result}");
}

#[test]
fn what_is_not_known_at_a_limit_is_not_claimed() {
    let model = file("claims.lts", "A = (a -> b -> c -> ERROR).\n");
    for verb in ["compose", "minimise"] {
        let run = run(&format!("rely {verb} {model} --max-states 2 --json"));
        let result = run.json()["results"][0].clone();
        assert_eq!(run.status, 4, "{verb}");
        assert!(result["error_reachable"].is_null() && result["alphabet"].is_null(), "{verb}: {result}");
    }
}

#[test]
fn a_limit_does_not_hide_a_mistake() {
    let model = file("hidden.lts", "A = (a -> b -> A).\nB = (b -> B).\n||S = (A || B).\n");
    for verb in ["decompose", "verify"] {
        let run = run(&format!("rely {verb} {model} --system S --property NONE --max-memory 1 --json"));
        assert_eq!((run.status, run.codes()), (3, vec!["E0315".to_owned()]), "{verb}");
    }
}

#[test]
fn what_a_format_has_no_place_for_is_said() {
    let model = file("lost.lts", "A = (a -> END) + {b}.\n");
    let run_aut = run(&format!("rely convert {model} -o lost.aut"));
    assert!(run_aut.status == 0 && run_aut.stderr.contains("W0003"), "{}", run_aut.stderr);
    assert!(run_aut.stderr.contains("END") && run_aut.stderr.contains(": b"), "{}", run_aut.stderr);
    assert_eq!(run(&format!("rely compose {model} -o lost.AUT --json")).codes(), ["W0003"]);
    let run_json = run(&format!("rely convert {model} -o lost.json"));
    assert_eq!((run_json.status, run_json.stderr.as_str()), (0, ""));
}

#[test]
fn a_part_that_fails_beside_the_property_is_named() {
    let text = "A = (x -> ERROR).\nproperty P = (x -> P | y -> P).\n||S = (A || P).\n";
    let model = file("beside.lts", text);
    let alone = run(&format!("rely verify {model} --system S --property P"));
    assert!(alone.stderr.contains("W0004") && alone.stderr.contains("A can fail"), "{}", alone.stderr);
    assert_eq!(run(&format!("rely verify {model} --system S --property P --json")).codes(), ["W0004"]);
    let both = run(&format!("rely verify {model} --system S"));
    assert!(both.status == 1 && !both.stderr.contains("W0004"), "{}", both.stderr);
}

#[test]
fn what_questions_a_verdict_is_never_dropped() {
    let model = file("warned.lts", "A = (a -> A) + {b, c}.\nproperty P = (b -> c -> P).\n||S = (A || P).\n");
    let warning = "property P holds vacuously: none of its actions ever occurs";
    for (line, said) in [
        (format!("rely check {model} --only safety"), "S: safety"),
        (format!("rely verify {model} --system S --strategy monolithic"), "S: P"),
    ] {
        // The verdict is marked, and the warning is on the other stream, whatever is asked for.
        for quiet in ["", " -q"] {
            let told = run(&format!("{line}{quiet}"));
            assert!(told.stderr.contains(&format!("warning: {said}: {warning}")), "{line}: {}", told.stderr);
            assert!(!told.stdout.contains("vacuously"), "{line}: {}", told.stdout);
            assert!(
                told.stdout.starts_with(&format!("{said} holds, with a warning")),
                "{line}: {}",
                told.stdout
            );
            assert_eq!(told.status, 0, "{line}");
        }
        assert_eq!(run(&format!("{line} -q --strict")).status, 1, "{line}");
        let json = run(&format!("{line} --json --strict"));
        assert!(json.status == 1 && json.stdout.contains(warning), "{line}: {}", json.stdout);
        assert_eq!(json.stderr, "", "{line}");
    }
    let sound = file("sound.lts", "A = (b -> c -> A).\nproperty P = (b -> c -> P).\n||S = (A || P).\n");
    for line in [format!("rely check {sound}"), format!("rely verify {sound} --system S")] {
        let told = run(&format!("{line} --strict"));
        assert_eq!((told.status, &*told.stderr), (0, ""), "{line}");
        assert!(!told.stdout.contains("warning"), "{line}: {}", told.stdout);
    }
}

#[test]
fn a_property_that_is_not_checked_questions_the_verdicts() {
    let model = file("unchecked.lts", "A = (a -> A).\nproperty P = (a -> P).\n||S = (A).\n");
    let line = format!("rely check {model}");
    for (options, status) in [("-q", 0), ("-q --strict", 1), ("-q --strict --only deadlock", 0)] {
        let told = run(&format!("{line} {options}"));
        assert_eq!(
            (told.status, told.stderr.contains("W0010")),
            (status, !options.contains("only")),
            "{options}"
        );
    }
    assert_eq!(run(&format!("{line} --json --strict")).codes(), ["W0010"]);
}

#[test]
fn a_certificate_of_some_properties_is_not_taken_for_one_of_all() {
    let text = "M = (a -> b -> M).\nproperty P = (a -> b -> P).\nproperty Q = (a -> b -> Q).\n||S = (M || P || Q).\n";
    let model = file("partly.lts", text);
    let some = file("partly.cert", "");
    assert_eq!(run(&format!("rely verify {model} --system S --property P --certificate {some}")).status, 0);
    let quiet = run(&format!("rely certify {some} {model} -q"));
    assert!(quiet.status == 0 && quiet.stderr.contains("W0007"), "{}", quiet.stderr);
    assert_eq!(run(&format!("rely certify {some} {model} --strict")).status, 1);
}

#[test]
fn an_import_without_an_end_is_refused() {
    let model = file("endless.lts", "import X = \"/dev/zero\"\n||S = (X).\n");
    let start = Instant::now();
    let run = run(&format!("rely check {model}"));
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(run.stderr.contains("is no plain file"), "{}", run.stderr);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn limits_hold_while_a_file_is_read() {
    let named = path("zero.json");
    let _ = std::fs::remove_file(&named);
    std::os::unix::fs::symlink("/dev/zero", &named).expect("the folder for tests can be written to");
    for line in ["rely check zero.json --timeout 500ms", "rely check zero.json --max-memory 50M"] {
        let run = run(line);
        assert_eq!(run.status, 4, "{line}: {}", run.stderr);
    }
}

#[test]
fn a_system_is_measured_by_what_it_takes_and_not_by_its_text() {
    let lines: String =
        (0..20_000).map(|i| format!("({i}, \"a_rather_long_label_{}\", {})\n", i % 7, i + 1)).collect();
    let model = file("long.aut", &format!("des (0, 20000, 20001)\n{lines}"));
    let told = run(&format!("rely compose {model} --max-memory 200k --json"));
    assert_eq!((told.status, told.codes()), (4, vec!["E0001".to_owned()]), "{}", told.stderr);
    let text = std::fs::metadata(path(&model)).expect("it is there").len();
    assert!(text > 700_000, "{text} bytes of text");
    let told = run(&format!("rely compose {model} --max-memory 700k"));
    assert!(!told.stderr.contains("cannot read"), "{}", told.stderr);
}

#[test]
fn splits_that_are_not_tried_are_not_counted() {
    let parts: Vec<String> = (0..9).map(|i| format!("P{i} = (a{i} -> b -> c{i} -> P{i}).\n")).collect();
    let names: Vec<String> = (0..9).map(|i| format!("P{i}")).collect();
    let text = format!("{}property Q = (b -> Q).\n||S = ({} || Q).\n", parts.concat(), names.join(" || "));
    let model = file("splits.lts", &text);
    let run = run(&format!("rely decompose {model} --system S --property Q --all --timeout 0s --json"));
    let result = run.json()["results"][0].clone();
    assert_eq!(run.status, 4, "{}", run.stderr);
    assert!(result["tried"].as_u64() < result["possible"].as_u64(), "{result}");
    assert!(result["limit"].is_string(), "{result}");
}

#[test]
fn standard_output_that_is_full_is_an_error() {
    let model = file("full.lts", "A = (a -> STOP).\n");
    for line in [
        format!("rely check {model} > /dev/full"),
        format!("rely check {model} --json > /dev/full"),
        format!("rely compose {model} > /dev/full"),
        format!("rely draw {model} > /dev/full"),
    ] {
        assert_eq!(run(&line).status, 3, "{line}");
    }
}

#[test]
fn a_trace_that_is_not_possible_is_an_error() {
    let model = file("replayed.lts", "A = (a -> b -> A).\n");
    let (good, bad) = (file("replayed.good", "a\nb\n"), file("replayed.bad", "a\nc\n"));
    assert_eq!(run(&format!("rely simulate {model} --replay {good}")).status, 0);
    assert_eq!(run(&format!("rely simulate {model} --replay {bad}")).status, 3);
    // Of a report, the result about the target is meant.
    let model = file("two.lts", "A = (a -> STOP).\nB = (c -> STOP).\n||S1 = A.\n||S2 = B.\n");
    let saved = file("two.json", "");
    assert_eq!(run(&format!("rely check {model} --json > {saved}")).status, 1);
    for target in ["S1", "S2"] {
        assert_eq!(run(&format!("rely simulate {model} -t {target} --replay {saved}")).status, 0, "{target}");
    }
}

#[test]
fn what_is_no_text_does_not_end_a_simulation() {
    let model = file("garbage.lts", "A = (a -> b -> A).\n");
    let told = run(&format!("printf 'a\\n\\xff\\xfe\\n\\nb\\nt\\nq\\n' | rely simulate {model}"));
    assert_eq!(told.status, 0, "{}", told.stderr);
    assert!(told.stdout.contains("is no action"), "{}", told.stdout);
    assert!(told.stdout.contains("   2  b\n"), "{}", told.stdout);
}

#[test]
fn links_are_followed_and_pipes_are_written_to() {
    let model = file("written.lts", "A = (a -> b -> A).\n");
    for name in ["link.aut", "behind.aut", "pipe.aut"] {
        let _ = std::fs::remove_file(path(name));
    }
    std::os::unix::fs::symlink("behind.aut", path("link.aut"))
        .expect("the folder for tests can be written to");
    assert_eq!(run(&format!("rely convert {model} -o link.aut")).status, 0);
    assert!(std::fs::symlink_metadata(path("link.aut")).expect("it is there").is_symlink());
    assert!(std::fs::read_to_string(path("behind.aut")).expect("it is there").starts_with("des"));
    let piped = run(&format!("mkfifo pipe.aut && (rely convert {model} -o pipe.aut & cat pipe.aut; wait)"));
    assert!(piped.stdout.starts_with("des"), "{} {}", piped.stdout, piped.stderr);
}

#[test]
fn traces_that_may_not_be_shortest_are_marked() {
    let text = "A = (a -> b -> x -> A).\nB = (b -> c -> B).\nC = (c -> x -> C).\n\
                property P = (a -> P) + {x}.\n||S = (A || B || C || P).\n";
    let model = file("marked.lts", text);
    for (options, is_marked) in [("--strategy monolithic", false), ("--rule chain", true)] {
        let line = format!("rely verify {model} --system S {options}");
        let result = run(&format!("{line} --json")).json()["results"][0].clone();
        assert_eq!(result["verdict"], "violated", "{options}");
        if result["strategy"] == "learn" || !is_marked {
            assert_eq!(result["shortest"] == false, is_marked, "{options}: {result}");
            assert_eq!(run(&line).stdout.contains("there may be a shorter trace"), is_marked, "{options}");
        }
    }
}

#[test]
fn a_rule_for_interface_automata_does_not_claim_that_a_run_is_shortest() {
    let text = "interface A = (x! -> y! -> z! -> A).\ninterface C = (z? -> C).\n\
                interface D = (x? -> x? -> y? -> D).\n||T = (A || D || C).\n";
    let model = file("interface-marked.lts", text);
    for (options, is_by_rule) in [("", true), ("--strategy learn", true), ("--strategy monolithic", false)] {
        let line = format!("rely verify {model} --system T --rule ia-compat {options}");
        let result = run(&format!("{line} --json")).result();
        assert_eq!(result["verdict"], "violated", "{options}: {result}");
        assert_eq!(result["trace"], serde_json::json!(["x", "y"]), "{options}");
        assert_eq!(result["shortest"] == false, is_by_rule, "{options}: {result}");
        assert_eq!(run(&line).stdout.contains("there may be a shorter trace"), is_by_rule, "{options}");
    }
}

#[test]
fn an_assertion_that_met_a_limit_tells_the_states() {
    let text = "A = (a -> b -> c -> d -> e -> A).\nassert LIVE = []<>e\nassert SAFE = [](a -> X b)\n\
                assert BOTH = ([]<>e && [](a -> X b))\nassert TRUE = (a || !a)\n";
    let model = file("assertions.lts", text);
    for limit in ["--max-states 0", "--max-states 1", "--max-states 3", "--max-states 4"] {
        let report = run(&format!("rely check {model} --only ltl {limit} --json")).json();
        let results = report["results"].as_array().expect("results").clone();
        assert_eq!(results.len(), 4, "{report}");
        let unknown: Vec<_> = results.iter().filter(|result| result["verdict"] == "unknown").collect();
        assert!(!unknown.is_empty(), "{limit}");
        for result in unknown {
            assert!(result["states"].as_u64() > Some(0), "{limit}: {result}");
        }
    }
}

#[test]
fn following_a_trace_has_limits() {
    let text = "const N = 60\nA = A[0], A[i:0..N] = (when (i < N) x -> A[i + 1] | when (i < N) x -> B[i + 1]),\n\
                B[i:0..N] = (when (i < N) x -> A[i + 1] | when (i < N) x -> B[i + 1]).\n||S = (p:A || q:A).\n";
    let model = file("followed.lts", text);
    // Both go on until neither can, in all ways that there are; and then the last step is not possible.
    let trace = file("followed.trace", &format!("{}{}p.x\n", "p.x\n".repeat(60), "q.x\n".repeat(60)));
    let line = format!("rely simulate {model} --replay {trace}");
    let told = run(&line);
    assert_eq!(told.status, 3, "{}", told.stderr);
    let told = run(&format!("{line} --max-states 200"));
    assert_eq!(told.status, 4, "{} {}", told.stdout, told.stderr);
    assert!(told.stderr.contains("the limit on states was reached"), "{}", told.stderr);
    let told = run(&format!("{line} --max-memory 10k"));
    assert_eq!(told.status, 4, "{} {}", told.stdout, told.stderr);
}

#[test]
fn advice_fits_the_question() {
    let text = "A = (a -> b -> A).\nproperty P = (a -> b -> P).\n||S = (A || P).\n\
                assert LIVE = []<>a\nproperty A2_1_ONE_AT_PUMP1 = (a -> b -> A2_1_ONE_AT_PUMP1).\n";
    let model = file("advice.lts", text);
    for (line, advice) in [
        (format!("rely check {model} --only P"), "`P` is a property process"),
        (
            format!("rely verify {model} --system S --property ONE_AT_PUMP"),
            "did you mean `A2_1_ONE_AT_PUMP1`",
        ),
        (format!("rely assume {model} --component A --property LIVE"), "`rely check` judges it"),
        (format!("rely check {model} --timeout -1"), "a time cannot be negative"),
    ] {
        let run = run(&line);
        assert!(run.stderr.contains(advice), "{line}: {}", run.stderr);
    }
    let failing =
        file("advice-error.lts", "A = (a -> b -> A).\nproperty Q = (b -> a -> Q).\n||S = (A || Q).\n");
    let run = run(&format!("rely check {failing}"));
    assert!(!run.stderr.contains("never does anything"), "{}", run.stderr);
}
