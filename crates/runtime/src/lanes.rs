//! What happened, for people: a lane for each thread, and a column for each automaton.

use std::fmt::Write;

use crate::automaton::{LEFT, VIOLATED};
use crate::watch::{Report, Step};

/// The steps of a report, one on each line: its number, the event in the lane of its thread, and the state of each
/// automaton after it.
pub fn lanes(report: &Report) -> String {
    let mut threads: Vec<&str> = Vec::new();
    for step in &report.steps {
        if !threads.contains(&&*step.thread) {
            threads.push(&step.thread);
        }
    }
    let width_of = |thread: &str| {
        let own =
            report.steps.iter().filter(|step| step.thread == thread).map(|step| step.event.chars().count());
        own.max().unwrap_or(0).max(thread.chars().count())
    };
    let widths: Vec<usize> = threads.iter().map(|thread| width_of(thread)).collect();
    let mut text = String::from("      ");
    for (thread, width) in threads.iter().zip(&widths) {
        let _ = write!(text, "{thread:width$}  ");
    }
    for name in &report.automata {
        let _ = write!(text, "{:width$}  ", name, width = column(name));
    }
    end_line(&mut text);
    for (i, step) in report.steps.iter().enumerate() {
        let _ = write!(text, "{:>4}  ", report.forgotten + i as u64 + 1);
        for (thread, width) in threads.iter().zip(&widths) {
            let shown = if *thread == step.thread { &*step.event } else { "" };
            let _ = write!(text, "{shown:width$}  ");
        }
        for (name, &state) in report.automata.iter().zip(&step.states) {
            let _ = write!(text, "{:width$}  ", state_name(state), width = column(name));
        }
        end_line(&mut text);
    }
    text
}

/// How wide the column of an automaton is.
fn column(name: &str) -> usize {
    name.chars().count().max("violated".len())
}

fn state_name(state: u32) -> String {
    match state {
        VIOLATED => "violated".to_owned(),
        LEFT => "left".to_owned(),
        state => state.to_string(),
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.push('\n');
}

impl Step {
    /// The step as a line of JSON, as `rely monitor --check` reads it.
    pub fn to_json(&self) -> String {
        let mut values = String::new();
        for (i, value) in self.values.iter().enumerate() {
            let _ = write!(values, "{}{value}", if i == 0 { "" } else { "," });
        }
        format!(
            "{{\"thread\":{},\"object\":{},\"method\":{},\"values\":[{values}]}}",
            quoted(&self.thread),
            quoted(&self.object),
            quoted(&self.method)
        )
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if u32::from(letter) < 0x20 => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
