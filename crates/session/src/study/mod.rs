//! `study`: many runs of [`verify`], and what they show together.
//!
//! **Problem.** Whether composition pays is an empirical question [Cobleigh 2007, chapter 5]: the same properties of the
//! same systems, over sizes, strategies and splits. **Idea.** A study is a list of runs ([`Agenda`]); each run is plain
//! data, and so is its result, one line of text ([`StudyResult`]). A result that is there is not computed again, so a
//! study can be stopped and resumed, spread over many machines, and put together ([`Collection`]). From the results come
//! the tables and figures ([`documents`]), whoever computed them.
//!
//! **Invariants.** The order of runs and all documents depend on the results alone, but for times. Nothing here reads
//! files or clocks: the command line does.

mod agenda;
mod chart;
mod collection;
mod comparison;
mod figures;
mod reuse;
mod survey;
mod tables;

pub use agenda::{Agenda, Axes, Pace, Splits, StudySplit, StudySubject, has_rule};
pub use collection::{Collection, Contradiction};
pub use survey::{Survey, Task, survey, targets};
pub use tables::csv_field;

use rely_base::Budget;

use crate::report::{Finding, Reuse, StudyLimits, StudyResult, StudyRun, Verdict, VerifyResult};
use crate::{Algorithm, Certificate, Internal, Project, Rule, Strategy, Verified, VerifyQuery, verify};

/// The strategy that all others are compared with.
pub const BASELINE: &str = "monolithic";

/// What the name of a strategy means: those of [`Strategy`], and those of rules, which learn with that rule.
pub fn strategy_named(name: &str) -> Option<(Strategy, Rule)> {
    let learned = |rule| (Strategy::Learn, rule);
    Strategy::from_name(name)
        .map(|strategy| (strategy, Rule::Simple))
        .or_else(|| Rule::from_name(name).map(learned))
}

/// The names that [`strategy_named`] knows.
pub fn strategy_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Strategy::ALL.into_iter().map(Strategy::name).collect();
    names.extend(Rule::ALL.into_iter().map(Rule::name));
    names
}

/// What the text of a model is recognised by: FNV-1a with 64 bits, as hexadecimal digits. It tells versions of a file
/// apart and secures nothing.
pub fn digest(text: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// What became of a run.
pub enum Performed {
    /// There is a result, and perhaps a proof.
    Done(Box<StudyResult>, Certificate),
    /// The model has errors.
    Errors(Vec<Finding>),
}

/// Performs a run on its model, whose constants have the values of the run. The clock gives the microseconds since some
/// moment.
///
/// # Errors
/// A mistake in this program.
pub fn perform(
    project: &Project,
    run: &StudyRun,
    clock: &dyn Fn() -> u64,
    budget: Budget<'_>,
) -> Result<Performed, Internal> {
    let milliseconds = || clock() / 1000;
    let query = query(project, run, &milliseconds, budget)?;
    let started = clock();
    let Verified { report, certificate, .. } = verify(project, &query, budget)?;
    let time_ms = since(started, clock);
    if report.has_errors() {
        return Ok(Performed::Errors(report.diagnostics));
    }
    let result = StudyResult { time_ms, ..summed(run, &report.results) };
    Ok(Performed::Done(Box::new(result), certificate))
}

/// Checks the premises of a proof that a run has found once more, with its assumptions given. Nothing where there are
/// none, or where a limit was met.
///
/// # Errors
/// A mistake in this program, such as a premise that is not true.
pub fn reuse(
    project: &Project,
    run: &StudyRun,
    proof: &Certificate,
    clock: &dyn Fn() -> u64,
    budget: Budget<'_>,
) -> Result<Option<Reuse>, Internal> {
    let [claim] = proof.claims.as_slice() else { return Ok(None) };
    let milliseconds = || clock() / 1000;
    let query = query(project, run, &milliseconds, budget)?;
    let started = clock();
    let peak_states = reuse::check_again(project, &query, claim, &budget).transpose()?;
    Ok(peak_states.map(|peak_states| Reuse { peak_states, time_ms: since(started, clock) }))
}

/// Whether a result that is there lacks what [`reuse`] finds out.
pub fn lacks_reuse(result: &StudyResult) -> bool {
    reuse::is_missing(result)
}

/// What a run asks.
fn query<'a>(
    project: &Project,
    run: &StudyRun,
    clock: &'a dyn Fn() -> u64,
    budget: Budget<'_>,
) -> Result<VerifyQuery<'a>, Internal> {
    let Some((strategy, rule)) = strategy_named(&run.strategy) else {
        return Err(Internal(format!("a study has no strategy `{}`", run.strategy)));
    };
    let left = match run.split.is_empty() {
        true => Vec::new(),
        false => match survey(project, &run.system, budget) {
            Ok(survey) => survey.components_of(&run.split),
            Err(_) => run.split.clone(),
        },
    };
    Ok(VerifyQuery {
        system: run.system.clone(),
        properties: vec![run.property.clone()],
        left,
        rule,
        strategy,
        algorithm: Algorithm::default(),
        alphabets: crate::Alphabets::Whole,
        details: crate::Details::default(),
        by_flow: None,
        certify: false,
        clock,
    })
}

/// A run that gave nothing, and why.
pub fn lost(run: &StudyRun, reason: &str) -> StudyResult {
    StudyResult {
        run: run.clone(),
        verdict: Verdict::Unknown,
        decided_by: run.strategy.clone(),
        rule: None,
        left: Vec::new(),
        peak_states: 0,
        queries: 0,
        conjectures: 0,
        assumptions: Vec::new(),
        reason: Some(reason.to_owned()),
        time_ms: 0.0,
        peak_bytes: None,
        reuse: None,
        limits: StudyLimits::default(),
        model: String::new(),
    }
}

/// The documents of a study, by the names of their files: tables, numbers and figures.
pub fn documents(results: &[StudyResult]) -> Vec<(String, String)> {
    let comparison = comparison::Comparison::of(results);
    let figures = figures::figures(&comparison, results);
    let mut documents = vec![
        ("report.md".to_owned(), tables::report(&comparison, results, &figures)),
        ("results.csv".to_owned(), tables::csv(results)),
    ];
    documents.extend(figures.into_iter().map(|figure| (figure.file, figure.svg)));
    documents
}

/// The end of the report: how each strategy compares with the baseline, over all subjects.
pub fn summary(results: &[StudyResult]) -> String {
    tables::summary(&comparison::Comparison::of(results))
}

/// The answers about all parts that a name of a property stands for, as one.
fn summed(run: &StudyRun, answers: &[VerifyResult]) -> StudyResult {
    let mut result = lost(run, "");
    result.reason = None;
    result.verdict = Verdict::Holds;
    for answer in answers {
        result.verdict = match (result.verdict, answer.verdict) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
        };
        result.decided_by.clone_from(&answer.strategy);
        result.rule.clone_from(&answer.rule);
        result.left.clone_from(&answer.left);
        result.peak_states = result.peak_states.max(answer.peak_states);
        result.queries += answer.queries;
        result.conjectures += answer.conjectures;
        result.assumptions.extend(answer.assumptions.iter().map(|assumption| assumption.states));
        result.reason = result.reason.or_else(|| answer.reason.clone());
    }
    result
}

#[allow(clippy::cast_precision_loss, reason = "a run does not take centuries")]
fn since(started: u64, clock: &dyn Fn() -> u64) -> f64 {
    clock().saturating_sub(started) as f64 / 1000.0
}
