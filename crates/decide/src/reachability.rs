//! Deadlock and safety.
//!
//! Problem: can a behaviour reach a state where nothing is possible though it has not terminated; can a component
//! reach its error state, or a unit fail? Idea: both are questions about reachable states, so one breadth-first
//! search answers both, and the first state found of a kind is nearest to the initial one. The search ends when both
//! questions are answered by a violation, or some time after the first violation; the other question can then be
//! asked alone.
//!
//! A small network is searched with numbers for its states, which gives the traces at once. If there are more states
//! than this is suitable for, the rest is explored in one of two ways that keep less and are faster:
//!
//! - a sweep of all states, on all cores ([`sweep`]);
//! - a search of some of the states that reaches a deadlock and an error wherever there is one ([`StubbornSearch`]).
//!
//! They say what can be reached, and the search with numbers is continued only if there is something to be found.
//! After a search of some of the states it may have much more to explore; then it gives up after a while, and the
//! trace is the one that the other search has found, which need not be shortest.
//!
//! A run of a program may leave the bounds within which it is explored. Then a violation is still a violation;
//! otherwise the answer is unknown.
//!
//! Cost: time O(states + transitions) of the product, memory as for [`sweep`]; as for [`Search`] where there is a trace.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Limits, StateId};
use rely_explore::{
    Composite, Machine, Outcome, Prey, Product, Search, Step, StubbornSearch, Sweep, Visitor, is_terminated,
    sweep,
};
use rely_lts::{BehaviourRef, Command, ComponentId, Network, Program, Trigger, Unit};

use self::sight::Sight;
use crate::counterexample::{Storyteller, bytes_of};
use crate::vacuity::forbids_everything;
use crate::{Counterexample, Decision, Ending, Explored, Limit, ReplayError, Unknown, Vacuity};

/// Whether a behaviour can get stuck, and whether it can fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachability {
    /// Violated when the behaviour can get stuck.
    pub deadlock: Decision,
    /// Violated when a component can reach its error state, or a unit can fail; the ending of the counterexample names it.
    pub safety: Decision,
    /// Whether an error was seen, even if safety was not asked.
    pub can_fail: bool,
    /// The bytes that the states took.
    pub bytes: usize,
}

/// Looks for a shortest trace to a deadlock and for one to the error state, in all states.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_reachability<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    budget: &Budget<'_>,
) -> Result<Reachability, ReplayError> {
    Inquiry { patience: usize::MAX, ..Inquiry::ALL_STATES }.check(behaviour, budget)
}

/// What to check, and how.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry {
    /// Whether to look for a deadlock. If not, the answer is [`Unknown::GivenUp`].
    pub deadlock: bool,
    /// Whether to look for an error. If not, the answer is [`Unknown::GivenUp`].
    pub safety: bool,
    /// Whether a search of some of the states suffices if a network has many. The verdicts are the same; a
    /// counterexample says whether it is shortest.
    pub reduction: bool,
    /// How far to search on for the second question after the first violation: this many states, or four times the
    /// states searched so far, whichever is larger.
    pub patience: usize,
    /// A behaviour of at most this number of states is searched with numbers for its states.
    small: usize,
    /// The effort allowed for making a trace shortest.
    trace_effort: TraceEffort,
}

/// Effort allowed for making a trace shortest: at most `states` states, or `times` × the states that finding it took,
/// whichever is larger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceEffort {
    pub(crate) states: usize,
    pub(crate) times: usize,
}

impl TraceEffort {
    /// A second or two.
    pub(crate) const USUAL: Self = Self { states: 1 << 22, times: 4 };

    /// No more than what it took to find a trace at all, or a small part of a second.
    pub(crate) const BRIEF: Self = Self { states: 1 << 16, times: 1 };

    /// The budget for a search that follows another one, which has found `states` states and still holds `held`
    /// bytes.
    pub(crate) fn after<'b>(self, states: usize, held: usize, budget: &Budget<'b>) -> Budget<'b> {
        let most = states.saturating_mul(self.times).max(self.states);
        budget.after_holding(held).narrowed(Limits { states: Some(most), bytes: None })
    }
}

impl Inquiry {
    /// Both questions, by a search of some of the states.
    pub const USUAL: Self = Self {
        deadlock: true,
        safety: true,
        reduction: true,
        patience: 1 << 18,
        small: 1 << 16,
        trace_effort: TraceEffort::USUAL,
    };

