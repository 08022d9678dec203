//! Property systems: the error LTS of a property, and back.

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
