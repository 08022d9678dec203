//! Coverage, in words.

use super::page::{Block, Table, Words, counted, grouped};
use super::{Explanation, pictures};
use crate::report::{ComponentCoverage, CoverageResult, Untaken, Verdict, WitnessResult};

/// Maximum number of parts for which the unexercised states and transitions are described.
const DESCRIBED: usize = 8;

/// Writes the coverage of the parts and of the property.
pub(super) fn write(explanation: &Explanation, blocks: &mut Vec<Block>) {
    let coverage = &explanation.coverage;
    blocks.push(Block::Heading(3, Words::new("What was exercised")));
    if !coverage.exhaustive && coverage.states < 2 {
        let words = "This was not counted, because a limit of the run was reached before.";
        blocks.push(Block::Paragraph(Words::new(words)));
        return;
    }
    let looked = match coverage.exhaustive {
        true => format!("The whole system was looked at: {}", counted(coverage.states, "state")),
        false => format!(
            "The whole system is too large to be looked at completely. {} were, those nearest to the start, so every \
             number is a lower bound, and what was not seen is not listed",
            counted(coverage.states, "state")
        ),
    };
    let counts = "A state or a transition counts if it occurs in some run of the whole";
    let words = match explanation.fails_beside.is_empty() {
        true => Words::new(format!("{looked}. {counts}.")),
        false => Words::new(format!("{looked}. {counts}, where "))
            .names(explanation.fails_beside.iter().map(String::as_str))
            .text(match explanation.fails_beside.len() {
                1 => " halts in a state of its own when it fails by itself.",
                _ => " halt in a state of their own when they fail by themselves.",
            }),
    };
    blocks.push(Block::Paragraph(words));
    blocks.push(Block::Table(table(explanation)));
    if coverage.exhaustive {
        unexercised(coverage, blocks);
    }
    property(explanation, blocks);
}

/// What was not exercised; the property comes first.
fn unexercised(coverage: &CoverageResult, blocks: &mut Vec<Block>) {
    let (own, others): (Vec<_>, Vec<_>) =
        coverage.components.iter().filter(|one| is_lacking(one)).partition(|one| one.property);
    let more = others.len().saturating_sub(DESCRIBED);
    for component in own.into_iter().chain(others.into_iter().take(DESCRIBED)) {
        lacking(component, blocks);
    }
    if more > 0 {
        let parts = counted(more, "more part");
        let words = format!("Of {parts}, something was not exercised, either; the table says how much. ");
        blocks.push(Block::Paragraph(Words::new(words).name("--json --coverage").text(" lists it.")));
    }
}

fn table(explanation: &Explanation) -> Table {
    let coverage = &explanation.coverage;
    let is_about_parts = explanation.is_about_parts();
    let has_forbidden = coverage.components.iter().any(|one| one.forbidden > 0);
    let of = |some: usize, all: usize| {
        let least = if coverage.exhaustive || some == all { "" } else { "at least " };
        let percent =
            some.saturating_mul(100).checked_div(all).map_or(String::new(), |p| format!(" ({p} %)"));
        Words::new(format!("{least}{} of {}{percent}", grouped(some), grouped(all)))
    };
    let row = |one: &ComponentCoverage| {
        let mut row = vec![
            Words::of_name(&one.name).text(match (one.property, is_about_parts) {
                (true, true) => " (can fail)",
                (true, false) => " (property)",
                (false, _) => "",
            }),
            of(one.states_visited, one.states),
            of(one.transitions_taken, one.transitions),
        ];
        if has_forbidden {
            let none = one.forbidden == 0;
            row.push(if none { Words::new("–") } else { of(one.forbidden_approached, one.forbidden) });
        }
        row
    };
    let mut head = vec![("Component", false), ("States visited", true), ("Transitions taken", true)];
    if has_forbidden {
        head.push(match is_about_parts {
            true => ("Steps into its ERROR, taken or offered by another", true),
            false => ("Forbidden, and a part was ready for it", true),
        });
    }
    Table { head, rows: coverage.components.iter().map(row).collect() }
}

fn is_lacking(one: &ComponentCoverage) -> bool {
    !one.never.is_empty() || !one.untaken.is_empty()
}

