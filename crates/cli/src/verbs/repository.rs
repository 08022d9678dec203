//! `rely repository`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rely_base::Budget;
use rely_repository::{Packages as Store, Trouble};
use rely_session::report::{Finding, PackageResult, PackageStatus, Report, Verdict};
use rely_session::{
    Define, Package, PackageSource, Packages, Packed, Project, SearchQuery, judge_package, pack, renew,
    search,
};
use sha2::{Digest, Sha256};

use crate::args::{Repository, RepositoryVerb};
use crate::context::{Context, Exit, Usage};
use crate::files;
use crate::packages::Shelved;

mod text;

pub(crate) fn run(context: &Context, verb: &Repository) -> anyhow::Result<Exit> {
    let Some(folder) = verb.folder() else {
        let message = "which repository? give its folder with --in, or in the variable RELY_REPOSITORY";
        return Err(Usage(message.to_owned()).into());
    };
    let desk = Desk { context, folder, budget: context.watch.budget() };
    match &verb.verb {
        RepositoryVerb::Add { file, component, name, property } => {
            desk.add(file, component, name.as_deref(), property)
        }
        RepositoryVerb::List => desk.list(),
        RepositoryVerb::Show { names } => desk.show(names),
        RepositoryVerb::Search { input, output, action, property, instead_of } => {
            let query = SearchQuery {
                inputs: input.clone(),
                outputs: output.clone(),
                actions: action.clone(),
                properties: property.clone(),
            };
            desk.search(query, instead_of.as_deref())
        }
        RepositoryVerb::Verify { names } => desk.verify(names),
        RepositoryVerb::Remove { names } => desk.remove(names),
        RepositoryVerb::Export { name, output } => desk.export(name, output),
        RepositoryVerb::Import { file, name } => desk.import(file, name.as_deref()),
    }
}

/// A repository, and whoever wants something of it.
struct Desk<'c> {
    context: &'c Context,
    folder: PathBuf,
    budget: Budget<'c>,
}

/// A package as it is kept: what was read of it, and its bytes; or why nothing could be read.
type Kept = Result<(Package, Vec<u8>), PackageResult>;

