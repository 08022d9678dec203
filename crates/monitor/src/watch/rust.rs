//! Watches in Rust: the tables that the crate `rely-runtime` steps.

use std::fmt::Write as _;

use super::{Next, WatchInput};
use crate::names::in_comment;
use crate::rust::literal;

/// The text of the module.
pub(super) fn generate(input: &WatchInput) -> String {
    let mut text = "//! The actions and automata of the design, as tables.\n\n".to_owned();
    let has_values = input.events.iter().any(|event| !event.values.is_empty());
    let ranges = if has_values { ", ValueRange" } else { "" };
    let _ = writeln!(text, "use rely_runtime::{{Automaton, Design, EventKey, LEFT, VIOLATED{ranges}}};\n");
    let _ = writeln!(
        text,
        "/// What all automata were made from.\nconst DIGEST: u64 = 0x{:016x};\n",
        input.digest
    );
    text.push_str("/// No way from here.\nconst X: u32 = VIOLATED;\n\n/// Nothing is forbidden any more.\nconst L: u32 = LEFT;\n\n");
    // An automaton may use neither.
    text.push_str("const _: (u32, u32) = (X, L);\n\n");
    let _ =
        writeln!(text, "/// The actions and events of the design.\npub static DESIGN: Design = Design {{");
    let _ = writeln!(text, "    name: {},\n    digest: DIGEST,\n    actions: &[", literal(&input.name));
    for action in &input.actions {
        let _ = writeln!(text, "        {},", literal(action));
    }
    text.push_str("    ],\n    events: &[\n");
    for event in &input.events {
        let ranges: Vec<String> =
            event.values.iter().map(|(first, last)| format!("ValueRange({first}, {last})")).collect();
        let actions: Vec<String> = event.actions.iter().map(usize::to_string).collect();
        let _ = writeln!(
            text,
            "        EventKey {{ method: {}, object: {}, thread: {}, values: &[{}], actions: &[{}] }},",
            literal(&event.method),
            literal(&event.object),
            literal(&event.thread),
            ranges.join(", "),
            actions.join(", ")
        );
    }
    text.push_str("    ],\n};\n");
    for automaton in &input.automata {
        let states = automaton.rows.len();
        let _ = writeln!(text, "\n/// {}: {states} states.", in_comment(&automaton.name));
        let _ =
            writeln!(text, "#[rustfmt::skip]\npub static {}: Automaton = Automaton {{", automaton.constant);
        let _ = writeln!(text, "    name: {},\n    digest: DIGEST,\n    next: &[", literal(&automaton.name));
        for row in &automaton.rows {
            let entries: Vec<String> = row.iter().map(|&next| entry(next)).collect();
            let _ = writeln!(text, "        {},", entries.join(", "));
        }
        let _ = writeln!(text, "    ],\n    starts_violated: {},\n}};", states == 0);
    }
    text
}

fn entry(next: Next) -> String {
    match next {
        Next::State(state) => state.to_string(),
        Next::Violated => "X".to_owned(),
        Next::Left => "L".to_owned(),
    }
}
