//! Explores a program with loom: all orders of threads that can make a difference, for all choices of values.
//!
//! loom leaves out orders of steps that have nothing to do with each other. So every event takes a lock of loom: their order
//! always counts. An execution that does not count any more is muted and runs to its end: leaving it early would lose the
//! races of its last steps, by which loom finds further executions. An execution that fails runs to its end, too, and the next
//! one is not begun: a panic in the middle would drop what other threads hold, and loom cannot be asked for locks then.
//!
//! loom knows no choices of values. They are scripted: for each script all orders are explored, and every choice that was
//! made in one of them is a digit of the script, which counts through all its values. What is chosen first is the same for
//! all scripts that agree up to there, so no combination is left out.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use rely_runtime::{Host, Installed, Report, Watch, WatchBuilder, install_here};

use crate::outcome::{Bounds, Explored, Failure, Outcome, quietly, stuck};

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
    /// The names of tasks, for the threads that poll them now.
    names: HashMap<loom::thread::ThreadId, &'static str>,
    /// The threads that have not ended.
    running: BTreeSet<&'static str>,
    /// Whether they have to end by themselves.
    ends: bool,
    /// What went wrong first.
    failure: Option<Failure>,
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
        let task = with_shared(|shared| shared.names.get(&thread.id()).copied());
        f(task.or(thread.name()).unwrap_or_default());
    }

    fn rename(&self, name: Option<&'static str>) -> Option<&'static str> {
        let thread = loom::thread::current().id();
        with_shared(|shared| match name {
            Some(name) => shared.names.insert(thread, name),
            None => shared.names.remove(&thread),
        })
    }

    fn atomically(&self, f: &mut dyn FnMut()) {
        let _guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f();
    }

    fn failed(&self, report: &Report) {
        fail(report.to_string(), report.clone());
    }
}

/// Remembers what went wrong first.
fn fail(message: String, report: Report) {
    let failure = Failure::new(message, Some(report), String::new());
    with_shared(|shared| _ = shared.failure.get_or_insert(failure));
}

/// How often the main thread lets others go on without anything happening until it believes that none of them can. Whenever it
/// does, one of those that can go on takes a step at least.
const PATIENCE: usize = 32;

/// A program that is being started.
#[derive(Debug, Default)]
pub struct Threads {
    environments: RefCell<Vec<loom::thread::JoinHandle<()>>>,
    others: RefCell<Vec<loom::thread::JoinHandle<()>>>,
}

impl Threads {
    /// Starts a thread that ends when it is told to stop.
    pub fn spawn(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        self.others.borrow_mut().push(start(name, body));
    }

    /// Starts a thread that ends by itself.
    pub fn spawn_environment(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        self.environments.borrow_mut().push(start(name, body));
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
        // If they have ended, there is nobody to be told. What the main thread does not do has no other orders to explore.
        if !(with_shared(|shared| shared.ends) && have_ended()) {
            stop();
        }
        for handle in self.others.take() {
            handle.join().expect("what panics has been reported");
        }
    }
}

fn start(name: &'static str, body: impl FnOnce() + Send + 'static) -> loom::thread::JoinHandle<()> {
    with_shared(|shared| shared.running.insert(name));
    let body = move || {
        body();
        with_shared(|shared| shared.running.remove(name));
    };
    loom::thread::Builder::new().name(name.to_owned()).spawn(body).expect("loom can start threads")
}

/// Lets the threads go on until they have ended. If they wait for ever, that is remembered; they have to be told to stop then, so
/// that the execution ends.
fn have_ended() -> bool {
    let Some(watch) = with_shared(|shared| shared.watch.clone()) else { return true };
    let progress = || (watch.events(), with_shared(|shared| shared.running.len()));
    let (mut before, mut idle) = (progress(), 0);
    while idle < PATIENCE {
        if with_shared(|shared| shared.running.is_empty()) {
            return true;
        }
        loom::thread::yield_now();
        let now = progress();
        idle = if now == before { idle + 1 } else { 0 };
        before = now;
    }
    let running = with_shared(|shared| shared.running.clone());
    fail(stuck(&running, &watch), watch.report());
    watch.close();
    false
}

/// Explores a program: `watch` says what is watched, `program` starts the threads.
pub fn explore(
    question: &str,
    bounds: Bounds,
    _way: Way,
    watch: fn() -> WatchBuilder,
    program: fn(&Threads),
) -> Outcome {
    with_shared(|shared| *shared = Shared { ends: bounds.ends, ..Shared::default() });
    let body = move || {
        let host = Threaded(loom::sync::Mutex::new(()));
        let watch =
            watch().bound(bounds.events).host(host).build().expect("the monitors belong to the design");
        let watch = Arc::new(watch);
        let has_failed = with_shared(|shared| shared.failure.is_some());
        assert!(!has_failed, "the execution before this one has failed");
        with_shared(|shared| {
            shared.made.clear();
            shared.running.clear();
            shared.names.clear();
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
        // To let others go on is a branch, too.
        builder.max_branches = bounds.steps + if bounds.ends { 2 * PATIENCE } else { 0 };
        builder.preemption_bound = (bounds.preemptions < usize::MAX).then_some(bounds.preemptions);
        builder.checkpoint_interval = 100;
        builder.max_permutations = (bounds.executions < usize::MAX).then_some(bounds.executions);
        caught = caught.and(quietly(|| catch_unwind(AssertUnwindSafe(|| builder.check(body)))));
        let goes_on = with_shared(|shared| {
            if shared.failure.is_some() {
                return false;
            }
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
    let (mut explored, watch, failure) = with_shared(|shared| {
        shared.installed = None;
        (std::mem::take(&mut shared.explored), shared.watch.take(), shared.failure.take())
    });
    if bounds.preemptions < usize::MAX {
        explored.bounded.insert("preemptions");
    }
    let failure = failure.or_else(|| {
        let payload = caught.err()?;
        let report = watch.map(|watch| watch.report());
        if let Some(report) = &report {
            explored.count(report);
        }
        Some(Failure::of_panic(&*payload, report, String::new()))
    });
    Outcome { question: question.to_owned(), explored, failure }
}
