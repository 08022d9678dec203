//! Findings: errors and warnings about a text or a question, with places.

use rely_base::{Code, Diagnostic, Severity, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Project;
use crate::weights::Weight;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The input has no meaning until this is corrected.
    Error,
    /// The input may not mean what was intended.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place in a file; lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column after the end.
    pub end_column: usize,
    /// The bytes of the file, from the first up to, not including, the second.
    pub bytes: (u32, u32),
}

/// A second place that helps to understand a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// What can be seen there.
    pub message: String,
}

/// Something that was found in the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Level,
    /// The kind of finding; `rely explain` says more about it.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The file; empty if it is about none.
    pub file: String,
    /// The place, if there is one: a finding about a file as a whole, or about the command line, has none.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Further places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
    /// Corrections that a program may apply: each is one way to correct the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// Whether the text says that it counts as a failure: `//! deny CODE`.
    #[serde(default, skip_serializing_if = "super::is_no")]
    pub denied: bool,
    /// Whether the text says that it is not to be reported: `//! allow CODE`.
    #[serde(skip)]
    pub is_allowed: bool,
}

/// A correction of a text that can be applied automatically.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// The place that is replaced.
    #[serde(flatten)]
    pub place: Place,
    /// The replacement.
    pub text: String,
}

impl Finding {
    /// A finding without a place: about a file that cannot be read, for example.
    pub fn without_place(code: Code, message: &str) -> Self {
        Self {
            severity: Level::Error,
            code: code.to_string(),
            message: message.to_owned(),
            file: String::new(),
            place: None,
            help: None,
            notes: Vec::new(),
            fixes: Vec::new(),
            denied: false,
            is_allowed: false,
        }
    }

    /// Whether it is a doubt about verdicts: they may be right, but not mean what was intended. With `--strict` it
    /// counts as a failure.
    pub fn questions_verdicts(&self) -> bool {
        self.severity == Level::Warning && crate::doubts::questions_verdicts(&self.code)
    }

    /// A finding about a file as a whole.
    pub fn about(file: &str, code: Code, message: &str) -> Self {
        Self { file: file.to_owned(), ..Self::without_place(code, message) }
    }

    /// The finding, assigned to a file as a whole unless it has a file already.
    pub(crate) fn or_about(self, file: &str) -> Self {
        if self.file.is_empty() { Self { file: file.to_owned(), ..self } } else { self }
    }

    /// A diagnostic about the text of a project.
    pub fn new(project: &Project, diagnostic: &Diagnostic) -> Self {
        let finding = Self {
            severity: match diagnostic.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Note,
            },
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            file: project.name().to_owned(),
            // An empty span at the very start stands for no place.
            place: (diagnostic.span != Span::new(0, 0)).then(|| project.place(diagnostic.span)),
            help: diagnostic.help.clone(),
            notes: diagnostic
                .notes
                .iter()
                .map(|note| Remark { place: project.place(note.span), message: note.message.clone() })
                .collect(),
            fixes: fix(project, diagnostic).into_iter().collect(),
            denied: false,
            is_allowed: false,
        };
        finding.weighed_by(project)
    }

    /// The same finding with the weight that the text of a project gives to its kind.
    pub(crate) fn weighed_by(self, project: &Project) -> Self {
        let weight = project.weights().of(&self.code).filter(|_| self.severity == Level::Warning);
        Self { denied: weight == Some(Weight::Denied), is_allowed: weight == Some(Weight::Allowed), ..self }
    }
}

/// The correction that a diagnostic suggests, if only its place has to be replaced.
fn fix(project: &Project, diagnostic: &Diagnostic) -> Option<Fix> {
    let text = diagnostic.replacement.as_deref()?.to_owned();
    let place = project.place(diagnostic.span);
    let (start, end) = (place.bytes.0 as usize, place.bytes.1 as usize);
    let written = project.text_of(project.name()).get(start..end)?;
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    // The place of a name may be that of a whole expression: so a word replaces only a word, and a sign only a sign.
    let is_alike = !written.is_empty() && is_word(written) == is_word(&text);
    is_alike.then_some(Fix { place, text })
}
