//! Premises, searched from their definitions.
//!
//! Everything is explicit here: the systems of a premise are written out transition by transition, and their
//! composition is searched (`search.rs`). Systems that cannot affect a failure are dropped before.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_lts::{Component, Edge, Lts, LtsBuilder, Network, Transition};

use super::goal::Goal;
use super::search::{first_failure, search};
use super::states::Meter;

/// The labels of a run after which some of these systems has failed; `None` if there is no such run.
pub(super) fn failure(systems: Vec<Lts>, budget: &Budget<'_>) -> Result<Option<Vec<String>>, Exhausted> {
    let felt = felt(systems);
    if felt.is_empty() {
        return Ok(None);
    }
    first_failure(&composed(felt), budget)
}

/// The systems that can affect a failure: those that can reach their error states by themselves, and those that share
/// actions with such a system, directly or through others.
///
/// In a composition a system can reach only states that it can reach by itself. So a system that cannot fail alone
/// does not fail, and if no system can, none is left. The dropped systems share no action with the others: they do
/// not affect them.
fn felt(systems: Vec<Lts>) -> Vec<Lts> {
    let mut is_felt: Vec<bool> = systems.iter().map(can_fail).collect();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut met: Vec<usize> = (0..systems.len()).filter(|&i| is_felt[i]).collect();
    while !met.is_empty() {
        names.extend(met.drain(..).flat_map(|i| systems[i].alphabet().names()));
        for i in (0..systems.len()).filter(|&i| !is_felt[i]).collect::<Vec<_>>() {
            if systems[i].alphabet().names().any(|name| names.contains(name)) {
                is_felt[i] = true;
                met.push(i);
            }
        }
    }
    systems.into_iter().zip(is_felt).filter(|(_, is_felt)| *is_felt).map(|(lts, _)| lts).collect()
}

/// Whether a system can reach its error state by itself.
pub(super) fn can_fail(lts: &Lts) -> bool {
    let Some(error) = lts.error() else { return false };
    let mut is_reached = vec![false; lts.state_count()];
    let mut open = vec![lts.initial()];
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut is_reached[state.index()], true) {
            open.extend(lts.edges(state).iter().map(|edge| edge.target));
        }
    }
    is_reached[error.index()]
}

/// The labels of a run of a whole network after which the goal has failed, and before whose last step nothing has
/// failed.
///
/// Without priority, other components are stopped first. If this search finds no run, there is none. If it finds one,
/// and others can fail, the run may have continued after a failure; then all runs are searched, each up to the first
/// failure. Stubborn sets would be of no use there: that a run ends with the first failure makes all actions depend
/// on each other.
pub(super) fn failure_of(
    network: &Network,
    goal: &Goal,
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    let is_set_aside = |i: usize| goal.observers.contains(&i);
    let lts = |i: usize| &network.components()[i].lts;
    if network.priority().is_none() {
        let is_other = |i: &usize| !goal.members.contains(i) && !is_set_aside(*i);
        let others = || (0..network.components().len()).filter(is_other);
        let systems = others().map(|i| stopped(lts(i))).chain(goal.systems(network).cloned());
        let found = failure(systems.collect(), budget)?;
        if found.is_none() || others().all(|i| lts(i).error().is_none()) {
            return Ok(found);
        }
    }
    let whole = network.clone().with_behaviours(|id, lts| match is_set_aside(id.index()) {
        true => Arc::new(lasting(lts)),
        false => Arc::clone(lts),
    });
    let has_failed = |tuple: &[u32], i: usize| lts(i).error() == Some(StateId::from_raw(tuple[i]));
    search(&whole, &|tuple| goal.members.iter().any(|&i| has_failed(tuple, i)), budget)
}

