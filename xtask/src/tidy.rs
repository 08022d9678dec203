//! `cargo xtask tidy`: the rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can check.
//!
//! Rules about crates are in `layers.rs`, those about source files in `source.rs`, those about the map of the code in
//! `architecture.rs`, and those about the book in `crate::book`. Each has tests that break it.

mod architecture;
mod layers;
mod source;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

pub(crate) fn run(root: &Path) -> Result<()> {
    let sources = files(root)?;
    let mut problems = layers::check(root)?;
    problems.extend(architecture::check(root)?);
    // Seeds of the fuzzers are as odd as they need to be.
    let mut code = Vec::new();
    for path in sources.iter().filter(|path| !path.starts_with("fuzz/seeds")) {
        let Ok(text) = std::fs::read_to_string(root.join(path)) else { continue };
        problems.extend(source::check_text(path, &text));
        if path.extension().is_some_and(|extension| extension == "rs") {
            problems.extend(source::check_source(path, &text));
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
