//! The design in Rust: actions, events, automata, and functions that signal events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{comment, identifier, string};
use crate::{Plan, Watched};

/// The name of an automaton in Rust.
pub(crate) fn constant(name: &str) -> String {
    identifier(name).to_ascii_uppercase()
}

/// `automata.rs`: the design and its automata.
pub(super) fn automata(plan: &Plan<'_>) -> String {
    let digest = rely_runtime::digest(&[content(plan).as_bytes()]);
    let mut text = "//! The actions and automata of the design, as tables.\n\n".to_owned();
    text.push_str("use rely_runtime::{Automaton, Design, EventKey, LEFT, VIOLATED, ValueRange};\n\n");
    let _ = writeln!(text, "/// What all automata were made from.\nconst DIGEST: u64 = 0x{digest:016x};\n");
    text.push_str("/// No way from here.\nconst X: u32 = VIOLATED;\n\n/// Nothing is forbidden any more.\nconst L: u32 = LEFT;\n\n");
    // An automaton may use neither.
    text.push_str("const _: (u32, u32) = (X, L);\n\n");
    let _ =
        writeln!(text, "/// The actions and events of the design.\npub static DESIGN: Design = Design {{");
    let _ = writeln!(text, "    name: {},\n    digest: DIGEST,\n    actions: &[", string(plan.input.name));
    for action in &plan.events.actions {
        let _ = writeln!(text, "        {},", string(action));
    }
    text.push_str("    ],\n    events: &[\n");
    for (key, event) in &plan.events.events {
        let ranges: Vec<String> =
            event.values.iter().map(|(first, last)| format!("ValueRange({first}, {last})")).collect();
        let number = |action: &String| plan.events.number(action).unwrap_or_default().to_string();
        let actions: Vec<String> = event.actions.iter().map(number).collect();
        let _ = writeln!(
            text,
            "        EventKey {{ method: {}, object: {}, thread: {}, values: &[{}], actions: &[{}] }},",
            string(&key.method),
            string(&key.object),
            string(&key.thread),
            ranges.join(", "),
            actions.join(", ")
        );
    }
    text.push_str("    ],\n};\n");
    for watched in all(plan) {
        let states = watched.table.rows.len();
        let _ = writeln!(text, "\n/// {}: {states} states.", comment(&watched.name));
        let _ = writeln!(text, "#[rustfmt::skip]\npub static {}: Automaton = Automaton {{", watched.constant);
        let _ = writeln!(text, "    name: {},\n    digest: DIGEST,\n    next: &[", string(&watched.name));
        for row in rows(plan, watched) {
            let _ = writeln!(text, "        {},", row.join(", "));
        }
        let _ = writeln!(text, "    ],\n    starts_violated: {},\n}};", states == 0);
    }
    text
}

/// Everything that a monitor depends on, for its digest.
fn content(plan: &Plan<'_>) -> String {
    let mut content = plan.events.actions.join("\n");
    for (key, event) in &plan.events.events {
        let _ = write!(content, "\n{key:?} {event:?}");
    }
    for watched in all(plan) {
        let _ = write!(content, "\n{} {:?}", watched.name, rows(plan, watched));
    }
    content
}

/// All automata.
pub(super) fn all<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = &'p Watched> {
    let sides = plan.component.iter().chain(plan.environment.iter().flatten());
    plan.properties.iter().chain(&plan.assumptions).chain(sides)
}

/// The rows of a table, over the actions of the design: those outside of the alphabet change nothing.
fn rows(plan: &Plan<'_>, watched: &Watched) -> Vec<Vec<String>> {
    let table = &watched.table;
    let entry = |state: usize, action: &String| match table.actions.binary_search(action) {
        Err(_) => state.to_string(),
        Ok(column) => match table.rows[state][column] {
            next if next == table.violated() && watched.forgiven.contains(action) => "L".to_owned(),
            next if next == table.violated() => "X".to_owned(),
            next if next == table.left() => "L".to_owned(),
            next => next.to_string(),
        },
    };
    (0..table.rows.len())
        .map(|state| plan.events.actions.iter().map(|action| entry(state, action)).collect())
        .collect()
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
