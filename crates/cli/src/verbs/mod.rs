//! The verbs, one file each.

pub(crate) mod assume;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod compatible;
pub(crate) mod contract;
pub(crate) mod convert;
pub(crate) mod decompose;
pub(crate) mod draw;
pub(crate) mod explain;
mod explanation;
pub(crate) mod format;
pub(crate) mod harness;
pub(crate) mod install;
pub(crate) mod merge;
pub(crate) mod mine;
pub(crate) mod monitor;
pub(crate) mod refines;
pub(crate) mod repository;
pub(crate) mod retrieve;
pub(crate) mod schema;
pub(crate) mod simulate;
pub(crate) mod size;
pub(crate) mod study;
pub(crate) mod verify;

use rely_session::report::{Report, SizeResult};
use rely_session::{Built, Failed, Project};

use crate::context::{Context, Exit, Usage, say};

/// Shows why a target could not be built.
fn fail(context: &Context, failed: &Failed, project: &Project) -> anyhow::Result<Exit> {
    fail_among(context, failed, std::slice::from_ref(project))
}

/// Shows why something that is made of several texts could not be.
fn fail_among(context: &Context, failed: &Failed, projects: &[Project]) -> anyhow::Result<Exit> {
    match failed {
        Failed::Errors(findings) => {
            context.show_findings(findings, projects);
            Ok(Exit::Errors)
        }
        Failed::Exhausted(exhausted, findings) => {
            context.show_findings(findings, projects);
            context.stop(&exhausted.to_string());
            Ok(Exit::Inconclusive)
        }
        Failed::Unfinished(size, findings) => {
            context.show_findings(findings, projects);
            context.stop(&why_unfinished(size));
            Ok(Exit::Inconclusive)
        }
        Failed::Ambiguous(targets) => {
            let example = targets.first().map(String::as_str).unwrap_or_default();
            Err(Usage(format!(
                "the file has several targets ({}): choose one, such as --target {example}",
                targets.join(", ")
            ))
            .into())
        }
    }
}

/// The same for a verb that makes a file of a target: with `--json`, what was learned until a limit was met is a result.
fn fail_sized(context: &Context, failed: &Failed, project: &Project) -> anyhow::Result<Exit> {
    match failed {
        Failed::Unfinished(size, findings) if context.global.json => {
            context.answer(&Report::new(context.command, vec![SizeResult::clone(size)], findings.clone()));
            say(format_args!("rely: {}", why_unfinished(size)));
            Ok(Exit::Inconclusive)
        }
        _ => fail(context, failed, project),
    }
}

/// Which target could not be built, and why.
fn why_unfinished(size: &SizeResult) -> String {
    format!("{}: {}", size.target, size.reason.as_deref().unwrap_or("a limit was met"))
}

/// Says what was made a file of.
fn report_written(context: &Context, built: Built, project: &Project) -> anyhow::Result<Exit> {
    match context.global.json {
        true => context.answer(&Report::new(context.command, vec![built.size()], built.findings)),
        false => context.show_findings(&built.findings, std::slice::from_ref(project)),
    }
    Ok(Exit::Success)
}

/// With `--json`, standard output holds an object, so that what a verb makes has to go to a file.
fn check_output(context: &Context, output: Option<&std::path::Path>) -> anyhow::Result<()> {
    match (context.global.json, output) {
        (true, None) => {
            let message = "with --json, standard output is for the object: give a file with -o";
            Err(Usage(message.to_owned()).into())
        }
        _ => Ok(()),
    }
}

/// With `--json`, standard output holds an object of the contract, so that a verb which prints something else has none.
fn check_no_json(context: &Context, why: &str) -> anyhow::Result<()> {
    match context.global.json {
        true => Err(Usage(format!("{why}: rely {} has no --json", context.command)).into()),
        false => Ok(()),
    }
}
