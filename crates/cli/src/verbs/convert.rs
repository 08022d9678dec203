//! `rely convert`

use std::path::Path;

use rely_session::{Built, Format, Tau};

use crate::args::Convert;
use crate::context::{Context, Exit, Usage};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Convert) -> anyhow::Result<Exit> {
    let format = format_of(&verb.output, verb.tau.as_deref().unwrap_or("i"))?;
    if verb.tau.is_some() && !matches!(format, Format::Aut(_)) {
        return Err(
            Usage("only .aut has a choice of names for the silent action: leave out --tau".into()).into()
        );
    }
    let project = context.open_one(&verb.model.file)?;
    match rely_session::build(&project, verb.target.as_deref(), None, context.watch.budget()) {
        Err(failed) => super::fail_sized(context, &failed, &project),
        Ok(mut built) => {
            save(context, &built, format, &verb.output)?;
            built.findings.extend(built.lost(format, &verb.output.display().to_string()));
            super::report_written(context, built, &project)
        }
    }
}

/// The format that the ending of a file stands for.
pub(super) fn format_of(path: &Path, tau: &str) -> anyhow::Result<Format> {
    let tau = if tau == "tau" { Tau::Mcrl2 } else { Tau::Cadp };
    match &*files::ending_of(path) {
        "aut" => Ok(Format::Aut(tau)),
        "dot" | "gv" => Ok(Format::Dot),
        "fsm" => Ok(Format::Fsm),
        "json" => Ok(Format::Json),
        "fsp" | "lts" => Ok(Format::Fsp),
        _ => Err(Usage(format!(
            "the ending of {} says no format: use .aut, .dot, .fsm, .json or .fsp (pictures: rely draw)",
            path.display()
        ))
        .into()),
    }
}

pub(super) fn save(context: &Context, built: &Built, format: Format, path: &Path) -> anyhow::Result<()> {
    context.write(path, |out| rely_session::write(built, format, out))
}

/// Warns of what is lost, where a format has no place for it.
pub(super) fn note_lost(context: &Context, built: &Built, format: Option<Format>, path: &Path) {
    let lost = format.and_then(|format| built.lost(format, &path.display().to_string()));
    context.show_findings(&lost.into_iter().collect::<Vec<_>>(), &[]);
}
