//! A case as a program.

use std::cell::RefCell;
use std::sync::Arc;

use rely_runtime::{Reaction, Watch, WatchBuilder, event};

use crate::case::{Case, DESIGN, OWN};
use crate::explore::{Threads, Way, choose, explore, is_over};
use crate::outcome::{Bounds, Outcome};

#[cfg(feature = "loom")]
use loom::sync::Mutex;
#[cfg(not(feature = "loom"))]
use shuttle::sync::Mutex;

/// The methods of the actions.
const METHODS: [&str; 4] = ["a", "b", "c", "d"];

thread_local! {
    /// The case that is explored, and how many steps and calls there are.
    static CASE: RefCell<Option<(Case, usize, usize)>> = const { RefCell::new(None) };
}

fn case() -> (Case, usize, usize) {
    CASE.with(|case| case.borrow().clone()).expect("a case is explored")
}

/// The component: a state behind a lock.
struct Component {
    case: Case,
    state: Mutex<usize>,
}

impl Component {
    /// Takes a step with one of some actions, or none.
    fn step(&self, actions: std::ops::Range<usize>) {
        let mut state = self.state.lock().expect("nobody panics with the lock");
        let targets = |action: usize| self.case.component[*state][action].iter().map(move |&target| (action, target));
        let possible: Vec<(usize, usize)> = actions.flat_map(targets).collect();
        // The last choice is not to do anything.
        if let Some(&(action, target)) = possible.get(choose(possible.len() + 1)) {
            *state = target;
            event(METHODS[action], "it", &[]);
        }
    }
}

fn watch() -> WatchBuilder {
    let (case, ..) = case();
    Watch::builder(&DESIGN).with(case.property, Reaction::Check).with(case.assumption, Reaction::Prune)
}

fn program(threads: &Threads) {
    let (case, own, calls) = case();
    let component = Arc::new(Component { case, state: Mutex::new(0) });
    let environment = Arc::clone(&component);
    threads.spawn("own", move || {
        for _ in 0..own {
            if !is_over() {
                component.step(0..OWN);
            }
        }
    });
    threads.spawn_environment("call", move || {
        for _ in 0..calls {
            if !is_over() {
                environment.step(OWN..METHODS.len());
            }
        }
    });
    threads.run(|| {});
}

/// Explores a case: all its executions with this many steps and calls.
pub fn premise(case: &Case, own: usize, calls: usize) -> Outcome {
    CASE.with(|current| *current.borrow_mut() = Some((case.clone(), own, calls)));
    let most = usize::MAX;
    let bounds = Bounds { events: 1000, calls, preemptions: most, steps: 1000, executions: most };
    explore("premise 1", bounds, Way::DepthFirst, watch, program)
}
