//! Any text is read as a program of tasks and as properties of one, given a meaning within limits, and answered by both engines
//! without an internal failure.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_base::{Budget, Diagnostic, Limits, Observer, Progress, Resource, Span};
use rely_session::{CheckQuery, Engine, Project};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stops an analysis after a fixed number of looks at it, as a clock would.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.0.fetch_add(1, Ordering::Relaxed) > 200).then_some(Resource::Time)
    }
}

/// What the properties are about if they are the text: a program with the events `t.e` and `t.end`.
const PROGRAM: &str = "procedure P is task T is entry E; end T; task body T is begin accept E; end T; begin T.E; end P;";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parse = rely_tasks::parse(&text);
    are_at_places(&text, parse.diagnostics());
    are_at_places(&text, &rely_tasks::resolve(&parse).diagnostics);
    let (_, diagnostics) = rely_tasks::parse_qre(&text);
    are_at_places(&text, &diagnostics);
    let patience = Patience(AtomicUsize::new(0));
    let limits = Limits { states: Some(2000), bytes: Some(16 << 20) };
    let budget = Budget::new(limits, Some(&patience));
    let file = |name: &str, text: &str| Project::new(name, text, Box::new(|_| Err("there is no such file".to_owned())));
    let property = "P: for events {t.e, t.end} show no executions satisfy .*; t.end; .*; t.e; .*";
    let asked = [
        file("p.adb", &text).with_properties(file("p.qre", property)),
        file("p.adb", PROGRAM).with_properties(file("p.qre", &text)),
    ];
    for project in asked {
        for engine in [Engine::Exact, Engine::Flow] {
            let query = CheckQuery { engine, ..CheckQuery::default() };
            if let Err(internal) = rely_session::check(&project, &query, budget) {
                panic!("{internal}");
            }
        }
    }
});

/// Every diagnostic speaks about a place in the text.
fn are_at_places(text: &str, diagnostics: &[Diagnostic]) {
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for diagnostic in diagnostics {
        let all = diagnostic.notes.iter().map(|note| note.span).chain([diagnostic.span]);
        assert!(all.into_iter().all(is_place), "{diagnostic:?} is at no place of the text");
    }
}
