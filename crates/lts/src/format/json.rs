//! The exchange format of rely, which preserves everything that an [`Lts`] contains.
//!
//! ```json
//! {"schema": "rely/lts/1", "states": 2, "initial": 0, "error": null, "end": 1,
//!  "alphabet": ["coin", "tea"], "transitions": [[0, "coin", 1], [0, null, 0]]}
//! ```
//!
//! τ is `null`; on reading, `"tau"` also means τ, so no action has this name. The name of an action has to be on one
//! line, since other formats have one line for each transition, and a trace one for each step.
//!
//! An interface automaton has two more fields, `"inputs": ["coin"], "outputs": ["tea"]`; an action that is in neither is
//! internal. A document that has one of them is an interface automaton, even if the list is empty.

use std::borrow::Cow;
use std::io::Write;

use rely_base::{Alphabet, Id, Label, StateId};
use serde::{Deserialize, Serialize};

use super::{plausible_states, reserved};
use crate::{InterfaceAutomaton, Lts, LtsBuilder, Role};

/// The name and version of the format.
pub const SCHEMA: &str = "rely/lts/1";

/// Reading stops after this number of errors.
pub const MAX_ERRORS: usize = 20;

/// A system in the shape that it has in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document<'a> {
    /// [`SCHEMA`].
    pub schema: Cow<'a, str>,
    /// How many states there are, the error state included.
    pub states: u64,
    /// The initial state.
    pub initial: u64,
    /// The error state π.
    #[serde(default)]
    pub error: Option<u64>,
    /// The state of successful termination.
    #[serde(default)]
    pub end: Option<u64>,
    /// The names of the actions, each once.
    pub alphabet: Vec<Cow<'a, str>>,
    /// The actions that an interface automaton receives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<Cow<'a, str>>>,
    /// The actions that an interface automaton sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<Cow<'a, str>>>,
    /// Source, label and target of each transition; no label is τ.
    pub transitions: Vec<(u64, Option<Cow<'a, str>>, u64)>,
}

/// One thing that is wrong with a JSON text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// Which part of the document, such as `transitions[3]`; empty when it is no document at all.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for JsonError {}

/// A system as a document.
pub fn to_document(lts: &Lts) -> Document<'_> {
    let number = |state: StateId| u64::from(state.raw());
    let name = |label: Label| label.action().map(|action| Cow::Borrowed(lts.alphabet().name(action)));
    Document {
        schema: Cow::Borrowed(SCHEMA),
        states: lts.state_count() as u64,
        initial: number(lts.initial()),
        error: lts.error().map(number),
        end: lts.end().map(number),
        alphabet: lts.alphabet().names().map(Cow::Borrowed).collect(),
        inputs: None,
        outputs: None,
        transitions: lts.transitions().map(|t| (number(t.source), name(t.label), number(t.target))).collect(),
    }
}

/// Writes a system on one line.
///
/// # Errors
/// When `out` fails.
pub fn write(lts: &Lts, out: &mut impl Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, &to_document(lts))?;
    out.write_all(b"\n")
}

/// Writes an interface automaton on one line.
///
/// # Errors
/// When `out` fails.
pub fn write_interface(automaton: &InterfaceAutomaton, out: &mut impl Write) -> std::io::Result<()> {
    let alphabet = automaton.lts().alphabet();
    let names = |role| {
        let actions = automaton.actions(role);
        Some(actions.map(|action| Cow::Borrowed(alphabet.name(action))).collect())
    };
    let (inputs, outputs) = (names(Role::Input), names(Role::Output));
    serde_json::to_writer(&mut *out, &Document { inputs, outputs, ..to_document(automaton.lts()) })?;
    out.write_all(b"\n")
}

/// Reads a system, and forgets its roles if it is an interface automaton.
///
/// # Errors
/// As [`read_with_roles`].
pub fn read(text: &[u8]) -> Result<Lts, Vec<JsonError>> {
    Ok(read_with_roles(text)?.0)
}

/// Reads a system, and for each of its actions the role, if it is an interface automaton.
///
/// # Errors
/// All that is wrong with the document, up to [`MAX_ERRORS`]; just one error when it is not JSON of the right shape.
pub fn read_with_roles(text: &[u8]) -> Result<(Lts, Option<Vec<Role>>), Vec<JsonError>> {
    let document: Document<'_> = serde_json::from_slice(text)
        .map_err(|error| vec![JsonError { path: String::new(), message: error.to_string() }])?;
    let mut validator = Validator { states: document.states, errors: Vec::new() };
    validator.document(&document, plausible_states(text.len()));
    if validator.errors.is_empty() {
        let lts = build(&document);
        let roles = roles(&document, lts.alphabet());
        Ok((lts, roles))
    } else {
        validator.errors.truncate(MAX_ERRORS);
        Err(validator.errors)
    }
}

/// Checks a document completely before anything is made from it.
struct Validator {
    /// How many states the document declares.
    states: u64,
    errors: Vec<JsonError>,
}

