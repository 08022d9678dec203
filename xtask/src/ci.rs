//! `cargo xtask ci`: everything that has to be green, cheapest first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

pub(crate) fn run(root: &Path, corpus: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    step("tidy", || crate::tidy::run(root))?;
    cargo(root, &["fmt", "--all", "--", "--check"], &[])?;
    tool(root, "cargo", &["deny", "--log-level", "error", "check", "licenses", "bans", "sources"])?;
    cargo(root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    cargo(root, &["test", "--workspace", "--quiet"], &[])?;
    for example in examples(root)? {
        cargo(root, &["run", "--package", "rely", "--quiet", "--example", &example], &[])?;
    }
    step("studies", || crate::studies::run(root, false))?;
    step("wasm", || crate::wasm::run(root))?;
    step("guard", || crate::guard::run(root, false))?;
    cargo(root, &["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    let book = std::env::temp_dir().join(format!("rely-book-{}", std::process::id()));
    let folder = book.to_str().context("the path for temporary files is not UTF-8")?;
    tool(root, "mdbook", &["build", "docs/book", "--dest-dir", folder])?;
    // Where mdbook is not installed there is nothing to remove.
    let _ = std::fs::remove_dir_all(&book);
    if let Some(corpus) = corpus {
        let corpus = corpus.to_str().context("the path of the corpus is not UTF-8")?;
        // The guard has built it.
        let xtask = crate::bench::build(root)?.with_file_name("xtask");
        let released = |arguments: &[&str]| {
            step(&arguments.join(" "), || execute(Command::new(&xtask).args(arguments).current_dir(root)))
        };
        released(&["corpus", corpus])?;
        released(&["misspell", &format!("{corpus}/models"), "models"])?;
    }
    println!("ci: everything is green after {} s", start.elapsed().as_secs());
    Ok(())
}

/// The examples of the library, by name.
fn examples(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join("crates/rely/examples")).context("the examples")? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

fn step(name: &str, action: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("ci: {name}");
    action().with_context(|| name.to_owned())
}

fn cargo(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    step(&format!("cargo {}", arguments.join(" ")), || {
        execute(
            Command::new(env!("CARGO")).args(arguments).envs(environment.iter().copied()).current_dir(root),
        )
    })
}

/// Runs a tool that is not part of the toolchain, where it is installed.
fn tool(root: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    let command = format!("{program} {}", arguments.join(" "));
    let version = match program {
        "cargo" => vec![arguments[0], "--version"],
        _ => vec!["--version"],
    };
    let installed = Command::new(program).args(version).output().is_ok_and(|output| output.status.success());
    if !installed {
        println!("ci: {command}: not installed, so this is not checked");
        return Ok(());
    }
    step(&command, || execute(Command::new(program).args(arguments).current_dir(root)))
}

fn execute(command: &mut Command) -> Result<()> {
    let status = command.status().context("it does not start")?;
    ensure!(status.success(), "failed");
    Ok(())
}
