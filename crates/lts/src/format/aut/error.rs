//! What can be wrong with an `.aut` text.

use std::fmt;

use rely_base::{Code, Diagnostic, Span};

use crate::format::reserved;

/// What is expected where a transition begins. It also fails after an unquoted label with a comma: in
/// `(0,send(1,2),3)` the label is `send(1`, the target is 2, and then comes another comma.
pub(super) const TRANSITION: &str = "`(` and a transition";

/// One thing that is wrong with an `.aut` text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The byte in the text, from 0.
    pub offset: usize,
    /// What is wrong.
    pub kind: AutErrorKind,
}

/// What can be wrong with an `.aut` text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AutErrorKind {
    /// The text does not begin with a header.
    NoHeader,
    /// Something else was expected here.
    Expected(&'static str),
    /// The number is larger than any system can have.
    NumberTooLarge,
    /// A state beyond those that the header declares.
    NoSuchState {
        /// The state.
        state: u64,
        /// How many states the header declares.
        declared: u64,
    },
    /// The header declares more states than a text of this length can describe.
    TooManyStates {
        /// How many states the header declares.
        declared: u64,
    },
    /// The number of transitions differs from the one that the header declares.
    TransitionCount {
        /// What the header declares.
        declared: u64,
        /// How many there are.
        found: u64,
    },
    /// A quote that is not closed on its line.
    UnclosedLabel,
    /// A label that is not UTF-8.
    NotUtf8,
    /// A transition with a distribution of targets.
    Probabilistic,
    /// A transition out of state −1, the error state.
    LeavesError,
    /// A label that is reserved: it has a meaning of its own here.
    Reserved(String),
}

impl AutErrorKind {
    /// The stable code.
    pub fn code(&self) -> Code {
        Code(match self {
            Self::NoHeader => "E0201",
            Self::Expected(_) => "E0202",
            Self::NumberTooLarge => "E0203",
            Self::NoSuchState { .. } => "E0204",
            Self::TooManyStates { .. } => "E0205",
            Self::TransitionCount { .. } => "E0206",
            Self::UnclosedLabel => "E0207",
            Self::NotUtf8 => "E0208",
            Self::Probabilistic => "E0209",
            Self::LeavesError => "E0210",
            Self::Reserved(_) => "E0211",
        })
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoHeader => Some("an .aut file begins with `des (initial, transitions, states)`"),
            Self::Expected(TRANSITION) => Some("a label with a comma in it has to be in quotes"),
            Self::Probabilistic => Some("replace the distribution by one transition for each target"),
            Self::LeavesError => Some("state -1 is the error state, which has no transitions"),
            Self::Reserved(_) => Some("give the action another name"),
            _ => None,
        }
    }
}

impl fmt::Display for AutErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => f.write_str("the header is missing"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::NumberTooLarge => f.write_str("the number is too large"),
            Self::NoSuchState { state, declared } => {
                write!(f, "there is no state {state}: the header declares {declared} states")
            }
            Self::TooManyStates { declared } => {
                write!(f, "the header declares {declared} states, which is more than the text can describe")
            }
            Self::TransitionCount { declared, found } => {
                write!(f, "the header declares {declared} transitions, but there are {found}")
            }
            Self::UnclosedLabel => f.write_str("the label has no closing quote on its line"),
            Self::NotUtf8 => f.write_str("the label is not UTF-8"),
            Self::Probabilistic => f.write_str("transitions with probabilities are not supported"),
            Self::LeavesError => f.write_str("a transition leaves the error state"),
            Self::Reserved(name) => {
                write!(f, "`{name}` is {} and cannot be an action", reserved(name).unwrap_or("reserved"))
            }
        }
    }
}

impl fmt::Display for AutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for AutError {}

impl AutError {
    /// The error as a diagnostic. Places beyond 4 GiB, which a span cannot name, become the end of the text.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let at = u32::try_from(self.offset).unwrap_or(u32::MAX);
        let diagnostic =
            Diagnostic::error(self.kind.code(), Span::new(at, at.saturating_add(1)), self.kind.to_string());
        match self.kind.help() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}
