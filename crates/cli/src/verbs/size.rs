//! `rely compose` and `rely minimise`

use std::path::Path;

use rely_session::report::{Report, SizeResult};
use rely_session::{ComposeQuery, Equivalence, Failed, MinimiseQuery, Modulo, Project};

use super::convert::{format_of, save};
use crate::args::{Compose, Minimise};
use crate::context::{Context, Exit, Usage};
use crate::render::{counted, per_state};

pub(crate) fn compose(context: &Context, verb: &Compose) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    match &verb.output {
        None => {
            let query = ComposeQuery {
                targets: verb.target.clone(),
                all_targets: verb.all_targets,
                diagram: verb.diagram,
            };
            let report = rely_session::compose(&project, &query, context.watch.budget());
            show(context, &project, &report)
        }
        Some(output) => store(context, &project, "compose", &verb.target, None, output),
    }
}

pub(crate) fn minimise(context: &Context, verb: &Minimise) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let modulo = modulo(verb.equivalence.as_deref())?;
    match &verb.output {
        None => {
            let query = MinimiseQuery { targets: verb.target.clone(), all_targets: verb.all_targets, modulo };
            let report = rely_session::minimise(&project, &query, context.watch.budget());
            show(context, &project, &report)
        }
        Some(output) => store(context, &project, "minimise", &verb.target, Some(modulo), output),
    }
}

/// What is meant by the name of an equivalence, or by none.
fn modulo(name: Option<&str>) -> anyhow::Result<Modulo> {
    let Some(name) = name else { return Ok(Modulo::Usual) };
    match Equivalence::from_name(name) {
        Some(equivalence) => Ok(Modulo::Chosen(equivalence)),
        None => Err(Usage(format!("there is no equivalence `{name}`")).into()),
    }
}

/// Builds a single target and writes it to a file.
fn store(
    context: &Context,
    project: &Project,
    command: &str,
    targets: &[String],
    modulo: Option<Modulo>,
    output: &Path,
) -> anyhow::Result<Exit> {
    let format = format_of(output, "i")?;
    let target = match targets {
        [] => None,
        [target] => Some(target.as_str()),
        _ => return Err(Usage("only one target can be written to a file".to_owned()).into()),
    };
    match rely_session::build(project, target, modulo, context.watch.budget()) {
        Err(Failed::Unfinished(size, findings)) => {
            show(context, project, &Report::new(command, vec![*size], findings))
        }
        Err(failed) => super::fail(context, &failed, project),
        Ok(mut built) => {
            save(context, &built, format, output)?;
            built.findings.extend(built.lost(format, &output.display().to_string()));
            show(context, project, &Report::new(command, vec![built.size()], built.findings))
        }
    }
}

fn show(context: &Context, project: &Project, report: &Report<SizeResult>) -> anyhow::Result<Exit> {
    if report.has_errors() {
        return Ok(context.fail(report, std::slice::from_ref(project)));
    }
    if context.global.json {
        context.answer(report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(project));
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        context.print(&text)?;
    }
    let exhausted = report.results.iter().any(|result| result.reason.is_some());
    Ok(if exhausted { Exit::Inconclusive } else { Exit::Success })
}

fn line(context: &Context, result: &SizeResult) -> String {
    let target = context.style.bold(&result.target);
    if let Some(reason) = &result.reason {
        return format!("{target}: {}, {reason}\n", context.style.yellow("unknown"));
    }
    let error = if result.error_reachable == Some(true) { ", the error state is reachable" } else { "" };
    let bytes = if context.global.verbose { per_state(result.bytes, result.states) } else { String::new() };
    format!(
        "{target}: {}, {}, {}{error}{bytes}\n",
        counted(result.states, "state"),
        counted(result.transitions, "transition"),
        counted(result.alphabet.as_ref().map_or(0, Vec::len), "action"),
    )
}
