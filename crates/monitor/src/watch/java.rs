//! Watches in Java: one class, whose tables are texts, as those of a monitor are.

use super::{WatchInput, WatchedAutomaton, WatchedEvent, filled, numbers, type_watch};
use crate::java::{LONG, MAX_NAME, literal};
use crate::names::in_comment;
use crate::{Language, Unmonitorable};

/// The most strings that the code of an initialiser has place for: each takes eight bytes of 64 KiB.
const MAX_STRINGS: usize = 6000;

/// The text of the class.
pub(super) fn generate(input: &WatchInput) -> Result<String, Unmonitorable> {
    if let Some(name) = input.names().find(|name| name.len() > MAX_NAME / 2) {
        return Err(Unmonitorable::Action { language: Language::Java, name: name.clone() });
    }
    let tables: Vec<Vec<String>> = input.automata.iter().map(texts).collect();
    let strings =
        input.actions.len() + 4 * input.events.len() + 2 * tables.len() + tables.iter().flatten().count();
    if strings > MAX_STRINGS {
        return Err(Unmonitorable::TooLarge);
    }
    let table = |texts: &Vec<String>| {
        let texts: String = texts.iter().map(|text| format!("            \"{text}\",\n")).collect();
        format!("        {{\n{texts}        }},\n")
    };
    let truths = |truth: fn(&WatchedAutomaton) -> bool| {
        input.automata.iter().map(|it| truth(it).to_string()).collect::<Vec<_>>().join(", ")
    };
    let lines = |names: Vec<&String>| -> String {
        names.into_iter().map(|name| format!("        {},\n", literal(name))).collect()
    };
    let events = |event: &WatchedEvent| {
        let [method, object, thread] =
            [&event.method, &event.object, &event.thread].map(|name| literal(name));
        format!("        {method}, {object}, {thread},\n")
    };
    let values: String = input.events.iter().map(|it| format!("        \"{}\",\n", values(it))).collect();
    Ok(filled(
        include_str!("../../templates/Watch.java"),
        &[
            ("model", &in_comment(&input.name)),
            ("size", &input.size()),
            ("Watch", &type_watch(&input.name)),
            ("digest", &format!("{:016x}", input.digest)),
            ("assumptions", &truths(|it| it.is_assumption)),
            ("starts", &truths(|it| it.rows.is_empty())),
            ("tables", &tables.iter().map(table).collect::<String>()),
            ("values", &values),
            ("automata", &lines(input.automata.iter().map(|it| &it.name).collect())),
            ("events", &input.events.iter().map(events).collect::<String>()),
            ("actions", &lines(input.actions.iter().collect())),
        ],
    ))
}

/// How many values an event has, the first and the last of each, and its actions.
fn values(event: &WatchedEvent) -> String {
    let number = |number: usize| i64::try_from(number).unwrap_or_default();
    let ranges = event.values.iter().flat_map(|&(first, last)| [first, last]);
    let actions = event.actions.iter().map(|&action| number(action));
    numbers([number(event.values.len())].into_iter().chain(ranges).chain(actions), " ")
}

/// The table of an automaton, in texts that are not too long.
fn texts(automaton: &WatchedAutomaton) -> Vec<String> {
    let mut texts: Vec<String> = vec![String::new()];
    for next in automaton.rows.iter().flatten() {
        let number = numbers([next.number()], " ");
        match texts.last_mut() {
            Some(last) if last.len() < LONG => last.push_str(&number),
            _ => texts.push(number),
        }
    }
    texts
}