    /// Both questions, by a search of all states.
    pub const ALL_STATES: Self = Self { reduction: false, small: 1 << 14, ..Self::USUAL };

    /// All states, with a sweep from the third state on, for tests.
    #[cfg(test)]
    pub(crate) fn sweeping() -> Self {
        Self { small: 3, patience: usize::MAX, ..Self::ALL_STATES }
    }

    /// Asks a behaviour.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn check<'b>(
        self,
        behaviour: impl Into<BehaviourRef<'b>>,
        budget: &Budget<'_>,
    ) -> Result<Reachability, ReplayError> {
        match behaviour.into() {
            BehaviourRef::Network(network) => self.check_system(&Product::transparent(network), budget),
            BehaviourRef::Program(program) => self.check_system(&Machine::transparent(program), budget),
        }
    }

    fn check_system<C: Composite>(
        self,
        system: &C,
        budget: &Budget<'_>,
    ) -> Result<Reachability, ReplayError> {
        let mut checker = Checker::new(self, system, budget);
        let mut end = checker.search.run_levels_until(self.small, budget, &mut checker.watch);
        checker.has_given_up = checker.watch.has_given_up;
        checker.measure();
        if matches!(end, Ok(Outcome::Paused)) {
            let reducible =
                system.as_product().filter(|it| self.reduction && it.network().priority().is_none());
            end = match reducible {
                Some(product) => checker.reduce(product),
                None => checker.sweep(),
            };
        }
        checker.decide(end.err().as_ref())
    }
}

/// When the search for a second violation is given up, after a first one.
#[derive(Clone, Copy)]
struct Patience {
    /// See [`Inquiry::patience`].
    least: usize,
    /// How many states had been found when the first violation was known.
    first: Option<usize>,
}

impl Patience {
    /// Never gives up: for violations that are known to exist.
    const ENDLESS: Self = Self { least: usize::MAX, first: None };

    /// Whether the search is given up at this number of states; to be asked only after a violation.
    fn ends(&mut self, states: usize) -> bool {
        let first = *self.first.get_or_insert(states);
        states > self.least.max(first.saturating_mul(4))
    }
}

struct Checker<'p, C: Composite> {
    inquiry: Inquiry,
    system: &'p C,
    budget: &'p Budget<'p>,
    /// The search that gives shortest traces, and what it has seen.
    search: Search<'p, C>,
    watch: Watch<'p, C>,
    /// The search of some of the states, and what it has seen.
    reduced: Option<(StubbornSearch<'p, 'p>, Watch<'p, C>)>,
    /// Whether a question was given up because the other one is violated.
    has_given_up: bool,
    explored: Explored,
    bytes: usize,
}

impl<'p, C: Composite> Checker<'p, C> {
    fn new(inquiry: Inquiry, system: &'p C, budget: &'p Budget<'p>) -> Self {
        let (search, watch) = (Search::new(system), Watch::new(system, inquiry));
        let (explored, bytes) = (Explored::default(), 0);
        Self { inquiry, system, budget, search, watch, reduced: None, has_given_up: false, explored, bytes }
    }

    /// Sets what has been explored by the search with numbers.
    fn measure(&mut self) {
        self.explored =
            Explored { states: self.search.states().len(), transitions: self.search.transitions() };
        self.bytes = self.search.bytes();
    }

    /// Sweeps all states, and continues the search with numbers if it will find something.
    fn sweep(&mut self) -> Result<Outcome, Exhausted> {
        let known = self.search.known();
        let sight = Sight::new(self.system, &self.watch, known.expanded);
        let Sweep { inspector: sight, states, transitions, bytes, exhausted } =
            sweep(self.system, &known, self.budget, sight);
        self.explored = Explored { states, transitions };
        self.bytes = bytes;
        self.watch.no_deadlock |= !sight.deadlock;
        self.watch.no_error |= !sight.error;
        self.watch.has_failed |= sight.has_failed;
        self.watch.note_cut(sight.cut);
        self.has_given_up = sight.has_given_up;
        self.watch.take(&sight.seen, &sight.changed);
        if self.watch.is_to_find() {
            self.watch.patience = Patience::ENDLESS;
            self.search.run(self.budget, &mut self.watch)?;
        }
        exhausted.map_or(Ok(Outcome::Complete), Err)
    }

