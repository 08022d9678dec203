//! Changes of a text, collected in any order and made at once.

/// Changes at places of a text.
#[derive(Default)]
pub(crate) struct Edits {
    all: Vec<Edit>,
}

struct Edit {
    start: usize,
    end: usize,
    /// The order of changes at one place: first what is put behind it, then what is put before it, then what replaces it.
    rank: i32,
    text: String,
}

impl Edits {
    /// Replaces a part of the text.
    pub(crate) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        let text = text.into();
        // One expression may be evaluated for several elements of an array.
        if !self.all.iter().any(|edit| (edit.start, edit.end, &edit.text) == (start, end, &text)) {
            self.all.push(Edit { start, end, rank: 0, text });
        }
    }

    /// Puts something before a place; the last that is put there comes first.
    pub(crate) fn before(&mut self, at: usize, text: impl Into<String>) {
        let rank = -1 - i32::try_from(self.all.len()).unwrap_or(0);
        self.all.push(Edit { start: at, end: at, rank, text: text.into() });
    }

    /// Puts something behind a place; the last that is put there comes last.
    pub(crate) fn after(&mut self, at: usize, text: impl Into<String>) {
        let rank = i32::try_from(self.all.len()).unwrap_or(0) - 2_000_000;
        self.all.push(Edit { start: at, end: at, rank, text: text.into() });
    }

    /// The text with all changes.
    pub(crate) fn apply(mut self, text: &str) -> String {
        self.all.sort_by_key(|edit| (edit.start, edit.rank));
        let mut result = String::new();
        let mut at = 0;
        for edit in self.all {
            assert!(edit.start >= at, "two changes overlap at {}: {}", edit.start, edit.text);
            result += &text[at..edit.start];
            result += &edit.text;
            at = edit.end;
        }
        result + &text[at..]
    }
}
