//! The pictures of a page, each with an equivalent in characters for formats without pictures.

use std::borrow::Cow;
use std::fmt::Write;

use rely_draw::{Lane, LaneRow, Lanes, Options};
use rely_lts::{InterfaceAutomaton, Lts, Role, format};

use super::page::{Picture, TextIs, Words, one_line};
use super::{AssumptionShown, Explanation, Member, Refutation, Standing};
use crate::languages;
use crate::report::WitnessResult;

/// A system with more states than this is not drawn.
const DRAWN: usize = 60;

/// A system with more transitions than this is not written as text, either.
const WRITTEN: usize = 400;

/// Maximum number of lanes and rows of a picture.
const MOST_LANES: usize = 60;
const MOST_ROWS: usize = 120;

/// Maximum number of actions of a connection that are named.
const NAMED: usize = 6;

/// A member of a system.
pub(super) fn member(member: &Member) -> Picture {
    let caption = Words::of_name(&member.name);
    let is_property = member.standing == Standing::Property;
    system(&member.definition, &member.lts, member.roles.as_deref(), is_property, caption)
}

/// An assumption.
pub(super) fn assumption(assumption: &AssumptionShown) -> Picture {
    let AssumptionShown { name, lts, roles, .. } = assumption;
    let caption = Words::new(format!("Assumption {name}"));
    system(name, lts, roles.as_deref(), false, caption)
}

fn system(name: &str, lts: &Lts, roles: Option<&[Role]>, is_property: bool, caption: Words) -> Picture {
    let options = Options { max_states: DRAWN, title: caption.plain(), ..Options::default() };
    let svg = rely_draw::svg(&marked(lts, roles), &options).ok();
    let (text, text_is) = match as_fsp(name, lts, roles, is_property) {
        Some(text) => (text, TextIs::Fsp),
        None => (as_list(lts), TextIs::Transitions),
    };
    Picture { svg, text, text_is, caption }
}

/// The system with the marks of interface automata on its actions.
fn marked<'l>(lts: &'l Lts, roles: Option<&[Role]>) -> Cow<'l, Lts> {
    let Some(roles) = roles else { return Cow::Borrowed(lts) };
    Cow::Owned(format::marked(&InterfaceAutomaton::new(lts.clone(), roles.to_vec())))
}

fn as_fsp(name: &str, lts: &Lts, roles: Option<&[Role]>, is_property: bool) -> Option<String> {
    if lts.transition_count() > WRITTEN {
        return None;
    }
    let name = process_name(name);
    let text = match roles {
        Some(roles) => {
            languages::write_interface(name, &InterfaceAutomaton::new(lts.clone(), roles.to_vec()))
        }
        None if is_property => languages::write_property(name, lts).or_else(|_| languages::write(name, lts)),
        None => languages::write(name, lts),
    };
    text.ok()
}

/// A name for a process: the given one, if it is possible.
fn process_name(name: &str) -> &str {
    let is_good = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_good { name } else { "SYSTEM" }
}

fn as_list(lts: &Lts) -> String {
    let mut text = String::new();
    for transition in lts.transitions().take(WRITTEN) {
        let (source, target) = (transition.source.raw(), transition.target.raw());
        let target =
            if lts.error() == Some(transition.target) { "error".to_owned() } else { target.to_string() };
        let _ = writeln!(
            text,
            "{source} → {target}: {}",
            lts.alphabet().label_name(transition.label).escape_debug()
        );
    }
    match lts.transition_count().saturating_sub(WRITTEN) {
        0 => {}
        more => {
            let _ = writeln!(text, "and {more} more");
        }
    }
    text
}

/// Which members share which actions; `None` if no actions are shared.
pub(super) fn connections(explanation: &Explanation) -> Option<Picture> {
    if explanation.connections.is_empty() {
        return None;
    }
    let columns = explanation.members.iter().map(lane).collect();
    let row = |connection: &super::Connection| {
        let mut names: Vec<String> = connection.actions.iter().take(NAMED).cloned().collect();
        let more = connection.actions.len() - names.len();
        if more > 0 {
            names.push(format!("… {more} more"));
        }
        LaneRow { number: String::new(), names, marks: connection.members.clone(), fails: false }
    };
    let rows = explanation.connections.iter().map(row).collect();
    let split = explanation.members.iter().any(|member| member.group.is_some());
    let colours = if split { " Parts of one group have one colour." } else { "" };
    let caption = Words::new(format!("Which components share which actions.{colours}"));
    Some(lanes(&Lanes { title: format!("Shared actions in {}", explanation.system), columns, rows }, caption))
}

