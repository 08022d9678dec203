//! The `.fsm` format of mCRL2: transition systems whose states have values of parameters.
//!
//! ```text
//! open(2) Bool "false" "true"    a parameter: its name, how many values it has, their type, and the values
//! n(3) Nat "0" "1" "2"
//! ---
//! 0 0                            a state: of each parameter the number of its value, from 0
//! 1 2
//! ---
//! 1 2 "coin"                     a transition: from, to, label
//! 2 1 "tea"
//! ```
//!
//! - **States** of transitions are counted from 1, and the first one is the initial one. Where no state has values, there are
//!   as many states as the transitions name.
//! - **Values** become the names of the states, such as `open = true, n = 2`. A parameter without values is passed over.
//! - **Labels** in quotes end at the next quote: there are no escapes. **τ** is `tau`.
//! - **π**, **END** and actions that are on no transition cannot be written: π becomes a state without transitions.
//! - **Probabilistic** transitions and initial states are refused.
//!
//! The text is read line by line. After an error the pass goes on with the next line, up to [`MAX_ERRORS`].

use std::fmt;
use std::io::{self, Write};

use rely_base::{Alphabet, Code, Diagnostic, Id, Label, Span, StateId};

use super::aut::MAX_ERRORS;
use super::{plausible_states, reserved};
use crate::{Lts, LtsBuilder};

/// How τ is written.
const TAU: &str = "tau";

/// The line between two sections.
const RULE: &str = "---";

/// A transition system, and the values of its states in words, if they have any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The system. Its alphabet is what is on the transitions, in order of first appearance.
    pub lts: Lts,
    /// One text for each state; none at all if the file has no parameters.
    pub values: Vec<String>,
}

/// One thing that is wrong with an `.fsm` text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FsmError {
    /// The first byte of the place, from 0.
    pub offset: usize,
    /// What is wrong.
    pub kind: FsmErrorKind,
}

/// What can be wrong with an `.fsm` text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FsmErrorKind {
    /// Something else was expected here.
    Expected(&'static str),
    /// The number is larger than any system can have.
    NumberTooLarge,
    /// A state that the text does not have, or is too short for.
    NoSuchState(u64),
    /// A value that a parameter does not have.
    NoSuchValue {
        /// Its number.
        value: u64,
        /// The parameter.
        parameter: String,
    },
    /// A quote that is not closed on its line.
    Unclosed,
    /// The text is not UTF-8 from here on.
    NotUtf8,
    /// A distribution of states in the place of a state.
    Probabilistic,
    /// A label that is reserved: it has a meaning of its own here.
    Reserved(String),
}

impl FsmErrorKind {
    /// The stable code.
    pub fn code(&self) -> Code {
        Code(match self {
            Self::NumberTooLarge => "E0203",
            Self::Unclosed => "E0207",
            Self::NotUtf8 => "E0208",
            Self::Probabilistic => "E0209",
            Self::Reserved(_) => "E0211",
            Self::Expected(_) => "E0221",
            Self::NoSuchState(_) => "E0222",
            Self::NoSuchValue { .. } => "E0223",
        })
    }

    /// What to do about it.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoSuchState(0) => Some("states are counted from 1, and the first one is the initial one"),
            Self::NoSuchValue { .. } => Some("values are counted from 0"),
            Self::Probabilistic => Some("replace the distribution by one transition for each target"),
            Self::Reserved(_) => Some("give the action another name"),
            _ => None,
        }
    }
}

impl fmt::Display for FsmErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::NumberTooLarge => f.write_str("the number is too large"),
            Self::NoSuchState(state) => write!(f, "there is no state {state}"),
            Self::NoSuchValue { value, parameter } => write!(f, "`{parameter}` has no value number {value}"),
            Self::Unclosed => f.write_str("there is no closing quote on this line"),
            Self::NotUtf8 => f.write_str("the text is not UTF-8"),
            Self::Probabilistic => f.write_str("probabilities are not supported"),
            Self::Reserved(name) => {
                write!(f, "`{name}` is {} and cannot be an action", reserved(name).unwrap_or("reserved"))
            }
        }
    }
}

