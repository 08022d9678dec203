//! Explores a program with shuttle: depth first, over the orders of threads *and* over choices of values.
//!
//! An execution is stopped where it does not count any more, because an assumption is broken or a bound is met. That loses
//! nothing: whatever else the choices up to there lead to is explored in other executions. Threads that wait for ever
//! are no failure, unless the bounds say that every execution ends: the execution is over when nothing is left to run.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rely_runtime::{End, Host, Installed, Watch, WatchBuilder, install_here};
use shuttle::rand::{RngCore, thread_rng};
use shuttle::scheduler::{PctScheduler, Schedule, Scheduler, Task, TaskId};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

use crate::outcome::{Bounds, Explored, Failure, Outcome, quietly, stuck};

/// How to choose among the executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// All of them, within the bounds.
    DepthFirst,
    /// As many as the bounds say, or 10,000, at random.
    Random {
        /// Where the random numbers start.
        seed: u64,
    },
    /// As many as the bounds say, or 10,000, by random priorities of threads, which finds what needs few switches.
    Pct {
        /// Where the random numbers start.
        seed: u64,
        /// How many switches a mistake needs, at most.
        depth: usize,
    },
}

/// What an execution shares with the scheduler.
#[derive(Default)]
struct Shared {
    watch: Option<Arc<Watch>>,
    installed: Option<Installed>,
    /// Whether the main thread still starts the others.
    is_starting: bool,
    /// The threads that have not ended.
    running: BTreeSet<&'static str>,
    /// Whether they have to end by themselves.
    ends: bool,
    /// Nothing was left to run but the main thread, twice in a row.
    is_stuck: bool,
    explored: Explored,
    /// The choices of the current execution.
    path: Vec<Branch>,
    preemptions: usize,
}

#[derive(Clone, Copy, Debug)]
struct Branch {
    chosen: usize,
    count: usize,
}

thread_local! {
    /// Tasks of shuttle share a thread of the operating system, and so do they and the scheduler.
    static SHARED: RefCell<Shared> = RefCell::new(Shared::default());
    /// How many values there are to choose from.
    static VALUES: Cell<usize> = const { Cell::new(1) };
    /// The names of the tasks that run.
    static NAMES: RefCell<HashMap<usize, &'static str>> = RefCell::new(HashMap::new());
}

fn with_shared<T>(f: impl FnOnce(&mut Shared) -> T) -> T {
    SHARED.with(|shared| f(&mut shared.borrow_mut()))
}

/// One of `count` values, each of which is explored.
pub fn choose(count: usize) -> usize {
    if count <= 1 {
        return 0;
    }
    VALUES.set(count);
    let value = thread_rng().next_u64();
    usize::try_from(value % count as u64).unwrap_or(0)
}

/// Whether the execution does not count any more.
pub fn is_over() -> bool {
    with_shared(|shared| shared.watch.as_ref().is_some_and(|watch| watch.end().is_some()))
}

/// Lets other threads go on before a choice is made.
pub fn pause() {
    // Any operation of shuttle is a point where threads may be switched.
    shuttle::sync::atomic::AtomicBool::new(false).load(std::sync::atomic::Ordering::SeqCst);
}

/// Whether the assumptions let a thread call a method now.
pub fn allows(thread: &str, method: &str, object: &str) -> bool {
    let watch = with_shared(|shared| shared.watch.clone());
    watch.is_none_or(|watch| watch.allows(thread, method, object))
}

/// The threads of shuttle.
struct Tasks;

impl Host for Tasks {
    fn with_thread_name(&self, f: &mut dyn FnMut(&str)) {
        let task = shuttle::current::try_get_current_task().map(usize::from);
        let name = task.and_then(|task| NAMES.with(|names| names.borrow().get(&task).copied()));
        f(name.unwrap_or_default());
    }

    fn rename(&self, name: Option<&'static str>) -> Option<&'static str> {
        let task = usize::from(shuttle::current::try_get_current_task()?);
        NAMES.with(|names| match name {
            Some(name) => names.borrow_mut().insert(task, name),
            None => names.borrow_mut().remove(&task),
        })
    }

    fn ended(&self) {
        // The scheduler sees that the execution is over, and stops it here.
        shuttle::thread::yield_now();
    }
}

/// A program that is being started.
#[derive(Debug)]
pub struct Threads(());

impl Threads {
    /// Starts a thread.
    pub fn spawn(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        with_shared(|shared| shared.running.insert(name));
        shuttle::thread::spawn(move || {
            let task = usize::from(shuttle::current::me());
            NAMES.with(|names| names.borrow_mut().insert(task, name));
            body();
            with_shared(|shared| shared.running.remove(name));
        });
    }

