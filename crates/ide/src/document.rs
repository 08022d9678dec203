//! One text that was read, and what can be told of it at once.

use std::collections::BTreeMap;

use rely_base::{SourceToken, Span, TokenClass};
use rely_model::{Declaration, DeclarationKind, NameClass, NameUse};
use rely_session::Project;

/// A text, with its tokens and names.
pub struct Document<'p> {
    pub(crate) project: &'p Project,
    pub(crate) tokens: Vec<SourceToken>,
    /// What the names mean, in order.
    pub(crate) names: Vec<NameUse>,
    /// Whether the language tells what every name means, so that all uses of a name are known.
    pub(crate) knows_all_names: bool,
}

/// A token with what is to be seen of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// Its place.
    pub span: Span,
    /// What kind of word or sign it is.
    pub class: TokenClass,
    /// What it is a name of, if it is a name whose meaning is known.
    pub name: Option<NameClass>,
    /// Whether the name is introduced here.
    pub introduces: bool,
}

impl<'p> Document<'p> {
    /// Looks at a text that was read.
    pub fn new(project: &'p Project) -> Self {
        let tokens = project.tokens();
        let (names, knows_all_names) = match project.names() {
            Some(names) => (names, true),
            None => (by_declaration(project, &tokens), false),
        };
        Self { project, tokens, names, knows_all_names }
    }

    /// The text.
    pub fn text(&self) -> &'p str {
        self.project.text()
    }

    /// What stands at a place.
    pub(crate) fn at(&self, span: Span) -> &'p str {
        self.text().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The tokens, each with what it is a name of.
    pub fn colours(&self) -> Vec<Coloured> {
        let names: BTreeMap<u32, &NameUse> = self.names.iter().map(|name| (name.place.start, name)).collect();
        let coloured = |token: &SourceToken| {
            let name = names.get(&token.span.start).filter(|name| name.place == token.span);
            Coloured {
                span: token.span,
                class: token.class,
                name: name.map(|name| name.class),
                introduces: name.is_some_and(|name| name.means == Some(name.place)),
            }
        };
        self.tokens.iter().map(coloured).collect()
    }

    /// The name that stands at a byte, or ends there.
    pub fn name_at(&self, byte: u32) -> Option<&NameUse> {
        let holds = |name: &&NameUse| name.place.start <= byte && byte <= name.place.end;
        // Of two names that touch, the one that begins here is meant.
        self.names.iter().rfind(holds)
    }

    /// Where the name at a byte is introduced.
    pub fn definition(&self, byte: u32) -> Option<Span> {
        self.name_at(byte)?.means
    }

    /// All places where what is named at a byte is named, in order; those of an action all have the same name.
    pub fn references(&self, byte: u32) -> Vec<Span> {
        let Some(&name) = self.name_at(byte) else { return Vec::new() };
        let text = self.at(name.place);
        let is_same = |other: &&NameUse| match name.means {
            Some(_) => other.means == name.means,
            None => other.means.is_none() && other.class == name.class && self.at(other.place) == text,
        };
        self.names.iter().filter(is_same).map(|other| other.place).collect()
    }

    /// The declaration that a byte is in.
    pub(crate) fn declaration_at(&self, byte: u32) -> Option<&'p Declaration> {
        let mut declarations = self.project.declarations().iter();
        declarations.rfind(|it| it.extent.start <= byte && byte <= it.extent.end)
    }

    /// The declaration whose name stands at a place.
    pub(crate) fn declared_at(&self, place: Span) -> Option<&'p Declaration> {
        self.project.declarations().iter().find(|it| it.place == place)
    }
}

/// Names by what the text declares, in a language that does not tell more: every word that is the name of a declaration means
/// it, in capital or small letters if the declaration has small ones.
fn by_declaration(project: &Project, tokens: &[SourceToken]) -> Vec<NameUse> {
    let declared: BTreeMap<&str, &Declaration> =
        project.declarations().iter().rev().map(|it| (&*it.name, it)).collect();
    let meant = |token: &SourceToken| {
        let word = project.text().get(token.span.start as usize..token.span.end as usize)?;
        let declaration = declared.get(word).or_else(|| declared.get(&*word.to_lowercase()));
        Some(match declaration {
            Some(declaration) => NameUse {
                place: token.span,
                means: Some(declaration.place),
                class: class_of(declaration.kind),
            },
            None => NameUse { place: token.span, means: None, class: NameClass::Unknown },
        })
    };
    tokens.iter().filter(|token| token.class == TokenClass::Name).filter_map(meant).collect()
}

/// What the name of a declaration is a name of.
pub(crate) fn class_of(kind: DeclarationKind) -> NameClass {
    match kind {
        DeclarationKind::Definition => NameClass::Constant,
        _ if kind.is_property() => NameClass::Property,
        DeclarationKind::Process { .. } | DeclarationKind::FormulaProcess { .. } => NameClass::Process,
        DeclarationKind::Composite { .. } => NameClass::Composite,
        DeclarationKind::Progress => NameClass::Progress,
        DeclarationKind::Fluent => NameClass::Fluent,
        DeclarationKind::Assertion => NameClass::Formula,
    }
}
