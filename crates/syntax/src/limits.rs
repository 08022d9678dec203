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

/// Adds to the last of the diagnostics that it is not the last one that there is, and what else there is.
pub fn say_that_there_are_more(diagnostics: &mut [Diagnostic], more: String) {
    if let Some(last) = diagnostics.last_mut() {
        last.notes.push(Note { span: last.span, message: more + " are not shown" });
    }
}

/// Puts diagnostics into the order of the text, and cuts off those that are too many, without saying how many there are.
pub fn settle(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    if diagnostics.len() > MAX_DIAGNOSTICS {
        diagnostics.truncate(MAX_DIAGNOSTICS);
        say_that_there_are_more(diagnostics, "further findings".to_owned());
    }
}

/// The same where `dropped` more have been found than were collected: so it is known how many are cut off.
pub fn settle_counted(diagnostics: &mut Vec<Diagnostic>, dropped: usize) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let more = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS) + dropped;
    diagnostics.truncate(MAX_DIAGNOSTICS);
    match more {
        0 => {}
        1 => say_that_there_are_more(diagnostics, "further findings (1)".to_owned()),
        more => say_that_there_are_more(diagnostics, format!("{more} further findings")),
    }
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
