//! Which properties the text of a system speaks about.
//!
//! A composite that hides something is built first, and is one part then: the property processes inside it are not to be
//! seen among the parts. And of a system that could not be built, nothing is to be seen at all. What is left is the text:
//! the composites that a composite names, and the property processes that these name. Conditions are not evaluated, and
//! copies not counted, so a name may be one of several parts, or of none.

use std::collections::{BTreeMap, BTreeSet};

use rely_fsp::ast::{Composite, CompositeKind, Definition, Instance};

use crate::Project;

/// The property processes in composites of a project, in order of appearance, each once.
pub(crate) fn properties_within<'a>(
    project: &'a Project,
    is_property: &dyn Fn(&str) -> bool,
    composites: &[&str],
) -> Vec<String> {
    let Some(file) = project.file() else { return Vec::new() };
    let body = |definition: &'a Definition| match definition {
        Definition::Composite(composite) => Some((&*composite.name.text, &composite.body)),
        _ => None,
    };
    let bodies: BTreeMap<&str, &Composite> = file.definitions.iter().filter_map(body).collect();
    let mut properties: Vec<String> = Vec::new();
    let mut entered: BTreeSet<&str> = BTreeSet::new();
    let known = composites.iter().rev().filter_map(|name| bodies.get_key_value(name));
    let mut agenda: Vec<&Composite> = known.map(|(_, &body)| body).collect();
    while let Some(composite) = agenda.pop() {
        match &composite.kind {
            CompositeKind::If { then, otherwise, .. } => {
                agenda.extend(otherwise.as_deref());
                agenda.push(then);
            }
            CompositeKind::Forall { body, .. } => agenda.push(body),
            CompositeKind::Instance { of: Instance::Parallel(several), .. } => {
                agenda.extend(several.iter().rev());
            }
            CompositeKind::Instance { of: Instance::Call(call), .. } => {
                let name = &*call.name.text;
                if !entered.insert(name) {
                    continue;
                }
                if is_property(name) {
                    properties.push(name.to_owned());
                } else {
                    agenda.extend(bodies.get(name));
                }
            }
        }
    }
    properties
}
