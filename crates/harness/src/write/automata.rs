//! The design in Rust: actions, events, automata, and functions that signal events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rely_monitor::{Language, Next, WatchInput, WatchedAutomaton, WatchedEvent, generate_watch};

use super::{comment, identifier, string};
use crate::events::{Event, Events, Key};
use crate::{Plan, Watched};

/// The name of an automaton in Rust.
pub(crate) fn constant(name: &str) -> String {
    identifier(name).to_ascii_uppercase()
}

/// `automata.rs`: the design and its automata. What is too large has been refused with the tables.
pub(super) fn automata(plan: &Plan<'_>) -> String {
    let watched: Vec<&Watched> = all(plan).collect();
    let input = watch_input(plan.input.name, &plan.events, &watched, 0);
    generate_watch(Language::Rust, &input).unwrap_or_default()
}

/// What a watch is made of; the first automata are assumptions.
pub(crate) fn watch_input(
    name: &str,
    events: &Events,
    watched: &[&Watched],
    assumptions: usize,
) -> WatchInput {
    let number = |action: &String| events.number(action).unwrap_or_default();
    let event = |(key, event): (&Key, &Event)| WatchedEvent {
        method: key.method.clone(),
        object: key.object.clone(),
        thread: key.thread.clone(),
        values: event.values.clone(),
        actions: event.actions.iter().map(number).collect(),
    };
    let automaton = |(i, it): (usize, &&Watched)| WatchedAutomaton {
        name: it.name.clone(),
        constant: it.constant.clone(),
        is_assumption: i < assumptions,
        rows: rows(events, it),
    };
    let mut input = WatchInput {
        name: name.to_owned(),
        digest: 0,
        actions: events.actions.clone(),
        events: events.events.iter().map(event).collect(),
        automata: watched.iter().enumerate().map(automaton).collect(),
    };
    input.digest = rely_runtime::digest(&[content(&input).as_bytes()]);
    input
}

/// Everything that a monitor depends on, for its digest.
fn content(input: &WatchInput) -> String {
    let mut content = input.actions.join("\n");
    for event in &input.events {
        let _ = write!(content, "\n{event:?}");
    }
    for automaton in &input.automata {
        let _ = write!(content, "\n{} {:?}", automaton.name, automaton.rows);
    }
    content
}

/// All automata.
pub(super) fn all<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = &'p Watched> {
    let sides = plan.component.iter().chain(plan.environment.iter().flatten());
    plan.properties.iter().chain(&plan.assumptions).chain(sides)
}

/// The rows of a table, over the actions of the design: those outside of the alphabet change nothing.
fn rows(events: &Events, watched: &Watched) -> Vec<Vec<Next>> {
    let table = &watched.table;
    let entry = |state: usize, action: &String| match table.actions.binary_search(action) {
        Err(_) => Next::State(state),
        Ok(column) => match table.rows[state][column] {
            next if next == table.violated() && watched.forgiven.contains(action) => Next::Left,
            next if next == table.violated() => Next::Violated,
            next if next == table.left() => Next::Left,
            next => Next::State(next),
        },
    };
    let row = |state: usize| events.actions.iter().map(|action| entry(state, action)).collect();
    (0..table.rows.len()).map(row).collect()
}

/// `events.rs`: a function for each event.
pub(super) fn events(plan: &Plan<'_>) -> String {
    let mut arities: BTreeMap<(&str, &str), BTreeSet<usize>> = BTreeMap::new();
    for (key, event) in &plan.events.events {
        arities.entry((&key.object, &key.method)).or_default().insert(event.values.len());
    }
    let mut text = "//! A function for each event of the design. They can be used in the program in place of the macros.\n\n".to_owned();
    text.push_str("use rely_runtime::{Answer, event};\n");
    let mut taken = BTreeSet::new();
    for ((object, method), arities) in arities {
        for arity in &arities {
            let mut name = identifier(&format!("{object} {method}"));
            if arities.len() > 1 {
                let _ = write!(name, "_{arity}");
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let parameters: Vec<String> = (0..*arity).map(|i| format!("value_{i}: impl Into<i64>")).collect();
            let values: Vec<String> = (0..*arity).map(|i| format!("value_{i}.into()")).collect();
            let _ = writeln!(
                text,
                "\n/// `{}` of `{}` is called in the current thread.\npub fn {name}({}) -> Answer {{\n    event({}, {}, &[{}])\n}}",
                comment(method),
                comment(object),
                parameters.join(", "),
                string(method),
                string(object),
                values.join(", ")
            );
        }
    }
    text
}
