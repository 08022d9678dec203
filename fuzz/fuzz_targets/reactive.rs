//! Any text is read as a system of reactive machines, given a meaning, mined and checked within limits, and answered without
//! an internal failure.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use rely_base::{Budget, Diagnostic, Limits, Observer, Progress, Resource, Span};
use rely_reactive::Elaborator;
use rely_session::{CheckQuery, Project, Window};

/// Stops an analysis after a fixed number of looks at it, as a clock would.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) > 200).then_some(Resource::Time)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parse = rely_reactive::parse(&text);
    assert!(parse.syntax().text() == &*text, "the tree is not the text");
    let elaborator = Elaborator::new(parse.file());
    parse.diagnostics().iter().chain(elaborator.diagnostics()).for_each(|it| is_at_a_place(it, &text));
    let patience = Patience(AtomicUsize::new(0));
    let limits = Limits { states: Some(2000), bytes: Some(16 << 20) };
    let budget = Budget::new(limits, Some(&patience));
    let project = Project::new("fuzz.srs", &*text, Box::new(|_| Err("there is no other file".to_owned())));
    if let Err(internal) = rely_session::check(&project, &CheckQuery::default(), budget) {
        panic!("{internal}");
    }
    let _ = rely_session::mine(&project, &[], Window::One, None, budget);
});

fn is_at_a_place(diagnostic: &Diagnostic, text: &str) {
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    let notes = diagnostic.notes.iter().map(|note| note.span);
    assert!(notes.chain([diagnostic.span]).all(is_place), "{diagnostic:?} is at no place of the text");
}
