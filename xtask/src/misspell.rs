//! `cargo xtask misspell FOLDER…`: whether a misspelt name can make a model green without a word.
//!
//! Every action name in the property processes, formulas, fluents and progress properties of the models in some folders, and
//! in the sets that only these use, is misspelt in turn, one occurrence at a time, and the model is checked again. A mutant that is refused, or violates what
//! it did not violate before, has been noticed. Any other has to carry a warning that speaks of it: of the misspelt name,
//! or of the definition that nothing checks. One that does not fails the command.
//!
//! Names do not depend on how far a search goes, so each mutant gets a small budget of states. `ci` runs a sample that is
//! always the same; `--all` runs everything.

mod occurrences;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rely_base::{Budget, Limits};
use rely_session::report::{CheckResult, Level, Report, Verdict};
use rely_session::{CheckQuery, Project, check};

use self::occurrences::{Occurrence, occurrences};

/// How many mutants are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// A sample that takes about half a minute.
    Sample,
    Everything,
}

/// The size of the sample.
const SAMPLE: usize = 2_500;

/// What a search for a mutant may hold.
const LIMITS: Limits = Limits { states: Some(4_000), bytes: Some(256 << 20) };

pub(crate) fn command(arguments: &[&str]) -> Result<()> {
    let extent = if arguments.contains(&"--all") { Extent::Everything } else { Extent::Sample };
    let folders: Vec<&Path> =
        arguments.iter().filter(|argument| **argument != "--all").map(|&folder| Path::new(folder)).collect();
    if folders.is_empty() {
        bail!("usage: cargo xtask misspell [--all] FOLDER…");
    }
    run(&folders, extent)
}

pub(crate) fn run(folders: &[&Path], extent: Extent) -> Result<()> {
    let start = Instant::now();
    let mut models = Vec::new();
    for folder in folders {
        models.extend(Model::all_in(folder)?);
    }
    let mutants = sampled(models.iter().flat_map(Model::mutants).collect(), extent);
    let fates = of_each(&mutants, Mutant::fate);
    let count = |wanted: &dyn Fn(&Fate) -> bool| fates.iter().filter(|fate| wanted(fate)).count();
    let (refused, violated, warned) = (
        count(&|fate| *fate == Fate::Refused),
        count(&|fate| *fate == Fate::Violated),
        count(&|fate| *fate == Fate::Warned),
    );
    for (mutant, _) in mutants.iter().zip(&fates).filter(|(_, fate)| **fate == Fate::Silent) {
        println!("silent: {mutant}");
    }
    let silent = count(&|fate| *fate == Fate::Silent);
    println!(
        "misspell: {} mutants of {} models in {:.1} s: {refused} refused, {warned} with a warning that \
         speaks of it, {violated} violated without one, {silent} green and silent",
        mutants.len(),
        models.len(),
        start.elapsed().as_secs_f64()
    );
    ensure!(silent == 0, "{silent} mutants are green without a word");
    ensure!(warned > 0, "no mutant was green: nothing has been tried");
    Ok(())
}

/// A sample that is spread over all models.
fn sampled(mutants: Vec<Mutant<'_>>, extent: Extent) -> Vec<Mutant<'_>> {
    let step = match extent {
        Extent::Sample => mutants.len().div_ceil(SAMPLE).max(1),
        Extent::Everything => 1,
    };
    mutants.into_iter().step_by(step).collect()
}

/// A model, and what is found in it as it is.
struct Model {
    path: PathBuf,
    text: String,
    report: Report<CheckResult>,
    occurrences: Vec<Occurrence>,
    /// All words in the text.
    words: BTreeSet<String>,
}

impl Model {
    /// The models below a folder that have no errors, in order.
    fn all_in(folder: &Path) -> Result<Vec<Self>> {
        let mut paths = Vec::new();
        let mut agenda = vec![folder.to_owned()];
        while let Some(folder) = agenda.pop() {
            let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
            for entry in entries {
                let path = entry?.path();
                match path.extension().and_then(|extension| extension.to_str()) {
                    _ if path.is_dir() => agenda.push(path),
                    Some("lts" | "fsp") => paths.push(path),
                    _ => {}
                }
            }
        }
        paths.sort();
        let models = of_each(&paths, |path| Self::read(path));
        Ok(models.into_iter().flatten().collect())
    }

    fn read(path: &Path) -> Option<Self> {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let report = checked(path, &text)?;
        let occurrences = occurrences(rely_fsp::parse(&text).file(), &text);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = text.split(|c| !is_word(c)).map(str::to_owned).collect();
        (!report.has_errors()).then_some(Self { path: path.to_owned(), text, report, occurrences, words })
    }

    /// One mutant for each occurrence and each way to misspell it.
    fn mutants(&self) -> impl Iterator<Item = Mutant<'_>> {
        self.occurrences.iter().flat_map(move |occurrence| {
            let misspelt = misspellings(&occurrence.name).into_iter();
            let new = misspelt.filter(|word| !self.words.contains(word));
            new.map(move |misspelt| Mutant { model: self, occurrence, misspelt })
        })
    }
}

