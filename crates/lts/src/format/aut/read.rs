//! Reading `.aut`: one pass over the bytes, without a token stream in between.
//!
//! Transitions go straight into the builder. Most lines are plain and read by `scan.rs`; the others are read here, byte
//! by byte. A label is looked up by its bytes, and only a label that is new is checked to be UTF-8 and interned. Lines
//! and columns are counted when there is an error to place, so the pass itself knows nothing of lines. After an error
//! the pass goes on with the next line: a text with several errors shows them all, up to [`MAX_ERRORS`].
//!
//! Memory is in proportion to the text: nothing is allocated by the numbers in the header alone. A stream is read
//! through a window that moves along it, so that the memory is that of the result.

use std::io::{self, Read};

use rely_base::{Alphabet, Label, StateId};
use rustc_hash::FxHashMap;

use super::error::TRANSITION;
use super::scan::{self, RecentLabels};
use super::{AutError, AutErrorKind, Tau};
use crate::format::{plausible_states, reserved};
use crate::{Lts, LtsBuilder};

/// Reading stops after this number of errors.
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
    Reader::new(text, Draft::new()).run()
}

/// Why a stream was not read.
#[derive(Debug)]
pub enum StreamError {
    /// The text has errors; [`read`] finds and places them.
    Faulty,
    /// Reading the bytes failed.
    Io(io::Error),
}

/// Reads a system like [`read`], from a stream of `length` bytes, a part at a time.
///
/// ```
/// let text = b"des (0,2,2)\n(0,coin,1)\n(1,i,0)\n";
/// let lts = rely_lts::format::aut::read_from(&text[..], text.len()).expect("well-formed");
/// assert_eq!(lts, rely_lts::format::aut::read(text).expect("well-formed"));
/// ```
///
/// # Errors
/// When the text has errors or cannot be had.
pub fn read_from(input: impl Read, length: usize) -> Result<Lts, StreamError> {
    read_through(input, length, WINDOW)
}

/// Number of bytes that are read at a time.
const WINDOW: usize = 1 << 18;

/// A transition that takes more bytes than this is an error; there may be blanks and line breaks in it.
const MAX_WINDOW: usize = 1 << 24;

fn read_through(mut input: impl Read, length: usize, window: usize) -> Result<Lts, StreamError> {
    let mut buffer = vec![0; window];
    let mut filled = 0;
    let mut draft = Draft::new();
    let mut header = None;
    loop {
        let count = match input.read(&mut buffer[filled..]) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(StreamError::Io(error)),
        };
        filled += count;
        let is_last = count == 0;
        if filled < buffer.len() && !is_last {
            continue;
        }
        let mut reader = Reader::new(&buffer[..filled], draft);
        reader.advance(&mut header, length, is_last).map_err(|_| StreamError::Faulty)?;
        let consumed = reader.at;
        draft = reader.draft;
        if is_last {
            break;
        }
        buffer.copy_within(consumed..filled, 0);
        filled -= consumed;
        if filled == buffer.len() {
            if filled >= MAX_WINDOW {
                return Err(StreamError::Faulty);
            }
            buffer.resize(2 * filled, 0);
        }
    }
    match header {
        Some(header) if draft.found == header.transitions => Ok(draft.builder.build()),
        _ => Err(StreamError::Faulty),
    }
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

/// The system as far as it has been read.
struct Draft {
    /// The labels that have been seen, by their bytes; τ is there from the beginning.
    labels: FxHashMap<Box<[u8]>, Label>,
    recent: RecentLabels,
    /// The states and transitions; nothing is added any more after a fault.
    builder: LtsBuilder,
    /// How many states the header declares.
    declared: u64,
    /// How many transitions were found.
    found: u64,
}

impl Draft {
    fn new() -> Self {
        let taus = [Tau::Cadp, Tau::Mcrl2];
        Self {
            labels: taus.iter().map(|tau| (tau.label().as_bytes().into(), Label::TAU)).collect(),
            recent: RecentLabels::new(),
            builder: LtsBuilder::new(Alphabet::new()),
            declared: 0,
            found: 0,
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    /// The next byte to be looked at.
    at: usize,
    draft: Draft,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], draft: Draft) -> Self {
        Self { text, at: 0, draft, faults: Vec::new() }
    }

    fn run(mut self) -> Result<Lts, Vec<AutError>> {
        match self.header() {
            Ok(header) => {
                self.begin(&header, self.text.len());
                self.body(&header);
            }
            Err(fault) => self.faults.push(fault),
        }
        if self.faults.is_empty() { Ok(self.draft.builder.build()) } else { Err(self.errors()) }
    }

