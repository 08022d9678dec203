//! Verdicts of `check` as text.

use std::fmt::Write;

use rely_session::report::{CheckResult, Kind, Verdict};

use super::{Style, counted, lanes, trace};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Detail {
    pub(crate) style: Style,
    /// Only the verdict.
    pub(crate) quiet: bool,
    /// Sizes, too.
    pub(crate) verbose: bool,
    /// Traces with a column for each component.
    pub(crate) lanes: bool,
}

/// One result as text.
pub(crate) fn render(result: &CheckResult, detail: Detail) -> String {
    let Detail { style, quiet, verbose, lanes } = detail;
    let mut text = headline(result, style);
    if verbose {
        let explored =
            format!("  ({}, {})", counted(result.states, "state"), counted(result.transitions, "transition"));
        text.push_str(&style.dim(explored));
    }
    text.push('\n');
    if quiet {
        return text;
    }
    for warning in &result.warnings {
        let _ = writeln!(text, "  {} {warning}", style.yellow("warning:"));
    }
    if result.verdict == Verdict::Violated {
        let _ = writeln!(text, "  {}", story(result));
        text.push_str(&if lanes { lanes::render(result, style) } else { trace::render(result, style) });
        if let Some(reason) = &result.reason {
            let _ = writeln!(text, "  {reason}");
        }
    }
    text
}

fn headline(result: &CheckResult, style: Style) -> String {
    let what = match result.kind {
        Kind::Deadlock | Kind::Safety | Kind::Divergence => result.property.clone(),
        Kind::Progress => format!("progress {}", result.property),
        Kind::Ltl => format!("assert {}", result.property),
    };
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
    line
}

/// What the trace shows.
fn story(result: &CheckResult) -> String {
    let what = match (result.kind, result.cycle.is_empty()) {
        (Kind::Deadlock, _) => "to a deadlock",
        (Kind::Safety, _) => "to the error",
        (Kind::Divergence, _) => "to endless silent work",
        (Kind::Progress, false) => "to a cycle without progress",
        (Kind::Progress, true) => "to where nothing happens any more",
        (Kind::Ltl, false) => "to a cycle that breaks the formula",
        (Kind::Ltl, true) => "that breaks the formula",
    };
    match result.trace.len() {
        0 => format!("at the very start, {what}:"),
        steps => format!("{} {what}:", counted(steps, "step")),
    }
}
