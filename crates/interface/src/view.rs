//! An interface automaton as it is seen from outside [Emmi, Giannakopoulou, Păsăreanu 2008, section 3.2].
//!
//! Internal steps cannot be observed. So an input is certainly accepted in a state if it is possible in all states
//! that internal steps may lead to, and an output may be sent if it is possible in one of them.

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, Lts, Role};

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

/// The states from which steps that satisfy a condition lead to one of the given states, these included.
pub(crate) fn leading_to(
    lts: &Lts,
    targets: impl IntoIterator<Item = StateId>,
    counts: impl Fn(Label) -> bool,
) -> Vec<bool> {
    let mut sources: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    for transition in lts.transitions().filter(|transition| counts(transition.label)) {
        sources[transition.target.index()].push(transition.source);
    }
    let mut leads = vec![false; lts.state_count()];
    let mut stack: Vec<StateId> = targets.into_iter().collect();
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut leads[state.index()], true) {
            stack.extend(&sources[state.index()]);
        }
    }
    leads
}

/// The observable view of an automaton, computed for each state on demand.
pub(crate) struct View<'a> {
    automaton: &'a InterfaceAutomaton,
    /// H-Closure of each state that was asked about.
    closures: Vec<Option<Vec<StateId>>>,
    /// The total size of these closures.
    held: usize,
}

impl<'a> View<'a> {
    pub(crate) fn new(automaton: &'a InterfaceAutomaton) -> Self {
        Self { automaton, closures: vec![None; automaton.lts().state_count()], held: 0 }
    }

    /// The total size of all closures, which may be large if there are many internal steps.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    pub(crate) fn automaton(&self) -> &'a InterfaceAutomaton {
        self.automaton
    }

    fn closure(&mut self, state: StateId) -> &[StateId] {
        let Self { automaton, closures, held, .. } = self;
        closures[state.index()].get_or_insert_with(|| {
            let closure = closure(automaton, state);
            *held += closure.len();
            closure
        })
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

    /// The external destinations of an action, sorted: where it leads with internal steps before and after it.
    pub(crate) fn destinations(&mut self, state: StateId, action: ActionId) -> Vec<StateId> {
        let lts = self.automaton.lts();
        let label = Label::visible(action);
        let direct: Vec<StateId> = self
            .closure(state)
            .iter()
            .flat_map(|&before| lts.edges_with(before, label))
            .map(|edge| edge.target)
            .collect();
        let mut all: Vec<StateId> =
            direct.into_iter().flat_map(|target| self.closure(target).to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
