//! Any text is parsed: the tree is the text, and every diagnostic speaks about a place in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_base::Span;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parse = rely_fsp::parse(&text);
    assert!(parse.syntax().text() == &*text, "the tree is not the text");
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for diagnostic in parse.diagnostics() {
        assert!(is_place(diagnostic.span), "{diagnostic:?} is at no place of the text");
        assert!(
            diagnostic.notes.iter().all(|note| is_place(note.span)),
            "a note of {diagnostic:?} is at no place of the text"
        );
    }
});
