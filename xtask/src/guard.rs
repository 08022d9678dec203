//! `cargo xtask guard [--update]`: how many instructions rely executes on fixed inputs, against what is written down.
//!
//! Times depend on the machine and on what else it does; the number of instructions hardly does. It is counted by
//! valgrind's callgrind, for the program that users run, on one job for each of the things that they wait for: searches,
//! formulas, assumptions, proofs from parts, certificates, reductions, each of the languages, and the start of the program
//! alone. A job may execute a few instructions in a hundred more than written down: a change of algorithm is meant to be
//! seen, another linker is not. `--update` writes the counts down, to be looked at and committed with the change that
//! explains them. Without valgrind nothing would be compared, so that is a failure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::bench::build;
use crate::bench::networks::{Instance, System};
use crate::packages::is_installed;

/// How many more instructions a job may execute than written down, in hundredths of what is written down.
const TOLERANCE: u64 = 3;

/// Where the counts are written down, a name and a number in each line.
const FILE: &str = "xtask/src/guard.txt";

/// Something that rely is asked to do.
struct Job {
    name: &'static str,
    input: Input,
    /// The arguments before the input and after it.
    arguments: (&'static [&'static str], &'static [&'static str]),
    /// Whether the job is to judge a certificate, which is written first by `check` for the composite `RING`.
    judges: bool,
}

/// What a job is about.
enum Input {
    Nothing,
    /// A network of some size, as the composite `SYS`.
    Network(System, usize),
    /// A file of the folder `models`.
    Model(&'static str),
}

const fn job(
    name: &'static str,
    input: Input,
    before: &'static [&'static str],
    after: &'static [&'static str],
) -> Job {
    Job { name, input, arguments: (before, after), judges: false }
}

const JOBS: [Job; 11] = [
    job("start", Input::Nothing, &["--version"], &[]),
    job("count", Input::Network(System::Philosophers, 6), &["compose"], &["--target", "SYS"]),
    job("check", Input::Network(System::Ring, 10), &["check", "--no-reduction"], &["--target", "SYS"]),
    job(
        "minimise",
        Input::Network(System::Philosophers, 5),
        &["minimise", "--equivalence", "strong"],
        &["--target", "SYS"],
    ),
    job(
        "ltl",
        Input::Model("token-ring.lts"),
        &["check", "--only", "CIRCULATES"],
        &["--target", "RING", "--define", "N=10"],
    ),
    job(
        "verify",
        Input::Model("gas-station.lts"),
        &["verify", "--system", "SYSTEM", "--property", "A2_1_ONE_AT_PUMP1", "--rule", "chain"],
        &["--no-cache"],
    ),
    job(
        "assume",
        Input::Model("client-server.lts"),
        &["assume", "--component", "SERVER", "--property", "ALONE", "--method", "learn"],
        &["--define", "N=4"],
    ),
    Job {
        judges: true,
        ..job("certify", Input::Model("token-ring.lts"), &["certify"], &["--define", "N=6"])
    },
    job("tasks", Input::Model("chiron_single.adb"), &["check"], &[]),
    job("reactive", Input::Model("lift.srs"), &["check"], &[]),
    job("messages", Input::Model("retry.aim"), &["check"], &[]),
];

pub(crate) fn run(root: &Path, update: bool) -> Result<()> {
    let is_there = is_installed("valgrind", "--version", "valgrind");
    ensure!(is_there, "valgrind is not installed, so instructions cannot be counted");
    let known = read(&root.join(FILE))?;
    let rely = build(root)?;
    let folder = std::env::temp_dir().join(format!("rely-guard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the networks")?;
    let counted = |job: &Job| Ok((job.name, count(&rely, root, &folder, job).context(job.name)?));
    let counts: Result<BTreeMap<&str, u64>> = JOBS.iter().map(counted).collect();
    std::fs::remove_dir_all(&folder).context("the folder of the networks")?;
    let counts = counts?;
    if update {
        let lines: String = counts.iter().map(|(name, count)| format!("{name} {count}\n")).collect();
        return std::fs::write(root.join(FILE), lines).context(FILE);
    }
    compare(&known, &counts)
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

/// Counts the instructions that a job takes.
fn count(rely: &Path, root: &Path, folder: &Path, job: &Job) -> Result<u64> {
    let model = match job.input {
        Input::Nothing => None,
        Input::Network(system, size) => {
            let model = folder.join("model.lts");
            std::fs::write(&model, Instance { system, size, states: 0, transitions: 0 }.fsp())?;
            Some(model)
        }
        Input::Model(name) => Some(root.join("models").join(name)),
    };
    let (before, after) = job.arguments;
    let certificate: Option<PathBuf> = job.judges.then(|| folder.join("certificate"));
    if let Some(certificate) = &certificate {
        let mut check = Command::new(rely);
        check
            .arg("check")
            .args(&model)
            .args(["--target", "RING"])
            .args(after)
            .arg("--certificate")
            .arg(certificate);
        let output = check.output().context("rely does not start")?;
        ensure!(output.status.success(), "no certificate: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(rely);
    valgrind.args(before).args(&certificate).args(&model).args(after);
    if model.is_some() {
        valgrind.args(["--jobs", "1"]);
    }
    let output = valgrind.output().context("valgrind does not start")?;
    let report = String::from_utf8_lossy(&output.stderr);
    // Exit status 1 is that something is violated, which is an answer.
    ensure!(matches!(output.status.code(), Some(0 | 1)), "no answer: {report}");
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
