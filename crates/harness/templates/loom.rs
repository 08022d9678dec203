//! Explores a program with loom: all orders of threads that can make a difference, for all choices of values.
//!
//! loom leaves out orders of steps that have nothing to do with each other. So every event takes a lock of loom: their order
//! always counts. An execution that does not count any more is muted and runs to its end: leaving it early would lose the
//! races of its last steps, by which loom finds further executions.
//!
//! loom knows no choices of values. They are scripted: for each script all orders are explored, and every choice that was
//! made in one of them is a digit of the script, which counts through all its values. What is chosen first is the same for
//! all scripts that agree up to there, so no combination is left out.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use rely_runtime::{Host, Installed, Watch, WatchBuilder, install_here};

use crate::outcome::{Bounds, Explored, Failure, Outcome, quietly};

/// How to choose among the executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// All of them, within the bounds.
    DepthFirst,
}

/// What the executions share.
#[derive(Default)]
struct Shared {
    watch: Option<Arc<Watch>>,
    installed: Option<Installed>,
    explored: Explored,
    /// The choices of the script, in the order in which they were first made.
    script: Vec<Digit>,
    /// How many choices each thread has made in the current execution.
    made: HashMap<String, usize>,
}

/// A choice: which thread made it, as the how manieth, what it chose, and among how many values.
#[derive(Debug)]
struct Digit {
    thread: String,
    place: usize,
    chosen: usize,
    count: usize,
}

thread_local! {
    /// Threads of loom share a thread of the operating system.
    static SHARED: RefCell<Shared> = RefCell::new(Shared::default());
}

fn with_shared<T>(f: impl FnOnce(&mut Shared) -> T) -> T {
    SHARED.with(|shared| f(&mut shared.borrow_mut()))
}

/// One of `count` values, each of which is explored.
pub fn choose(count: usize) -> usize {
    if count <= 1 {
        return 0;
    }
    let thread = loom::thread::current().name().unwrap_or_default().to_owned();
    with_shared(|shared| {
        let made = shared.made.entry(thread.clone()).or_default();
        let place = *made;
        *made += 1;
        shared.explored.steps += 1;
        match shared.script.iter_mut().find(|digit| digit.thread == thread && digit.place == place) {
            Some(digit) => {
                // In another order of threads there may be more to choose from.
                digit.count = digit.count.max(count);
                digit.chosen % count
            }
            None => {
                shared.script.push(Digit { thread, place, chosen: 0, count });
                0
            }
        }
    })
}

/// Makes the script the next one; `false` after the last.
fn next_script(script: &mut Vec<Digit>) -> bool {
    while script.last().is_some_and(|digit| digit.chosen + 1 >= digit.count) {
        script.pop();
    }
    script.last_mut().map(|digit| digit.chosen += 1).is_some()
}

/// Whether a thread may end early. Here it must not: the races of what it leaves out would lead to further executions.
pub fn is_over() -> bool {
    false
}

/// Lets other threads go on before a choice is made. To ask what is allowed is an operation of loom, which is enough.
pub fn pause() {}

/// Whether the assumptions let a thread call a method now.
pub fn allows(thread: &str, method: &str, object: &str) -> bool {
    let watch = with_shared(|shared| shared.watch.clone());
    watch.is_none_or(|watch| watch.allows(thread, method, object))
}

/// The threads of loom.
struct Threaded(loom::sync::Mutex<()>);

impl Host for Threaded {
    fn with_thread_name(&self, f: &mut dyn FnMut(&str)) {
        let thread = loom::thread::current();
        f(thread.name().unwrap_or_default());
    }

    fn atomically(&self, f: &mut dyn FnMut()) {
        let _guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f();
    }
}

/// A program that is being started.
#[derive(Debug, Default)]
pub struct Threads {
    environments: RefCell<Vec<loom::thread::JoinHandle<()>>>,
    others: RefCell<Vec<loom::thread::JoinHandle<()>>>,
}

impl Threads {
    /// Starts a thread that ends when it is told to stop.
    pub fn spawn(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        let handle = loom::thread::Builder::new().name(name.to_owned()).spawn(body);
        self.others.borrow_mut().push(handle.expect("loom can start threads"));
    }

    /// Starts a thread that ends by itself.
    pub fn spawn_environment(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        let handle = loom::thread::Builder::new().name(name.to_owned()).spawn(body);
        self.environments.borrow_mut().push(handle.expect("loom can start threads"));
    }

    /// Runs the threads until the environments have ended and nothing is left to run; then tells the others to stop.
    ///
    /// loom also explores executions in which this comes earlier, since to stop is a step of the program like any other.
    pub fn run(&self, stop: impl FnOnce()) {
        for handle in self.environments.take() {
            handle.join().expect("what panics has been reported");
        }
        // Who yields goes on last. Without this, the main thread would go on at once, and every execution in which the
        // others do something before they are told to stop would have one preemption more than under shuttle.
        loom::thread::yield_now();
        stop();
        for handle in self.others.take() {
            handle.join().expect("what panics has been reported");
        }
    }
}

/// Explores a program: `watch` says what is watched, `program` starts the threads.
pub fn explore(
    question: &str,
    bounds: Bounds,
    _way: Way,
    watch: fn() -> WatchBuilder,
    program: fn(&Threads),
) -> Outcome {
    with_shared(|shared| *shared = Shared::default());
    let body = move || {
        let host = Threaded(loom::sync::Mutex::new(()));
        let watch = watch().bound(bounds.events).host(host).build().expect("the monitors belong to the design");
        let watch = Arc::new(watch);
        with_shared(|shared| {
            shared.made.clear();
            shared.watch = Some(Arc::clone(&watch));
            shared.installed = None;
            shared.installed = Some(install_here(watch));
        });
        program(&Threads::default());
        with_shared(|shared| {
            shared.installed = None;
            if let Some(watch) = shared.watch.take() {
                shared.explored.count(&watch.report());
            }
        });
    };
    let mut caught = Ok(());
    loop {
        let mut builder = loom::model::Builder::new();
        builder.max_branches = bounds.steps;
        builder.preemption_bound = (bounds.preemptions < usize::MAX).then_some(bounds.preemptions);
        builder.checkpoint_interval = 100;
        builder.max_permutations = (bounds.executions < usize::MAX).then_some(bounds.executions);
        caught = caught.and(quietly(|| catch_unwind(AssertUnwindSafe(|| builder.check(body)))));
        let goes_on = with_shared(|shared| {
            if shared.explored.executions >= bounds.executions {
                shared.explored.bounded.insert("executions");
                return false;
            }
            next_script(&mut shared.script)
        });
        if caught.is_err() || !goes_on {
            break;
        }
    }
    let (mut explored, watch) = with_shared(|shared| {
        shared.installed = None;
        (std::mem::take(&mut shared.explored), shared.watch.take())
    });
    if bounds.preemptions < usize::MAX {
        explored.bounded.insert("preemptions");
    }
    let failure = caught.err().map(|payload| {
        let report = watch.map(|watch| watch.report());
        if let Some(report) = &report {
            explored.count(report);
        }
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let steps = report.map(|report| report.steps).unwrap_or_default();
        Failure {
            message: text.unwrap_or_else(|| "a thread panicked".to_owned()),
            trace: steps.into_iter().map(|step| step.event).collect(),
            replay: String::new(),
        }
    });
    Outcome { question: question.to_owned(), explored, failure }
}
