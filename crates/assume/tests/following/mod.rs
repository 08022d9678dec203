//! What a proof by reduction has to show, from the definitions: a step that replaces pieces is good if all that they can
//! do, the result can do; sequence by sequence, with all states that the result can be in after each.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{ActionId, Id, Label, StateId};
use rely_certificate::{Abstraction, ReductionProof, ReductionStep};
use rely_lts::{Component, Lts, LtsBuilder, Network, operators};
use rely_testkit::naive::product::{Tuple, error_in, moves_of};

use crate::changes::rows;

/// Whether the steps of a proof are what they claim to be, relations left aside, and nothing is left that can fail.
pub(crate) fn is_proof(network: &Network, proof: &ReductionProof) -> bool {
    let piece = |(i, component): (usize, &Component)| match proof.goal.contains(&i) {
        true => Some((*component.lts).clone()),
        false => proof.parts.contains(&i).then(|| operators::stopped(&component.lts)),
    };
    let mut pieces: Vec<Option<Lts>> = network.components().iter().enumerate().map(piece).collect();
    let is_good = proof.steps.iter().all(|step| match step {
        ReductionStep::Never { action, piece } => never(&mut pieces, action, *piece),
        ReductionStep::Idle { action } => idle(&mut pieces, action),
        ReductionStep::Replace { pieces: replaced, by, .. } => replace(&mut pieces, replaced, by),
    });
    is_good && pieces.iter().flatten().all(|lts| lts.error().is_none())
}

fn never(pieces: &mut [Option<Lts>], action: &str, piece: usize) -> bool {
    let Some(Some(lts)) = pieces.get(piece) else { return false };
    let Some(label) = lts.alphabet().get(action).map(Label::visible) else { return false };
    if operators::trim(lts).transitions().any(|transition| transition.label == label) {
        return false;
    }
    forget(pieces, action)
}

fn idle(pieces: &mut [Option<Lts>], action: &str) -> bool {
    let changes = |lts: &Lts| {
        let of_action = |label: Label| label.action().is_some_and(|a| lts.alphabet().name(a) == action);
        operators::trim(lts).transitions().any(|step| of_action(step.label) && step.source != step.target)
    };
    !pieces.iter().flatten().any(changes) && forget(pieces, action)
}

fn forget(pieces: &mut [Option<Lts>], action: &str) -> bool {
    for lts in pieces.iter_mut().flatten() {
        *lts = operators::restrict(lts, |name| name == action);
    }
    true
}

fn replace(pieces: &mut Vec<Option<Lts>>, replaced: &[usize], by: &Abstraction) -> bool {
    let Some(result) = read(by) else { return false };
    let mut components = Vec::new();
    for &piece in replaced {
        let Some(lts) = pieces.get_mut(piece).and_then(Option::take) else { return false };
        components.push(Component { name: String::new(), lts: Arc::new(lts) });
    }
    let others_can_fail = pieces.iter().flatten().any(|lts| lts.error().is_some());
    let network = Network::new(components);
    let is_good = !replaced.is_empty()
        && result.alphabet().names().all(|name| network.alphabet().contains(name))
        && follows(&network, &result, others_can_fail);
    pieces.push(Some(result));
    is_good
}

/// The system of an abstraction, if it is one.
fn read(by: &Abstraction) -> Option<Lts> {
    let transitions = rows(by)?;
    let is_state = |state: u32| (state as usize) < by.states;
    let alphabet: rely_base::Alphabet = by.alphabet.iter().map(String::as_str).collect();
    if alphabet.len() != by.alphabet.len() || by.states == 0 || by.states - 1 > transitions.len() {
        return None;
    }
    let mut builder = LtsBuilder::with_states(alphabet, by.states);
    builder.set_error(by.error.map(StateId::from_index));
    for [source, label, target] in transitions {
        let has_failed = by.error == Some(source as usize);
        if has_failed || !is_state(source) || !is_state(target) || label as usize > by.alphabet.len() {
            return None;
        }
        let label = match label {
            0 => Label::TAU,
            label => Label::visible(ActionId::from_raw(label - 1)),
        };
        builder.add_transition(StateId::from_raw(source), label, StateId::from_raw(target));
    }
    by.error.is_none_or(|error| error < by.states).then(|| builder.build())
}

/// Whether every sequence that the network can do, the result can do, unless it fails before; and whether it has failed
/// where the network fails. Where nothing else can fail, only sequences that lead to a failure count.
fn follows(network: &Network, result: &Lts, others_can_fail: bool) -> bool {
    let initial: Tuple = network.components().iter().map(|component| component.lts.initial()).collect();
    let start = closed(result, BTreeSet::from([result.initial()]));
    let mut known = BTreeSet::from([(initial, start)]);
    let mut open: Vec<_> = known.iter().cloned().collect();
    while let Some((tuple, set)) = open.pop() {
        if result.error().is_some_and(|error| set.contains(&error)) {
            continue;
        }
        if error_in(network, &tuple).is_some() || others_can_fail && set.is_empty() {
            return false;
        }
        for (action, target) in moves_of(network, &tuple) {
            let name = action.map(|action| network.alphabet().name(action));
            let after = match name.and_then(|name| result.alphabet().get(name)).map(Label::visible) {
                None => set.clone(),
                Some(label) => {
                    let targets = set.iter().flat_map(|&state| result.edges_with(state, label));
                    closed(result, targets.map(|edge| edge.target).collect())
                }
            };
            let pair = (target, after);
            if known.insert(pair.clone()) {
                open.push(pair);
            }
        }
    }
    true
}

/// The states that silent steps lead to.
fn closed(lts: &Lts, mut states: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut open: Vec<StateId> = states.iter().copied().collect();
    while let Some(state) = open.pop() {
        for edge in lts.edges_with(state, Label::TAU) {
            if states.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    states
}
