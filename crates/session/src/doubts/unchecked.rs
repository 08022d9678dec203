//! What a file declares and nothing checks: properties in no composite, fluents in no formula.

use std::collections::BTreeSet;

use rely_base::{Code, Span};
use rely_fsp::ast::{AssertKind, Definition, Formula, FormulaKind, Name};

use crate::Project;
use crate::explain::{UNCHECKED, UNUSED_FLUENT};
use crate::report::{Finding, Level};
use crate::verify::properties_within;

/// A finding about property processes that are not checked, if there are any.
///
/// `is_property` knows the property processes, and `is_used` those that the targets have. Where the targets were chosen by
/// the user, properties of other composites are left out on purpose, and only those that no composite has are meant.
pub(crate) fn unchecked(
    project: &Project,
    is_property: &dyn Fn(&str) -> bool,
    is_used: &dyn Fn(&str) -> bool,
    are_chosen: bool,
) -> Option<Finding> {
    let file = project.file()?;
    let composite = |definition: &'_ Definition| match definition {
        Definition::Composite(composite) => Some(composite.name.text.to_string()),
        _ => None,
    };
    let composites: Vec<String> = file.definitions.iter().filter_map(composite).collect();
    if composites.is_empty() {
        // Everything is a part of the one target that is meant by default.
        return None;
    }
    let composites: Vec<&str> = composites.iter().map(String::as_str).collect();
    let composed = match are_chosen {
        true => properties_within(project, is_property, &composites),
        false => Vec::new(),
    };
    let name = |definition: &'_ Definition| match definition {
        Definition::Process(process) => Some(process.name.clone()),
        Definition::Composite(composite) => Some(composite.name.clone()),
        Definition::Assert(assertion) => Some(assertion.name.clone()),
        _ => None,
    };
    let is_unchecked = |name: &Name| {
        is_property(&name.text) && !is_used(&name.text) && !composed.iter().any(|other| **other == *name.text)
    };
    let unchecked: Vec<Name> = file.definitions.iter().filter_map(name).filter(is_unchecked).collect();
    let first = unchecked.first()?;
    let what = if are_chosen { "composite" } else { "target" };
    let message = match unchecked.len() {
        1 => format!("property `{}` is not checked: no {what} has it", first.text),
        _ => format!("properties {} are not checked: no {what} has them", quoted(&unchecked)),
    };
    let help = format!(
        "compose it with what it speaks about, as in `||CHECKED = (SYSTEM || {name}).`, or ask `rely verify --system SYSTEM \
         --property {name}`",
        name = first.text
    );
    Some(Finding { help: Some(help), ..warning(project, UNCHECKED, &message, first.span) })
}

/// Names as they are written in messages.
fn quoted(names: &[Name]) -> String {
    names.iter().map(|name| format!("`{}`", name.text)).collect::<Vec<_>>().join(", ")
}

/// A finding about the fluents that no formula uses, if there are any. A formula that is a process counts if a target has
/// it, which `is_used` says.
pub(crate) fn unused_fluents(project: &Project, is_used: &dyn Fn(&str) -> bool) -> Option<Finding> {
    let file = project.file()?;
    let mut used = BTreeSet::new();
    for definition in &file.definitions {
        if let Definition::Assert(assertion) = definition
            && (assertion.kind == AssertKind::Assert || is_used(&assertion.name.text))
        {
            used.extend(named_in(&assertion.formula));
        }
    }
    let fluent = |definition: &'_ Definition| match definition {
        Definition::Fluent(fluent) if !used.contains(&*fluent.name.text) => Some(fluent.name.clone()),
        _ => None,
    };
    let unused: Vec<Name> = file.definitions.iter().filter_map(fluent).collect();
    let first = unused.first()?;
    let names = quoted(&unused);
    let message = match unused.len() {
        1 => format!("no formula uses the fluent {names}, so its actions are not looked at"),
        _ => format!("no formula uses the fluents {names}, so their actions are not looked at"),
    };
    Some(warning(project, UNUSED_FLUENT, &message, first.span))
}

/// The names of fluents and assertions in a formula.
fn named_in(formula: &Formula) -> Vec<&str> {
    let mut names = Vec::new();
    let mut agenda = vec![formula];
    while let Some(formula) = agenda.pop() {
        match &formula.kind {
            FormulaKind::Unary(_, operand) => agenda.push(operand),
            FormulaKind::Binary(_, left, right) => agenda.extend([&**left, &**right]),
            FormulaKind::Quantified { body, .. } => agenda.push(body),
            FormulaKind::Named { name, .. } => names.push(&*name.text),
            FormulaKind::Action(_) | FormulaKind::Rigid(_) => {}
        }
    }
    names
}

fn warning(project: &Project, code: Code, message: &str, span: Span) -> Finding {
    let finding = Finding::about(project.name(), code, message);
    Finding { severity: Level::Warning, place: Some(project.place(span)), ..finding }
}