impl FsmError {
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

/// Reads a system.
///
/// ```
/// let text = b"n(2) Nat \"0\" \"1\"\n---\n0\n1\n---\n1 2 \"coin\"\n2 1 \"tea\"\n";
/// let read = rely_lts::format::fsm::read(text).expect("well-formed");
/// assert_eq!((read.lts.state_count(), read.lts.transition_count()), (2, 2));
/// assert_eq!(read.values, ["n = 0", "n = 1"]);
/// ```
///
/// # Errors
/// All that is wrong with the text, in order of place, up to [`MAX_ERRORS`].
pub fn read(text: &[u8]) -> Result<Valued, Vec<FsmError>> {
    let text = std::str::from_utf8(text)
        .map_err(|error| vec![FsmError { offset: error.valid_up_to(), kind: FsmErrorKind::NotUtf8 }])?;
    let mut reader = Reader {
        limit: plausible_states(text.len()),
        parameters: Vec::new(),
        values: Vec::new(),
        transitions: Vec::new(),
        initial: 0,
        states: 1,
    };
    let mut errors = Vec::new();
    let mut section = 0;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let mut cursor = Cursor { line: content, at: 0, offset };
        offset += line.len();
        match content.trim_start() {
            "" => continue,
            RULE => {
                section += 1;
                continue;
            }
            _ => {}
        }
        let read = match section {
            0 => reader.parameter(&mut cursor),
            1 => reader.state(&mut cursor),
            2 => reader.transition(&mut cursor),
            3 => reader.initial(&mut cursor),
            _ => Err(cursor.expected("the end of the text")),
        };
        errors.extend(read.err());
        if errors.len() == MAX_ERRORS {
            return Err(errors);
        }
    }
    if section < 2 && errors.is_empty() {
        let what = "three sections, with the line `---` between them: parameters, states and transitions";
        errors.push(FsmError { offset: text.len(), kind: FsmErrorKind::Expected(what) });
    }
    if errors.is_empty() { Ok(reader.build()) } else { Err(errors) }
}

/// A parameter of the states.
struct Parameter<'a> {
    name: &'a str,
    values: Vec<&'a str>,
}

struct Reader<'a> {
    /// The most states that a text of this length has.
    limit: usize,
    parameters: Vec<Parameter<'a>>,
    /// The values of each state in words.
    values: Vec<String>,
    transitions: Vec<(StateId, &'a str, StateId)>,
    /// The position of the initial state.
    initial: usize,
    /// The number of states that were named so far.
    states: usize,
}

impl<'a> Reader<'a> {
    fn parameter(&mut self, line: &mut Cursor<'a>) -> Result<(), FsmError> {
        let name =
            line.until('(').ok_or_else(|| line.expected("a parameter, such as `n(2) Nat \"0\" \"1\"`"))?;
        line.punctuation('(', "`(`")?;
        let cardinality = line.number("the number of its values")?;
        line.punctuation(')', "`)`")?;
        if line.until('"').is_none() {
            // A type without values.
            line.at = line.line.len();
        }
        let mut values = Vec::new();
        while line.peek().is_some() {
            values.push(line.quoted("a value in quotes")?);
        }
        if u64::try_from(values.len()) != Ok(cardinality) {
            return Err(line.expected("the number of values that stands behind the name"));
        }
        self.parameters.push(Parameter { name, values });
        Ok(())
    }

    /// A line with an error is a state, too: so those that follow keep their numbers.
    fn state(&mut self, line: &mut Cursor<'a>) -> Result<(), FsmError> {
        let words = self.words(line);
        self.values.push(words.as_ref().cloned().unwrap_or_default());
        self.states = self.states.max(self.values.len());
        words.map(|_| ())
    }

