//! `rely draw`

use std::io::Write;
use std::path::Path;

use rely_session::report::{Report, SizeResult, TraceStep};
use rely_session::{Format, Modulo, Project, WalkQuery};

use super::simulate::{impossible_trace, trace_of};
use crate::args::Draw;
use crate::context::{Context, Exit, Usage, print_text, say};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Draw) -> anyhow::Result<Exit> {
    super::check_output(context, verb.output.as_deref())?;
    let ending = verb.output.as_deref().map(files::ending_of);
    if let Some(view) = &verb.view {
        return animate(context, verb, view, ending.as_deref());
    }
    let dot = match ending.as_deref() {
        Some("svg") | None => false,
        Some("dot" | "gv") => true,
        Some(_) => return Err(Usage("a picture is written as .svg or .dot".to_owned()).into()),
    };
    if dot && verb.trace.is_some() {
        return Err(Usage("a trace stands out in a picture that is written as .svg".to_owned()).into());
    }
    if dot && verb.diagram {
        return Err(Usage("a diagram is written as .svg".to_owned()).into());
    }
    let project = context.open_one(&verb.model.file)?;
    let modulo = verb.minimise.then_some(Modulo::Usual);
    let (target, budget) = (verb.target.as_deref(), context.watch.budget());
    let built = match verb.flow {
        true => rely_session::flow_graph(&project, target, budget),
        false if verb.diagram => rely_session::diagram(&project, target, budget),
        false => rely_session::build(&project, target, modulo, budget),
    };
    let built = match built {
        Ok(built) => built,
        Err(failed) => return super::fail_sized(context, &failed, &project),
    };
    if let (true, Some(path)) = (dot, &verb.output) {
        context.write(path, |out| rely_session::write(&built, Format::Dot, out))?;
        return super::report_written(context, built, &project);
    }
    let picture = match verb.trace.as_deref() {
        None => match verb.around {
            None => rely_session::draw(&built),
            Some(steps) => rely_session::draw_around(&built, steps),
        },
        Some(path) => {
            let actions = trace_of(context, path, &built.target)?;
            match rely_session::draw_run(&built, &actions, verb.around) {
                Ok(picture) => picture,
                Err(step) => {
                    let finding = impossible_trace(path, step, &actions);
                    context.show_findings(&[finding], &[]);
                    return Ok(Exit::Errors);
                }
            }
        }
    };
    match (picture, &verb.output) {
        (Ok(picture), None) => print_text(&picture)?,
        (Ok(picture), Some(path)) => {
            context
                .write(path, |out| out.write_all(picture.as_bytes()).map_err(|error| error.to_string()))?;
        }
        (Err(reason), _) => {
            let advice = match (verb.minimise, verb.around) {
                (_, Some(_)) => "try fewer steps with --around",
                (true, None) => {
                    "draw a single process with --target, or --around 3 for the states near the start"
                }
                (false, None) => {
                    "draw a single process with --target, or --around 3 for the states near the start, or try --minimise"
                }
            };
            let reason = format!("{reason}; {advice}");
            match context.global.json {
                true => {
                    let size = SizeResult { reason: Some(reason), ..built.size() };
                    context.answer(&Report::new("draw", vec![size], built.findings));
                }
                false => {
                    context.show_findings(&built.findings, std::slice::from_ref(&project));
                    say(format_args!("rely: {}: {reason}", built.target));
                }
            }
            return Ok(Exit::Inconclusive);
        }
    }
    super::report_written(context, built, &project)
}

/// Writes a film: a run in a picture that somebody drew.
fn animate(context: &Context, verb: &Draw, view: &Path, ending: Option<&str>) -> anyhow::Result<Exit> {
    if !matches!(ending, None | Some("html" | "htm")) {
        return Err(Usage("with --view, the animation is written as .html".to_owned()).into());
    }
    super::check_no_json(context, "an animation is a page, and nothing is counted")?;
    let text_of = |path: &Path| -> anyhow::Result<Project> {
        let text = String::from_utf8_lossy(&files::read(path)?).into_owned();
        Ok(Project::new(files::name_of(path), text, Box::new(|_| Err("no imports".into()))))
    };
    let project = context.open_one(&verb.model.file)?;
    let view_file = text_of(view)?;
    let name = rely_session::picture_of(&view_file).unwrap_or_default();
    // A view that names no picture has a mistake, which is found before the picture is missed.
    let picture = match name.is_empty() {
        true => Project::new(name, String::new(), Box::new(|_| Err("no imports".into()))),
        false => text_of(&view.with_file_name(name))?,
    };
    let budget = context.watch.budget();
    let mut query = WalkQuery { target: verb.target.clone(), ..WalkQuery::default() };
    if let Some(path) = &verb.trace {
        let actions = trace_of(context, path, verb.target.as_deref().unwrap_or_default())?;
        query.trace = actions.into_iter().map(|action| TraceStep::plain(action, Vec::new())).collect();
    }
    let animated = rely_session::animate(&project, &view_file, Ok(&picture), &query, budget);
    let projects = [project, view_file, picture];
    let animation = match animated {
        Ok(animation) => animation,
        Err(failed) => return super::fail_among(context, &failed, &projects),
    };
    if let (Some(path), true) = (&verb.trace, animation.walk.left_out > 0) {
        let actions: Vec<String> = query.trace.into_iter().map(|step| step.action).collect();
        let finding = impossible_trace(path, actions.len() - animation.walk.left_out, &actions);
        context.show_findings(&[finding], &[]);
        return Ok(Exit::Errors);
    }
    let film = rely_session::film(&animation);
    match &verb.output {
        None => print_text(&film)?,
        Some(path) => {
            context.write(path, |out| out.write_all(film.as_bytes()).map_err(|error| error.to_string()))?;
        }
    }
    Ok(Exit::Success)
}
