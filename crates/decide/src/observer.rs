//! Whether a part of a behaviour that watches the others ever fails.
//!
//! What else fails in a run is not the question, but nothing happens after it. So a failure of another part ends a run
//! without an answer, unless the observer fails in the same step. Called for property processes that are put beside a model
//! ([`Behaviour::watched_by`](rely_lts::Behaviour::watched_by)).

use std::ops::ControlFlow;

use rely_base::{Budget, Id, Label, StateId};
use rely_explore::{Composite, Machine, Search, Visitor};
use rely_lts::{BehaviourRef, ComponentId};

use crate::reachability::{Failure, trace_to_error};
use crate::{Decision, Explored, Limit, ReplayError, Unknown, check_safety_of};

/// Looks for a shortest trace by which the observer fails. In a program it has to be the first unit: where several units
/// fail in one step, the first of them is the one that fails.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_observer<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    observer: ComponentId,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    match behaviour.into() {
        BehaviourRef::Network(network) => check_safety_of(network, &[observer], budget).map(Decision::from),
        BehaviourRef::Program(program) => {
            debug_assert_eq!(observer.index(), 0, "the failure of an observer goes first");
            first_failure(&Machine::transparent(program), observer, budget)
        }
    }
}

fn first_failure<C: Composite>(
    system: &C,
    observer: ComponentId,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    let mut search = Search::new(system);
    let mut watch = Watch { observer, failure: None, cut: None };
    let outcome = search.run(budget, &mut watch);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    match (watch.failure, outcome, watch.cut) {
        (Some(failure), ..) => {
            let held = search.bytes();
            let told = trace_to_error(system, &mut search, failure, budget, held);
            Decision::violated(system.behaviour(), told, explored, budget)
        }
        (None, Err(exhausted), _) => Ok(Decision::unknown(Limit::Answer(exhausted), explored)),
        (None, Ok(_), Some(unit)) => Ok(Decision::unknown(Unknown::Cut(unit), explored)),
        (None, Ok(_), None) => Ok(Decision::holds(explored, Vec::new())),
    }
}

/// Notes the first failure of the observer, and who leaves the bounds of what is explored.
struct Watch {
    observer: ComponentId,
    failure: Option<Failure>,
    cut: Option<ComponentId>,
}

impl Visitor for Watch {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        if component == self.observer {
            self.failure.get_or_insert((source, label, component));
        }
    }

    fn cut(&mut self, _source: StateId, _label: Label, component: ComponentId) {
        self.cut.get_or_insert(component);
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
