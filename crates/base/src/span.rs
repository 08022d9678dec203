//! Places in the user's text.

crate::define_id! {
    /// One of the texts of a project: the file itself, or one that it imports.
    SourceId
}

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether two spans have a byte in common, or one is empty and touches the other.
    pub fn overlaps(self, other: Self) -> bool {
        self.start.max(other.start) < self.end.min(other.end)
            || (self.start == self.end || other.start == other.end)
                && self.start <= other.end
                && other.start <= self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
