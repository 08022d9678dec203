//! Büchi automata with guarded transitions.

use rely_base::{Id, StateId};

use crate::components::Components;
use crate::{AtomSet, Guard};

/// A transition of a Büchi automaton: it reads one letter, which has to pass the guard.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuchiEdge {
    /// Which letters it reads.
    pub guard: Guard,
    /// Where it leads.
    pub target: StateId,
}

/// A nondeterministic Büchi automaton.
///
/// It accepts an infinite word when some run on it, from an initial state, passes accepting states infinitely often.
/// In an automaton made by [`Buchi::translate`] every state is reachable and accepts some word; the automaton of an
/// unsatisfiable formula has no state at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Buchi {
    pub(crate) initial: Vec<StateId>,
    pub(crate) edges: Vec<Vec<BuchiEdge>>,
    pub(crate) accepting: Vec<bool>,
}

impl Buchi {
    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// How many transitions there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The states in order of number.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.edges.len()).map(StateId::from_index)
    }

    /// The states in which a run may start.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// The transitions of a state.
    pub fn edges(&self, state: StateId) -> &[BuchiEdge] {
        &self.edges[state.index()]
    }

    /// Whether a run that passes the state infinitely often is accepting.
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// The states to which a letter leads from a state.
    pub fn successors<'a>(
        &'a self,
        state: StateId,
        letter: &'a AtomSet,
    ) -> impl Iterator<Item = StateId> + 'a {
        self.edges(state).iter().filter(|edge| edge.guard.allows(letter)).map(|edge| edge.target)
    }

    /// Whether there is an accepting run from the state on the letter repeated for ever.
    pub fn accepts_forever(&self, state: StateId, letter: &AtomSet) -> bool {
        let mut reached = vec![false; self.state_count()];
        let mut pending = vec![state];
        reached[state.index()] = true;
        while let Some(state) = pending.pop() {
            for target in self.successors(state, letter) {
                if !std::mem::replace(&mut reached[target.index()], true) {
                    pending.push(target);
                }
            }
        }
        let successors: Vec<Vec<usize>> =
            self.states().map(|state| self.successors(state, letter).map(Id::index).collect()).collect();
        let components = Components::of(&successors);
        (0..self.state_count())
            .any(|state| reached[state] && self.accepting[state] && components.is_recurrent(state))
    }

    /// The automaton in the Hanoi omega-automata format, version 1; `name` gives the names of the atoms.
    pub fn to_hoa(&self, name: impl Fn(crate::AtomId) -> String) -> String {
        let mut atoms = AtomSet::new();
        for edge in self.edges.iter().flatten() {
            atoms.insert_all(&edge.guard.positive);
            atoms.insert_all(&edge.guard.negative);
        }
        let atoms: Vec<crate::AtomId> = atoms.iter().collect();
        let literals = |guard: &Guard| {
            let sign = |place: usize| {
                let positive = guard.positive.contains(atoms[place]);
                let negative = guard.negative.contains(atoms[place]);
                (positive || negative).then(|| format!("{}{place}", if negative { "!" } else { "" }))
            };
            let literals: Vec<String> = (0..atoms.len()).filter_map(sign).collect();
            if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
        };
        let mut lines = vec!["HOA: v1".to_owned(), format!("States: {}", self.state_count())];
        lines.extend(self.initial.iter().map(|state| format!("Start: {}", state.raw())));
        let names: String = atoms.iter().map(|&atom| format!(" {:?}", name(atom))).collect();
        lines.push(format!("AP: {}{names}", atoms.len()));
        lines.push("acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: state-acc\n--BODY--".to_owned());
        for state in self.states() {
            lines.push(format!(
                "State: {}{}",
                state.raw(),
                if self.is_accepting(state) { " {0}" } else { "" }
            ));
            let edges = self.edges(state).iter();
            lines.extend(edges.map(|edge| format!("[{}] {}", literals(&edge.guard), edge.target.raw())));
        }
        lines.push("--END--\n".to_owned());
        lines.join("\n")
    }
}
