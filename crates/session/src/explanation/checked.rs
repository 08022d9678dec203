//! A page about the answers of `check`: the questions, the answers, and the runs that show violations.
//!
//! It is made from the plain data of the answers, so it is the same for all languages.

use super::page::{
    Block, Page, Picture, Table, TextIs, Words, article, counted, facts, grouped, model, verdict_name,
};
use super::pictures::lane_marks;
use super::{Origin, PageFormat, written};
use crate::cause::{CauseLine, cause_in_words};
use crate::picture::chart;
use crate::report::{CheckResult, Kind, OtherTrace, TraceStep, Verdict};

/// Traces with more steps than this are not drawn.
const DRAWN: usize = 200;

/// One page for all answers of `check`.
pub fn check_page(results: &[CheckResult], origin: &Origin, format: PageFormat) -> String {
    let mut blocks = Vec::new();
    let facts = facts(origin);
    if !facts.is_empty() {
        blocks.push(Block::Facts(facts));
    }
    if results.is_empty() {
        blocks.push(Block::Paragraph(Words::new("There is no answer to explain.")));
    }
    let has_contents = results.len() > 1;
    if has_contents {
        blocks.push(Block::Table(summary(results)));
    }
    for (number, result) in results.iter().enumerate() {
        write(result, &article(number), &mut blocks);
        if has_contents {
            blocks.push(Block::Back);
        }
    }
    model(origin, &mut blocks);
    let title = match results {
        [only] => format!("{}: one answer explained", only.target),
        [first, ..] => format!("{}: {} answers explained", first.target, results.len()),
        [] => "Nothing to explain".to_owned(),
    };
    written(&Page { title, blocks }, format)
}

/// A table of all answers, each with a link to its article.
fn summary(results: &[CheckResult]) -> Table {
    let row = |(number, result): (usize, &CheckResult)| {
        vec![
            Words::number(number + 1),
            Words::of_name(&result.target),
            Words::default().link(&result.property, &article(number)),
            Words::new(verdict_name(result.verdict)),
            Words::new(grouped(result.states)),
        ]
    };
    Table {
        head: vec![("", true), ("Target", false), ("Question", false), ("Answer", false), ("States", true)],
        rows: results.iter().enumerate().map(row).collect(),
    }
}

fn write(result: &CheckResult, article: &str, blocks: &mut Vec<Block>) {
    let title = Words::of_name(&result.target).text(": ").name(&result.property).text(match result.verdict {
        Verdict::Holds => " holds",
        Verdict::Violated => " is violated",
        Verdict::Unknown => " is not decided",
    });
    blocks.push(Block::Article(article.to_owned(), title));
    blocks.push(Block::Answer(result.verdict, answer(result)));
    for warning in &result.warnings {
        blocks.push(Block::Warning(Words::new(warning)));
    }
    let merged = if result.equivalent_states_merged { ", equivalent ones taken for one" } else { "" };
    let looked = format!(
        "{} and {}{merged}",
        counted(result.states, "state"),
        counted(result.transitions, "transition")
    );
    blocks.push(Block::Facts(vec![("Looked at", Words::new(looked))]));
    if !result.rests_on.is_empty() {
        let rules = result.rests_on.iter().map(|it| Words::of_name(&it.assumption));
        blocks.push(Block::Paragraph(Words::new("It rests on what is assumed about the environment:")));
        blocks.push(Block::List(rules.collect()));
    }
    if result.trace.is_empty() && result.cycle.is_empty() && result.cause.is_none() {
        return;
    }
    blocks.push(Block::Heading(3, Words::new("How it comes about")));
    let run = ShownRun {
        components: &result.components,
        steps: &result.steps,
        cycle: &result.cycle_steps,
        shortest: result.shortest,
    };
    run.write(chart(result), blocks);
    run.write_cause(result.cause.as_ref(), blocks);
    if let Some(reason) = result.reason.as_ref().filter(|_| result.verdict == Verdict::Violated) {
        blocks.push(Block::Paragraph(Words::new(sentence(reason))));
    }
    for (number, other) in result.more_traces.iter().enumerate() {
        let number = number + 2;
        blocks.push(Block::Heading(3, Words::new(format!("Another way, number {number}"))));
        let run = ShownRun::of(other);
        let mut shown = result.clone();
        other.clone().write_into(&mut shown);
        run.write(chart(&shown), blocks);
        run.write_cause(other.cause.as_ref(), blocks);
    }
}

/// The answer in a sentence.
fn answer(result: &CheckResult) -> Words {
    let target = || Words::of_name(&result.target);
    let by = |words: Words| match &result.violates {
        Some(name) => words.text(" by ").name(name),
        None => words,
    };
    match (result.verdict, result.kind) {
        (Verdict::Unknown, _) => {
            let reason = result.reason.as_deref().unwrap_or("no reason is known");
            Words::new(sentence(&format!("there is no answer: {reason}")))
        }
        (Verdict::Holds, Kind::Deadlock) => target().text(" never gets stuck."),
        (Verdict::Violated, Kind::Deadlock) => target().text(" can get stuck."),
        (Verdict::Holds, Kind::Safety) => Words::new("Nothing that may not happen happens in any run."),
        (Verdict::Violated, Kind::Safety) => by(target().text(" can fail")).text("."),
        (Verdict::Holds, Kind::Progress) => {
            Words::new("What is wanted stays possible, and under fair choice happens again and again.")
        }
        (Verdict::Violated, Kind::Progress) => {
            target().text(" can come to where none of the wanted actions happens any more.")
        }
        (Verdict::Holds, Kind::Ltl) => Words::new("Every run keeps it."),
        (Verdict::Violated, Kind::Ltl) => Words::new("Some run breaks it."),
        (Verdict::Holds, Kind::Divergence) => target().text(" never works silently for ever."),
        (Verdict::Violated, Kind::Divergence) => target().text(" can work silently for ever."),
    }
}