/// Colours: one for each group, and one for the property.
fn lane(member: &Member) -> Lane {
    const PROPERTY: usize = 5;
    let tone = if member.standing.is_goal() { PROPERTY } else { member.group.unwrap_or(0) % PROPERTY };
    Lane { name: member.name.clone(), tone, looks_on: !member.standing.acts() }
}

/// A run that breaks a property.
pub(super) fn run(run: &Refutation) -> Picture {
    let columns = run.components.iter().zip(&run.standings).map(|(name, standing)| Lane {
        name: name.clone(),
        tone: if standing.is_goal() { 5 } else { 0 },
        looks_on: !standing.acts(),
    });
    let last = run.steps.len().saturating_sub(1);
    let row = |(i, step): (usize, &super::RunStep)| LaneRow {
        number: (i + 1).to_string(),
        names: vec![step.action.clone()],
        marks: step.movers.clone(),
        fails: i == last,
    };
    let rows = run.steps.iter().enumerate().map(row).collect();
    let caption = Words::new("The run, with a lane for each component; it fails with its last step.");
    let title = format!("A run of {} steps that fails", run.steps.len());
    lanes(&Lanes { title, columns: columns.collect(), rows }, caption)
}

/// A run that exercises a property.
pub(super) fn witness(explanation: &Explanation, witness: &WitnessResult) -> Picture {
    let looks_on = !explanation.is_about_parts();
    let columns = explanation.coverage.components.iter().map(|one| Lane {
        name: one.name.clone(),
        tone: if one.property { 5 } else { 0 },
        looks_on: one.property && looks_on,
    });
    let row = |(i, step): (usize, &crate::report::TraceStep)| LaneRow {
        number: (i + 1).to_string(),
        names: vec![step.action.clone()],
        marks: step.components.clone(),
        fails: false,
    };
    let rows = witness.steps.iter().enumerate().map(row).collect();
    let caption = match explanation.is_about_parts() {
        true => Words::new("A shortest run to there."),
        false => Words::new("A shortest run that exercises ").name(&explanation.property).text("."),
    };
    lanes(&Lanes { title: caption.plain(), columns: columns.collect(), rows }, caption)
}

fn lanes(lanes: &Lanes, caption: Words) -> Picture {
    let is_small = lanes.columns.len() <= MOST_LANES && lanes.rows.len() <= MOST_ROWS;
    let svg = is_small.then(|| rely_draw::lanes(lanes));
    Picture { svg, text: in_characters(lanes), text_is: TextIs::Characters, caption }
}

/// Lanes in characters.
fn in_characters(lanes: &Lanes) -> String {
    let count = lanes.columns.len();
    let width = count.to_string().len() + 1;
    let mut text = String::new();
    for (i, column) in lanes.columns.iter().enumerate() {
        let _ = writeln!(text, "{:>width$} {}", i + 1, one_line(&column.name));
    }
    let label = |row: &LaneRow| {
        let number = if row.number.is_empty() { String::new() } else { format!("{} ", row.number) };
        one_line(&format!("{number}{}", row.names.join(", ")))
    };
    let rows = || lanes.rows.iter().take(MOST_ROWS);
    let widest = rows().map(|row| label(row).chars().count()).max().unwrap_or(0).min(60);
    let numbers: String = (1..=count).map(|i| format!("{i:>width$}")).collect();
    let _ = writeln!(text, "{:widest$} {numbers}", "");
    for row in rows() {
        let label = label(row);
        let _ = write!(text, "{label:widest$} ");
        if label.chars().count() > widest {
            let _ = write!(text, "\n{:widest$} ", "");
        }
        let _ = writeln!(text, "{}", lane_marks(&row.marks, count));
    }
    if lanes.rows.len() > MOST_ROWS {
        let _ = writeln!(text, "and {} more rows", lanes.rows.len() - MOST_ROWS);
    }
    text
}

/// One row of lanes in characters: `●` takes part, `│` does not, and a line connects those that do. Each column is as
/// wide as the largest number of a lane, plus a blank.
pub fn lane_marks(taking_part: &[usize], lanes: usize) -> String {
    let width = lanes.to_string().len() + 1;
    let (first, last) = (taking_part.iter().min(), taking_part.iter().max());
    let is_joined = |i: usize| first.is_some_and(|&first| i > first) && last.is_some_and(|&last| i <= last);
    let mut text = String::new();
    for i in 0..lanes {
        text.push_str(&if is_joined(i) { "─" } else { " " }.repeat(width - 1));
        text.push(match (taking_part.contains(&i), is_joined(i)) {
            (true, _) => '●',
            (false, true) => '┼',
            (false, false) => '│',
        });
    }
    text
}
