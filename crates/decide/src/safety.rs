//! Safety alone: the search ends with the first error.
//!
//! [`crate::check_reachability`] looks for deadlocks in the same search and so searches further; a premise of a rule
//! is only about errors. [`check_safety`] searches all states until it finds one. [`SafetySearch`] searches all
//! states as long as they are few, and then only those that stubborn sets lead to; and it can be paused and
//! continued, so that a caller can try other ways in between.

use std::ops::ControlFlow;

use rely_base::{ActionId, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Machine, Outcome, Product, Search, StubbornSearch, Visitor, shortened};
use rely_lts::{ComponentId, Network, Program};

use crate::reachability::{Failure, TraceEffort, tell_prey, trace_to_error};
use crate::{Decision, Explored, Limit, ReplayError, Unknown};

/// Looks for a shortest trace to the error state.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_safety(network: &Network, budget: &Budget<'_>) -> Result<Decision<Limit>, ReplayError> {
    first_failure(network, None, budget)
}

/// Looks for a shortest trace by which one of some components fails. If another one fails, a run ends; in its last
/// step several may fail at once.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_safety_of(
    network: &Network,
    components: &[ComponentId],
    budget: &Budget<'_>,
) -> Result<Decision<Limit>, ReplayError> {
    first_failure(network, Some(components), budget)
}

/// Looks for a shortest trace by which one of some units of a program fails. If another one fails, a run ends; of
/// several units that would fail in a step, the first is the one that does. If runs leave the bounds within which the
/// program is explored, a property that is not violated is unknown.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_units(
    program: &Program,
    units: &[ComponentId],
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    let machine = Machine::transparent(program);
    let mut search = Search::new(&machine);
    let mut watch = FirstFailure { meant: units, first: FirstError::default(), cut: None };
    let outcome = search.run(budget, &mut watch);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    match (watch.first.0, outcome) {
        (Some(failure), _) => {
            let held = search.bytes();
            let told = trace_to_error(&machine, &mut search, failure, budget, held);
            Decision::violated(program.into(), told, explored, budget)
        }
        (None, Err(exhausted)) => Ok(Decision::unknown(Limit::Answer(exhausted), explored)),
        (None, Ok(_)) => Ok(match watch.cut {
            Some(unit) => Decision::unknown(Unknown::Cut(unit), explored),
            None => Decision::holds(explored, Vec::new()),
        }),
    }
}

/// The first failure of some units, and the first unit that leaves the bounds.
struct FirstFailure<'a> {
    meant: &'a [ComponentId],
    first: FirstError,
    cut: Option<ComponentId>,
}

impl Visitor for FirstFailure<'_> {
    fn error(&mut self, source: Option<StateId>, label: Label, unit: ComponentId) {
        if self.meant.contains(&unit) {
            self.first.error(source, label, unit);
        }
    }

    fn cut(&mut self, _source: StateId, _label: Label, unit: ComponentId) {
        self.cut.get_or_insert(unit);
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        self.first.expanded(state, words, transitions)
    }
}

/// Looks for the first failure of one of some components, or of any.
fn first_failure(
    network: &Network,
    meant: Option<&[ComponentId]>,
    budget: &Budget<'_>,
) -> Result<Decision<Limit>, ReplayError> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    let mut failure =
        FirstErrorOf { product: &product, meant, first: FirstError::default(), unclear: Vec::new() };
    let outcome = search.run(budget, &mut failure);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    match (failure.first.0, outcome) {
        (Some(failure), _) => {
            let held = search.bytes();
            let told = trace_to_error(&product, &mut search, failure, budget, held);
            Decision::violated(network.into(), told, explored, budget)
        }
        (None, Ok(_)) => Ok(Decision::holds(explored, Vec::new())),
        (None, Err(exhausted)) => Ok(Decision::unknown(Limit::Answer(exhausted), explored)),
    }
}

/// The source, label and component of the first transition into the error state.
#[derive(Default)]
struct FirstError(Option<Failure>);

