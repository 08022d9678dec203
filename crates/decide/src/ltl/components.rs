//! The components of a product that contain violating runs, and the runs themselves.
//!
//! Which components these are depends on the fairness: `liveness.rs` says why for none and for fair choice, and `random.rs`
//! for choices at random.

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, SccIndex, StateSet};
use rely_lts::{Edge, Transition};
use rely_omega::Fairness;

use super::Findings;
use super::product::Violations;
use super::random::Component;
use super::rounds::Rounds;

/// The strongly connected components of a product.
pub(super) struct Components<'a> {
    pub(super) violations: &'a Violations<'a>,
    pub(super) product: &'a Graph,
    pub(super) states: &'a StateSet,
    pub(super) scc: &'a SccIndex,
    /// By state of the product, the state of the network.
    pub(super) places: &'a [StateId],
    /// By state of the product, whether the automaton accepts in it.
    pub(super) accepting: &'a [bool],
}

/// A part of a run: labels, each with the state of the network that it leads to.
pub(super) type Path = Vec<(Label, StateId)>;

/// A run that stays in a component for ever.
pub(super) struct Stay {
    /// From where the component is entered to where the cycle begins.
    pub(super) path: Path,
    pub(super) cycle: Path,
    /// Whether the cycle is fair.
    pub(super) is_fair: bool,
}

impl Components<'_> {
    /// The first state of each component in which a run violates the formula, in order. For choices at random these
    /// are the candidates, whose probability has to be examined.
    pub(super) fn entries(&self, fairness: Fairness, terminal: &[bool]) -> Vec<StateId> {
        let mut violating = match fairness {
            Fairness::None => self.cyclic(),
            Fairness::Choice | Fairness::Random => self.covering(terminal),
        };
        let is_first = |state: &StateId| std::mem::replace(&mut violating[self.scc.of(*state)], false);
        self.product.states().filter(is_first).collect()
    }

    /// The first of some entries behind which a violation has positive probability.
    pub(super) fn first_probable(
        &self,
        entries: &[StateId],
        budget: &Budget<'_>,
        findings: &mut Findings,
    ) -> Result<Option<StateId>, Exhausted> {
        for &entry in entries {
            if self.component(entry).is_probable(budget, findings)? {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// A run that violates the formula from an entry on: a fair one if fairness is required and there is a short one.
    pub(super) fn stay(&self, entry: StateId, fairness: Fairness, budget: &Budget<'_>) -> Stay {
        let Self { product, scc, places, accepting, .. } = *self;
        let rounds = Rounds { graph: product, scc, places, accepting };
        let fair = match fairness {
            Fairness::None => None,
            Fairness::Choice => rounds.fair_cycle(entry).map(|cycle| (Vec::new(), self.told(cycle))),
            // If a limit is met, there is still a cycle that is not fair.
            Fairness::Random => self.component(entry).fair_run(budget).unwrap_or(None),
        };
        let is_fair = fair.is_some();
        let (path, cycle) = fair.unwrap_or_else(|| (Vec::new(), self.told(rounds.accepting_cycle(entry))));
        Stay { path, cycle, is_fair }
    }

    fn component(&self, member: StateId) -> Component<'_> {
        Component { violations: self.violations, states: self.states, scc: self.scc, member }
    }

    fn told(&self, path: Vec<Edge>) -> Path {
        path.into_iter().map(|edge| (edge.label, self.places[edge.target.index()])).collect()
    }

    /// By component, whether it has an accepting state and an edge.
    fn cyclic(&self) -> Vec<bool> {
        let (mut accepts, mut has_edge) = (vec![false; self.scc.count()], vec![false; self.scc.count()]);
        for state in self.product.states() {
            let number = self.scc.of(state);
            accepts[number] |= self.accepting[state.index()];
            has_edge[number] |= self.inner_edges(state).next().is_some();
        }
        accepts.into_iter().zip(has_edge).map(|(accepts, has_edge)| accepts && has_edge).collect()
    }

    /// By component, whether it has an accepting state, lies over terminal states of the network, and covers it.
    fn covering(&self, terminal: &[bool]) -> Vec<bool> {
        let mut violating = vec![false; self.scc.count()];
        for state in self.product.states().filter(|state| self.accepting[state.index()]) {
            violating[self.scc.of(state)] |= terminal[self.places[state.index()].index()];
        }
        let mut members: Vec<(usize, StateId)> = self
            .product
            .states()
            .map(|state| (self.scc.of(state), state))
            .filter(|&(c, _)| violating[c])
            .collect();
        members.sort_unstable();
        for component in members.chunk_by(|one, other| one.0 == other.0) {
            violating[component[0].0] = self.covers(component);
        }
        violating
    }

    /// Whether a component, given by its states, has every transition that its states have in the network.
    fn covers(&self, component: &[(usize, StateId)]) -> bool {
        let place = |state: StateId| self.places[state.index()];
        let mut places: Vec<StateId> = component.iter().map(|&(_, state)| place(state)).collect();
        sort_distinct(&mut places);
        let mut wanted: Vec<Transition> = Vec::new();
        for &source in &places {
            let edges = self.violations.graph.edges(source);
            wanted.extend(edges.iter().map(|edge| transition(source, edge.label, edge.target)));
        }
        sort_distinct(&mut wanted);
        let mut present: Vec<Transition> = Vec::new();
        for &(_, state) in component {
            let inside = self.inner_edges(state);
            present.extend(inside.map(|edge| transition(place(state), edge.label, place(edge.target))));
        }
        sort_distinct(&mut present);
        !present.is_empty() && present == wanted
    }

    /// The edges of a state that stay in its component.
    fn inner_edges(&self, state: StateId) -> impl Iterator<Item = &Edge> {
        let edges = self.product.edges(state).iter();
        edges.filter(move |edge| self.scc.of(edge.target) == self.scc.of(state))
    }
}

fn transition(source: StateId, label: Label, target: StateId) -> Transition {
    Transition { source, label, target }
}

fn sort_distinct<T: Ord>(items: &mut Vec<T>) {
    items.sort_unstable();
    items.dedup();
}
