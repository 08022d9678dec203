//! Re-executing counterexamples on the components.
//!
//! Problem: a violated verdict must never be the product of a mistake in the search. Idea: go through the run once
//! more, on the components themselves and straight from the definition of composition in [`Network`]: an action is
//! taken by all components that have its name in their alphabet and by no other, τ by one component alone, and a step
//! of the low side of a priority only where nothing of the high side is possible. None of the tables of the search is
//! used, and nothing is clever. Cost: O(length × components × alphabet), so it is always done.
//!
//! A cycle that is said to be fair has to be: every step that the components can do together in one of its states is a step
//! of the cycle from that state. Where it is said to be fair to choices at random, the fluents are part of the state; that
//! what the formula remembers is treated fairly, too, is not looked at here.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::{Lts, Network, Rank};
use rely_omega::Fairness;

use crate::{Counterexample, Ending, Step};

/// A counterexample is no run of the network: there is a mistake in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The step that cannot be taken, counted from 0 through trace and cycle; the number of steps if the end is wrong.
    pub step: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the counterexample cannot be replayed: {} at step {}", self.reason, self.step)
    }
}

impl std::error::Error for ReplayError {}

/// Re-executes a counterexample on the components of the network.
///
/// # Errors
/// The first step that the components cannot take, or what is wrong with the end of the run.
pub fn replay(network: &Network, counterexample: &Counterexample) -> Result<(), ReplayError> {
    replay_asking(network, counterexample, |_| Ok(()))
}

/// Why a replay has not come to its end.
pub(crate) enum Stopped {
    Mistake(ReplayError),
    Exhausted(Exhausted),
}

impl From<ReplayError> for Stopped {
    fn from(mistake: ReplayError) -> Self {
        Self::Mistake(mistake)
    }
}

/// The same within a budget, which is asked where the run is long.
pub(crate) fn replay_within(
    network: &Network,
    counterexample: &Counterexample,
    progress: &Progress,
    budget: &Budget<'_>,
) -> Result<(), Stopped> {
    replay_asking(network, counterexample, |step| match step > 0 && step.is_multiple_of(Budget::INTERVAL) {
        true => budget.check(progress).map_err(Stopped::Exhausted),
        false => Ok(()),
    })
}

/// The same; asks before each step whether it may go on.
fn replay_asking<E: From<ReplayError>>(
    network: &Network,
    counterexample: &Counterexample,
    mut ask: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let Counterexample { initial, trace, cycle, ending, free, fair, .. } = counterexample;
    let stage = Stage { network, free };
    let starts = network.components().iter().map(|component| component.lts.initial());
    if !starts.eq(initial.iter().copied()) {
        return Err(ReplayError { step: 0, reason: "the components do not start so" }.into());
    }
    let mut current: &[StateId] = initial;
    let mut turn = None;
    for (number, step) in trace.iter().chain(cycle).enumerate() {
        if number == trace.len() {
            turn = Some(current);
        }
        ask(number)?;
        let fail = |reason| ReplayError { step: number, reason };
        if step.before != current {
            return Err(fail("it does not start where the step before it ended").into());
        }
        stage.check_step(step).map_err(fail)?;
        current = &step.after;
    }
    let fail = |reason| ReplayError { step: trace.len() + cycle.len(), reason };
    if turn.is_some_and(|turn| turn != current) {
        return Err(fail("the cycle does not return to its beginning").into());
    }
    stage.check_ending(*ending, current, !cycle.is_empty()).map_err(fail)?;
    match fair.is_none_or(|fairness| stage.is_fair(cycle, fairness)) {
        true => Ok(()),
        false => Err(fail("the cycle is not fair").into()),
    }
}

/// Re-executes steps from the initial state on, however they end.
///
/// # Errors
/// The first step that the components cannot take.
pub(crate) fn replay_steps(network: &Network, steps: &[Step]) -> Result<(), ReplayError> {
    let stage = Stage { network, free: &[] };
    let mut current: Vec<StateId> =
        network.components().iter().map(|component| component.lts.initial()).collect();
    for (number, step) in steps.iter().enumerate() {
        let fail = |reason| ReplayError { step: number, reason };
        if step.before != current {
            return Err(fail("it does not start where the step before it ended"));
        }
        stage.check_step(step).map_err(fail)?;
        current.clone_from(&step.after);
    }
    Ok(())
}

/// The steps that a cycle takes from a state: the action, and where it leads.
type Taken<'a> = HashSet<(&'a str, &'a [StateId])>;

/// The components, and the actions that are free to occur.
struct Stage<'a> {
    network: &'a Network,
    free: &'a [String],
}

