//! Watches: monitors of several automata, stepped together in one atomic step for each event of a program.
//!
//! *Problem*: an assumption and a property are to be watched in one program, whose events are calls of methods of objects
//! in threads. What breaks both breaks only the assumption, so the assumption has to see an event first, and nobody may come
//! between the two.
//!
//! *Idea*: the crate `rely-runtime` does this for Rust. Here its tables are written down for others, with the same few
//! functions around them: what is an event, in which order the automata see it, what a violation means (prune, check, log), and
//! that a program which was written for another version of the design is refused.
//!
//! *Invariants*: an event has the answer that `rely-runtime` gives, in every language (`tests/watches.rs`). The same input
//! gives the same text, byte for byte.

mod c;
mod java;
mod python;
mod rust;

use crate::names::{snake_name, type_name};
use crate::{Language, Unmonitorable};

/// Where an action leads from a state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// To a state.
    State(usize),
    /// It is not allowed.
    Violated,
    /// Nothing is forbidden any more.
    Left,
}

/// An assumption or a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedAutomaton {
    /// Its name in the design.
    pub name: String,
    /// What it is called in a program in Rust.
    pub constant: String,
    /// Whether it is an assumption.
    pub is_assumption: bool,
    /// For each state, where each action leads; without states it is violated before the first event.
    pub rows: Vec<Vec<Next>>,
}

/// An event of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WatchedEvent {
    /// The method.
    pub method: String,
    /// The object.
    pub object: String,
    /// The thread; `*` is any that has no event of its own.
    pub thread: String,
    /// The first and the last of each of its values.
    pub values: Vec<(i64, i64)>,
    /// The action for each combination of values, the last of which changes fastest.
    pub actions: Vec<usize>,
}

/// What a watch is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchInput {
    /// The name of the design.
    pub name: String,
    /// The digest of everything that the watch depends on.
    pub digest: u64,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// The events, sorted by method, object and thread.
    pub events: Vec<WatchedEvent>,
    /// The automata, assumptions first.
    pub automata: Vec<WatchedAutomaton>,
}

/// The most entries that all tables may have together.
const MAX_ENTRIES: usize = 1 << 24;

/// The text of a watch in a language.
///
/// # Errors
/// When the language cannot hold some name, or as much.
pub fn generate_watch(language: Language, input: &WatchInput) -> Result<String, Unmonitorable> {
    let entries: usize = input.automata.iter().map(|it| it.rows.len() * input.actions.len()).sum();
    if entries > MAX_ENTRIES {
        return Err(Unmonitorable::TooLarge);
    }
    match language {
        Language::Rust => Ok(rust::generate(input)),
        Language::C => c::generate(input),
        Language::Java => java::generate(input),
        Language::Python => Ok(python::generate(input)),
    }
}

/// What the file of a watch is to be called.
pub fn watch_file_name(language: Language, name: &str) -> String {
    match language {
        Language::Rust => format!("{}.rs", snake_watch(name)),
        Language::C => format!("{}.h", snake_watch(name)),
        Language::Java => format!("{}.java", type_watch(name)),
        Language::Python => format!("{}.py", snake_watch(name)),
    }
}

/// `rover_watch`
fn snake_watch(name: &str) -> String {
    let name = snake_name(name);
    format!("{}watch", name.strip_suffix("monitor").unwrap_or(&name))
}

/// `RoverWatch`
fn type_watch(name: &str) -> String {
    let name = type_name(name);
    format!("{}Watch", name.strip_suffix("Monitor").unwrap_or(&name))
}

impl WatchInput {
    /// All names that have to be written down.
    fn names(&self) -> impl Iterator<Item = &String> {
        let events = self.events.iter().flat_map(|it| [&it.method, &it.object, &it.thread]);
        let automata = self.automata.iter().map(|it| &it.name);
        self.actions.iter().chain(events).chain(automata)
    }

    /// How large it is, in words.
    fn size(&self) -> String {
        let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        let automata = match self.automata.len() {
            1 => "1 automaton".to_owned(),
            several => format!("{several} automata"),
        };
        format!("{automata}, {}, {}", count(self.events.len(), "event"), count(self.actions.len(), "action"))
    }
}

impl Next {
    /// As a number: states from 0, -1 and -2.
    fn number(self) -> i64 {
        match self {
            Self::State(state) => i64::try_from(state).unwrap_or(-2),
            Self::Violated => -1,
            Self::Left => -2,
        }
    }
}

/// Numbers, each with something behind it.
fn numbers(numbers: impl IntoIterator<Item = i64>, behind: &str) -> String {
    numbers.into_iter().map(|number| format!("{number}{behind}")).collect()
}

/// A template with texts in place of their names, such as `{actions}`. What is put in is not looked at again, since it may
/// contain anything.
fn filled(template: &str, texts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        let inner = &from[1..];
        let known =
            texts.iter().find_map(|(name, text)| Some((text, inner.strip_prefix(name)?.strip_prefix('}')?)));
        match known {
            Some((text, behind)) => {
                filled.push_str(text);
                rest = behind;
            }
            None => {
                filled.push('{');
                rest = inner;
            }
        }
    }
    filled + rest
}
