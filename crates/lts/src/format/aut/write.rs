//! Writing `.aut`.

use std::io::{self, Write};

use rely_base::{Label, StateId};

use super::Tau;
use crate::Lts;

/// How the error state π is spelt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorState {
    /// As state −1, which is not counted: LTSA reads it, and so does `read`. States that come after π move
    /// down by one.
    MinusOne,
    /// As a state like any other, without transitions: for tools that know no error state.
    Ordinary,
}

/// How to write what the tools disagree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spelling {
    /// How τ is spelt.
    pub tau: Tau,
    /// How π is spelt.
    pub error: ErrorState,
}

impl Spelling {
    /// What LTSA writes.
    pub const LTSA: Self = Self { tau: Tau::Cadp, error: ErrorState::MinusOne };
    /// What CADP reads.
    pub const CADP: Self = Self { tau: Tau::Cadp, error: ErrorState::Ordinary };
    /// What mCRL2 reads.
    pub const MCRL2: Self = Self { tau: Tau::Mcrl2, error: ErrorState::Ordinary };
}

impl Default for Spelling {
    /// Keeps the error state, and writes τ as FSP does.
    fn default() -> Self {
        Self { tau: Tau::Mcrl2, error: ErrorState::MinusOne }
    }
}

/// Why a system was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The name of an action cannot be written: it would be read as τ, as several labels, or as none.
    Unspellable {
        /// The name.
        action: String,
    },
    /// Writing the text failed.
    Io(io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unspellable { action } => {
                write!(f, "the action `{}` has no spelling in .aut", action.escape_debug())
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

/// Writes a system, one transition a line, sorted by source. Labels are quoted where they have to be.
///
/// # Errors
/// When the name of an action cannot be written, in which case nothing is written, or `out` fails.
pub fn write(lts: &Lts, spelling: Spelling, out: &mut impl Write) -> Result<(), WriteError> {
    let labels = spell_labels(lts, spelling.tau)?;
    let minus_one = lts.error().filter(|_| spelling.error == ErrorState::MinusOne);
    let number = |state: StateId| match minus_one {
        Some(error) if state == error => -1,
        Some(error) if state > error => i64::from(state.raw()) - 1,
        _ => i64::from(state.raw()),
    };
    let states = lts.state_count() - usize::from(minus_one.is_some());
    writeln!(out, "des ({},{},{states})", number(lts.initial()), lts.transition_count())?;
    // Text is collected in large pieces; all transitions of a state begin with the same bytes.
    let mut text = Vec::with_capacity(2 * PIECE);
    let mut beginning = Vec::new();
    for source in lts.states() {
        beginning.clear();
        beginning.push(b'(');
        push_number(&mut beginning, number(source));
        beginning.push(b',');
        for edge in lts.edges(source) {
            text.extend_from_slice(&beginning);
            text.extend_from_slice(labels[edge.label.index()].as_bytes());
            text.push(b',');
            push_number(&mut text, number(edge.target));
            text.extend_from_slice(b")\n");
            if text.len() >= PIECE {
                out.write_all(&text)?;
                text.clear();
            }
        }
    }
    out.write_all(&text)?;
    Ok(())
}

/// Approximate number of bytes that are written at once.
const PIECE: usize = 1 << 16;

/// A number in decimal digits.
fn push_number(text: &mut Vec<u8>, number: i64) {
    if number < 0 {
        text.push(b'-');
    }
    let mut rest = number.unsigned_abs();
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + u8::try_from(rest % 10).expect("a digit is below 10");
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

/// The spelling of each label that is on a transition.
fn spell_labels(lts: &Lts, tau: Tau) -> Result<Vec<String>, WriteError> {
    let mut used = vec![false; lts.alphabet().len() + 1];
    for transition in lts.transitions() {
        used[transition.label.index()] = true;
    }
    let mut spellings = vec![tau.label().to_owned()];
    for (action, name) in lts.alphabet().iter() {
        let is_used = used[Label::visible(action).index()];
        let spelling = if is_used { spell(name, tau) } else { Some(String::new()) };
        spellings.push(spelling.ok_or_else(|| WriteError::Unspellable { action: name.to_owned() })?);
    }
    Ok(spellings)
}

/// How the name of an action is written; `None` if it could not be read back with this spelling of τ.
fn spell(name: &str, tau: Tau) -> Option<String> {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '{' | '}' | '-' | ':');
    let has = |unwanted: &[char]| name.contains(unwanted);
    if name == tau.label() || has(&['\n', '\r']) {
        None
    } else if !name.is_empty() && name.chars().all(is_plain) {
        Some(name.to_owned())
    } else if !has(&['"']) {
        Some(format!("\"{name}\""))
    } else if !has(&[',']) && !name.starts_with('"') && name.trim_ascii() == name {
        Some(name.to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use rely_base::{Alphabet, Id};

    use super::*;
    use crate::LtsBuilder;

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 9, 10, 99, 100, 1_234_567, -1, i64::from(u32::MAX)] {
            let mut text = b"x".to_vec();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8_lossy(&text), format!("x{number}"));
        }
    }

    /// The text of a system that takes several pieces, line by line.
    #[test]
    fn pieces_are_joined() {
        let alphabet: Alphabet = ["a", "b c"].into_iter().collect();
        let states = 20_000;
        let mut builder = LtsBuilder::with_states(alphabet, states);
        let mut expected = format!("des (0,{},{states})\n", 2 * states);
        for state in 0..states {
            let target = (state * 7919) % states;
            for (label, name) in [(1, "a"), (2, "\"b c\"")] {
                let [source, target] = [state, target].map(StateId::from_index);
                builder.add_transition(source, Label::from_raw(label), target);
                expected += &format!("({state},{name},{})\n", target.raw());
            }
        }
        let mut text = Vec::new();
        write(&builder.build(), Spelling::default(), &mut text).expect("memory takes it all");
        assert!(text.len() > 5 * PIECE);
        assert_eq!(String::from_utf8(text).as_deref(), Ok(expected.as_str()));
    }
}
