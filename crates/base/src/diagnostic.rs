//! What is wrong with the user's text: a stable code, a place, a message and advice.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The text has no meaning until this is corrected.
    Error,
    /// The text has a meaning, but probably not the intended one.
    Warning,
    /// Worth knowing.
    Note,
}

/// The stable code of a kind of diagnostic, such as `E0101`; `rely explain` says more about each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// The explanation of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// The kind of finding in a few words.
    pub title: &'static str,
    /// A paragraph on the cause and the cure, with a wrong and a right example.
    pub text: &'static str,
}

/// A second place that helps to understand a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// What can be seen there.
    pub message: String,
}

/// One finding about the user's text.
///
/// Diagnostics are collected: after finding one, a reader goes on and returns what can still be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind of finding it is.
    pub code: Code,
    /// The place that the caret points at.
    pub span: Span,
    /// One sentence, without a full stop.
    pub message: String,
    /// Further places.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Option<String>,
    /// The text that should probably stand at the place instead, if it is known.
    pub replacement: Option<Box<str>>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            severity: Severity::Error,
            code,
            span,
            message,
            notes: Vec::new(),
            help: None,
            replacement: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// A remark at a place.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(code, span, message) }
    }

    /// The diagnostic with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The diagnostic with a replacement for the text at its place, which an editor may insert for the user.
    #[must_use]
    pub fn did_you_mean(mut self, meant: &str) -> Self {
        self.replacement = Some(meant.into());
        self.with_help(format!("did you mean `{meant}`?"))
    }

    /// The diagnostic with a second place.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { span, message: message.into() });
        self
    }

    /// Whether it makes the text meaningless.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
