//! `monitor --check`: the first step of a recorded execution that a design, an assumption or a property does not
//! allow.

use rely_base::{Budget, Code, Exhausted};
use rely_harness::{Actions, Mapping};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::operators;
use rely_monitor::Table;

use crate::explain::FOREIGN_ACTIONS;
use crate::recording::Recording;
use crate::report::{ConformanceResult, Finding, RecordedStep, Report, Verdict};
use crate::{Built, Project};

/// A target for which no monitor can be made.
const NO_MONITOR: Code = Code("E0273");

/// Whether a recorded execution is one that a target allows.
///
/// Actions that the mapping calls internal may happen unseen. Events of the mapping that are not actions of the
/// target are ignored; an event that is in neither is unknown, which counts as a violation.
///
/// # Errors
/// The limit that was met.
pub fn conforms(
    built: &Built,
    recording: &Recording,
    mapping: Option<&Mapping>,
    budget: &Budget<'_>,
) -> Result<Report<ConformanceResult>, Exhausted> {
    let is_internal =
        |name: &str| mapping.is_some_and(|it| it.internal.iter().any(|internal| internal.text == name));
    let lts = minimise(&operators::hide(&built.lts, is_internal), Equivalence::WeakTrace, budget)?;
    let table = match Table::new(&lts) {
        Ok(table) => table,
        Err(reason) => {
            let finding = Finding::without_place(NO_MONITOR, &format!("{}: {reason}", built.target));
            return Ok(Report::new("monitor", Vec::new(), vec![finding]));
        }
    };
    let actions = mapping.map(Actions::of);
    let concerns_others =
        |name: &str| actions.as_ref().is_some_and(|actions| actions.contains(name)) || is_internal(name);
    let mut result = ConformanceResult {
        target: built.target.clone(),
        verdict: Verdict::Holds,
        events: recording.events.len(),
        others: recording.others,
        step: None,
        reason: None,
        steps: Vec::new(),
    };
    let mut state = 0;
    for (i, event) in recording.events.iter().enumerate() {
        let name = event.action.as_deref().unwrap_or(&event.shown);
        result.steps.push(RecordedStep { thread: event.thread.clone(), action: name.to_owned() });
        let column = event.action.as_ref().and_then(|action| table.actions.binary_search(action).ok());
        let is_started = state < table.rows.len();
        let (verdict, reason) = match column {
            None if event.action.as_deref().is_some_and(concerns_others) => continue,
            None => (Verdict::Violated, format!("{name} is not known")),
            Some(_) if !is_started => (Verdict::Violated, format!("{} allows nothing", built.target)),
            Some(column) => {
                state = table.rows[state][column];
                if state == table.violated() {
                    (Verdict::Violated, format!("{} does not allow {name} here", built.target))
                } else if state == table.left() {
                    (
                        Verdict::Unknown,
                        format!("nothing is forbidden after {name}: {} says no more", built.target),
                    )
                } else {
                    continue;
                }
            }
        };
        result.verdict = verdict;
        result.step = Some(i + 1);
        result.reason = Some(reason);
        break;
    }
    // This warning is for assumptions; a component of a design may have such actions.
    let is_about_it = |finding: &&Finding| finding.code != FOREIGN_ACTIONS.0;
    let findings = built.findings.iter().filter(is_about_it).cloned().collect();
    Ok(Report::new("monitor", vec![result], findings))
}

/// Reads a mapping, whose file is needed for places and names. If it has errors, these are returned.
///
/// # Errors
/// What was found.
pub fn read_mapping(file: &Project) -> Result<Mapping, Vec<Finding>> {
    let (mapping, mistakes) = Mapping::read(file.text_of(file.name()));
    match mistakes.is_empty() {
        true => Ok(mapping),
        false => Err(mistakes.iter().map(|it| Finding::new(file, it)).collect()),
    }
}
