//! What a text declares, by name and place, without its meaning.
//!
//! Expected verdicts, properties that nothing checks, fluents that no formula uses, and the lines that define a part are
//! questions about the text, and the same for all languages once it is known which names a text declares and which other
//! names each declaration mentions.

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
    /// A constant, a range, a set, or a file that is read: something that others are written with.
    Definition,
    /// A component that is no composition.
    Process {
        /// Whether it only looks on.
        is_property: bool,
        /// Whether it is an interface automaton.
        is_interface: bool,
    },
    /// A composition of components.
    Composite {
        /// Whether it only looks on.
        is_property: bool,
    },
    /// A progress property.
    Progress,
    /// A fluent.
    Fluent,
    /// A formula that is to hold.
    Assertion,
    /// A formula that is taken as a process.
    FormulaProcess {
        /// Whether it only looks on.
        is_property: bool,
    },
}

impl DeclarationKind {
    /// Whether it declares a property process: something that only looks on.
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
/// Only the text counts: conditions are not evaluated and copies not counted, so a name may be one of several parts of a
/// composite, or of none.
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

/// The declarations that are needed to understand one, with itself, in the order of the text: whatever it mentions, and what
/// that mentions. A process is followed from a process that goes on as it, but not from a composite: that would be the
/// whole text.
pub fn rests_on<'d>(declarations: &'d [Declaration], name: &str) -> Vec<&'d Declaration> {
    // Where two declarations have one name, the last counts.
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