impl Validator {
    fn document(&mut self, document: &Document<'_>, plausible: usize) {
        if document.schema != SCHEMA {
            self.error(
                "schema".into(),
                format!("expected `{SCHEMA}`, found `{}`", document.schema.escape_debug()),
            );
        }
        if document.states > plausible as u64 {
            self.error("states".into(), "more states than the text can describe".into());
        }
        self.state("initial", document.initial);
        document.error.into_iter().for_each(|error| self.state("error", error));
        document.end.into_iter().for_each(|end| self.state("end", end));
        if document.error.is_some() && document.error == document.end {
            self.error("end".into(), "the error state cannot be the end state".into());
        }
        let alphabet = self.alphabet(document);
        self.roles(document, &alphabet);
        self.transitions(document, &alphabet);
    }

    fn roles(&mut self, document: &Document<'_>, alphabet: &Alphabet) {
        let mut seen = Alphabet::new();
        for (field, names) in [("inputs", &document.inputs), ("outputs", &document.outputs)] {
            for (i, name) in names.iter().flatten().enumerate() {
                let shown = name.escape_debug();
                if !alphabet.contains(name) {
                    self.error(format!("{field}[{i}]"), format!("`{shown}` is not in the alphabet"));
                } else if seen.contains(name) {
                    self.error(format!("{field}[{i}]"), format!("`{shown}` has its role already"));
                }
                seen.intern(name);
            }
        }
    }

    fn alphabet(&mut self, document: &Document<'_>) -> Alphabet {
        let mut alphabet = Alphabet::new();
        for (i, name) in document.alphabet.iter().enumerate() {
            if self.errors.len() < MAX_ERRORS {
                let at = || format!("alphabet[{i}]");
                if alphabet.contains(name) {
                    self.error(at(), format!("`{}` is there twice", name.escape_debug()));
                } else if let Some(meaning) = reserved(name) {
                    self.error(at(), format!("`{name}` is {meaning} and cannot be an action"));
                } else if name.contains('\n') {
                    self.error(at(), format!("`{}` has a line break in it", name.escape_debug()));
                }
            }
            alphabet.intern(name);
        }
        alphabet
    }

    fn transitions(&mut self, document: &Document<'_>, alphabet: &Alphabet) {
        for (i, (source, label, target)) in document.transitions.iter().enumerate() {
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
            self.state(&format!("transitions[{i}]"), *source);
            self.state(&format!("transitions[{i}]"), *target);
            if Some(*source) == document.error {
                self.error(format!("transitions[{i}]"), "the error state has no transitions".into());
            }
            if Some(*source) == document.end {
                self.error(format!("transitions[{i}]"), "the end state has no transitions".into());
            }
            if resolve(label.as_deref(), alphabet).is_none() {
                let name = label.as_deref().unwrap_or_default().escape_debug();
                self.error(format!("transitions[{i}]"), format!("`{name}` is not in the alphabet"));
            }
        }
    }

    fn state(&mut self, path: &str, state: u64) {
        if state >= self.states {
            self.error(
                path.to_owned(),
                format!("there is no state {state}: there are {} states", self.states),
            );
        }
    }

    fn error(&mut self, path: String, message: String) {
        self.errors.push(JsonError { path, message });
    }
}

/// The label that a name stands for; `None` if it stands for none.
fn resolve(name: Option<&str>, alphabet: &Alphabet) -> Option<Label> {
    match name {
        None => Some(Label::TAU),
        Some(name) => match alphabet.get(name) {
            Some(action) => Some(Label::visible(action)),
            None => (name == "tau").then_some(Label::TAU),
        },
    }
}

/// The roles of the actions of a document that has been found valid, if it has any.
fn roles(document: &Document<'_>, alphabet: &Alphabet) -> Option<Vec<Role>> {
    let Document { inputs, outputs, .. } = document;
    if inputs.is_none() && outputs.is_none() {
        return None;
    }
    let mut roles = vec![Role::Internal; alphabet.len()];
    for (names, role) in [(inputs, Role::Input), (outputs, Role::Output)] {
        for action in names.iter().flatten().filter_map(|name| alphabet.get(name)) {
            roles[action.index()] = role;
        }
    }
    Some(roles)
}

/// The system of a document that has been found valid.
fn build(document: &Document<'_>) -> Lts {
    let state = |number: u64| StateId::from_raw(u32::try_from(number).expect("the state has been validated"));
    let alphabet: Alphabet = document.alphabet.iter().collect();
    let states = usize::try_from(document.states).expect("the number of states has been validated");
    let mut builder = LtsBuilder::with_states(alphabet, states);
    builder.set_initial(state(document.initial));
    builder.set_error(document.error.map(state));
    builder.set_end(document.end.map(state));
    for (source, label, target) in &document.transitions {
        let label = resolve(label.as_deref(), builder.alphabet()).expect("the label has been validated");
        builder.add_transition(state(*source), label, state(*target));
    }
    builder.build()
}
