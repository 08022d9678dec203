//! From the command line to the runs of a study.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rely_session::report::{Report, StudyResult};
use rely_session::study::{
    Agenda, Axes, Pace, StudySplit, StudySubject, Survey, has_rule, strategy_named, strategy_names, survey,
    targets,
};
use rely_session::{Failed, Project};

use super::generalised::Question;
use crate::args::Study;
use crate::context::{Context, Exit, Usage};
use crate::files;
use crate::render::grouped;
use crate::verbs::fail;

/// All runs, or the exit status after errors in a model have been shown.
pub(super) fn agenda(context: &Context, verb: &Study) -> anyhow::Result<Result<Agenda, Exit>> {
    check_options(context, verb)?;
    let constants: Vec<(String, Vec<i32>)> = verb.size.iter().flat_map(|sizes| sizes.0.clone()).collect();
    let (size, others) = match constants.split_first() {
        Some((size, others)) => (Some(size.clone()), others.to_vec()),
        None => (None, Vec::new()),
    };
    check_count(&constants, verb)?;
    // Opening them together finds out whether anybody has the constants of --define.
    context.open(verb.files.iter().map(std::path::PathBuf::as_path))?;
    let mut planner = Planner {
        context,
        verb,
        size,
        subjects: Vec::new(),
        surveys: BTreeMap::new(),
        generalised: BTreeMap::new(),
    };
    for (i, file) in verb.files.iter().enumerate() {
        // Who names a file twice gets one answer.
        if verb.files[..i].contains(file) {
            continue;
        }
        for constants in combinations(&others) {
            if let Some(exit) = planner.file(file, &constants)? {
                return Ok(Err(exit));
            }
        }
    }
    planner.check_names()?;
    if let Some(exit) = planner.generalise()? {
        return Ok(Err(exit));
    }
    planner.agenda().map(Ok)
}

/// The most runs that a study has. They are all kept in memory, and more would take months.
const MOST_RUNS: usize = 1_000_000;

/// Values of constants are not more than runs can be, if there is only one for each combination of them.
fn check_count(constants: &[(String, Vec<i32>)], verb: &Study) -> anyhow::Result<()> {
    let counts = constants.iter().map(|(_, values)| values.len());
    check_runs(counts.fold(verb.repeat.get(), usize::saturating_mul))
}

fn check_runs(count: usize) -> anyhow::Result<()> {
    if count <= MOST_RUNS {
        return Ok(());
    }
    let many =
        if count == usize::MAX { "far too many".to_owned() } else { format!("{} or more", grouped(count)) };
    let message = format!("{many} runs: a study has at most {}", grouped(MOST_RUNS));
    Err(Usage(message + "; take fewer values, splits or repetitions").into())
}

fn check_options(context: &Context, verb: &Study) -> anyhow::Result<()> {
    for name in &verb.strategy {
        if strategy_named(name).is_none() {
            let names = strategy_names().join(", ");
            return Err(Usage(format!("there is no strategy `{name}`; there are {names}")).into());
        }
    }
    if verb.until_states.is_some() && verb.size.is_empty() {
        return Err(Usage("--until-states raises a size: say which, such as --size N=2..40".into()).into());
    }
    let has = |word: &str| verb.split.iter().any(|split| split == word);
    let words = ["all", "chosen", "generalised"].into_iter().filter(|word| has(word)).count();
    if words > 0 && (words < verb.split.len() || (has("all") && has("chosen"))) {
        let message =
            "--split takes `all` or `chosen`, `generalised` with or without one of them, or names of parts";
        return Err(Usage(message.into()).into());
    }
    for word in ["all", "generalised"].into_iter().filter(|word| has(word)) {
        if verb.until_states.is_some() {
            let message = format!("--split {word} needs a size that is known: leave out --until-states");
            return Err(Usage(message).into());
        }
    }
    if has("generalised") && verb.size.is_empty() {
        return Err(Usage("--split generalised needs sizes, such as --size N=2..6".into()).into());
    }
    let mut names = BTreeSet::new();
    for (name, _) in verb.size.iter().flat_map(|sizes| &sizes.0) {
        if !names.insert(name) {
            return Err(Usage(format!("--size has `{name}` twice")).into());
        }
        if context.global.define.iter().any(|(defined, _)| defined == name) {
            return Err(Usage(format!("`{name}` has a value in --define and others in --size")).into());
        }
    }
    Ok(())
}

