//! Several counterexamples that differ from one another.
//!
//! Problem: one violation may have several causes, and the user wants to see more than the first. Traces that differ
//! only in the order of independent steps are no use, so runs are distinguished by how they end:
//!
//! - Deadlocks differ if different components wait, or wait for different actions. In a program, whose units have no
//!   states of their own, they differ if the values of the variables do.
//! - Failures differ if another component fails, fails by another action, or fails from another of its states.
//! - Violations of progress differ if they end in different terminal sets of states.
//! - Cycles that break an assertion differ if the actions that recur do (`another_cycle`).
//!
//! Idea: breadth-first search through all states meets the ends in the order of their distance, so that the first run of
//! each kind of end is a shortest one. Runs are replayed as all counterexamples are. Cost: that of a search of all states,
//! unless enough are found earlier.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Composite, Machine, Product, Search, Visitor};
use rely_lts::{BehaviourRef, ComponentId};
use rely_omega::{Assertion, AtomId, Formula, Proposition};
use rustc_hash::FxHashSet;

use crate::counterexample::steps_to;
use crate::reachability::{Failure, trace_to_error};
use crate::{Counterexample, Decision, Ending, Explored, ReplayError, Unknown, Verdict, waiting};

/// What the runs have to show.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// A deadlock.
    Deadlock,
    /// A failure: of any part, or of this component or unit. A simultaneous failure of another one may not be
    /// reported.
    Failure(Option<ComponentId>),
}

/// Runs that differ, shortest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Several {
    /// The runs; all have been replayed.
    pub runs: Vec<Counterexample>,
    /// Whether these are all: every other run ends like one of them.
    pub are_all: bool,
}

/// Looks for at most `most` runs that differ.
///
/// # Errors
/// A run that could not be replayed: a mistake in the program.
pub fn several<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    wanted: Wanted,
    most: usize,
    budget: &Budget<'_>,
) -> Result<Several, ReplayError> {
    match behaviour.into() {
        BehaviourRef::Network(network) => in_system(&Product::transparent(network), wanted, most, budget),
        BehaviourRef::Program(program) => in_system(&Machine::transparent(program), wanted, most, budget),
    }
}

fn in_system<C: Composite>(
    system: &C,
    wanted: Wanted,
    most: usize,
    budget: &Budget<'_>,
) -> Result<Several, ReplayError> {
    let mut search = Search::new(system);
    let mut ends =
        Ends { system, wanted, most, kinds: FxHashSet::default(), found: Vec::new(), failing: Vec::new() };
    let outcome = search.run(budget, &mut ends);
    let are_all = outcome.is_ok() && ends.found.len() < most;
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    let found = ends.found;
    let mut several = Several { runs: Vec::new(), are_all };
    for end in found {
        let held = search.bytes();
        let told = match end {
            End::Stuck(state) => steps_to(system, &mut search, state, budget, 0)
                .map(|steps| Counterexample::new(system.behaviour(), steps, Ending::Deadlock)),
            End::Failed(failure) => trace_to_error(system, &mut search, failure, budget, held),
        };
        several.add(replayed(system.behaviour(), told, explored, budget)?);
    }
    Ok(several)
}

impl Several {
    /// Adds a run; `None` means that a run is missing because of a limit.
    pub(crate) fn add(&mut self, run: Option<Counterexample>) {
        match run {
            Some(run) => self.runs.push(run),
            None => self.are_all = false,
        }
    }
}

/// The run after its replay; `None` if a limit was met.
pub(crate) fn replayed(
    behaviour: BehaviourRef<'_>,
    told: Result<Counterexample, Exhausted>,
    explored: Explored,
    budget: &Budget<'_>,
) -> Result<Option<Counterexample>, ReplayError> {
    Ok(match Decision::<Unknown>::violated(behaviour, told, explored, budget)?.verdict {
        Verdict::Violated(run) => Some(*run),
        Verdict::Holds(_) | Verdict::Unknown(_) => None,
    })
}

