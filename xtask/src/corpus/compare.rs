//! Our answers beside LTSA's.

use std::path::Path;
use std::time::Instant;

use rely_base::{Budget, Limits, Observer, Progress, Resource};
use rely_session::report::{CheckResult, Kind, Report, SizeResult, Verdict};
use rely_session::{CheckQuery, Equivalence, MinimiseQuery, Project};

use super::answers::{FileAnswer, Judgement, Size, TargetAnswer};

/// How an answer of ours compares with LTSA's.
pub(crate) enum Outcome {
    Agree,
    /// The rule of the book that explains the difference, and what it is.
    Explained(&'static str, String),
    Different(String),
    /// We ran out of time or memory, or say that the input has errors.
    Unanswered(String),
    /// LTSA gave no answer, and we did.
    Beyond,
}

impl Outcome {
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Agree => 0,
            Self::Explained(..) => 1,
            Self::Different(_) => 2,
            Self::Unanswered(_) => 3,
            Self::Beyond => 4,
        }
    }

    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, Self::Different(_) | Self::Unanswered(_))
    }

    pub(crate) fn remark(&self) -> Option<String> {
        match self {
            Self::Agree | Self::Beyond => None,
            Self::Explained(rule, what) => Some(format!("{what} («{rule}»)")),
            Self::Different(what) => Some(format!("DIFFERENT {what}")),
            Self::Unanswered(why) => Some(format!("UNANSWERED {why}")),
        }
    }
}

/// One question, asked of both.
pub(crate) struct Comparison {
    pub(crate) path: String,
    pub(crate) target: String,
    pub(crate) question: String,
    pub(crate) outcome: Outcome,
}

/// Stops an analysis when the time is over.
struct Deadline(Instant);

impl Observer for Deadline {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.elapsed() > super::PATIENCE).then_some(Resource::Time)
    }
}

/// Compares all targets of a file.
pub(crate) fn file(path: &Path, name: &str, expected: &FileAnswer) -> Vec<Comparison> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let loader = move |import: &str| std::fs::read(folder.join(import)).map_err(|error| error.to_string());
    let Ok(bytes) = std::fs::read(path) else {
        return vec![comparison(name, "", "file", Outcome::Unanswered("cannot be read".to_owned()))];
    };
    let project = Project::from_bytes(name, &bytes, Box::new(loader));
    let targets = expected.targets.values().filter(|target| target.kind != "process");
    targets.flat_map(|target| Target { project: &project, name, expected: target }.compare()).collect()
}

fn comparison(path: &str, target: &str, question: &str, outcome: Outcome) -> Comparison {
    Comparison { path: path.to_owned(), target: target.to_owned(), question: question.to_owned(), outcome }
}

struct Target<'a> {
    project: &'a Project,
    name: &'a str,
    expected: &'a TargetAnswer,
}

impl Target<'_> {
    fn compare(&self) -> Vec<Comparison> {
        if let Some(error) = self.expected.compile.as_ref().and_then(|compile| compile.error.as_ref()) {
            return vec![self.refused(error)];
        }
        let mut comparisons = vec![self.compose(), self.minimise()];
        comparisons.extend(self.judgements());
        comparisons
    }

    fn comparison(&self, question: &str, outcome: Outcome) -> Comparison {
        comparison(self.name, &self.expected.target, question, outcome)
    }

    fn targets(&self) -> Vec<String> {
        vec![self.expected.target.clone()]
    }

    /// A target that LTSA refuses: so should we.
    fn refused(&self, error: &str) -> Comparison {
        let deadline = Deadline(Instant::now());
        let report = rely_session::compose(self.project, &self.targets(), budget(&deadline));
        let outcome = if report.has_errors() {
            Outcome::Agree
        } else {
            Outcome::Different(format!("LTSA refuses it ({error}), and we do not"))
        };
        self.comparison("compile", outcome)
    }

    fn compose(&self) -> Comparison {
        let deadline = Deadline(Instant::now());
        let report = rely_session::compose(self.project, &self.targets(), budget(&deadline));
        self.comparison("compose", size(self.expected.compose.as_ref(), &report, true))
    }

    fn minimise(&self) -> Comparison {
        let deadline = Deadline(Instant::now());
        let query = MinimiseQuery { targets: self.targets(), equivalence: Equivalence::Weak };
        let report = rely_session::minimise(self.project, &query, budget(&deadline));
        self.comparison("minimise", size(self.expected.minimise.as_ref(), &report, false))
    }

    fn judgements(&self) -> Vec<Comparison> {
        let deadline = Deadline(Instant::now());
        let only = ["deadlock", "safety", "progress", "ltl"].map(str::to_owned).to_vec();
        let query = CheckQuery { targets: self.targets(), only };
        let report = match rely_session::check(self.project, &query, budget(&deadline)) {
            Ok(report) => report,
            Err(internal) => return vec![self.comparison("check", Outcome::Unanswered(internal.to_string()))],
        };
        if report.has_errors() {
            return vec![self.comparison("check", Outcome::Unanswered(first_error(&report)))];
        }
        let of = |kind: Kind| report.results.iter().filter(move |result| result.kind == kind);
        let deadlock = of(Kind::Deadlock).next();
        let safety = of(Kind::Safety).next();
        let mut comparisons = vec![
            self.comparison("safety", reachability(self.expected.safety.as_ref(), deadlock, safety)),
            self.comparison("progress", progress(self.expected.progress.as_ref(), &of(Kind::Progress).collect::<Vec<_>>())),
        ];
        for (name, expected) in &self.expected.asserts {
            let found = of(Kind::Ltl).find(|result| &result.property == name);
            comparisons.push(self.comparison(&format!("assert {name}"), assertion(expected, found)));
        }
        comparisons
    }
}