impl Visitor for FirstError {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        self.0.get_or_insert((source, label, component));
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.0.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Finds the first failure of one of some components.
///
/// A step by which several components fail is shown with the first of them.
struct FirstErrorOf<'a, 'n> {
    product: &'a Product<'n>,
    /// The components that count; `None` if all do.
    meant: Option<&'a [ComponentId]>,
    first: FirstError,
    /// Labels of steps of the current state by which a component fails that does not count.
    unclear: Vec<Label>,
}

impl FirstErrorOf<'_, '_> {
    /// A component that counts and may fail by an action, perhaps together with others, in a tuple of states.
    ///
    /// The participants of an action choose their targets independently, so a component that may go to its error
    /// state does so in some of the steps.
    fn failing(&self, tuple: &[StateId], label: Label) -> Option<ComponentId> {
        let network = self.product.network();
        let fails = |&id: &ComponentId| {
            let lts = &network.components()[id.index()].lts;
            let own = network.actions_of(id).iter().position(|&action| Some(action) == label.action());
            let own = own.map(|own| Label::visible(ActionId::from_index(own)));
            own.is_some_and(|own| {
                let edges = lts.edges_with(tuple[id.index()], own);
                edges.iter().any(|edge| Some(edge.target) == lts.error())
            })
        };
        self.meant?.iter().copied().find(fails)
    }
}

impl Visitor for FirstErrorOf<'_, '_> {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        let Some(meant) = self.meant.filter(|meant| !meant.contains(&component)) else {
            return self.first.error(source, label, component);
        };
        let has_failed = |id: &ComponentId| {
            let lts = &self.product.network().components()[id.index()].lts;
            lts.error() == Some(lts.initial())
        };
        match source {
            Some(_) => self.unclear.push(label),
            // All components that start in their error state have failed.
            None => {
                if let Some(&failed) = meant.iter().find(|id| has_failed(id)) {
                    self.first.error(source, label, failed);
                }
            }
        }
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        if !self.unclear.is_empty() {
            let tuple = self.product.unpack(words);
            for label in std::mem::take(&mut self.unclear) {
                if let Some(component) = self.failing(&tuple, label) {
                    self.first.error(Some(state), label, component);
                }
            }
        }
        self.first.expanded(state, words, transitions)
    }
}

/// A search for an error that can be paused and continued.
pub struct SafetySearch<'p, 'n> {
    product: &'p Product<'n>,
    /// The search of all states, which gives shortest traces.
    all: Search<'p, Product<'n>>,
    first: FirstError,
    /// The search of some of the states, once there are many; `None` if all states have to be searched.
    some: Option<StubbornSearch<'p, 'n>>,
    first_of_some: FirstError,
    /// A network with at most this number of states is searched completely.
    small: usize,
    /// The effort allowed for making a trace shortest, after a search of some of the states.
    trace_effort: TraceEffort,
}

impl<'p, 'n> SafetySearch<'p, 'n> {
    /// A search that has not begun.
    pub fn new(product: &'p Product<'n>) -> Self {
        let may_reduce = product.network().priority().is_none();
        Self {
            product,
            all: Search::new(product),
            first: FirstError::default(),
            some: may_reduce.then(|| StubbornSearch::new(product)),
            first_of_some: FirstError::default(),
            small: 1 << 14,
            trace_effort: TraceEffort::BRIEF,
        }
    }

    /// Looks at all states, without a reduction, as long as there are fewer than `small`.
    #[must_use]
    pub fn with_all_below(self, small: usize) -> Self {
        Self { small, ..self }
    }

    /// The most states that were held at once.
    pub fn states(&self) -> usize {
        self.all.states().len().max(self.some.as_ref().map_or(0, |some| some.states().len()))
    }

    /// How many steps a failure takes at least, as far as that is known.
    pub fn least_steps(&self) -> usize {
        self.all.steps_seen()
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.all.bytes() + self.some.as_ref().map_or(0, StubbornSearch::bytes)
    }

    /// Continues until there is a decision, or until `states` states are known.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn run_until(
        &mut self,
        states: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<Decision<Limit>>, ReplayError> {
        let most = if self.some.is_some() { states.min(self.small) } else { states };
        match self.all.run_until(most, budget, &mut self.first) {
            Ok(Outcome::Paused) => {}
            end => return self.decide(end, budget).map(Some),
        }
        let (Some(some), true) = (&mut self.some, states > self.small) else { return Ok(None) };
        let rest = budget.after_holding(self.all.bytes());
        match some.run_until(states, &rest, &mut self.first_of_some) {
            Ok(Outcome::Paused) => Ok(None),
            end => self.decide(end, budget).map(Some),
        }
    }

