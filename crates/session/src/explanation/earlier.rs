//! What an answer takes from earlier ones, in words.

use super::page::{Block, Words, counted};
use super::{Argument, Explanation};
use crate::report::{AssumptionFault, BrokenAssumption, Reused, Verdict};

/// Writes what was known before, and what a change has broken; nothing if nothing was known.
pub(super) fn write(explanation: &Explanation, blocks: &mut Vec<Block>) {
    let (reused, broken) = (&explanation.reused, &explanation.broken_assumption);
    if reused.is_none() && broken.is_none() {
        return;
    }
    blocks.push(Block::Heading(3, Words::new("What was known before")));
    if let Some(reused) = reused {
        blocks.push(Block::Paragraph(match reused.verdict {
            true => same_question(explanation),
            false => after_a_change(reused, explanation),
        }));
    }
    if let Some(broken) = broken {
        blocks.push(Block::Paragraph(breakage(broken)));
    }
    if reused.as_ref().is_some_and(|reused| reused.split_misfits) {
        blocks.push(Block::Paragraph(Words::new("The split of the earlier proof does not fit any more.")));
    }
    let renamed = reused.iter().flat_map(|reused| &reused.renamed);
    let renamed: Vec<String> = renamed.map(|one| format!("{} was {}", one.now, one.before)).collect();
    if !renamed.is_empty() {
        blocks.push(Block::Paragraph(Words::new(format!("Renamed: {}.", renamed.join(", ")))));
    }
}

/// For a question that was answered before without any change.
fn same_question(explanation: &Explanation) -> Words {
    let known =
        "The answer was found in an earlier run, and kept. Nothing that it depends on has changed since. ";
    let looked = match (explanation.verdict, &explanation.argument) {
        (Verdict::Violated, _) => {
            "The run was kept with it, and has been replayed on the components for this page."
        }
        (_, Argument::Rule(_)) if explanation.is_rechecked => {
            "The proof was kept with it; its premises have been checked once more for this page."
        }
        (_, Argument::Rule(_)) => {
            "The proof was kept with it. Not all of its premises were checked again for this page; a certificate has \
             them judged."
        }
        _ => "It was not found again for this page; a certificate has it judged.",
    };
    Words::new(format!(
        "{known}{looked} What was exercised has been counted anew. The effort is that of the earlier run."
    ))
}

/// For an earlier proof that was checked again.
fn after_a_change(reused: &Reused, explanation: &Explanation) -> Words {
    let words = changes(reused);
    let premises = match &explanation.argument {
        Argument::Rule(proof) => format!("{} of {} premises", reused.premises, proof.premises.len()),
        _ => counted(reused.premises, "premise"),
    };
    let known: Vec<String> = [
        (reused.premises > 0).then_some(premises),
        (reused.assumptions > 0).then(|| counted(reused.assumptions, "assumption")),
    ]
    .into_iter()
    .flatten()
    .collect();
    match known.is_empty() {
        true => words.text(". Nothing was known from before."),
        false => words.text(format!(". Known from before: {}.", known.join(", "))),
    }
}

/// The differences from the last proof.
fn changes(reused: &Reused) -> Words {
    let Reused { changed, added, removed, property_changed, .. } = reused;
    let names = |words: Words, parts: &[String]| words.names(parts.iter().map(String::as_str));
    let mut words: Option<Words> = None;
    for (what, parts) in [("Changed", changed), ("Added", added), ("Removed", removed)] {
        let is_property = *property_changed && what == "Changed";
        let begun = match &words {
            _ if parts.is_empty() && !is_property => continue,
            None => Words::new(format!("{what} since the last proof: ")),
            Some(before) => before.clone().text(format!("; {}: ", what.to_lowercase())),
        };
        words = Some(match (is_property, parts.is_empty()) {
            (false, _) => names(begun, parts),
            (true, true) => begun.text("the property"),
            (true, false) => names(begun.text("the property, "), parts),
        });
    }
    words.unwrap_or_else(|| Words::new("Since the last proof, no part has changed"))
}

/// How a change has broken the earlier proof.
fn breakage(broken: &BrokenAssumption) -> Words {
    let parts = || broken.parts.iter().map(String::as_str);
    let words = match (broken.index, broken.fault) {
        (None, _) => Words::new("The others relied on what ").names(parts()).text(" did before. New is: "),
        (Some(index), fault) => {
            let premise =
                broken.premise.as_ref().map_or(String::new(), |premise| format!(", premise {premise}"));
            let words = Words::new(format!("The change broke A{index} of the earlier proof{premise}: "))
                .names(parts());
            words.text(match fault {
                AssumptionFault::Breached => " does what it forbids: ",
                AssumptionFault::Insufficient => " fails although it is kept: ",
            })
        }
    };
    match broken.trace.is_empty() {
        true => words.text("at once."),
        false => words.names(broken.trace.iter().map(String::as_str)).text("."),
    }
}