    /// The values of a state in words.
    fn words(&self, line: &mut Cursor<'a>) -> Result<String, FsmError> {
        let mut words: Vec<String> = Vec::new();
        for parameter in &self.parameters {
            line.skip_blanks();
            let offset = line.place();
            let value = line.number("the number of a value for each parameter")?;
            if parameter.values.is_empty() {
                continue;
            }
            let known = usize::try_from(value).ok().and_then(|value| parameter.values.get(value));
            let Some(known) = known else {
                let kind = FsmErrorKind::NoSuchValue { value, parameter: parameter.name.to_owned() };
                return Err(FsmError { offset, kind });
            };
            words.push(format!("{} = {known}", parameter.name));
        }
        line.end("no more values than there are parameters")?;
        Ok(words.join(", "))
    }

    fn transition(&mut self, line: &mut Cursor<'a>) -> Result<(), FsmError> {
        let source = self.state_of(line)?;
        let target = self.state_of(line)?;
        if matches!(line.peek(), Some('0'..='9' | '/')) {
            return Err(line.fault(FsmErrorKind::Probabilistic));
        }
        let offset = line.place();
        let label = line.quoted("a label in quotes")?;
        line.end("one transition in each line")?;
        if label != TAU && reserved(label).is_some() {
            return Err(FsmError { offset, kind: FsmErrorKind::Reserved(label.to_owned()) });
        }
        self.transitions.push((source, label, target));
        Ok(())
    }

    fn initial(&mut self, line: &mut Cursor<'a>) -> Result<(), FsmError> {
        self.initial = self.state_of(line)?.index();
        match line.peek() {
            Some(_) => Err(line.fault(FsmErrorKind::Probabilistic)),
            None => Ok(()),
        }
    }

    /// The state whose number, counted from 1, comes next.
    fn state_of(&mut self, line: &mut Cursor<'a>) -> Result<StateId, FsmError> {
        if line.peek() == Some('[') {
            return Err(line.fault(FsmErrorKind::Probabilistic));
        }
        let offset = line.place();
        let number = line.number("the number of a state")?;
        let limit = if self.values.is_empty() { self.limit } else { self.values.len() };
        let position = usize::try_from(number).ok().filter(|&number| number <= limit);
        let Some(position) = position.and_then(|number| number.checked_sub(1)) else {
            return Err(FsmError { offset, kind: FsmErrorKind::NoSuchState(number) });
        };
        self.states = self.states.max(position + 1);
        Ok(StateId::from_index(position))
    }

    fn build(self) -> Valued {
        let mut builder = LtsBuilder::with_states(Alphabet::new(), self.states);
        for (source, label, target) in self.transitions {
            let label = match label {
                TAU => Label::TAU,
                name => Label::visible(builder.alphabet_mut().intern(name)),
            };
            builder.add_transition(source, label, target);
        }
        builder.set_initial(StateId::from_index(self.initial));
        let has_values = self.values.iter().any(|values| !values.is_empty());
        Valued { lts: builder.build(), values: if has_values { self.values } else { Vec::new() } }
    }
}

/// One line, and how far it has been read.
struct Cursor<'a> {
    line: &'a str,
    /// The next byte of the line.
    at: usize,
    /// Where the line begins in the text.
    offset: usize,
}

impl<'a> Cursor<'a> {
    fn place(&self) -> usize {
        self.offset + self.at
    }

    fn fault(&self, kind: FsmErrorKind) -> FsmError {
        FsmError { offset: self.place(), kind }
    }

