//! `rely refines`

use std::fmt::Write;

use rely_session::report::{RefinesResult, Verdict};
use rely_session::{Compared, RefinesQuery};

use super::certify::save;
use crate::args::Refines;
use crate::context::{Context, Exit};
use crate::render::counted;

pub(crate) fn run(context: &Context, verb: &Refines) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let query = RefinesQuery {
        implementation: verb.implementation.clone(),
        specification: verb.specification.clone(),
        certify: verb.certificate.is_some(),
    };
    let Compared { report, certificate } = rely_session::refines(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return Ok(context.fail(&report, std::slice::from_ref(&project)));
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let text: String = report.results.iter().map(|result| render(context, result)).collect();
        context.print(&text)?;
    }
    if let Some(path) = &verb.certificate {
        save(context, path, &certificate)?;
    }
    let verdicts: Vec<_> = report.results.iter().map(|result| result.verdict).collect();
    // Where a limit was met while the certificate was made, the reason says so.
    let is_cut = verdicts == [Verdict::Holds] && report.results[0].reason.is_some();
    Ok(if is_cut { Exit::Inconclusive } else { Exit::of_verdicts(&verdicts) })
}

fn render(context: &Context, result: &RefinesResult) -> String {
    let style = context.style;
    let (one, other) = (style.bold(&result.implementation), style.bold(&result.specification));
    let reason = result.reason.as_deref().unwrap_or_default();
    let mut text = match result.verdict {
        Verdict::Holds => format!("{one} {} {other}", style.green("refines")),
        Verdict::Violated => format!("{one} {} {other}", style.red("does not refine")),
        Verdict::Unknown => format!("{one} refines {other}: {}, {reason}", style.yellow("unknown")),
    };
    if context.global.verbose {
        text.push_str(&style.dim(format!("  ({})", counted(result.states, "state"))));
    }
    text.push('\n');
    if context.global.quiet || result.verdict != Verdict::Violated {
        return text;
    }
    if !result.mismatches.is_empty() {
        for mismatch in &result.mismatches {
            let _ = writeln!(text, "  {mismatch}");
        }
        return text;
    }
    if !result.moves.is_empty() {
        let moves: Vec<String> =
            result.moves.iter().map(|step| format!("{}{}", step.action, step.role)).collect();
        let _ = writeln!(text, "  after {}:", moves.join(", "));
    }
    let _ = writeln!(text, "  {reason}");
    if result.moves.iter().any(|step| step.answers > 1) {
        let _ = writeln!(text, "  {} had other ways to go, and none of them helps", result.specification);
    }
    text
}
