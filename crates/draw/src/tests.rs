//! Pictures of random and of nasty systems, judged by geometry.

mod lanes;
mod phases;
mod pictures;
mod xml;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_testkit::rng::Rng;

/// A system from triples; label 0 is τ and label `i` the `i`-th name.
fn system(names: &[&str], states: usize, transitions: &[(usize, u32, usize)]) -> LtsBuilder {
    let mut builder = LtsBuilder::with_states(names.iter().collect::<Alphabet>(), states);
    for &(source, label, target) in transitions {
        let (source, target) = (StateId::from_index(source), StateId::from_index(target));
        builder.add_transition(source, Label::from_raw(label), target);
    }
    builder
}

/// A random system of up to `max_states` states, most of them reachable, with labels of all lengths.
fn random(rng: &mut Rng, max_states: usize) -> Lts {
    const NAMES: [&str; 7] =
        ["a", "b", "get[3]", "phil.1.right.get", "controller.1.command[3].acknowledge", "<&>\"'", "\u{7}ü漢"];
    let states = 1 + rng.below(max_states);
    let mut transitions = Vec::new();
    let label = |rng: &mut Rng| u32::try_from(rng.below(NAMES.len() + 1)).unwrap();
    for target in 1..states {
        if rng.chance(9, 10) {
            transitions.push((target - 1 - rng.below(target.min(4)), label(rng), target));
        }
    }
    for _ in 0..rng.below(states * 2 + 3) {
        transitions.push((rng.below(states), label(rng), rng.below(states)));
    }
    let special = |rng: &mut Rng| rng.chance(1, 2).then(|| rng.below(states));
    let (error, end) = (special(rng), special(rng));
    let end = end.filter(|_| end != error);
    transitions.retain(|&(source, ..)| Some(source) != error && Some(source) != end);
    let mut builder = system(&NAMES, states, &transitions);
    builder.set_error(error.map(StateId::from_index));
    builder.set_end(end.map(StateId::from_index));
    builder.set_initial(StateId::from_index(rng.below(states)));
    builder.build()
}

/// Systems that pictures are often made of, and some that are hard.
fn gallery() -> Vec<(&'static str, Lts)> {
    let light = system(&["red", "orange", "green"], 4, &[(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 2, 0)]);
    let ring: Vec<_> = (0..12).map(|i| (i, 1, (i + 1) % 12)).collect();
    let tree: Vec<_> = (0..15).flat_map(|i| [(i, 1, 2 * i + 1), (i, 2, 2 * i + 2)]).collect();
    let complete: Vec<_> = (0..8).flat_map(|i| (0..8).map(move |j| (i, 1 + u32::from(i < j), j))).collect();
    let star: Vec<_> = (1..60).flat_map(|i| [(0, 1, i), (i, 2, 0)]).collect();
    let many: Vec<String> = (0..200).map(|i| format!("controller.{i}.command[{i}].acknowledge")).collect();
    let many_names: Vec<&str> = many.iter().map(String::as_str).collect();
    let many_loops: Vec<_> =
        (1..=200).flat_map(|label| [(0, label, 0), (0, label, 1), (1, label, 1)]).collect();
    let mut special = system(&["a"], 4, &[(0, 1, 1), (0, 0, 2), (1, 1, 3), (1, 1, 2), (3, 1, 0)]);
    special.set_error(Some(StateId::from_raw(1)));
    special.set_end(Some(StateId::from_raw(2)));
    let long = "x".repeat(500);
    vec![
        ("one state", system(&[], 1, &[]).build()),
        ("two states apart", system(&[], 2, &[]).build()),
        ("traffic light", light.build()),
        ("ring", system(&["pass"], 12, &ring).build()),
        ("tree", system(&["left", "right"], 31, &tree).build()),
        ("complete graph", system(&["up", "down"], 8, &complete).build()),
        ("star", system(&["out", "back"], 60, &star).build()),
        ("many long labels", system(&many_names, 2, &many_loops).build()),
        ("error and end", special.build()),
        ("one long name", system(&[&long], 2, &[(0, 1, 1), (1, 1, 1), (1, 1, 0)]).build()),
        ("an empty name", system(&[""], 2, &[(0, 1, 1), (1, 1, 1)]).build()),
    ]
}
