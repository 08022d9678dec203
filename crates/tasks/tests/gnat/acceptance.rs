//! Whether the exact model has an execution that agrees with what the tasks of a real one have written down.
//!
//! What a task wrote down is a component as well: a chain of states, one for each line, with a step for each action of the
//! model that the line may mean. It takes part in all actions of the task, so together with the model it lets only those
//! executions through in which the task does what it has written down. A last action that every chain has at its end leads
//! to an error: the model accepts the execution if and only if that error is reachable.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Budget, Label, Limits, StateId};
use rely_decide::check_safety;
use rely_lts::{Component, LtsBuilder};
use rely_tasks::Exact;

/// How an execution came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// All tasks have ended.
    Ended,
    /// An exception ended a task; that is its last line.
    Failed,
    /// It was stopped. Tasks may have done things that they had no time to write down.
    Stopped,
}

/// What the tasks of a program did.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    /// For each task, its lines: events without the name of the task.
    pub(crate) lines: BTreeMap<String, Vec<String>>,
    /// The task with the last line of all.
    pub(crate) last: String,
    pub(crate) ending: Ending,
}

/// Whether the model has such an execution; a line that means no action of the model is an error.
pub(crate) fn accepts(exact: &Exact, execution: &Execution) -> Result<bool, String> {
    let network = &exact.network;
    let tasks: Vec<&Component> = network.components()[..exact.places.len()].iter().collect();
    for task in execution.lines.keys() {
        if !tasks.iter().any(|known| known.name == *task) {
            return Err(format!("the model has no task {task}"));
        }
    }
    let mut execution = execution.clone();
    let last: BTreeSet<String> = match execution.ending {
        Ending::Ended => [exact.end.clone().ok_or("the model never ends")?].into(),
        Ending::Stopped => ["rely.stopped".to_owned()].into(),
        Ending::Failed => {
            let line = execution.lines.get_mut(&execution.last).and_then(Vec::pop).ok_or("no last line")?;
            let (start, end) = (format!("{}.", execution.last), format!(".{line}"));
            let names = network.alphabet().names();
            names.filter(|name| name.starts_with(&start) && name.ends_with(&end)).map(str::to_owned).collect()
        }
    };
    let mut chains = Vec::new();
    for (number, task) in tasks.into_iter().enumerate() {
        let lines = execution.lines.get(&*task.name).map_or(&[][..], Vec::as_slice);
        chains.push(chain(exact, task, lines, &last, execution.ending != Ending::Ended, number == 0)?);
    }
    let watched = network.clone().with_components(chains);
    let budget = Budget::new(Limits { states: Some(3_000_000), bytes: None }, None);
    let found = check_safety(&watched, &budget).map_err(|problem| format!("{problem:?}"))?;
    match found.verdict.counterexample() {
        Some(_) => Ok(true),
        None if found.verdict.holds() => Ok(false),
        None => Err("too large".to_owned()),
    }
}

/// What a task wrote down, as a component.
fn chain(
    exact: &Exact,
    task: &Component,
    lines: &[String],
    last: &BTreeSet<String>,
    may_go_on: bool,
    is_first: bool,
) -> Result<Component, String> {
    let network = &exact.network;
    // A call of a task that has ended is the caller's.
    let of_others =
        |name: &str| name.ends_with("tasking_error") && !name.starts_with(&format!("{}.", task.name));
    let is_seen = |name: &&str| {
        let action = network.alphabet().get(name).expect("a component has actions of its network");
        !network.is_hidden(action) && !of_others(name)
    };
    let seen: Vec<&str> = task.lts.alphabet().names().filter(is_seen).collect();
    let mut alphabet = Alphabet::new();
    let labels: BTreeMap<&str, Label> =
        seen.iter().map(|&name| (name, Label::visible(alphabet.intern(name)))).collect();
    let finals: Vec<Label> = last.iter().map(|name| Label::visible(alphabet.intern(name))).collect();
    let mut builder = LtsBuilder::with_states(alphabet, lines.len() + 1);
    let at = |number: usize| StateId::from_index(number);
    use rely_base::Id;
    for (number, line) in lines.iter().enumerate() {
        let event = format!("{}.{line}", task.name);
        let meant: Vec<Label> =
            exact.naming.actions(&event).filter_map(|action| labels.get(action).copied()).collect();
        if meant.is_empty() {
            return Err(format!("the model has no event {event}"));
        }
        for label in meant {
            builder.add_transition(at(number), label, at(number + 1));
        }
    }
    let done = at(lines.len());
    if may_go_on {
        for (_, &label) in
            labels.iter().filter(|(name, _)| !name.ends_with("_error") && !last.contains(**name))
        {
            builder.add_transition(done, label, done);
        }
    }
    let goal = if is_first { builder.error_state() } else { done };
    for label in finals {
        builder.add_transition(done, label, goal);
    }
    Ok(Component::new(format!("written.{}", task.name), builder.build()))
}
