//! `rely convert`

use std::path::Path;

use rely_session::{Built, Format, Tau};

use crate::args::Convert;
use crate::context::{Context, Exit, Usage};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Convert) -> anyhow::Result<Exit> {
    let format = format_of(&verb.output, &verb.tau)?;
    let project = context.open_one(&verb.model.file)?;
    match rely_session::build(&project, verb.target.as_deref(), None, context.watch.budget()) {
        Err(failed) => super::fail(context, &failed, &project),
        Ok(built) => {
            context.show_findings(&built.findings, std::slice::from_ref(&project));
            save(&built, format, &verb.output)?;
            note_lost(context, &built, Some(format), &verb.output);
            Ok(Exit::Success)
        }
    }
}

/// The format that the ending of a file stands for.
pub(super) fn format_of(path: &Path, tau: &str) -> anyhow::Result<Format> {
    let tau = if tau == "tau" { Tau::Mcrl2 } else { Tau::Cadp };
    match path.extension().and_then(std::ffi::OsStr::to_str) {
        Some("aut") => Ok(Format::Aut(tau)),
        Some("dot" | "gv") => Ok(Format::Dot),
        Some("json") => Ok(Format::Json),
        Some("fsp" | "lts") => Ok(Format::Fsp),
        _ => Err(Usage(format!(
            "the ending of {} says no format: use .aut, .dot, .json or .fsp (pictures: rely draw)",
            path.display()
        ))
        .into()),
    }
}

pub(super) fn save(built: &Built, format: Format, path: &Path) -> anyhow::Result<()> {
    files::write(path, |out| rely_session::write(built, format, out))
}

/// Says which actions of an interface automaton are lost, where a format has no place for them.
pub(super) fn note_lost(context: &Context, built: &Built, format: Option<Format>, path: &Path) {
    let lost = format.map(|format| built.lost(format)).unwrap_or_default();
    if !lost.is_empty() && !context.global.quiet {
        let (path, lost) = (path.display(), lost.join(", "));
        eprintln!("rely: {path} has no place for actions that are never taken: {lost}; .json and .fsp have");
    }
}
