//! `rely retrieve`

use std::path::PathBuf;

use rely_session::report::{Report, RetrieveResult, Verdict};
use rely_session::{Failed, Project};

use crate::args::Retrieve;
use crate::context::{Context, Exit, Usage};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Retrieve) -> anyhow::Result<Exit> {
    let files = files::models(&verb.files)?;
    let mut projects = context.open(files.iter().map(PathBuf::as_path))?;
    let assumption = files::open(&verb.assumption, &context.watch.patience())?;
    let report = match rely_session::build_single(&assumption, None, context.watch.budget()) {
        Ok(built) => rely_session::retrieve(&built, &projects, &verb.target, context.watch.budget())?,
        Err(failed) => without_assumption(&assumption, failed)?,
    };
    projects.push(assumption);
    if report.has_errors() {
        return Ok(context.fail(&report, &projects));
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, &projects);
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        context.print(&text)?;
    }
    let any = |verdict: Verdict| report.results.iter().any(|result| result.verdict == verdict);
    Ok(match (any(Verdict::Holds), any(Verdict::Unknown)) {
        (true, _) => Exit::Success,
        (false, true) => Exit::Inconclusive,
        (false, false) => Exit::Violated,
    })
}

fn unknown(file: &str, component: &str, reason: String) -> RetrieveResult {
    RetrieveResult {
        file: file.to_owned(),
        component: component.to_owned(),
        verdict: Verdict::Unknown,
        trace: Vec::new(),
        shared: 0,
        reason: Some(reason),
    }
}

/// What is reported when the assumption itself could not be built.
fn without_assumption(assumption: &Project, failed: Failed) -> anyhow::Result<Report<RetrieveResult>> {
    let file = assumption.name();
    match failed {
        Failed::Errors(findings) => Ok(Report::new("retrieve", Vec::new(), findings)),
        Failed::Exhausted(exhausted, findings) => {
            let result = unknown(file, rely_session::DEFAULT, exhausted.to_string());
            Ok(Report::new("retrieve", vec![result], findings))
        }
        Failed::Unfinished(size, findings) => {
            let result = unknown(file, &size.target, size.reason.unwrap_or_default());
            Ok(Report::new("retrieve", vec![result], findings))
        }
        Failed::Ambiguous(targets) => {
            let several = targets.join(", ");
            Err(Usage(format!("{file} is no assumption: it has several targets, {several}")).into())
        }
    }
}

fn line(context: &Context, result: &RetrieveResult) -> String {
    let style = context.style;
    let name = format!("{} in {}", style.bold(&result.component), result.file);
    match result.verdict {
        Verdict::Holds => {
            let shared = match result.shared {
                0 => "; it has none of its actions".to_owned(),
                shared => format!("; it has {shared} of its actions"),
            };
            format!("{name}: {} the assumption{shared}\n", style.green("satisfies"))
        }
        Verdict::Violated => {
            let reason = result.reason.as_ref().map_or(String::new(), |reason| format!("; {reason}"));
            format!("{name}: {} the assumption by {}{reason}\n", style.red("breaks"), result.trace.join(", "))
        }
        Verdict::Unknown => {
            let reason = result.reason.as_deref().unwrap_or_default();
            format!("{name}: {}, {reason}\n", style.yellow("unknown"))
        }
    }
}
