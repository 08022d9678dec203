//! Reading `.aut`: one pass over the bytes, without a token stream in between.
//!
//! Transitions go straight into the builder. A label is looked up by its bytes, and only a label that is new is
//! checked to be UTF-8 and interned. Lines and columns are counted when there is an error to place, so the pass
//! itself knows nothing of lines. After an error the pass goes on with the next line: a text with several errors
//! shows them all, up to [`MAX_ERRORS`].
//!
//! Memory is in proportion to the text: nothing is allocated by the numbers in the header alone.

use rely_base::{Alphabet, Label, StateId};
use rustc_hash::FxHashMap;

use super::error::TRANSITION;
use super::{AutError, AutErrorKind, Tau};
use crate::format::plausible_states;
use crate::{Lts, LtsBuilder};

/// Reading stops after so many errors.
pub const MAX_ERRORS: usize = 20;

/// Reads a system; both `i` and `tau` are τ.
///
/// The alphabet is what is on the transitions, in order of first appearance. A target −1 is the error state, which
/// becomes the last state of the system.
///
/// ```
/// let lts = rely_lts::format::aut::read(b"des (0,2,2)\n(0,coin,1)\n(1,i,0)\n").expect("well-formed");
/// assert_eq!((lts.state_count(), lts.transition_count(), lts.alphabet().len()), (2, 2, 1));
/// ```
///
/// # Errors
/// All that is wrong with the text, in order of place, up to [`MAX_ERRORS`].
pub fn read(text: &[u8]) -> Result<Lts, Vec<AutError>> {
    Reader::new(text, &[Tau::Cadp, Tau::Mcrl2]).run()
}

/// Reads a system in which only one of the two spellings is τ, and the other is an action like any other.
///
/// # Errors
/// All that is wrong with the text, in order of place, up to [`MAX_ERRORS`].
pub fn read_as(text: &[u8], tau: Tau) -> Result<Lts, Vec<AutError>> {
    Reader::new(text, &[tau]).run()
}

/// A state as the text has it.
#[derive(Clone, Copy)]
enum State {
    /// A number.
    Proper(u64),
    /// −1.
    Error,
}

/// What the header says.
struct Header {
    initial: State,
    initial_at: usize,
    transitions: u64,
    transitions_at: usize,
    states: u64,
    states_at: usize,
}

/// An error with its place as an offset, before lines are counted.
type Fault = (usize, AutErrorKind);

