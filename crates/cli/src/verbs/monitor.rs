//! `rely monitor`

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use rely_base::column_width;
use rely_session::report::{ConformanceResult, Finding, Report};
use rely_session::{Built, Language, Mapping, Project};

use crate::args::Monitor;
use crate::context::{Context, Exit, print_text};
use crate::files;
use crate::render::counted;

pub(crate) fn run(context: &Context, verb: &Monitor) -> anyhow::Result<Exit> {
    if let Some(recording) = &verb.check {
        return check(context, verb, recording);
    }
    super::check_output(context, verb.output.as_deref())?;
    let language =
        Language::ALL.into_iter().find(|language| Some(language.name()) == verb.language.as_deref());
    let language = language.expect("the command line allows these languages only");
    let project = context.open_one(&verb.model.file)?;
    let built = match rely_session::build_single(&project, verb.target.as_deref(), context.watch.budget()) {
        Ok(built) => built,
        Err(failed) => return super::fail_sized(context, &failed, &project),
    };
    // A system without a name of its own has that of its file.
    let is_named = built.target != rely_session::DEFAULT;
    let built = Built { target: if is_named { built.target } else { project.stem().to_owned() }, ..built };
    if let Some(path) = &verb.mapping {
        return watch(context, verb, path, built, project, language);
    }
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

/// Writes a watch of the target and assumptions.
fn watch(
    context: &Context,
    verb: &Monitor,
    mapping: &Path,
    built: Built,
    project: Project,
    language: Language,
) -> anyhow::Result<Exit> {
    let (mapping_file, mapping) = read_mapping(mapping)?;
    let mut projects = vec![project];
    let mapping = match mapping {
        Ok(mapping) => mapping,
        Err(findings) => return Ok(fail(context, findings, &[mapping_file])),
    };
    let mut assumptions = Vec::new();
    for path in &verb.assumption {
        let assumed = files::open(path, &context.watch.patience())?;
        match rely_session::build_single(&assumed, None, context.watch.budget()) {
            Ok(it) => {
                let is_named = it.target != rely_session::DEFAULT;
                let target = if is_named { it.target } else { assumed.stem().to_owned() };
                assumptions.push(Built { target, ..it });
            }
            Err(failed) => return super::fail_sized(context, &failed, &assumed),
        }
        projects.push(assumed);
    }
    let written = rely_session::watch(&built, &assumptions, &mapping, &mapping_file, language);
    let text = match written {
        Ok(text) => text,
        Err(findings) => {
            projects.push(mapping_file);
            return Ok(fail(context, findings, &projects));
        }
    };
    match &verb.output {
        None => print_text(&text)?,
        Some(path) => {
            context.write(path, |out| {
                out.write_all(text.as_bytes()).map_err(|error| anyhow!(error).to_string())
            })?;
            note_name(context, path, &rely_session::watch_file(&built, language), language);
        }
    }
    super::report_written(context, built, &projects[0])
}

/// A mapping, and the file that it is read from. No language is asked about it: only its text and its places are used.
fn read_mapping(path: &Path) -> anyhow::Result<(Project, Result<Mapping, Vec<Finding>>)> {
    let text = String::from_utf8_lossy(&files::read(path)?).into_owned();
    let file = Project::new(files::name_of(path), text, Box::new(|_| Err("no imports".into())));
    let read = rely_session::read_mapping(&file);
    Ok((file, read))
}

/// Says where a recorded execution leaves the target.
fn check(context: &Context, verb: &Monitor, recording: &Path) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let text = files::read_text(recording, &context.watch.patience(), files::weight_of_json)?;
    let text = String::from_utf8_lossy(&text);
    let mut projects = vec![project];
    let mut mapping = None;
    if let Some(path) = &verb.mapping {
        let (file, read) = read_mapping(path)?;
        projects.push(file);
        match read {
            Ok(read) => mapping = Some(read),
            Err(findings) => return Ok(fail(context, findings, &projects)),
        }
    }
    let recording = match rely_session::read_recording(&files::name_of(recording), &text, mapping.as_ref()) {
        Ok(recording) => recording,
        Err(findings) => return Ok(fail(context, findings, &projects)),
    };
    let built = match rely_session::build_single(&projects[0], verb.target.as_deref(), context.watch.budget())
    {
        Ok(built) => built,
        Err(failed) => return super::fail_sized(context, &failed, &projects[0]),
    };
    let report = match rely_session::conforms(&built, &recording, mapping.as_ref(), &context.watch.budget()) {
        Ok(report) => report,
        Err(exhausted) => {
            context.stop(&exhausted.to_string());
            return Ok(Exit::Inconclusive);
        }
    };
    let [result] = &report.results[..] else { return Ok(context.fail(&report, &projects)) };
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, &projects);
        context.print(&shown(result))?;
    }
    Ok(Exit::of_verdicts(&[result.verdict]))
}

fn fail(context: &Context, findings: Vec<Finding>, projects: &[Project]) -> Exit {
    context.fail(&Report::<ConformanceResult>::new(context.command, Vec::new(), findings), projects)
}

/// The verdict; and, if the execution leaves the target, what happened up to there, with a lane for each thread.
fn shown(result: &ConformanceResult) -> String {
    let (Some(step), Some(reason)) = (result.step, &result.reason) else {
        let others = match result.others {
            0 => String::new(),
            others => format!("; the mapping has nothing about {}", counted(others, "other span")),
        };
        return format!("{}: allows all {}{others}\n", result.target, counted(result.events, "event"));
    };
    let mut threads: Vec<&str> = Vec::new();
    for it in &result.steps {
        if !threads.contains(&&*it.thread) {
            threads.push(&it.thread);
        }
    }
    let width = |thread: &str| {
        let own = result.steps.iter().filter(|it| it.thread == thread);
        column_width(own.map(|it| it.action.as_str()).chain([thread]))
    };
    let widths: Vec<usize> = threads.iter().map(|thread| width(thread)).collect();
    let line = |number: &str, cells: Vec<&str>| {
        let cells: String =
            cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:width$}")).collect();
        format!("{number:>6}{}\n", cells.trim_end())
    };
    let mut text = format!("{}: step {step}, {reason}\n{}", result.target, line("", threads.clone()));
    for (i, it) in result.steps.iter().enumerate() {
        let cells = threads.iter().map(|thread| if *thread == it.thread { &*it.action } else { "" });
        text.push_str(&line(&(i + 1).to_string(), cells.collect()));
    }
    text
}

/// Says under which name a language wants the file, where it does.
fn note_name(context: &Context, path: &Path, wanted: &str, language: Language) {
    let is_wanted = path.file_name().is_some_and(|name| name == wanted);
    if matches!(language, Language::Java) && !is_wanted {
        context.remark(format_args!("javac wants {} to be called {wanted}", path.display()));
    }
}
