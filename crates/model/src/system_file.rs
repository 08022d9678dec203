//! Files that hold one transition system, in .aut, .fsm or .json format.
//!
//! The system has the name of the file, and is the only target. In .json, and in .aut by marks behind the labels, it
//! may be an interface automaton.

use std::io::Read;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Code, Diagnostic, Explanation, Span};
use rely_lts::{Behaviour, Component, Lts, Network, Role, format};

use crate::{
    Comment, DEFAULT, Declaration, Elaboration, Failure, FrontEnd, Loader, Model, Part, Reading, Signature,
    StateNames, Target,
};

/// A JSON document that is not a transition system.
const BAD_DOCUMENT: Code = Code("E0220");

/// A target that a file does not have.
const NO_SUCH_TARGET: Code = Code("E0315");

/// Reads transition systems.
pub struct SystemFiles;

impl FrontEnd for SystemFiles {
    fn endings(&self) -> &'static [&'static str] {
        &["aut", "fsm", "json"]
    }

    fn read(&self, name: &str, bytes: &[u8]) -> Reading {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let read = match &*ending {
            "json" => read_json(bytes),
            "fsm" => read_fsm(bytes),
            _ => read_aut(bytes),
        };
        let (model, text) = match read {
            // The text is needed only to show the place of an error, and may be large.
            Ok(system) => (SystemFile::new(name, system), String::new()),
            Err(diagnostics) => (
                SystemFile { stem: stem(name).to_owned(), system: None, diagnostics },
                with_places_kept(bytes),
            ),
        };
        Reading { model: Box::new(model), text }
    }

    fn explanations(&self) -> Vec<Explanation> {
        let explanation = |&(code, title, text): &(_, _, _)| Explanation { code: Code(code), title, text };
        EXPLANATIONS.iter().map(explanation).collect()
    }
}

/// A file that holds a transition system, or what is wrong with it.
pub struct SystemFile {
    /// The name of the file without folders and ending.
    stem: String,
    system: Option<System>,
    diagnostics: Vec<Diagnostic>,
}

struct System {
    lts: Arc<Lts>,
    /// The roles of its actions, if it is an interface automaton.
    signature: Option<Arc<Signature>>,
    /// The names of its states, if the file has values for them.
    states: Option<Arc<StateNames>>,
}

impl System {
    /// A system, with the role of each action if it is an interface automaton.
    fn new((lts, roles): (Lts, Option<Vec<Role>>)) -> Self {
        let nowhere = Span::new(0, 0);
        let signature = roles.map(|roles| Arc::new(Signature::of(lts.alphabet(), &roles, nowhere)));
        Self { lts: Arc::new(lts), signature, states: None }
    }
}

impl SystemFile {
    fn new(name: &str, system: System) -> Self {
        Self { stem: stem(name).to_owned(), system: Some(system), diagnostics: Vec::new() }
    }

    /// Reads a text of `length` bytes in .aut format, a part at a time. `None` if it has errors, which
    /// [`SystemFiles::read`] reports.
    pub fn read_aut(name: &str, input: impl Read, length: usize) -> Option<Self> {
        let lts = format::aut::read_from(input, length).ok()?;
        Some(Self::new(name, System::new(format::unmarked(lts))))
    }
}

impl Model for SystemFile {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn define(&mut self, _constant: &str, _value: i32) -> bool {
        false
    }

    fn declarations(&self) -> Vec<Declaration> {
        Vec::new()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        Vec::new()
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "in .aut and .fsm, every label ends with `?`, `!` or `;`, each action with the same; .json has `inputs` and `outputs`"
    }

    fn elaborate<'a>(&'a self, _loader: &'a Loader<'a>, _budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Meaning { file: self, diagnostics: Vec::new() })
    }
}

/// The elaboration of the file: its system.
struct Meaning<'a> {
    file: &'a SystemFile,
    diagnostics: Vec<Diagnostic>,
}