    /// Searches some of the states, and continues the search with numbers for a while if it will find something.
    fn reduce(&mut self, product: &'p Product<'p>) -> Result<Outcome, Exhausted> {
        let mut search = StubbornSearch::new(product);
        let mut watch = Watch::new(self.system, self.inquiry);
        // What has been found need not be looked for again.
        watch.no_deadlock |= self.watch.deadlock.is_some();
        watch.no_error |= self.watch.error.is_some();
        watch.had_violation = self.watch.has_violation();
        watch.patience = self.watch.patience;
        let end = search.run(&self.budget.after_holding(self.search.bytes()), &mut watch);
        let states = search.states().len();
        self.explored = Explored { states, transitions: search.transitions() };
        self.bytes = search.bytes();
        self.watch.no_deadlock |= watch.deadlock.is_none();
        self.watch.no_error |= watch.error.is_none();
        self.watch.has_failed |= watch.has_failed;
        self.has_given_up = watch.has_given_up;
        self.watch.take(&watch.seen, &watch.changed);
        self.reduced = Some((search, watch));
        if self.watch.is_to_find() {
            self.watch.patience = Patience::ENDLESS;
            let budget = self.inquiry.trace_effort.after(states, self.bytes, self.budget);
            // If it gives up, the other search has found a trace.
            let _ = self.search.run(&budget, &mut self.watch);
        }
        end
    }

    /// The decisions, when all that can be explored has been.
    fn decide(mut self, exhausted: Option<&Exhausted>) -> Result<Reachability, ReplayError> {
        let (behaviour, explored, bytes) = (self.system.behaviour(), self.explored, self.bytes);
        let (has_given_up, cut) = (self.has_given_up, self.watch.cut);
        let rest = |is_asked: bool, vacuity: Vec<Vacuity>| match exhausted {
            Some(exhausted) => Decision::unknown(Limit::Answer(exhausted.clone()), explored),
            None if has_given_up || !is_asked => Decision::unknown(Unknown::GivenUp, explored),
            None => match cut {
                Some(unit) => Decision::unknown(Unknown::Cut(unit), explored),
                None => Decision::holds(explored, vacuity),
            },
        };
        let deadlock = match self.deadlock() {
            None => rest(self.inquiry.deadlock, self.watch.unmoved()),
            Some(told) => Decision::violated(behaviour, told, explored, self.budget)?,
        };
        let told =
            deadlock.verdict.counterexample().map_or(0, |run| bytes_of(self.system.width(), run.trace.len()));
        let safety = match self.error(told) {
            None => rest(self.inquiry.safety, self.watch.inactive_properties()),
            Some(told) => Decision::violated(behaviour, told, explored, self.budget)?,
        };
        Ok(Reachability { deadlock, safety, can_fail: self.watch.has_failed, bytes })
    }

    /// Bytes that both searches hold.
    fn held(&self) -> usize {
        self.search.bytes() + self.reduced.as_ref().map_or(0, |(search, _)| search.bytes())
    }

    /// A run to a state where nothing is possible; a shortest one if it is known.
    fn deadlock(&mut self) -> Option<Result<Counterexample, Exhausted>> {
        let (system, budget, held) = (self.system, self.budget, self.held());
        if let Some(state) = self.watch.deadlock {
            return Some(self.search.try_trace_to(state, budget).and_then(|path| {
                let story = Storyteller { system, states: self.search.states(), budget, held };
                tell(story, path, Ending::Deadlock)
            }));
        }
        let (search, Watch { deadlock, .. }) = self.reduced.as_mut()?;
        Some(search.try_trace_to((*deadlock)?, budget).and_then(|path| {
            let story = Storyteller { system, states: search.states(), budget, held };
            Ok(Counterexample { is_shortest: false, ..tell(story, path, Ending::Deadlock)? })
        }))
    }

    /// A run to an error; a shortest one if it is known. `told` is the number of bytes of another run that is held.
    fn error(&mut self, told: usize) -> Option<Result<Counterexample, Exhausted>> {
        let (system, budget, held) = (self.system, self.budget, self.held().saturating_add(told));
        if let Some(failure) = self.watch.error {
            return Some(trace_to_error(system, &mut self.search, failure, budget, held));
        }
        let (search, Watch { error, .. }) = self.reduced.as_mut()?;
        let failure = (*error)?;
        Some(trace_to_some_error(system, search, failure, budget, held))
    }
}

