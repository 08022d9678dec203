//! `rely retrieve`

use rely_session::report::{RetrieveResult, Verdict};

use crate::args::Retrieve;
use crate::context::{Context, Exit, print_text};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Retrieve) -> anyhow::Result<Exit> {
    let assumption = files::open(&verb.assumption)?;
    let built = match rely_session::build(&assumption, None, None, context.watch.budget()) {
        Ok(built) => built,
        Err(failed) => return super::fail(context, &failed, &assumption),
    };
    let projects = verb.files.iter().map(|path| files::open(path)).collect::<Result<Vec<_>, _>>()?;
    let report = rely_session::retrieve(&built, &projects, &verb.target, context.watch.budget())?;
    if context.global.json {
        context.print_json(&report)?;
    } else {
        for project in &projects {
            let own: Vec<_> = report
                .diagnostics
                .iter()
                .filter(|finding| finding.file == project.name())
                .cloned()
                .collect();
            context.show_findings(&own, std::slice::from_ref(&project));
        }
        let elsewhere: Vec<_> =
            report.diagnostics.iter().filter(|finding| finding.file.is_empty()).cloned().collect();
        context.show_findings(&elsewhere, std::slice::from_ref(&assumption));
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        print_text(&text)?;
    }
    let any = |verdict: Verdict| report.results.iter().any(|result| result.verdict == verdict);
    Ok(match (report.has_errors(), any(Verdict::Holds), any(Verdict::Unknown)) {
        (true, _, _) => Exit::Errors,
        (_, true, _) => Exit::Success,
        (_, false, true) => Exit::Inconclusive,
        (_, false, false) => Exit::Violated,
    })
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
            format!("{name}: {} the assumption by {}\n", style.red("breaks"), result.trace.join(", "))
        }
        Verdict::Unknown => {
            let reason = result.reason.as_deref().unwrap_or_default();
            format!("{name}: {}, {reason}\n", style.yellow("unknown"))
        }
    }
}
