//! Random systems in which several components can fail, most often by the same step.
//!
//! Who excuses one failure by another is wrong only where two things fail at once, and components that are drawn
//! independently hardly ever do. Here most of them fail by one action, [`FATAL`], in which most of them take part, and
//! many are *twins*: copies of another one, with perhaps a transition that differs. A twin goes where the other goes.

use std::sync::Arc;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network, Rank, Transition};
use rely_testkit::rng::Rng;

pub(crate) const ACTIONS: &[&str] = &["fatal", "b", "c", "d"];

/// The action by which most components fail.
const FATAL: &str = ACTIONS[0];

/// A network, and those of its components that are properties: they refuse nothing.
#[derive(Clone)]
pub(crate) struct System {
    pub(crate) network: Network,
    pub(crate) properties: Vec<usize>,
}

impl System {
    /// A network of `count` components in any order, at least one of them a property, perhaps with priority and hiding.
    pub(crate) fn random(rng: &mut Rng, count: usize) -> Self {
        let mut is_property: Vec<bool> = (0..count).map(|_| rng.chance(1, 2)).collect();
        is_property[rng.below(count)] = true;
        let mut components: Vec<Component> = Vec::new();
        for (i, &is_property) in is_property.iter().enumerate() {
            let others = components.iter().map(|other| &other.lts).filter(|lts| lts.error().is_some());
            let others: Vec<&Arc<Lts>> = others.filter(|lts| !is_property || refuses_nothing(lts)).collect();
            let lts = match (others.is_empty() || rng.chance(2, 5), is_property) {
                (false, _) => {
                    let other = *rng.pick(&others);
                    twin(rng, other)
                }
                (true, true) => property(rng),
                (true, false) => part(rng),
            };
            components.push(Component::new(format!("{}{i}", if is_property { "P" } else { "M" }), lts));
        }
        let mut network = Network::new(components);
        if rng.chance(1, 4) {
            let rank = if rng.chance(1, 2) { Rank::High } else { Rank::Low };
            let named = some_of(rng, ACTIONS);
            network = network.with_priority(rank, |name| named.contains(&name));
        }
        if rng.chance(1, 4) {
            let hidden = some_of(rng, ACTIONS);
            network = network.with_hidden(|name| hidden.contains(&name));
        }
        let properties = (0..count).filter(|&i| is_property[i]).collect();
        Self { network, properties }
    }

    pub(crate) fn len(&self) -> usize {
        self.network.components().len()
    }

    /// The components that have an error state.
    pub(crate) fn failing(&self) -> Vec<usize> {
        (0..self.len()).filter(|&i| self.network.components()[i].lts.error().is_some()).collect()
    }

    /// The observers that `verify` sets aside for a goal: all other properties.
    pub(crate) fn set_aside(&self, goal: &[usize]) -> Vec<usize> {
        self.properties.iter().copied().filter(|property| !goal.contains(property)).collect()
    }
}

/// Component numbers as the judge has them.
pub(crate) fn ids(numbers: &[usize]) -> Vec<ComponentId> {
    numbers.iter().copied().map(ComponentId::from_index).collect()
}

/// Each item with a chance of one half.
pub(crate) fn some_of<T: Copy>(rng: &mut Rng, items: &[T]) -> Vec<T> {
    items.iter().copied().filter(|_| rng.chance(1, 2)).collect()
}

/// Whether a component has a step for each of its actions in every state but its error state.
pub(crate) fn refuses_nothing(lts: &Lts) -> bool {
    let is_ready = |state| {
        lts.alphabet().iter().all(|(action, _)| !lts.edges_with(state, Label::visible(action)).is_empty())
    };
    lts.states().filter(|&state| Some(state) != lts.error()).all(is_ready)
}

/// A copy of a component; now and then one of its steps leads elsewhere.
fn twin(rng: &mut Rng, lts: &Arc<Lts>) -> Arc<Lts> {
    let mut transitions: Vec<Transition> = lts.transitions().collect();
    if transitions.is_empty() || rng.chance(3, 4) {
        return Arc::clone(lts);
    }
    let changed = rng.below(transitions.len());
    transitions[changed].target = StateId::from_index(rng.below(lts.state_count()));
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    transitions.iter().for_each(|step| builder.add_transition(step.source, step.label, step.target));
    Arc::new(builder.build())
}

/// A component under construction: its proper states, its error state if it can fail, and all its labels.
struct Draft {
    builder: LtsBuilder,
    proper: Vec<StateId>,
    labels: Vec<Label>,
}

impl Draft {
    /// One to three states over some of the actions, mostly with the fatal one.
    fn random(rng: &mut Rng) -> Self {
        let names = ACTIONS.iter().copied().filter(|&name| rng.chance(if name == FATAL { 5 } else { 3 }, 6));
        let alphabet: Alphabet = names.collect();
        let count = 1 + rng.below(3);
        let builder = LtsBuilder::with_states(alphabet, count);
        let labels = builder.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
        Self { builder, proper: (0..count).map(StateId::from_index).collect(), labels }
    }

    fn is_fatal(&self, label: Label) -> bool {
        label.action().is_some_and(|action| self.builder.alphabet().name(action) == FATAL)
    }

    /// Now and then a component that can fail starts failed.
    fn finished(mut self, rng: &mut Rng, error: Option<StateId>) -> Arc<Lts> {
        let start = *rng.pick(&self.proper);
        self.builder.set_initial(error.filter(|_| rng.chance(1, 40)).unwrap_or(start));
        Arc::new(self.builder.build())
    }
}

/// A property. Like one that has been relabelled, it may have a choice, and silent steps.
fn property(rng: &mut Rng) -> Arc<Lts> {
    let mut draft = Draft::random(rng);
    let error = draft.builder.error_state();
    let (is_relabelled, is_silent) = (rng.chance(1, 4), rng.chance(1, 10));
    for &source in &draft.proper {
        for &label in &draft.labels {
            let fails = if draft.is_fatal(label) { (1, 3) } else { (1, 24) };
            let target = |rng: &mut Rng| {
                let is_failing = rng.chance(fails.0, fails.1);
                if is_failing { error } else { *rng.pick(&draft.proper) }
            };
            for _ in 0..1 + usize::from(is_relabelled && rng.chance(1, 3)) {
                let target = target(rng);
                draft.builder.add_transition(source, label, target);
            }
        }
        if is_silent && rng.chance(1, 2) {
            let target = *rng.pick(&draft.proper);
            draft.builder.add_transition(source, Label::TAU, target);
        }
    }
    draft.finished(rng, Some(error))
}

/// A component that is no property. It may fail, end, and take silent steps.
fn part(rng: &mut Rng) -> Arc<Lts> {
    let mut draft = Draft::random(rng);
    let error = rng.chance(3, 5).then(|| draft.builder.error_state());
    let mut targets = draft.proper.clone();
    if rng.chance(1, 4) {
        let end = draft.builder.add_state();
        draft.builder.set_end(Some(end));
        targets.push(end);
    }
    for &source in &draft.proper {
        for &label in &draft.labels {
            if rng.chance(2, 3) {
                let target = *rng.pick(&targets);
                draft.builder.add_transition(source, label, target);
            }
            let chance = if draft.is_fatal(label) { (1, 3) } else { (1, 24) };
            if let Some(error) = error.filter(|_| rng.chance(chance.0, chance.1)) {
                draft.builder.add_transition(source, label, error);
            }
        }
        if rng.chance(1, 8) {
            let target = *rng.pick(&targets);
            draft.builder.add_transition(source, Label::TAU, target);
        }
    }
    draft.finished(rng, error)
}
