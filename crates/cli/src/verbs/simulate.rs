//! `rely simulate`: a prompt that offers what is possible.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use rely_base::{Exhausted, Progress, column_width};
use rely_session::report::Finding;
use rely_session::{Choice, IMPOSSIBLE_TRACE, Simulation, WhyNot};
use serde::Deserialize;

mod editor;

use editor::{Lines, Words};

use crate::args::Simulate;
use crate::context::{Context, Exit, Usage, print_text};
use crate::files;
use crate::patience::stopped;
use crate::render::cause;
use crate::watch::Watch;

const HELP: &str = "\
  NUMBER or ACTION   take a step
  why ACTION         say why it is not possible
  w                  take a step by chance (w 20 takes twenty)
  g                  go on while only one step is possible (g end: and no further than to the next `end`)
  u                  undo the last step (u 3 undoes three)
  t                  show the trace so far
  s                  show the state of each component
  r                  start again
  q                  quit
";

/// Steps by chance that are taken at once, at most.
const MOST_STEPS: usize = 100_000;

pub(crate) fn run(context: &Context, verb: &Simulate) -> anyhow::Result<Exit> {
    super::check_no_json(context, "a conversation is no answer")?;
    let project = context.open_one(&verb.model.file)?;
    let target = match rely_session::target(&project, verb.target.as_deref(), context.watch.budget()) {
        Ok(target) => target,
        Err(failed) => return super::fail(context, &failed, &project),
    };
    let trace = match verb.replay.as_deref() {
        Some(path) => Some((path, trace_of(context, path, &target.name)?)),
        None => None,
    };
    let components: Vec<String> = target.behaviour.part_names().into_iter().map(str::to_owned).collect();
    let Ok(simulation) = Simulation::new(&target) else {
        print_text("a component starts in its error state\n")?;
        return Ok(Exit::Violated);
    };
    let mut session = Prompt {
        context,
        watch: context.watch.silent(),
        simulation,
        components,
        alphabet: target.behaviour.alphabet().names().map(str::to_owned).collect(),
        marks: rely_session::marks(&target),
        chance: Chance(context.global.seed),
        is_stuck: false,
    };
    if verb.walk.is_none() {
        context.print(&format!("{}: type ? for help\n", context.style.bold(&target.name)))?;
    }
    if let Some((path, actions)) = trace {
        session.replay(path, &actions, &verb.between)?;
    }
    if let Some(steps) = verb.walk {
        session.walk(steps)?;
        session.show_trace()?;
        let choices = session.simulation.choices();
        if choices.is_empty() {
            session.show(&choices)?;
        }
        return Ok(if session.is_stuck { Exit::Errors } else { Exit::Success });
    }
    let exit = session.run()?;
    // A trace that is no run of the target is a mistake in what was given.
    Ok(if session.is_stuck { Exit::Errors } else { exit })
}

/// A report of violations, as far as a simulation needs it.
#[derive(Deserialize)]
struct Saved {
    #[serde(default)]
    results: Vec<SavedResult>,
}

#[derive(Deserialize)]
struct SavedResult {
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    target: String,
    #[serde(default)]
    system: String,
    #[serde(default)]
    trace: Vec<String>,
    #[serde(default)]
    cycle: Vec<String>,
}

/// The bytes that a piece of a saved trace takes: as text, and as a list of actions or the nodes of a report.
fn weight_of_trace(piece: &[u8]) -> u64 {
    const ACTION: u64 = 64;
    let lines = piece.iter().filter(|&&byte| byte == b'\n').count();
    files::weight_of_json(piece) + piece.len() as u64 + ACTION * lines as u64
}

/// The actions of a saved trace: one on each line, or those of the first violated result of a JSON report that is about
/// the target, or of the first one if none is.
pub(super) fn trace_of(context: &Context, path: &Path, target: &str) -> anyhow::Result<Vec<String>> {
    let bytes = files::read_text(path, &context.watch.patience(), weight_of_trace)?;
    let text = String::from_utf8_lossy(&bytes);
    let Ok(Saved { results }) = serde_json::from_str::<Saved>(&text) else {
        return Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect());
    };
    let mut violated: Vec<SavedResult> =
        results.into_iter().filter(|result| result.verdict == "violated").collect();
    let is_about = |result: &SavedResult| result.target == target || result.system == target;
    let chosen = violated.iter().position(is_about).unwrap_or(0);
    if violated.is_empty() {
        return Err(Usage(format!("{} has no violated result with a trace", path.display())).into());
    }
    let SavedResult { trace, cycle, .. } = violated.swap_remove(chosen);
    Ok(trace.into_iter().chain(cycle).collect())
}

