//! Error completion: what must not happen leads to the error state π.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definition 8: A? leads to π by every input that is not possible in
//! a state, A! by every output that is not.
//!
//! **Idea.** One construction for both. For each action the caller says whether it stays as it is, is completed, or
//! never happens. So a network of completions also expresses which actions of an open system its environment takes
//! part in.
//!
//! **Invariants.** States keep their numbers, and π comes last, so that a run of the completion is one of the
//! automaton. The alphabet is the same. If the automaton has an error state of its own, steps into it are dropped,
//! but an action with such a step counts as possible. An answer about such an automaton would ignore what is sent on
//! these steps; callers reject automata that can reach an error state.

use rely_base::{ActionId, Id, Label};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role};

use crate::view::leading_to;

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
    completion(automaton, treatment)
}

/// What happens to an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Treatment {
    /// It is possible where it was.
    Kept,
    /// Where it is not possible it leads to the error state.
    Completed,
    /// It never happens.
    Dropped,
}

/// The automaton with every action treated as `treatment` says for its name and role.
pub(crate) fn completion(automaton: &InterfaceAutomaton, treatment: impl Fn(&str, Role) -> Treatment) -> Lts {
    completion_after(automaton, |_| false, treatment)
}

/// The completion in which an action counts as possible if steps that satisfy `may_precede` lead to a state that has
/// it.
pub(crate) fn completion_after(
    automaton: &InterfaceAutomaton,
    may_precede: impl Fn(Label) -> bool,
    treatment: impl Fn(&str, Role) -> Treatment,
) -> Lts {
    let lts = automaton.lts();
    let treatments: Vec<Treatment> =
        lts.alphabet().iter().map(|(action, name)| treatment(name, automaton.role(action))).collect();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_end(lts.end());
    let is_dropped = |action: ActionId| treatments[action.index()] == Treatment::Dropped;
    for step in lts.transitions().filter(|step| Some(step.target) != lts.error()) {
        if !step.label.action().is_some_and(is_dropped) {
            builder.add_transition(step.source, step.label, step.target);
        }
    }
    for (action, _) in lts.alphabet().iter() {
        if treatments[action.index()] != Treatment::Completed {
            continue;
        }
        let now = lts.states().filter(|&state| !lts.edges_with(state, Label::visible(action)).is_empty());
        let possible = leading_to(lts, now, &may_precede);
        for state in lts.states().filter(|&state| Some(state) != lts.error() && !possible[state.index()]) {
            let error = builder.error_state();
            builder.add_transition(state, Label::visible(action), error);
        }
    }
    builder.build()
}
