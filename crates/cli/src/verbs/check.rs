//! `rely check`

use std::io::Write;
use std::path::Path;

use rely_session::report::{CheckResult, Finding};
use rely_session::{CheckQuery, Constraints, Engine, Failed, Gate, Memory, Outside, Project, Spin};

use super::certify::{save, warn_of_none};
use super::explanation;
use crate::again;
use crate::args::Check;
use crate::cache::Cache;
use crate::context::{Context, Exit, Usage};
use crate::gate;
use crate::render::trace::Columns;
use crate::render::verdict::{self, Detail};
use crate::spin::Installed;

pub(crate) fn run(context: &Context, verb: &Check) -> anyhow::Result<Exit> {
    if verb.coverage && !verb.only.is_empty() && !verb.only.iter().any(|kind| kind == "safety") {
        let message =
            "--coverage goes with the answer about safety: add that to --only, or leave out --coverage";
        return Err(Usage(message.to_owned()).into());
    }
    explanation::check(verb.explanation.as_deref())?;
    if verb.watch {
        let named = [Some(&*verb.model.file), verb.properties.properties.as_deref()];
        let named: Vec<&Path> = named.into_iter().flatten().collect();
        if named.contains(&Path::new("-")) {
            return Err(Usage("standard input does not change: --watch needs a file".to_owned()).into());
        }
        return again::and_again(context, &named);
    }
    let project = context.open_with(&verb.model, &verb.properties)?;
    let query = CheckQuery {
        targets: verb.target.clone(),
        all_targets: verb.all_targets,
        only: verb.only.clone(),
        no_reduction: verb.no_reduction,
        coverage: verb.coverage,
        fairness: verb.fairness.map(Into::into),
        environment: verb.environment.into(),
        window: super::mine::window(verb.window),
        engine: engine(&verb.engine),
        constraints: constraints(&verb.constraints),
        traces: verb.traces.get(),
    };
    let spin = match query.engine {
        Engine::Spin => Some(Installed::find(verb.promela.as_deref()).map_err(Usage)?),
        _ => None,
    };
    let cache = match query.environment.has_rules() {
        true => Cache::open(&verb.kept, &context.watch.patience())?,
        false if verb.kept.is_wanted() => {
            let message = "mined rules are what is kept here: --cache goes with --environment mined or mixed";
            return Err(Usage(message.to_owned()).into());
        }
        false => None,
    };
    let outside = Outside {
        spin: spin.as_ref().map(|installed| installed as &dyn Spin),
        memory: cache.as_ref().map(|cache| cache as &dyn Memory),
    };
    let report = rely_session::check_with(&project, &query, outside, context.watch.budget())?;
    if let Some(cache) = &cache {
        cache.warn();
    }
    gate::write(context, &verb.reports, &Gate::of_check(&project, &report))?;
    if report.has_errors() {
        return Ok(context.fail(&report, std::slice::from_ref(&project)));
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let detail = Detail {
            style: context.style,
            quiet: context.global.quiet,
            verbose: context.global.verbose,
            columns: if verb.lanes { Columns::Lanes } else { Columns::Names },
            hidden: &verb.hide,
        };
        let text: String = verdict::render_all(&report.results, detail);
        for answers in report.results.chunk_by(|one, next| one.target == next.target) {
            let warned = answers.iter().map(|answer| (verdict::question(answer), &answer.warnings[..]));
            context.warn_of_all(&answers[0].target, &warned.collect::<Vec<_>>());
        }
        context.print(&text)?;
    }
    let is_doubtful = context.weighed(&report.diagnostics).iter().any(Finding::questions_verdicts)
        || report.results.iter().any(|result| !result.warnings.is_empty());
    let verdicts = report.results.iter().map(|result| (result.verdict, result.expected));
    let exit = Exit::of_expected(verdicts).unless_strict(verb.strict, is_doubtful);
    if let Some(path) = &verb.chart {
        draw_chart(context, &report.results, path)?;
    }
    let exit = match &verb.certificate {
        Some(path) => write_certificate(context, &project, &report.results, path, exit)?,
        None => exit,
    };
    let asked = explanation::Asked {
        project: &project,
        file: &verb.model.file,
        certificate: verb.certificate.as_deref(),
    };
    explanation::save(context, verb.explanation.as_deref(), asked, |origin, format| {
        rely_session::check_page(&report.results, origin, format)
    })?;
    Ok(exit)
}

/// Draws the first trace that there is.
fn draw_chart(context: &Context, results: &[CheckResult], path: &Path) -> anyhow::Result<()> {
    match results.iter().find(|result| !result.steps.is_empty() || !result.cycle_steps.is_empty()) {
        Some(result) => {
            let chart = rely_session::chart(result);
            context.write(path, |out| out.write_all(chart.as_bytes()).map_err(|error| error.to_string()))
        }
        None => {
            context.remark(format_args!("{} is not written: there is no trace to draw", path.display()));
            Ok(())
        }
    }
}

fn engine(word: &str) -> Engine {
    match word {
        "flow" => Engine::Flow,
        "exact" | "own" => Engine::Exact,
        "spin" => Engine::Spin,
        _ => Engine::Auto,
    }
}

/// A variable or task that is called `auto` or `none` is meant where the word begins with a capital letter.
pub(super) fn constraints(words: &[String]) -> Constraints {
    match words {
        [word] if word == "auto" => Constraints::Auto,
        [word] if word == "none" => Constraints::None,
        names => Constraints::Named(names.iter().map(|name| name.to_lowercase()).collect()),
    }
}

/// Writes a certificate of what holds; where a limit is met, everything that holds goes without one.
fn write_certificate(
    context: &Context,
    project: &Project,
    results: &[CheckResult],
    path: &Path,
    exit: Exit,
) -> anyhow::Result<Exit> {
    match rely_session::certificate(project, results, context.watch.budget()) {
        Ok(certificate) => {
            save(context, path, &certificate)?;
            Ok(exit)
        }
        Err(Failed::Exhausted(exhausted, _)) => {
            warn_of_none(context, path, &exhausted.to_string());
            Ok(if exit == Exit::Violated { exit } else { Exit::Inconclusive })
        }
        Err(failed) => super::fail(context, &failed, project),
    }
}
