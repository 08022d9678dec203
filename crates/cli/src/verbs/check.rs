//! `rely check`

use rely_session::CheckQuery;

use crate::args::Check;
use crate::context::{Context, Exit, print_text};
use crate::files;
use crate::render::verdict::{self, Detail};

pub(crate) fn run(context: &Context, verb: &Check) -> anyhow::Result<Exit> {
    let project = files::open(&verb.model.file)?;
    let query = CheckQuery { targets: verb.target.clone(), only: verb.only.clone() };
    let report = rely_session::check(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return context.fail(&report, project.text());
    }
    if context.global.json {
        context.print_json(&report)?;
    } else {
        context.show_findings(&report.diagnostics, project.text());
        let detail = Detail {
            style: context.style,
            quiet: context.global.quiet,
            verbose: context.global.verbose,
            lanes: verb.lanes,
        };
        let text: String = report.results.iter().map(|result| verdict::render(result, detail)).collect();
        print_text(&text)?;
    }
    Ok(Exit::of_verdicts(report.results.iter().map(|result| result.verdict)))
}
