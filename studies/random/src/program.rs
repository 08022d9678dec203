//! A component as a program.

use std::cell::RefCell;
use std::sync::Arc;

use rely_runtime::{Automaton, Reaction, Watch, WatchBuilder, event};

use crate::case::{Case, DESIGN, OWN, State};
use crate::explore::{Threads, Way, choose, explore, is_over};
use crate::outcome::{Bounds, Outcome};
use crate::texts::Written;

#[cfg(feature = "loom")]
use loom::sync::Mutex;
#[cfg(not(feature = "loom"))]
use shuttle::sync::Mutex;

/// The methods of the actions.
const METHODS: [&str; 4] = ["a", "b", "c", "d"];

/// The moves of each state: actions, of which those beyond the methods are silent, and states.
type Moves = Arc<dyn Fn(State) -> Vec<(usize, State)> + Send + Sync>;

/// What is explored.
#[derive(Clone)]
struct Premise {
    moves: Moves,
    assumption: &'static Automaton,
    property: &'static Automaton,
    own: usize,
    calls: usize,
}

thread_local! {
    /// What is explored now.
    static PREMISE: RefCell<Option<Premise>> = const { RefCell::new(None) };
}

fn current() -> Premise {
    PREMISE.with(|premise| premise.borrow().clone()).expect("a premise is explored")
}

/// The component: a state behind a lock.
struct Component {
    moves: Moves,
    state: Mutex<State>,
}

impl Component {
    /// Takes a step that belongs to the component or to its environment, or none.
    fn step(&self, is_own: bool) {
        let mut state = self.state.lock().expect("nobody panics with the lock");
        let is_owns = |action: usize| action < OWN || action >= METHODS.len();
        let possible: Vec<(usize, State)> =
            (self.moves)(*state).into_iter().filter(|&(action, _)| is_owns(action) == is_own).collect();
        // The last choice is not to do anything.
        if let Some(&(action, target)) = possible.get(choose(possible.len() + 1)) {
            *state = target;
            if let Some(method) = METHODS.get(action) {
                event(method, "it", &[]);
            }
        }
    }
}

fn watch() -> WatchBuilder {
    let Premise { assumption, property, .. } = current();
    Watch::builder(&DESIGN).with(property, Reaction::Check).with(assumption, Reaction::Prune)
}

fn program(threads: &Threads) {
    let Premise { moves, own, calls, .. } = current();
    let component = Arc::new(Component { moves, state: Mutex::new([(0, 0); 2]) });
    let environment = Arc::clone(&component);
    threads.spawn("own", move || {
        for _ in 0..own {
            if !is_over() {
                component.step(true);
            }
        }
    });
    threads.spawn_environment("call", move || {
        for _ in 0..calls {
            if !is_over() {
                environment.step(false);
            }
        }
    });
    threads.run(|| {});
}

/// Explores a case: all its executions with this many steps and calls.
pub fn premise(case: &Case, own: usize, calls: usize) -> Outcome {
    premise_by(case, own, calls, Way::DepthFirst)
}

/// Explores a case in some way.
pub fn premise_by(case: &Case, own: usize, calls: usize, way: Way) -> Outcome {
    let component = case.component.clone();
    let moves = move |[(state, _), other]: State| {
        let of = |(action, targets): (usize, &Vec<usize>)| -> Vec<(usize, State)> {
            targets.iter().map(|&target| (action, [(target, 0), other])).collect()
        };
        component[state].iter().enumerate().flat_map(of).collect()
    };
    let premise =
        Premise { moves: Arc::new(moves), assumption: case.assumption, property: case.property, own, calls };
    explored(premise, way)
}

/// Explores a component that was written in Rust.
pub fn written_premise(written: &Written, own: usize, calls: usize) -> Outcome {
    let Written { moves, assumption, property } = *written;
    explored(Premise { moves: Arc::new(moves), assumption, property, own, calls }, Way::DepthFirst)
}

fn explored(premise: Premise, way: Way) -> Outcome {
    let most = usize::MAX;
    let bounds = Bounds {
        events: 1000,
        calls: premise.calls,
        preemptions: most,
        steps: 1000,
        executions: most,
        ends: false,
    };
    PREMISE.with(|current| *current.borrow_mut() = Some(premise));
    explore("premise 1", bounds, way, watch, program)
}