impl Desk<'_> {
    fn add(
        &self,
        file: &Path,
        components: &[String],
        name: Option<&str>,
        only: &[String],
    ) -> anyhow::Result<Exit> {
        let source = self.source(file)?;
        let components = match components {
            [] => source.default_components(self.budget),
            named => named.to_vec(),
        };
        if name.is_some() && components.len() != 1 {
            let message = "--name is for one component: choose it with --component";
            return Err(Usage(message.to_owned()).into());
        }
        let store = Store::create(&self.folder)?;
        let shelved = Shelved::open(Some(self.folder.clone()))?;
        let shelf = shelved.as_ref().map(|it| it as &dyn Packages);
        let mut answers = Answers::default();
        for component in &components {
            let name = name.unwrap_or(component);
            let former = store.get(name)?;
            let packed = pack(&source, (name, component), only, shelf, self.budget)?;
            self.enter(&store, packed, former.as_deref(), &mut answers)?;
        }
        self.answer(answers)
    }

    /// Puts what was packed in the place of what was there before, and says what became of it.
    fn enter(
        &self,
        store: &Store,
        packed: Packed,
        former: Option<&[u8]>,
        answers: &mut Answers,
    ) -> anyhow::Result<()> {
        let Packed { package, mut result, findings, project } = packed;
        if let Some(package) = package {
            let content = package.to_json();
            if former != Some(&content) {
                store.put(&package.name, &content, former)?;
            }
            result.digest = Some(digest(&package));
            if former.is_some() {
                result.status = PackageStatus::Replaced;
            }
        }
        answers.results.push(result);
        answers.findings.extend(findings);
        answers.projects.push(project);
        Ok(())
    }

    fn list(&self) -> anyhow::Result<Exit> {
        let mut answers = Answers::default();
        for kept in self.all()? {
            answers.results.push(match kept {
                Ok((package, _)) => PackageResult {
                    digest: Some(digest(&package)),
                    ..package.describe(self.standing(&package), self.budget)
                },
                Err(result) => result,
            });
        }
        self.answer(answers)
    }

    fn show(&self, names: &[String]) -> anyhow::Result<Exit> {
        let store = self.store()?;
        let mut answers = Answers { is_detailed: true, ..Answers::default() };
        for name in names {
            let package = match Self::kept(&store, name)? {
                Ok((package, _)) => package,
                Err(result) => {
                    answers.results.push(result);
                    continue;
                }
            };
            let described = package.describe(self.standing(&package), self.budget);
            answers.results.push(PackageResult { digest: Some(digest(&package)), ..described });
        }
        self.answer(answers)
    }

    fn search(&self, mut query: SearchQuery, instead_of: Option<&str>) -> anyhow::Result<Exit> {
        if let Some(name) = instead_of {
            let (package, _) = match Self::kept(&self.store()?, name)? {
                Ok(kept) => kept,
                Err(result) => return self.answer(Answers { results: vec![result], ..Answers::default() }),
            };
            let wanted = SearchQuery::instead_of(&package, self.budget);
            query.inputs.extend(wanted.inputs);
            query.outputs.extend(wanted.outputs);
            query.actions.extend(wanted.actions);
            query.properties.extend(wanted.properties);
        }
        let (packages, mut results): (Vec<Package>, Vec<PackageResult>) =
            self.all()?.into_iter().fold((Vec::new(), Vec::new()), |(mut packages, mut broken), kept| {
                match kept {
                    Ok((package, _)) if Some(package.name.as_str()) != instead_of => packages.push(package),
                    Ok(_) => {}
                    Err(result) => broken.push(result),
                }
                (packages, broken)
            });
        results.splice(0..0, search(&packages, &query, self.budget)?);
        let is_found = results.iter().any(|result| result.status == PackageStatus::Found);
        self.answer(Answers { results, is_detailed: true, ..Answers::default() })?;
        Ok(if is_found { Exit::Success } else { Exit::Violated })
    }

    fn verify(&self, names: &[String]) -> anyhow::Result<Exit> {
        let store = self.store()?;
        let names = if names.is_empty() { store.names()? } else { names.to_vec() };
        let shelved = Shelved::open(Some(self.folder.clone()))?;
        let shelf = shelved.as_ref().map(|it| it as &dyn Packages);
        let mut answers = Answers { is_detailed: true, ..Answers::default() };
        for name in &names {
            let (package, content) = match Self::kept(&store, name)? {
                Ok(kept) => kept,
                Err(result) => {
                    answers.results.push(result);
                    continue;
                }
            };
            match self.changed(&package) {
                None => {
                    let judged = judge_package(&package, self.budget);
                    answers.results.push(PackageResult { digest: Some(digest(&package)), ..judged });
                }
                Some(source) => {
                    let packed = renew(&package, &source, shelf, self.budget)?;
                    self.enter(&store, packed, Some(&content), &mut answers)?;
                }
            }
        }
        self.answer(answers)
    }

    fn remove(&self, names: &[String]) -> anyhow::Result<Exit> {
        let store = self.store()?;
        let mut results = Vec::new();
        for name in names {
            let (component, origin) = match Self::kept(&store, name)? {
                Ok((package, _)) => (package.component, package.origin),
                Err(result) => (result.component, result.file),
            };
            if !store.remove(name)? {
                return Err(unknown(&store, name));
            }
            results.push(PackageResult::new(name, &component, &origin, PackageStatus::Removed));
        }
        self.answer(Answers { results, ..Answers::default() })
    }

    fn export(&self, name: &str, output: &Path) -> anyhow::Result<Exit> {
        let store = self.store()?;
        let (package, content) = match Self::kept(&store, name)? {
            Ok(kept) => kept,
            Err(result) => return self.answer(Answers { results: vec![result], ..Answers::default() }),
        };
        self.context.write(output, |out| {
            std::io::Write::write_all(out, &content).map_err(|error| error.to_string())
        })?;
        let described = package.describe(PackageStatus::Exported, self.budget);
        let result = PackageResult { digest: Some(digest(&package)), ..described };
        self.answer(Answers { results: vec![result], ..Answers::default() })
    }

    fn import(&self, file: &Path, name: Option<&str>) -> anyhow::Result<Exit> {
        let bytes = files::read_text(file, &self.context.watch.patience(), files::weight_of_json)?;
        let mut package =
            Package::from_json(&bytes).map_err(|reason| anyhow::anyhow!("{}: {reason}", file.display()))?;
        if let Some(name) = name {
            name.clone_into(&mut package.name);
        }
        let mut result = judge_package(&package, self.budget);
        if result.status == PackageStatus::Verified {
            let store = Store::create(&self.folder)?;
            let former = store.get(&package.name)?;
            let content = package.to_json();
            store.put(&package.name, &content, former.as_deref())?;
            result.digest = Some(digest(&package));
            result.status = if former.is_some() { PackageStatus::Replaced } else { PackageStatus::Added };
        } else if result.status == PackageStatus::Packaged {
            // It could not be judged within the limits, and nothing enters that was not.
            result.status = PackageStatus::Refused;
            self.answer(Answers { results: vec![result], ..Answers::default() })?;
            return Ok(Exit::Inconclusive);
        }
        self.answer(Answers { results: vec![result], ..Answers::default() })
    }

    /// Whether the file that a package was made from is what it was.
    fn standing(&self, package: &Package) -> PackageStatus {
        if self.changed(package).is_some() { PackageStatus::Stale } else { PackageStatus::Packaged }
    }

    /// The file that a package was made from, if it is there and has changed.
    fn changed(&self, package: &Package) -> Option<PackageSource> {
        let mut source = self.source(Path::new(&package.origin)).ok()?;
        source.defines.clone_from(&package.defines);
        (!package.is_made_from(&source)).then_some(source)
    }

    /// A file to pack from.
    fn source(&self, file: &Path) -> anyhow::Result<PackageSource> {
        if file == Path::new("-") {
            return Err(Usage("a package is made from a file: its name is kept".to_owned()).into());
        }
        let origin = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let bytes = files::read(file)?;
        let defines = self.context.global.define.iter();
        Ok(PackageSource {
            name: file
                .file_name()
                .map_or_else(|| files::name_of(file), |name| name.to_string_lossy().into_owned()),
            origin: origin.display().to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            loader: Arc::from(files::loader(file, self.context.watch.patience())),
            defines: defines.map(|(name, value)| Define { name: name.clone(), value: *value }).collect(),
        })
    }

    fn store(&self) -> anyhow::Result<Store> {
        match Store::open(&self.folder)? {
            Some(store) => Ok(store),
            None => anyhow::bail!(
                "there is no repository in {}: `rely repository add FILE --in {0}` makes one",
                self.folder.display()
            ),
        }
    }

    /// All packages, those that are damaged among them.
    fn all(&self) -> anyhow::Result<Vec<Kept>> {
        let store = self.store()?;
        store.names()?.iter().map(|name| Self::kept(&store, name)).collect()
    }

    fn kept(store: &Store, name: &str) -> anyhow::Result<Kept> {
        let broken = |reason: String| PackageResult {
            reason: Some(reason),
            ..PackageResult::new(name, "", "", PackageStatus::Damaged)
        };
        let content = match store.get(name) {
            Ok(Some(content)) => content,
            Ok(None) => return Err(unknown(store, name)),
            Err(trouble @ Trouble::Damaged(_)) => return Ok(Err(broken(trouble.to_string()))),
            Err(trouble) => return Err(trouble.into()),
        };
        Ok(match Package::from_json(&content) {
            Ok(package) if package.name == name => Ok((package, content)),
            Ok(package) => Err(broken(format!("it is the package {}, under another name", package.name))),
            Err(reason) => Err(broken(reason)),
        })
    }

    fn answer(&self, answers: Answers) -> anyhow::Result<Exit> {
        let Answers { results, findings, projects, is_detailed } = answers;
        let report = Report::new("repository", results, findings);
        if report.has_errors() && !self.context.global.json {
            self.context.show_findings(&report.diagnostics, &projects);
        }
        let is_bad =
            |result: &PackageResult| matches!(result.status, PackageStatus::Refused | PackageStatus::Damaged);
        let mut exit = if report.results.iter().any(is_bad) { Exit::Violated } else { Exit::Success };
        // What was refused for a reason of its own is wrong; what has properties that are not known to hold is open.
        let is_open = |result: &PackageResult| {
            let has = |verdict: Verdict| result.properties.iter().any(|property| property.verdict == verdict);
            let is_refused = result.status == PackageStatus::Refused && result.reason.is_none();
            is_refused && has(Verdict::Unknown) && !has(Verdict::Violated)
        };
        let is_unjudged =
            |result: &PackageResult| result.status == PackageStatus::Packaged && result.reason.is_some();
        let mut bad = report.results.iter().filter(|result| is_bad(result)).peekable();
        exit = match bad.peek().is_some() {
            true if bad.all(is_open) => Exit::Inconclusive,
            false if report.results.iter().any(is_unjudged) => Exit::Inconclusive,
            _ => exit,
        };
        if report.has_errors() {
            exit = Exit::Errors;
        }
        if self.context.global.json {
            self.context.answer(&report);
        } else {
            let verbose = self.context.global.verbose;
            let shown = (is_detailed || verbose, verbose);
            let style = self.context.style;
            let mut text: String =
                report.results.iter().map(|result| text::render(result, shown, style)).collect();
            if text.is_empty() && exit == Exit::Success {
                text.push_str("no package\n");
            }
            self.context.print(&text)?;
        }
        Ok(exit)
    }
}

#[derive(Default)]
struct Answers {
    results: Vec<PackageResult>,
    findings: Vec<Finding>,
    projects: Vec<Project>,
    /// Whether interface and properties are shown.
    is_detailed: bool,
}

/// That there is no package with a name.
fn unknown(store: &Store, name: &str) -> anyhow::Error {
    let names = store.names().unwrap_or_default();
    let known =
        if names.is_empty() { "it is empty".to_owned() } else { format!("there are {}", names.join(", ")) };
    Usage(format!("the repository has no package {name}: {known}")).into()
}

/// What a package is recognised by: all that it says, but for where its file is.
fn digest(package: &Package) -> String {
    let content = Package { origin: String::new(), ..package.clone() }.to_json();
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
