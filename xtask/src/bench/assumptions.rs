//! `cargo xtask bench learners`: how much each learner asks about the assumptions of our own models.
//!
//! Every property that holds of the families and of the five systems, at two small sizes, is proved by the rule `simple` with a
//! learned assumption. The first learner has the split that rely chooses, and the others the same. Words and conjectures are
//! exact; times are those of the processor, of the whole command. What needs no word, since nothing is assumed, is left out.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::build;
use super::families::subjects::{Subject, subjects};
use super::measure::measured_with;

/// The learners by their names on the command line; the first one chooses the split.
const LEARNERS: [&str; 4] = ["tree", "adaptive", "lstar", "lsharp"];

/// What one learner needed.
struct Run {
    verdict: String,
    left: Vec<String>,
    words: f64,
    conjectures: f64,
    seconds: f64,
}

/// Sums over all assumptions.
#[derive(Default)]
struct Sum {
    words: f64,
    conjectures: f64,
    seconds: f64,
    /// Of the logarithms of the words, beside the fewest of all learners.
    share: f64,
    /// How often nobody asked fewer.
    fewest: usize,
    unknown: usize,
}

/// With the program that users run, or with another one.
pub(super) fn run(root: &Path, program: Option<&Path>) -> Result<()> {
    let rely = match program {
        Some(program) => program.to_owned(),
        None => build(root)?,
    };
    let folder = std::env::temp_dir().join(format!("rely-learners-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the outputs")?;
    let done = subjects(root, &folder).and_then(|subjects| compare(&subjects, &rely, &folder));
    std::fs::remove_dir_all(&folder).context("the folder of the outputs")?;
    done
}

fn compare(subjects: &[Subject], rely: &Path, folder: &Path) -> Result<()> {
    println!("| assumption | {} |", LEARNERS.join(" | "));
    println!("|---|{}", "--:|".repeat(LEARNERS.len()));
    let mut sums: [Sum; LEARNERS.len()] = Default::default();
    let mut count = 0;
    for subject in subjects.iter().filter(|subject| subject.expected.as_deref() == Some("holds")) {
        for size in subject.small() {
            let mut runs: Vec<Run> = Vec::new();
            for learner in LEARNERS {
                let left = runs.first().map(|run| run.left.clone()).unwrap_or_default();
                runs.push(learned(subject, size, (learner, &left), rely, folder)?);
            }
            let is_learned = runs[0].verdict == "holds" && runs[0].words > 0.0;
            if !is_learned {
                continue;
            }
            count += 1;
            let known = || runs.iter().filter(|run| run.verdict == "holds");
            let least = known().map(|run| run.words).fold(f64::MAX, f64::min).max(1.0);
            for (sum, run) in sums.iter_mut().zip(&runs) {
                sum.words += run.words;
                sum.conjectures += run.conjectures;
                sum.seconds += run.seconds;
                sum.share += (run.words.max(1.0) / least).ln();
                sum.fewest += usize::from(run.verdict == "holds" && run.words <= least);
                sum.unknown += usize::from(run.verdict != "holds");
            }
            let cells: Vec<String> = runs
                .iter()
                .map(|run| match run.verdict.as_str() {
                    "holds" => format!("{} ({})", run.words, run.conjectures),
                    _ => format!("more than {}", run.words),
                })
                .collect();
            println!("| {} {} {size} | {} |", subject.family, subject.property, cells.join(" | "));
        }
    }
    println!("\n{count} assumptions");
    println!("| learner | words | beside the fewest | fewest on | conjectures | CPU s | unknown |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (name, sum) in LEARNERS.iter().zip(&sums) {
        println!(
            "| {name} | {} | {:.2} | {} | {} | {:.1} | {} |",
            sum.words,
            (sum.share / f64::from(count.max(1))).exp(),
            sum.fewest,
            sum.conjectures,
            sum.seconds,
            sum.unknown
        );
    }
    Ok(())
}

fn learned(
    subject: &Subject,
    size: usize,
    (learner, left): (&str, &[String]),
    rely: &Path,
    folder: &Path,
) -> Result<Run> {
    let mut command = Command::new(rely);
    command.arg("verify").arg(&subject.model).args(["--system", "SYSTEM", "--property", &subject.property]);
    command.args(["--define", &format!("N={size}"), "--rule", "simple", "--learner", learner, "--no-cache"]);
    command.args(["--timeout", "20s", "--max-memory", "2G", "--jobs", "1", "--json"]);
    if !left.is_empty() {
        command.args(["--left", &left.join(",")]);
    }
    let (sample, output) = measured_with(&command, folder, &[0, 1, 4])?;
    let report: Value = serde_json::from_str(&output).context("the report")?;
    let result = report.pointer("/results/0").context("a result")?;
    let number = |name: &str| result.get(name).and_then(Value::as_f64).context("a number");
    let parts = result.get("left").and_then(Value::as_array).context("the parts of the first group")?;
    Ok(Run {
        verdict: result.get("verdict").and_then(Value::as_str).context("a verdict")?.to_owned(),
        left: parts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        words: number("queries")?,
        conjectures: number("conjectures")?,
        seconds: sample.seconds,
    })
}