/// Every way to choose one value for each constant.
fn combinations(constants: &[(String, Vec<i32>)]) -> Vec<BTreeMap<String, i32>> {
    let mut all = vec![BTreeMap::new()];
    for (name, values) in constants {
        let with = |chosen: &BTreeMap<String, i32>| -> Vec<BTreeMap<String, i32>> {
            let with = |value: &i32| {
                let mut chosen = chosen.clone();
                chosen.insert(name.clone(), *value);
                chosen
            };
            values.iter().map(with).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// A system in a file, with some constants, at a size.
type Place = (String, String, BTreeMap<String, i32>, Option<i32>);

/// Gathers the questions of a study.
struct Planner<'a> {
    context: &'a Context,
    verb: &'a Study,
    /// The constant that is the size, and its values.
    size: Option<(String, Vec<i32>)>,
    subjects: Vec<StudySubject>,
    /// What each system consists of: at every size if all splits are wanted, or else at the first one.
    surveys: BTreeMap<Place, Survey>,
    /// The first group of the generalised split, for each subject, strategy and size.
    generalised: BTreeMap<(StudySubject, String, Option<i32>), Vec<String>>,
}

impl Planner<'_> {
    /// The questions about a file. An exit status if it has errors.
    fn file(&mut self, file: &Path, extra: &BTreeMap<String, i32>) -> anyhow::Result<Option<Exit>> {
        let name = file.display().to_string();
        let mut constants = extra.clone();
        let mut plain = files::open(file, &self.context.watch.patience())?;
        for (constant, value) in &self.context.global.define {
            if plain.define(constant, *value) {
                constants.entry(constant.clone()).or_insert(*value);
            }
        }
        let known = targets(&plain);
        let mut systems: Vec<&String> =
            self.verb.system.iter().filter(|system| known.contains(system)).collect();
        if systems.is_empty() {
            // Looking for it will say that it is not there.
            systems.extend(self.verb.system.first());
        }
        for system in systems {
            for size in self.surveyed_sizes() {
                let project = self.open(file, &constants, size)?;
                let found = match survey(&project, system, self.context.watch.budget()) {
                    Ok(found) => found,
                    Err(Failed::Errors(findings)) => {
                        let report = Report::<StudyResult>::new("study", Vec::new(), findings);
                        return Ok(Some(self.context.fail(&report, std::slice::from_ref(&project))));
                    }
                    Err(failed) => return fail(self.context, &failed, &project).map(Some),
                };
                self.surveys.insert((name.clone(), system.clone(), constants.clone(), size), found);
            }
            let first = (name.clone(), system.clone(), constants.clone(), self.surveyed_sizes()[0]);
            for property in self.properties(&self.surveys[&first], &name)? {
                let (file, system) = (name.clone(), system.clone());
                self.subjects.push(StudySubject { file, system, property, constants: constants.clone() });
            }
        }
        Ok(None)
    }

    fn surveyed_sizes(&self) -> Vec<Option<i32>> {
        match &self.size {
            None => vec![None],
            Some((_, sizes)) if self.wants_all_splits() => sizes.iter().copied().map(Some).collect(),
            Some((_, sizes)) => vec![sizes.first().copied()],
        }
    }

    fn wants_all_splits(&self) -> bool {
        self.verb.split.iter().any(|split| split == "all")
    }

    fn wants_generalised(&self) -> bool {
        self.verb.split.iter().any(|split| split == "generalised")
    }

    /// Looks for the splits that are best at the smallest size, if they are wanted. An exit status if a model has errors.
    fn generalise(&mut self) -> anyhow::Result<Option<Exit>> {
        let Some((parameter, sizes)) = self.size.clone().filter(|_| self.wants_generalised()) else {
            return Ok(None);
        };
        for subject in self.subjects.clone() {
            let file = Path::new(&subject.file);
            let mut projects = Vec::new();
            for &size in &sizes {
                let project = self.open(file, &subject.constants, Some(size))?;
                projects.push((format!("{parameter}={size}"), project));
            }
            let ((_, smallest), larger) = projects.split_first().expect("a constant has values");
            for strategy in self.strategies().into_iter().filter(|strategy| has_rule(strategy)) {
                let (system, property) = (subject.system.as_str(), subject.property.as_str());
                let question = Question { system, property, strategy: &strategy, smallest, larger };
                let label = format!("{} {property} {strategy}: the split to generalise", subject.file);
                let found = match question.answer(&self.context.watch.restarted(&label))? {
                    Ok(found) => found,
                    Err(findings) => {
                        let report = Report::<StudyResult>::new("study", Vec::new(), findings);
                        return Ok(Some(self.context.fail(&report, std::slice::from_ref(smallest))));
                    }
                };
                for ((name, _), (&size, left)) in projects.iter().zip(sizes.iter().zip(found)) {
                    match left {
                        Ok(left) => {
                            self.generalised.insert((subject.clone(), strategy.clone(), Some(size)), left);
                        }
                        Err(reason) => self.context.remark(format_args!(
                            "{} {property} {name} {strategy}: no generalised split: {reason}",
                            subject.file
                        )),
                    }
                }
            }
        }
        Ok(None)
    }

    /// The strategies, each once.
    fn strategies(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.verb.strategy.iter().filter(|strategy| seen.insert(*strategy)).cloned().collect()
    }

    /// The splits that a strategy with a rule is tried with.
    fn splits(&self, strategy: &str, subject: &StudySubject, size: Option<i32>) -> Vec<StudySplit> {
        let split = |left: Vec<String>| StudySplit { left, generalised: false };
        let mut splits = match self.verb.split.as_slice() {
            words if words.iter().any(|word| word == "chosen") => vec![StudySplit::default()],
            words if words.iter().any(|word| word == "all") => {
                let StudySubject { file, system, constants, .. } = subject.clone();
                let survey = self.surveys.get(&(file, system, constants, size));
                survey.and_then(Survey::splits).unwrap_or_default().into_iter().map(split).collect()
            }
            [word] if word == "generalised" => Vec::new(),
            named => vec![split(named.to_vec())],
        };
        let left = self.generalised.get(&(subject.clone(), strategy.to_owned(), size)).cloned();
        splits.extend(left.map(|left| StudySplit { left, generalised: true }));
        splits
    }

    fn open(
        &self,
        file: &Path,
        constants: &BTreeMap<String, i32>,
        size: Option<i32>,
    ) -> anyhow::Result<Project> {
        let mut project = files::open(file, &self.context.watch.patience())?;
        let size = self.size.iter().map(|(name, _)| name).zip(size);
        for (name, value) in constants.iter().map(|(name, value)| (name, *value)).chain(size) {
            if !project.define(name, value) {
                return Err(Usage(format!("--size: {} has no constant `{name}`", file.display())).into());
            }
        }
        Ok(project)
    }

    /// The properties that are wanted of a system.
    fn properties(&self, survey: &Survey, file: &str) -> anyhow::Result<Vec<String>> {
        let mut wanted: Vec<String> = match self.verb.property.is_empty() {
            true => survey.properties.clone(),
            false => {
                let has = |name: &&String| survey.names.contains(name) || self.verb.files.len() == 1;
                self.verb.property.iter().filter(has).cloned().collect()
            }
        };
        if wanted.is_empty() && self.verb.property.is_empty() {
            let message = format!("{file} has no property process: name a property with --property");
            return Err(Usage(message).into());
        }
        let mut seen = BTreeSet::new();
        wanted.retain(|name| !self.verb.except.contains(name) && seen.insert(name.clone()));
        Ok(wanted)
    }

    /// Every name of a property is known somewhere, and something is left.
    fn check_names(&self) -> anyhow::Result<()> {
        let several = self.verb.files.len() > 1;
        let options = self.verb.except.iter().map(|name| ("--except", name));
        let options =
            options.chain(self.verb.property.iter().filter(|_| several).map(|name| ("--property", name)));
        for (option, name) in options {
            if !self.surveys.values().any(|survey| survey.names.contains(name)) {
                return Err(Usage(format!("{option}: no file has a property `{name}`")).into());
            }
        }
        if self.subjects.is_empty() {
            return Err(Usage("no property is left to study".into()).into());
        }
        Ok(())
    }

    fn agenda(&self) -> anyhow::Result<Agenda> {
        if self.wants_all_splits() {
            for ((file, system, ..), survey) in &self.surveys {
                if survey.splits().is_none() {
                    let count = survey.tasks.len();
                    let message = format!("{file}: {system} has {count} tasks, too many to try all splits");
                    return Err(Usage(message).into());
                }
            }
        }
        let splits =
            |strategy: &str, subject: &StudySubject, size: Option<i32>| self.splits(strategy, subject, size);
        let pace = match (self.verb.until_states, self.verb.stop_at_limit) {
            (Some(states), _) => Pace::UntilStates(states),
            (None, true) => Pace::UntilLimit,
            (None, false) => Pace::Every,
        };
        let (parameter, sizes) =
            self.size.clone().map_or((None, Vec::new()), |(name, sizes)| (Some(name), sizes));
        let axes = Axes {
            subjects: self.subjects.clone(),
            parameter,
            sizes,
            strategies: self.strategies(),
            splits: &splits,
            repeat: self.verb.repeat.get(),
            pace,
        };
        check_runs(axes.count())?;
        let agenda = Agenda::new(&axes);
        Ok(match self.verb.shard {
            Some((part, of)) => agenda.shard(part, of),
            None => agenda,
        })
    }
}
