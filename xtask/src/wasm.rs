//! `cargo xtask wasm`: the engine is built for WebAssembly and asked about every model, and so is the native one. Their
//! answers are the same, traces and counts included.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use rely_ide::Desk;
use serde_json::{Value, json};
use wasm_bindgen_cli_support::Bindgen;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// States that a question may hold. Both sides count them, so that answers within limits are compared as well.
const MAX_STATES: usize = 20_000;

pub(crate) fn run(root: &Path) -> Result<()> {
    let module = build(root)?;
    let messages = messages(&root.join("models"))?;
    let theirs = ask_module(&module, &messages)?;
    ensure!(theirs.len() == messages.len(), "{} answers to {} messages", theirs.len(), messages.len());
    let mut desk = Desk::default();
    let mut compared = 0;
    for (message, theirs) in messages.iter().zip(&theirs) {
        let ours = answer(&mut desk, message)?;
        ensure!(ours == *theirs, "{message}\n  native: {ours}\n  WebAssembly: {theirs}");
        compared += usize::from(message.get("set").is_none());
    }
    let size = std::fs::metadata(module.join("rely_wasm_bg.wasm"))?.len() >> 10;
    println!("wasm: {compared} questions about the models have the same answers; the module has {size} KiB");
    Ok(())
}

/// Builds the module for Node, and says in which folder it is.
fn build(root: &Path) -> Result<PathBuf> {
    // Where rustup is not used, the target has to be there.
    let _ = Command::new("rustup").args(["target", "add", TARGET]).stderr(Stdio::null()).status();
    let arguments = ["build", "--package", "rely-wasm", "--target", TARGET, "--quiet"];
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(root).status()?;
    ensure!(status.success(), "the engine cannot be built for {TARGET}");
    let folder = target_folder(root).join(TARGET).join("debug");
    let module = folder.join("node");
    Bindgen::new().input_path(folder.join("rely_wasm.wasm")).nodejs(true)?.generate(&module)?;
    Ok(module)
}

/// Where cargo builds.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Every model, each followed by questions about it.
fn messages(folder: &Path) -> Result<Vec<Value>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut messages = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.file_name().context("a file")?.to_string_lossy().into_owned();
        let is_small = text.len() < 7_000;
        messages.push(json!({"set": {"name": name, "text": text}}));
        let ask = |query| json!({"ask": {"file": name, "max_states": MAX_STATES, "query": query}});
        messages.push(ask(json!({"verb": "check"})));
        messages.push(ask(json!({"verb": "check", "all_targets": true, "fairness": "random"})));
        messages.push(ask(json!({"verb": "verify", "system": "SYSTEM"})));
        messages.push(ask(json!({"verb": "verify", "system": "SYSTEM", "strategy": "learn"})));
        messages.push(ask(json!({"verb": "mine"})));
        // What an editor shows, and a run; not of the largest models, which take a while in an unoptimised module.
        if is_small {
            messages.push(json!({"look": {"file": name, "look": "text"}}));
            messages.push(
                json!({"view": {"file": name, "view": "walk", "choices": [0, 0, 0], "max_states": MAX_STATES}}),
            );
        }
        // What is asked twice is answered twice in the same way.
        messages.push(ask(json!({"verb": "check"})));
    }
    // Assumptions need equivalences, which no other question here does; animations need several texts.
    let (model, components) = ("mutex-writer.lts", ["WRITER", "MUTEX"]);
    messages.push(json!({"view": {"file": model, "view": "assumption", "components": components, "property": "EXCLUSION"}}));
    for example in rely_ide::EXAMPLES.iter().filter(|it| !it.others.is_empty()) {
        for (name, text) in example.others {
            messages.push(json!({"set": {"name": name, "text": text}}));
        }
        let name = example.name;
        for target in ["DINERS", "OLD_CROSSING"] {
            messages.push(
                json!({"view": {"file": name, "view": "animation", "target": target, "choices": [0, 0]}}),
            );
        }
    }
    Ok(messages)
}

/// Reads one message a line, and writes one answer a line.
const SCRIPT: &str = r#"
const { Engine } = require(process.argv[1] + "/rely_wasm.js");
const engine = new Engine();
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(engine.call(line));
});
"#;

/// What the module answers to some messages, under Node.
fn ask_module(module: &Path, messages: &[Value]) -> Result<Vec<Value>> {
    let is_there = crate::packages::is_installed("node", "--version", "nodejs");
    ensure!(is_there, "Node is needed to run the engine as WebAssembly");
    let mut node = Command::new("node")
        .args(["--eval", SCRIPT])
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("Node does not start")?;
    let mut input = node.stdin.take().context("Node takes no input")?;
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = node.wait_with_output()?;
    ensure!(output.status.success(), "the module, or Node, has ended with {}", output.status);
    writer.join().ok().context("the messages could not be sent")??;
    let lines = std::str::from_utf8(&output.stdout)?.lines();
    lines.map(|line| serde_json::from_str(line).context("an answer is no JSON")).collect()
}

/// What the native engine answers.
fn answer(desk: &mut Desk, message: &Value) -> Result<Value> {
    let answer =
        desk.call(&message.to_string(), None).map_err(|reason| anyhow::anyhow!("{message}: {reason}"))?;
    Ok(serde_json::from_str(&answer)?)
}
