//! `rely draw`

use std::io::Write;

use rely_session::{Equivalence, Format};

use crate::args::Draw;
use crate::context::{Context, Exit, Usage, print_text};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Draw) -> anyhow::Result<Exit> {
    let ending = verb.output.as_ref().and_then(|path| path.extension()).and_then(std::ffi::OsStr::to_str);
    let dot = match (ending, &verb.output) {
        (Some("svg"), _) | (None, None) => false,
        (Some("dot" | "gv"), _) => true,
        _ => return Err(Usage("a picture is written as .svg or .dot".to_owned()).into()),
    };
    let project = context.open_one(&verb.model.file)?;
    let equivalence = verb.minimise.then_some(Equivalence::Weak);
    let built =
        match rely_session::build(&project, verb.target.as_deref(), equivalence, context.watch.budget()) {
            Ok(built) => built,
            Err(failed) => return super::fail(context, &failed, &project),
        };
    context.show_findings(&built.findings, std::slice::from_ref(&project));
    if let (true, Some(path)) = (dot, &verb.output) {
        files::write(path, |out| rely_session::write(&built, Format::Dot, out))?;
        return Ok(Exit::Success);
    }
    match (rely_session::draw(&built), &verb.output) {
        (Ok(picture), None) => print_text(&picture)?,
        (Ok(picture), Some(path)) => {
            files::write(path, |out| out.write_all(picture.as_bytes()).map_err(|error| error.to_string()))?;
        }
        (Err(reason), _) => {
            let advice = match verb.minimise {
                true => "draw a single process with --target",
                false => "draw a single process with --target, or try --minimise",
            };
            eprintln!("rely: {}: {reason}; {advice}", built.target);
            return Ok(Exit::Inconclusive);
        }
    }
    Ok(Exit::Success)
}
