//! The parts of a text that could not be read.

use std::sync::Arc;

use rely_base::Span;

/// What could not be read. Anything that seems to be missing in a text with flaws may be in there.
#[derive(Clone, Debug, Default)]
pub struct Flaws {
    /// Whether the syntax has errors.
    pub has_errors: bool,
    /// The definitions of which it is uncertain what was meant, in order.
    pub broken: Vec<Span>,
    /// The names that may be defined in what could not be read, sorted.
    pub unread: Vec<Arc<str>>,
}

impl Flaws {
    /// Whether a place is in a definition of which it is uncertain what was meant.
    pub fn cover(&self, place: Span) -> bool {
        let after = self.broken.partition_point(|broken| broken.start <= place.start);
        self.broken[..after].last().is_some_and(|broken| place.end <= broken.end)
    }

    /// Whether a name may be defined in what could not be read.
    pub fn may_define(&self, name: &str) -> bool {
        self.unread.binary_search_by(|unread| (**unread).cmp(name)).is_ok()
    }
}
