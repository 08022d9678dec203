//! What bounds the work on a text, whatever the text is, and how messages about it stay short.

use rely_base::{Diagnostic, Note, Span};

use crate::Kind;

/// The longest text that is parsed, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// How many brackets, conditions, statements and operators may be open at once. It bounds the height of the tree, and
/// with it the recursion of everything that walks it.
pub const MAX_DEPTH: u32 = 256;

/// How high an expression or a formula may grow by its binary operators, whose chains are trees that lean left.
pub const MAX_HEIGHT: u32 = 1024;

/// How many diagnostics are kept. One more is collected, so that it is known whether there are more.
pub const MAX_DIAGNOSTICS: usize = 500;

/// Adds to the last of the diagnostics how many more there are, if there are any.
pub fn say_how_many_more(diagnostics: &mut [Diagnostic], more: usize) {
    let message = match more {
        0 => return,
        1 => "1 further finding is not shown".to_owned(),
        more => format!("{more} further findings are not shown"),
    };
    if let Some(last) = diagnostics.last_mut() {
        last.notes.push(Note { span: last.span, message });
    }
}

/// Puts diagnostics into the order of the text, cuts off those that are too many, and says how many these are, with
/// `dropped` more that have been found and were not collected.
pub fn settle(diagnostics: &mut Vec<Diagnostic>, dropped: usize) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let more = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS) + dropped;
    diagnostics.truncate(MAX_DIAGNOSTICS);
    say_how_many_more(diagnostics, more);
}

/// What is said of a text of more than [`MAX_TEXT`] bytes, which is not read at all.
pub fn text_too_long<K: Kind>(text: &str) -> Option<Diagnostic> {
    let message = || format!("the text has more than {MAX_TEXT} bytes");
    (text.len() > MAX_TEXT).then(|| Diagnostic::error(K::CODES.text_too_long, Span::new(0, 0), message()))
}

/// At most the first few characters, so that a message stays a line.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