    fn decide(
        &mut self,
        end: Result<Outcome, Exhausted>,
        budget: &Budget<'_>,
    ) -> Result<Decision<Limit>, ReplayError> {
        if self.first_of_some.0.is_some() {
            // If it gives up, the other search has found a trace.
            let held = self.some.as_ref().map_or(0, StubbornSearch::bytes);
            let _ = self.all.run(&self.trace_effort.after(self.states(), held, budget), &mut self.first);
        }
        let (network, held) = (self.product.network(), self.bytes());
        let explored = Explored { states: self.states(), transitions: self.transitions() };
        if let Some(failure) = self.first.0 {
            let told = trace_to_error(self.product, &mut self.all, failure, budget, held);
            return Decision::violated(network.into(), told, explored, budget);
        }
        if let (Some(some), Some((source, label, component))) = (&mut self.some, self.first_of_some.0) {
            let least = self.all.steps_seen();
            let path = source.map_or(Ok(Vec::new()), |source| some.try_trace_to(source, budget));
            let told = path.and_then(|path| {
                let prey = shortened(self.product, some.states(), &path, (label, component));
                tell_prey(self.product, prey, least, budget, held)
            });
            return Decision::violated(network.into(), told, explored, budget);
        }
        Ok(match end {
            Ok(_) => Decision::holds(explored, Vec::new()),
            Err(exhausted) => Decision::unknown(Limit::Answer(exhausted), explored),
        })
    }

    /// The number of transitions of the larger of the two searches.
    pub fn transitions(&self) -> usize {
        self.all.transitions().max(self.some.as_ref().map_or(0, StubbornSearch::transitions))
    }
}

#[cfg(test)]
mod tests {
    use rely_base::Limits;
    use rely_lts::Component;
    use rely_lts::operators::complete;
    use rely_testkit::networks::{self, Shape, from_transitions};
    use rely_testkit::rng::{Rng, is_single_seed, seeds};

    use super::*;
    use crate::Verdict;

    #[test]
    fn some_of_the_states_show_the_same_and_say_whether_it_is_shortest() {
        let mut unsaid = 0;
        for seed in seeds(3_000) {
            let network = networks::network(&mut Rng::new(seed), &Shape { components: 6, ..Shape::FULL });
            let expected = check_safety(&network, &Budget::UNLIMITED).expect("it can be replayed").verdict;
            for states in [0, usize::MAX] {
                let product = Product::transparent(&network);
                let mut search = SafetySearch {
                    small: 2,
                    trace_effort: TraceEffort { states, times: 0 },
                    ..SafetySearch::new(&product)
                };
                let decision = search.run_until(usize::MAX, &Budget::UNLIMITED).expect("it can be replayed");
                match (decision.expect("nothing puts it off").verdict, &expected) {
                    (Verdict::Violated(found), Verdict::Violated(shortest)) => {
                        let excess = found.trace.len() - shortest.trace.len();
                        assert!(excess == 0 || !found.is_shortest, "seed {seed}");
                        assert!(found.is_shortest || states == 0, "seed {seed}");
                        unsaid += usize::from(!found.is_shortest);
                    }
                    (Verdict::Holds(_), Verdict::Holds(_)) => {}
                    different => panic!("seed {seed}: {different:?}"),
                }
            }
        }
        assert!(unsaid > 0 || is_single_seed(), "every run was known to be shortest");
    }

    #[test]
    fn two_searches_share_the_memory() {
        let steps: Vec<_> =
            (0..40_000).map(|s| (s, if s < 39_999 { "step" } else { "bad" }, s + 1)).collect();
        let property = complete(&from_transitions(2, &[(0, "step", 0), (1, "bad", 1)]));
        let long = Component::new("LONG", from_transitions(40_001, &steps));
        let network = Network::new(vec![long, Component::new("P", property)]);
        let product = Product::transparent(&network);
        let held = |bytes: Option<usize>| {
            let budget = Budget::new(Limits { states: None, bytes }, None);
            let mut search = SafetySearch { small: 1000, ..SafetySearch::new(&product) };
            let decision = search.run_until(usize::MAX, &budget).expect("it can be replayed");
            let verdict = decision.expect("nothing puts it off").verdict;
            assert_eq!(verdict.counterexample().is_some(), bytes.is_none());
            search.bytes()
        };
        let most = held(None);
        for limit in [most - 1, most - most / 8, most / 2] {
            let held = held(Some(limit));
            assert!(held <= limit, "{held} bytes where {limit} are allowed");
        }
    }
}