    /// Starts a thread that ends by itself, which makes no difference here.
    pub fn spawn_environment(&self, name: &'static str, body: impl FnOnce() + Send + 'static) {
        self.spawn(name, body);
    }

    /// Runs the threads until nothing is left to run; then tells them to stop, and runs them again.
    pub fn run(&self, stop: impl FnOnce()) {
        with_shared(|shared| shared.is_starting = false);
        shuttle::thread::yield_now();
        let watch =
            with_shared(|shared| shared.watch.clone().filter(|_| shared.ends && !shared.running.is_empty()));
        if let Some(watch) = watch {
            let running = with_shared(|shared| shared.running.clone());
            panic!("{}", stuck(&running, &watch));
        }
        stop();
        while with_shared(|shared| !shared.running.is_empty()) {
            with_shared(|shared| shared.is_stuck = true);
            shuttle::thread::yield_now();
        }
    }
}

/// Explores a program: `watch` says what is watched, `program` starts the threads.
pub fn explore(
    question: &str,
    bounds: Bounds,
    way: Way,
    watch: fn() -> WatchBuilder,
    program: fn(&Threads),
) -> Outcome {
    with_shared(|shared| *shared = Shared { ends: bounds.ends, ..Shared::default() });
    let replayed = std::env::var("RELY_REPLAY").ok().map(|text| read_replay(&text));
    let guide = Guide::new(bounds, way, replayed);
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = MaxSteps::None;
    config.stack_size = 0x2_0000;
    let body = move || {
        let watch =
            watch().bound(bounds.events).host(Tasks).build().expect("the monitors belong to the design");
        let watch = Arc::new(watch);
        with_shared(|shared| {
            shared.watch = Some(Arc::clone(&watch));
            // The watch of the execution before, if it was stopped, goes first.
            shared.installed = None;
            shared.installed = Some(install_here(watch));
        });
        program(&Threads(()));
    };
    let caught = quietly(|| catch_unwind(AssertUnwindSafe(|| Runner::new(guide, config).run(body))));
    let (mut explored, path, watch) = with_shared(|shared| {
        shared.installed = None;
        (std::mem::take(&mut shared.explored), std::mem::take(&mut shared.path), shared.watch.take())
    });
    let failure = caught.err().map(|payload| {
        let report = watch.map(|watch| watch.report());
        if let Some(report) = &report {
            explored.count(report);
        }
        Failure::of_panic(&*payload, report, written_replay(&path))
    });
    Outcome { question: question.to_owned(), explored, failure }
}

/// The choices as text: `0.2.1`; ends that are all 0 are left out.
fn written_replay(path: &[Branch]) -> String {
    let end = path.iter().rposition(|branch| branch.chosen > 0).map_or(0, |last| last + 1);
    let choices: Vec<String> = path[..end].iter().map(|branch| branch.chosen.to_string()).collect();
    format!(".{}", choices.join("."))
}

fn read_replay(text: &str) -> Vec<usize> {
    text.split('.').filter_map(|choice| choice.parse().ok()).collect()
}

/// How many executions are drawn at random if no bound says it.
const DRAWN: usize = 10_000;

/// The scheduler: every decision, about threads and about values, is a branch of one path.
struct Guide {
    bounds: Bounds,
    way: Way,
    /// The first choices of every execution, if one is replayed.
    replayed: Option<Vec<usize>>,
    /// How many choices of the current execution have been made.
    depth: usize,
    random: u64,
    pct: Option<PctScheduler>,
    is_first: bool,
}

impl Guide {
    fn new(mut bounds: Bounds, way: Way, replayed: Option<Vec<usize>>) -> Self {
        if way != Way::DepthFirst && bounds.executions == usize::MAX {
            bounds.executions = DRAWN;
        }
        let (random, pct) = match way {
            Way::DepthFirst => (0, None),
            Way::Random { seed } => (seed, None),
            Way::Pct { seed, depth } => (seed, Some(PctScheduler::new_from_seed(seed, depth, usize::MAX))),
        };
        // Xorshift never leaves 0.
        let random = random.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { bounds, way, replayed, depth: 0, random, pct, is_first: true }
    }