/// Says that a trace is no run: its first `done` steps are possible, and the next one is not.
pub(super) fn impossible_trace(path: &Path, done: usize, actions: &[String]) -> Finding {
    let message = format!("step {} of the trace, {}, is not possible", done + 1, actions[done]);
    Finding::about(&path.display().to_string(), IMPOSSIBLE_TRACE, &message)
}

/// Whether a line only asks, so that what is possible has not changed.
fn is_question(line: &str) -> bool {
    let command = line.split(' ').next().unwrap_or_default();
    ["", "?", "h", "help", "t", "s", "why"].contains(&command)
}

/// The error of a limit that was met while a trace was followed.
fn stopped_by(exhausted: &Exhausted) -> anyhow::Error {
    anyhow::Error::new(stopped(exhausted.to_string())).context("the trace is not known to be possible")
}

/// A generator of numbers that look random (SplitMix64): the same walk for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

struct Prompt<'a> {
    context: &'a Context,
    /// The limits, without a line that shows how far one has come: nothing takes long here.
    watch: Watch,
    simulation: Simulation<'a>,
    components: Vec<String>,
    /// The actions of the target.
    alphabet: Vec<String>,
    chance: Chance,
    /// What the actions of an interface automaton are marked with.
    marks: BTreeMap<String, char>,
    /// Whether the trace to replay was not possible.
    is_stuck: bool,
}

