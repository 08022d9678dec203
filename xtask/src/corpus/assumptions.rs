//! Assumptions of the models that come as a system, a property and perhaps an environment, in files of their own.
//!
//! A folder of the corpus counts if it has a file `sys*` and a file `p*`; environments are its files `env*` and `dev*`.
//! For each combination the weakest assumption is constructed and learned, and both have to be the same. A construction
//! that takes a second is a mistake.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rely_base::Budget;
use rely_session::report::{AssumeResult, Outcome};
use rely_session::{Algorithm, AssumeQuery, Project};

use crate::bench::measure::cpu_milliseconds;

/// The most processor time that a construction may take, in milliseconds.
const PATIENCE: f64 = 1000.0;

/// Asks for all assumptions below a folder, and prints a table.
pub(crate) fn run(models: &Path) -> Result<()> {
    let mut folders = Vec::new();
    collect(models, &mut folders)?;
    folders.sort();
    let mut count = 0;
    let mut slowest = 0.0_f64;
    for folder in folders {
        for [system, environment, property] in combinations(&folder)? {
            let (line, milliseconds) = ask(models, &system, &environment, &property)?;
            println!("{line}");
            slowest = slowest.max(milliseconds);
            count += 1;
        }
    }
    println!(
        "{count} assumptions, constructed and learned; the slowest construction took {slowest:.0} CPU ms"
    );
    ensure!(slowest < PATIENCE, "a construction took more than {PATIENCE} ms");
    Ok(())
}

fn collect(folder: &Path, folders: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path.clone());
            collect(&path, folders)?;
        }
    }
    Ok(())
}

/// The systems, environments (or none) and properties of a folder, each with each.
fn combinations(folder: &Path) -> Result<Vec<[Option<PathBuf>; 3]>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "lts"));
    files.sort();
    let named = |beginnings: &[&str]| -> Vec<Option<PathBuf>> {
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let fits = |path: &&PathBuf| {
            stem(path).is_some_and(|stem| {
                beginnings.iter().any(|beginning| stem.starts_with(beginning))
                    && stem.len() <= beginnings[0].len() + 16
            })
        };
        files.iter().filter(fits).cloned().map(Some).collect()
    };
    let systems = named(&["sys"]);
    let properties: Vec<Option<PathBuf>> = named(&["p"])
        .into_iter()
        .flatten()
        // `p.lts`, `p1.lts` and `p_w.lts`, not `pump.lts`.
        .filter(|path| path.file_stem().is_some_and(|stem| stem.len() <= 3))
        .map(Some)
        .collect();
    let mut environments = named(&["env", "dev"]);
    if environments.is_empty() {
        environments.push(None);
    }
    let mut all = Vec::new();
    for system in &systems {
        for environment in &environments {
            for property in &properties {
                all.push([system.clone(), environment.clone(), property.clone()]);
            }
        }
    }
    Ok(all)
}

fn ask(
    models: &Path,
    system: &Option<PathBuf>,
    environment: &Option<PathBuf>,
    property: &Option<PathBuf>,
) -> Result<(String, f64)> {
    let mut projects = Vec::new();
    let mut names = Vec::new();
    for path in [system, environment, property].into_iter().flatten() {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        names.push(principal(&text).with_context(|| format!("{} defines nothing", path.display()))?);
        projects.push(Project::new(
            path.display().to_string(),
            text,
            Box::new(|_| Err("there are no imports".to_owned())),
        ));
    }
    let mut query = AssumeQuery {
        components: vec![names[0].clone()],
        property: names.last().cloned().unwrap_or_default(),
        environment: environment.iter().map(|_| names[1].clone()).collect(),
        ..AssumeQuery::default()
    };
    let start = cpu_milliseconds();
    let constructed = answer(&projects, &query)?;
    let milliseconds = cpu_milliseconds() - start;
    query.learn = Some(Algorithm::Adaptive);
    let learned = answer(&projects, &query)?;
    let size = |result: &AssumeResult| result.assumption.as_ref().map(|assumption| assumption.states);
    let place = system.as_deref().unwrap_or(models);
    let place = place.strip_prefix(models).unwrap_or(place).display();
    ensure!(
        constructed.outcome == learned.outcome && size(&constructed) == size(&learned),
        "{place}: constructed and learned differ"
    );
    let outcome = match constructed.outcome {
        Outcome::HoldsAlways => "holds always".to_owned(),
        Outcome::FailsAlways => "fails always".to_owned(),
        Outcome::Assumption => format!("{} states", size(&constructed).unwrap_or_default()),
        Outcome::Unknown => "unknown".to_owned(),
    };
    let composed = constructed.steps.composed;
    let what = format!("{} / {}", query.components[0], query.property);
    Ok((format!("{place} {what}: {composed} → {outcome}, {milliseconds:.0} CPU ms"), milliseconds))
}

fn answer(projects: &[Project], query: &AssumeQuery) -> Result<AssumeResult> {
    let mut report = rely_session::assume(projects, query, Budget::UNLIMITED)?.report;
    if let Some(finding) = report.diagnostics.iter().find(|_| report.has_errors()) {
        anyhow::bail!("{}: {}", finding.file, finding.message);
    }
    report.results.pop().context("there is an answer")
}

/// The definition that a file is about: its last composite, or else its first property, assertion or process.
fn principal(text: &str) -> Option<String> {
    let name = |rest: &str| -> Option<String> {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].starts_with(|c: char| c.is_ascii_uppercase()).then(|| rest[..end].to_owned())
    };
    let lines = || text.lines().map(str::trim_start);
    let composite = lines().filter_map(|line| name(line.strip_prefix("||")?)).next_back();
    let declared = |word: &'static str| lines().find_map(|line| name(line.strip_prefix(word)?));
    let process = || lines().filter(|line| line.contains('=')).find_map(name);
    composite.or_else(|| declared("property ")).or_else(|| declared("assert ")).or_else(process)
}
