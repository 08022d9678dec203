//! `rely monitor`

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use rely_session::{Built, Language};

use crate::args::Monitor;
use crate::context::{Context, Exit, print_text};

pub(crate) fn run(context: &Context, verb: &Monitor) -> anyhow::Result<Exit> {
    super::check_output(context, verb.output.as_deref())?;
    let language = Language::ALL.into_iter().find(|language| language.name() == verb.language);
    let language = language.expect("the command line allows these languages only");
    let project = context.open_one(&verb.model.file)?;
    let built = match rely_session::build_single(&project, verb.target.as_deref(), context.watch.budget()) {
        Ok(built) => built,
        Err(failed) => return super::fail_sized(context, &failed, &project),
    };
    // A system without a name of its own has that of its file.
    let is_named = built.target != rely_session::DEFAULT;
    let built = Built { target: if is_named { built.target } else { project.stem().to_owned() }, ..built };
    let text = match rely_session::monitor(&built, language) {
        Ok(text) => text,
        Err(reason) => {
            context.show_findings(&built.findings, std::slice::from_ref(&project));
            return Err(anyhow!("{}: {reason}", built.target));
        }
    };
    match &verb.output {
        None => print_text(&text)?,
        Some(path) => {
            context.write(path, |out| {
                out.write_all(text.as_bytes()).map_err(|error| anyhow!(error).to_string())
            })?;
            note_name(context, path, &rely_session::monitor_file(&built, language), language);
        }
    }
    super::report_written(context, built, &project)
}

/// Says under which name a language wants the file, where it does.
fn note_name(context: &Context, path: &Path, wanted: &str, language: Language) {
    let is_wanted = path.file_name().is_some_and(|name| name == wanted);
    if matches!(language, Language::Java) && !is_wanted {
        context.remark(format_args!("javac wants {} to be called {wanted}", path.display()));
    }
}