impl Prompt<'_> {
    /// An action with its mark.
    fn marked(&self, action: &str) -> String {
        self.marks.get(action).map_or_else(|| action.to_owned(), |mark| format!("{action}{mark}"))
    }

    fn run(&mut self) -> anyhow::Result<Exit> {
        let patience = self.context.watch.patience();
        let words = Words::default();
        words.set(self.alphabet.clone());
        let mut lines = Lines::of_standard_input(&patience, words)?;
        let mut is_new = true;
        loop {
            self.check_limits()?;
            let choices = self.simulation.choices();
            if std::mem::replace(&mut is_new, true) {
                self.show(&choices)?;
            }
            let Some(line) = lines.next()? else { break };
            is_new = !is_question(line.trim());
            if !self.obey(line.trim(), &choices)? {
                break;
            }
        }
        std::io::stdout().flush()?;
        Ok(Exit::Success)
    }

    /// Fails when time is up, or too many steps are kept: lines may come from a program.
    fn check_limits(&self) -> anyhow::Result<()> {
        /// What a step takes beside the states of the components before and after it, at most.
        const STEP: usize = 256;
        let step = STEP + 2 * size_of::<u64>() * self.components.len();
        let bytes = self.simulation.steps().len().saturating_mul(step);
        let progress = Progress { bytes, ..Progress::default() };
        self.watch.budget().check(&progress).map_err(|exhausted| stopped(exhausted.to_string()).into())
    }

    /// Does what a line says; `false` ends the session.
    fn obey(&mut self, line: &str, choices: &[Choice]) -> anyhow::Result<bool> {
        let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "" => {}
            "q" => return Ok(false),
            "?" | "h" | "help" => print_text(HELP)?,
            "u" => {
                let wanted: usize = argument.trim().parse().unwrap_or(1);
                for _ in 0..wanted.min(self.simulation.steps().len()) {
                    self.simulation.undo();
                }
            }
            "r" => self.simulation.restart(),
            "w" => self.walk(argument.trim().parse().unwrap_or(1))?,
            "g" => self.go_on(argument.trim())?,
            "why" => self.explain(argument.trim().trim_start_matches("not ").trim_end_matches('?'))?,
            "t" => self.show_trace()?,
            "s" => self.show_states()?,
            _ => self.choose(line, choices)?,
        }
        Ok(true)
    }

    fn choose(&mut self, line: &str, choices: &[Choice]) -> anyhow::Result<()> {
        let by_number = line.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        let is_meant = |choice: &&Choice| choice.action == line || self.marked(&choice.action) == line;
        let mut by_name = choices.iter().filter(is_meant);
        match (by_number, by_name.next(), by_name.next()) {
            (Some(choice), _, _) | (None, Some(choice), None) => self.simulation.take(choice.clone()),
            (None, Some(_), Some(_)) => print_text("  several steps have this name: choose by number\n")?,
            (None, None, _) => self.explain(line)?,
        }
        Ok(())
    }

    /// Takes some steps by chance, as long as something is possible.
    fn walk(&mut self, steps: usize) -> anyhow::Result<()> {
        for _ in 0..steps.min(MOST_STEPS) {
            self.check_limits()?;
            if !self.simulation.wander(self.chance.next()) {
                break;
            }
        }
        Ok(())
    }

    /// Takes steps as long as there is a single one to take that is no error, up to and with one that has an action.
    fn go_on(&mut self, last: &str) -> anyhow::Result<()> {
        for _ in 0..MOST_STEPS {
            self.check_limits()?;
            let choices = self.simulation.choices();
            let [only] = &choices[..] else { break };
            if only.error.is_some() || only.cut.is_some() {
                break;
            }
            let is_last = only.action == last || self.marked(&only.action) == last;
            self.simulation.take(only.clone());
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Says why an action is not possible.
    fn explain(&self, action: &str) -> anyhow::Result<()> {
        let action =
            self.alphabet.iter().find(|name| self.marked(name) == action).map_or(action, |name| name);
        let impossible = |why: &str| format!("  {action} is not possible: {why}\n");
        print_text(&match self.simulation.why_not(action) {
            WhyNot::Possible => format!("  {action} is possible\n"),
            WhyNot::AtTheEnd => impossible("the run has come to its end; u goes back"),
            WhyNot::Unknown(Some(meant)) => format!("  {action} is no action; did you mean {meant}?\n"),
            WhyNot::Unknown(None) => format!("  {action} is no action; type ? for help\n"),
            WhyNot::Outranked(first) if first.is_empty() => impossible("it has no priority"),
            WhyNot::Outranked(first) => impossible(&format!("{} go first", first.join(", "))),
            WhyNot::NotReady(units) => {
                impossible(&format!("it takes {}, and not all are ready", units.join(", ")))
            }
            WhyNot::Refused(refusing) => refusing.iter().map(|it| impossible(&it.reason())).collect(),
        })
    }

    /// Takes the steps of a saved trace, as far as they are possible.
    ///
    /// # Errors
    /// The limit that was met before that was known, too.
    fn replay(&mut self, path: &Path, actions: &[String], between: &[String]) -> anyhow::Result<()> {
        let followed = self.simulation.follow(actions, between, &self.context.watch.budget());
        self.context.watch.finish();
        if followed.map_err(|exhausted| stopped_by(&exhausted))? {
            return self.show_trace();
        }
        let is_followed = |step: &&Choice| actions.contains(&step.action) || !between.contains(&step.action);
        let done = self.simulation.steps().iter().filter(is_followed).count();
        let finding = impossible_trace(path, done, actions);
        self.context.show_findings(&[finding], &[]);
        self.is_stuck = true;
        Ok(())
    }

    fn show(&self, choices: &[Choice]) -> anyhow::Result<()> {
        let style = self.context.style;
        if let Some(end) = self.simulation.end() {
            let (what, part) = match (end.error, end.cut) {
                (Some(part), _) => (style.red("error"), part),
                (None, part) => (style.red("beyond what is explored"), part.unwrap_or_default()),
            };
            let fault = end.fault.map_or(String::new(), |fault| format!(": {fault}"));
            return self.context.print(&format!("  {what} in {}{fault}\n", self.components[part]));
        }
        if choices.is_empty() {
            let ended = self.simulation.has_ended();
            let what = if ended { style.green("ended") } else { style.red("deadlock") };
            let mut text = format!("  {what}: nothing is possible\n");
            if let Some(cause) = self.simulation.deadlock() {
                text.push_str(&cause::render(&cause, &self.components, None, false));
            }
            return self.context.print(&text);
        }
        let actions: Vec<String> = choices.iter().map(|choice| self.marked(&choice.action)).collect();
        let width = column_width(actions.iter().map(String::as_str));
        let digits = choices.len().to_string().len();
        let mut text = String::new();
        for (i, choice) in choices.iter().enumerate() {
            let names: Vec<&str> =
                choice.components.iter().map(|&component| &*self.components[component]).collect();
            let error = match (choice.error, choice.cut) {
                (Some(_), _) => format!("  {}", style.red("error")),
                (None, Some(_)) => format!("  {}", style.red("beyond what is explored")),
                (None, None) => String::new(),
            };
            let line = format!(
                "  {:>digits$}  {:width$}  {}{error}",
                i + 1,
                actions[i],
                style.dim(names.join(", "))
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        self.context.print(&text)
    }

    fn show_trace(&self) -> anyhow::Result<()> {
        let steps = self.simulation.steps();
        let line = |(i, step): (usize, &Choice)| format!("  {:>4}  {}\n", i + 1, self.marked(&step.action));
        let lines = steps.iter().enumerate().map(line);
        print_text(&lines.collect::<String>())
    }

    fn show_states(&self) -> anyhow::Result<()> {
        let states = self.simulation.states().unwrap_or_default();
        let lines = states.iter().map(|(name, state)| format!("  {name}: {state}\n"));
        print_text(&lines.collect::<String>())
    }
}
