//! Verdicts of `check` as text.

use std::fmt::Write;

use rely_base::printable;
use rely_session::Engine;
use rely_session::report::{CheckResult, Fairness, FlowResult, Growth, Kind, Verdict};

use super::trace::{self, Columns};
use super::{Style, counted, per_state, warned};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Detail<'d> {
    pub(crate) style: Style,
    /// Only the verdict.
    pub(crate) quiet: bool,
    /// Sizes, too.
    pub(crate) verbose: bool,
    /// How traces show the components.
    pub(crate) columns: Columns,
    /// The actions that traces are shown without.
    pub(crate) hidden: &'d [String],
}

/// What is said of a cycle that is not fair itself.
const NOT_FAIR: &str =
    "the cycle shows how the formula is broken, but is not fair itself: a fair one is too long to be read";

/// All results as text. A trace that several of a target have is shown once.
pub(crate) fn render_all(results: &[CheckResult], detail: Detail<'_>) -> String {
    let same = |one: &CheckResult, other: &CheckResult| {
        (&one.target, &one.trace, &one.cycle) == (&other.target, &other.trace, &other.cycle)
    };
    let is_long = |result: &CheckResult| result.trace.len() + result.cycle.len() > 1;
    let earlier = |place: usize| results[..place].iter().find(|it| is_long(it) && same(it, &results[place]));
    results.iter().enumerate().map(|(place, result)| render(result, earlier(place), detail)).collect()
}

/// One result as text; an earlier one may have the same trace.
fn render(result: &CheckResult, earlier: Option<&CheckResult>, detail: Detail<'_>) -> String {
    let Detail { style, quiet, verbose, columns, hidden } = detail;
    let mut text = headline(result, style);
    if verbose {
        let (states, transitions) =
            (counted(result.states, "state"), counted(result.transitions, "transition"));
        let bytes = per_state(result.bytes, result.states);
        let merged = if result.equivalent_states_merged { "; equivalent states merged" } else { "" };
        text.push_str(&style.dim(format!("  ({states}, {transitions}{bytes}{merged})")));
    }
    text.push('\n');
    if quiet {
        return text;
    }
    if let Some(coverage) = &result.coverage {
        text.push_str(&super::coverage::render(coverage));
    }
    if !result.rests_on.is_empty() {
        text.push_str(match result.rules_reused {
            true => "  because of its environment, which has not changed since its rules were mined:\n",
            false => "  because of its environment:\n",
        });
        result.rests_on.iter().for_each(|it| text.push_str(&format!("    {}\n", printable(&it.assumption))));
    }
    if !result.rules_gone.is_empty() {
        text.push_str(
            "  its environment has changed, and does not keep any more to what an earlier proof rests on:\n",
        );
        result.rules_gone.iter().for_each(|rule| text.push_str(&format!("    {}\n", printable(rule))));
    }
    if let Some(growth) = &result.growth {
        self::growth(&mut text, growth);
    }
    // A violation that may be none has a trace, too.
    let is_open = result.verdict == Verdict::Unknown && !result.trace.is_empty();
    if result.verdict == Verdict::Violated || is_open {
        let _ = writeln!(text, "  {}", story(result));
        match earlier {
            Some(earlier) => {
                let _ = writeln!(text, "    as shown above, for {}", question(earlier));
            }
            None => {
                let shown = trace::Shown { columns, with_states: verbose, hidden };
                text.push_str(&trace::render(result.into(), shown, style));
            }
        }
        if let Some(formula) = &result.formula {
            let what = if result.kind == Kind::Ltl && !result.is_commitment { "formula" } else { "property" };
            let _ = writeln!(text, "  the {what}: {formula}");
        }
        let is_told = earlier.is_some_and(|earlier| earlier.cause == result.cause);
        if let Some(cause) = result.cause.as_ref().filter(|_| !is_told) {
            let last = result.trace.last().map(String::as_str);
            text.push_str(&super::cause::render(cause, &result.components, last, verbose));
        }
        let is_said = earlier.is_some_and(|earlier| earlier.reason == result.reason);
        // A fair lasso is short, and nobody looks for the shortest.
        if !result.shortest && !result.is_commitment {
            let advice = match (result.kind, result.fairness) {
                _ if result.engine == Some(Engine::Flow) => "--engine exact looks for it",
                _ if result.engine == Some(Engine::Spin) => "--engine own looks for it",
                (Kind::Ltl, Some(Fairness::Random)) => "this one leads to where the cycle is fair",
                (Kind::Ltl, _) => "a limit was met while it was looked for",
                _ => "--no-reduction looks for it",
            };
            let _ = writeln!(text, "  there may be a shorter trace: {advice}");
        }
        if !result.fair {
            let _ = writeln!(text, "  {NOT_FAIR}");
        }
        if let Some(reason) = result.reason.as_ref().filter(|_| !is_open && !is_said) {
            let _ = writeln!(text, "  {reason}");
        }
        others(&mut text, result, detail);
    }
    text
}

