//! The language server, as editors start it: over standard input and output.
#![allow(clippy::needless_pass_by_value, reason = "messages are made where they are sent")]

mod common;

use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, RequestId};
use rely_testkit::rng::{Rng, seeds};
use serde_json::{Value, json};

/// No answer takes longer, on a slow machine that has other things to do.
const DEADLINE: Duration = Duration::from_secs(100);

/// An editor that talks to a server.
struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Message>,
    /// What came while something else was waited for.
    seen: Vec<Message>,
    asked: i32,
}

impl Editor {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_rely"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let input = server.stdin.take().expect("piped");
        let mut output = BufReader::new(server.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Self { server, input, messages, seen: Vec::new(), asked: 0 };
        let capabilities = json!({"window": {"workDoneProgress": true}, "workspace": {"codeLens": {"refreshSupport": true}}});
        let can = editor.ask("initialize", json!({"capabilities": capabilities})).expect("an answer");
        assert_eq!(can["capabilities"]["renameProvider"]["prepareProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message: Message = Notification { method: method.to_owned(), params }.into();
        message.write(&mut self.input).expect("the server listens");
    }

    fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let message: Message = Request { id: id.clone(), method: method.to_owned(), params }.into();
        message.write(&mut self.input).expect("the server listens");
        id
    }

    /// The result of a request, or the message of its error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        let start = Instant::now();
        loop {
            match self.next(start) {
                Message::Response(response) if response.id == id => {
                    let response = serde_json::to_value(response).expect("JSON");
                    return match response["error"]["message"].as_str() {
                        Some(error) => Err(error.to_owned()),
                        None => Ok(response["result"].clone()),
                    };
                }
                other => self.seen.push(other),
            }
        }
    }

    #[track_caller]
    fn next(&self, start: Instant) -> Message {
        let left = DEADLINE.saturating_sub(start.elapsed());
        self.messages.recv_timeout(left).expect("the server answers")
    }

    /// The next notification that is wanted, of those that have been seen and those that come.
    #[track_caller]
    fn wait(&mut self, method: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let place = self.seen.iter().position(|message| match message {
                Message::Notification(it) => it.method == method && is_wanted(&it.params),
                _ => false,
            });
            if let Some(place) = place
                && let Message::Notification(found) = self.seen.remove(place)
            {
                return found.params;
            }
            let message = self.next(start);
            self.seen.push(message);
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "fsp", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics of a version.
    #[track_caller]
    fn diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let found =
            self.wait("textDocument/publishDiagnostics", |it| it["uri"] == uri && it["version"] == version);
        found["diagnostics"].clone()
    }