    fn expected(&self, what: &'static str) -> FsmError {
        self.fault(FsmErrorKind::Expected(what))
    }

    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest().chars().next()
    }

    /// What comes before a character, without blanks around it; nothing if the character does not come.
    fn until(&mut self, end: char) -> Option<&'a str> {
        let length = self.rest().find(end)?;
        let found = self.rest()[..length].trim();
        self.at += length;
        Some(found)
    }

    fn punctuation(&mut self, wanted: char, name: &'static str) -> Result<(), FsmError> {
        if self.peek() != Some(wanted) {
            return Err(self.expected(name));
        }
        self.at += wanted.len_utf8();
        Ok(())
    }

    fn number(&mut self, what: &'static str) -> Result<u64, FsmError> {
        self.skip_blanks();
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected(what));
        }
        let number = rest[..length].parse().map_err(|_| self.fault(FsmErrorKind::NumberTooLarge))?;
        self.at += length;
        Ok(number)
    }

    fn quoted(&mut self, what: &'static str) -> Result<&'a str, FsmError> {
        if self.peek() != Some('"') {
            return Err(self.expected(what));
        }
        let inside = &self.rest()[1..];
        let length = inside.find('"').ok_or_else(|| self.fault(FsmErrorKind::Unclosed))?;
        self.at += length + 2;
        Ok(&inside[..length])
    }

    fn end(&mut self, what: &'static str) -> Result<(), FsmError> {
        match self.peek() {
            Some(_) => Err(self.expected(what)),
            None => Ok(()),
        }
    }
}

