//! `rely study`

mod isolated;
mod plan;
pub(crate) mod store;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use rely_session::report::{Report, StudyLimits, StudyResult, StudyRun, Verdict};
use rely_session::study::{self, Agenda, Performed, digest};
use rely_session::{Internal, Project};

use self::store::{Store, write_documents};
use crate::args::Study;
use crate::context::{Context, Exit, Usage, print_text};
use crate::files;
use crate::render::counted;
use crate::watch::Watch;

/// What became of a run.
enum Outcome {
    Done(Box<StudyResult>),
    /// The model has errors, which have been shown.
    Errors,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

pub(crate) fn run(context: &Context, verb: &Study) -> anyhow::Result<Exit> {
    if let Some(run) = &verb.single {
        return single(context, run);
    }
    let agenda = match plan::agenda(context, verb)? {
        Ok(agenda) => agenda,
        Err(exit) => return Ok(exit),
    };
    let folder = verb.output.as_deref().expect("the command line asks for it");
    let mut models = BTreeMap::new();
    for file in &verb.files {
        models.insert(file.display().to_string(), digest(&files::read(file)?));
    }
    let store = Store::open(folder)?;
    if store.damaged > 0 && !context.global.quiet {
        eprintln!("rely: {} of {} cannot be read", counted(store.damaged, "line"), store::RESULTS);
    }
    let mut conductor =
        Conductor { context, isolated: verb.isolated, models, limits: limits(context), store, found: Vec::new(), computed: 0 };
    let exit = conductor.perform(agenda)?;
    let Conductor { store, mut found, computed, .. } = conductor;
    write_documents(folder, &store.results.results())?;
    store.results.check().map_err(|contradiction| Internal(contradiction.to_string()))?;
    found.sort_by(|one, other| one.run.cmp(&other.run));
    let verdicts: Vec<Verdict> = found.iter().map(|result| result.verdict).collect();
    if context.global.json {
        context.print_json(&Report::new("study", found, Vec::new()))?;
    } else {
        if !context.global.quiet {
            eprintln!("rely: {} of {} computed now", computed, counted(found.len(), "run"));
        }
        print_summary(context, &found, folder)?;
    }
    Ok(exit.unwrap_or_else(|| Exit::of_verdicts(&verdicts)))
}

/// Says what results show together.
pub(crate) fn print_summary(context: &Context, results: &[StudyResult], folder: &Path) -> anyhow::Result<()> {
    context.watch.finish();
    let verdicts = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
    let mut text = format!(
        "{}: {} holds, {} violated, {} unknown\n",
        counted(results.len(), "run"),
        verdicts(Verdict::Holds),
        verdicts(Verdict::Violated),
        verdicts(Verdict::Unknown)
    );
    if !context.global.quiet {
        // Markdown needs some characters to be escaped; a terminal does not.
        text.push_str(&study::summary(results).replace("\\_", "_").replace("**", ""));
        text.push_str(&format!("report: {}\n", folder.join("report.md").display()));
    }
    print_text(&text)
}

/// Performs the runs of an agenda, one after the other.
struct Conductor<'a> {
    context: &'a Context,
    /// Whether each run gets a process.
    isolated: bool,
    /// The digest of each file.
    models: BTreeMap<String, String>,
    limits: StudyLimits,
    store: Store,
    /// The results of all runs so far.
    found: Vec<StudyResult>,
    /// How many of them were not there before.
    computed: usize,
}

impl Conductor<'_> {
    /// Performs all runs. An exit status if something made it stop.
    fn perform(&mut self, mut agenda: Agenda) -> anyhow::Result<Option<Exit>> {
        while let Some(run) = agenda.next_run() {
            if self.context.watch.is_interrupted() {
                return Ok(Some(self.stopped()));
            }
            let model = self.models.get(&run.file).cloned().unwrap_or_default();
            if let Some(known) = self.store.results.settled(&run, &model, &self.limits) {
                let known = known.clone();
                agenda.record(&known);
                self.found.push(known);
                continue;
            }
            let watch = self.announce(&run, agenda.progress());
            let outcome = match self.isolated {
                true => isolated::perform(self.context, &run, &watch)?,
                false => perform(self.context, &run, &watch)?,
            };
            match outcome {
                Outcome::Done(mut result) => {
                    (result.model, result.limits) = (model, self.limits);
                    agenda.record(&result);
                    self.store.add((*result).clone())?;
                    self.found.push(*result);
                    self.computed += 1;
                }
                Outcome::Errors => return Ok(Some(Exit::Errors)),
                Outcome::Interrupted => return Ok(Some(self.stopped())),
            }
        }
        Ok(None)
    }

    /// Says which run is next, and starts its clock.
    fn announce(&self, run: &StudyRun, (number, all): (usize, usize)) -> Watch {
        let mut label = format!("{number}/{all} {} {}", run.file, run.property);
        if let (Some(parameter), Some(size)) = (&run.parameter, run.size) {
            label.push_str(&format!(" {parameter}={size}"));
        }
        label.push_str(&format!(" {}", run.strategy));
        if !run.split.is_empty() {
            label.push_str(&format!(" [{}]", run.split.join(", ")));
        }
        if !self.context.global.quiet && !self.context.watch.is_interactive() {
            eprintln!("rely: {label}");
        }
        self.context.watch.restarted(label)
    }

    fn stopped(&self) -> Exit {
        self.context.watch.finish();
        eprintln!("rely: stopped; the same command goes on from here");
        Exit::Inconclusive
    }
}

/// Performs a run in this process.
fn perform(context: &Context, run: &StudyRun, watch: &Watch) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let project = open(run)?;
    let performed = study::perform(&project, run, &clock, watch.budget())?;
    Ok(match performed {
        _ if watch.is_interrupted() => Outcome::Interrupted,
        Performed::Done(result) => Outcome::Done(result),
        Performed::Errors(findings) => {
            context.show_findings(&findings, std::slice::from_ref(&project));
            Outcome::Errors
        }
    })
}

/// The model of a run, with its constants.
fn open(run: &StudyRun) -> anyhow::Result<Project> {
    let mut project = files::open(Path::new(&run.file))?;
    let size = run.parameter.iter().zip(run.size);
    for (name, value) in run.constants.iter().map(|(name, value)| (name, *value)).chain(size) {
        if !project.define(name, value) {
            return Err(Usage(format!("{} has no constant `{name}`", run.file)).into());
        }
    }
    Ok(project)
}

/// What a process does that a study has started: one run, and its result on one line.
fn single(context: &Context, run: &str) -> anyhow::Result<Exit> {
    let run: StudyRun = serde_json::from_str(run).context("--single needs a run of a study")?;
    match perform(context, &run, &context.watch)? {
        Outcome::Done(mut result) => {
            result.peak_bytes = isolated::peak_bytes();
            print_text(&study::Collection::line(&result))?;
            Ok(Exit::Success)
        }
        Outcome::Errors => Ok(Exit::Errors),
        Outcome::Interrupted => Ok(Exit::Inconclusive),
    }
}

fn limits(context: &Context) -> StudyLimits {
    let global = &context.global;
    StudyLimits {
        time_ms: global.timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
        bytes: global.max_memory,
        states: global.max_states,
    }
}
