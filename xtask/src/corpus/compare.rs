//! Our answers beside LTSA's.

use std::path::Path;
use std::time::{Duration, Instant};

use rely_base::{Budget, Limits, Observer, Progress, Resource};
use rely_session::report::{CheckResult, Finding, Kind, Level, Report, SizeResult, Verdict};
use rely_session::{CheckQuery, ComposeQuery, MinimiseQuery, Modulo, Project};

use super::answers::{FileAnswer, Judgement, Size, TargetAnswer};
use super::rules;

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
    /// LTSA gave no answer, and we ran out of time, too.
    Neither(String),
}

impl Outcome {
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Agree => 0,
            Self::Explained(..) => 1,
            Self::Different(_) => 2,
            Self::Unanswered(_) => 3,
            Self::Beyond => 4,
            Self::Neither(_) => 5,
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
            Self::Neither(why) => Some(format!("neither answers: {why}")),
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
pub(crate) struct Deadline {
    start: Instant,
    patience: Duration,
}

impl Deadline {
    /// The time is over after so long, from now on.
    pub(crate) fn after(patience: Duration) -> Self {
        Self { start: Instant::now(), patience }
    }
}

impl Observer for Deadline {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.start.elapsed() > self.patience).then_some(Resource::Time)
    }
}

/// Compares all targets of a file.
pub(crate) fn file(path: &Path, name: &str, expected: &FileAnswer) -> Vec<Comparison> {
    let Ok(project) = project(path, name) else {
        return vec![comparison(name, "", "file", Outcome::Unanswered("cannot be read".to_owned()))];
    };
    let targets = expected.targets.values().filter(|target| target.kind != "process");
    targets.flat_map(|target| Target { project: &project, name, expected: target }.compare()).collect()
}

