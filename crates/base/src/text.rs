//! Names as a terminal or a page may show them.
//!
//! **Problem.** A name comes from a file of unknown origin, and may hold any character. Some characters are commands
//! to a terminal (it clears the screen, or writes over the line above), some reorder the text around them, and some
//! cannot be seen. A name with such a character could make one verdict look like another.
//!
//! **Idea.** Such characters are shown by their number, as in `\u{1b}`, wherever text is printed. A file format that is
//! read by programs keeps them as they are, with the escapes of that format.
//!
//! **Callers.** The command line, just before it prints; and whatever makes pages and pictures.

use std::borrow::Cow;

/// Whether a character is a command to a terminal, reorders its surroundings, breaks a line, or cannot be seen.
///
/// ```
/// use rely_base::is_unprintable;
/// assert!("\u{1b}\u{9b}\n\u{202e}\u{2028}\u{200b}".chars().all(is_unprintable));
/// assert!(!"é ⟨A1⟩ e\u{301}".chars().any(is_unprintable));
/// ```
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // The soft hyphen, and marks of direction and of joining.
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            // What is no character.
            | '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}' | '\u{FFFF}'
            // Tags, which are invisible copies of ASCII.
            | '\u{E0000}'..='\u{E007F}')
}

/// A text on one line, with every character that [`is_unprintable`] shown by its number.
///
/// ```
/// assert_eq!(rely_base::printable("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_printable(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// Adds a character to a text: as it is, or by its number.
pub fn push_printable(text: &mut String, c: char) {
    match is_unprintable(c) {
        true => text.extend(c.escape_default()),
        false => text.push(c),
    }
}

/// The maximum width of a column of a table. A longer entry shifts the rest of its line to the right, and only that.
pub const WIDEST_COLUMN: usize = 240;

/// The width of a column with these entries.
pub fn column_width<'a>(entries: impl IntoIterator<Item = &'a str>) -> usize {
    entries.into_iter().map(|entry| entry.chars().count()).max().unwrap_or(0).min(WIDEST_COLUMN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(printable("a.1:LOCK \"x\" ⟨A1⟩ \\ é"), "a.1:LOCK \"x\" ⟨A1⟩ \\ é");
        assert_eq!(printable("S: safety certified\nT\r"), "S: safety certified\\nT\\r");
        assert_eq!(printable("\u{1b}[2JS\u{202e}\u{2028}\u{9b}"), "\\u{1b}[2JS\\u{202e}\\u{2028}\\u{9b}");
    }

    #[test]
    fn columns_have_a_greatest_width() {
        let long = "a".repeat(70_000);
        assert_eq!(column_width(["a", "éé"]), 2);
        assert_eq!(column_width([&*long]), WIDEST_COLUMN);
        // The formatter panics for larger widths.
        assert!(u16::try_from(WIDEST_COLUMN).is_ok());
    }
}
