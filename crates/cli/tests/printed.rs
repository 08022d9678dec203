//! What is printed holds no command to a terminal, whatever names and lines an input has.
#![cfg(unix)]

mod common;

use std::path::PathBuf;

use common::{Run, file_in, rely, rely_reading, run};
use serde_json::{Value, json};

/// Clears the screen, reverses the order of what follows, is the 8-bit form of ESC [, and is not to be seen.
const EVIL: &str = "x\u{1b}[2J\u{202e}\u{9b}1A\u{200b}y";
/// How it is shown.
const SHOWN: &str = "x\\u{1b}[2J\\u{202e}\\u{9b}1A\\u{200b}y";

#[track_caller]
fn is_harmless(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let odd = text.chars().find(|&c| rely_base::is_unprintable(c) && !matches!(c, '\n' | '\t'));
        assert_eq!(odd, None, "{text:?}");
        assert!(!text.contains("panicked"), "{text}");
    }
}

/// A system in which the action leads to the error.
fn document(action: &str) -> String {
    let transitions = json!([[0, action, 1], [1, action, 2]]);
    json!({"schema": "rely/lts/1", "states": 3, "initial": 0, "error": 2, "alphabet": [action],
        "transitions": transitions})
    .to_string()
}

fn folder(name: &str) -> PathBuf {
    common::folder(&format!("printed-{name}"))
}

#[test]
fn names_in_answers() {
    let folder = folder("names");
    let model = file_in(&folder, "model.json", document(EVIL));
    let aut = file_in(&folder, "model.aut", format!("des (0,2,2)\n(0,\"{EVIL}\",1)\n(1,\"{EVIL}\",-1)\n"));
    for input in [&model, &aut] {
        let checked = rely(&["check", input]);
        is_harmless(&checked);
        assert!(checked.stdout.contains(SHOWN), "{checked:?}");
        is_harmless(&rely(&["check", input, "--lanes", "--coverage"]));
        is_harmless(&rely(&["draw", input]));
        is_harmless(&rely_reading(&["simulate", input], b"1\nt\ns\nq\n"));
        let coloured = rely(&["check", input, "--color", "always"]).stdout;
        assert!(
            coloured.contains(SHOWN) && coloured.contains("\u{1b}[1;31mviolated\u{1b}[0m"),
            "{coloured:?}"
        );
        let dot = folder.join("out.dot").display().to_string();
        assert_eq!(rely(&["draw", input, "-o", &dot]).status, 0);
        let written = std::fs::read_to_string(&dot).expect("it was written");
        assert!(!written.chars().any(|c| rely_base::is_unprintable(c) && c != '\n'), "{written:?}");
        // JSON says the same name with other letters.
        let object = rely(&["check", input, "--json"]);
        is_harmless(&object);
        assert_eq!(object.json()["results"][1]["trace"][0], EVIL, "{object:?}");
    }
}

#[test]
fn names_of_files_and_lines_of_source() {
    let folder = folder("files");
    let name = format!("{EVIL}\nS: deadlock holds.lts");
    let broken = file_in(&folder, &name, format!("P = (a -> Q).\n// {EVIL}\nR = {EVIL}.\n"));
    for arguments in [
        &["check", &broken][..],
        &["check", &broken, "--json"],
        &["check", &format!("{broken}-missing")],
        &["check", &broken, "--target", EVIL],
        &["check", EVIL, EVIL],
        &["explain", EVIL],
        &["check", &broken, &format!("--{EVIL}")],
    ] {
        let ended = rely(arguments);
        is_harmless(&ended);
        assert!(matches!(ended.status, 2 | 3), "{ended:?}");
        assert!(!ended.stderr.lines().any(|line| line.starts_with("S: deadlock holds")), "{ended:?}");
    }
}

