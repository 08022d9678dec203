//! Deadlock and safety.
//!
//! Problem: can the network reach a state where nothing is possible though it has not terminated; can a component
//! reach its error state? Idea: both are questions about reachable states, so one breadth-first search answers both,
//! and the first state found of a kind is nearest to the initial one. The search ends when both are violated.
//!
//! Cost: time O(states + transitions) of the product, memory as for [`Search`].

use std::ops::ControlFlow;

use rely_base::{Budget, Id, Label, StateId};
use rely_explore::{Product, Search, System, Visitor, is_terminated};
use rely_lts::{ComponentId, Network};

use crate::counterexample::Storyteller;
use crate::{Counterexample, Decision, Ending, Explored, ReplayError, Unknown, Vacuity};

/// Whether a network can get stuck, and whether it can fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachability {
    /// Violated when the network can get stuck.
    pub deadlock: Decision,
    /// Violated when a component can reach its error state; the ending of the counterexample names it.
    pub safety: Decision,
}

/// Looks for a shortest trace to a deadlock and for one to the error state.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_reachability(network: &Network, budget: &Budget<'_>) -> Result<Reachability, ReplayError> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    let mut watch = Watch::new(&product);
    let outcome = search.run(budget, &mut watch);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    let rest = |vacuity: Vec<Vacuity>| match &outcome {
        Ok(_) => Decision::holds(explored, vacuity),
        Err(exhausted) => Decision::unknown(Unknown::Exhausted(exhausted.clone()), explored),
    };
    let deadlock = match watch.deadlock {
        None => rest(watch.unmoved()),
        Some(state) => {
            let counterexample = trace_to(&product, &mut search, state);
            Decision::violated(network, counterexample, explored)?
        }
    };
    let safety = match watch.error {
        None => rest(watch.inactive_properties()),
        Some((source, label, component)) => {
            let counterexample = trace_to_error(&product, &mut search, source, label, component);
            Decision::violated(network, counterexample, explored)?
        }
    };
    Ok(Reachability { deadlock, safety })
}

/// The shortest run to a state where nothing is possible.
fn trace_to(product: &Product<'_>, search: &mut Search<'_, Product<'_>>, state: StateId) -> Counterexample {
    let path = search.trace_to(state);
    let story = Storyteller { product, states: search.states() };
    let steps = story.steps(StateId::from_raw(0), path.into_iter().map(|step| (step.label, step.target)));
    Counterexample::new(product.network(), steps, Ending::Deadlock)
}

/// The shortest run to a failure of a component.
pub(crate) fn trace_to_error(
    product: &Product<'_>,
    search: &mut Search<'_, Product<'_>>,
    source: Option<StateId>,
    label: Label,
    component: ComponentId,
) -> Counterexample {
    let mut steps = Vec::new();
    if let Some(source) = source {
        let path = search.trace_to(source);
        let story = Storyteller { product, states: search.states() };
        steps = story.steps(StateId::from_raw(0), path.into_iter().map(|step| (step.label, step.target)));
        steps.push(story.failing_step(source, label, component));
    }
    Counterexample::new(product.network(), steps, Ending::Error(component))
}

/// Notes the first deadlock and the first error, and what speaks against a verdict that holds.
struct Watch<'p, 'n> {
    product: &'p Product<'n>,
    deadlock: Option<StateId>,
    /// The source, label and component of the first transition into the error state.
    error: Option<(Option<StateId>, Label, ComponentId)>,
    /// By label, whether it has been seen on a transition.
    seen: Vec<bool>,
    /// The initial state.
    initial: Vec<u64>,
    /// The bits in which some state differs from the initial one.
    changed: Vec<u64>,
}

impl<'p, 'n> Watch<'p, 'n> {
    fn new(product: &'p Product<'n>) -> Self {
        let seen = vec![false; 1 + product.network().alphabet().len()];
        let words = vec![0; product.words()];
        Self { product, deadlock: None, error: None, seen, initial: words.clone(), changed: words }
    }

    /// The components that have never left their initial state, although they have others.
    fn unmoved(&self) -> Vec<Vacuity> {
        let moved: Vec<ComponentId> = self.product.components_in(&self.changed).collect();
        let components = self.product.network().components();
        let unmoved = (0..components.len()).map(ComponentId::from_index).filter(|id| {
            components[id.index()].lts.proper_state_count() > 1 && moved.binary_search(id).is_err()
        });
        unmoved.map(Vacuity::ComponentNeverMoves).collect()
    }

    /// The components that can fail, and none of whose actions has occurred.
    fn inactive_properties(&self) -> Vec<Vacuity> {
        let network = self.product.network();
        let inactive = (0..network.components().len()).map(ComponentId::from_index).filter(|&id| {
            let lts = &network.components()[id.index()].lts;
            let occurs = |label: Label| self.seen[label.index()];
            lts.error().is_some()
                && !lts.has_tau()
                && !network.actions_of(id).iter().any(|&action| occurs(Label::visible(action)))
        });
        inactive.map(Vacuity::PropertyNeverActive).collect()
    }
}

impl Visitor for Watch<'_, '_> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        if state.index() == 0 {
            self.initial.copy_from_slice(words);
        }
        for ((changed, initial), word) in self.changed.iter_mut().zip(&self.initial).zip(words) {
            *changed |= initial ^ word;
        }
    }

    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        self.seen[label.index()] = true;
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.error.get_or_insert((source, label, component));
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        if transitions == 0 && self.deadlock.is_none() && !self.product.is_end(words) {
            self.deadlock = Some(state);
        }
        match (self.deadlock, self.error) {
            (Some(_), Some(_)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// How a run ends that stops in a state.
pub(crate) fn ending_in(product: &Product<'_>, words: &[u64]) -> Ending {
    match is_terminated(product, words, &mut product.cursor()) {
        true => Ending::Terminated,
        false => Ending::Deadlock,
    }
}
