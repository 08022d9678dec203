//! The declarations of a text, by name and place, without their meaning.
//!
//! Expected verdicts, properties that are never checked, fluents that no formula uses, and the lines that define a
//! part are questions about the text. They can be answered for all languages alike from the names that a text
//! declares and the names that each declaration mentions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rely_base::Span;

/// Something that a text declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub kind: DeclarationKind,
    /// The place of its name.
    pub place: Span,
    /// The place of the whole declaration.
    pub extent: Span,
    /// The names of other declarations that it mentions, in the order of the text; names may repeat.
    pub mentions: Vec<Arc<str>>,
}

/// What a declaration declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclarationKind {
    /// A constant, a range, a set, or an imported file: something that other declarations use.
    Definition,
    /// A component that is not a composition.
    Process {
        /// Whether it is a property, which only observes.
        is_property: bool,
        /// Whether it is an interface automaton.
        is_interface: bool,
    },
    /// A composition of components.
    Composite {
        /// Whether it is a property, which only observes.
        is_property: bool,
    },
    /// A progress property.
    Progress,
    /// A fluent.
    Fluent,
    /// A formula that has to hold.
    Assertion,
    /// A formula that is used as a process.
    FormulaProcess {
        /// Whether it is a property, which only observes.
        is_property: bool,
    },
}

impl DeclarationKind {
    /// Whether it declares a property process, which only observes.
    pub fn is_property(self) -> bool {
        match self {
            Self::Process { is_property, .. }
            | Self::Composite { is_property }
            | Self::FormulaProcess { is_property } => is_property,
            Self::Definition | Self::Progress | Self::Fluent | Self::Assertion => false,
        }
    }

    /// Whether it can be a component of something.
    fn is_process(self) -> bool {
        matches!(self, Self::Process { .. } | Self::FormulaProcess { .. })
    }
}

/// The property processes that composites mention, directly or through other composites, in order of appearance, each
/// once.
///
/// Only the text is considered: conditions are not evaluated and copies are not counted, so a name may stand for
/// several parts of a composite, or for none.
pub fn properties_within(declarations: &[Declaration], composites: &[&str]) -> Vec<String> {
    let named: BTreeMap<&str, &Declaration> = declarations.iter().map(|it| (&*it.name, it)).collect();
    let is_composite = |it: &&Declaration| matches!(it.kind, DeclarationKind::Composite { .. });
    let mut properties: Vec<String> = Vec::new();
    let mut entered: BTreeSet<&str> = BTreeSet::new();
    let roots = composites.iter().rev().filter_map(|name| named.get(name)).copied().filter(is_composite);
    let mut agenda: Vec<&str> = roots.flat_map(|it| it.mentions.iter().rev()).map(|name| &**name).collect();
    while let Some(name) = agenda.pop() {
        let Some(declaration) = named.get(name).filter(|_| entered.insert(name)) else { continue };
        if declaration.kind.is_property() {
            properties.push(name.to_owned());
        } else if is_composite(declaration) {
            agenda.extend(declaration.mentions.iter().rev().map(|name| &**name));
        }
    }
    properties
}

/// The declarations that are needed to understand a given one, itself included, in the order of the text: those it
/// mentions, directly or through others. From a process that continues as another, the other is followed; from a
/// composite it is not, since that would give the whole text.
pub fn rests_on<'d>(declarations: &'d [Declaration], name: &str) -> Vec<&'d Declaration> {
    // If several declarations have the same name, the last one counts.
    let named: BTreeMap<&str, usize> =
        declarations.iter().enumerate().map(|(i, it)| (&*it.name, i)).collect();
    let mut known: BTreeSet<usize> = BTreeSet::new();
    let mut agenda: Vec<usize> = named.get(name).copied().into_iter().collect();
    while let Some(number) = agenda.pop() {
        if !known.insert(number) {
            continue;
        }
        let declaration = &declarations[number];
        let is_followed = |other: &&usize| match declarations[**other].kind {
            DeclarationKind::Composite { .. } => false,
            kind => !kind.is_process() || declaration.kind.is_process(),
        };
        let mentioned = declaration.mentions.iter().filter_map(|name| named.get(&**name));
        agenda.extend(mentioned.filter(is_followed));
    }
    known.into_iter().map(|number| &declarations[number]).collect()
}
