//! The reachable part.

use rely_base::{Id, StateId};

use crate::{Lts, LtsBuilder};

/// The system without its unreachable states, numbered breadth first; the error state comes last.
pub fn trim(lts: &Lts) -> Lts {
    if lts.is_trimmed() { lts.clone() } else { renumbered(lts).0 }
}

/// The system as [`trim`] makes it, and for each of its states the original number.
pub fn trim_numbered(lts: &Lts) -> (Lts, Vec<StateId>) {
    if lts.is_trimmed() { (lts.clone(), lts.states().collect()) } else { renumbered(lts) }
}

fn renumbered(lts: &Lts) -> (Lts, Vec<StateId>) {
    let mut number = vec![None; lts.state_count()];
    let mut order = vec![lts.initial()];
    number[lts.initial().index()] = Some(StateId::from_index(0));
    let mut next = 0;
    let mut reaches_error = lts.error() == Some(lts.initial());
    while let Some(&state) = order.get(next) {
        next += 1;
        for edge in lts.edges(state) {
            if Some(edge.target) == lts.error() {
                reaches_error = true;
            } else if number[edge.target.index()].is_none() {
                number[edge.target.index()] = Some(StateId::from_index(order.len()));
                order.push(edge.target);
            }
        }
    }
    if let Some(error) = lts.error().filter(|&error| reaches_error && error != lts.initial()) {
        number[error.index()] = Some(StateId::from_index(order.len()));
        order.push(error);
    }
    let new = |state: StateId| number[state.index()].expect("targets of reachable states are reachable");
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), order.len());
    builder.set_error(lts.error().and_then(|error| number[error.index()]));
    builder.set_end(lts.end().and_then(|end| number[end.index()]));
    for &state in &order {
        for edge in lts.edges(state) {
            builder.add_transition(new(state), edge.label, new(edge.target));
        }
    }
    (builder.build(), order)
}
