//! The outline of a text.

use rely_base::Span;
use rely_model::NameClass;

use crate::Document;
use crate::document::class_of;

/// Something that a text declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub class: NameClass,
    /// The place of its name.
    pub place: Span,
    /// The place of the whole declaration.
    pub extent: Span,
    /// What is declared inside of it.
    pub children: Vec<Self>,
}

impl Document<'_> {
    /// What the text declares, in its order, with the local processes of each process.
    pub fn symbols(&self) -> Vec<Symbol> {
        let symbol = |declaration: &rely_model::Declaration| Symbol {
            name: declaration.name.to_string(),
            class: self.class_at(declaration.place).unwrap_or_else(|| class_of(declaration.kind)),
            place: declaration.place,
            extent: declaration.extent,
            children: self.locals(declaration.extent),
        };
        self.project.declarations().iter().map(symbol).collect()
    }

    fn class_at(&self, place: Span) -> Option<NameClass> {
        self.names.iter().find(|name| name.place == place).map(|name| name.class)
    }

    fn locals(&self, extent: Span) -> Vec<Symbol> {
        let is_local = |name: &&rely_model::NameUse| {
            name.class == NameClass::Local
                && name.means == Some(name.place)
                && extent.start <= name.place.start
                && name.place.end <= extent.end
        };
        let local = |name: &rely_model::NameUse| Symbol {
            name: self.at(name.place).to_owned(),
            class: name.class,
            place: name.place,
            extent: name.place,
            children: Vec::new(),
        };
        self.names.iter().filter(is_local).map(local).collect()
    }
}
