//! Random networks of a few small components.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network, Rank};

use crate::rng::Rng;

/// Parameters of random networks.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Maximum number of components; at least two are made.
    pub components: usize,
    /// Maximum number of states of a component, its error and end states not counted.
    pub states: usize,
    /// The names to choose actions from.
    pub actions: &'static [&'static str],
    /// Whether components may have error states.
    pub errors: bool,
    /// Whether components may have end states.
    pub ends: bool,
    /// Whether components may have silent steps.
    pub silent: bool,
    /// Whether the network may have priority and hiding.
    pub operators: bool,
}

impl Shape {
    /// Everything that a network can have.
    pub const FULL: Self = Self {
        components: 4,
        states: 4,
        actions: &["a", "b", "c", "d", "e"],
        errors: true,
        ends: true,
        silent: true,
        operators: true,
    };

    /// Everything but error states.
    pub const FAULTLESS: Self = Self { errors: false, ..Self::FULL };

    /// Few enough states that runs can be enumerated.
    pub const TINY: Self = Self {
        components: 2,
        states: 2,
        actions: &["a", "b", "c"],
        errors: false,
        ends: true,
        silent: true,
        operators: true,
    };
}

/// A random network.
pub fn network(rng: &mut Rng, shape: &Shape) -> Network {
    let count = 2 + rng.below(shape.components - 1);
    let components = (0..count).map(|i| Component::new(format!("M{i}"), component(rng, shape))).collect();
    let mut network = Network::new(components);
    if shape.operators && rng.chance(1, 3) {
        let rank = if rng.chance(1, 2) { Rank::High } else { Rank::Low };
        let named = subset(rng, shape.actions);
        network = network.with_priority(rank, |name| named.contains(&name));
    }
    if shape.operators && rng.chance(1, 2) {
        let hidden = subset(rng, shape.actions);
        network = network.with_hidden(|name| hidden.contains(&name));
    }
    network
}

/// A random component, some states of which may be unreachable.
pub fn component(rng: &mut Rng, shape: &Shape) -> Lts {
    let alphabet: Alphabet = subset(rng, shape.actions).into_iter().collect();
    let proper = 1 + rng.below(shape.states);
    let mut builder = LtsBuilder::with_states(alphabet, proper);
    let mut targets: Vec<StateId> = (0..proper).map(StateId::from_index).collect();
    if shape.errors && rng.chance(1, 4) {
        targets.push(builder.error_state());
    }
    if shape.ends && rng.chance(1, 2) {
        let end = builder.add_state();
        builder.set_end(Some(end));
        targets.push(end);
    }
    builder.set_initial(if rng.chance(1, 40) { *rng.pick(&targets) } else { *rng.pick(&targets[..proper]) });
    let labels = 1 + builder.alphabet().len();
    for _ in 0..rng.below(3 * proper + 1) {
        let label = Label::from_raw(u32::try_from(rng.below(labels)).expect("a small number"));
        if label.is_tau() && !(shape.silent && rng.chance(1, 2)) {
            continue;
        }
        let source = StateId::from_index(rng.below(proper));
        builder.add_transition(source, label, *rng.pick(&targets));
    }
    builder.build()
}

/// Each item with a chance of one half.
fn subset<'a>(rng: &mut Rng, items: &[&'a str]) -> Vec<&'a str> {
    items.iter().copied().filter(|_| rng.chance(1, 2)).collect()
}

/// The dining philosophers: each takes the fork with its own number first, so the ring can deadlock.
pub fn philosophers(n: usize) -> Network {
    let philosopher = |i: usize| {
        let right = (i + 1) % n;
        let steps = [
            format!("sit.{i}"),
            format!("get.{i}.{i}"),
            format!("get.{i}.{right}"),
            format!("eat.{i}"),
            format!("put.{i}.{right}"),
            format!("put.{i}.{i}"),
            format!("arise.{i}"),
        ];
        let cycle: Vec<_> =
            steps.iter().enumerate().map(|(s, step)| (s, step.as_str(), (s + 1) % 7)).collect();
        Component::new(format!("phil.{i}"), from_transitions(7, &cycle))
    };
    let fork = |i: usize| {
        let left = (i + n - 1) % n;
        let steps = [
            (0, format!("get.{i}.{i}"), 1),
            (1, format!("put.{i}.{i}"), 0),
            (0, format!("get.{left}.{i}"), 2),
            (2, format!("put.{left}.{i}"), 0),
        ];
        let uses: Vec<_> = steps.iter().map(|(s, step, t)| (*s, step.as_str(), *t)).collect();
        Component::new(format!("fork.{i}"), from_transitions(3, &uses))
    };
    Network::new((0..n).map(philosopher).chain((0..n).map(fork)).collect())
}

/// A component from its transitions, with state 0 as the initial one and the actions in order of appearance.
pub fn from_transitions(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    let alphabet: Alphabet = transitions.iter().map(|&(_, name, _)| name).collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    for &(source, name, target) in transitions {
        let label = Label::visible(builder.alphabet_mut().intern(name));
        builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
    }
    builder.build()
}

/// A random property over some of the actions: deterministic, complete, with an error state.
pub fn property(rng: &mut Rng, states: usize, actions: &[&str]) -> Lts {
    let alphabet: Alphabet = subset(rng, actions).into_iter().collect();
    let proper = 1 + rng.below(states);
    let mut builder = LtsBuilder::with_states(alphabet, proper);
    let error = builder.error_state();
    let labels: Vec<Label> = builder.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
    for source in (0..proper).map(StateId::from_index) {
        for &label in &labels {
            let target = if rng.chance(1, 3) { error } else { StateId::from_index(rng.below(proper)) };
            builder.add_transition(source, label, target);
        }
    }
    builder.build()
}
