//! How something is broken, and by which component, in words.

use super::page::{Block, Table, Words};
use super::{Explanation, Refutation, RunStep, Standing, pictures};

/// Writes the run.
pub(super) fn write(explanation: &Explanation, run: &Refutation, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(3, Words::new("Who broke what")));
    blame(explanation, run, blocks);
    blocks.push(Block::Heading(3, Words::new("The run")));
    if run.steps.is_empty() {
        blocks.push(Block::Paragraph(Words::new("It has no steps.")));
        return;
    }
    let shortest = match run.is_shortest {
        true => "No run that ends like this is shorter.",
        false => "There may be shorter ones.",
    };
    blocks.push(Block::Paragraph(Words::new(format!(
        "It has been replayed on the components, by code that shares nothing with the search. {shortest}"
    ))));
    blocks.push(Block::Picture(pictures::run(run)));
    blocks.push(Block::Table(steps(run)));
}

fn name(run: &Refutation, component: usize) -> &str {
    run.components.get(component).map_or("", String::as_str)
}

fn standing(run: &Refutation, component: usize) -> Standing {
    run.standings.get(component).copied().unwrap_or(Standing::Part)
}

/// The parts that take part in a step.
fn acting(run: &Refutation, step: &RunStep) -> Vec<usize> {
    step.movers.iter().copied().filter(|&mover| standing(run, mover).acts()).collect()
}

fn blame(explanation: &Explanation, run: &Refutation, blocks: &mut Vec<Block>) {
    if let Some(fault) = &run.fault {
        blocks.push(Block::Paragraph(Words::new(format!("{fault}."))));
    }
    let failed = name(run, run.failed);
    let Some(last) = run.steps.last() else {
        blocks.push(Block::Paragraph(Words::of_name(failed).text(" begins in its error state.")));
        return;
    };
    let who = acting(run, last);
    let words = match who.as_slice() {
        [] => Words::new("No part has ")
            .name(&last.action)
            .text(": it is free to occur at any time, and it occurs. "),
        [only] => Words::of_name(name(run, *only)).text(" acts: it does ").name(&last.action).text(". "),
        [others @ .., last_one] => Words::default()
            .names(others.iter().map(|&mover| name(run, mover)))
            .text(" and ")
            .name(name(run, *last_one))
            .text(" act together: they do ")
            .name(&last.action)
            .text(". "),
    };
    let words = words.name(failed).text(format!(" is in its state {} then, ", run.state));
    blocks.push(Block::Paragraph(words.text(match standing(run, run.failed) {
        Standing::Property => "where it forbids that.",
        Standing::FailingPart => "where this leads to an ERROR of its own: it fails by itself.",
        Standing::Part => "and fails by it.",
    })));
    let fails_itself = standing(run, run.failed) == Standing::FailingPart;
    let allowed = match (run.allowed.is_empty(), fails_itself) {
        (true, false) => Words::new("It allows nothing there."),
        (true, true) => Words::new("It has no other step there."),
        (false, false) => Words::new("What it allows there: "),
        (false, true) => Words::new("What it is ready for there that does not fail: "),
    };
    let end = if run.allowed.is_empty() { "" } else { "." };
    blocks.push(Block::Paragraph(allowed.names(run.allowed.iter().map(String::as_str)).text(end)));
    let instead = match run.alternatives.is_empty() {
        true => Words::new("The system could do nothing else in that moment that would not fail."),
        false => Words::new("What the system could have done instead in that moment: ")
            .names(run.alternatives.iter().map(String::as_str))
            .text("."),
    };
    blocks.push(Block::Paragraph(instead));
    if let Some(premises) = &run.premises {
        let groups = explanation.members.iter().filter_map(|member| Some((member.group?, &member.name)));
        let groups: Vec<(usize, &String)> = groups.collect();
        let count = groups.iter().map(|(group, _)| group + 1).max().unwrap_or(0);
        blocks.push(Block::Heading(4, Words::new("What it means for the rule")));
        let group = |number: usize| {
            let own = groups.iter().filter(|(group, _)| *group == number).map(|(_, name)| name.as_str());
            Words::new(format!("M{}: ", number + 1)).names(own)
        };
        blocks.push(Block::List((0..count).map(group).collect()));
        blocks.push(Block::Paragraph(Words::new(premises)));
    }
}

fn steps(run: &Refutation) -> Table {
    let state = |step: &RunStep| step.state.map_or_else(|| "error".to_owned(), |state| state.to_string());
    let row = |(i, step): (usize, &RunStep)| {
        vec![
            Words::number(i + 1),
            Words::of_name(&step.action),
            Words::default().names(acting(run, step).iter().map(|&mover| name(run, mover))),
            Words::new(state(step)),
        ]
    };
    Table {
        head: vec![
            ("Step", true),
            ("Action", false),
            ("Taken by", false),
            ("State of what fails, after it", true),
        ],
        rows: run.steps.iter().enumerate().map(row).collect(),
    }
}
