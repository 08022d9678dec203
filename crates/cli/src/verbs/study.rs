//! `rely study`

mod generalised;
mod isolated;
mod plan;
pub(crate) mod store;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use rely_session::report::{Finding, Report, StudyLimits, StudyResult, StudyRun, Verdict};
use rely_session::study::{self, Agenda, Performed, digest};
use rely_session::{Internal, Project};

use self::store::{Store, write_documents};
use crate::args::Study;
use crate::context::{Context, Exit, Usage, print_json, print_text, say};
use crate::files;
use crate::patience::Patience;
use crate::render::counted;
use crate::watch::Watch;

/// What became of a run.
enum Outcome {
    Done(Box<StudyResult>),
    /// The model has errors.
    Errors(Vec<Finding>),
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

pub(crate) fn run(context: &Context, verb: &Study) -> anyhow::Result<Exit> {
    if let Some(run) = &verb.single {
        return single(context, verb, run);
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
    store.tell_damage(context);
    let limits = limits(context);
    let mut conductor = Conductor { context, verb, models, limits, store, found: Vec::new(), computed: 0 };
    let end = conductor.perform(agenda)?;
    let Conductor { store, mut found, computed, .. } = conductor;
    write_documents(context, folder, &store.results.results())?;
    if let End::Errors(findings, project) = end {
        let report = Report::<StudyResult>::new("study", Vec::new(), findings);
        return Ok(context.fail(&report, std::slice::from_ref(&*project)));
    }
    store.results.check().map_err(|contradiction| Internal(contradiction.to_string()))?;
    found.sort_by(|one, other| one.run.cmp(&other.run));
    let verdicts: Vec<Verdict> = found.iter().map(|result| result.verdict).collect();
    if context.global.json {
        context.answer(&Report::new("study", found, Vec::new()));
    } else {
        context.remark(format_args!("{} of {} computed now", computed, counted(found.len(), "run")));
        print_summary(context, &found, folder)?;
    }
    Ok(match end {
        End::Stopped => Exit::Inconclusive,
        _ => Exit::of_verdicts(&verdicts),
    })
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

/// How a list of runs ended.
enum End {
    /// All are done.
    Done,
    /// Somebody pressed Ctrl-C.
    Stopped,
    /// A model has errors.
    Errors(Vec<Finding>, Box<Project>),
}

/// Performs the runs of an agenda, one after the other.
struct Conductor<'a> {
    context: &'a Context,
    verb: &'a Study,
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
    fn perform(&mut self, mut agenda: Agenda) -> anyhow::Result<End> {
        while let Some(run) = agenda.next_run() {
            if self.context.watch.is_interrupted() {
                return Ok(self.stopped());
            }
            let model = self.models.get(&run.file).cloned().unwrap_or_default();
            let known = self.store.results.settled(&run, &model, &self.limits);
            // What was computed without --reuse is computed again with it.
            let known = known.filter(|known| !(self.verb.reuse && study::lacks_reuse(known))).cloned();
            if let Some(known) = known {
                agenda.record(&known);
                self.found.push(known);
                continue;
            }
            let watch = self.announce(&run, agenda.progress());
            let outcome = match self.verb.isolated {
                true => isolated::perform(self.context, self.verb, &run, &watch)?,
                false => perform(self.verb, &run, &watch)?,
            };
            match outcome {
                Outcome::Done(mut result) => {
                    (result.model, result.limits) = (model, self.limits);
                    agenda.record(&result);
                    self.store.add((*result).clone())?;
                    self.found.push(*result);
                    self.computed += 1;
                }
                Outcome::Errors(findings) => return Ok(End::Errors(findings, Box::new(open(&run)?))),
                Outcome::Interrupted => return Ok(self.stopped()),
            }
        }
        Ok(End::Done)
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
        if !self.context.watch.is_interactive() {
            self.context.remark(&label);
        }
        self.context.watch.restarted(&label)
    }

    fn stopped(&self) -> End {
        self.context.watch.finish();
        say("rely: stopped; the same command goes on from here");
        End::Stopped
    }
}

/// Performs a run in this process.
fn perform(verb: &Study, run: &StudyRun, watch: &Watch) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let project = open(run)?;
    let performed = study::perform(&project, run, &clock, watch.budget())?;
    Ok(match performed {
        _ if watch.is_interrupted() => Outcome::Interrupted,
        Performed::Done(mut result, proof) => {
            if verb.single.is_some() {
                result.peak_bytes = isolated::peak_bytes();
            }
            if verb.reuse {
                result.reuse = study::reuse(&project, run, &proof, &clock, watch.budget())?;
            }
            Outcome::Done(result)
        }
        Performed::Errors(findings) => Outcome::Errors(findings),
    })
}

/// The model of a run, with its constants.
fn open(run: &StudyRun) -> anyhow::Result<Project> {
    let mut project = files::open(Path::new(&run.file), &Patience::default())?;
    let size = run.parameter.iter().zip(run.size);
    for (name, value) in run.constants.iter().map(|(name, value)| (name, *value)).chain(size) {
        if !project.define(name, value) {
            return Err(Usage(format!("{} has no constant `{name}`", run.file)).into());
        }
    }
    Ok(project)
}

/// What a process does that a study has started: one run, and its result on one line.
fn single(context: &Context, verb: &Study, run: &str) -> anyhow::Result<Exit> {
    let run: StudyRun = serde_json::from_str(run).context("--single needs a run of a study")?;
    match perform(verb, &run, &context.watch)? {
        Outcome::Done(result) => {
            // The process that asked reads a line, not a report.
            context.has_printed();
            print_json(&study::Collection::line(&result))?;
            Ok(Exit::Success)
        }
        Outcome::Errors(findings) => {
            let report = Report::<StudyResult>::new("study", Vec::new(), findings);
            Ok(context.fail(&report, std::slice::from_ref(&open(&run)?)))
        }
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
