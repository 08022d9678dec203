//! Premises, searched breadth first from their definitions.
//!
//! Everything is explicit here: the systems that a premise speaks about are written out transition by transition, and
//! the tuples that have been reached are kept as they are.

use std::collections::HashSet;
use std::rc::Rc;

use rely_base::{ActionId, Alphabet, Budget, Exhausted, Label, StateId};
use rely_lts::{Component, Edge, Lts, LtsBuilder, Network, Transition};

use super::states::{Meter, action_name};
use crate::composition::Composition;

/// The labels of a shortest run after which some component fails; nothing if none can.
pub(super) fn failure(systems: Vec<Lts>, budget: &Budget<'_>) -> Result<Option<Vec<String>>, Exhausted> {
    let network = composed(systems);
    search(&network, &mut |composition, tuple| composition.failed(tuple).is_some(), budget)
}

/// The labels of a shortest run of a whole network after which components of the goal fail, and no others.
pub(super) fn failure_of(
    network: &Network,
    goal: &[usize],
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    let has_failed =
        |tuple: &[u32], i: usize| network.components()[i].lts.error() == Some(StateId::from_raw(tuple[i]));
    let mut others = vec![true; network.components().len()];
    goal.iter().for_each(|&i| others[i] = false);
    let mut wanted = |_: &Composition<'_>, tuple: &[u32]| {
        goal.iter().any(|&i| has_failed(tuple, i))
            && (0..tuple.len()).all(|i| !(others[i] && has_failed(tuple, i)))
    };
    search(network, &mut wanted, budget)
}

/// A shortest sequence of actions that breaks a goal and is outside of each of the assumptions.
///
/// An automaton for each: being broken, or outside, is a state that is never left. The automata of assumptions refuse
/// nothing, and neither do those of a goal that only looks on, so together they read every sequence.
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
    let mut wanted = |_: &Composition<'_>, tuple: &[u32]| {
        (0..goal.len()).any(|i| has_failed(tuple, i))
            && (goal.len()..tuple.len()).all(|i| has_failed(tuple, i))
    };
    search(&network, &mut wanted, budget)
}

fn composed(systems: Vec<Lts>) -> Network {
    Network::new(systems.into_iter().map(|lts| Component::new("", lts)).collect())
}

/// The labels of a shortest run of a network to a tuple of a kind.
fn search(
    network: &Network,
    wanted: &mut impl FnMut(&Composition<'_>, &[u32]) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<Vec<String>>, Exhausted> {
    let composition = Composition::new(network);
    let meter = Meter::new(budget, 0);
    let initial: Rc<[u32]> = composition.initial().into();
    if wanted(&composition, &initial) {
        return Ok(Some(Vec::new()));
    }
    let mut known = HashSet::from([Rc::clone(&initial)]);
    let mut reached = vec![Reached { tuple: initial, from: 0, by: None }];
    let mut place = 0;
    while let Some(Reached { tuple, .. }) = reached.get(place) {
        let mut found = false;
        meter.work(composition.effort(), known.len())?;
        composition.steps(&Rc::clone(tuple), &mut |action, target| {
            meter.step(known.len())?;
            if !found && !known.contains(target) {
                found = wanted(&composition, target);
                let tuple: Rc<[u32]> = target.into();
                known.insert(Rc::clone(&tuple));
                reached.push(Reached { tuple, from: place, by: action });
                meter.hold(bytes_of(&composition));
            }
            Ok(())
        })?;
        if found {
            return Ok(Some(labels_to(&composition, &reached)));
        }
        place += 1;
    }
    Ok(None)
}

/// A tuple that has been reached.
struct Reached {
    tuple: Rc<[u32]>,
    /// The place of the tuple before it.
    from: usize,
    /// The action of the step between them.
    by: Option<ActionId>,
}

/// What a tuple takes: its numbers and counters, what is known of it, and its place among those that are known.
fn bytes_of(composition: &Composition<'_>) -> usize {
    composition.len() * size_of::<u32>() + 4 * size_of::<usize>() + size_of::<Reached>()
}

/// The labels on the way to the last tuple.
fn labels_to(composition: &Composition<'_>, reached: &[Reached]) -> Vec<String> {
    let mut labels = Vec::new();
    let mut place = reached.len() - 1;
    while place > 0 {
        labels.push(action_name(composition, reached[place].by));
        place = reached[place].from;
    }
    labels.reverse();
    labels
}

/// The assumption as a property: what it does not allow leads to an error state.
pub(super) fn completed(assumption: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    completed_for(assumption, |_| true, budget)
}

/// The same for some of its actions: what it does not allow of the others is not possible.
///
/// States times actions may be far more than what the assumption is written with.
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
                // The builder and the system that it builds.
                meter.hold(size_of::<Transition>() + size_of::<Edge>());
            }
        }
    }
    Ok(builder.build())
}

/// The component without the steps by which it fails. Where it starts failed, it does nothing.
pub(super) fn cut(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in lts.transitions().filter(|transition| Some(transition.target) != lts.error()) {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder.build()
}

/// The goal, excused from failing by actions that do not count: after these, everything is allowed.
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

/// The system whose error state is an ordinary one that is never left and refuses nothing.
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

/// Whether a component only looks on: it has exactly one step for each of its actions in every state, and no silent
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
