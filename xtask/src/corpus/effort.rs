//! How much it takes to ask for progress as well, where an error is near.
//!
//! Whoever has an error to mend does not want to wait for what is known about progress beside it. So asking for safety and
//! progress must not take more than twice the time of asking for safety alone, on every target that can fail. Transitions are
//! counted, and have to keep to that, but for a constant that is a fraction of a millisecond. Times are the best of a few runs, and
//! only printed: they depend on what else the machine does.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rely_base::Budget;
use rely_session::report::{CheckResult, Kind, Verdict};
use rely_session::{CheckQuery, Project};

use super::answers::FileAnswer;
use super::compare::project;

/// The transitions that are looked at for progress however near the error is.
const CONSTANT: usize = 6_000;

/// How often each question is asked while the corpus is compared.
pub(crate) const RUNS: usize = 3;

/// What one target that can fail took.
pub(crate) struct Effort {
    pub(crate) target: String,
    /// Transitions explored for safety alone, and for progress beside it.
    transitions: (usize, usize),
    /// The time for safety alone, and with progress.
    pub(crate) times: (Duration, Duration),
}

/// The targets of a file that can fail.
pub(crate) fn file(path: &Path, name: &str, expected: &FileAnswer, runs: usize) -> Vec<Effort> {
    let Ok(project) = project(path, name) else { return Vec::new() };
    let composites = expected.targets.values().filter(|target| target.kind != "process");
    composites
        .filter_map(|target| effort(&project, &format!("{name} {}", target.target), &target.target, runs))
        .collect()
}

/// What one target took, if it can fail: each question is asked `runs` times, and the quickest run counts.
pub(crate) fn effort(project: &Project, shown: &str, target: &str, runs: usize) -> Option<Effort> {
    let (alone, safety) = ask(project, target, &["safety"], runs)?;
    let violated = |result: &&CheckResult| result.kind == Kind::Safety && result.verdict == Verdict::Violated;
    let safety = safety.iter().find(violated)?;
    let (both, results) = ask(project, target, &["safety", "progress"], runs)?;
    let progress = results.iter().filter(|result| result.kind == Kind::Progress);
    Some(Effort {
        target: shown.to_owned(),
        transitions: (safety.transitions, progress.map(|result| result.transitions).max()?),
        times: (alone, both),
    })
}

/// The answers to a question about a target, and the time that it took at least.
fn ask(project: &Project, target: &str, only: &[&str], runs: usize) -> Option<(Duration, Vec<CheckResult>)> {
    let only = only.iter().map(|&word| word.to_owned()).collect();
    let query = CheckQuery { targets: vec![target.to_owned()], only, ..CheckQuery::default() };
    let mut best: Option<(Duration, Vec<CheckResult>)> = None;
    for _ in 0..runs {
        let start = Instant::now();
        let report = rely_session::check(project, &query, Budget::UNLIMITED).ok()?;
        let time = start.elapsed();
        best = best.into_iter().chain([(time, report.results)]).min_by_key(|(time, _)| *time);
    }
    best
}

/// All targets that can fail.
#[derive(Default)]
pub(crate) struct Efforts(Vec<Effort>);

impl Efforts {
    pub(crate) fn add(&mut self, found: Vec<Effort>) {
        self.0.extend(found);
    }

    /// Fails where progress took more transitions than safety and the constant.
    pub(crate) fn judge(&self) -> Result<()> {
        for Effort { target, transitions: (safety, progress), .. } in &self.0 {
            ensure!(
                *progress <= safety + CONSTANT,
                "{target}: {progress} transitions for progress beside an error, {safety} for safety"
            );
        }
        Ok(())
    }
}

impl fmt::Display for Efforts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "progress beside an error: {} targets", self.0.len())?;
        let extra = |effort: &Effort| effort.times.1.saturating_sub(effort.times.0 * 2);
        let worst = self.0.iter().max_by_key(|effort| extra(effort));
        if let Some(worst @ Effort { target, times: (alone, both), .. }) = worst {
            let extra = extra(worst);
            writeln!(
                f,
                "twice the time of safety alone was exceeded by {extra:.1?} at most ({target}: {both:.1?}, {alone:.1?} alone)"
            )?;
        }
        Ok(())
    }
}
