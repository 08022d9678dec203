//! Property systems: the error LTS of a property, and systems whose error states do not count.

use rely_base::{ActionId, Id, Label};

use crate::{Lts, LtsBuilder};

/// P_err: every action of the alphabet that a state does not allow leads to the error state π.
///
/// A property never ends on its own: the end state becomes an ordinary one.
pub fn complete(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    let error = builder.error_state();
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        let mut allowed = vec![false; lts.alphabet().len()];
        for edge in lts.edges(state) {
            builder.add_transition(state, edge.label, edge.target);
            if let Some(action) = edge.label.action() {
                allowed[action.index()] = true;
            }
        }
        for action in (0..allowed.len()).filter(|&action| !allowed[action]) {
            builder.add_transition(state, Label::visible(ActionId::from_index(action)), error);
        }
    }
    builder.build()
}

/// The system without the transitions into its error state: what a property allows, and no more.
pub fn without_error(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    for transition in lts.transitions().filter(|transition| Some(transition.target) != lts.error()) {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    super::trim(&builder.build())
}

/// The system that halts where it would fail: its error state becomes an ordinary one without transitions. States
/// keep their numbers.
///
/// For a component whose failure ends a run but is not what is being checked. Dropping its failing transitions
/// instead would also drop what other components do in these steps: one that fails in the same step would never be
/// seen to fail.
pub fn stopped(lts: &Lts) -> Lts {
    without_failing(lts).build()
}

/// The system whose error state becomes an ordinary one that is never left and refuses nothing. States keep their
/// numbers.
///
/// For a property that is not being checked: it does not restrict the other components, whether it is broken or not.
pub fn harmless(lts: &Lts) -> Lts {
    let mut builder = without_failing(lts);
    if let Some(error) = lts.error() {
        for (action, _) in lts.alphabet().iter() {
            builder.add_transition(error, Label::visible(action), error);
        }
    }
    builder.build()
}

/// A copy without an error state.
fn without_failing(lts: &Lts) -> LtsBuilder {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder
}
