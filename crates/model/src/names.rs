//! What the names in a text mean: for each place where a name stands, the place that introduces it.

use rely_base::Span;

/// A place where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NameUse {
    /// The place.
    pub place: Span,
    /// The place that introduces what the name means: another one, or this one. Nothing for what the language defines, and
    /// for names that nothing introduces, such as those of actions and those that are misspelt.
    pub means: Option<Span>,
    /// What the name is a name of.
    pub class: NameClass,
}

/// What a name is a name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NameClass {
    /// A number that does not change.
    Constant,
    /// A range of numbers.
    Range,
    /// A set of actions.
    Set,
    /// A parameter of a definition.
    Parameter,
    /// An index.
    Variable,
    /// A component.
    Process,
    /// A state, or a process within a process.
    Local,
    /// A component that only looks on.
    Property,
    /// A composition of components.
    Composite,
    /// A progress property.
    Progress,
    /// A fluent.
    Fluent,
    /// A formula.
    Formula,
    /// A menu.
    Menu,
    /// An action, or a part of the name of one.
    Action,
    /// Something that the language defines.
    Predefined,
    /// A name that means nothing.
    Unknown,
}

impl NameClass {
    /// What it is called in a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Range => "range",
            Self::Set => "set",
            Self::Parameter => "parameter",
            Self::Variable => "index",
            Self::Process => "process",
            Self::Local => "local process",
            Self::Property => "property",
            Self::Composite => "composite",
            Self::Progress => "progress property",
            Self::Fluent => "fluent",
            Self::Formula => "formula",
            Self::Menu => "menu",
            Self::Action => "action",
            Self::Predefined => "predefined process",
            Self::Unknown => "unknown name",
        }
    }
}
