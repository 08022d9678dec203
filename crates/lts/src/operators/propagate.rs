//! Backward propagation of the error state over silent transitions.

use rely_base::{Id, StateId};

use crate::{Lts, LtsBuilder};

/// The system in which every state that can reach π by silent steps alone *is* π, without what can then no longer be
/// reached [Giannakopoulou, Păsăreanu, Barringer 2003, section 3.1].
///
/// No environment can keep the system from failing in such a state. The visible traces that may lead to π are the
/// same, except that extensions of such a trace are dropped.
pub fn propagate_error(lts: &Lts) -> Lts {
    let Some(error) = lts.error() else { return super::trim(lts) };
    let mut silent_sources = vec![Vec::new(); lts.state_count()];
    for transition in lts.transitions().filter(|transition| transition.label.is_tau()) {
        silent_sources[transition.target.index()].push(transition.source);
    }
    let mut fails = vec![false; lts.state_count()];
    let mut stack = vec![error];
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut fails[state.index()], true) {
            stack.extend(&silent_sources[state.index()]);
        }
    }
    if lts.states().all(|state| state == error || !fails[state.index()]) {
        return super::trim(lts);
    }
    merged_into_error(lts, |state| fails[state.index()])
}

/// The system in which the states that satisfy `fails` are π, without what becomes unreachable.
pub fn merged_into_error(lts: &Lts, fails: impl Fn(StateId) -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_error(lts.error());
    builder.set_end(lts.end().filter(|&end| !fails(end)));
    let error = builder.error_state();
    let place = |state: StateId| if fails(state) { error } else { state };
    builder.set_initial(place(lts.initial()));
    for transition in lts.transitions().filter(|transition| !fails(transition.source)) {
        builder.add_transition(transition.source, transition.label, place(transition.target));
    }
    super::trim(&builder.build())
}
