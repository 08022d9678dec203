//! An interface automaton as it is seen from outside [Emmi, Giannakopoulou, Păsăreanu 2008, section 3.2].
//!
//! Internal steps are not seen. So an input is sure to be accepted in a state if it is possible in all states that
//! internal steps may lead to, and an output is to be expected if it is possible in one of them.

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, Role};

use crate::Closure;

/// H-Closure(a): the states that internal steps lead to from a state, itself included, sorted.
pub(crate) fn closure(automaton: &InterfaceAutomaton, state: StateId) -> Vec<StateId> {
    let mut reached = vec![state];
    let mut seen = rustc_hash::FxHashSet::from_iter([state]);
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        next += 1;
        for edge in automaton.lts().edges(state) {
            if automaton.role_of(edge.label) == Role::Internal && seen.insert(edge.target) {
                reached.push(edge.target);
            }
        }
    }
    reached.sort_unstable();
    reached
}

/// What can be seen of an automaton, computed for each state when it is asked for.
pub(crate) struct View<'a> {
    automaton: &'a InterfaceAutomaton,
    after: Closure,
    /// H-Closure of each state that was asked about.
    closures: Vec<Option<Vec<StateId>>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(automaton: &'a InterfaceAutomaton, after: Closure) -> Self {
        Self { automaton, after, closures: vec![None; automaton.lts().state_count()] }
    }

    pub(crate) fn automaton(&self) -> &'a InterfaceAutomaton {
        self.automaton
    }

    fn closure(&mut self, state: StateId) -> &[StateId] {
        let automaton = self.automaton;
        self.closures[state.index()].get_or_insert_with(|| closure(automaton, state))
    }

    /// A state that internal steps may lead to and in which an action is not possible.
    pub(crate) fn refuser(&mut self, state: StateId, action: ActionId) -> Option<StateId> {
        let lts = self.automaton.lts();
        let refuses = |state: &&StateId| lts.edges_with(**state, Label::visible(action)).is_empty();
        self.closure(state).iter().find(refuses).copied()
    }

    /// A state that internal steps may lead to and in which an action is possible.
    pub(crate) fn offerer(&mut self, state: StateId, action: ActionId) -> Option<StateId> {
        let lts = self.automaton.lts();
        let offers = |state: &&StateId| !lts.edges_with(**state, Label::visible(action)).is_empty();
        self.closure(state).iter().find(offers).copied()
    }

    /// The external destinations of an action, sorted: where it leads with internal steps before it, and after it if the
    /// closure says so.
    pub(crate) fn destinations(&mut self, state: StateId, action: ActionId) -> Vec<StateId> {
        let lts = self.automaton.lts();
        let label = Label::visible(action);
        let direct: Vec<StateId> = self
            .closure(state)
            .iter()
            .flat_map(|&before| lts.edges_with(before, label))
            .map(|edge| edge.target)
            .collect();
        let mut all = match self.after {
            Closure::Before => direct,
            Closure::BeforeAndAfter => {
                direct.into_iter().flat_map(|target| self.closure(target).to_vec()).collect()
            }
        };
        all.sort_unstable();
        all.dedup();
        all
    }
}
