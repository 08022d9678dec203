//! What a bound on preemptions means to each explorer, on the smallest programs that show it.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use std::sync::Arc;

#[cfg(feature = "loom")]
use loom::sync::{Condvar, Mutex};
use random::explore::{Threads, Way, explore};
use random::outcome::{Bounds, Explored};
use rely_runtime::{Design, EventKey, Watch, WatchBuilder, event};
#[cfg(not(feature = "loom"))]
use shuttle::sync::{Condvar, Mutex};

static DESIGN: Design = Design {
    name: "letters",
    digest: 1,
    actions: &["a", "b", "c", "x"],
    events: &[
        EventKey { method: "a", object: "it", thread: "*", values: &[], actions: &[0] },
        EventKey { method: "b", object: "it", thread: "*", values: &[], actions: &[1] },
        EventKey { method: "c", object: "it", thread: "*", values: &[], actions: &[2] },
        EventKey { method: "x", object: "it", thread: "*", values: &[], actions: &[3] },
    ],
};

fn watch() -> WatchBuilder {
    Watch::builder(&DESIGN)
}

fn explored(preemptions: usize, program: fn(&Threads)) -> Explored {
    let most = usize::MAX;
    let bounds = Bounds { events: 100, calls: 0, preemptions, steps: 1000, executions: most, ends: false };
    let outcome = explore("events", bounds, Way::DepthFirst, watch, program);
    assert!(outcome.failure.is_none(), "{outcome}");
    outcome.explored
}

/// A thread that waits until it is told to stop, and says what it sees then.
fn waiting(threads: &Threads) {
    let shared = Arc::new((Mutex::new((false, false)), Condvar::new()));
    let (one, two) = (Arc::clone(&shared), Arc::clone(&shared));
    threads.spawn("one", move || {
        let mut state = one.0.lock().expect("nobody panics");
        while !state.0 && !state.1 {
            state = one.1.wait(state).expect("nobody panics");
        }
        event(if state.0 { "a" } else { "b" }, "it", &[]);
    });
    threads.spawn("two", move || {
        two.0.lock().expect("nobody panics").0 = true;
        two.1.notify_all();
    });
    threads.run(|| {
        shared.0.lock().expect("nobody panics").1 = true;
        shared.1.notify_all();
    });
}

/// To be told to stop comes last unless there is a preemption. If the main thread went on at once, loom would see no
/// execution without preemptions in which anything happens before it.
#[test]
fn to_stop_comes_last() {
    let explored = explored(0, waiting);
    assert!(explored.has_seen(&["a"]));
    assert!(!explored.has_seen(&["b"]));
}

/// One thread needs the mutex between `x` and `a`, the other between `b` and `c`.
fn handing_over(threads: &Threads) {
    let mutex = Arc::new(Mutex::new(()));
    let other = Arc::clone(&mutex);
    threads.spawn("one", move || {
        event("x", "it", &[]);
        drop(mutex.lock().expect("nobody panics"));
        event("a", "it", &[]);
    });
    threads.spawn("two", move || {
        event("b", "it", &[]);
        drop(other.lock().expect("nobody panics"));
        event("c", "it", &[]);
    });
    threads.run(|| {});
}

/// In `x b a c` shuttle switches once where it need not: the first thread holds the mutex, so the second one has to wait,
/// and that is no preemption. loom never switches between taking a mutex and giving it back if nothing else is done there,
/// since that makes no difference to the rest. So it has to switch once before the first thread takes the mutex, and once
/// more before the second one does.
#[test]
fn handing_over_a_mutex_costs_loom_one_preemption_more() {
    let needed = if cfg!(feature = "loom") { 2 } else { 1 };
    for preemptions in 0..4 {
        let has_seen = explored(preemptions, handing_over).has_seen(&["x", "b", "a", "c"]);
        assert_eq!(has_seen, preemptions >= needed, "{preemptions} preemptions");
    }
}

/// Without that bound both explorers find the same: all six orders.
#[test]
fn without_the_bound_explorers_agree() {
    let explored = explored(usize::MAX, handing_over);
    assert_eq!(explored.sequences, 6);
    assert!(explored.bounded.is_empty());
}