/// The shortest run to a failure of a component; `held` is the number of bytes held in addition.
pub(crate) fn trace_to_error<C: Composite>(
    system: &C,
    search: &mut Search<'_, C>,
    failure: Failure,
    budget: &Budget<'_>,
    held: usize,
) -> Result<Counterexample, Exhausted> {
    let path = failure.0.map_or(Ok(Vec::new()), |source| search.try_trace_to(source, budget))?;
    tell_error(Storyteller { system, states: search.states(), budget, held }, path, failure)
}

/// The run to a failure that a search of some of the states has found; there may be shorter ones.
pub(crate) fn trace_to_some_error<C: Composite>(
    system: &C,
    search: &mut StubbornSearch<'_, '_>,
    failure: Failure,
    budget: &Budget<'_>,
    held: usize,
) -> Result<Counterexample, Exhausted> {
    let path = failure.0.map_or(Ok(Vec::new()), |source| search.try_trace_to(source, budget))?;
    let run = tell_error(Storyteller { system, states: search.states(), budget, held }, path, failure)?;
    Ok(Counterexample { is_shortest: false, ..run })
}

/// The run that a hunt has found, or that was made shorter. A failure is known to take at least `least` steps.
pub(crate) fn tell_prey(
    product: &Product<'_>,
    prey: Prey,
    least: usize,
    budget: &Budget<'_>,
    held: usize,
) -> Result<Counterexample, Exhausted> {
    let Prey { states, path, failure: (label, component) } = prey;
    let source = path.last().map_or(StateId::from_raw(0), |step| step.target);
    let held = held.saturating_add(states.bytes());
    let story = Storyteller { system: product, states: &states, budget, held };
    let run = tell_error(story, path, (Some(source), label, component))?;
    Ok(Counterexample { is_shortest: run.trace.len() <= least, ..run })
}

/// Builds the run along a path from the initial state.
fn tell<C: Composite>(
    story: Storyteller<'_, C>,
    path: Vec<Step>,
    ending: Ending,
) -> Result<Counterexample, Exhausted> {
    let steps = story.steps(StateId::from_raw(0), path.into_iter().map(|step| (step.label, step.target)))?;
    Ok(Counterexample::new(story.system.behaviour(), steps, ending))
}

/// Builds the run along a path to the source of a transition into the error state, and over it.
fn tell_error<C: Composite>(
    story: Storyteller<'_, C>,
    path: Vec<Step>,
    (source, label, component): Failure,
) -> Result<Counterexample, Exhausted> {
    let ending = Ending::Error(component);
    let Some(source) = source else {
        return Ok(Counterexample::new(story.system.behaviour(), Vec::new(), ending));
    };
    let mut run = tell(story, path, ending)?;
    let (step, fault) = story.failing_step(source, label, component);
    run.trace.push(step);
    Ok(Counterexample { fault, ..run })
}

/// A transition into the error state: its source, unless the initial state is the error state, its label, and the
/// component that fails.
pub(crate) type Failure = (Option<StateId>, Label, ComponentId);

/// Notes the first deadlock and the first error, and what suggests that a verdict holds vacuously.
struct Watch<'p, C> {
    system: &'p C,
    deadlock: Option<StateId>,
    /// The first transition into the error state.
    error: Option<Failure>,
    /// By label, whether it has been seen on a transition.
    seen: Vec<bool>,
    /// The initial state.
    initial: Vec<u64>,
    /// The bits in which some state differs from the initial one.
    changed: Vec<u64>,
    /// Whether the search should not look for a deadlock or an error: because there is none, or because it is not
    /// asked. The search ends when nothing is left to be found.
    no_deadlock: bool,
    no_error: bool,
    /// Whether an error was seen, even if it was not looked for.
    has_failed: bool,
    /// A unit because of which runs leave the bounds, if one was seen; the first in order.
    cut: Option<ComponentId>,
    /// Whether there was a violation before this search.
    had_violation: bool,
    patience: Patience,
    /// Whether the search has ended after one violation without deciding the other question.
    has_given_up: bool,
}

impl<'p, C: Composite> Watch<'p, C> {
    fn new(system: &'p C, inquiry: Inquiry) -> Self {
        Self {
            system,
            deadlock: None,
            error: None,
            seen: vec![false; 1 + system.alphabet().len()],
            initial: vec![0; system.words()],
            changed: vec![0; system.words()],
            no_deadlock: !inquiry.deadlock,
            no_error: !inquiry.safety || !system.can_fail(),
            has_failed: false,
            cut: None,
            had_violation: false,
            patience: Patience { least: inquiry.patience, first: None },
            has_given_up: false,
        }
    }