    /// Ends the server, as an editor should.
    fn end(mut self) {
        self.ask("shutdown", Value::Null).expect("an answer");
        self.tell("exit", Value::Null);
        let start = Instant::now();
        loop {
            match self.server.try_wait().expect("a child") {
                Some(status) => return assert!(status.success(), "{status}"),
                None if start.elapsed() > DEADLINE => panic!("it does not end"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

const URI: &str = "file:///nowhere/diners.lts";

const DINERS: &str = "// The forks.\nFORK = (get -> put -> FORK).\nPHIL = (right.get -> left.get -> eat -> left.put -> right.put -> PHIL).\n||DINERS(N=2) = forall[i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK).\n";

fn at(line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

#[test]
fn names_are_found_and_changed() {
    let mut editor = Editor::start();
    editor.open(URI, DINERS);
    assert_eq!(editor.diagnostics(URI, 1), json!([]));
    let range = |line: u32, start: u32, end: u32| json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}});
    // PHIL in the composite.
    let definition = editor.ask("textDocument/definition", at(3, 44)).expect("an answer");
    assert_eq!(definition["range"], range(2, 0, 4));
    let places = editor.ask("textDocument/references", at(2, 1)).expect("an answer");
    assert_eq!(places.as_array().map(Vec::len), Some(3), "{places}");
    let hover = editor.ask("textDocument/hover", at(1, 1)).expect("an answer");
    let shown = hover["contents"]["value"].as_str().expect("text");
    assert!(
        shown.contains("process `FORK`") && shown.contains("The forks.") && shown.contains("2 states"),
        "{shown}"
    );
    let mut request = at(2, 1);
    request["newName"] = json!("THINKER");
    let edit = editor.ask("textDocument/rename", request.clone()).expect("an answer");
    assert_eq!(edit["changes"][URI].as_array().map(Vec::len), Some(3));
    request["newName"] = json!("FORK");
    assert!(editor.ask("textDocument/rename", request).expect_err("taken").contains("something else"));
    let symbols = editor.ask("textDocument/documentSymbol", at(0, 0)).expect("an answer");
    let names: Vec<&str> =
        symbols.as_array().expect("symbols").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["FORK", "PHIL", "DINERS"]);
    let proposals = editor.ask("textDocument/completion", at(2, 3)).expect("an answer");
    let has = |word: &str| proposals.as_array().expect("proposals").iter().any(|it| it["label"] == word);
    assert!(has("FORK") && has("eat") && has("forall") && !has("i"), "{proposals}");
    let tokens = editor.ask("textDocument/semanticTokens/full", at(0, 0)).expect("an answer");
    // The first token is the comment: line 0, column 0, 13 units, type 0.
    assert_eq!(tokens["data"].as_array().expect("numbers")[..5], [0, 0, 13, 0, 0].map(|it| json!(it)));
    assert!(editor.ask("textDocument/nonsense", at(0, 0)).is_err());
    editor.end();
}

#[test]
fn mistakes_are_told_and_mended() {
    let mut editor = Editor::start();
    editor.open(URI, "P = (a => Q).\nQQ = (b -> QQ).\n");
    let found = editor.diagnostics(URI, 1);
    assert_eq!(found[0]["range"]["start"], json!({"line": 0, "character": 7}));
    let range = found[0]["range"].clone();
    let actions = json!({"textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": []}});
    let actions = editor.ask("textDocument/codeAction", actions).expect("an answer");
    assert_eq!(actions[0]["title"], "write `->`");
    let edit = actions[0]["edit"]["changes"][URI][0].clone();
    editor.change(URI, 2, json!([{"range": edit["range"], "text": edit["newText"]}]));
    let found = editor.diagnostics(URI, 2);
    assert!(
        found.as_array().is_some_and(|it| it.iter().all(|one| one["range"]["start"]["character"] != 7)),
        "{found}"
    );
    editor.change(URI, 3, json!([{"text": "P=(a->P)."}]));
    assert_eq!(editor.diagnostics(URI, 3), json!([]));
    let edits = editor.ask("textDocument/formatting", at(0, 0)).expect("an answer");
    assert_eq!(edits[0]["newText"], "P = (a -> P).\n");
    editor.end();
}

#[test]
fn verdicts_come_when_a_file_is_saved_and_are_stale_after_an_edit() {
    let mut editor = Editor::start();
    editor.open(URI, DINERS);
    let lenses = |editor: &mut Editor| editor.ask("textDocument/codeLens", at(0, 0)).expect("an answer");
    assert_eq!(lenses(&mut editor)[0]["command"]["title"], "check");
    editor.tell("textDocument/didSave", json!({"textDocument": {"uri": URI}}));
    editor.wait("$/progress", |it| it["value"]["kind"] == "end");
    let found =
        editor.wait("textDocument/publishDiagnostics", |it| it["diagnostics"][0]["code"] == "violated");
    let violated = &found["diagnostics"][0];
    assert!(
        violated["message"].as_str().is_some_and(
            |it| it.contains("deadlock violated after 2 steps\nphil.0.right.get, phil.1.right.get")
        ),
        "{violated}"
    );
    let known = lenses(&mut editor);
    let title = known[0]["command"]["title"].as_str().expect("a title").to_owned();
    assert!(title.starts_with("deadlock ✗ 2 steps · safety ✓"), "{title}");
    assert_eq!(known[1]["command"]["command"], "rely.trace");
    let trace = editor.ask("workspace/executeCommand", known[1]["command"].clone()).expect("an answer");
    assert!(trace.as_str().is_some_and(|it| it.contains("   2  phil.")), "{trace}");
    // An edit: nothing is said to be violated any more, and the lens says that it is about another text.
    let end = json!({"line": 9, "character": 0});
    editor.change(URI, 2, json!([{"range": {"start": end, "end": end}, "text": "// edited\n"}]));
    assert_eq!(editor.diagnostics(URI, 2), json!([]));
    let stale = lenses(&mut editor);
    assert_eq!(stale[0]["command"]["title"], format!("stale: {title}"));
    editor.change(URI, 3, json!([{"text": DINERS}]));
    assert_eq!(editor.diagnostics(URI, 3)[0]["code"], "violated");
    editor.end();
}

#[test]
fn a_long_check_can_be_cancelled_and_leaves_no_verdict() {
    let large = DINERS.replace("N=2", "N=13");
    let mut editor = Editor::start();
    // Progress is not decided before all states are known.
    let large = large.replace("eat ->", "eat -> a -> b -> c -> d ->") + "progress EATS = {phil[0].eat}\n";
    editor.open(URI, &large);
    editor.diagnostics(URI, 1);
    editor
        .ask("workspace/executeCommand", json!({"command": "rely.check", "arguments": [URI]}))
        .expect("an answer");
    editor.wait("$/progress", |it| it["value"]["kind"] == "begin");
    let checking = editor.ask("textDocument/codeLens", at(0, 0)).expect("an answer");
    assert_eq!(checking[0]["command"]["title"], "checking …");
    editor.tell("window/workDoneProgress/cancel", json!({"token": format!("check {URI}")}));
    editor.wait("$/progress", |it| it["value"]["kind"] == "end");
    let lenses = editor.ask("textDocument/codeLens", at(0, 0)).expect("an answer");
    assert_eq!(lenses[0]["command"]["title"], "check");
    editor.end();
}

#[test]
fn imported_files_are_read_beside_the_text() {
    let folder = common::place().join("lsp imports");
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    std::fs::write(folder.join("p.aut"), "des (0,1,2)\n(0,\"a\",1)\n").expect("it can be written");
    let uri = format!("file://{}/main.lts", folder.display()).replace(' ', "%20");
    let mut editor = Editor::start();
    editor.open(&uri, "import P = \"p.aut\"\n||S = P.\n");
    assert_eq!(editor.diagnostics(&uri, 1), json!([]));
    editor.tell("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    let found =
        editor.wait("textDocument/publishDiagnostics", |it| it["diagnostics"][0]["code"] == "violated");
    assert!(found["diagnostics"][0]["message"].as_str().is_some_and(|it| it.contains("deadlock")), "{found}");
    editor.end();
}

#[test]
fn no_edit_and_no_message_ends_the_server() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut texts = Vec::new();
    for name in ["philosophers.lts", "mutex-writer.lts", "door.srs", "retry.aim", "relay.adb"] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a model");
        texts.push((format!("file:///nowhere/{name}"), text));
    }
    let mut editor = Editor::start();
    for (uri, text) in &texts {
        editor.open(uri, text);
    }
    let methods = [
        "hover",
        "definition",
        "references",
        "completion",
        "rename",
        "codeLens",
        "foldingRange",
        "documentSymbol",
        "formatting",
        "codeAction",
        "semanticTokens/full",
        "prepareRename",
    ];
    let mut version = 1;
    for seed in seeds(8) {
        let mut rng = Rng::new(seed);
        let (uri, _) = rng.pick(&texts).clone();
        let place = |rng: &mut Rng| json!({"line": rng.below(60), "character": rng.below(100)});
        for _ in 0..5 {
            version += 1;
            let (start, end) = (place(&mut rng), place(&mut rng));
            let end = if rng.chance(3, 4) { start.clone() } else { end };
            let new = *rng.pick(&["", "(", "||", "P = (a -> P).\n", "é😀", "/*", "\n", "[i:0..3]", "."]);
            editor.change(&uri, version, json!([{"range": {"start": start, "end": end}, "text": new}]));
            let method = format!("textDocument/{}", rng.pick(&methods));
            let mut params =
                json!({"textDocument": {"uri": uri}, "position": place(&mut rng), "newName": "X"});
            params["range"] = json!({"start": place(&mut rng), "end": place(&mut rng)});
            let _ = editor.ask(&method, params);
        }
        // What makes no sense.
        editor.tell("textDocument/didChange", json!({"textDocument": 1}));
        editor.tell("textDocument/didOpen", json!([]));
        let _ = editor.ask("workspace/executeCommand", json!({"command": 7}));
        let _ = editor.ask("textDocument/hover", Value::Null);
        assert_eq!(
            editor.ask("textDocument/hover", json!({"textDocument": {"uri": "file:///no"}})),
            Ok(Value::Null)
        );
    }
    // It still answers, and about the newest text.
    editor.change(&texts[0].0, version + 1, json!([{"text": "P = (a -> P)."}]));
    assert_eq!(editor.diagnostics(&texts[0].0, version + 1), json!([]));
    editor.end();
}
