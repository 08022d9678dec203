//! How long an event takes: `cargo run --release --package rely-runtime --example nanoseconds`.
#![allow(clippy::print_stdout, reason = "this is a measurement for people")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use rely_runtime::{Automaton, Design, EventKey, Reaction, Watch};

static DESIGN: Design = Design {
    name: "lock",
    digest: 1,
    actions: &["one.lock", "one.unlock"],
    events: &[
        EventKey { method: "lock", object: "mutex", thread: "one", values: &[], actions: &[0] },
        EventKey { method: "unlock", object: "mutex", thread: "one", values: &[], actions: &[1] },
    ],
};

/// Locked, unlocked, and so on; nothing is ever violated, so that every event is looked at.
static ASSUMPTION: Automaton =
    Automaton { name: "A", digest: 1, next: &[1, 0, 1, 0], starts_violated: false };

const EVENTS: u32 = 2_000_000;

fn measure(what: &str, threads: u32, run: impl Fn() + Sync) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| (0..EVENTS / threads).for_each(|_| run()));
                }
            });
            start.elapsed().as_secs_f64() * 1e9 / f64::from(EVENTS)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{what:50} {:6.1} ns/event (of five runs, {:.1} to {:.1})", times[2], times[0], times[4]);
}

fn main() {
    let event = || {
        black_box(rely_runtime::event_of("one", "lock", "mutex", &[]));
    };
    measure("no watch", 1, event);
    let watch = Watch::builder(&DESIGN)
        .with(&ASSUMPTION, Reaction::Log)
        .with(&ASSUMPTION, Reaction::Log)
        .keep(256)
        .build()
        .expect("they belong together");
    rely_runtime::install(Arc::new(watch)).expect("there is no other");
    measure("two automata, the last 256 events are kept", 1, event);
    measure("the same, four threads race", 4, event);
}