/// What was not exercised of a component.
fn lacking(one: &ComponentCoverage, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(4, Words::new("Not exercised of ").name(&one.name)));
    if !one.never.is_empty() {
        let names = Words::new("Actions that never occur: ").names(one.never.iter().map(String::as_str));
        blocks.push(Block::Paragraph(names.text(".")));
    }
    if one.untaken.is_empty() {
        return;
    }
    blocks.push(Block::Paragraph(Words::new("Transitions that are never taken:")));
    let item = |untaken: &Untaken| {
        let why = if untaken.source_visited { "" } else { " (the state is not visited)" };
        Words::new(format!("{} → {}: ", untaken.source, untaken.target)).name(&untaken.action).text(why)
    };
    let mut list: Vec<Words> = one.untaken.iter().map(item).collect();
    if one.further > 0 {
        list.push(Words::new(format!("and {} more", grouped(one.further))));
    }
    blocks.push(Block::Compact(list));
}

/// Whether the property was exercised at all, and how.
fn property(explanation: &Explanation, blocks: &mut Vec<Block>) {
    let coverage = &explanation.coverage;
    if !coverage.components.iter().any(|one| one.property) {
        return;
    }
    if explanation.is_about_parts() {
        failing_parts(explanation, blocks);
        return;
    }
    blocks.push(Block::Heading(4, Words::new("Is the property exercised?")));
    if let Some(witness) = coverage.witness.as_ref().filter(|_| explanation.verdict != Verdict::Violated) {
        self::witness(explanation, witness, blocks);
        return;
    }
    let words = match (coverage.exercised, coverage.exhaustive, explanation.verdict) {
        (_, _, Verdict::Violated) => Words::new("Yes: it is broken."),
        (true, ..) => Words::new("Yes: it takes part in what the system does."),
        (false, true, _) => {
            Words::new("No. None of its actions ever occurs, and nothing that it forbids is ever offered: ")
                .name(&explanation.property)
                .text(" holds vacuously. It would hold of a system that does nothing.")
        }
        (false, false, _) => Words::new(
            "Not in what was looked at: none of its actions occurs there, and nothing that it forbids is offered.",
        ),
    };
    let is_warning = !coverage.exercised && explanation.verdict != Verdict::Violated;
    blocks.push(if is_warning { Block::Warning(words) } else { Block::Paragraph(words) });
}

/// Whether parts that can fail are close to failing.
fn failing_parts(explanation: &Explanation, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(4, Words::new("Does anything come near to an ERROR?")));
    if explanation.verdict == Verdict::Violated {
        blocks.push(Block::Paragraph(Words::new("Yes: one is reached.")));
        return;
    }
    match explanation.coverage.witness.as_ref().filter(|witness| witness.near_miss.is_some()) {
        Some(witness) => self::witness(explanation, witness, blocks),
        None => {
            let seen = if explanation.coverage.exhaustive { "No" } else { "Not in what was looked at" };
            blocks.push(Block::Paragraph(Words::new(format!(
                "{seen}: there is no state in which a part could take a step into its ERROR that another part is ready \
                 for."
            ))));
        }
    }
}

fn witness(explanation: &Explanation, witness: &WitnessResult, blocks: &mut Vec<Block>) {
    let components = &explanation.coverage.components;
    let name = |component: usize| components.get(component).map_or("", |one| one.name.as_str());
    let steps = witness.steps.len();
    let after = match steps {
        0 => Words::new("At the very start, "),
        _ => Words::new(format!("After {}, and not earlier, ", counted(steps, "step"))),
    };
    let is_active = components.iter().any(|one| one.property && one.transitions_taken > 0);
    let words = match &witness.near_miss {
        Some(near) => Words::new("Yes. ")
            .text(match is_active || explanation.is_about_parts() || !explanation.coverage.exhaustive {
                true => "",
                false => "None of its actions ever occurs, but something that it forbids is offered. ",
            })
            .chained(after)
            .name(name(near.property))
            .text(if explanation.is_about_parts() { " would fail by " } else { " forbids " })
            .name(&near.action)
            .text(", which ")
            .names(near.ready.iter().map(|&one| name(one)))
            .text(if near.ready.len() == 1 { " is ready for. Only " } else { " are ready for. Only " })
            .names(near.refusing.iter().map(|&one| name(one)))
            .text(if near.refusing.len() == 1 {
                " keeps it from happening."
            } else {
                " keep it from happening."
            }),
        None => {
            let seen = if explanation.coverage.exhaustive { "" } else { ", as far as was looked," };
            Words::new("Yes, it takes part in what happens. ").chained(after).text(format!(
                "it has made a step. But there is no state{seen} in which a part is ready for something that the \
                 property forbids, and another part refuses it."
            ))
        }
    };
    blocks.push(Block::Paragraph(words));
    if steps > 0 {
        blocks.push(Block::Picture(pictures::witness(explanation, witness)));
    }
}