/// What makes a target large, and what to try.
fn growth(text: &mut String, growth: &Growth) {
    let _ = writeln!(text, "  where the states are: the parts have up to {} together", growth.at_most);
    for part in &growth.parts {
        let (name, states) = (&part.name, counted(part.states, "state"));
        let _ = match part.count {
            1 => writeln!(text, "    {name}: {states}"),
            count => writeln!(text, "    {name} and {} like it: {states} each", count - 1),
        };
    }
    if growth.left_out > 0 {
        let _ = writeln!(text, "    and {}", counted(growth.left_out, "smaller kind"));
    }
    text.push_str("  what to try:\n");
    growth.advice.iter().for_each(|advice| text.push_str(&format!("    {advice}\n")));
}

/// The further traces of a result.
fn others(text: &mut String, result: &CheckResult, detail: Detail<'_>) {
    let all = result.more_traces.len() + 1;
    for (number, other) in result.more_traces.iter().enumerate() {
        let by = other.violates.as_ref().filter(|_| other.violates != result.violates);
        let by = by.map_or(String::new(), |property| format!(", by {property}"));
        let _ = writeln!(text, "  another way, {} of {all}{by}:", number + 2);
        let shown =
            trace::Shown { columns: detail.columns, with_states: detail.verbose, hidden: detail.hidden };
        text.push_str(&trace::render(other.into(), shown, detail.style));
        if let Some(cause) = &other.cause {
            let last = other.trace.last().map(String::as_str);
            text.push_str(&super::cause::render(cause, &other.components, last, detail.verbose));
        }
        if let Some(reason) = &other.reason {
            let _ = writeln!(text, "  {reason}");
        }
    }
    if result.no_more_traces {
        let ways = if all > 1 { "these" } else { "this" };
        let _ = writeln!(text, "  every other counterexample ends like {ways}");
    }
}

/// What a result is about.
pub(crate) fn question(result: &CheckResult) -> String {
    match result.kind {
        _ if result.is_assumption => format!("assumption {}", result.property),
        Kind::Deadlock | Kind::Safety | Kind::Divergence => result.property.clone(),
        Kind::Progress if result.property == "progress" => "progress of every action".to_owned(),
        Kind::Progress => format!("progress {}", result.property),
        Kind::Ltl if result.is_commitment => {
            format!("property {}{}", result.property, under(result.fairness))
        }
        Kind::Ltl => format!("assert {}{}", result.property, under(result.fairness)),
    }
}

/// Which runs an assertion is about, unless these are the usual ones.
pub(crate) fn under(fairness: Option<Fairness>) -> &'static str {
    match fairness {
        None | Some(Fairness::Choice | Fairness::Weak) => "",
        Some(Fairness::Strong) => " with strong fairness",
        Some(Fairness::None) => " without fairness",
        Some(Fairness::Random) => " with random choices",
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
    if result.engine == Some(Engine::Flow) && result.verdict == Verdict::Holds {
        line.push_str(&by_flow(result.flow.as_ref()));
    }
    if result.engine == Some(Engine::Spin) && result.verdict != Verdict::Unknown {
        line.push_str(" by SPIN");
    }
    match result.by_parts {
        Some(1) => line.push_str(", shown for its property alone"),
        Some(count) => line.push_str(&format!(", shown for each of {count} properties alone")),
        None => {}
    }
    line.push_str(&warned(&result.warnings));
    if let (Verdict::Unknown, Some(reason)) = (result.verdict, &result.reason) {
        let _ = write!(line, ": {reason}");
    }
    line.push_str(&as_expected(result.verdict, result.expected));
    line
}

/// The most tasks that are named in a line.
const NAMED_TASKS: usize = 4;

/// That flow analysis gives the answer, which tasks it had to follow, if not all, and what else it had to know.
fn by_flow(flow: Option<&FlowResult>) -> String {
    let Some(flow) = flow else { return " by flow analysis".to_owned() };
    let of = match &flow.followed[..] {
        [] => String::new(),
        [one] => format!(" of the task {one}"),
        some if some.len() <= NAMED_TASKS => format!(" of the tasks {}", some.join(", ")),
        some => format!(" of {} tasks", some.len()),
    };
    let names: Vec<&str> = flow.constraints.iter().map(|constraint| &*constraint.name).collect();
    let with = match &names[..] {
        [] => String::new(),
        [one] => format!(" with the constraint {one}"),
        some => format!(" with the constraints {}", some.join(", ")),
    };
    format!(" by flow analysis{of}{with}")
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