/// The end of a run.
enum End {
    Stuck(StateId),
    Failed(Failure),
}

/// Ends of the same kind count as equal.
#[derive(PartialEq, Eq, Hash)]
enum EndKind {
    /// What each waiting component waits for, as numbers of components and actions.
    Waiting(Vec<(usize, Vec<usize>)>),
    /// The numbers of a state.
    State(Vec<u32>),
    /// The component that fails, the label, and the state that it fails from, if it has states.
    Failure(usize, Label, Option<u32>),
}

/// Notes the first end of each kind.
struct Ends<'p, C> {
    system: &'p C,
    wanted: Wanted,
    most: usize,
    kinds: FxHashSet<EndKind>,
    found: Vec<End>,
    /// The failures of the state that is being expanded.
    failing: Vec<Failure>,
}

impl<C: Composite> Ends<'_, C> {
    fn stuck_kind(&self, words: &[u64]) -> EndKind {
        let numbers = self.system.numbers(words);
        let BehaviourRef::Network(network) = self.system.behaviour() else { return EndKind::State(numbers) };
        let waits = waiting(network, &numbers).into_iter().map(|it| {
            (it.component.index(), it.refusals.iter().map(|refusal| refusal.action.index()).collect())
        });
        EndKind::Waiting(waits.collect())
    }

    fn failure_kind(&self, (_, label, component): Failure, words: Option<&[u64]>) -> EndKind {
        let own = |words: &[u64]| self.system.numbers(words).get(component.index()).copied();
        let is_network = self.system.as_product().is_some();
        EndKind::Failure(component.index(), label, words.filter(|_| is_network).and_then(own))
    }

    fn note(&mut self, kind: EndKind, end: End) {
        if self.found.len() < self.most && self.kinds.insert(kind) {
            self.found.push(end);
        }
    }
}

impl<C: Composite> Visitor for Ends<'_, C> {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        let Wanted::Failure(meant) = self.wanted else { return };
        if meant.is_some_and(|meant| meant != component) {
            return;
        }
        let failure = (source, label, component);
        match source {
            Some(_) => self.failing.push(failure),
            None => self.note(self.failure_kind(failure, None), End::Failed(failure)),
        }
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        for failure in std::mem::take(&mut self.failing) {
            self.note(self.failure_kind(failure, Some(words)), End::Failed(failure));
        }
        if matches!(self.wanted, Wanted::Deadlock) && transitions == 0 && !self.system.is_end(words) {
            self.note(self.stuck_kind(words), End::Stuck(state));
        }
        if self.found.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The assertion that is violated by the runs that violate the given one, except those in which exactly the actions
/// of `cycle` recur. `alphabet` has the actions of the behaviour.
pub fn another_cycle(assertion: &Assertion, cycle: &[&str], alphabet: &Alphabet) -> Assertion {
    let is_action = |name: &&str| alphabet.get(name).is_some();
    let recurs: FxHashSet<&str> = cycle.iter().copied().filter(is_action).collect();
    let mut another = assertion.clone();
    let mut atom = |actions: Vec<String>| {
        another.propositions.push(Proposition::Action(actions));
        Formula::atom(AtomId::from_index(another.propositions.len() - 1))
    };
    let mut known: Vec<&str> = recurs.iter().copied().collect();
    known.sort_unstable();
    let again: Vec<Formula> =
        known.into_iter().map(|name| atom(vec![name.to_owned()]).eventually().always()).collect();
    let others: Vec<String> =
        alphabet.names().filter(|name| !recurs.contains(name)).map(str::to_owned).collect();
    let only_these = match others.is_empty() {
        true => Formula::True,
        false => atom(others).negated().always().eventually(),
    };
    another.formula = another.formula.or(Formula::all(again).and(only_these));
    another
}

#[cfg(test)]
mod tests;
