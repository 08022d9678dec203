//! The content of an assumption in lists that can be shown: what it forbids, and its consequences for the component.

use std::collections::VecDeque;

use rely_assume::{Assumption, Conjecture};
use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::Lts;

use crate::languages;
use crate::report::{AssumptionSize, Consequences, Forbidden, Hypothesis, Sequel};

/// Maximum number of entries of a list.
pub(super) const LISTED: usize = 12;

/// The size of an assumption.
pub(super) fn size(assumption: &Assumption) -> AssumptionSize {
    let lts = assumption.lts();
    AssumptionSize {
        states: lts.state_count(),
        transitions: lts.transition_count(),
        alphabet: lts.alphabet().sorted_names().into_iter().map(str::to_owned).collect(),
    }
}

/// A conjecture of a learner as plain data, with the process that it is if that is small enough to be read.
pub(super) fn hypothesis(conjecture: &Conjecture) -> Hypothesis {
    /// How many states can be read at a glance.
    const READABLE: usize = 12;
    let Conjecture { assumption, counterexample, is_too_weak } = conjecture;
    let lts = assumption.as_ref().map(|assumption| assumption.lts());
    Hypothesis {
        states: lts.map_or(0, |lts| lts.state_count()),
        counterexample: counterexample.clone(),
        too_weak: *is_too_weak,
        process: lts
            .filter(|lts| lts.state_count() <= READABLE)
            .and_then(|lts| languages::write("CONJECTURE", lts).ok()),
    }
}

/// The consequences of an assumption for the component, as plain data; long lists are cut.
pub(super) fn shown(found: rely_assume::Consequences) -> Consequences {
    let sequels = |sequels: Vec<rely_assume::Sequel>| -> Vec<Sequel> {
        let sequel = |rely_assume::Sequel { after, actions }| Sequel { after, actions };
        sequels.into_iter().take(LISTED).map(sequel).collect()
    };
    let rely_assume::Consequences { never, never_again, stuck, only } = found;
    Consequences { never, never_again: sequels(never_again), stuck, only: sequels(only) }
}

/// Whether an action of the component occurs in the assumption at all.
pub(super) fn leaves_something_to_do(lts: &Lts, own: &Alphabet) -> bool {
    let shared = lts.alphabet().names().any(|name| own.contains(name));
    let occurs =
        |label: Label| label.action().is_some_and(|action| own.contains(lts.alphabet().name(action)));
    !shared || lts.transitions().any(|transition| occurs(transition.label))
}

/// For the first states that forbid something, nearest first, a shortest path to the state and what is forbidden; and
/// the number of further states that forbid something.
pub(crate) fn forbidden(lts: &Lts, most: usize) -> (Vec<Forbidden>, usize) {
    // How each state was reached first; the initial state is its own predecessor.
    let mut before: Vec<Option<(StateId, Label)>> = vec![None; lts.state_count()];
    before[lts.initial().index()] = Some((lts.initial(), Label::TAU));
    let mut queue: VecDeque<StateId> = VecDeque::from([lts.initial()]);
    let (mut found, mut further) = (Vec::new(), 0);
    while let Some(state) = queue.pop_front() {
        let is_forbidding = lts.edges(state).len() < lts.alphabet().len();
        if is_forbidding && found.len() < most {
            let after = way_to(lts, &before, state);
            found.push(Forbidden { after, actions: not_allowed(lts, state) });
        } else if is_forbidding {
            further += 1;
        }
        for edge in lts.edges(state) {
            if before[edge.target.index()].is_none() {
                before[edge.target.index()] = Some((state, edge.label));
                queue.push_back(edge.target);
            }
        }
    }
    (found, further)
}

/// The actions of the path by which the search reached a state.
fn way_to(lts: &Lts, before: &[Option<(StateId, Label)>], mut state: StateId) -> Vec<String> {
    let mut way = Vec::new();
    while state != lts.initial() {
        let (source, label) = before[state.index()].expect("the state has been reached");
        way.push(lts.alphabet().label_name(label).to_owned());
        state = source;
    }
    way.reverse();
    way
}

/// The actions that a state does not allow, sorted.
fn not_allowed(lts: &Lts, state: StateId) -> Vec<String> {
    let allowed = |name: &str| {
        let action = lts.alphabet().get(name).expect("a name of the alphabet");
        !lts.edges_with(state, Label::visible(action)).is_empty()
    };
    let sorted = lts.alphabet().sorted_names();
    sorted.into_iter().filter(|name| !allowed(name)).map(str::to_owned).collect()
}
