//! `rely harness`

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rely_session::report::HarnessResult;
use rely_session::{Explorer, HARNESS_MARK, HarnessQuery, Project, source_digest};

use crate::args::Harness;
use crate::context::{Context, Exit, Usage};
use crate::files;
use crate::render::counted;

/// The assumption that is computed.
const LEARNED: &str = "learned";

pub(crate) fn run(context: &Context, verb: &Harness) -> anyhow::Result<Exit> {
    let explorer = Explorer::ALL.into_iter().find(|explorer| explorer.name() == verb.explorer);
    let explorer = explorer.expect("the command line allows these explorers only");
    check_folder(&verb.output)?;
    let projects = context.open(verb.files.iter().map(PathBuf::as_path))?;
    let from_files: Vec<&Path> =
        verb.assumption.iter().map(PathBuf::as_path).filter(|path| *path != Path::new(LEARNED)).collect();
    let mut assumptions = Vec::new();
    for path in &from_files {
        assumptions.push(files::open(path, &context.watch.patience())?);
    }
    let mapping_text = String::from_utf8_lossy(&files::read(&verb.mapping)?).into_owned();
    // No language is asked about it: only its text and its places are used.
    let mapping =
        Project::new(files::name_of(&verb.mapping), mapping_text, Box::new(|_| Err("no imports".into())));
    let sources = verb.files.iter().map(PathBuf::as_path).chain(from_files).chain([verb.mapping.as_path()]);
    let query = HarnessQuery {
        components: verb.component.clone(),
        environment: verb.environment.clone(),
        property: verb.property.clone(),
        learned: verb.assumption.iter().any(|path| path == Path::new(LEARNED)),
        explorer,
        package: package_name(&verb.output),
        folder: relative(&verb.output, verb.mapping.parent().unwrap_or(Path::new("")))?,
        sources: sources.map(|path| source(&verb.output, path)).collect::<anyhow::Result<_>>()?,
    };
    let harnessed = rely_session::harness(&projects, &assumptions, &mapping, &query, context.watch.budget())?;
    let projects: Vec<Project> = projects.into_iter().chain(assumptions).chain([mapping]).collect();
    if let Some(reason) = &harnessed.stopped {
        context.show_findings(&harnessed.report.diagnostics, &projects);
        context.stop(reason);
        return Ok(Exit::Inconclusive);
    }
    let report = &harnessed.report;
    let [result] = &report.results[..] else { return Ok(context.fail(report, &projects)) };
    for file in &harnessed.files {
        let path = verb.output.join(&file.path);
        let folder = path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        context.write(&path, |out| {
            out.write_all(file.text.as_bytes()).map_err(|error| anyhow!(error).to_string())
        })?;
    }
    if context.global.json {
        context.answer(report);
    } else {
        context.show_findings(&report.diagnostics, &projects);
        show(context, result, &verb.output)?;
    }
    Ok(Exit::Success)
}

fn show(context: &Context, result: &HarnessResult, folder: &Path) -> anyhow::Result<()> {
    let assumption = |it: &rely_session::report::HarnessAssumption| {
        format!(", under {} ({})", it.name, counted(it.states, "state"))
    };
    let assumptions: String = result.assumptions.iter().map(assumption).collect();
    let mut text = format!("{}: {}{assumptions}\n", result.component, result.property);
    text.push_str(&format!(
        "  {} with {} for {}, in {}\n",
        counted(result.files.len(), "file"),
        counted(result.actions, "action"),
        result.explorer,
        folder.display()
    ));
    for premise in &result.premises {
        text.push_str(&format!("  {premise}\n"));
    }
    context.print(&text)
}

/// Fails if there is something in a folder that is no earlier harness.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if is_empty || manifest.starts_with(HARNESS_MARK) {
        return Ok(());
    }
    Err(Usage(format!("{} has something in it that is no harness: choose another folder", folder.display()))
        .into())
}

/// A name for the crate: that of its folder, with `harness` in it.
fn package_name(folder: &Path) -> String {
    let name = plain(folder).ok().and_then(|mut parts| parts.pop()).unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let name: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    if name.contains("harness") && name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        format!("harness-{name}")
    }
}

/// A file of the design: its path from a folder, and its digest.
fn source(folder: &Path, path: &Path) -> anyhow::Result<(String, u64)> {
    let digest = source_digest(&files::read(path)?);
    Ok((relative(folder, path)?, digest))
}

/// The path from a folder to a file or folder.
fn relative(folder: &Path, path: &Path) -> anyhow::Result<String> {
    let (from, to) = (plain(folder)?, plain(path)?);
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| "..".to_owned());
    let parts: Vec<String> = up.chain(to[common..].iter().cloned()).collect();
    Ok(parts.join("/"))
}

/// The folders of a path from the root, without `.` and `..`.
fn plain(path: &Path) -> anyhow::Result<Vec<String>> {
    let path = std::path::absolute(if path.as_os_str().is_empty() { Path::new(".") } else { path })?;
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    Ok(parts)
}
