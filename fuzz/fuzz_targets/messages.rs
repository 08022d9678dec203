//! Any text is read as message components: the tree is the text, every diagnostic speaks about a place in it, and every component is
//! explored, within limits, without an internal failure.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_base::{Budget, Limits, Observer, Progress, Resource, Span};
use rely_messages::Elaborator;
use rely_session::{CheckQuery, Project};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stops an analysis after a fixed number of looks at it, as a clock would.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) > 200).then_some(Resource::Time)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parse = rely_messages::parse(&text);
    assert!(parse.syntax().text() == &*text, "the tree is not the text");
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    let patience = Patience(AtomicUsize::new(0));
    let budget = Budget::new(Limits { states: Some(2000), bytes: Some(16 << 20) }, Some(&patience));
    let elaborator = Elaborator::new(&parse, &load, budget);
    for diagnostic in parse.diagnostics().iter().chain(&elaborator.diagnostics()) {
        assert!(is_place(diagnostic.span), "{diagnostic:?} is at no place of the text");
    }
    let project = Project::new("fuzz.aim", &*text, Box::new(load));
    if let Err(internal) = rely_session::check(&project, &CheckQuery::default(), budget) {
        panic!("{internal}");
    }
});

/// Imports know one file.
fn load(path: &str) -> Result<Vec<u8>, String> {
    match path {
        "a.aim" => Ok(b"component A { input i output o process P { state s { send o } s -> s on i } }".to_vec()),
        _ => Err("there is no such file".to_owned()),
    }
}
