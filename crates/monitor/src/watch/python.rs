//! Watches in Python: a module with one class.

use super::{Next, WatchInput, WatchedAutomaton, WatchedEvent, filled, numbers, snake_watch, type_watch};
use crate::names::in_comment;
use crate::python::literal;

/// The text of the module.
pub(super) fn generate(input: &WatchInput) -> String {
    let actions: String = input.actions.iter().map(|name| format!("    {},\n", literal(name))).collect();
    filled(
        include_str!("../../templates/watch.py"),
        &[
            ("model", &in_comment(&input.name)),
            ("size", &input.size()),
            ("module", &snake_watch(&input.name)),
            ("Watch", &type_watch(&input.name)),
            ("digest", &format!("{:016x}", input.digest)),
            ("automata", &input.automata.iter().map(automaton).collect::<String>()),
            ("events", &input.events.iter().map(event).collect::<String>()),
            ("actions", &actions),
        ],
    )
}

fn event(event: &WatchedEvent) -> String {
    let WatchedEvent { method, object, thread, values, actions } = event;
    let ranges: String = values.iter().map(|(first, last)| format!("({first}, {last}),")).collect();
    let actions = actions.iter().map(|&action| i64::try_from(action).unwrap_or_default());
    format!(
        "    ({}, {}, {}): (({ranges}), ({})),\n",
        literal(method),
        literal(object),
        literal(thread),
        numbers(actions, ",")
    )
}

fn automaton(automaton: &WatchedAutomaton) -> String {
    let row =
        |row: &Vec<Next>| format!("        ({}),\n", numbers(row.iter().map(|next| next.number()), ","));
    let truth = |is_so: bool| if is_so { "True" } else { "False" };
    format!(
        "    _Automaton({}, {}, {}, (\n{}    )),\n",
        literal(&automaton.name),
        truth(automaton.is_assumption),
        truth(automaton.rows.is_empty()),
        automaton.rows.iter().map(row).collect::<String>()
    )
}