/// Why a system was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The name of an action has a quote or a line break in it.
    Unspellable {
        /// The name.
        action: String,
    },
    /// Writing the text failed.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unspellable { action } => {
                write!(f, "the action `{}` has no spelling in .fsm", action.escape_debug())
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes a system. Each state has its number as the value of one parameter, as a reader of the format wants some.
///
/// # Errors
/// When the name of an action cannot be written, in which case nothing is written, or `out` fails.
pub fn write(lts: &Lts, out: &mut impl Write) -> Result<(), WriteError> {
    if let Some(action) = lts.alphabet().names().find(|name| name.contains(['"', '\n', '\r'])) {
        return Err(WriteError::Unspellable { action: action.to_owned() });
    }
    // The initial state comes first, in the place of the one that does.
    let number = |state: StateId| match state.raw() {
        0 => lts.initial().raw(),
        _ if state == lts.initial() => 0,
        raw => raw,
    };
    write!(out, "state({}) Nat", lts.state_count())?;
    lts.states().try_for_each(|state| write!(out, " \"{}\"", number(state)))?;
    writeln!(out, "\n{RULE}")?;
    lts.states().try_for_each(|state| writeln!(out, "{}", state.raw()))?;
    writeln!(out, "{RULE}")?;
    for transition in lts.transitions() {
        let label = transition.label.action().map_or(TAU, |action| lts.alphabet().name(action));
        let [source, target] = [transition.source, transition.target].map(|state| number(state) + 1);
        writeln!(out, "{source} {target} \"{label}\"")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    fn kinds(text: &str) -> Vec<(usize, FsmErrorKind)> {
        let errors = read(text.as_bytes()).expect_err(text);
        errors.into_iter().map(|error| (error.offset, error.kind)).collect()
    }

    #[test]
    fn values_are_the_names_of_states() {
        let text = "open(2) Bool \"false\" \"true\"\nnone(0) Nat -> Nat\nn(3) List(Nat) \"[]\" \"[1, 2]\" \"[3]\"\n\
                    ---\n0 0 0\n\n  1 0 2  \n---\n2 1 \"tau\"\n1 2 \"put(1)\"\r\n---\n2\n";
        let read = read(text.as_bytes()).expect("well-formed");
        assert_eq!(read.values, ["open = false, n = []", "open = true, n = [3]"]);
        assert_eq!(read.lts.initial(), StateId::from_index(1));
        assert_eq!(read.lts.alphabet().names().collect::<Vec<_>>(), ["put(1)"]);
        let labels: Vec<Label> = read.lts.transitions().map(|transition| transition.label).collect();
        assert_eq!(labels, [Label::visible(read.lts.alphabet().get("put(1)").expect("read")), Label::TAU]);
    }

    #[test]
    fn states_without_values_are_those_of_transitions() {
        let read = read(b"---\n\n\n---\n1 5 \"a\"\n").expect("well-formed");
        assert_eq!((read.lts.state_count(), read.values.len()), (5, 0));
        let nothing = super::read(b"---\n---\n").expect("well-formed").lts;
        assert_eq!((nothing.state_count(), nothing.transition_count()), (1, 0));
    }

    #[test]
    fn all_mistakes_have_places() {
        let text = "n(2) Nat \"0\" \"1\"\n---\n0\n2\n---\n0 1 \"a\"\n1 3 \"a\"\n1 2 a\n1 2 \"a\n1 2 1/2 \"a\"\n1 2 \"√\"\n";
        let no_value = FsmErrorKind::NoSuchValue { value: 2, parameter: "n".to_owned() };
        let expected = "a label in quotes";
        let found = kinds(text);
        let at = |part: &str| text.find(part).expect(part);
        assert_eq!(
            found,
            [
                (at("2\n---"), no_value),
                (at("0 1 \"a\""), FsmErrorKind::NoSuchState(0)),
                (at("3 \"a\""), FsmErrorKind::NoSuchState(3)),
                (at("2 a") + 2, FsmErrorKind::Expected(expected)),
                (at("\"a\n1 2 1"), FsmErrorKind::Unclosed),
                (at("1/2"), FsmErrorKind::Probabilistic),
                (at("\"√"), FsmErrorKind::Reserved("√".to_owned())),
            ]
        );
        assert!(matches!(kinds("n(2) Nat")[..], [(8, FsmErrorKind::Expected(_))]));
        assert!(matches!(
            kinds("---\n---\n1 99999999999999999999 \"a\"")[..],
            [(10, FsmErrorKind::NumberTooLarge)]
        ));
        assert!(matches!(kinds("---\n---\n1 999999999 \"a\"")[..], [(10, FsmErrorKind::NoSuchState(_))]));
        assert!(matches!(kinds("---\n---\n1 [1 1/2 2] \"a\"")[..], [(10, FsmErrorKind::Probabilistic)]));
        assert!(matches!(kinds("---\n---\n1 1 \"√\"")[..], [(12, FsmErrorKind::Reserved(_))]));
        assert!(matches!(
            read(b"---\n\xFF").expect_err("no text")[..],
            [FsmError { offset: 4, kind: FsmErrorKind::NotUtf8 }]
        ));
        let many = format!("---\n---\n{}", "x\n".repeat(1000));
        assert_eq!(kinds(&many).len(), MAX_ERRORS);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for seed in seeds(2000) {
            let mut rng = Rng::new(seed);
            let states = 1 + rng.below(6);
            let names = ["a", "b c", "put(1)"];
            let mut builder = LtsBuilder::with_states(names.into_iter().collect(), states);
            for _ in 0..rng.below(12) {
                let [source, target] = [0; 2].map(|_| StateId::from_index(rng.below(states)));
                let label = u32::try_from(rng.below(names.len() + 1)).expect("few");
                builder.add_transition(source, Label::from_raw(label), target);
            }
            builder.set_initial(StateId::from_index(rng.below(states)));
            let lts = builder.build();
            let mut text = Vec::new();
            write(&lts, &mut text).expect("every label has a spelling");
            let again = read(&text).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
            // The values are the numbers that the states had.
            let number = |state: StateId| -> u32 {
                again.values[state.index()]["state = ".len()..].parse().expect("a number")
            };
            assert_eq!(number(again.lts.initial()), lts.initial().raw(), "seed {seed}");
            let shown = |lts: &Lts, number: &dyn Fn(StateId) -> u32| {
                let one = |t: crate::Transition| {
                    (number(t.source), lts.alphabet().label_name(t.label).to_owned(), number(t.target))
                };
                let mut all: Vec<_> = lts.transitions().map(one).collect();
                all.sort();
                all
            };
            assert_eq!(shown(&lts, &|state| state.raw()), shown(&again.lts, &number), "seed {seed}");
            assert_eq!(again.lts.state_count(), states, "seed {seed}");
        }
    }
}