/// The words that differ from a name by one letter, dropped or doubled, or by two neighbours that are exchanged.
fn misspellings(name: &str) -> BTreeSet<String> {
    let places = || 0..name.len();
    let dropped = places().map(|at| format!("{}{}", &name[..at], &name[at + 1..]));
    let doubled = places().map(|at| format!("{}{}", &name[..=at], &name[at..]));
    let exchanged = places().skip(1).map(|at| {
        let (first, second) = (&name[at - 1..at], &name[at..=at]);
        format!("{}{second}{first}{}", &name[..at - 1], &name[at + 1..])
    });
    let is_action = |word: &String| word.chars().next().is_some_and(|first| first.is_ascii_lowercase());
    let all = dropped.chain(doubled).chain(exchanged);
    all.filter(is_action).filter(|word| word != name).collect()
}

/// A model with one misspelt name.
struct Mutant<'m> {
    model: &'m Model,
    occurrence: &'m Occurrence,
    misspelt: String,
}

/// What becomes of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It has errors.
    Refused,
    /// It violates something that the model does not violate, without a warning.
    Violated,
    /// A warning speaks of it.
    Warned,
    /// It is as good as the model, without a warning.
    Silent,
}

impl Mutant<'_> {
    fn fate(&self) -> Fate {
        let (start, end) = self.occurrence.bytes;
        let text = &self.model.text;
        let mutated = format!("{}{}{}", &text[..start], self.misspelt, &text[end..]);
        let Some(report) = checked(&self.model.path, &mutated) else { return Fate::Silent };
        if report.has_errors() {
            Fate::Refused
        } else if self.is_spoken_of(&report) {
            Fate::Warned
        } else if report.results.iter().any(|result| self.is_newly_violated(result)) {
            Fate::Violated
        } else {
            Fate::Silent
        }
    }

    fn is_newly_violated(&self, result: &CheckResult) -> bool {
        let is_same = |before: &&CheckResult| {
            (&before.target, before.kind, &before.property) == (&result.target, result.kind, &result.property)
        };
        let before = self.model.report.results.iter().find(is_same);
        result.verdict == Verdict::Violated && before.is_none_or(|before| before.verdict != Verdict::Violated)
    }

    /// Whether a warning names the misspelt action, or says that nothing looks at the definition it is in.
    fn is_spoken_of(&self, report: &Report<CheckResult>) -> bool {
        let is_warning = |finding: &&rely_session::report::Finding| finding.severity == Level::Warning;
        let found = report.diagnostics.iter().filter(is_warning);
        let about_definition = format!("`{}`", self.occurrence.definition);
        let mut unused = found.clone().filter(|finding| ["W0010", "W0011"].contains(&&*finding.code));
        let mut said = found.map(|finding| &finding.message);
        let mut warned = report.results.iter().flat_map(|result| &result.warnings);
        unused.any(|finding| finding.message.contains(&about_definition))
            || said.any(|message| self.is_named_in(message))
            || warned.any(|message| self.is_named_in(message))
    }

    fn is_named_in(&self, message: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        message.split(|c| !is_word(c)).any(|word| word == self.misspelt)
    }
}

impl fmt::Display for Mutant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Occurrence { name, definition, bytes } = self.occurrence;
        let line = 1 + self.model.text[..bytes.0].matches('\n').count();
        write!(f, "{}:{line}: {} for {name} in {definition}", self.model.path.display(), self.misspelt)
    }
}

/// What `rely check` says about a text; nothing where it fails, which is a mistake of its own.
fn checked(path: &Path, text: &str) -> Option<Report<CheckResult>> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let loader = move |name: &str| std::fs::read(folder.join(name)).map_err(|error| error.to_string());
    let project = Project::new(path.display().to_string(), text, Box::new(loader));
    check(&project, &CheckQuery::default(), Budget::new(LIMITS, None)).ok()
}

/// What becomes of each item, in order, on all cores.
fn of_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let work = || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { return };
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            };
            let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            worker.expect("a thread can be started");
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_misspelt_in_all_ways() {
        let words: Vec<String> = misspellings("abc").into_iter().collect();
        assert_eq!(words, ["aabc", "ab", "abbc", "abcc", "ac", "acb", "bac", "bc"]);
        assert_eq!(misspellings("x").into_iter().collect::<Vec<_>>(), ["xx"]);
        // What starts with another kind of letter is no name of an action.
        assert_eq!(misspellings("a1").into_iter().collect::<Vec<_>>(), ["a", "a11", "aa1"]);
    }
}
