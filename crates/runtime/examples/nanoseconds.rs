//! How long an event takes: `cargo run --release --package rely-runtime --example nanoseconds`.
#![allow(clippy::print_stdout, reason = "this is a measurement for people")]

use std::future::{Future, poll_fn};
use std::hint::black_box;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use rely_runtime::{Automaton, Design, EventKey, Reaction, Watch, task};

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

/// The events of a run: few, so that others who use the machine leave some runs alone.
const EVENTS: u32 = 100_000;

const RUNS: usize = 41;

/// Runs something on some threads, each of which has its share of the events, and prints what an event takes.
fn measure(what: &str, threads: u32, share: impl Fn(u32) + Sync) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| share(EVENTS / threads));
                }
            });
            start.elapsed().as_secs_f64() * 1e9 / f64::from(EVENTS)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{what:45} {:6.1} ns/event at best, {:6.1} in the middle of {RUNS} runs",
        times[0],
        times[RUNS / 2]
    );
}

fn event() {
    black_box(rely_runtime::event("lock", "mutex", &[]));
}

/// How many tasks a thread polls in turn.
const TASKS: u32 = 100;

/// Tasks that signal an event whenever they are polled, polled in turn until all events have happened.
fn run_tasks(events: u32) {
    let worker = || async {
        for _ in 0..u64::MAX {
            event();
            let mut is_first = true;
            poll_fn(|_| match std::mem::take(&mut is_first) {
                true => Poll::Pending,
                false => Poll::Ready(()),
            })
            .await;
        }
    };
    let mut tasks: Vec<_> = (0..TASKS).map(|_| Box::pin(task("one", worker()))).collect();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..events / TASKS {
        for task in &mut tasks {
            let _ = task.as_mut().poll(&mut context);
        }
    }
}

/// An event in a thread with the name that the design has.
fn run_thread(events: u32) {
    for _ in 0..events {
        black_box(rely_runtime::event_of("one", "lock", "mutex", &[]));
    }
}

fn main() {
    measure("no watch", 1, run_thread);
    measure("no watch, 100 tasks", 1, run_tasks);
    let watch = Watch::builder(&DESIGN)
        .with(&ASSUMPTION, Reaction::Log)
        .with(&ASSUMPTION, Reaction::Log)
        .keep(256)
        .build()
        .expect("they belong together");
    rely_runtime::install(Arc::new(watch)).expect("there is no other");
    measure("two automata, the last 256 events are kept", 1, run_thread);
    measure("the same, four threads race", 4, run_thread);
    measure("the same, 100 tasks on one thread", 1, run_tasks);
    measure("the same, 4 × 100 tasks on four threads", 4, run_tasks);
}