impl Elaboration for Meaning<'_> {
    fn default_targets(&self) -> Vec<String> {
        self.file.system.iter().map(|_| DEFAULT.to_owned()).collect()
    }

    fn target_names(&self) -> Vec<String> {
        self.default_targets()
    }

    fn has_target(&self, name: &str) -> bool {
        self.file.system.is_some() && (name == DEFAULT || name == self.file.stem)
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let Some(system) = &self.file.system else { return Err(Failure::Errors) };
        if !self.has_target(name) {
            let message = format!("process `{name}` is not defined");
            let unknown = Diagnostic::error(NO_SUCH_TARGET, Span::new(0, 0), message);
            if !self.diagnostics.contains(&unknown) {
                self.diagnostics.push(unknown);
            }
            return Err(Failure::Errors);
        }
        let component = Component { name: self.file.stem.clone(), lts: Arc::clone(&system.lts) };
        let target = Target::of_processes(name, Network::new(vec![component]));
        let (signature, states) = (system.signature.clone(), system.states.clone());
        let part = Part { signature, states, ..Part::default() };
        Ok(Target { parts: vec![part], ..target }.into())
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }
}

/// The name of a file without its folders and its ending.
pub fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Bytes as text. Each byte that is not UTF-8 becomes a question mark, so that every other byte keeps its place.
fn with_places_kept(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

fn read_aut(bytes: &[u8]) -> Result<System, Vec<Diagnostic>> {
    format::aut::read(bytes)
        .map(|lts| System::new(format::unmarked(lts)))
        .map_err(|errors| errors.iter().map(format::aut::AutError::to_diagnostic).collect())
}

fn read_fsm(bytes: &[u8]) -> Result<System, Vec<Diagnostic>> {
    let read = format::fsm::read(bytes)
        .map_err(|errors| errors.iter().map(format::fsm::FsmError::to_diagnostic).collect::<Vec<_>>())?;
    let mut names = StateNames::new(Alphabet::new(), read.lts.state_count());
    for (state, values) in read.lts.states().zip(&read.values) {
        names.name(state, values);
    }
    let states = (!read.values.is_empty()).then(|| Arc::new(names));
    Ok(System { states, ..System::new(format::unmarked(read.lts)) })
}

fn read_json(bytes: &[u8]) -> Result<System, Vec<Diagnostic>> {
    let diagnostic =
        |error: &format::json::JsonError| Diagnostic::error(BAD_DOCUMENT, Span::new(0, 0), error.to_string());
    let read = format::json::read_with_roles(bytes);
    read.map(System::new).map_err(|errors| errors.iter().map(diagnostic).collect())
}

/// The explanations of errors in files of transition systems: the code, the title, and the advice.
const EXPLANATIONS: &[(&str, &str, &str)] = &[
    ("E0201", "an .aut file has no header", "An .aut file begins with `des (INITIAL, TRANSITIONS, STATES)`."),
    (
        "E0202",
        "an .aut file has something unexpected",
        "After the header comes one transition on each line: `(FROM, LABEL, TO)`. A label with a comma, a blank or a \
         parenthesis in it is written in double quotes.",
    ),
    (
        "E0203",
        "a number is too large",
        "States are numbered with 32 bits, and so are there at most 4,294,967,295 of them.",
    ),
    (
        "E0204",
        "a transition names a state that does not exist",
        "States are numbered from 0 to one less than the header says.",
    ),
    (
        "E0205",
        "the header promises too many states",
        "There cannot be many more states than transitions lead to.",
    ),
    (
        "E0206",
        "the header promises another number of transitions",
        "The second number of the header is the number of lines that follow.",
    ),
    (
        "E0207",
        "a label has no closing quote",
        "A label that starts with a double quote ends with the next one, on the same line.",
    ),
    ("E0208", "a label is not UTF-8", "Labels are text in UTF-8."),
    (
        "E0209",
        "a target is a probability distribution",
        "Probabilistic transitions, as some mCRL2 tools write them, are not supported.",
    ),
    (
        "E0210",
        "a transition leaves the error state",
        "State −1 is the error state, and nothing happens after an error.",
    ),
    (
        "E0211",
        "a label means something else",
        "`√` is how rely writes that a process has ended, so no action can have this name.",
    ),
    (
        "E0220",
        "a JSON document is no transition system",
        "The document has to look as `rely convert -o FILE.json` writes it.",
    ),
    (
        "E0221",
        "an .fsm file has something unexpected",
        "An .fsm file has three sections, with the line `---` between them: a parameter in each line, such as \
         `n(2) Nat \"0\" \"1\"`; a state in each line, with the number of a value for each parameter; and a transition in \
         each line, such as `1 2 \"coin\"`.",
    ),
    (
        "E0222",
        "an .fsm file names a state that does not exist",
        "States are counted from 1, in the order of the lines that have their values.",
    ),
    (
        "E0223",
        "an .fsm file names a value that does not exist",
        "The values of a parameter are those in quotes behind its type, counted from 0.",
    ),
];
