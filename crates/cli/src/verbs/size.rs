//! `rely compose` and `rely minimise`

use std::path::Path;

use rely_session::report::{Report, SizeResult};
use rely_session::{Equivalence, MinimiseQuery, Project};

use super::convert::{format_of, save};
use crate::args::{Compose, Minimise};
use crate::context::{Context, Exit, Usage, print_text};
use crate::render::{counted, per_state};

pub(crate) fn compose(context: &Context, verb: &Compose) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    match &verb.output {
        None => {
            let report = rely_session::compose(&project, &verb.target, context.watch.budget());
            show(context, &project, &report)
        }
        Some(output) => store(context, &project, "compose", &verb.target, None, output),
    }
}

pub(crate) fn minimise(context: &Context, verb: &Minimise) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let equivalence = equivalence(&verb.equivalence)?;
    match &verb.output {
        None => {
            let query = MinimiseQuery { targets: verb.target.clone(), equivalence };
            let report = rely_session::minimise(&project, &query, context.watch.budget());
            show(context, &project, &report)
        }
        Some(output) => store(context, &project, "minimise", &verb.target, Some(equivalence), output),
    }
}

fn equivalence(name: &str) -> anyhow::Result<Equivalence> {
    Ok(match name {
        "weak" => Equivalence::Weak,
        "branching" => Equivalence::Branching,
        "divergence-branching" => Equivalence::DivergenceBranching,
        "strong" => Equivalence::Strong,
        "trace" => Equivalence::Trace,
        "weak-trace" => Equivalence::WeakTrace,
        "safety" => Equivalence::Safety,
        other => return Err(Usage(format!("there is no equivalence `{other}`")).into()),
    })
}

/// Builds a single target and writes it to a file.
fn store(
    context: &Context,
    project: &Project,
    command: &str,
    targets: &[String],
    equivalence: Option<Equivalence>,
    output: &Path,
) -> anyhow::Result<Exit> {
    let format = format_of(output, "i")?;
    let target = match targets {
        [] => None,
        [target] => Some(target.as_str()),
        _ => return Err(Usage("only one target can be written to a file".to_owned()).into()),
    };
    match rely_session::build(project, target, equivalence, context.watch.budget()) {
        Err(rely_session::Failed::Errors(findings)) => context
            .fail(&Report::<SizeResult>::new(command, Vec::new(), findings), std::slice::from_ref(project)),
        Err(failed) => super::fail(context, &failed, project),
        Ok(built) => {
            save(&built, format, output)?;
            show(context, project, &Report::new(command, vec![built.size()], built.findings))
        }
    }
}

fn show(context: &Context, project: &Project, report: &Report<SizeResult>) -> anyhow::Result<Exit> {
    if report.has_errors() {
        return context.fail(report, std::slice::from_ref(project));
    }
    if context.global.json {
        context.print_json(report)?;
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(project));
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        print_text(&text)?;
    }
    let exhausted = report.results.iter().any(|result| result.reason.is_some());
    Ok(if exhausted { Exit::Inconclusive } else { Exit::Success })
}

fn line(context: &Context, result: &SizeResult) -> String {
    let target = context.style.bold(&result.target);
    if let Some(reason) = &result.reason {
        return format!("{target}: {}, {reason}\n", context.style.yellow("unknown"));
    }
    let error = if result.error_reachable { ", the error state is reachable" } else { "" };
    let bytes = if context.global.verbose { per_state(result.bytes, result.states) } else { String::new() };
    format!(
        "{target}: {}, {}, {}{error}{bytes}\n",
        counted(result.states, "state"),
        counted(result.transitions, "transition"),
        counted(result.alphabet.len(), "action"),
    )
}