struct Reader<'a> {
    text: &'a [u8],
    /// The next byte to be looked at.
    at: usize,
    /// The labels that have been seen, by their bytes; τ is there from the beginning.
    labels: FxHashMap<&'a [u8], Label>,
    /// The system so far; nothing is added to it any more after a fault.
    builder: LtsBuilder,
    /// How many states the header declares.
    declared: u64,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], taus: &[Tau]) -> Self {
        let labels = taus.iter().map(|tau| (tau.label().as_bytes(), Label::TAU)).collect();
        let builder = LtsBuilder::new(Alphabet::new());
        Self { text, at: 0, labels, builder, declared: 0, faults: Vec::new() }
    }

    fn run(mut self) -> Result<Lts, Vec<AutError>> {
        match self.header() {
            Ok(header) => {
                self.begin(&header);
                self.body(&header);
            }
            Err(fault) => self.faults.push(fault),
        }
        if self.faults.is_empty() { Ok(self.builder.build()) } else { Err(self.errors()) }
    }

    /// Makes the states, as far as the header can be believed.
    fn begin(&mut self, header: &Header) {
        let limit = plausible_states(self.text.len());
        let states = usize::try_from(header.states).unwrap_or(usize::MAX);
        if states > limit {
            self.faults.push((header.states_at, AutErrorKind::TooManyStates { declared: header.states }));
        }
        self.declared = header.states;
        self.builder = LtsBuilder::with_states(Alphabet::new(), states.min(limit));
        match self.resolve(header.initial, header.initial_at) {
            Ok(initial) => self.builder.set_initial(initial),
            Err(fault) => self.faults.push(fault),
        }
    }

    /// The transitions after the header.
    fn body(&mut self, header: &Header) {
        let mut found = 0;
        while self.faults.len() < MAX_ERRORS {
            if self.peek_after_blanks().is_none() {
                break;
            }
            found += 1;
            if let Err(fault) = self.transition() {
                self.faults.push(fault);
                self.skip_line();
            }
        }
        // One line that could not be read may hide several transitions: counting makes sense without errors only.
        if self.faults.is_empty() && found != header.transitions {
            let kind = AutErrorKind::TransitionCount { declared: header.transitions, found };
            self.faults.push((header.transitions_at, kind));
        }
    }

    fn header(&mut self) -> Result<Header, Fault> {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        self.skip_blanks();
        if !self.text[self.at..].starts_with(b"des") {
            return Err((self.at, AutErrorKind::NoHeader));
        }
        self.at += 3;
        self.punctuation(b'(', "`(`")?;
        let (initial_at, initial) = self.state()?;
        if self.peek_after_blanks().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err((self.at, AutErrorKind::Probabilistic));
        }
        self.punctuation(b',', "`,`")?;
        let (transitions_at, transitions) = self.count()?;
        self.punctuation(b',', "`,`")?;
        let (states_at, states) = self.count()?;
        self.punctuation(b')', "`)` at the end of the header")?;
        Ok(Header { initial, initial_at, transitions, transitions_at, states, states_at })
    }

    fn transition(&mut self) -> Result<(), Fault> {
        self.punctuation(b'(', TRANSITION)?;
        let (source_at, source) = self.state()?;
        if matches!(source, State::Error) {
            return Err((source_at, AutErrorKind::LeavesError));
        }
        let source = self.resolve(source, source_at)?;
        self.punctuation(b',', "`,`")?;
        let label = self.label()?;
        self.punctuation(b',', "`,`")?;
        let (target_at, target) = self.state()?;
        if self.peek_after_blanks().is_some_and(|byte| byte.is_ascii_digit() || byte == b'/') {
            return Err((target_at, AutErrorKind::Probabilistic));
        }
        self.punctuation(b')', "`)`")?;
        let target = self.resolve(target, target_at)?;
        if self.faults.is_empty() {
            self.builder.add_transition(source, label, target);
        }
        Ok(())
    }

    /// The state of the system that a state of the text means.
    #[inline]
    fn resolve(&mut self, state: State, at: usize) -> Result<StateId, Fault> {
        let State::Proper(state) = state else { return Ok(self.builder.error_state()) };
        match u32::try_from(state) {
            Ok(raw) if state < self.declared => Ok(StateId::from_raw(raw)),
            _ => Err((at, AutErrorKind::NoSuchState { state, declared: self.declared })),
        }
    }

    #[inline]
    fn label(&mut self) -> Result<Label, Fault> {
        self.skip_blanks();
        let start = self.at;
        let bytes = if self.text.get(start) == Some(&b'"') { self.quoted()? } else { self.unquoted()? };
        if let Some(&label) = self.labels.get(bytes) {
            return Ok(label);
        }
        let name = std::str::from_utf8(bytes).map_err(|_| (start, AutErrorKind::NotUtf8))?;
        let label = Label::visible(self.builder.alphabet_mut().intern(name));
        self.labels.insert(bytes, label);
        Ok(label)
    }

    #[inline]
    fn quoted(&mut self) -> Result<&'a [u8], Fault> {
        let start = self.at + 1;
        let text = self.text;
        let length = text[start..].iter().position(|byte| matches!(byte, b'"' | b'\n'));
        match length {
            Some(length) if text[start + length] == b'"' => {
                self.at = start + length + 1;
                Ok(&text[start..start + length])
            }
            _ => Err((self.at, AutErrorKind::UnclosedLabel)),
        }
    }

    #[inline]
    fn unquoted(&mut self) -> Result<&'a [u8], Fault> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b',' | b'\n'));
        match length {
            Some(length) if rest[length] == b',' && length > 0 => {
                self.at += length;
                Ok(rest[..length].trim_ascii_end())
            }
            Some(0) => Err((self.at, AutErrorKind::Expected("a label"))),
            _ => Err((self.at, AutErrorKind::Expected("a label and `,`"))),
        }
    }

    /// A state, and where it stands.
    #[inline]
    fn state(&mut self) -> Result<(usize, State), Fault> {
        self.skip_blanks();
        let start = self.at;
        if self.text.get(start) != Some(&b'-') {
            return Ok((start, State::Proper(self.number("a state")?)));
        }
        self.at += 1;
        match self.number("a state") {
            Ok(1) => Ok((start, State::Error)),
            _ => Err((start, AutErrorKind::Expected("a state: only -1, the error state, is negative"))),
        }
    }

    fn count(&mut self) -> Result<(usize, u64), Fault> {
        self.skip_blanks();
        Ok((self.at, self.number("a number")?))
    }

    #[inline]
    fn number(&mut self, what: &'static str) -> Result<u64, Fault> {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) =
            self.text.get(self.at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10)
        {
            value = value
                .checked_mul(10)
                .and_then(|value| value.checked_add(u64::from(digit)))
                .ok_or((start, AutErrorKind::NumberTooLarge))?;
            self.at += 1;
        }
        if self.at == start { Err((start, AutErrorKind::Expected(what))) } else { Ok(value) }
    }

    #[inline]
    fn punctuation(&mut self, byte: u8, name: &'static str) -> Result<(), Fault> {
        if self.peek_after_blanks() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err((self.at, AutErrorKind::Expected(name)))
    }

    #[inline]
    fn peek_after_blanks(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.get(self.at).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| length + 1);
    }

    /// The faults with lines and columns.
    fn errors(self) -> Vec<AutError> {
        let place = |offset: usize| {
            let before = &self.text[..offset];
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            // Bytes that continue a UTF-8 sequence do not begin a character.
            let column = 1 + before[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
            (line, column)
        };
        let error = |(offset, kind): Fault| {
            let (line, column) = place(offset);
            AutError { line, column, offset, kind }
        };
        let mut faults = self.faults;
        faults.sort_by_key(|&(offset, _)| offset);
        faults.into_iter().map(error).collect()
    }
}
