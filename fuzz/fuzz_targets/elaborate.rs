//! Any text is given a meaning and checked, within limits, and answered without an internal failure.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_base::{Budget, Limits, Observer, Progress, Resource, Span};
use rely_fsp::Elaborator;
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
    let patience = Patience(AtomicUsize::new(0));
    let limits = Limits { states: Some(2000), bytes: Some(16 << 20) };
    let budget = Budget::new(limits, Some(&patience));
    elaborate(&text, budget);
    let project = Project::new("fuzz.lts", &*text, Box::new(load));
    let query = CheckQuery::default();
    if let Err(internal) = rely_session::check(&project, &query, budget) {
        panic!("{internal}");
    }
});

fn elaborate(text: &str, budget: Budget<'_>) {
    let parse = rely_fsp::parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &load, budget);
    for target in elaborator.target_names() {
        if let Ok(target) = elaborator.target(&target) {
            let _ = rely_model::compose(&target, &budget);
        }
    }
    let _ = elaborator.progress_properties();
    let _ = elaborator.assertions();
    elaborator.fluents();
    elaborator.check_unused(&|_| false);
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for diagnostic in elaborator.diagnostics() {
        assert!(is_place(diagnostic.span), "{diagnostic:?} is at no place of the text");
    }
}

/// Imports know one file.
fn load(path: &str) -> Result<Vec<u8>, String> {
    match path {
        "a.aut" => Ok(b"des (0,3,2)\n(0,a,1)\n(1,i,0)\n(1,\"b\",-1)\n".to_vec()),
        _ => Err("there is no such file".to_owned()),
    }
}
