//! `cargo xtask corpus FOLDER`: compares with the answers that LTSA gave on real FSP files.
//!
//! The folder holds `models/` and `ltsa-answers.json`, which says for each file and target what LTSA found. For every
//! composite and for DEFAULT we compare the size of the product, the size after minimisation, the verdicts on deadlock
//! and safety with the length of the shortest trace, progress, and the assertions.
//!
//! A difference is explained when a rule of the book says that we deviate there on purpose; each rule is a predicate on
//! the model, never on the name of a file. Any other difference fails the command.
//!
//! Composites with something to prove are asked once more by every strategy of `verify`, with certificates. Models that
//! come as a system and a property are also asked for their assumptions. Those that can fail are asked for progress beside
//! safety, which must not take much more than safety alone.

pub(crate) mod answers;
mod assumptions;
mod compare;
pub(crate) mod effort;
mod rules;
mod strategies;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use self::answers::{Answers, FileAnswer};
use self::compare::{Comparison, Outcome};
use self::effort::Efforts;
use self::strategies::Examined;

/// A single question gets no more time than this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (folder, only) = match arguments {
        [folder] => (Path::new(folder), ""),
        [folder, only] => (Path::new(folder), *only),
        _ => bail!("usage: cargo xtask corpus FOLDER [PART-OF-A-PATH]"),
    };
    let start = Instant::now();
    let text = std::fs::read_to_string(folder.join("ltsa-answers.json")).context("ltsa-answers.json")?;
    let answers: Answers = serde_json::from_str(&text).context("ltsa-answers.json")?;
    let files: Vec<_> = answers.files.iter().filter(|(path, _)| path.contains(only)).collect();
    let mut comparisons: Vec<Comparison> =
        of_each(&files, |(path, expected)| compare::file(&folder.join("models").join(path), path, expected))
            .into_iter()
            .flatten()
            .collect();
    comparisons.sort_by(|a, b| (&a.path, &a.target, &a.question).cmp(&(&b.path, &b.target, &b.question)));
    print(&comparisons);
    println!("{} files in {:.1} s", files.len(), start.elapsed().as_secs_f64());
    let mut efforts = Efforts::default();
    for found in of_each(&files, |(path, expected)| {
        effort::file(&folder.join("models").join(path), path, expected, effort::RUNS)
    }) {
        efforts.add(found);
    }
    print!("{efforts}");
    let examined = by_every_strategy(folder, &files);
    assumptions::run(&folder.join("models"))?;
    let different = comparisons.iter().filter(|comparison| comparison.outcome.is_failure()).count();
    ensure!(different == 0, "{different} differences without an explanation");
    efforts.judge()?;
    examined.judge()
}

/// Examines all composites by every strategy of `verify`, and prints how each did.
fn by_every_strategy(folder: &Path, files: &[(&String, &FileAnswer)]) -> Examined {
    let start = Instant::now();
    let mut examined = Examined::default();
    for found in
        of_each(files, |(path, expected)| strategies::file(&folder.join("models").join(path), path, expected))
    {
        examined.add(found);
    }
    print!("{examined}");
    println!("strategies in {:.1} s", start.elapsed().as_secs_f64());
    examined
}

/// What is found in each file, in any order, on all cores.
fn of_each<'a, T: Send>(
    files: &[(&'a String, &'a FileAnswer)],
    examine: impl Fn((&'a String, &'a FileAnswer)) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let work = || {
                while let Some(&file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = examine(file);
                    all.lock().unwrap_or_else(PoisonError::into_inner).push(found);
                }
            };
            let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            worker.expect("a thread can be started");
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn print(comparisons: &[Comparison]) {
    for comparison in comparisons {
        if let Some(remark) = comparison.outcome.remark() {
            println!("{} {} {}: {remark}", comparison.path, comparison.target, comparison.question);
        }
    }
    let mut table: BTreeMap<&str, [usize; 6]> = BTreeMap::new();
    for comparison in comparisons {
        table.entry(comparison.question.split(' ').next().unwrap_or_default()).or_default()
            [comparison.outcome.column()] += 1;
    }
    println!(
        "{:<10}{:>8}{:>11}{:>11}{:>12}{:>11}{:>9}",
        "question", "agree", "explained", "different", "unanswered", "only ours", "neither"
    );
    for (question, [agree, explained, different, unanswered, beyond, neither]) in table {
        println!(
            "{question:<10}{agree:>8}{explained:>11}{different:>11}{unanswered:>12}{beyond:>11}{neither:>9}"
        );
    }
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for comparison in comparisons {
        if let Outcome::Explained(rule, _) = &comparison.outcome {
            *rules.entry(rule).or_default() += 1;
        }
    }
    for (rule, count) in rules {
        println!("explained by «{rule}»: {count}");
    }
}
