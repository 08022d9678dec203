//! Cycles through a strongly connected component: short ones, and ones that are fair.
//!
//! Problem: a component of a product contains a run that violates a formula. Show such a cycle: one through an
//! accepting state, and, if it is to be fair, one that takes every transition that the system has in its states.
//!
//! Idea: every state of the product stands for a *place*, a state of the system whose choices have to be fair. The
//! cycle has *duties*: to take each transition between places of the component, and to visit an accepting state. A
//! step does the duty of the transition between its places, whatever else differs. From the end of the path so far,
//! breadth-first search finds the nearest step that does an open duty; when none is open, the shortest path back
//! closes the cycle. The cycle is short, but need not be shortest: that is the postman problem with alternatives.
//!
//! Why it is fair: a component that covers its system has, between any two of its states, every transition of the places
//! in it. So when all duties are done, every transition of every place on the cycle is taken on the cycle.
//!
//! Complexity: a search of the component for each duty, at most [`LONGEST`] of them. Called by `liveness.rs` and
//! `random.rs`.

use rely_base::{Id, Label, StateId};
use rely_explore::{Graph, SccIndex};
use rely_lts::Edge;
use rustc_hash::FxHashSet;

/// A longer cycle is not shown as a fair one, since it could not be read. See the book, on fairness.
pub(super) const LONGEST: usize = 200;

/// Finds cycles in the components of a graph.
pub(super) struct Rounds<'a> {
    pub(super) graph: &'a Graph,
    pub(super) scc: &'a SccIndex,
    /// By state, its place.
    pub(super) places: &'a [StateId],
    /// By state, whether it is accepting. Each component in question has one that is.
    pub(super) accepting: &'a [bool],
}

/// A duty of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Duty {
    /// Take a transition from a place to a place.
    Take(StateId, Label, StateId),
    /// Visit an accepting state.
    Accept,
}

impl Rounds<'_> {
    /// A short cycle from a state through an accepting state of its component.
    pub(super) fn accepting_cycle(&self, start: StateId) -> Vec<Edge> {
        if self.accepting[start.index()] {
            return self.path(start, |_, edge| edge.target == start);
        }
        let mut cycle = self.path(start, |_, edge| self.accepting[edge.target.index()]);
        self.close(start, &mut cycle);
        cycle
    }

    /// A cycle of at most [`LONGEST`] steps from a state, through an accepting state, that takes every transition between
    /// the places of its component; nothing if none was found.
    pub(super) fn fair_cycle(&self, start: StateId) -> Option<Vec<Edge>> {
        let mut open = self.duties(start)?;
        let (mut cycle, mut here) = (Vec::new(), start);
        while !open.is_empty() {
            let is_open = |source, edge: &Edge| self.done_by(source, edge).any(|duty| open.contains(&duty));
            let path = self.path(here, is_open);
            for edge in &path {
                for duty in self.done_by(here, edge) {
                    open.remove(&duty);
                }
                here = edge.target;
            }
            cycle.extend(path);
            if cycle.len() > LONGEST {
                return None;
            }
        }
        self.close(start, &mut cycle);
        Some(cycle).filter(|cycle| cycle.len() <= LONGEST)
    }

    /// The duties in the component of a state; `None` if a cycle of [`LONGEST`] steps cannot do them all.
    fn duties(&self, start: StateId) -> Option<FxHashSet<Duty>> {
        let mut duties = FxHashSet::default();
        let is_member = |state: &StateId| self.scc.of(*state) == self.scc.of(start);
        for state in self.graph.states().filter(is_member) {
            for edge in self.graph.edges(state).iter().filter(|edge| self.is_inside(state, edge)) {
                duties.extend(self.done_by(state, edge));
            }
            // One step can do two duties, but only one of them is Accept.
            if duties.len() > LONGEST + 1 {
                return None;
            }
        }
        Some(duties)
    }

    /// The duties that a step does.
    fn done_by(&self, source: StateId, edge: &Edge) -> impl Iterator<Item = Duty> + use<> {
        let place = |state: StateId| self.places[state.index()];
        let accepts = self.accepting[edge.target.index()];
        let taken = Duty::Take(place(source), edge.label, place(edge.target));
        [Some(taken), accepts.then_some(Duty::Accept)].into_iter().flatten()
    }

    /// Closes a path inside a component to a cycle.
    fn close(&self, start: StateId, path: &mut Vec<Edge>) {
        let last = path.last().expect("a path has at least one edge").target;
        if last != start {
            path.extend(self.path(last, |_, edge| edge.target == start));
        }
    }

    /// A shortest path inside the component of a state to a step that is a goal.
    fn path(&self, source: StateId, goal: impl Fn(StateId, &Edge) -> bool) -> Vec<Edge> {
        let path = self.graph.shortest_path(source, |state, edge| self.is_inside(state, edge), goal);
        path.expect("the states of a component reach one another")
    }

    fn is_inside(&self, source: StateId, edge: &Edge) -> bool {
        self.scc.of(source) == self.scc.of(edge.target)
    }
}
