//! Verdicts of `check` as text.

use std::fmt::Write;

use rely_session::report::{CheckResult, Kind, Verdict};

use super::trace::{self, Columns};
use super::{Style, counted, per_state};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Detail {
    pub(crate) style: Style,
    /// Only the verdict.
    pub(crate) quiet: bool,
    /// Sizes, too.
    pub(crate) verbose: bool,
    /// How traces show the components.
    pub(crate) columns: Columns,
}

/// One result as text.
pub(crate) fn render(result: &CheckResult, detail: Detail) -> String {
    let Detail { style, quiet, verbose, columns } = detail;
    let mut text = headline(result, style);
    if verbose {
        let (states, transitions) =
            (counted(result.states, "state"), counted(result.transitions, "transition"));
        let bytes = per_state(result.bytes, result.states);
        text.push_str(&style.dim(format!("  ({states}, {transitions}{bytes})")));
    }
    text.push('\n');
    if quiet {
        return text;
    }
    if let Some(coverage) = &result.coverage {
        text.push_str(&super::coverage::render(coverage));
    }
    if result.verdict == Verdict::Violated {
        let _ = writeln!(text, "  {}", story(result));
        text.push_str(&trace::render(result.into(), columns, style));
        if !result.shortest {
            let advice = match result.kind {
                Kind::Ltl => "a limit was met while it was looked for",
                _ => "--no-reduction looks for it",
            };
            let _ = writeln!(text, "  there may be a shorter trace: {advice}");
        }
        if let Some(reason) = &result.reason {
            let _ = writeln!(text, "  {reason}");
        }
    }
    text
}

/// What a result is about, for a warning.
pub(crate) fn subject(result: &CheckResult) -> String {
    format!("{}: {}", result.target, question(result))
}

fn question(result: &CheckResult) -> String {
    match result.kind {
        Kind::Deadlock | Kind::Safety | Kind::Divergence => result.property.clone(),
        Kind::Progress if result.property == "progress" => "progress of every action".to_owned(),
        Kind::Progress => format!("progress {}", result.property),
        Kind::Ltl => format!("assert {}", result.property),
    }
}

fn headline(result: &CheckResult, style: Style) -> String {
    let what = question(result);
    let verdict = match result.verdict {
        Verdict::Holds => style.green("holds"),
        Verdict::Violated => style.red("violated"),
        Verdict::Unknown => style.yellow("unknown"),
    };
    let mut line = format!("{}: {what} {verdict}", style.bold(&result.target));
    if let Some(property) = &result.violates {
        let _ = write!(line, " by {property}");
    }
    if let (Verdict::Unknown, Some(reason)) = (result.verdict, &result.reason) {
        let _ = write!(line, ": {reason}");
    }
    line.push_str(&as_expected(result.verdict, result.expected));
    line
}

/// What a verdict is to somebody who expected one.
pub(crate) fn as_expected(verdict: Verdict, expected: Option<Verdict>) -> String {
    let name = |verdict: Verdict| match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    match expected {
        None => String::new(),
        Some(expected) if expected == verdict => ", as expected".to_owned(),
        Some(expected) => format!(", but `{}` is expected", name(expected)),
    }
}

/// What the trace shows.
fn story(result: &CheckResult) -> String {
    let (verb, what) = match (result.kind, result.cycle.is_empty()) {
        (Kind::Deadlock, _) => ("leads", "to a deadlock"),
        (Kind::Safety, _) => ("leads", "to the error"),
        (Kind::Divergence, _) => ("leads", "to endless silent work"),
        (Kind::Progress, false) => ("leads", "to a cycle without progress"),
        (Kind::Progress, true) => ("leads", "to where nothing happens any more"),
        (Kind::Ltl, false) => ("leads", "to a cycle that breaks the formula"),
        (Kind::Ltl, true) => ("breaks", "the formula"),
    };
    match (result.trace.len(), verb) {
        (0, "leads") => format!("the start itself leads {what}"),
        (0, _) => format!("the start itself {verb} {what}"),
        (1, _) => format!("1 step {verb} {what}:"),
        (steps, _) => format!("{} {} {what}:", counted(steps, "step"), verb.trim_end_matches('s')),
    }
}
