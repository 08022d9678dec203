//! Limits on the work on a text, whatever the text is, and on the length of messages.

use rely_base::{Diagnostic, Note, Span};

use crate::Kind;

/// The longest text that is parsed, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// Maximum number of brackets, conditions, statements and operators open at once. It bounds the height of the tree,
/// and with it the recursion of everything that walks it.
pub const MAX_DEPTH: u32 = 256;

/// Maximum height of an expression or a formula due to chains of binary operators, which are trees that lean left.
pub const MAX_HEIGHT: u32 = 1024;

/// Maximum number of diagnostics that are kept. One more is collected, so that it is known whether there are more.
pub const MAX_DIAGNOSTICS: usize = 500;

/// Appends the number of further diagnostics to the last one, if there are any.
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

/// Sorts diagnostics by place, removes those beyond the limit, and appends their number, which includes `dropped`
/// ones that were found but not collected.
pub fn settle(diagnostics: &mut Vec<Diagnostic>, dropped: usize) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let more = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS) + dropped;
    diagnostics.truncate(MAX_DIAGNOSTICS);
    say_how_many_more(diagnostics, more);
}

/// The diagnostic for a text of more than [`MAX_TEXT`] bytes, which is not read at all.
pub fn text_too_long<K: Kind>(text: &str) -> Option<Diagnostic> {
    let message = || format!("the text has more than {MAX_TEXT} bytes");
    (text.len() > MAX_TEXT).then(|| Diagnostic::error(K::CODES.text_too_long, Span::new(0, 0), message()))
}

/// The first characters of a text, so that a message fits on a line.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
