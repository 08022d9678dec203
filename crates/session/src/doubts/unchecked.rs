//! Declarations that are not used: properties in no composite, fluents in no formula.

use std::collections::BTreeSet;

use rely_base::{Code, Span};
use rely_model::{Declaration, DeclarationKind, properties_within};

use crate::Project;
use crate::explain::{UNCHECKED, UNUSED_FLUENT};
use crate::report::{Finding, Level};

/// A finding about property processes that are not checked, if there are any.
///
/// `is_used` says which properties the targets have. If the user chose the targets, other composites and their
/// properties are left out on purpose, so only properties that no composite has are reported.
pub(crate) fn unchecked(
    project: &Project,
    is_used: &dyn Fn(&str) -> bool,
    are_chosen: bool,
) -> Option<Finding> {
    let declarations = project.declarations();
    let composites = declarations.iter().filter(|it| matches!(it.kind, DeclarationKind::Composite { .. }));
    let composites: Vec<&str> = composites.map(|it| &*it.name).collect();
    if composites.is_empty() {
        // All processes are parts of the default target.
        return None;
    }
    let composed = if are_chosen { properties_within(declarations, &composites) } else { Vec::new() };
    let is_unchecked = |it: &&Declaration| {
        it.kind.is_property() && !is_used(&it.name) && !composed.iter().any(|other| **other == *it.name)
    };
    let unchecked: Vec<&Declaration> = declarations.iter().filter(is_unchecked).collect();
    let first = unchecked.first()?;
    let what = if are_chosen { "composite" } else { "target" };
    let message = match unchecked.len() {
        1 => format!("property `{}` is not checked: no {what} has it", first.name),
        _ => format!("properties {} are not checked: no {what} has them", quoted(&unchecked)),
    };
    let help = format!(
        "compose it with what it speaks about, as in `||CHECKED = (SYSTEM || {name}).`, or ask `rely verify --system SYSTEM \
         --property {name}`",
        name = first.name
    );
    Some(Finding { help: Some(help), ..warning(project, UNCHECKED, &message, first.place) })
}

/// Names as they are written in messages.
fn quoted(declarations: &[&Declaration]) -> String {
    declarations.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>().join(", ")
}

/// A finding about the fluents that no formula uses, if there are any. A formula that is a process counts if a target
/// has it, which `is_used` says.
pub(crate) fn unused_fluents(project: &Project, is_used: &dyn Fn(&str) -> bool) -> Option<Finding> {
    let declarations = project.declarations();
    let is_looked_at = |it: &&Declaration| match it.kind {
        DeclarationKind::Assertion => true,
        DeclarationKind::FormulaProcess { .. } => is_used(&it.name),
        _ => false,
    };
    let used: BTreeSet<&str> =
        declarations.iter().filter(is_looked_at).flat_map(|it| &it.mentions).map(|name| &**name).collect();
    let is_unused = |it: &&Declaration| it.kind == DeclarationKind::Fluent && !used.contains(&*it.name);
    let unused: Vec<&Declaration> = declarations.iter().filter(is_unused).collect();
    let first = unused.first()?;
    let names = quoted(&unused);
    let message = match unused.len() {
        1 => format!("no formula uses the fluent {names}, so its actions are not looked at"),
        _ => format!("no formula uses the fluents {names}, so their actions are not looked at"),
    };
    Some(warning(project, UNUSED_FLUENT, &message, first.place))
}

fn warning(project: &Project, code: Code, message: &str, span: Span) -> Finding {
    let finding = Finding::about(project.name(), code, message);
    Finding { severity: Level::Warning, place: Some(project.place(span)), ..finding }.weighed_by(project)
}
