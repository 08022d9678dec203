//! Values and names with values.

use std::sync::Arc;

use rely_base::Span;
use rustc_hash::FxHashMap;

/// The value of an expression: a number or a label.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// A 32-bit number, as in LTSA.
    Int(i32),
    /// A label.
    Label(Arc<str>),
}

impl Value {
    /// The value of a label: a label that is written like a number is a number.
    pub(crate) fn of_label(label: impl Into<Arc<str>>) -> Self {
        let label = label.into();
        match label.parse::<i32>() {
            Ok(number) if number.to_string() == *label => Self::Int(number),
            _ => Self::Label(label),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Label(label) => f.write_str(label),
        }
    }
}

/// A constant, range or set of the file, or the place where its definition failed.
#[derive(Clone, Debug)]
pub(crate) enum Global {
    /// `const N = 3`
    Const(Value),
    /// `range R = 0..3`
    Range(i32, i32),
    /// `set S = {a, b}`
    Set(Arc<[Arc<str>]>),
    /// A definition with errors of its own, which have been reported.
    Broken,
}

/// The names that a file defines for all of its processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    /// The values of the names. Constants, ranges and sets have separate name spaces.
    pub(crate) constants: FxHashMap<Arc<str>, (Global, Span)>,
    /// See `constants`.
    pub(crate) ranges: FxHashMap<Arc<str>, (Global, Span)>,
    /// See `constants`.
    pub(crate) sets: FxHashMap<Arc<str>, (Global, Span)>,
}

/// The names in scope: parameters, which are upper-case, and variables, which are lower-case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// The parameters of the definition.
    pub(crate) params: Arc<FxHashMap<Arc<str>, Value>>,
    /// The variables that labels and indices have bound, outermost first.
    variables: Vec<(Arc<str>, Value)>,
}

impl Scope {
    /// A scope with only the parameters.
    pub(crate) fn with_params(params: FxHashMap<Arc<str>, Value>) -> Self {
        Self { params: Arc::new(params), variables: Vec::new() }
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    /// The names of the variables.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| &**name)
    }

    /// How many variables there are.
    pub(crate) fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The scope with further variables.
    pub(crate) fn extended(&self, bindings: &[(Arc<str>, Value)]) -> Self {
        let mut scope = self.clone();
        scope.variables.extend_from_slice(bindings);
        scope
    }
}