fn budget(deadline: &Deadline) -> Budget<'_> {
    Budget::new(Limits { states: None, bytes: Some(8 << 30) }, Some(deadline))
}

fn first_error<R>(report: &Report<R>) -> String {
    report.diagnostics.iter().find(|finding| finding.severity == rely_session::report::Level::Error).map_or_else(
        || "no error".to_owned(),
        |finding| format!("{}:{}: {} {}", finding.place.line, finding.place.column, finding.code, finding.message),
    )
}

fn size(expected: Option<&Size>, report: &Report<SizeResult>, transitions: bool) -> Outcome {
    let answer = expected.filter(|size| size.error.is_none());
    if report.has_errors() {
        let error = first_error(report);
        // Where LTSA fails without an answer, an error with a place is the better answer.
        return if answer.is_none() { Outcome::Beyond } else { Outcome::Unanswered(error) };
    }
    let Some(found) = report.results.first() else { return Outcome::Unanswered("no result".to_owned()) };
    if let Some(reason) = &found.reason {
        return Outcome::Unanswered(reason.clone());
    }
    let Some(expected) = answer else { return Outcome::Beyond };
    let ours = (found.states, found.error_reachable, if transitions { found.transitions } else { 0 });
    let theirs = (expected.states, expected.has_error, if transitions { expected.transitions } else { 0 });
    if ours == theirs {
        return Outcome::Agree;
    }
    Outcome::Different(format!(
        "{} states, {} transitions, error {} (LTSA: {}, {}, {})",
        found.states, found.transitions, found.error_reachable, expected.states, expected.transitions, expected.has_error
    ))
}

fn reachability(
    expected: Option<&Judgement>,
    deadlock: Option<&CheckResult>,
    safety: Option<&CheckResult>,
) -> Outcome {
    let (Some(deadlock), Some(safety)) = (deadlock, safety) else {
        return Outcome::Unanswered("no result".to_owned());
    };
    if let Some(result) = [deadlock, safety].into_iter().find(|result| result.verdict == Verdict::Unknown) {
        return Outcome::Unanswered(result.reason.clone().unwrap_or_default());
    }
    let Some(expected) = expected.filter(|judgement| judgement.error.is_none()) else { return Outcome::Beyond };
    let show = |result: &CheckResult| match result.verdict {
        Verdict::Violated => format!("violated after {}", result.trace.len()),
        _ => "holds".to_owned(),
    };
    let violated = |result: &CheckResult| result.verdict == Verdict::Violated;
    let agrees = match expected.verdict.as_str() {
        "ok" => !violated(deadlock) && !violated(safety),
        "deadlock" => violated(deadlock) && deadlock.trace.len() == expected.trace.len(),
        "violation" => violated(safety) && safety.trace.len() == expected.trace.len(),
        _ => false,
    };
    if agrees {
        return Outcome::Agree;
    }
    Outcome::Different(format!(
        "deadlock {}, safety {} (LTSA: {} after {})",
        show(deadlock),
        show(safety),
        expected.verdict,
        expected.trace.len()
    ))
}

fn progress(expected: Option<&Judgement>, found: &[&CheckResult]) -> Outcome {
    let ours = if found.iter().any(|result| result.verdict == Verdict::Violated) {
        "violation"
    } else if let Some(unknown) = found.iter().find(|result| result.verdict == Verdict::Unknown) {
        let reason = unknown.reason.clone().unwrap_or_default();
        if !reason.contains("safety") {
            return Outcome::Unanswered(reason);
        }
        "safety-violation"
    } else {
        "ok"
    };
    match expected.filter(|judgement| judgement.error.is_none()) {
        None => Outcome::Beyond,
        Some(expected) if expected.verdict == ours => Outcome::Agree,
        Some(expected) => Outcome::Different(format!("{ours} (LTSA: {})", expected.verdict)),
    }
}

fn assertion(expected: &Judgement, found: Option<&CheckResult>) -> Outcome {
    let Some(found) = found else { return Outcome::Unanswered("no result".to_owned()) };
    let ours = match found.verdict {
        Verdict::Holds => "ok",
        Verdict::Violated => "violation",
        Verdict::Unknown => return Outcome::Unanswered(found.reason.clone().unwrap_or_default()),
    };
    if expected.error.is_some() || expected.verdict.is_empty() {
        Outcome::Beyond
    } else if expected.verdict == ours {
        Outcome::Agree
    } else {
        Outcome::Different(format!("{ours} after {} (LTSA: {})", found.trace.len(), expected.verdict))
    }
}
