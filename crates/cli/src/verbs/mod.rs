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
pub(crate) mod install;
pub(crate) mod merge;
pub(crate) mod monitor;
pub(crate) mod refines;
pub(crate) mod retrieve;
pub(crate) mod schema;
pub(crate) mod simulate;
pub(crate) mod size;
pub(crate) mod study;
pub(crate) mod verify;

use rely_session::{Failed, Project};

use crate::context::{Context, Exit, Usage};

/// Shows why a target could not be built.
fn fail(context: &Context, failed: &Failed, project: &Project) -> anyhow::Result<Exit> {
    match failed {
        Failed::Errors(findings) => {
            context.show_findings(findings, std::slice::from_ref(project));
            Ok(Exit::Errors)
        }
        Failed::Exhausted(exhausted, findings) => {
            context.show_findings(findings, std::slice::from_ref(project));
            eprintln!("rely: {exhausted}");
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
