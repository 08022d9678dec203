//! What a workspace has worked out before changes no answer: the same question, asked first or after others, gets the same
//! report, whatever the text says.

use std::path::{Path, PathBuf};

use rely_session::{Request, Workspace};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
}

fn ask(workspace: &mut Workspace, request: &str) -> String {
    let request: Request = serde_json::from_str(request).expect("a request");
    let answer = workspace.ask(&request, None).expect("no mistake of this program");
    serde_json::to_string(&answer).expect("a report is plain JSON")
}

/// Two targets with a warning of their own each, one that both share, and one that only a property has; a part of them is
/// imported.
const DOUBTFUL: &str = "\
import LAMP = \"lamp.aut\"
SWITCH = (press -> SWITCH)/{push/pusch}.
BELL = (ring -> BELL)/{rang/rong}.
||SYSTEM = (LAMP || SWITCH || BELL).
||LOUD = (BELL || SWITCH || HORN)/{x/y}.
HORN = (honk -> HORN)\\{hink}.
progress LIGHT = {on, off, of}
";
const LAMP: &str = "des (0, 2, 2)\n(0, on, 1)\n(1, off, 0)\n";

#[test]
fn the_order_of_questions_changes_no_answer() {
    let mut compared = 0;
    let mut texts: Vec<(String, Vec<u8>)> = models()
        .iter()
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("it can be read"))
        })
        .collect();
    texts.push(("doubtful.lts".to_owned(), DOUBTFUL.into()));
    for (name, text) in texts {
        let fresh = || {
            let mut workspace = Workspace::default();
            workspace.set("lamp.aut", LAMP);
            workspace.set(name.as_str(), text.as_slice());
            workspace
        };
        let file = serde_json::json!(name);
        let question = |query: &str| format!(r#"{{"file": {file}, "max_states": 2000, "query": {query}}}"#);
        let questions = [
            question(r#"{"verb": "check"}"#),
            question(r#"{"verb": "check", "all_targets": true}"#),
            question(r#"{"verb": "verify", "system": "SYSTEM"}"#),
            question(r#"{"verb": "check", "only": ["deadlock"]}"#),
            question(r#"{"verb": "check", "targets": ["LOUD"]}"#),
        ];
        let expected: Vec<String> = questions.iter().map(|question| ask(&mut fresh(), question)).collect();
        let mut workspace = fresh();
        for turn in 0..2 {
            for (question, expected) in questions.iter().zip(&expected) {
                assert_eq!(&ask(&mut workspace, question), expected, "{name}, turn {turn}: {question}");
                compared += 1;
            }
        }
        for (question, expected) in questions.iter().zip(&expected).rev() {
            assert_eq!(&ask(&mut workspace, question), expected, "{name}, backwards: {question}");
        }
    }
    assert!(compared > 100, "{compared} answers");
}

#[test]
fn what_makes_no_sense_is_said() {
    let mut workspace = Workspace::default();
    workspace.set("lamp.lts", "const N = 2\nLAMP = (on -> off -> LAMP).");
    let answer = ask(&mut workspace, r#"{"file": "lamps.lts", "query": {"verb": "check"}}"#);
    assert!(answer.contains("there is no text `lamps.lts`"), "{answer}");
    let answer =
        ask(&mut workspace, r#"{"file": "lamp.lts", "define": {"M": 1}, "query": {"verb": "check"}}"#);
    assert!(answer.contains("has no constant `M`"), "{answer}");
    for wrong in [r#"{"file": "lamp.lts", "query": {"verb": "chek"}}"#, r#"{"file": 1}"#, "{}"] {
        assert!(serde_json::from_str::<Request>(wrong).is_err(), "{wrong}");
    }
}

/// A workspace can be handed to another thread.
#[test]
fn it_can_be_sent() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&Workspace::default());
}
