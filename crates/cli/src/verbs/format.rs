//! `rely format`

use std::io::Write;
use std::path::Path;

use rely_session::{Project, review};

use super::check_no_json;
use crate::args::Format;
use crate::context::{Context, Exit, print_text, say};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Format) -> anyhow::Result<Exit> {
    check_no_json(context, "a layout has no fields")?;
    let mut exit = Exit::Success;
    for path in files::models(&verb.files)? {
        let project = files::open(&path, &context.watch.patience())?;
        let has_been_named = verb.files.contains(&path);
        match (project.formatted(), path == Path::new("-")) {
            (Some(text), true) => print_text(&text)?,
            (Some(text), false) if text == project.text() => {}
            (Some(_), false) if verb.check => {
                context.print(&format!("{} would change\n", path.display()))?;
                exit = Exit::Violated;
            }
            (Some(text), false) => {
                context
                    .write(&path, |out| out.write_all(text.as_bytes()).map_err(|error| error.to_string()))?;
                context.remark(format_args!("{}: written in its usual layout", path.display()));
            }
            (None, _) if project.names().is_some() => {
                refuse(context, &project);
                exit = Exit::Errors;
            }
            // In a folder, files without a layout are none of those that are meant.
            (None, _) if has_been_named => {
                say(format_args!("rely: {}: this language has no usual layout yet", path.display()));
                exit = Exit::Errors;
            }
            (None, _) => {}
        }
    }
    Ok(exit)
}

/// Says what is wrong with a text that is not touched.
fn refuse(context: &Context, project: &Project) {
    let findings = review(project, context.watch.budget());
    context.show_findings(&findings, std::slice::from_ref(project));
    say(format_args!("rely: {}: left as it is, since it has mistakes", project.name()));
}