    /// Reads the text of a window up to its last complete transition; after that, `at` is where the next window has
    /// to begin. The header is read first, in the first window.
    fn advance(&mut self, header: &mut Option<Header>, length: usize, is_last: bool) -> Result<(), Fault> {
        if header.is_none() {
            let found = match self.header() {
                Ok(found) => found,
                Err(fault) if is_last => return Err(fault),
                Err(_) => {
                    self.at = 0;
                    return Ok(());
                }
            };
            self.begin(&found, length);
            if let Some(fault) = self.faults.pop() {
                return Err(fault);
            }
            *header = Some(found);
        }
        // A transition near the end of the window may continue beyond it, and may only seem to be complete.
        let line_end = self.text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let end = if is_last { self.text.len() } else { line_end };
        while self.peek_after_blanks().is_some() && self.at < end {
            let start = self.at;
            match self.transition() {
                Ok(()) => self.draft.found += 1,
                Err(fault) if is_last => return Err(fault),
                Err(_) => {
                    self.at = start;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Makes the states, if the number in the header is plausible for a text of `length` bytes.
    fn begin(&mut self, header: &Header, length: usize) {
        let limit = plausible_states(length);
        let states = usize::try_from(header.states).unwrap_or(usize::MAX);
        if states > limit {
            self.faults.push((header.states_at, AutErrorKind::TooManyStates { declared: header.states }));
        }
        self.draft.declared = header.states;
        self.draft.builder = LtsBuilder::with_states(Alphabet::new(), states.min(limit));
        match self.resolve(header.initial, header.initial_at) {
            Ok(initial) => self.draft.builder.set_initial(initial),
            Err(fault) => self.faults.push(fault),
        }
    }

    /// The transitions after the header.
    fn body(&mut self, header: &Header) {
        while self.faults.len() < MAX_ERRORS {
            if self.peek_after_blanks().is_none() {
                break;
            }
            self.draft.found += 1;
            if let Err(fault) = self.transition() {
                self.faults.push(fault);
                self.skip_line();
            }
        }
        // An unreadable line may hide several transitions, so their number is checked only if there are no errors.
        let found = self.draft.found;
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

    #[inline]
    fn transition(&mut self) -> Result<(), Fault> {
        if let Some(plain) = scan::plain(&self.text[self.at..], &self.draft.recent)
            && plain.source.max(plain.target) < self.draft.declared
            && self.faults.is_empty()
        {
            let state = |number: u64| StateId::from_raw(u32::try_from(number).expect("eight digits fit"));
            self.at += plain.length;
            self.draft.builder.add_transition(state(plain.source), plain.label, state(plain.target));
            return Ok(());
        }
        self.any_transition()
    }

    /// A transition in any form.
    fn any_transition(&mut self) -> Result<(), Fault> {
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
            self.draft.builder.add_transition(source, label, target);
        }
        Ok(())
    }

    /// The state of the system that a state of the text means.
    #[inline]
    fn resolve(&mut self, state: State, at: usize) -> Result<StateId, Fault> {
        let State::Proper(state) = state else { return Ok(self.draft.builder.error_state()) };
        match u32::try_from(state) {
            Ok(raw) if state < self.draft.declared => Ok(StateId::from_raw(raw)),
            _ => Err((at, AutErrorKind::NoSuchState { state, declared: self.draft.declared })),
        }
    }

    #[inline]
    fn label(&mut self) -> Result<Label, Fault> {
        self.skip_blanks();
        let start = self.at;
        let bytes = if self.text.get(start) == Some(&b'"') { self.quoted()? } else { self.unquoted()? };
        let label = match self.draft.labels.get(bytes) {
            Some(&label) => label,
            None => {
                let name = std::str::from_utf8(bytes).map_err(|_| (start, AutErrorKind::NotUtf8))?;
                if reserved(name).is_some() {
                    return Err((start, AutErrorKind::Reserved(name.to_owned())));
                }
                let label = Label::visible(self.draft.builder.alphabet_mut().intern(name));
                self.draft.labels.insert(bytes.into(), label);
                label
            }
        };
        // If a comma follows at once and the label has none, its spelling up to the comma is always the same.
        if self.text.get(self.at) == Some(&b',') && !bytes.contains(&b',') {
            self.draft.recent.remember(&self.text[start..], label);
        }
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

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// A text of transitions in several forms; the header may be wrong.
    fn random_text(rng: &mut Rng) -> Vec<u8> {
        let states = 1 + rng.below(200);
        let count = rng.below(40);
        let header = if rng.chance(1, 10) { count + 1 } else { count };
        let mut text = format!("des (0,{header},{states})\n");
        for _ in 0..count {
            let [source, target] = [0; 2].map(|_| rng.below(states));
            let label = *rng.pick(&["a", "i", "tau", "long.label.of.many.parts", "\"q,r\"", "\"a\"", "b "]);
            text += &match rng.below(12) {
                0 => format!("( {source} ,{label}, {target} )\r\n"),
                1 => format!("({source},\n\n   {label},{target}\n)\n"),
                2 => format!("({source},{label},-1)"),
                _ => format!("({source},{label},{target})\n"),
            };
        }
        text.into_bytes()
    }

    #[test]
    fn a_window_shows_the_same_as_the_whole_text() {
        let mut counts = [0; 2];
        for seed in seeds(4000) {
            let mut rng = Rng::new(seed);
            let mut text = random_text(&mut rng);
            if rng.chance(1, 3) {
                let place = rng.below(text.len());
                text[place] = *rng.pick(b"(),0 \"\n9-\xFF");
            }
            let whole = read(&text);
            let window = 1 + rng.below(300);
            let parts = read_through(&text[..], text.len(), window);
            counts[usize::from(whole.is_ok())] += 1;
            let shown = String::from_utf8_lossy(&text);
            match (&whole, &parts) {
                (Ok(whole), Ok(parts)) => assert_eq!(whole, parts, "seed {seed}, window {window}: {shown}"),
                (Err(_), Err(StreamError::Faulty)) => {}
                _ => panic!("seed {seed}, window {window}: {whole:?} and {parts:?} of {shown}"),
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }

    /// The reader gives the same results with and without `scan.rs`.
    #[test]
    fn plain_transitions_are_read_like_others() {
        for seed in seeds(2000) {
            let text = random_text(&mut Rng::new(seed));
            // With a blank before each closing bracket, no transition is plain.
            let blank = |text: &[u8]| {
                text.iter()
                    .flat_map(|&byte| if byte == b')' { vec![b' ', byte] } else { vec![byte] })
                    .collect()
            };
            let spaced: Vec<u8> = blank(&text);
            let [plain, other] = [read(&text), read(&spaced)];
            assert_eq!(plain.is_ok(), other.is_ok(), "seed {seed}");
            if let (Ok(plain), Ok(other)) = (plain, other) {
                assert_eq!(plain, other, "seed {seed}");
            }
        }
    }
}
