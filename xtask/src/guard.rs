//! `cargo xtask guard [--update]`: how many instructions rely executes on fixed inputs, against what is written down.
//!
//! Times depend on the machine and on what else it does; the number of instructions hardly does. It is counted by
//! valgrind's callgrind, for the program that the tests have built, and may be larger than what is written down by
//! some parts in a hundred: a change of algorithm is meant to be seen, another linker is not. The inputs are so large that
//! the start of the program, which grows with its options, is a small part of it. `--update` writes it down, to be looked
//! at and committed with the change that explains it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::bench::networks::{Instance, System};

/// So much more, in hundredths, is let pass.
const TOLERANCE: u64 = 15;

/// Where the numbers are written down, a name and a number in each line.
const FILE: &str = "xtask/src/guard.txt";

/// What is run: a name, a network, and the arguments before and after it.
const JOBS: [(&str, System, usize, &[&str]); 4] = [
    ("count-philosophers", System::Philosophers, 6, &["compose"]),
    ("count-milner", System::Milner, 11, &["compose"]),
    ("check-ring", System::Ring, 10, &["check", "--no-reduction"]),
    ("minimise-philosophers", System::Philosophers, 5, &["minimise", "--equivalence", "strong"]),
];

pub(crate) fn run(root: &Path, update: bool) -> Result<()> {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("guard: valgrind is not installed, so instructions are not counted");
        return Ok(());
    }
    let known = read(&root.join(FILE))?;
    let folder = std::env::temp_dir().join(format!("rely-guard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the networks")?;
    let counts: Result<BTreeMap<&str, u64>> = JOBS
        .iter()
        .map(|&(name, system, size, arguments)| {
            Ok((name, count(&program(root)?, &folder, system, size, arguments)?))
        })
        .collect();
    std::fs::remove_dir_all(&folder).context("the folder of the networks")?;
    let counts = counts?;
    if update {
        let lines: String = counts.iter().map(|(name, count)| format!("{name} {count}\n")).collect();
        return std::fs::write(root.join(FILE), lines).context(FILE);
    }
    compare(&known, &counts)
}

/// The program that the tests have built.
fn program(root: &Path) -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = root.join(target).join("debug").join("rely");
    ensure!(program.is_file(), "{} is missing: run the tests first", program.display());
    Ok(program)
}

fn read(path: &Path) -> Result<BTreeMap<String, u64>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines()
        .map(|line| {
            let (name, count) = line.split_once(' ').context("a line has a name and a number")?;
            Ok((name.to_owned(), count.parse().context("a number of instructions")?))
        })
        .collect()
}

/// Counts the instructions of one run.
fn count(program: &Path, folder: &Path, system: System, size: usize, arguments: &[&str]) -> Result<u64> {
    let model = folder.join("model.lts");
    std::fs::write(&model, Instance { system, size, states: 0, transitions: 0 }.fsp())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .arg(&model)
        .args(["--target", "SYS", "--jobs", "1"])
        .output()
        .context("valgrind does not start")?;
    let report = String::from_utf8_lossy(&output.stderr);
    let line = report.lines().find_map(|line| line.split_once("Collected :")).map(|(_, count)| count.trim());
    line.and_then(|count| count.parse().ok()).with_context(|| format!("unexpected output: {report}"))
}

fn compare(known: &BTreeMap<String, u64>, counts: &BTreeMap<&str, u64>) -> Result<()> {
    let mut worse = Vec::new();
    for (&name, &count) in counts {
        let known = *known.get(name).with_context(|| format!("{FILE} says nothing about {name}"))?;
        let percent = 100.0 * count as f64 / known as f64 - 100.0;
        println!("guard: {name}: {count} instructions, {percent:+.1} % of {known}");
        if count > known + known / 100 * TOLERANCE {
            worse.push(name);
        }
    }
    ensure!(
        worse.is_empty(),
        "more instructions than before: {}; if there is a reason, `cargo xtask guard --update`",
        worse.join(", ")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_instructions_are_noticed() {
        let known = BTreeMap::from([("job".to_owned(), 1000)]);
        assert!(compare(&known, &BTreeMap::from([("job", 1000 + 10 * TOLERANCE)])).is_ok());
        assert!(compare(&known, &BTreeMap::from([("job", 1001 + 10 * TOLERANCE)])).is_err());
        assert!(compare(&known, &BTreeMap::from([("job", 10)])).is_ok());
        assert!(compare(&known, &BTreeMap::from([("other", 1)])).is_err());
    }
}
