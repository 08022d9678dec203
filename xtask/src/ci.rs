//! `cargo xtask ci`: everything that has to be green, cheapest first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

pub(crate) fn run(root: &Path, corpus: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    step("tidy", || crate::tidy::run(root))?;
    cargo(root, &["fmt", "--all", "--", "--check"], &[])?;
    cargo(root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    cargo(root, &["test", "--workspace", "--quiet"], &[])?;
    step("guard", || crate::guard::run(root, false))?;
    cargo(root, &["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    if let Some(corpus) = corpus {
        let corpus = corpus.to_str().context("the path of the corpus is not UTF-8")?;
        cargo(root, &["run", "--release", "--quiet", "--package", "xtask", "--", "corpus", corpus], &[])?;
    }
    println!("ci: everything is green after {} s", start.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, action: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("ci: {name}");
    action().with_context(|| name.to_owned())
}

fn cargo(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    step(&format!("cargo {}", arguments.join(" ")), || {
        let status = Command::new(env!("CARGO"))
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(root)
            .status()
            .context("cargo does not start")?;
        ensure!(status.success(), "failed");
        Ok(())
    })
}
