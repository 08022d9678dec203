//! `rely check`

use std::path::Path;

use rely_session::report::CheckResult;
use rely_session::{CheckQuery, Project};

use crate::args::Check;
use crate::context::{Context, Exit, print_text};
use crate::files;
use crate::render::trace::Columns;
use crate::render::verdict::{self, Detail};

pub(crate) fn run(context: &Context, verb: &Check) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let query = CheckQuery {
        targets: verb.target.clone(),
        only: verb.only.clone(),
        no_reduction: verb.no_reduction,
        coverage: verb.coverage,
    };
    let report = rely_session::check(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return context.fail(&report, std::slice::from_ref(&project));
    }
    if context.global.json {
        context.print_json(&report)?;
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let detail = Detail {
            style: context.style,
            quiet: context.global.quiet,
            verbose: context.global.verbose,
            columns: if verb.lanes { Columns::Lanes } else { Columns::Names },
        };
        let text: String = report.results.iter().map(|result| verdict::render(result, detail)).collect();
        for result in &report.results {
            context.warn(&verdict::subject(result), &result.warnings);
        }
        print_text(&text)?;
    }
    let verdicts: Vec<_> = report.results.iter().map(|result| result.verdict).collect();
    let exit = Exit::of_verdicts(&verdicts);
    match &verb.certificate {
        Some(path) => write_certificate(context, &project, &report.results, path, exit),
        None => Ok(exit),
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
            if certificate.claims.is_empty() && !context.global.quiet {
                eprintln!("rely: nothing holds, so the certificate claims nothing");
            }
            files::write(path, |out| certificate.write(out).map_err(|error| error.to_string()))?;
            Ok(exit)
        }
        Err(failed) => {
            eprintln!("rely: no certificate is written");
            let failure = super::fail(context, &failed, project)?;
            Ok(if exit == Exit::Violated { exit } else { failure })
        }
    }
}
