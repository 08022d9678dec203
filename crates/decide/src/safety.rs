//! Safety alone: the search ends with the first error.
//!
//! [`crate::check_reachability`] asks for deadlocks in the same search and so looks further; a premise of a rule asks
//! for errors only.

use std::ops::ControlFlow;

use rely_base::{Budget, Label, StateId};
use rely_explore::{Product, Search, Visitor};
use rely_lts::{ComponentId, Network};

use crate::reachability::trace_to_error;
use crate::{Decision, Explored, ReplayError, Unknown};

/// Looks for a shortest trace to the error state.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_safety(network: &Network, budget: &Budget<'_>) -> Result<Decision, ReplayError> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    let mut first = FirstError::default();
    let outcome = search.run(budget, &mut first);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    match (first.0, outcome) {
        (Some((source, label, component)), _) => {
            let counterexample = trace_to_error(&product, &mut search, source, label, component);
            Decision::violated(network, counterexample, explored)
        }
        (None, Ok(_)) => Ok(Decision::holds(explored, Vec::new())),
        (None, Err(exhausted)) => Ok(Decision::unknown(Unknown::Exhausted(exhausted), explored)),
    }
}

/// The source, label and component of the first transition into the error state.
#[derive(Default)]
struct FirstError(Option<(Option<StateId>, Label, ComponentId)>);

impl Visitor for FirstError {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.0.get_or_insert((source, label, component));
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.0.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
