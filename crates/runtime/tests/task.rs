//! Asynchronous tasks: whoever polls them, what happens in them happens in their name.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use rely_runtime::{
    Answer, Automaton, Design, EventKey, Reaction, VIOLATED, Watch, event, install_here, locked, task,
};

static DESIGN: Design = Design {
    name: "tasks",
    digest: 1,
    actions: &["one.lock", "one.unlock", "two.lock", "two.unlock"],
    events: &[
        EventKey { method: "lock", object: "m", thread: "one", values: &[], actions: &[0] },
        EventKey { method: "lock", object: "m", thread: "two", values: &[], actions: &[2] },
        EventKey { method: "unlock", object: "m", thread: "one", values: &[], actions: &[1] },
        EventKey { method: "unlock", object: "m", thread: "two", values: &[], actions: &[3] },
    ],
};

const X: u32 = VIOLATED;

/// One after the other.
static MUTEX: Automaton = Automaton {
    name: "MUTEX",
    digest: 1,
    #[rustfmt::skip]
    next: &[
        1, X, 2, X,
        X, 0, X, X,
        X, X, X, 0,
    ],
    starts_violated: false,
};

fn watch() -> Arc<Watch> {
    Arc::new(Watch::builder(&DESIGN).with(&MUTEX, Reaction::Log).build().expect("they belong together"))
}

/// Lets others go on once.
fn pause() -> impl Future<Output = ()> {
    let mut is_first = true;
    poll_fn(move |_| if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) })
}

async fn holds_the_lock() {
    let guard = locked!("m", Box::new(()));
    pause().await;
    drop(guard);
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn events_belong_to_the_task_that_is_polled() {
    let watch = watch();
    let _installed = install_here(Arc::clone(&watch));
    let (mut one, mut two) = (pin!(task("one", holds_the_lock())), pin!(task("two", holds_the_lock())));
    // Both hold the lock at the same time, as nothing keeps them from it.
    assert!(poll(one.as_mut()).is_pending());
    assert!(poll(two.as_mut()).is_pending());
    assert!(poll(one.as_mut()).is_ready());
    let report = watch.report();
    let lanes: Vec<(&str, &str)> = report.steps.iter().map(|it| (&*it.thread, &*it.event)).collect();
    assert_eq!(lanes, [("one", "one.lock"), ("two", "two.lock"), ("one", "one.unlock")]);
    assert_eq!(report.violated, Some(0));
}

#[test]
fn a_task_within_a_task_has_its_own_name() {
    let watch = watch();
    let _installed = install_here(Arc::clone(&watch));
    let mut both = pin!(task("one", async {
        task("two", holds_the_lock()).await;
        holds_the_lock().await;
    }));
    while poll(both.as_mut()).is_pending() {}
    let events: Vec<String> = watch.report().steps.into_iter().map(|it| it.event).collect();
    assert_eq!(events, ["two.lock", "two.unlock", "one.lock", "one.unlock"]);
    assert_eq!(watch.report().violated, None);
}

/// A task that is cancelled drops its guards: the lock is given back by the task.
#[test]
fn what_a_cancelled_task_drops_is_its_own() {
    let watch = watch();
    let _installed = install_here(Arc::clone(&watch));
    let mut one = Box::pin(task("one", holds_the_lock()));
    assert!(poll(one.as_mut()).is_pending());
    drop(one);
    let events: Vec<String> = watch.report().steps.into_iter().map(|it| it.event).collect();
    assert_eq!(events, ["one.lock", "one.unlock"]);
}

/// Polled by one thread, then by another.
#[test]
fn a_task_may_go_on_in_another_thread() {
    let watch = watch();
    let mut one = Box::pin(task("one", holds_the_lock()));
    for _ in 0..2 {
        let watch = Arc::clone(&watch);
        one = std::thread::spawn(move || {
            let _installed = install_here(watch);
            let _ = poll(one.as_mut());
            one
        })
        .join()
        .expect("nothing panics");
    }
    assert_eq!(watch.report().violated, None);
    assert_eq!(watch.events(), 2);
}

#[test]
fn outside_of_tasks_the_thread_counts() {
    let _installed = install_here(watch());
    let mut one = pin!(task("one", async {}));
    assert!(poll(one.as_mut()).is_ready());
    assert!(matches!(event!("lock", "m"), Answer::Unknown(_)));
}
