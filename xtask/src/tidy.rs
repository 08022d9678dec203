//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that a program can check.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The crates in dependency order: a crate uses only crates above it, and of those only the ones named here.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("automata", &["base"]),
    ("lts", &["base"]),
    ("omega", &["base"]),
    ("explore", &["base", "lts"]),
    ("certificate", &["base", "lts", "omega"]),
    ("decide", &["base", "lts", "omega", "explore", "certificate"]),
    ("learn", &["base", "automata"]),
    ("assume", &["base", "automata", "lts", "explore", "certificate", "decide", "learn"]),
    ("interface", &["base", "automata", "lts", "explore", "certificate", "decide", "learn", "assume"]),
    ("fsp", &["base", "lts", "omega", "explore"]),
    ("draw", &["base", "lts"]),
    ("monitor", &["base", "lts"]),
    (
        "session",
        &[
            "base",
            "lts",
            "omega",
            "explore",
            "certificate",
            "decide",
            "assume",
            "interface",
            "fsp",
            "draw",
            "monitor",
        ],
    ),
    ("repository", &[]),
    ("cli", &["base", "repository", "session"]),
    ("testkit", &["base", "lts", "omega"]),
];

/// The crates that may read files, the environment and the clock, and print.
const OUTSIDE: &[&str] = &["cli", "repository", "testkit"];

/// What the other crates must not contain.
const EFFECTS: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "Instant::now",
    "SystemTime",
    "println!",
    "eprintln!",
    "static mut",
    "thread_local!",
    "std::io::stdin",
    "std::io::stdout",
];

/// What no source file contains.
const BANNED: &[&str] = &["to\u{64}o!(", "unimp\u{6c}emented!(", "#[ig\u{6e}ore", "FIX\u{4d}E", "db\u{67}!("];

/// No file is longer than this.
const MAX_LINES: usize = 800;

pub(crate) fn run(root: &Path) -> Result<()> {
    let mut problems = Vec::new();
    let sources = files(root)?;
    check_layers(root, &mut problems)?;
    check_architecture(root, &mut problems)?;
    // Seeds of the fuzzers are as odd as they need to be.
    let mut code = Vec::new();
    for path in sources.iter().filter(|path| !path.starts_with("fuzz/seeds")) {
        let Ok(text) = std::fs::read_to_string(root.join(path)) else { continue };
        check_text(path, &text, &mut problems);
        if path.extension().is_some_and(|extension| extension == "rs") {
            check_source(path, &text, &mut problems);
            code.push((path.display().to_string(), text));
        }
    }
    code.retain(|(name, _)| name.starts_with("crates"));
    crate::book::check(root, &code, &mut problems)?;
    for problem in &problems {
        println!("tidy: {problem}");
    }
    ensure!(problems.is_empty(), "{} problems", problems.len());
    println!("tidy: {} files are in order", sources.len());
    Ok(())
}

/// The files under version control, and those that are about to be.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git does not start")?;
    ensure!(output.status.success(), "git ls-files failed");
    let list = String::from_utf8(output.stdout).context("a path is not UTF-8")?;
    Ok(list.lines().map(PathBuf::from).filter(|path| root.join(path).is_file()).collect())
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    description: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

fn crate_name(package: &str) -> Option<&str> {
    if package == "rely" { Some("cli") } else { package.strip_prefix("rely-") }
}

fn check_layers(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let layers: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    for package in &metadata.packages {
        let Some(name) = crate_name(&package.name) else { continue };
        let Some(allowed) = layers.get(name) else {
            problems.push(format!("crate {name} has no place among the layers of xtask/src/tidy.rs"));
            continue;
        };
        if package.description.is_none() {
            problems.push(format!("crate {name} has no description"));
        }
        for dependency in package.dependencies.iter().filter(|dependency| dependency.kind.is_none()) {
            if let Some(used) = crate_name(&dependency.name)
                && !allowed.contains(&used)
            {
                problems.push(format!("crate {name} must not use crate {used}"));
            }
        }
    }
    Ok(())
}

/// Every crate has its paragraph in ARCHITECTURE.md, and every path named there exists.
fn check_architecture(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    for entry in std::fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !text.contains(&format!("`crates/{name}`")) {
            problems.push(format!("ARCHITECTURE.md says nothing about crates/{name}"));
        }
    }
    for word in text.split('`').skip(1).step_by(2) {
        let is_path = word.contains('/') && !word.contains(|c: char| c.is_whitespace() || "<*{".contains(c));
        if is_path && !root.join(word).exists() {
            problems.push(format!("ARCHITECTURE.md names {word}, which does not exist"));
        }
    }
    Ok(())
}

fn check_text(path: &Path, text: &str, problems: &mut Vec<String>) {
    let name = path.display();
    for (i, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t']) && path.extension().is_none_or(|extension| extension != "svg") {
            problems.push(format!("{name}:{}: blanks at the end of the line", i + 1));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(format!("{name}: no newline at the end"));
    }
}

fn check_source(path: &Path, text: &str, problems: &mut Vec<String>) {
    let name = path.display();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    if path.starts_with("xtask") {
        return;
    }
    for word in BANNED {
        if text.contains(word) {
            problems.push(format!("{name}: contains {word}"));
        }
    }
    if !text.starts_with("//!") && !text.starts_with("#!") {
        problems.push(format!("{name}: does not say at its head what it is about"));
    }
    let outside = OUTSIDE.iter().any(|outside| path.starts_with(format!("crates/{outside}")));
    let library = path.starts_with("crates") && path.components().any(|part| part.as_os_str() == "src");
    if library && !outside {
        // Tests may print and read what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for effect in EFFECTS.iter().filter(|_| !name.to_string().ends_with("tests.rs")) {
            if code.contains(effect) {
                problems.push(format!("{name}: {effect} has no place in a library"));
            }
        }
    }
}
