//! SPIN and rely's own engine agree. Where SPIN is not installed, it is said what is missing.

mod common;

use std::process::{Command, Stdio};

use serde_json::Value;

use common::{file_in, folder, rely};

fn is_installed() -> bool {
    let runs = |program: &str, argument: &str| {
        let mut command = Command::new(program);
        command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    runs("spin", "-V") && runs("cc", "--version")
}

/// A door whose leaf opens in the wrong microstep, and a sensor that reports twice: some properties hold, some are broken at
/// the end of a macrostep, some in a microstep, and one alarm of a component alone is false.
const MIXED: &str = "system Mixed {
    input go, back
    component Door {
        takes beep
        output open
        machine Leaf { closed -> opened on go / moved   opened -> closed on back & !go / moved   closed -> stuck on beep }
        machine Lamp { off -> on on moved / open   on -> off on moved }
        property never_stuck at macrostep: !Leaf.stuck
        property lamp at macrostep: Leaf.opened <=> Lamp.on
        property dark at microstep 2: !(Lamp.on & Leaf.closed)
        property opens at macrostep: old Leaf.closed & go => open
    }
    component Bell { gives beep  machine B { b -> c on go   c -> d on go & B.b / beep } }
}";

/// The name and the answer of each result.
fn answers(path: &str, more: &[&str], engine: &str) -> Vec<(String, Value, Value)> {
    let question = ["check", path, "--only", "safety", "--json", "--engine", engine];
    let run = rely(&[&question, more].concat());
    let report = run.json();
    let results = report["results"].as_array().expect("results");
    assert!(!results.is_empty(), "{report}");
    let shown = |result: &Value| {
        let name = result["property"].as_str().expect("a name").to_owned();
        if engine == "spin" && result["is_assumption"].is_null() {
            assert!(result["engine"] == "spin" || result["verdict"] != "holds", "{result}");
        }
        let is_told =
            result["verdict"] != "violated" || result["trace"].as_array().is_some_and(|it| !it.is_empty());
        assert!(is_told, "{result}");
        (name, result["verdict"].clone(), result["false_positive"].clone())
    };
    results.iter().map(shown).collect()
}

#[test]
fn both_engines_agree() {
    let folder = folder("spin");
    let path = &*file_in(&folder, "mixed.srs", MIXED);
    if !is_installed() {
        let run = rely(&["check", path, "--engine", "spin"]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains("apt install spin"), "{}", run.stderr);
        return;
    }
    for more in [&[][..], &["--component", "Door"], &["--component", "Door", "--environment", "mined"]] {
        let (own, spin) = (answers(path, more, "own"), answers(path, more, "spin"));
        assert_eq!(own, spin, "{more:?}");
    }
}
