//! Generators of transition systems: random ones, and all small ones.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};

use crate::rng::Rng;

/// The states with a special meaning that a generated system has, besides the ordinary ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Special {
    /// Whether there is an error state.
    pub error: bool,
    /// Whether there is an end state.
    pub end: bool,
}

impl Special {
    /// Neither.
    pub const NONE: Self = Self { error: false, end: false };
    /// All ways to have them.
    pub const ALL: [Self; 4] = [
        Self::NONE,
        Self { error: true, end: false },
        Self { error: false, end: true },
        Self { error: true, end: true },
    ];
}

/// What random systems look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How many ordinary states there are; state 0 is initial.
    pub states: usize,
    /// How many visible actions there are, called `a`, `b`, ….
    pub actions: usize,
    /// How many transitions are drawn; the same one may be drawn twice.
    pub transitions: usize,
    /// How many transitions of a hundred are silent.
    pub silent_percent: usize,
    /// The special states.
    pub special: Special,
}

impl Shape {
    /// A random small shape.
    pub fn random(rng: &mut Rng, max_states: usize) -> Self {
        let states = 1 + rng.below(max_states);
        Self {
            states,
            actions: 1 + rng.below(3),
            transitions: rng.below(3 * states + 2),
            silent_percent: *rng.pick(&[0, 20, 40, 60, 80]),
            special: *rng.pick(&Special::ALL),
        }
    }
}

/// A random system.
pub fn random_lts(rng: &mut Rng, shape: &Shape) -> Lts {
    let (mut builder, state_count) = blank(shape.states, shape.actions, shape.special);
    for _ in 0..shape.transitions {
        let label = if rng.chance(shape.silent_percent, 100) { 0 } else { 1 + rng.below(shape.actions) };
        let source = StateId::from_index(rng.below(shape.states));
        let target = StateId::from_index(rng.below(state_count));
        builder.add_transition(source, label_at(label), target);
    }
    builder.build()
}

/// A random system whose silent transitions form few cycles and many long paths: targets lie close behind their
/// sources.
pub fn random_layered_lts(rng: &mut Rng, shape: &Shape) -> Lts {
    let (mut builder, state_count) = blank(shape.states, shape.actions, shape.special);
    for _ in 0..shape.transitions {
        let label = if rng.chance(shape.silent_percent, 100) { 0 } else { 1 + rng.below(shape.actions) };
        let source = rng.below(shape.states);
        let target = (source + 1 + rng.below(3)).min(state_count - 1);
        let target = if rng.chance(1, 20) { rng.below(state_count) } else { target };
        builder.add_transition(StateId::from_index(source), label_at(label), StateId::from_index(target));
    }
    builder.build()
}

/// All systems with these numbers of ordinary states and visible actions, and τ, one for each set of transitions. Of
/// systems that differ only in the numbers of their ordinary states, the initial one included, there is one.
///
/// # Panics
/// When there are 2³² sets of transitions or more.
pub fn all_ltss(states: usize, actions: usize, special: Special) -> impl Iterator<Item = Lts> {
    let (blank, state_count) = blank(states, actions, special);
    let mut places = Vec::new();
    for source in 0..states {
        for label in 0..=actions {
            for target in 0..state_count {
                places.push((source, label, target));
            }
        }
    }
    assert!(places.len() < 32, "too many systems to enumerate");
    let renumberings: Vec<Vec<usize>> =
        permutations(states).iter().map(|permutation| renumbered(&places, permutation)).collect();
    let is_least = move |&set: &u32| renumberings.iter().all(|renumbering| image(set, renumbering) >= set);
    (0..1_u32 << places.len()).filter(is_least).map(move |set| {
        let mut builder = blank.clone();
        for (i, &(source, label, target)) in places.iter().enumerate() {
            if set >> i & 1 == 1 {
                builder.add_transition(
                    StateId::from_index(source),
                    label_at(label),
                    StateId::from_index(target),
                );
            }
        }
        builder.build()
    })
}

/// All orders of the numbers below `n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for new in 0..n {
        let insert = |old: &Vec<usize>, place: usize| {
            let mut order = old.clone();
            order.insert(place, new);
            order
        };
        all = all.iter().flat_map(|old| (0..=new).map(move |place| insert(old, place))).collect();
    }
    all
}

/// Where each place goes when the states are renumbered; those beyond the permutation keep their numbers.
fn renumbered(places: &[(usize, usize, usize)], permutation: &[usize]) -> Vec<usize> {
    let state = |s: usize| permutation.get(s).copied().unwrap_or(s);
    let place = |&(source, label, target): &(usize, usize, usize)| {
        let renumbered = (state(source), label, state(target));
        places.iter().position(|&other| other == renumbered).expect("renumbering permutes the places")
    };
    places.iter().map(place).collect()
}

/// The set with its members moved.
fn image(set: u32, renumbering: &[usize]) -> u32 {
    renumbering.iter().enumerate().filter(|&(i, _)| set >> i & 1 == 1).map(|(_, &to)| 1 << to).sum()
}

/// A system without transitions, and the number of all its states.
fn blank(states: usize, actions: usize, special: Special) -> (LtsBuilder, usize) {
    let alphabet: Alphabet = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().take(actions).collect();
    assert_eq!(alphabet.len(), actions, "there are names for eight actions");
    let mut builder = LtsBuilder::with_states(alphabet, states);
    if special.end {
        let end = builder.add_state();
        builder.set_end(Some(end));
    }
    if special.error {
        builder.error_state();
    }
    let state_count = builder.state_count();
    (builder, state_count)
}

/// The label at a position of a table that has τ first.
fn label_at(index: usize) -> Label {
    Label::from_raw(u32::try_from(index).expect("there are few labels"))
}
