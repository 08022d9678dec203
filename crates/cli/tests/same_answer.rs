//! The command line, the server of the page and the server for editors give the same answers; and the server of the page
//! answers nobody else. That the engine in the browser agrees is compared by `cargo xtask wasm`.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use lsp_server::{Message, Request, RequestId};
use rely_testkit::rng::{Rng, seeds};
use serde_json::{Value, json};

/// How many states a question may hold, in all of them.
const MAX_STATES: usize = 1_000;

/// `rely serve`, and what its link says.
struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rely"))
            .arg("serve")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program is there");
        let mut link = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut link).expect("a link");
        let (host, token) = link.trim().split_once("/#token=").expect("a link");
        let host = host.strip_prefix("http://").expect("a link").to_owned();
        Self { child, host, token: token.to_owned() }
    }

    /// The status and the body of the answer to a request with some lines in its head.
    fn request(&self, line: &str, head: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let head: String = head.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let text = format!("{line} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
        (status, body.to_owned())
    }

    fn call(&self, message: &Value) -> Value {
        let head = [("Host", self.host.as_str()), ("X-Rely-Token", self.token.as_str())];
        let (status, body) = self.request("POST /call", &head, &message.to_string());
        assert_eq!(status, 200, "{message}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `rely lsp`, as a window of an editor asks it.
struct Edited {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    asked: i32,
}

impl Edited {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rely"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, output, asked: 0 }
    }

    fn write(&mut self, message: impl Into<Message>) {
        message.into().write(self.child.stdin.as_mut().expect("piped")).expect("the server listens");
    }

    fn call(&mut self, message: &Value) -> Value {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let params = json!({"message": message.to_string()});
        self.write(Request { id: id.clone(), method: "rely/call".to_owned(), params });
        loop {
            if let Some(Message::Response(response)) = Message::read(&mut self.output).expect("a message")
                && response.id == id
            {
                let response = serde_json::to_value(response).expect("JSON");
                let text = response["result"].as_str().unwrap_or_else(|| panic!("{message}: {response}"));
                return serde_json::from_str(text).expect("JSON");
            }
        }
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The texts of a folder, by their names.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_file()
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            texts.insert(path.file_name().expect("a name").to_string_lossy().into_owned(), text);
        }
    }
    texts
}

/// Asks all of them about the texts of a folder, and compares what they say, byte by byte.
fn compare(folder: &Path) -> usize {
    let (served, mut edited) = (Served::start(), Edited::start());
    let texts = texts(folder);
    for (name, text) in &texts {
        let message = json!({"set": {"name": name, "text": text}});
        served.call(&message);
        edited.call(&message);
    }
    for name in texts.keys() {
        let limit = MAX_STATES.to_string();
        let run = Command::new(env!("CARGO_BIN_EXE_rely"))
            .args(["check", name, "--json", "--max-states", &limit])
            .current_dir(folder)
            .output()
            .expect("the program is there");
        let printed: Value = serde_json::from_slice(&run.stdout).expect("JSON");
        let question = json!({"ask": {"file": name, "max_states": MAX_STATES, "query": {"verb": "check"}}});
        let printed = printed.to_string();
        assert_eq!(served.call(&question).to_string(), printed, "{name}: rely serve");
        assert_eq!(edited.call(&question).to_string(), printed, "{name}: rely lsp");
    }
    texts.len()
}

#[test]
fn all_models_have_the_same_answers_everywhere() {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    assert!(compare(&models) > 40);
}

#[test]
fn texts_with_random_mistakes_have_the_same_answers_everywhere() {
    const PIECES: [&str; 14] =
        ["", " ", "(", ")", "->", "|", "||", ".", "P", "a", "[i:0..1]", "ERROR", "property ", "é\n"];
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    // Why a misspelt import cannot be read depends on who reads it: a folder says it in other words than a list of texts.
    let is_small = |text: &str| text.len() < 4_000 && !text.contains("import");
    let small: Vec<(String, String)> =
        texts(&models).into_iter().filter(|(_, text)| is_small(text)).collect();
    let folder = common::folder("same-answer");
    for seed in seeds(200) {
        let mut rng = Rng::new(seed);
        let (name, text) = &small[rng.below(small.len())];
        let mut text = text.clone();
        for _ in 0..rng.below(4) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let start = rng.below(places.len());
            let end = (start + rng.below(4)).min(places.len() - 1);
            text.replace_range(places[start]..places[end], PIECES[rng.below(PIECES.len())]);
        }
        std::fs::write(folder.join(format!("{seed}-{name}")), text).expect("a file can be written");
    }
    compare(&folder);
}

#[test]
fn the_page_is_served_to_nobody_else() {
    let served = Served::start();
    let host = ("Host", served.host.as_str());
    let token = ("X-Rely-Token", served.token.as_str());
    let own = format!("http://{}", served.host);
    let message = r#"{"examples": {}}"#;
    let status = |line: &str, head: &[(&str, &str)]| served.request(line, head, message).0;
    assert_eq!(status("POST /call", &[host, token]), 200);
    assert_eq!(
        status("POST /call", &[host, token, ("Origin", own.as_str()), ("Sec-Fetch-Site", "same-origin")]),
        200
    );
    assert_eq!(status("GET /player.js", &[host]), 200);
    let wrong = "0".repeat(served.token.len());
    for head in [
        &[host][..],
        &[host, ("X-Rely-Token", wrong.as_str())],
        &[host, token, token],
        &[token],
        &[("Host", "localhost"), token],
        &[("Host", "evil.example"), token],
        &[host, token, ("Origin", "http://evil.example")],
        &[host, token, ("Origin", "null")],
        &[host, token, ("Sec-Fetch-Site", "cross-site")],
    ] {
        assert_eq!(status("POST /call", head), 403, "{head:?}");
    }
    assert_eq!(status("GET /", &[("Host", "evil.example")]), 403);
    assert_eq!(status("GET /../Cargo.toml", &[host]), 404);
    assert_eq!(status("PUT /call", &[host, token]), 405);
}
