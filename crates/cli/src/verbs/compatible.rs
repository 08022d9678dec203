//! `rely compatible`

use std::fmt::Write;
use std::path::Path;

use rely_session::report::{CompatibleResult, TraceStep, Verdict};
use rely_session::{Built, CompatibleQuery, Format, Matched};

use super::assume::Destination;
use super::certify::save;
use super::convert::note_lost;
use crate::args::Compatible;
use crate::context::{Context, Exit};
use crate::render::trace::{self, Columns, Run, Shown};
use crate::render::{Style, counted};

pub(crate) fn run(context: &Context, verb: &Compatible) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let query = CompatibleQuery {
        components: verb.components.clone(),
        weak: verb.weak,
        every_environment: verb.every_environment,
        environment: verb.environment.is_some(),
        certify: verb.certificate.is_some(),
    };
    let is_shown = verb.environment.as_deref() == Some(Path::new("-"));
    let destination = verb.environment.as_deref().filter(|_| !is_shown).map(Destination::of).transpose()?;
    let Matched { report, environment, certificate } =
        rely_session::compatible(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return Ok(context.fail(&report, std::slice::from_ref(&project)));
    }
    if let (Some(destination), Some(environment)) = (&destination, &environment) {
        destination.save(context, environment)?;
        note_lost(context, environment, destination.format, destination.path);
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        for result in &report.results {
            context.warn(&result.components.join(", "), &result.warnings);
        }
        let columns = if verb.lanes { Columns::Lanes } else { Columns::Names };
        let mut text: String = report.results.iter().map(|result| render(context, result, columns)).collect();
        if let (true, Some(environment)) = (is_shown, &environment) {
            text.push('\n');
            text.push_str(&written(environment)?);
        }
        context.print(&text)?;
        if verb.environment.is_some() && environment.is_none() {
            let reason = report.results.iter().find_map(|result| result.reason.as_deref());
            let reason = reason.unwrap_or(none(&report.results));
            context.remark(format_args!("there is no environment to write: {reason}"));
        }
    }
    if let Some(path) = &verb.certificate {
        save(context, path, &certificate)?;
    }
    let verdicts: Vec<_> = report.results.iter().map(|result| result.verdict).collect();
    // Where a limit was met while the environment was built, the reason says so.
    let is_cut = report.results.iter().any(|result| result.reason.is_some());
    match Exit::of_verdicts(&verdicts) {
        Exit::Success if is_cut => Ok(Exit::Inconclusive),
        exit => Ok(exit),
    }
}

/// Why there is no environment.
fn none(results: &[CompatibleResult]) -> &'static str {
    match results {
        [result] if !result.open => "the system is closed",
        _ => "none keeps the components compatible",
    }
}

/// An interface automaton as FSP.
pub(super) fn written(automaton: &Built) -> anyhow::Result<String> {
    let mut text = Vec::new();
    rely_session::write(automaton, Format::Fsp, &mut text).map_err(|reason| anyhow::anyhow!(reason))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn render(context: &Context, result: &CompatibleResult, columns: Columns) -> String {
    let style = context.style;
    let mut text = format!("{}: {}", style.bold(result.components.join(", ")), headline(result, style));
    if context.global.verbose {
        let size = (counted(result.states, "state"), counted(result.transitions, "transition"));
        text.push_str(&style.dim(format!("  ({}, {})", size.0, size.1)));
    }
    text.push('\n');
    if context.global.quiet {
        return text;
    }
    if result.open && result.verdict != Verdict::Violated {
        let _ = writeln!(text, "  open: {}", boundary(result));
    }
    let steps = |steps: &[TraceStep]| match steps.len() {
        1 => "1 step ends with what cannot be taken".to_owned(),
        many => format!("{} end with what cannot be taken", counted(many, "step")),
    };
    if let Some(avoid) = &result.avoid {
        let _ = writeln!(text, "  the environment has to avoid this: {}:", steps(&avoid.steps));
        let run = Run { components: &result.parts, steps: &avoid.steps, cycle_steps: &[] };
        text.push_str(&trace::render(run, Shown::plain(columns), style));
        let _ = writeln!(text, "  {}", avoid.illegal);
    }
    if result.verdict == Verdict::Violated {
        let _ = writeln!(text, "  {}:", steps(&result.steps));
        let run = Run { components: &result.parts, steps: &result.steps, cycle_steps: &[] };
        text.push_str(&trace::render(run, Shown::plain(columns), style));
        match (&result.illegal, &result.reason) {
            (Some(illegal), _) => _ = writeln!(text, "  {}", illegal),
            (None, Some(reason)) => _ = writeln!(text, "  {reason}"),
            (None, None) => {}
        }
    }
    if let Some(size) = &result.environment {
        let (states, transitions) = (counted(size.states, "state"), counted(size.transitions, "transition"));
        let _ = writeln!(text, "  the most permissive environment has {states} and {transitions}");
    }
    text
}

/// The verdict in words.
fn headline(result: &CompatibleResult, style: Style) -> String {
    let environment = match (result.open, result.every_environment, result.verdict) {
        (false, ..) => "",
        (true, true, Verdict::Violated) => ", in an environment that keeps to the inputs",
        (true, true, _) => ", in every environment that keeps to the inputs",
        (true, false, Verdict::Violated) => ", in every environment",
        (true, false, _) => match &result.may_send {
            Some(inputs) if inputs.is_empty() => ", only in an environment that never sends anything",
            Some(_) => ", in some environment that never sends some of the inputs",
            None => ", in some environment",
        },
    };
    match result.verdict {
        Verdict::Holds => format!("{}{environment}", style.green("compatible")),
        Verdict::Violated => format!("{}{environment}", style.red("incompatible")),
        Verdict::Unknown => {
            let reason = result.reason.as_deref().unwrap_or_default();
            format!("{}, {reason}", style.yellow("unknown"))
        }
    }
}

/// The inputs and outputs of an open system.
fn boundary(result: &CompatibleResult) -> String {
    let marked = |names: &[String], mark: char| -> Vec<String> {
        names.iter().map(|name| format!("{name}{mark}")).collect()
    };
    let actions = [marked(&result.inputs, '?'), marked(&result.outputs, '!')].concat();
    const SHOWN: usize = 12;
    match actions.len() {
        0..=SHOWN => actions.join(", "),
        all => format!("{} and {} more", actions[..SHOWN].join(", "), all - SHOWN),
    }
}