/// A file of the corpus, which may import others from its folder.
pub(crate) fn project(path: &Path, name: &str) -> std::io::Result<Project> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let loader = move |import: &str| std::fs::read(folder.join(import)).map_err(|error| error.to_string());
    Ok(Project::from_bytes(name, &std::fs::read(path)?, Box::new(loader)))
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

    /// The size of the target, by a diagram if there are too many states to be visited.
    fn composed(&self) -> Report<SizeResult> {
        let composed = |diagram: bool| {
            let deadline = Deadline::after(super::PATIENCE);
            let query = ComposeQuery { targets: self.targets(), all_targets: false, diagram };
            rely_session::compose(self.project, &query, budget(&deadline))
        };
        let visited = composed(false);
        match visited.results.iter().any(|result| result.reason.is_some()) {
            true => composed(true),
            false => visited,
        }
    }

    /// A target that LTSA refuses: so should we.
    fn refused(&self, error: &str) -> Comparison {
        let report = self.composed();
        let outcome = if report.has_errors() {
            Outcome::Agree
        } else if error.starts_with("variable not defined") {
            Outcome::Explained(rules::DEPENDENT_RANGES, format!("LTSA: {error}"))
        } else if error.starts_with("Duplicate variable definition") {
            Outcome::Explained(rules::OLD_LABEL_VARIABLES, format!("LTSA: {error}"))
        } else {
            Outcome::Different(format!("LTSA refuses it ({error}), and we do not"))
        };
        self.comparison("compile", outcome)
    }

    fn compose(&self) -> Comparison {
        let report = self.composed();
        self.comparison("compose", size(self.expected.compose.as_ref(), &report, true))
    }

    fn minimise(&self) -> Comparison {
        let deadline = Deadline::after(super::PATIENCE);
        let query = MinimiseQuery { targets: self.targets(), all_targets: false, modulo: Modulo::Usual };
        let report = rely_session::minimise(self.project, &query, budget(&deadline));
        let outcome = size(self.expected.minimise.as_ref(), &report, false);
        let outcome = match (outcome, &self.expected.minimise) {
            (Outcome::Different(what), Some(expected)) => self.explain_minimise(what, expected),
            (outcome, _) => outcome,
        };
        self.comparison("minimise", outcome)
    }

    /// Whether LTSA's first step of minimisation is to blame.
    fn explain_minimise(&self, what: String, expected: &Size) -> Outcome {
        let deadline = Deadline::after(super::PATIENCE);
        let Ok(built) =
            rely_session::build(self.project, Some(&self.expected.target), None, budget(&deadline))
        else {
            return Outcome::Different(what);
        };
        match rules::minimised_as_ltsa_does(&built.lts, &budget(&deadline)) {
            Ok((states, true)) if states == expected.states => Outcome::Explained(rules::SILENT_STATES, what),
            _ => Outcome::Different(what),
        }
    }

    fn judgements(&self) -> Vec<Comparison> {
        let deadline = Deadline::after(super::PATIENCE);
        let only = ["deadlock", "safety", "progress", "ltl"].map(str::to_owned).to_vec();
        let query = CheckQuery { targets: self.targets(), only, ..CheckQuery::default() };
        let report = match rely_session::check(self.project, &query, budget(&deadline)) {
            Ok(report) => report,
            Err(internal) => {
                return vec![self.comparison("check", Outcome::Unanswered(internal.to_string()))];
            }
        };
        if report.has_errors() {
            // Where LTSA fails without an answer, an error with a place is the better answer.
            let silent = self.expected.safety.as_ref().is_none_or(|judgement| judgement.error.is_some());
            let outcome = if silent { Outcome::Beyond } else { Outcome::Unanswered(first_error(&report)) };
            return vec![self.comparison("check", outcome)];
        }
        let of = |kind: Kind| report.results.iter().filter(move |result| result.kind == kind);
        let deadlock = of(Kind::Deadlock).next();
        let safety = of(Kind::Safety).next();
        let mut comparisons = vec![
            self.comparison("safety", reachability(self.expected.safety.as_ref(), deadlock, safety)),
            self.comparison("progress", self.progress(&of(Kind::Progress).collect::<Vec<_>>())),
        ];
        for (name, expected) in &self.expected.asserts {
            let found = of(Kind::Ltl).find(|result| &result.property == name);
            comparisons.push(self.comparison(&format!("assert {name}"), assertion(expected, found)));
        }
        comparisons
    }
    fn progress(&self, found: &[&CheckResult]) -> Outcome {
        let ours = if found.iter().any(|result| result.verdict == Verdict::Violated) {
            "violation"
        } else if let Some(unknown) = found.iter().find(|result| result.verdict == Verdict::Unknown) {
            let reason = unknown.reason.clone().unwrap_or_default();
            if !reason.contains("safety") {
                let answers =
                    self.expected.progress.as_ref().is_some_and(|judgement| judgement.error.is_none());
                return unanswered(answers, reason);
            }
            "safety-violation"
        } else {
            "ok"
        };
        let answered = |judgement: &&Judgement| judgement.error.is_none();
        let Some(expected) = self.expected.progress.as_ref().filter(answered) else { return Outcome::Beyond };
        if expected.verdict == ours {
            return Outcome::Agree;
        }
        let what = format!("{ours} (LTSA: {})", expected.verdict);
        let composed = self.expected.progress_composed.as_ref().map(|judgement| judgement.verdict.as_str());
        let has_error = self.expected.compose.as_ref().map(|compose| compose.has_error);
        match (expected.verdict.as_str(), has_error) {
            ("safety-violation", Some(false)) if composed == Some(ours) => {
                Outcome::Explained(rules::PROGRESS_TWICE, what)
            }
            ("safety-violation", Some(true)) if ours == "violation" => {
                Outcome::Explained(rules::PROGRESS_BESIDE_ERROR, what)
            }
            _ => Outcome::Different(what),
        }
    }
}

fn budget(deadline: &Deadline) -> Budget<'_> {
    Budget::new(Limits { states: None, bytes: Some(8 << 30) }, Some(deadline))
}

fn first_error<R>(report: &Report<R>) -> String {
    let is_error = |finding: &&Finding| finding.severity == Level::Error;
    let Some(finding) = report.diagnostics.iter().find(is_error) else { return "no error".to_owned() };
    let place = finding.place.as_ref().map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column));
    format!("{place}{} {}", finding.code, finding.message)
}

/// We have no answer.
fn unanswered(ltsa_answers: bool, why: String) -> Outcome {
    if ltsa_answers { Outcome::Unanswered(why) } else { Outcome::Neither(why) }
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
        return unanswered(answer.is_some(), reason.clone());
    }
    let Some(expected) = answer else { return Outcome::Beyond };
    let has_error = found.error_reachable == Some(true);
    let ours = (found.states, has_error, if transitions { found.transitions } else { 0 });
    let theirs = (expected.states, expected.has_error, if transitions { expected.transitions } else { 0 });
    if ours == theirs {
        return Outcome::Agree;
    }
    Outcome::Different(format!(
        "{} states, {} transitions, error {} (LTSA: {}, {}, {})",
        found.states, found.transitions, has_error, expected.states, expected.transitions, expected.has_error
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
    let expected = expected.filter(|judgement| judgement.error.is_none());
    if let Some(result) = [deadlock, safety].into_iter().find(|result| result.verdict == Verdict::Unknown) {
        return unanswered(expected.is_some(), result.reason.clone().unwrap_or_default());
    }
    let Some(expected) = expected else {
        return Outcome::Beyond;
    };
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