/// A shortest sequence of actions that breaks a goal and is outside of each of the assumptions.
///
/// There is an automaton for each condition: being broken, or outside, is a state that is never left. The automata of
/// assumptions refuse nothing, and neither do those of a goal that restricts nothing, so together they read every
/// sequence.
pub(super) fn outside_of_all(
    goal: &[&Lts],
    assumptions: &[Lts],
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    let completed: Vec<Lts> =
        assumptions.iter().map(|assumption| completed(assumption, budget)).collect::<Result<_, _>>()?;
    let errors: Vec<Option<StateId>> = goal.iter().copied().chain(&completed).map(Lts::error).collect();
    let network = composed(goal.iter().copied().chain(&completed).map(lasting).collect());
    let has_failed = |tuple: &[u32], i: usize| errors[i] == Some(StateId::from_raw(tuple[i]));
    let wanted = |tuple: &[u32]| {
        (0..goal.len()).any(|i| has_failed(tuple, i))
            && (goal.len()..tuple.len()).all(|i| has_failed(tuple, i))
    };
    search(&network, &wanted, budget)
}

/// A network of systems without names.
pub(super) fn composed(systems: Vec<Lts>) -> Network {
    Network::new(systems.into_iter().map(|lts| Component::new("", lts)).collect())
}

/// The assumption as a property: what it does not allow leads to an error state.
pub(super) fn completed(assumption: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    completed_for(assumption, |_| true, budget)
}

/// The assumption as a property, for some of its actions: what it does not allow of these leads to an error state,
/// what it does not allow of the others is impossible.
///
/// The number of states times actions may be far larger than the text of the assumption.
pub(super) fn completed_for(
    assumption: &Lts,
    counts: impl Fn(&str) -> bool,
    budget: &Budget<'_>,
) -> Result<Lts, Exhausted> {
    let meter = Meter::new(budget, 0);
    let mut builder = copied(assumption);
    let error = builder.error_state();
    for state in assumption.states() {
        for (action, name) in assumption.alphabet().iter() {
            meter.step(assumption.state_count())?;
            let label = Label::visible(action);
            if counts(name) && assumption.edges_with(state, label).is_empty() {
                builder.add_transition(state, label, error);
                // The bytes of a transition in the builder, and in the system that it builds.
                meter.hold(size_of::<Transition>() + size_of::<Edge>());
            }
        }
    }
    Ok(builder.build())
}

/// The component that stops where it would fail: the error state becomes an ordinary one without transitions.
pub(super) fn stopped(lts: &Lts) -> Lts {
    let mut builder = copied(lts);
    builder.set_error(None);
    builder.build()
}

/// The goal, in which failing by an action that does not count leads to a state that allows everything.
pub(super) fn excused(lts: &Lts, counts: impl Fn(&str) -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    let anything = builder.add_state();
    for transition in lts.transitions() {
        let fails = Some(transition.target) == lts.error();
        let excused =
            fails && transition.label.action().is_some_and(|action| !counts(lts.alphabet().name(action)));
        let target = if excused { anything } else { transition.target };
        builder.add_transition(transition.source, transition.label, target);
    }
    for label in labels(lts.alphabet()) {
        builder.add_transition(anything, label, anything);
    }
    builder.build()
}

/// The system whose error state becomes an ordinary one that is never left and refuses nothing.
fn lasting(lts: &Lts) -> Lts {
    let mut builder = copied(lts);
    builder.set_error(None);
    if let Some(error) = lts.error() {
        for label in labels(lts.alphabet()) {
            builder.add_transition(error, label, error);
        }
    }
    builder.build()
}

/// Whether a component has a step for each of its actions in every state but the error state.
pub(super) fn refuses_nothing(lts: &Lts) -> bool {
    let is_ready = |state: StateId, label: Label| !lts.edges_with(state, label).is_empty();
    let mut states = lts.states().filter(|&state| Some(state) != lts.error());
    states.all(|state| labels(lts.alphabet()).all(|label| is_ready(state, label)))
}

/// Whether a component only observes: it has exactly one step for each of its actions in every state, and no silent
/// one.
pub(super) fn is_observer(lts: &Lts) -> bool {
    let once = |state: StateId, label: Label| lts.edges_with(state, label).len() == 1;
    let refuses_nothing = |state: StateId| labels(lts.alphabet()).all(|label| once(state, label));
    !lts.has_tau() && lts.states().filter(|&state| Some(state) != lts.error()).all(refuses_nothing)
}

fn labels(alphabet: &Alphabet) -> impl Iterator<Item = Label> + '_ {
    alphabet.iter().map(|(action, _)| Label::visible(action))
}

fn copied(lts: &Lts) -> LtsBuilder {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder
}
