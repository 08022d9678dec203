//! How answers look in a terminal.

pub(crate) mod cause;
pub(crate) mod coverage;
pub(crate) mod findings;
mod lanes;
pub(crate) mod reused;
pub(crate) mod trace;
pub(crate) mod verdict;

use std::fmt::Display;

/// Whether text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// Whether ANSI sequences are written.
    pub(crate) coloured: bool,
}

impl Style {
    /// Text that stands out.
    pub(crate) fn bold(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    /// Good news.
    pub(crate) fn green(self, text: impl Display) -> String {
        self.paint("1;32", text)
    }

    /// Bad news.
    pub(crate) fn red(self, text: impl Display) -> String {
        self.paint("1;31", text)
    }

    /// No news.
    pub(crate) fn yellow(self, text: impl Display) -> String {
        self.paint("1;33", text)
    }

    /// Text that stands back.
    pub(crate) fn dim(self, text: impl Display) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: impl Display) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// `1 state`, `2 states`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The mark of a verdict that warnings question.
pub(crate) fn warned(warnings: &[String]) -> String {
    match warnings.len() {
        0 => String::new(),
        1 => ", with a warning".to_owned(),
        several => format!(", with {several} warnings"),
    }
}

/// What to say of the bytes that a state took: nothing where there are so few states that it means nothing.
pub(crate) fn per_state(bytes: Option<usize>, states: usize) -> String {
    const MANY: usize = 10_000;
    match bytes {
        Some(bytes) if states >= MANY => format!(", {:.1} bytes per state", bytes as f64 / states as f64),
        _ => String::new(),
    }
}

/// A number with its thousands apart: `1,679,616`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1,234");
        assert_eq!(grouped(1_679_616), "1,679,616");
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
    }
}
