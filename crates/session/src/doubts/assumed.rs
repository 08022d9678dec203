//! Assumptions with actions that no component has.
//!
//! An assumption from a file is compared with what exists: `retrieve` compares it with the components of the library,
//! and every command that reads an assumption from a file with the other processes of that file. An action that no
//! component of a library has is free to occur at any time, so the answer is hardly the one that was wanted. In the
//! file of the assumption, other actions may be missing on purpose, so a name is reported only if it is similar to
//! one of the file.

use std::collections::BTreeSet;

use rely_base::{Budget, Limits};
use rely_lts::Lts;

use super::names::{Fate, Names, misspelt};
use crate::Project;
use crate::check::list;
use crate::explain::FOREIGN_ACTIONS;
use crate::meaning::Meaning;
use crate::report::{Finding, Level};

/// A warning of the actions of an assumption that are not among the `known` ones.
pub(crate) fn of_library(assumption: &Lts, known: &BTreeSet<String>) -> Option<Finding> {
    let names = Names::new(known.iter().map(String::as_str).collect());
    let absent: Vec<String> = absent_from(&names, assumption);
    let warning = names.warning(&absent, Fate::Free)?;
    Some(finding("", &format!("of the actions of the assumption, {warning}")))
}

/// A warning of the actions of an assumption that no other process of its file has, but that are similar to one that
/// exists.
pub(crate) fn of_its_file(
    project: &Project,
    target: &str,
    assumption: &Lts,
    budget: Budget<'_>,
) -> Option<Finding> {
    /// Limits for building the other processes, of which only the names of actions are needed.
    const EFFORT: Limits = Limits { states: Some(10_000), bytes: Some(64 << 20) };
    let mut meaning = Meaning::of(project, budget.narrowed(EFFORT));
    let others = meaning.all_targets();
    if others.len() < 2 {
        return None;
    }
    let own: BTreeSet<String> = match meaning.target(target) {
        Ok(target) => target.parts.iter().map(|part| part.definition.to_string()).collect(),
        Err(_) => return None,
    };
    let mut known = BTreeSet::new();
    for other in others.iter().filter(|other| *other != target) {
        let Ok(other) = meaning.target(other) else { continue };
        for (component, part) in other.behaviour.components().iter().zip(&other.parts) {
            if *part.definition != *target && !own.contains(&*part.definition) {
                known.extend(component.lts.alphabet().names().map(str::to_owned));
            }
        }
    }
    let names = Names::new(known.iter().map(String::as_str).collect());
    let meant = |action: String| misspelt(&action, &names).map(|other| format!("{other} for {action}"));
    let near: Vec<String> = absent_from(&names, assumption).into_iter().filter_map(meant).collect();
    if near.is_empty() {
        return None;
    }
    let message = format!("no other process has some actions of {target}; did you mean {}?", list(&near));
    Some(finding(project.name(), &message).weighed_by(project))
}

fn absent_from(names: &Names<'_>, lts: &Lts) -> Vec<String> {
    lts.alphabet()
        .sorted_names()
        .into_iter()
        .filter(|name| !names.contains(name))
        .map(str::to_owned)
        .collect()
}

fn finding(file: &str, message: &str) -> Finding {
    let error = Finding::without_place(FOREIGN_ACTIONS, message);
    Finding { severity: Level::Warning, file: file.to_owned(), ..error }
}
