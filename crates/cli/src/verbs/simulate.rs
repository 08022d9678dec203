//! `rely simulate`: a prompt that offers what is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;

use anyhow::Context as _;
use rely_session::report::Finding;
use rely_session::{Choice, IMPOSSIBLE_TRACE, Simulation};

use crate::args::Simulate;
use crate::context::{Context, Exit, Usage, print_text};
use crate::files;

const HELP: &str = "\
  NUMBER or ACTION   take a step
  u                  undo the last step (u 3 undoes three)
  t                  show the trace so far
  s                  show the state of each component
  r                  start again
  q                  quit
";

pub(crate) fn run(context: &Context, verb: &Simulate) -> anyhow::Result<Exit> {
    super::check_no_json(context, "a conversation is no answer")?;
    let project = context.open_one(&verb.model.file)?;
    let trace = match verb.replay.as_deref() {
        Some(path) => Some((path, trace_of(context, path)?)),
        None => None,
    };
    let target = match rely_session::target(&project, verb.target.as_deref(), context.watch.budget()) {
        Ok(target) => target,
        Err(failed) => return super::fail(context, &failed, &project),
    };
    let components: Vec<String> =
        target.network.components().iter().map(|component| component.name.clone()).collect();
    let Ok(simulation) = Simulation::new(&target.network) else {
        print_text("a component starts in its error state\n")?;
        return Ok(Exit::Violated);
    };
    let mut session =
        Prompt { context, simulation, components, marks: rely_session::marks(&target), is_stuck: false };
    print_text(&format!("{}: type ? for help\n", context.style.bold(&target.name)))?;
    if let Some((path, actions)) = trace {
        session.replay(path, &actions)?;
    }
    let exit = session.run()?;
    // A trace that is no run of the target is a mistake in what was given.
    Ok(if session.is_stuck { Exit::Errors } else { exit })
}

/// The actions of a saved trace: of the first violated result of a JSON report, or one on each line.
fn trace_of(context: &Context, path: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = files::read_patiently(path, &context.watch.patience())?;
    let text = String::from_utf8_lossy(&bytes);
    let Ok(report) = serde_json::from_str::<serde_json::Value>(&text) else {
        return Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect());
    };
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|name| name.as_str()).map(str::to_owned).collect()
    };
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let violated = results.iter().find(|result| result["verdict"] == "violated");
    violated
        .map(|result| names(&result["trace"]).into_iter().chain(names(&result["cycle"])).collect())
        .ok_or_else(|| Usage(format!("{} has no violated result with a trace", path.display())).into())
}

struct Prompt<'a> {
    context: &'a Context,
    simulation: Simulation<'a>,
    components: Vec<String>,
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
        let mut lines = BufReader::new(files::standard_input(&patience)?).lines();
        loop {
            let choices = self.simulation.choices();
            self.show(&choices)?;
            print_text("> ")?;
            let Some(line) = lines.next() else {
                print_text("\n")?;
                break;
            };
            let line = line.context("standard input cannot be read")?;
            if !std::io::stdin().is_terminal() {
                // Nobody typed this where the prompt is.
                print_text(&format!("{line}\n"))?;
            }
            if !self.obey(line.trim(), &choices)? {
                break;
            }
        }
        std::io::stdout().flush()?;
        Ok(Exit::Success)
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
            (None, None, _) => print_text("  this is not possible now; type ? for help\n")?,
        }
        Ok(())
    }

    /// Takes the steps of a saved trace, as far as they are possible.
    fn replay(&mut self, path: &Path, actions: &[String]) -> anyhow::Result<()> {
        if self.follow(actions) {
            return self.show_trace();
        }
        let done = self.simulation.steps().len();
        let message = format!("step {} of the trace, {}, is not possible", done + 1, actions[done]);
        let finding = Finding::about(&path.display().to_string(), IMPOSSIBLE_TRACE, &message);
        self.context.show_findings(&[finding], &[]);
        self.is_stuck = true;
        Ok(())
    }

    /// Looks for a run with some actions: where several steps have a name, each may be the one that is meant. Whether
    /// there is such a run; if not, the longest beginning of one is left.
    fn follow(&mut self, actions: &[String]) -> bool {
        let mut longest: Vec<Choice> = Vec::new();
        let mut seen = BTreeSet::new();
        // For each step so far and the next one, what has not been tried.
        let mut untried = vec![self.fitting(actions.first())];
        while let Some(choice) = untried.last_mut().map(Vec::pop) {
            let Some(choice) = choice else {
                untried.pop();
                self.simulation.undo();
                continue;
            };
            self.simulation.take(choice);
            let done = untried.len();
            if done > longest.len() {
                longest = self.simulation.steps().to_vec();
            }
            let is_new = done < actions.len() && seen.insert((done, self.simulation.states()));
            untried.push(if is_new { self.fitting(actions.get(done)) } else { Vec::new() });
            if done == actions.len() {
                return true;
            }
        }
        self.simulation.restart();
        longest.into_iter().for_each(|choice| self.simulation.take(choice));
        actions.is_empty()
    }

    /// The possible steps with a name, the first one last.
    fn fitting(&self, action: Option<&String>) -> Vec<Choice> {
        let choices = self.simulation.choices().into_iter().rev();
        choices.filter(|choice| Some(&choice.action) == action).collect()
    }

    fn show(&self, choices: &[Choice]) -> anyhow::Result<()> {
        let style = self.context.style;
        if let Some(component) = self.simulation.error() {
            return print_text(&format!("  {} in {}\n", style.red("error"), self.components[component]));
        }
        if choices.is_empty() {
            let ended = self.simulation.has_ended();
            let what = if ended { style.green("ended") } else { style.red("deadlock") };
            return print_text(&format!("  {what}: nothing is possible\n"));
        }
        let width = choices.iter().map(|choice| self.marked(&choice.action).len()).max().unwrap_or(0);
        let digits = choices.len().to_string().len();
        let mut text = String::new();
        for (i, choice) in choices.iter().enumerate() {
            let names: Vec<&str> =
                choice.components.iter().map(|&component| &*self.components[component]).collect();
            let error =
                if choice.error.is_some() { format!("  {}", style.red("error")) } else { String::new() };
            let line = format!(
                "  {:>digits$}  {:width$}  {}{error}",
                i + 1,
                self.marked(&choice.action),
                style.dim(names.join(", "))
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        print_text(&text)
    }

    fn show_trace(&self) -> anyhow::Result<()> {
        let steps = self.simulation.steps();
        let line = |(i, step): (usize, &Choice)| format!("  {:>4}  {}\n", i + 1, self.marked(&step.action));
        let lines = steps.iter().enumerate().map(line);
        print_text(&lines.collect::<String>())
    }

    fn show_states(&self) -> anyhow::Result<()> {
        let states = self.simulation.states().unwrap_or_default();
        let lines =
            states.iter().zip(&self.components).map(|(state, name)| format!("  {name}: {}\n", state.raw()));
        print_text(&lines.collect::<String>())
    }
}
