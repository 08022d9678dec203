//! Names that are known in the whole file, and those that are known at a place.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::component::{Type, ValueNames, Variable};

/// The kind of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Bool,
    Int,
    Enumeration(ValueNames),
}

impl Kind {
    pub(super) fn of(ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::Bool,
            Type::Range(..) => Self::Int,
            Type::Enumeration(names) => Self::Enumeration(Arc::clone(names)),
        }
    }

    /// The kind in words.
    pub(super) fn show(&self) -> String {
        match self {
            Self::Bool => "a truth value".to_owned(),
            Self::Int => "a number".to_owned(),
            Self::Enumeration(names) => format!("a value of {{{}}}", names.join(", ")),
        }
    }
}

/// Constants, types and values of enumerations.
#[derive(Default)]
pub(super) struct Globals {
    pub(super) constants: FxHashMap<Arc<str>, (i32, Kind)>,
    pub(super) types: FxHashMap<Arc<str>, Type>,
    /// For each name of a value, the enumerations that have it.
    pub(super) literals: FxHashMap<Arc<str>, Vec<ValueNames>>,
}

impl Globals {
    /// Remembers the values of an enumeration.
    pub(super) fn add_enumeration(&mut self, names: &ValueNames) {
        for name in names.iter() {
            let known = self.literals.entry(Arc::clone(name)).or_default();
            if !known.contains(names) {
                known.push(Arc::clone(names));
            }
        }
    }
}

/// The names that are known at a place.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    /// Indices with their values, innermost last.
    pub(super) indices: &'s [(Arc<str>, i32)],
    /// The process whose variables are known, and its variables.
    pub(super) process: Option<(usize, &'s [Variable])>,
}

impl Scope<'_> {
    /// Nothing but constants.
    pub(super) const GLOBAL: Scope<'static> = Scope { indices: &[], process: None };
}
