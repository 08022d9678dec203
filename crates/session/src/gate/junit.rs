//! JUnit's XML, as the usual servers read it: `testsuites`, `testsuite`, `testcase`, `failure`, `error`, `system-out`.
//!
//! There is no standard, only the output of Ant and what others adopted from it. The strictest schema that is in use is that of
//! Jenkins, and `cargo xtask reports` compares with it: a case has no attribute for its place, so the place is the first line of
//! what went wrong. Times are left out, so that the same answers give the same file.

use std::fmt::Write as _;

use rely_draw::escape_xml;

use super::{Case, Gate, Outcome, word};
use crate::report::{Finding, Level};

pub(super) fn write(gate: &Gate<'_>) -> String {
    let file = escape_xml(gate.project.name());
    let errors: Vec<&Finding> =
        gate.findings.iter().filter(|finding| finding.severity == Level::Error).collect();
    let count = |outcome| gate.cases.iter().filter(|case| case.outcome() == outcome).count();
    let unreadable = usize::from(!errors.is_empty());
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        gate.cases.len() + unreadable,
        count(Outcome::Failed),
        count(Outcome::Undecided) + unreadable
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"rely\" {counts}>");
    let _ = writeln!(xml, "  <testsuite name=\"{file}\" {counts}>");
    if !errors.is_empty() {
        let _ = writeln!(xml, "    <testcase classname=\"{file}\" name=\"input\">");
        let lines: Vec<String> = errors.iter().map(|finding| located(finding)).collect();
        element(&mut xml, "error", "input", "the input has errors", &lines);
        xml.push_str("    </testcase>\n");
    }
    for case in &gate.cases {
        testcase(&mut xml, gate, case);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn testcase(xml: &mut String, gate: &Gate<'_>, case: &Case<'_>) {
    let (target, question) = (escape_xml(case.target), escape_xml(&case.question));
    let _ = write!(xml, "    <testcase classname=\"{target}\" name=\"{question}\"");
    let outcome = case.outcome();
    if outcome == Outcome::Passed && case.warnings.is_empty() {
        xml.push_str("/>\n");
        return;
    }
    xml.push_str(">\n");
    let place = gate.place(case).map(|place| format!("{}:{}", gate.project.name(), place.line));
    let lines: Vec<String> = place.into_iter().chain(trace(case)).collect();
    let verdict = word(case.verdict);
    match outcome {
        Outcome::Passed => {}
        Outcome::Failed => element(xml, "failure", verdict, &case.summary(), &lines),
        Outcome::Undecided => element(xml, "error", verdict, &case.summary(), &lines),
    }
    if !case.warnings.is_empty() {
        xml.push_str("      <system-out>\n");
        for warning in case.warnings {
            let _ = writeln!(xml, "warning: {}", escape_xml(warning));
        }
        xml.push_str("      </system-out>\n");
    }
    xml.push_str("    </testcase>\n");
}

fn element(xml: &mut String, name: &str, kind: &str, message: &str, lines: &[String]) {
    let message = escape_xml(message);
    let _ = write!(xml, "      <{name} type=\"{kind}\" message=\"{message}\">");
    for line in lines {
        let _ = write!(xml, "\n{}", escape_xml(line));
    }
    let _ = writeln!(xml, "</{name}>");
}

/// The trace, one line per step: its number, its action, and the components that take part.
fn trace(case: &Case<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_repeating = false;
    for (number, repeats, step) in case.numbered_steps() {
        if repeats && !is_repeating {
            lines.push("and then for ever:".to_owned());
        }
        is_repeating = repeats;
        let movers = step.components.iter().filter_map(|&component| case.components.get(component));
        let movers: Vec<&str> = movers.map(String::as_str).collect();
        lines.push(format!("{number:>4}  {}  {}", step.action, movers.join(", ")).trim_end().to_owned());
    }
    lines
}

/// A finding in one line.
fn located(finding: &Finding) -> String {
    let Finding { file, code, message, .. } = finding;
    match &finding.place {
        Some(place) => format!("{file}:{}:{}: {code}: {message}", place.line, place.column),
        None => format!("{file}: {code}: {message}"),
    }
}