    /// Whether something is left to be found.
    fn is_to_find(&self) -> bool {
        let found = (self.deadlock.is_some() || self.no_deadlock, self.error.is_some() || self.no_error);
        found != (true, true)
    }

    /// Whether something that is looked for has been found, by this search or an earlier one.
    fn has_violation(&self) -> bool {
        self.had_violation || self.deadlock.is_some() || self.error.is_some()
    }

    /// Adds what was seen in the rest of the states.
    fn take(&mut self, seen: &[bool], changed: &[u64]) {
        self.seen.iter_mut().zip(seen).for_each(|(seen, more)| *seen |= more);
        self.changed.iter_mut().zip(changed).for_each(|(changed, more)| *changed |= more);
    }

    /// Notes that a unit makes runs leave the bounds.
    fn note_cut(&mut self, unit: Option<ComponentId>) {
        self.cut = self.cut.into_iter().chain(unit).min();
    }

    /// The components of a network that have several states and never leave their initial one.
    fn unmoved(&self) -> Vec<Vacuity> {
        let Some(product) = self.system.as_product() else { return Vec::new() };
        let moved: Vec<ComponentId> = product.components_in(&self.changed).collect();
        let components = product.network().components();
        let unmoved = (0..components.len()).map(ComponentId::from_index).filter(|id| {
            components[id.index()].lts.proper_state_count() > 1 && moved.binary_search(id).is_err()
        });
        unmoved.map(Vacuity::ComponentNeverMoves).collect()
    }

    /// The components or units that can fail, and none of whose actions has occurred, unless this is what they
    /// require. A search by stubborn sets has seen every action that can occur.
    fn inactive_properties(&self) -> Vec<Vacuity> {
        match self.system.behaviour() {
            BehaviourRef::Network(network) => self.inactive_components(network),
            BehaviourRef::Program(program) => self.inactive_units(program),
        }
    }

    /// Units that move by actions only, and of whose commands some fail, but not all.
    fn inactive_units(&self, program: &Program) -> Vec<Vacuity> {
        let is_inactive = |unit: &Unit| {
            let fails = |command: &Command| command.outcome == rely_lts::Outcome::Fail;
            let is_joint = |command: &Command| matches!(command.trigger, Trigger::Action(_));
            let joint = || unit.commands.iter().filter(|command| is_joint(command));
            let fails_alone = |command: &Command| fails(command) && !is_joint(command);
            joint().any(fails)
                && !joint().all(fails)
                && unit.commands.iter().all(|command| is_joint(command) || fails_alone(command))
                && !unit.alphabet.iter().any(|&action| self.seen[Label::visible(action).index()])
        };
        let units = program.units().iter().enumerate().filter(|(_, unit)| is_inactive(unit));
        units.map(|(number, _)| Vacuity::PropertyNeverActive(ComponentId::from_index(number))).collect()
    }

    fn inactive_components(&self, network: &Network) -> Vec<Vacuity> {
        let inactive = (0..network.components().len()).map(ComponentId::from_index).filter(|&id| {
            let lts = &network.components()[id.index()].lts;
            let occurs = |label: Label| self.seen[label.index()];
            lts.error().is_some()
                && !lts.has_tau()
                && !forbids_everything(lts)
                && !network.actions_of(id).iter().any(|&action| occurs(Label::visible(action)))
        });
        inactive.map(Vacuity::PropertyNeverActive).collect()
    }
}

impl<C: Composite> Visitor for Watch<'_, C> {
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
        self.has_failed = true;
        if !self.no_error {
            self.error.get_or_insert((source, label, component));
        }
    }

    fn cut(&mut self, _source: StateId, _label: Label, component: ComponentId) {
        self.note_cut(Some(component));
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        let is_new = self.deadlock.is_none() && !self.no_deadlock;
        if transitions == 0 && is_new && !self.system.is_end(words) {
            self.deadlock = Some(state);
        }
        let is_to_find = self.is_to_find();
        self.has_given_up = is_to_find && self.has_violation() && self.patience.ends(state.index());
        if is_to_find && !self.has_given_up { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The ending of a run that stops in a state.
pub(crate) fn ending_in<C: Composite>(system: &C, words: &[u64]) -> Ending {
    match is_terminated(system, words, &mut system.cursor()) {
        true => Ending::Terminated,
        false => Ending::Deadlock,
    }
}

mod sight;

#[cfg(test)]
mod tests;
