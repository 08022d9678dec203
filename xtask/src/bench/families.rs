//! `cargo xtask bench families [--program PROGRAM] [--instructions] [NAME…]`, or `--draw`: scalable systems at three sizes, by each of the ways to an
//! answer that needs no split.
//!
//! The families of `models/families` and the five systems of the study (`families/subjects.rs`) are asked for all of their properties by
//! each strategy of [`STRATEGIES`], each in a process of its own, on one thread, with the same limits. What was measured is
//! written to `xtask/src/bench/families.txt`, a line for each run ([`points`]), and summed up for the book from there
//! ([`tables`]), once more with `--draw`; a test compares the table with the numbers. Some names measure these again only, and
//! keep the other lines.
//!
//! Part of the families are set aside by a hash of their names: nobody looks at them while settings are chosen, and they are
//! summed up apart. Times are those of the processor. `--instructions` counts instructions instead wherever the product took
//! less than half a second, with valgrind: that takes fifty times as long, and does not depend on the load of the machine.
//!
//! A verdict that differs between strategies, or from what the model says of itself, is a failure.

mod points;
pub(super) mod subjects;
mod tables;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use self::points::{Point, known, written};
use self::subjects::{Subject, subjects};
use super::build;
use super::measure::measured_with;

/// The strategies that are compared; the first one is what the others are compared with.
const STRATEGIES: [&str; 4] = ["monolithic", "auto", "localise", "reduce"];

/// The limits of each run: counted in states, so that a busy machine gives the same answers.
const LIMITS: [&str; 8] =
    ["--max-states", "200000", "--max-memory", "2G", "--timeout", "300s", "--jobs", "1"];

/// Instructions are counted where the product takes at most this number of seconds.
const QUICK: f64 = 0.5;

/// Where the numbers are written down.
const FILE: &str = "xtask/src/bench/families.txt";

/// The table of the book.
const TABLE: &str = "docs/book/src/measured/families.md";

pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    if arguments == ["--draw"] {
        return draw(root);
    }
    let (rely, arguments) = match arguments {
        ["--program", program, rest @ ..] => (Path::new(program).to_owned(), rest),
        rest => (build(root)?, rest),
    };
    let counts = arguments.first() == Some(&"--instructions");
    let names = &arguments[usize::from(counts)..];
    let folder = std::env::temp_dir().join(format!("rely-families-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the outputs")?;
    let done = subjects(root, &folder).and_then(|subjects| {
        let chosen = |subject: &&Subject| names.is_empty() || names.contains(&&*subject.family);
        let chosen: Vec<&Subject> = subjects.iter().filter(chosen).collect();
        ensure!(!chosen.is_empty(), "no family has one of these names");
        let mut points = known(root).unwrap_or_default();
        points.retain(|point| !chosen.iter().any(|subject| subject.family == point.family));
        for subject in chosen {
            points.extend(measure(subject, &rely, &folder, counts)?);
            std::fs::write(root.join(FILE), written(&mut points)).context(FILE)?;
        }
        draw(root)
    });
    std::fs::remove_dir_all(&folder).context("the folder of the outputs")?;
    done
}

/// Writes the table of the book from what was measured last, and prints it.
fn draw(root: &Path) -> Result<()> {
    let table = tables::table(&known(root)?);
    println!("{table}");
    std::fs::write(root.join(TABLE), table).context(TABLE)
}

