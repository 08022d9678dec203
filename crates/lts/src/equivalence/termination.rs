//! Termination as an action.
//!
//! Successful termination is observable, so to a bisimilarity the end state is one with a transition √ to itself. It
//! then differs from every other state without transitions; but a state from which termination is only silent steps
//! away is equivalent to the end state, as in LTSA. Strong bisimilarity does not distinguish between √ and a separate
//! class for the end state.

use rely_base::{Alphabet, Id, Label};

use crate::{Lts, LtsBuilder};

/// The action √. No name of FSP looks like this, and the readers of files reject it.
pub const TICK: &str = "√";

/// The system with the action √ at its end state, which is an ordinary state now. Nothing if it has no end state.
pub fn as_action(lts: &Lts) -> Option<Lts> {
    let end = lts.end()?;
    let mut alphabet = lts.alphabet().clone();
    let tick = Label::visible(alphabet.intern(TICK));
    let mut builder = LtsBuilder::with_states(alphabet, lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder.add_transition(end, tick, end);
    Some(builder.build())
}

/// The inverse of [`as_action`]: √ is gone, and the state that had it is the end state.
pub(super) fn as_state(lts: &Lts) -> Lts {
    let tick = lts.alphabet().get(TICK).map(Label::visible);
    let alphabet: Alphabet = lts.alphabet().names().filter(|&name| name != TICK).collect();
    debug_assert!(tick.is_none_or(|tick| tick.index() == alphabet.len() + 1), "√ is the last action");
    let mut builder = LtsBuilder::with_states(alphabet, lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        if Some(transition.label) == tick {
            debug_assert_eq!(transition.source.index(), transition.target.index());
            builder.set_end(Some(transition.source));
        } else {
            builder.add_transition(transition.source, transition.label, transition.target);
        }
    }
    builder.build()
}
