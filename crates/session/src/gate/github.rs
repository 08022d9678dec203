//! What GitHub shows beside a run: annotations at the lines that they are about, and a summary in Markdown.
//!
//! An annotation is a line that a step prints, `::error file=…,line=…::message`; what has a meaning of its own there is written
//! as its bytes. The summary is a table of all answers, and the trace of each that does not pass, with a column for each component.

use super::{Case, Gate, Outcome, word};
use crate::report::{Finding, Level, Place};

/// How many steps of a trace a summary shows.
const MOST_STEPS: usize = 200;

pub(super) fn annotations(gate: &Gate<'_>) -> String {
    let mut lines = String::new();
    for finding in gate.findings {
        let level = match finding.severity {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let file = if finding.file.is_empty() { gate.project.name() } else { &finding.file };
        let message = message_of(finding);
        lines.push_str(&annotation(level, file, finding.place.as_ref(), &finding.code, &message));
    }
    for case in gate.cases.iter().filter(|case| case.outcome() != Outcome::Passed) {
        let level = if case.outcome() == Outcome::Failed { "error" } else { "warning" };
        let place = gate.place(case);
        let actions: Vec<&str> = case.numbered_steps().take(20).map(|(_, _, step)| &*step.action).collect();
        let trace = if actions.is_empty() { String::new() } else { format!("\n{}", actions.join(", ")) };
        let message = case.summary() + &trace;
        lines.push_str(&annotation(level, gate.project.name(), place.as_ref(), case.kind, &message));
    }
    lines
}

fn message_of(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    }
}

fn annotation(level: &str, file: &str, place: Option<&Place>, title: &str, message: &str) -> String {
    let place = place.map_or(String::new(), |place| {
        format!(",line={},endLine={},col={}", place.line, place.end_line, place.column)
    });
    let (file, title) = (property(file), property(title));
    format!("::{level} file={file}{place},title=rely {title}::{}\n", data(message))
}

/// A message: what would end the line is written as its bytes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: so is what would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

pub(super) fn summary(gate: &Gate<'_>) -> String {
    let mut text = format!("### rely: {}\n\n", cell(gate.project.name()));
    for finding in gate.findings.iter().filter(|finding| finding.severity == Level::Error) {
        text.push_str(&format!("- **{}** {}\n", finding.code, cell(&finding.message)));
    }
    if !gate.cases.is_empty() {
        text.push_str("| | target | question | verdict |\n|---|---|---|---|\n");
    }
    for case in &gate.cases {
        let mark = match case.outcome() {
            Outcome::Passed => "✅",
            Outcome::Failed => "❌",
            Outcome::Undecided => "❔",
        };
        let expected = if case.expected == Some(case.verdict) { ", as expected" } else { "" };
        let reason = case.reason.map_or(String::new(), |reason| format!(": {}", cell(reason)));
        let (target, question, verdict) = (cell(case.target), cell(&case.question), word(case.verdict));
        text.push_str(&format!("| {mark} | {target} | {question} | {verdict}{expected}{reason} |\n"));
    }
    for case in gate.cases.iter().filter(|case| case.outcome() == Outcome::Failed) {
        text.push_str(&lanes(case));
    }
    text.push('\n');
    text
}

/// The trace of a case as a table, folded.
fn lanes(case: &Case<'_>) -> String {
    if case.numbered_steps().next().is_none() {
        return String::new();
    }
    let mut text = format!("\n<details><summary>{}</summary>\n\n| | action |", cell(&case.summary()));
    for component in case.components {
        text.push_str(&format!(" {} |", cell(component)));
    }
    text.push_str(&format!("\n|---|---|{}\n", "---|".repeat(case.components.len())));
    for (number, repeats, step) in case.numbered_steps().take(MOST_STEPS) {
        let again = if repeats { " (again and again)" } else { "" };
        text.push_str(&format!("| {number} | {}{again} |", cell(&step.action)));
        for component in 0..case.components.len() {
            text.push_str(if step.components.contains(&component) { " ● |" } else { " |" });
        }
        text.push('\n');
    }
    let left = case.numbered_steps().count().saturating_sub(MOST_STEPS);
    if left > 0 {
        text.push_str(&format!("\n… and {left} more steps\n"));
    }
    text.push_str("\n</details>\n");
    text
}

/// A text that stands in a cell of a table and has no meaning of its own there.
fn cell(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => written.push(' '),
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '@' | '#' => {
                written.push('\\');
                written.push(character);
            }
            _ => written.push(character),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_of_its_own_is_written_as_bytes() {
        let line = annotation("error", "a,b:c.lts", None, "x", "100%\n::error::no");
        assert_eq!(line, "::error file=a%2Cb%3Ac.lts,title=rely x::100%25%0A::error::no\n");
        assert_eq!(cell("a|<b>\n@c"), "a\\|&lt;b&gt; \\@c");
    }
}