#[test]
fn certificates_and_traces() {
    let folder = folder("certificates");
    let model = file_in(&folder, "model.lts", "P = (a -> P).");
    let claim = json!({"target": format!("{EVIL}\nP: deadlock certified"), "kind": "deadlock", "property": EVIL,
        "statement": EVIL, "components": [], "operators": "0000000000000000",
        "evidence": {"rule": "composition", "goal": [], "assumptions": [], "premises": []}});
    let forged = json!({"schema": "rely/certificate/1", "claims": [claim]}).to_string();
    for text in [forged, format!("{{\"schema\": \"{}\"}}", "\\u001b[2J\\n"), EVIL.to_owned()] {
        let judged = rely(&["certify", &file_in(&folder, "forged.cert", text), &model]);
        is_harmless(&judged);
        assert!(matches!(judged.status, 1 | 3), "{judged:?}");
        assert!(!judged.stdout.lines().any(|line| line.starts_with("P: deadlock certified")), "{judged:?}");
    }
    let trace = file_in(&folder, "trace", format!("a\n{EVIL}\n"));
    let replayed = rely_reading(&["simulate", &model, "--replay", &trace], b"");
    is_harmless(&replayed);
    assert!(replayed.stderr.contains(SHOWN), "{replayed:?}");
}

/// A name is on one line: the lines of a trace are steps.
#[test]
fn a_name_with_a_line_break_is_refused() {
    let model = file_in(&folder("lines"), "model.json", document("a\nDEFAULT: safety holds"));
    let ended = rely(&["check", &model]);
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(ended.stderr.contains("`a\\nDEFAULT: safety holds` has a line break"), "{ended:?}");
}

/// A width that does not fit into 16 bits is a panic in the formatter.
#[test]
fn names_are_as_long_as_they_like() {
    let folder = folder("long");
    let long = "a".repeat(70_000);
    let model = file_in(&folder, "model.json", document(&long));
    for arguments in [
        &["check", &model][..],
        &["check", &model, "--lanes"],
        &["check", &model, "--coverage"],
        &["compose", &model],
        &["minimise", &model, "--json"],
        &["draw", &model],
    ] {
        let ended = rely(arguments);
        is_harmless(&ended);
        assert!(matches!(ended.status, 0 | 1 | 4), "{:?}", ended.stderr);
    }
    is_harmless(&rely_reading(&["simulate", &model], b"1\nt\nu\ns\nq\n"));
    let fsp = file_in(
        &folder,
        "model.lts",
        format!(
            "P = ({long} -> {long}.b -> ERROR).\nQ = ({long} -> Q).\nproperty {} = ({long} -> STOP).\n||S = (P || Q || {0}).",
            long.to_uppercase()
        ),
    );
    let page = folder.join("page.txt").display().to_string();
    for arguments in [
        &["check", &fsp][..],
        &["verify", &fsp, "--system", "S", "--explanation", &page],
        &["verify", &fsp, "--system", "S", "--coverage", "--lanes"],
        &["assume", &fsp, "--component", "Q", "--property", &long.to_uppercase()],
    ] {
        let ended = rely(arguments);
        is_harmless(&ended);
        assert!(matches!(ended.status, 0 | 1 | 3), "{:?}", ended.stderr);
    }
}

/// The statements of a program end like that; they are no interface.
#[test]
fn a_label_keeps_its_semicolon() {
    let folder = folder("semicolon");
    let model = file_in(&folder, "model.aut", "des (0,2,2)\n(0,\"x = 1;\",1)\n(1,y;,0)\n");
    let names = |path: &str| -> Value { rely(&["compose", path, "--json"]).result()["alphabet"].clone() };
    assert_eq!(names(&model), json!(["x = 1;", "y;"]));
    let copy = folder.join("copy.aut").display().to_string();
    assert_eq!(rely(&["compose", &model, "-o", &copy]).status, 0);
    assert_eq!(names(&copy), json!(["x = 1;", "y;"]));
}

#[test]
fn a_terminal_gets_colours_and_nothing_else() {
    let folder = folder("colours");
    let model = file_in(&folder, "model.json", document("a\u{1b}[8mb"));
    let text = rely(&["check", &model, "--color", "always"]).stdout;
    assert!(text.contains("a\\u{1b}[8mb"), "{text:?}");
    let usage = run("rely check --nonsense");
    assert!(
        usage.status == 2 && !usage.stderr.contains('\u{1b}') && usage.stderr.contains("--nonsense"),
        "{usage:?}"
    );
}
