//! Error completion: what must not happen leads to the error state π.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definition 8: A? leads to π by every input that is not possible in
//! a state, A! by every output that is not.
//!
//! **Idea.** One construction for both, which is told for each action what becomes of it: it stays as it is, it is
//! completed, or it never happens. So a network of completions also says which actions of an open system the
//! environment takes part in.
//!
//! **Invariants.** States keep their numbers, and π comes last, so that a run of the completion is one of the automaton.
//! The alphabet is the same. An error state that the automaton has by itself is another matter than what is looked for
//! here: steps into it are left out, yet an action that has such a step is possible.

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role};

use crate::Receptiveness;
use crate::view::closure;

/// A?: the automaton in which every input that is not possible leads to the error state.
pub fn input_completion(automaton: &InterfaceAutomaton) -> Lts {
    only(automaton, Role::Input)
}

/// A!: the automaton in which every output that is not possible leads to the error state.
pub fn output_completion(automaton: &InterfaceAutomaton) -> Lts {
    only(automaton, Role::Output)
}

fn only(automaton: &InterfaceAutomaton, role: Role) -> Lts {
    let treatment = |_: &str, of: Role| if of == role { Treatment::Completed } else { Treatment::Kept };
    completion(automaton, Receptiveness::Now, treatment)
}

/// What becomes of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Treatment {
    /// It is possible where it was.
    Kept,
    /// Where it is not possible it leads to the error state.
    Completed,
    /// It never happens.
    Dropped,
}

/// The automaton with every action treated as is said for its name and role.
pub(crate) fn completion(
    automaton: &InterfaceAutomaton,
    receptiveness: Receptiveness,
    treatment: impl Fn(&str, Role) -> Treatment,
) -> Lts {
    let lts = automaton.lts();
    let actions: Vec<(ActionId, Treatment)> = lts
        .alphabet()
        .iter()
        .map(|(action, name)| (action, treatment(name, automaton.role(action))))
        .collect();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        for edge in lts.edges(state).iter().filter(|edge| Some(edge.target) != lts.error()) {
            let dropped = |action: ActionId| actions[action.index()].1 == Treatment::Dropped;
            if !edge.label.action().is_some_and(dropped) {
                builder.add_transition(state, edge.label, edge.target);
            }
        }
        for &(action, treatment) in &actions {
            if treatment == Treatment::Completed && !is_possible(automaton, state, action, receptiveness) {
                let error = builder.error_state();
                builder.add_transition(state, Label::visible(action), error);
            }
        }
    }
    builder.build()
}

/// Whether an action is possible in a state.
fn is_possible(
    automaton: &InterfaceAutomaton,
    state: StateId,
    action: ActionId,
    receptiveness: Receptiveness,
) -> bool {
    let now = |&state: &StateId| !automaton.lts().edges_with(state, Label::visible(action)).is_empty();
    match receptiveness {
        Receptiveness::Now => now(&state),
        Receptiveness::Eventually => now(&state) || closure(automaton, state).iter().any(now),
    }
}
