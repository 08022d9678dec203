//! What names stand for, declarative part inside of declarative part.
//!
//! A name with dots stands for what the package before the last dot declares. What a `use` clause makes visible is looked for
//! last, and only if all used packages that have the name mean the same by it (Ada, 8.4).

use std::sync::Arc;

use rely_base::{Id, Span};
use rustc_hash::FxHashMap;

use crate::hir::{GroupId, SubprogramId, Subtype, TypeId, UnitId, VariableId};

rely_base::define_id! {
    /// A package.
    PackageId
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entity {
    /// A discrete type or subtype.
    Type(Subtype),
    /// An array type: indices and elements.
    ArrayType(Subtype, Subtype),
    /// A task type.
    TaskType(UnitId),
    /// A value: a named number, a constant, a literal of an enumeration.
    Constant(i64, TypeId),
    /// A variable.
    Variable(VariableId),
    /// A procedure or function.
    Subprogram(SubprogramId),
    /// A task or an array of tasks.
    Group(GroupId),
    /// A package.
    Package(PackageId),
    /// The main procedure.
    Main,
    /// What is being declared, and cannot be used before the end of its declaration.
    Incomplete,
    /// Something of Ada that is outside of the subset, and what to use instead.
    Outside(&'static str),
    /// Something that could not be read.
    Unknown,
}

impl Entity {
    /// What it is, in the words of a message.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Type(_) => "a type",
            Self::ArrayType(..) => "an array type",
            Self::TaskType(_) => "a task type",
            Self::Constant(..) => "a constant",
            Self::Variable(_) => "a variable",
            Self::Subprogram(_) => "a subprogram",
            Self::Group(_) => "a task",
            Self::Package(_) => "a package",
            Self::Main => "the main procedure",
            Self::Incomplete => "what is being declared here",
            Self::Outside(_) | Self::Unknown => "unknown",
        }
    }
}

/// What some names stand for, and where they are declared.
pub(super) type Names = FxHashMap<Arc<str>, (Entity, Span)>;

/// A declarative part.
#[derive(Default)]
struct Part {
    names: Names,
    /// The packages of its `use` clauses.
    used: Vec<PackageId>,
}

/// What a package declares.
struct Package {
    /// What its specification declares, the private part included, for its body. It is here while the body is not open.
    inside: Part,
    /// What others see.
    visible: Names,
}

/// Declarative parts, innermost last.
pub(super) struct Scopes {
    parts: Vec<Part>,
    packages: Vec<Package>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { parts: vec![Part::default()], packages: Vec::new() }
    }

    pub(super) fn open(&mut self) {
        self.parts.push(Part::default());
    }

    pub(super) fn close(&mut self) {
        self.parts.pop();
    }

    /// How many parts are open.
    pub(super) fn depth(&self) -> usize {
        self.parts.len()
    }

    /// What others see of a package whose specification is the innermost part, up to now.
    pub(super) fn visible(&self) -> Names {
        self.parts.last().map(|part| part.names.clone()).unwrap_or_default()
    }

    /// Closes the innermost part, which is the specification of a package.
    pub(super) fn close_package(&mut self, visible: Names) -> PackageId {
        let inside = self.parts.pop().unwrap_or_default();
        self.packages.push(Package { inside, visible });
        PackageId::from_index(self.packages.len() - 1)
    }

    /// Opens the part of a package again, for its body.
    pub(super) fn reopen(&mut self, package: PackageId) {
        let inside = std::mem::take(&mut self.packages[package.index()].inside);
        self.parts.push(inside);
    }

    /// Makes what a package declares visible in the innermost part.
    pub(super) fn make_visible(&mut self, package: PackageId) {
        if let Some(part) = self.parts.last_mut() {
            part.used.push(package);
        }
    }

    /// Declares a name in the innermost part. The place where it was declared before, if it was.
    pub(super) fn declare(&mut self, name: Arc<str>, span: Span, entity: Entity) -> Option<Span> {
        let part = self.parts.last_mut()?;
        if let Some(&(_, before)) = part.names.get(&name) {
            return Some(before);
        }
        part.names.insert(name, (entity, span));
        None
    }

    /// Hides what a name stands for while its declaration is read, unless the innermost part has it already.
    pub(super) fn hide(&mut self, name: &Arc<str>, span: Span) {
        self.declare(Arc::clone(name), span, Entity::Incomplete);
    }

    /// Ends what [`Scopes::hide`] began.
    pub(super) fn unhide(&mut self, name: &str) {
        if let Some(part) = self.parts.last_mut()
            && matches!(part.names.get(name), Some((Entity::Incomplete, _)))
        {
            part.names.remove(name);
        }
    }

    /// What a name stands for, innermost part first.
    pub(super) fn get(&self, name: &str) -> Option<Entity> {
        let mut parts = name.split('.');
        let first = parts.next()?;
        let declared = self.parts.iter().rev().find_map(|part| part.names.get(first));
        let mut entity = declared.map(|&(entity, _)| entity).or_else(|| self.get_used(first))?;
        for part in parts {
            entity = match entity {
                Entity::Package(package) => self.packages[package.index()].visible.get(part)?.0,
                Entity::Unknown => return Some(Entity::Unknown),
                _ => return None,
            };
        }
        Some(entity)
    }

    /// What a name stands for in the packages of `use` clauses, if that is one thing.
    fn get_used(&self, name: &str) -> Option<Entity> {
        let used = self.parts.iter().flat_map(|part| &part.used);
        let mut found = used.filter_map(|it| self.packages[it.index()].visible.get(name)).map(|&(it, _)| it);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// What a name stands for in the innermost part.
    pub(super) fn get_here(&self, name: &str) -> Option<Entity> {
        self.parts.last().and_then(|part| part.names.get(name)).map(|&(entity, _)| entity)
    }

    /// All names, for advice.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let used = self.parts.iter().flat_map(|part| &part.used);
        let visible = used.flat_map(|package| self.packages[package.index()].visible.keys());
        self.parts.iter().flat_map(|part| part.names.keys()).chain(visible).map(|name| &**name)
    }
}