    /// Counts the execution that has ended, and makes the path the beginning of the next one.
    fn next_path(&mut self, shared: &mut Shared) -> bool {
        if !self.is_first {
            if let Some(watch) = shared.watch.take() {
                shared.explored.count(&watch.report());
            }
            if shared.explored.executions >= self.bounds.executions {
                shared.explored.bounded.insert("executions");
                return false;
            }
            if self.replayed.is_some() {
                return false;
            }
        }
        match self.way {
            Way::DepthFirst if !self.is_first => {
                while shared.path.last().is_some_and(|branch| branch.chosen + 1 >= branch.count) {
                    shared.path.pop();
                }
                match shared.path.last_mut() {
                    Some(branch) => branch.chosen += 1,
                    None => return false,
                }
            }
            Way::DepthFirst => {}
            // What is drawn at random is never everything.
            Way::Random { .. } | Way::Pct { .. } => {
                shared.explored.bounded.insert("random");
                shared.path.clear();
            }
        }
        self.is_first = false;
        true
    }

    /// Decides among some possibilities.
    fn decide(&mut self, shared: &mut Shared, count: usize, wanted: Option<usize>) -> usize {
        let depth = self.depth;
        self.depth += 1;
        shared.explored.steps += 1;
        if let Some(branch) = shared.path.get(depth) {
            assert_eq!(
                branch.count, count,
                "the program does not do the same for the same choices, so it cannot be explored"
            );
            return branch.chosen;
        }
        let chosen = match (&self.replayed, wanted, self.way) {
            (Some(choices), ..) => choices.get(depth).copied().unwrap_or(0).min(count - 1),
            (None, Some(wanted), _) => wanted,
            (None, None, Way::DepthFirst) => 0,
            (None, None, _) => usize::try_from(self.next_random() % count as u64).unwrap_or(0),
        };
        shared.path.push(Branch { chosen, count });
        chosen
    }

    /// Xorshift, which is enough to choose among threads.
    fn next_random(&mut self) -> u64 {
        let mut state = self.random;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.random = state;
        state >> 8
    }

    fn choose_task(
        &mut self,
        shared: &mut Shared,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        match shared.watch.as_ref().and_then(|watch| watch.end()) {
            // The thread that panics ends, and gives back what it holds. Nothing is to be explored any more.
            Some(End::Failed) => {
                let goes_on = runnable.iter().find(|task| Some(task.id()) == current).or(runnable.first());
                return goes_on.map(|task| task.id());
            }
            Some(_) => return None,
            None => {}
        }
        if self.depth >= self.bounds.steps {
            shared.explored.bounded.insert("steps");
            return None;
        }
        let is_main = |task: &&&Task| usize::from(task.id()) == 0;
        if shared.is_starting
            && let Some(main) = runnable.iter().find(is_main)
        {
            return Some(main.id());
        }
        let others: Vec<&Task> = runnable.iter().filter(|task| !is_main(task)).copied().collect();
        if others.is_empty() {
            if shared.is_stuck {
                shared.explored.blocked += 1;
                return None;
            }
            return runnable.first().map(|main| main.id());
        }
        shared.is_stuck = false;
        // The current thread comes first, so that the first execution has no preemption.
        let going_on = others.iter().position(|task| !is_yielding && Some(task.id()) == current);
        let mut options = others.clone();
        if let Some(place) = going_on {
            options.swap(0, place);
            if shared.preemptions >= self.bounds.preemptions && options.len() > 1 {
                shared.explored.bounded.insert("preemptions");
                options.truncate(1);
            }
        }
        let wanted = self.pct.as_mut().and_then(|pct| pct.next_task(&options, current, is_yielding));
        let wanted = wanted.and_then(|task| options.iter().position(|option| option.id() == task));
        let chosen = if options.len() == 1 { 0 } else { self.decide(shared, options.len(), wanted) };
        shared.preemptions += usize::from(going_on.is_some() && chosen > 0);
        Some(options[chosen].id())
    }
}

impl Scheduler for Guide {
    fn new_execution(&mut self) -> Option<Schedule> {
        let goes_on = with_shared(|shared| {
            shared.running.clear();
            shared.preemptions = 0;
            shared.is_starting = true;
            shared.is_stuck = false;
            self.next_path(shared)
        });
        self.depth = 0;
        NAMES.with(|names| names.borrow_mut().clear());
        if let Some(pct) = &mut self.pct {
            pct.new_execution()?;
        }
        goes_on.then(|| Schedule::new(0))
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        with_shared(|shared| {
            let task = self.choose_task(shared, runnable, current, is_yielding);
            if task.is_none() {
                // What is dropped while shuttle clears up is no event.
                shared.watch.iter().for_each(|watch| watch.close());
            }
            task
        })
    }

    fn next_u64(&mut self) -> u64 {
        let count = VALUES.get();
        with_shared(|shared| self.decide(shared, count, None)) as u64
    }
}
