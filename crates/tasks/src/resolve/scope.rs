//! What names stand for, declarative part inside of declarative part.

use std::sync::Arc;

use rely_base::Span;
use rustc_hash::FxHashMap;

use crate::hir::{GroupId, SubprogramId, Subtype, TypeId, UnitId, VariableId};

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
            Self::Main => "the main procedure",
            Self::Incomplete => "what is being declared here",
            Self::Outside(_) | Self::Unknown => "unknown",
        }
    }
}

/// Declarative parts, innermost last.
pub(super) struct Scopes {
    parts: Vec<FxHashMap<Arc<str>, (Entity, Span)>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { parts: vec![FxHashMap::default()] }
    }

    pub(super) fn open(&mut self) {
        self.parts.push(FxHashMap::default());
    }

    pub(super) fn close(&mut self) {
        self.parts.pop();
    }

    /// How many parts are open.
    pub(super) fn depth(&self) -> usize {
        self.parts.len()
    }

    /// Declares a name in the innermost part. The place where it was declared before, if it was.
    pub(super) fn declare(&mut self, name: Arc<str>, span: Span, entity: Entity) -> Option<Span> {
        let part = self.parts.last_mut()?;
        if let Some(&(_, before)) = part.get(&name) {
            return Some(before);
        }
        part.insert(name, (entity, span));
        None
    }

    /// Hides what a name stands for while its declaration is read, unless the innermost part has it already.
    pub(super) fn hide(&mut self, name: &Arc<str>, span: Span) {
        self.declare(Arc::clone(name), span, Entity::Incomplete);
    }

    /// Ends what [`Scopes::hide`] began.
    pub(super) fn unhide(&mut self, name: &str) {
        if let Some(part) = self.parts.last_mut()
            && matches!(part.get(name), Some((Entity::Incomplete, _)))
        {
            part.remove(name);
        }
    }

    /// What a name stands for, innermost part first.
    pub(super) fn get(&self, name: &str) -> Option<Entity> {
        self.parts.iter().rev().find_map(|part| part.get(name)).map(|&(entity, _)| entity)
    }

    /// What a name stands for in the innermost part.
    pub(super) fn get_here(&self, name: &str) -> Option<Entity> {
        self.parts.last().and_then(|part| part.get(name)).map(|&(entity, _)| entity)
    }

    /// All names, for advice.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().flat_map(|part| part.keys()).map(|name| &**name)
    }
}