/// All runs about a property, from the smallest size on. A strategy that met a limit is not asked about larger sizes.
fn measure(subject: &Subject, rely: &Path, folder: &Path, counts: bool) -> Result<Vec<Point>> {
    let mut points: Vec<Point> = Vec::new();
    let mut given_up = [false; STRATEGIES.len()];
    for &size in &subject.sizes {
        let first = points.len();
        for (strategy, given_up) in STRATEGIES.into_iter().zip(&mut given_up) {
            if *given_up {
                continue;
            }
            let mut point = answer(subject, size, strategy, rely, folder)
                .with_context(|| format!("{} {} {size} {strategy}", subject.family, subject.property))?;
            *given_up = point.verdict == "unknown";
            let is_quick = points.get(first).unwrap_or(&point).seconds < QUICK;
            if counts && is_quick && !*given_up {
                point.instructions = Some(instructions(subject, size, strategy, rely)?);
            }
            println!("{point}");
            points.push(point);
        }
    }
    let mut verdicts = points.iter().map(|point| &*point.verdict).filter(|&verdict| verdict != "unknown");
    ensure!(
        verdicts.all(|verdict| subject.expected.as_deref().is_none_or(|expected| expected == verdict)),
        "{} {}: a strategy is wrong, or the model: {points:?}",
        subject.family,
        subject.property
    );
    Ok(points)
}

fn command(program: &Path, subject: &Subject, size: usize, strategy: &str) -> Command {
    let mut command = Command::new(program);
    command.arg("verify").arg(&subject.model).args(["--system", "SYSTEM", "--property", &subject.property]);
    command.args(["--define", &format!("N={size}"), "--strategy", strategy, "--no-cache"]);
    command.args(LIMITS);
    command
}

fn answer(subject: &Subject, size: usize, strategy: &str, rely: &Path, folder: &Path) -> Result<Point> {
    let mut command = command(rely, subject, size, strategy);
    command.arg("--json");
    // Exit status 1 is that it is violated, 4 that a limit was met.
    let (sample, output) = measured_with(&command, folder, &[0, 1, 4])?;
    let report: Value = serde_json::from_str(&output).context("the report")?;
    let result = report.pointer("/results/0").context("a result")?;
    let word = |name: &str| result.get(name).and_then(Value::as_str).context("a word").map(str::to_owned);
    let states = result.get("peak_states").and_then(Value::as_u64).context("a number of states")?;
    Ok(Point {
        family: subject.family.clone(),
        property: subject.property.clone(),
        size,
        strategy: strategy.to_owned(),
        verdict: word("verdict")?,
        decided_by: word("strategy")?,
        states,
        seconds: sample.seconds,
        megabytes: sample.megabytes,
        instructions: None,
        is_set_aside: subject.is_set_aside,
    })
}

/// How many millions of instructions a run takes.
fn instructions(subject: &Subject, size: usize, strategy: &str, rely: &Path) -> Result<f64> {
    let run = command(rely, subject, size, strategy);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(rely).args(run.get_args());
    // The clock of the run is the one on the wall, and valgrind is slow.
    valgrind.args(["--timeout", "300s"]);
    let output = valgrind.output().context("valgrind does not start")?;
    let report = String::from_utf8_lossy(&output.stderr);
    let line = report.lines().find_map(|line| line.split_once("Collected :")).map(|(_, count)| count.trim());
    let count = line.and_then(|count| count.parse::<f64>().ok());
    Ok(count.with_context(|| format!("unexpected output: {report}"))? / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_the_book_shows_what_was_measured() {
        let root = crate::root();
        let points = known(&root).unwrap();
        let kept = std::fs::read_to_string(root.join(TABLE)).unwrap();
        assert_eq!(kept, tables::table(&points), "`cargo xtask bench families --draw` writes it");
    }

    #[test]
    fn families_have_sizes_and_say_what_they_expect() {
        let root = crate::root();
        let subjects = subjects::families(&root).unwrap();
        let names: std::collections::BTreeSet<&str> =
            subjects.iter().map(|subject| &*subject.family).collect();
        assert!(names.len() >= 25, "{names:?}");
        for subject in &subjects {
            let at = format!("{} {}", subject.family, subject.property);
            assert!(subject.expected.is_some(), "{at}: no expectation");
            assert_eq!(subject.sizes.len(), 3, "{at}: sizes");
            assert!(subject.sizes.is_sorted(), "{at}: sizes");
        }
    }
}
