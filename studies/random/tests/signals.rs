//! A premise does not hold because nothing was watched.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use random::explore::{Threads, Way, explore};
use random::outcome::{Bounds, Claim, Outcome};
use rely_runtime::{Design, EventKey, Watch, WatchBuilder, event};

static DESIGN: Design = Design {
    name: "letters",
    digest: 1,
    actions: &["a", "b"],
    events: &[
        EventKey { method: "a", object: "it", thread: "*", values: &[], actions: &[0] },
        EventKey { method: "b", object: "it", thread: "*", values: &[], actions: &[1] },
    ],
};

const CLAIMS: &[Claim] = &[
    Claim { call: "first()", event: "it.a in thread one", actions: &["a"] },
    Claim { call: "second()", event: "it.b in thread one", actions: &["b"] },
];

fn watch() -> WatchBuilder {
    Watch::builder(&DESIGN)
}

fn explored(program: fn(&Threads)) -> Outcome {
    let most = usize::MAX;
    let bounds =
        Bounds { events: 100, calls: 0, preemptions: most, steps: 1000, executions: most, ends: false };
    explore("events", bounds, Way::DepthFirst, watch, program)
}

fn complaint(outcome: Outcome, claims: &[Claim]) -> String {
    outcome.signalling(claims).failure.map(|failure| failure.message).unwrap_or_default()
}

fn silent(threads: &Threads) {
    threads.spawn("one", || {});
    threads.run(|| {});
}

fn half(threads: &Threads) {
    threads.spawn("one", || _ = event("a", "it", &[]));
    threads.run(|| {});
}

#[test]
fn a_program_without_events_is_a_failure() {
    let message = complaint(explored(silent), &[]);
    assert!(message.starts_with("no execution has any event"), "{message}");
}

#[test]
fn a_call_that_does_not_signal_what_it_should_is_a_failure() {
    assert_eq!(complaint(explored(half), &CLAIMS[..1]), "");
    let message = complaint(explored(half), CLAIMS);
    let expected =
        "no execution has the event it.b in thread one, which the mapping says that `second()` signals";
    assert!(message.starts_with(expected), "{message}");
}
