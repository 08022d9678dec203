//! Forged proofs by reduction.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_certificate::{Abstraction, Evidence, ReductionProof, ReductionStep};
use rely_lts::{Component, Lts, LtsBuilder, Network, operators};
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::rng::Rng;

use crate::changes::table;
use crate::evidence::Statement;
use crate::systems::{ACTIONS, some_of};

/// A proof that replaces one piece after the other, and does so rightly most of the time.
///
/// A piece, or several, is replaced by a system of one state that sees some of the actions, and is always ready for them or
/// never. It may have an error state, to which an action leads. That such a system follows them is said of all states that
/// can be reached in which nothing has failed; or it is said that nothing can fail any more. In the end all that is left is
/// replaced by a system that does nothing, with the same words, which is right where it cannot fail. So if all steps but
/// one are right, that one is to blame.
pub(crate) fn near_proof(network: &Network, statement: &Statement, rng: &mut Rng) -> Evidence {
    let goal: Vec<usize> = statement.goal.iter().map(|id| id.index()).collect();
    let parts: Vec<usize> = statement.parts(network).iter().map(|id| id.index()).collect();
    let lts = |i: usize| &*network.components()[i].lts;
    let piece = |i: usize| match (goal.contains(&i), parts.contains(&i)) {
        (true, _) => Some(lts(i).clone()),
        (_, true) => Some(operators::stopped(lts(i))),
        _ => None,
    };
    let mut pieces: Vec<Option<Lts>> = (0..network.components().len()).map(piece).collect();
    let mut steps = Vec::new();
    let count = 1 + rng.below(3);
    for left in (0..=count).rev() {
        let live: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].is_some()).collect();
        let replaced: Vec<usize> = if left == 0 { live } else { some_of(rng, &live) };
        if replaced.is_empty() {
            continue;
        }
        let systems: Vec<Lts> = replaced.iter().filter_map(|&i| pieces[i].clone()).collect();
        let (result, manner) = match left {
            0 => (LtsBuilder::with_states(Alphabet::new(), 1).build(), Manner::GiveUp),
            _ => (one_state(rng), *rng.pick(&[Manner::GiveUp, Manner::Follow, Manner::Either])),
        };
        steps.push(replacement(&replaced, &systems, &result, manner, rng));
        replaced.iter().for_each(|&i| pieces[i] = None);
        pieces.push(Some(result));
    }
    Evidence::Reduction(ReductionProof { goal, parts, steps })
}

/// What is said of the states that can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Nothing can fail any more.
    GiveUp,
    /// The result follows.
    Follow,
    /// One or the other, at random.
    Either,
}

/// A system of one state that is ready for some actions, and perhaps fails by one.
fn one_state(rng: &mut Rng) -> Lts {
    let alphabet: Alphabet = some_of(rng, ACTIONS).into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, 1);
    let start = StateId::from_index(0);
    let labels: Vec<Label> = builder.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
    let is_ready = rng.chance(2, 3);
    for &label in labels.iter().filter(|_| is_ready) {
        builder.add_transition(start, label, start);
    }
    if let Some(&label) = labels.first().filter(|_| rng.chance(1, 3)) {
        let error = builder.error_state();
        builder.add_transition(start, label, error);
    }
    builder.build()
}

/// The step that replaces some systems: for each tuple in which nothing has failed, the one state or the mark that nothing
/// fails any more.
fn replacement(
    pieces: &[usize],
    systems: &[Lts],
    result: &Lts,
    manner: Manner,
    rng: &mut Rng,
) -> ReductionStep {
    let network = Network::new(systems.iter().map(|lts| Component::new("", lts.clone())).collect());
    let product = NaiveProduct::new(&network);
    let given_up = u32::try_from(result.state_count()).expect("a small number");
    let mut rows = Vec::new();
    for tuple in product.moves.keys().filter(|tuple| error_in(&network, tuple).is_none()) {
        let gives_up = manner == Manner::GiveUp || manner == Manner::Either && rng.chance(1, 2);
        let image = if gives_up { given_up } else { 0 };
        rows.push(tuple.iter().map(|state| state.raw()).chain([image]).collect());
    }
    let relation = table(pieces.len() + 1, rows);
    ReductionStep::Replace { pieces: pieces.to_vec(), by: Abstraction::of(result), relation }
}

/// Puts a lie into a proof about `components` components: a part that is none, or a step that is not true.
pub(crate) fn lie(proof: &mut ReductionProof, observers: &[usize], components: usize, rng: &mut Rng) {
    let piece = |rng: &mut Rng| rng.below(components + 4);
    let place = rng.below(proof.steps.len() + 1);
    let action = (*rng.pick(ACTIONS)).to_owned();
    match rng.below(7) {
        0 => proof.parts.extend(proof.goal.first().copied()),
        1 => proof.parts.extend(observers.first().copied()),
        2 => proof.parts.push(*rng.pick(&[components, usize::MAX])),
        3 => proof.goal.clear(),
        4 => proof.steps.insert(place, ReductionStep::Idle { action }),
        5 => proof.steps.insert(place, ReductionStep::Never { action, piece: piece(rng) }),
        // The goal is replaced by what cannot fail, whatever it does.
        _ => {
            let pieces: Vec<usize> = proof.goal.iter().copied().take(1).collect();
            let by = LtsBuilder::with_states(Alphabet::new(), 1).build();
            let image = if rng.chance(1, 2) { 0 } else { 1 };
            let rows = (0..4).map(|state| vec![state, image]).take(1 + rng.below(4)).collect();
            let step = ReductionStep::Replace { pieces, by: Abstraction::of(&by), relation: table(2, rows) };
            proof.steps.insert(place, step);
        }
    }
}
