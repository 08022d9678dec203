//! Places in the units of editors: lines, and columns in UTF-16 code units, both counted from 0.

use rely_base::Span;

/// A place as editors count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// The code units of UTF-16 before it on its line.
    pub column: u32,
}

/// The lines of a text.
pub struct Lines<'t> {
    text: &'t str,
    /// The byte at which each line starts.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// The lines of a text.
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The place of a byte; that of the character it is in, and the end of the text for a byte behind it.
    pub fn position(&self, byte: u32) -> Position {
        let byte = self.boundary(byte as usize);
        let line = self.starts.partition_point(|&start| start <= byte).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        Position { line: number(line), column: number(units(&self.text[start..byte])) }
    }

    /// The byte at a place. A column behind its line is the end of the line, a line behind the text the end of the text.
    pub fn byte(&self, position: Position) -> u32 {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return number(self.text.len()) };
        let rest = &self.text[start..];
        let end = rest.find('\n').unwrap_or(rest.len());
        let mut left = position.column as usize;
        for (at, character) in rest[..end].char_indices() {
            if left < character.len_utf16() {
                return number(start + at);
            }
            left -= character.len_utf16();
        }
        number(start + end)
    }

    /// How many code units of UTF-16 stand before a byte: the place in a string of JavaScript.
    pub fn unit(&self, byte: u32) -> u32 {
        number(units(&self.text[..self.boundary(byte as usize)]))
    }

    /// The byte behind the first `unit` code units of UTF-16.
    pub fn byte_of_unit(&self, unit: u32) -> u32 {
        let mut left = unit as usize;
        for (at, character) in self.text.char_indices() {
            if left < character.len_utf16() {
                return number(at);
            }
            left -= character.len_utf16();
        }
        number(self.text.len())
    }

    /// The lines that a span begins and ends on.
    pub fn of(&self, span: Span) -> (u32, u32) {
        (self.position(span.start).line, self.position(span.end).line)
    }

    fn boundary(&self, byte: usize) -> usize {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Texts have fewer than 2³² bytes: larger ones are refused when they are read.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_there_and_back() {
        let text = "a → 😀b\n\nlast é";
        let lines = Lines::new(text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let byte = number(byte);
            assert_eq!(lines.byte(lines.position(byte)), byte);
            assert_eq!(lines.byte_of_unit(lines.unit(byte)), byte);
        }
        assert_eq!(lines.position(10), Position { line: 0, column: 6 });
        assert_eq!(lines.byte(Position { line: 0, column: 99 }), 11);
        assert_eq!(lines.byte(Position { line: 9, column: 0 }), number(text.len()));
    }

    #[test]
    fn a_place_inside_of_a_character_is_its_beginning() {
        let lines = Lines::new("é😀x");
        assert_eq!(lines.position(1), Position { line: 0, column: 0 });
        assert_eq!(lines.byte(Position { line: 0, column: 2 }), 2);
        assert_eq!(Lines::new("").position(7), Position { line: 0, column: 0 });
    }
}