impl Stage<'_> {
    fn lts(&self, component: usize) -> &Lts {
        &self.network.components()[component].lts
    }

    fn components(&self) -> std::ops::Range<usize> {
        0..self.network.components().len()
    }

    fn check_step(&self, step: &Step) -> Result<(), &'static str> {
        let Step { action, movers, before, after, .. } = step;
        if self.has_failed(before) {
            return Err("nothing happens after an error");
        }
        let moves = |i: usize| movers.iter().any(|mover| mover.index() == i);
        if self.components().any(|i| !moves(i) && before[i] != after[i]) {
            return Err("a component moves that does not take part");
        }
        let silent = action == "tau";
        if silent && movers.len() != 1 {
            return Err("a silent step is one component's alone");
        }
        if !silent && self.components().any(|i| moves(i) != self.lts(i).alphabet().contains(action)) {
            return Err("those who take part are not those who have the action");
        }
        if !silent && movers.is_empty() && !self.free.contains(action) {
            return Err("no component has the action");
        }
        if self.components().any(|i| moves(i) && !self.has_edge(i, action, before[i], Some(after[i]))) {
            return Err("a component has no such transition");
        }
        if self.goes_first(action) == Some(false) && self.preferred_is_possible(before) {
            return Err("an action of higher priority is possible");
        }
        Ok(())
    }

    /// Whether a component has a transition with an action, to some state or to a given one.
    fn has_edge(&self, component: usize, action: &str, source: StateId, target: Option<StateId>) -> bool {
        let lts = self.lts(component);
        let label =
            if action == "tau" { Some(Label::TAU) } else { lts.alphabet().get(action).map(Label::visible) };
        lts.edges(source)
            .iter()
            .any(|edge| Some(edge.label) == label && target.is_none_or(|target| target == edge.target))
    }

    /// Whether an action is on the high side of the priority; nothing if it is on none, as actions that are free are.
    fn goes_first(&self, action: &str) -> Option<bool> {
        let priority = self.network.priority()?;
        let named = match action {
            "tau" => false,
            _ => *priority.actions.get(self.network.alphabet().get(action)?.index())?,
        };
        Some(named == (priority.rank == Rank::High))
    }

    /// Whether something of the high side of the priority is possible.
    fn preferred_is_possible(&self, state: &[StateId]) -> bool {
        self.possible(state).any(|action| self.goes_first(action) == Some(true))
    }

    /// What is possible where priority is not considered.
    fn possible<'a>(&'a self, state: &'a [StateId]) -> impl Iterator<Item = &'a str> {
        let joint = move |name: &&str| {
            self.components()
                .all(|i| !self.lts(i).alphabet().contains(name) || self.has_edge(i, name, state[i], None))
        };
        let silent = self.components().any(|i| self.has_edge(i, "tau", state[i], None));
        let actions = self.network.alphabet().names().filter(joint);
        actions.chain(silent.then_some("tau")).chain(self.free.iter().map(String::as_str))
    }

    /// Whether a cycle takes every step of every state that it comes by, again and again.
    fn is_fair(&self, cycle: &[Step], fairness: Fairness) -> bool {
        // The fluents before a step are those after the step before it.
        let fluents = |i: usize| match fairness {
            Fairness::None | Fairness::Choice => &[][..],
            Fairness::Random => &cycle[(i + cycle.len() - 1) % cycle.len()].fluents[..],
        };
        let mut taken: HashMap<(&[StateId], &[String]), Taken<'_>> = HashMap::new();
        for (i, step) in cycle.iter().enumerate() {
            let here = taken.entry((&step.before, fluents(i))).or_default();
            here.insert((&step.action, &step.after));
        }
        let leaves_out = |state: &[StateId], taken: &Taken<'_>| {
            self.steps(state).iter().any(|(action, after)| !taken.contains(&(*action, &after[..])))
        };
        fairness == Fairness::None || !taken.iter().any(|((state, _), taken)| leaves_out(state, taken))
    }

    /// Every step that the components can do together in a state: its action, and where it leads.
    fn steps(&self, state: &[StateId]) -> Vec<(&str, Vec<StateId>)> {
        let mut steps: Vec<(&str, Vec<StateId>)> =
            self.free.iter().map(|action| (action.as_str(), state.to_vec())).collect();
        let mut names = BTreeSet::new();
        for i in self.components() {
            for edge in self.lts(i).edges(state[i]) {
                match edge.label.action() {
                    Some(action) => drop(names.insert(self.lts(i).alphabet().name(action))),
                    None => steps.push(("tau", moved(state, i, edge.target))),
                }
            }
        }
        for name in names {
            let mut ends = vec![state.to_vec()];
            for i in self.components() {
                let Some(action) = self.lts(i).alphabet().get(name) else { continue };
                let edges = self.lts(i).edges(state[i]).iter();
                let targets: Vec<StateId> = edges
                    .filter(|edge| edge.label.action() == Some(action))
                    .map(|edge| edge.target)
                    .collect();
                ends = ends.iter().flat_map(|end| targets.iter().map(|&to| moved(end, i, to))).collect();
            }
            steps.extend(ends.into_iter().map(|end| (name, end)));
        }
        if self.preferred_is_possible(state) {
            steps.retain(|(action, _)| self.goes_first(action) != Some(false));
        }
        steps
    }

    fn has_failed(&self, state: &[StateId]) -> bool {
        self.components().any(|i| self.lts(i).error() == Some(state[i]))
    }

    fn check_ending(&self, ending: Ending, state: &[StateId], cyclic: bool) -> Result<(), &'static str> {
        let stuck = !self.has_failed(state) && self.possible(state).next().is_none();
        let right = match ending {
            Ending::Deadlock => stuck && !cyclic && !self.is_end(state),
            Ending::Terminated => stuck && !cyclic && self.is_end(state),
            Ending::Error(component) => {
                !cyclic && self.lts(component.index()).error() == Some(state[component.index()])
            }
            Ending::Cycle => cyclic,
            Ending::BadPrefix => !cyclic,
        };
        if right { Ok(()) } else { Err("the run does not end as it says") }
    }

    /// Whether every component that can end has, some can, and no other component has an action of its own.
    fn is_end(&self, state: &[StateId]) -> bool {
        let ends = |i: &usize| self.lts(*i).end().is_some();
        let known =
            |name: &str| self.components().filter(ends).any(|i| self.lts(i).alphabet().contains(name));
        self.components().any(|i| ends(&i))
            && self.components().all(|i| if ends(&i) { self.lts(i).end() == Some(state[i]) } else { true })
            && self.components().filter(|i| !ends(i)).all(|i| self.lts(i).alphabet().names().all(known))
    }
}

/// A state in which one component is in another state.
fn moved(state: &[StateId], component: usize, target: StateId) -> Vec<StateId> {
    let mut after = state.to_vec();
    after[component] = target;
    after
}
