//! Watches in C11: a header whose functions are static, so that nothing has to be linked.

use std::fmt::Write as _;

use super::{WatchInput, WatchedAutomaton, filled, numbers, snake_watch};
use crate::c::literal;
use crate::names::in_comment;
use crate::{Language, Unmonitorable};

/// The text of the header.
pub(super) fn generate(input: &WatchInput) -> Result<String, Unmonitorable> {
    if let Some(name) = input.names().find(|name| name.contains('\0')) {
        return Err(Unmonitorable::Action { language: Language::C, name: name.clone() });
    }
    let watch = snake_watch(&input.name);
    let actions: String = input.actions.iter().map(|name| format!("    {},\n", literal(name))).collect();
    let (mut ranges, mut events) = (String::new(), String::new());
    for (i, event) in input.events.iter().enumerate() {
        let mut of_values = "NULL".to_owned();
        if !event.values.is_empty() {
            of_values = format!("{watch}_ranges_{i}");
            let pair = |&(first, last): &(i64, i64)| format!("{{ {}, {} }}, ", integer(first), integer(last));
            let pairs: String = event.values.iter().map(pair).collect();
            let _ = writeln!(ranges, "static const int64_t {of_values}[][2] = {{ {pairs}}};");
        }
        let targets = event.actions.iter().map(|&action| i64::try_from(action).unwrap_or_default());
        let _ =
            writeln!(ranges, "static const int32_t {watch}_actions_{i}[] = {{ {}}};", numbers(targets, ", "));
        let [method, object, thread] =
            [&event.method, &event.object, &event.thread].map(|name| literal(name));
        let _ = writeln!(
            events,
            "    {{ {method}, {object}, {thread}, {}, {of_values}, {watch}_actions_{i} }},",
            event.values.len()
        );
    }
    let (mut tables, mut automata) = (String::new(), String::new());
    for (i, automaton) in input.automata.iter().enumerate() {
        tables.push_str(&table(&watch, i, automaton));
        let _ = writeln!(
            automata,
            "    {{ {}, {}, {}, {watch}_table_{i} }},",
            literal(&automaton.name),
            automaton.is_assumption,
            automaton.rows.is_empty()
        );
    }
    Ok(filled(
        include_str!("../../templates/watch.h"),
        &[
            ("model", &in_comment(&input.name)),
            ("size", &input.size()),
            ("watch", &watch),
            ("WATCH", &watch.to_ascii_uppercase()),
            ("digest", &format!("0x{:016x}", input.digest)),
            ("action_count", &input.actions.len().to_string()),
            ("event_count", &input.events.len().to_string()),
            ("automaton_count", &input.automata.len().to_string()),
            ("tables", &tables),
            ("automata", &automata),
            ("ranges", &ranges),
            ("events", &events),
            ("actions", &actions),
        ],
    ))
}

/// The table of an automaton. C has no arrays without elements: there is one that is never looked at.
fn table(watch: &str, number: usize, automaton: &WatchedAutomaton) -> String {
    let rows: String = automaton
        .rows
        .iter()
        .filter(|row| !row.is_empty())
        .map(|row| format!("    {}\n", numbers(row.iter().map(|next| next.number()), ", ").trim_end()))
        .collect();
    let rows = if rows.is_empty() { "    0\n".to_owned() } else { rows };
    format!("static const int32_t {watch}_table_{number}[] = {{\n{rows}}};\n")
}

/// The smallest number has no literal of its own.
fn integer(number: i64) -> String {
    match number.checked_abs() {
        Some(_) => format!("INT64_C({number})"),
        None => "INT64_MIN".to_owned(),
    }
}
