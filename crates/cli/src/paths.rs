//! What a verb reads and what it writes, according to its arguments: standard input is read once, nothing is written over
//! what is read, and no file is written twice.

use std::path::{Path, PathBuf};

use rely_session::Project;

use crate::args::{Model, Properties, Verb};
use crate::context::Usage;
use crate::files::target_of;

/// Whether every path can be what it is meant to be.
///
/// # Errors
/// Wrong usage.
pub(crate) fn check(verb: &Verb) -> Result<(), Usage> {
    let is_standard = |path: &&Path| *path == Path::new("-");
    let wrong = |message: &str| Err(Usage(message.to_owned()));
    match (verb, inputs(verb).into_iter().filter(is_standard).count()) {
        (_, 0) => {}
        (Verb::Simulate(_), _) => {
            return wrong("what to do is read from standard input: give the model in a file");
        }
        (Verb::Decompose(verb), _) if verb.generalise.is_some() => {
            return wrong("--generalise reads the model for each size: give it in a file");
        }
        (Verb::Study(_), _) => {
            return wrong("a study reads its models again and again: standard input will not do");
        }
        (_, 1) => {}
        _ => return wrong("standard input can be read once only"),
    }
    let read: Vec<PathBuf> = inputs(verb).into_iter().filter(|path| path.is_file()).map(identity).collect();
    let mut written: Vec<PathBuf> = Vec::new();
    for output in outputs(verb) {
        let name = output.display();
        let file = identity(output);
        if is_standard(&output) {
            return wrong("`-` is no file to write to: give the name of one");
        }
        if read.contains(&file) {
            return Err(Usage(format!("{name} would be written over: it is what the answer is about")));
        }
        // A device takes whatever it is given.
        if written.contains(&file) && (file.is_file() || !file.exists()) {
            return Err(Usage(format!("{name} is to be written twice: give each output a file of its own")));
        }
        written.push(file);
    }
    Ok(())
}

/// The files that a verb reads.
fn inputs(verb: &Verb) -> Vec<&Path> {
    let model = match verb {
        Verb::Assume(verb) => {
            let beside = verb.properties.properties.as_deref();
            return verb.files.iter().map(PathBuf::as_path).chain(beside).collect();
        }
        Verb::Study(verb) => return verb.files.iter().map(PathBuf::as_path).collect(),
        Verb::Harness(verb) => {
            let files = verb.files.iter().chain(&verb.assumption).chain([&verb.mapping]);
            return files.map(PathBuf::as_path).collect();
        }
        Verb::Retrieve(verb) => {
            return verb.files.iter().chain([&verb.assumption]).map(PathBuf::as_path).collect();
        }
        Verb::Check(verb) => return with_properties(&verb.model, &verb.properties),
        Verb::Verify(verb) => return with_properties(&verb.model, &verb.properties),
        Verb::Certify(verb) => return with_properties(&verb.model, &verb.properties),
        Verb::Mine(verb) => &verb.model,
        Verb::Decompose(verb) => &verb.model,
        Verb::Compatible(verb) => &verb.model,
        Verb::Refines(verb) => &verb.model,
        Verb::Contract(verb) => &verb.model,
        Verb::Compose(verb) => &verb.model,
        Verb::Minimise(verb) => &verb.model,
        Verb::Convert(verb) => &verb.model,
        Verb::Draw(verb) => &verb.model,
        Verb::Monitor(verb) => {
            let files = [Some(&*verb.model.file), verb.check.as_deref(), verb.mapping.as_deref()];
            return files.into_iter().flatten().collect();
        }
        Verb::Simulate(verb) => &verb.model,
        Verb::Format(verb) => return verb.files.iter().map(PathBuf::as_path).collect(),
        Verb::Serve(verb) => return verb.file.iter().map(PathBuf::as_path).collect(),
        // The files of a repository are one or several, and it writes next to none of them.
        Verb::Repository(_)
        | Verb::Merge(_)
        | Verb::Explain(_)
        | Verb::Schema
        | Verb::Lsp
        | Verb::Completions(_)
        | Verb::Man(_) => return Vec::new(),
    };
    vec![&model.file]
}

/// A model and the file of properties beside it.
fn with_properties<'a>(model: &'a Model, beside: &'a Properties) -> Vec<&'a Path> {
    std::iter::once(&*model.file).chain(beside.properties.as_deref()).collect()
}

/// The files that a verb writes; folders of its own are none.
fn outputs(verb: &Verb) -> Vec<&Path> {
    let files = match verb {
        Verb::Check(verb) => [verb.certificate.as_deref(), verb.chart.as_deref()],
        Verb::Verify(verb) => [verb.certificate.as_deref(), verb.explanation.as_deref()],
        Verb::Refines(verb) => [verb.certificate.as_deref(), None],
        // Here `-` is the environment below the verdict.
        Verb::Compatible(verb) => {
            [verb.certificate.as_deref(), verb.environment.as_deref().filter(|&path| path != Path::new("-"))]
        }
        Verb::Assume(verb) => [verb.output.as_deref(), None],
        Verb::Decompose(verb) => [verb.output.as_deref(), None],
        Verb::Contract(verb) => [verb.output.as_deref(), None],
        Verb::Compose(verb) => [verb.output.as_deref(), None],
        Verb::Minimise(verb) => [verb.output.as_deref(), None],
        Verb::Convert(verb) => [Some(&*verb.output), None],
        Verb::Draw(verb) => [verb.output.as_deref(), None],
        Verb::Monitor(verb) => [verb.output.as_deref(), None],
        Verb::Simulate(_)
        | Verb::Retrieve(_)
        | Verb::Mine(_)
        | Verb::Repository(_)
        | Verb::Harness(_)
        | Verb::Certify(_)
        | Verb::Study(_)
        | Verb::Merge(_)
        | Verb::Explain(_)
        | Verb::Schema
        | Verb::Format(_)
        | Verb::Serve(_)
        | Verb::Lsp
        | Verb::Completions(_)
        | Verb::Man(_) => [None, None],
    };
    files.into_iter().flatten().collect()
}

/// What two paths to one file have in common, even if it does not exist yet.
pub(crate) fn identity(path: &Path) -> PathBuf {
    if let Ok(file) = path.canonicalize() {
        return file;
    }
    // Links may lead to what does not exist; those that lead nowhere are told when something is written.
    let target = target_of(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target,
    }
}

/// The files that a model imports; what it names is beside it.
pub(crate) fn imported_by(model: &Path, project: &Project) -> Vec<PathBuf> {
    let folder = model.parent().unwrap_or(Path::new(""));
    project.imports().into_iter().map(|name| identity(&folder.join(name))).collect()
}
