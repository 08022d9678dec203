//! Potential deadlocks, which an assumption must not lead its components into.
//!
//! **Problem.** The weakest assumption may forbid everything that the components could do next. Such an assumption is
//! met by leaving the components stuck for ever, which is rarely what was wanted.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003], section 3.4.
//!
//! **Definition.** A state is *terminal* with respect to the actions of the components if no path from it that avoids the
//! error state has one of these actions on it. What others do meanwhile does not count: the components are stuck.
//!
//! **Idea.** Terminal states are errors, and what can reach an error by silent steps is an error; until nothing changes.
//! Components that have ended are not stuck.
//!
//! **Complexity.** O(n·m) at worst: each round is linear and finds at least one new error.
//!
//! **Callers.** `weakest.rs`, before and after determinisation, which hides deadlocks and may bring new ones to light.

use rely_base::{Id, Label};
use rely_lts::operators::{merged_into_error, propagate_error, trim};
use rely_lts::{Lts, Transition};

use crate::backwards::{reaching, sources};

/// The system in which the states where the components are stuck, and those from which silent steps may lead there, are
/// the error state; `is_own` tells the actions of the components.
pub(crate) fn without_deadlocks(lts: &Lts, is_own: impl Fn(&str) -> bool) -> Lts {
    let own: Vec<bool> = lts.alphabet().names().map(is_own).collect();
    let is_own = |label: Label| label.action().is_some_and(|action| own[action.index()]);
    let mut lts = trim(lts);
    loop {
        let alive = alive(&lts, is_own);
        if lts.states().all(|state| alive[state.index()] || Some(state) == lts.error()) {
            return lts;
        }
        lts = propagate_error(&merged_into_error(&lts, |state| !alive[state.index()]));
        if lts.error() == Some(lts.initial()) {
            return lts;
        }
    }
}

/// For each state, whether a path that avoids the error leads from it to a transition of the components, or to the end.
fn alive(lts: &Lts, is_own: impl Fn(Label) -> bool) -> Vec<bool> {
    let proper = |transition: &Transition| Some(transition.target) != lts.error();
    let edges = lts.transitions().filter(proper).map(|transition| (transition.source, transition.target));
    let own = lts.transitions().filter(proper).filter(|transition| is_own(transition.label));
    let goals = own.map(|transition| transition.source).chain(lts.end());
    reaching(&sources(lts.state_count(), edges), goals)
}
