//! Reports in the formats that systems for continuous integration read: JUnit, SARIF 2.1.0, and what GitHub shows beside a
//! run.
//!
//! Both are made from the same plain data as every other answer. A question is a *case*: it passes if the verdict is
//! the expected one, which is *holds* unless the model says otherwise; it fails if the verdict is another one; and
//! *unknown* is an error, never a pass and never left out, since a limit must not look like a proof.

mod github;
mod junit;
mod sarif;

use crate::Project;
use crate::report::{CheckResult, Finding, Kind, Place, Report, TraceStep, Verdict, VerifyResult};

/// The answers of one run about one file.
pub struct Gate<'a> {
    project: &'a Project,
    findings: &'a [Finding],
    cases: Vec<Case<'a>>,
}

/// The answer to one question.
struct Case<'a> {
    target: &'a str,
    /// The question in readable form: `progress EATS`.
    question: String,
    kind: &'static str,
    property: &'a str,
    /// The part that is broken, if it is not the property itself.
    violates: Option<&'a str>,
    verdict: Verdict,
    expected: Option<Verdict>,
    reason: Option<&'a str>,
    components: &'a [String],
    steps: &'a [TraceStep],
    cycle_steps: &'a [TraceStep],
    warnings: &'a [String],
}

/// The outcome of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Passed,
    Failed,
    /// A limit was met, or an approximation could not decide.
    Undecided,
}

impl<'a> Gate<'a> {
    /// The answers of `check`.
    pub fn of_check(project: &'a Project, report: &'a Report<CheckResult>) -> Self {
        let cases = report.results.iter().map(Case::of_check).collect();
        Self { project, findings: &report.diagnostics, cases }
    }

    /// The answers of `verify`.
    pub fn of_verify(project: &'a Project, report: &'a Report<VerifyResult>) -> Self {
        let cases = report.results.iter().map(Case::of_verify).collect();
        Self { project, findings: &report.diagnostics, cases }
    }

    /// JUnit's XML: a suite for the file, a case for each question.
    pub fn junit(&self) -> String {
        junit::write(self)
    }

    /// A SARIF log: a result for each finding in the text, and for each question that does not pass.
    pub fn sarif(&self) -> String {
        sarif::write(self)
    }

    /// GitHub's annotations: a line for each finding in the text, and for each question that does not pass.
    pub fn annotations(&self) -> String {
        github::annotations(self)
    }

    /// A summary in Markdown: all answers, and the traces of those that do not pass, with a column for each component.
    pub fn summary(&self) -> String {
        github::summary(self)
    }

    /// The declaration of what a case is about: its property if that has a declaration, otherwise its target.
    fn place(&self, case: &Case<'_>) -> Option<Place> {
        let names = [case.violates.unwrap_or(case.property), case.property, case.target];
        names.iter().find_map(|name| self.declared(name))
    }

    /// The declaration of a name. An element of an indexed family is declared with the family.
    fn declared(&self, name: &str) -> Option<Place> {
        let declarations = self.project.declarations();
        let family = name.split('.').next().unwrap_or(name);
        let declaration = declarations
            .iter()
            .find(|it| &*it.name == name)
            .or_else(|| declarations.iter().find(|it| &*it.name == family))?;
        Some(self.project.place(declaration.place))
    }
}

impl<'a> Case<'a> {
    fn of_check(result: &'a CheckResult) -> Self {
        let kind = match result.kind {
            Kind::Deadlock => "deadlock",
            Kind::Safety => "safety",
            Kind::Progress => "progress",
            Kind::Ltl => "ltl",
            Kind::Divergence => "divergence",
        };
        let question = match (kind, result.property.as_str()) {
            (kind, property) if kind == property => kind.to_owned(),
            (kind, property) => format!("{kind} {property}"),
        };
        Self {
            target: &result.target,
            question,
            kind,
            property: &result.property,
            violates: result.violates.as_deref(),
            verdict: result.verdict,
            expected: result.expected,
            reason: result.reason.as_deref(),
            components: &result.components,
            steps: &result.steps,
            cycle_steps: &result.cycle_steps,
            warnings: &result.warnings,
        }
    }

    fn of_verify(result: &'a VerifyResult) -> Self {
        Self {
            target: &result.system,
            question: result.property.clone(),
            kind: "safety",
            property: &result.property,
            violates: None,
            verdict: result.verdict,
            expected: result.expected,
            reason: result.reason.as_deref(),
            components: &result.components,
            steps: &result.steps,
            cycle_steps: &result.cycle_steps,
            warnings: &result.warnings,
        }
    }

    fn outcome(&self) -> Outcome {
        match (self.verdict, self.expected.unwrap_or(Verdict::Holds)) {
            (verdict, expected) if verdict == expected => Outcome::Passed,
            (Verdict::Unknown, _) => Outcome::Undecided,
            _ => Outcome::Failed,
        }
    }

    /// The answer in one line.
    fn summary(&self) -> String {
        let verdict = word(self.verdict);
        let mut text = format!("{}: {} {verdict}", self.target, self.question);
        if let Some(violates) = self.violates.filter(|violates| *violates != self.property) {
            text.push_str(&format!(" by {violates}"));
        }
        if let Some(expected) = self.expected.filter(|expected| *expected != self.verdict) {
            text.push_str(&format!(", although the model expects that it {}", expectation(expected)));
        }
        if let Some(reason) = self.reason {
            text.push_str(&format!(": {reason}"));
        }
        text
    }

    /// The steps of the trace and of the cycle, numbered from 1; each with whether it is in the cycle.
    fn numbered_steps(&self) -> impl Iterator<Item = (usize, bool, &'a TraceStep)> {
        let steps = self.steps.iter().map(|step| (false, step));
        let all = steps.chain(self.cycle_steps.iter().map(|step| (true, step)));
        all.enumerate().map(|(i, (repeats, step))| (i + 1, repeats, step))
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

fn expectation(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "is violated",
        Verdict::Unknown => "is unknown",
    }
}