/// A text as a sentence of its own.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

/// A run as it is shown.
struct ShownRun<'r> {
    components: &'r [String],
    steps: &'r [TraceStep],
    cycle: &'r [TraceStep],
    shortest: bool,
}

impl<'r> ShownRun<'r> {
    fn of(other: &'r OtherTrace) -> Self {
        let OtherTrace { components, steps, cycle_steps, shortest, .. } = other;
        Self { components, steps, cycle: cycle_steps, shortest: *shortest }
    }

    /// Writes the run: a picture, then the steps; the cycle is separate from the trace.
    fn write(&self, svg: String, blocks: &mut Vec<Block>) {
        if self.steps.is_empty() && self.cycle.is_empty() {
            blocks.push(Block::Paragraph(Words::new("It is so at the start, before any step.")));
            return;
        }
        let shortest = match self.shortest {
            true => "No run that ends like this is shorter.",
            false => "There may be shorter ones.",
        };
        let replayed = "The run has been replayed on the model, by code that shares nothing with the search.";
        blocks.push(Block::Paragraph(Words::new(format!("{replayed} {shortest}"))));
        let all = self.steps.len() + self.cycle.len();
        if all <= DRAWN {
            blocks.push(Block::Picture(Picture {
                svg: Some(svg),
                text: self.lanes(),
                text_is: TextIs::Characters,
                caption: Words::new("Who takes part in which step"),
            }));
        }
        if !self.steps.is_empty() {
            blocks.push(Block::Table(self.table(self.steps, 1)));
        }
        if !self.cycle.is_empty() {
            blocks.push(Block::Paragraph(Words::new("And then for ever:")));
            blocks.push(Block::Table(self.table(self.cycle, self.steps.len() + 1)));
        }
    }

    /// The picture in characters.
    fn lanes(&self) -> String {
        let steps = || self.steps.iter().chain(self.cycle);
        let width = steps().map(|step| step.action.chars().count()).max().unwrap_or(0);
        let legend = self.components.iter().enumerate().map(|(i, name)| format!("{:>3} {name}\n", i + 1));
        let row = |step: &TraceStep| {
            format!("{:width$}  {}\n", step.action, lane_marks(&step.components, self.components.len()))
        };
        legend.chain(steps().map(row)).collect()
    }

    fn table(&self, steps: &[TraceStep], first: usize) -> Table {
        let name = |component: usize| self.components.get(component).map_or("", String::as_str);
        let moved = |step: &TraceStep| {
            let mut words = Words::default();
            for (i, &component) in step.components.iter().enumerate() {
                words = words.text(if i == 0 { "" } else { ", " }).name(name(component));
                if let Some(state) = step.states.get(i) {
                    words = words.text(match state.from == state.to {
                        true => format!(" stays at {}", state.from),
                        false => format!(" from {} to {}", state.from, state.to),
                    });
                }
                if let Some(at) = step.places.iter().find(|it| it.component == component) {
                    words = words.text(format!(" ({}:{})", at.place.line, at.place.column));
                }
            }
            for change in &step.changes {
                words = words.text(format!("; {} = {}", change.variable, change.to));
            }
            if step.fluents.is_empty() {
                words
            } else {
                words.text(format!("; {{{}}}", step.fluents.join(", ")))
            }
        };
        let row = |(i, step): (usize, &TraceStep)| {
            vec![Words::number(first + i), Words::of_name(&step.action), moved(step)]
        };
        Table {
            head: vec![("Step", true), ("Action", false), ("Who moves", false)],
            rows: steps.iter().enumerate().map(row).collect(),
        }
    }

    fn write_cause(&self, cause: Option<&crate::report::Cause>, blocks: &mut Vec<Block>) {
        let Some(cause) = cause else { return };
        let last = self.steps.last().map(|step| step.action.as_str());
        let mut items = Vec::new();
        for line in cause_in_words(cause, self.components, last, true) {
            match line {
                CauseLine::Item(text) => items.push(Words::new(text)),
                CauseLine::Sentence(text) => {
                    if !items.is_empty() {
                        blocks.push(Block::List(std::mem::take(&mut items)));
                    }
                    let ends = text.ends_with(':');
                    let text = sentence(text.trim_end_matches(':'));
                    let text = if ends { text.trim_end_matches('.').to_owned() + ":" } else { text };
                    blocks.push(Block::Paragraph(Words::new(text)));
                }
            }
        }
        if !items.is_empty() {
            blocks.push(Block::List(items));
        }
    }
}
