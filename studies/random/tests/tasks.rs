//! Asynchronous tasks have their names under explorers, too: threads are switched while a task is polled.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use random::explore::{Threads, Way, explore, pause};
use random::outcome::Bounds;
use rely_runtime::{Design, EventKey, Watch, WatchBuilder, event, task};

static DESIGN: Design = Design {
    name: "letters",
    digest: 1,
    actions: &["left.a", "one.a", "two.a"],
    events: &[
        EventKey { method: "a", object: "it", thread: "left", values: &[], actions: &[0] },
        EventKey { method: "a", object: "it", thread: "one", values: &[], actions: &[1] },
        EventKey { method: "a", object: "it", thread: "two", values: &[], actions: &[2] },
    ],
};

fn watch() -> WatchBuilder {
    Watch::builder(&DESIGN)
}

async fn twice() {
    event("a", "it", &[]);
    pause();
    event("a", "it", &[]);
}

/// Runs a future that never waits.
fn run(future: impl Future<Output = ()>) {
    assert_eq!(pin!(future).poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
}

fn program(threads: &Threads) {
    threads.spawn("left", || {
        run(task("one", twice()));
        // The thread has its own name again.
        pause();
        event("a", "it", &[]);
    });
    threads.spawn("right", || run(task("two", twice())));
    threads.run(|| {});
}

#[test]
fn events_belong_to_the_task_that_is_polled() {
    let most = usize::MAX;
    let bounds =
        Bounds { events: 100, calls: 0, preemptions: most, steps: 1000, executions: most, ends: false };
    let outcome = explore("events", bounds, Way::DepthFirst, watch, program);
    assert!(outcome.holds_for_all(), "{outcome}");
    // All orders of three events of one thread and two of another.
    assert_eq!(outcome.explored.sequences, 10);
    assert_eq!(outcome.explored.events.iter().map(String::as_str).collect::<Vec<_>>(), DESIGN.actions);
}
