//! Smaller Büchi automata for the same language.
//!
//! Problem: the product with a system multiplies its states by those of the automaton, so each state counts.
//!
//! Source: [Somenzi & Bloem 2000] and [Etessami & Holzmann 2000].
//!
//! Idea: until nothing changes,
//! - remove what is not reachable or accepts nothing;
//! - let acceptance be as uniform as it can be: no state of a component without an accepting cycle accepts, all states
//!   of one without a rejecting cycle do;
//! - merge bisimilar states, then, in automata that are not too large, those that simulate each other, and drop
//!   transitions for which there is one that reads at least the same letters and leads to a state that simulates
//!   (`simulation.rs`);
//! - merge a state on no cycle with one that has the same transitions, whether or not they accept;
//! - make one guard of two that differ in the sign of one atom.
//!
//! Invariant: every step preserves the language. Complexity: each round removes a state or a transition.

use rely_base::{Budget, Exhausted, Id, Progress, StateId};

use crate::components::Components;
use crate::partition::coarsest_partition;
use crate::simulation::Simulation;
use crate::{Buchi, BuchiEdge, Guard};

/// An automaton with the same language that is hopefully smaller. All its states are reachable and accept some word.
pub(crate) fn reduce(mut buchi: Buchi, budget: &Budget<'_>) -> Result<Buchi, Exhausted> {
    loop {
        budget.check(&Progress {
            states: buchi.state_count(),
            transitions: buchi.edge_count(),
            bytes: buchi.edge_count() * size_of::<BuchiEdge>(),
            ..Progress::default()
        })?;
        let before = (buchi.state_count(), buchi.edge_count(), buchi.initial.len());
        buchi.trim();
        buchi.unify_acceptance();
        buchi.merge_bisimilar();
        if let Some(simulation) = Simulation::of(&buchi) {
            buchi.apply_simulation(&simulation);
        }
        buchi.merge_transient();
        buchi.trim();
        buchi.join_guards();
        if (buchi.state_count(), buchi.edge_count(), buchi.initial.len()) == before {
            return Ok(buchi);
        }
    }
}

impl Buchi {
    pub(crate) fn components(&self) -> Components {
        Components::of(
            &self
                .edges
                .iter()
                .map(|edges| edges.iter().map(|edge| edge.target.index()).collect())
                .collect::<Vec<_>>(),
        )
    }

    /// Removes the states that are not reachable or accept no word.
    fn trim(&mut self) {
        let components = self.components();
        let mut useful = vec![false; components.count];
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        // Edges lead to smaller numbers of components: what they lead to is known first.
        order.sort_by_key(|&state| components.of[state]);
        for &state in &order {
            let component = components.of[state];
            useful[component] |= self.accepting[state] && components.is_recurrent(state)
                || self.edges[state].iter().any(|edge| useful[components.of[edge.target.index()]]);
        }
        let mut numbers = vec![None; self.edges.len()];
        let mut pending: Vec<StateId> = self.initial.clone();
        let mut reached = vec![false; self.edges.len()];
        while let Some(state) = pending.pop() {
            let state = state.index();
            if useful[components.of[state]] && !std::mem::replace(&mut reached[state], true) {
                pending.extend(self.edges[state].iter().map(|edge| edge.target));
            }
        }
        let kept = (0..self.edges.len()).filter(|&state| reached[state]);
        for (number, state) in kept.enumerate() {
            numbers[state] = Some(number);
        }
        self.renumber(&numbers);
    }

    /// Makes acceptance the same for all states of a component where that changes no run.
    fn unify_acceptance(&mut self) {
        let components = self.components();
        let mut accepts = vec![false; components.count];
        for state in 0..self.edges.len() {
            accepts[components.of[state]] |= self.accepting[state] && components.is_recurrent(state);
        }
        // The graph without accepting states: a component with a cycle in it has a rejecting cycle.
        let rejecting: Vec<Vec<usize>> = (0..self.edges.len())
            .map(|state| {
                let targets = self.edges[state].iter().map(|edge| edge.target.index());
                let inside = |target: &usize| components.of[*target] == components.of[state];
                targets.filter(|to| inside(to) && !self.accepting[state] && !self.accepting[*to]).collect()
            })
            .collect();
        let cycles = Components::of(&rejecting);
        let mut rejects = vec![false; components.count];
        for state in 0..self.edges.len() {
            rejects[components.of[state]] |= cycles.is_recurrent(state);
        }
        for state in 0..self.edges.len() {
            let component = components.of[state];
            self.accepting[state] = accepts[component] && (self.accepting[state] || !rejects[component]);
        }
    }

    fn merge_bisimilar(&mut self) {
        let edges: Vec<Vec<(&Guard, usize)>> = self
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| (&edge.guard, edge.target.index())).collect())
            .collect();
        let classes = coarsest_partition(&self.accepting, &edges);
        let numbers: Vec<Option<usize>> = classes.into_iter().map(Some).collect();
        self.renumber(&numbers);
    }

    /// Drops the transitions and initial states that a simulation makes superfluous, and merges states that simulate
    /// each other.
    fn apply_simulation(&mut self, simulation: &Simulation) {
        let simulates = |better: StateId, worse: StateId| simulation.simulates(better.index(), worse.index());
        for edges in &mut self.edges {
            let superfluous = |one: &BuchiEdge, other: &BuchiEdge| {
                one.guard.implies(&other.guard) && simulates(other.target, one.target)
            };
            *edges = strongest(edges, superfluous);
        }
        self.initial = strongest(&self.initial, |one, other| simulates(*other, *one));
        let numbers: Vec<Option<usize>> = simulation.classes().into_iter().map(Some).collect();
        self.renumber(&numbers);
    }

    /// Merges a state that lies on no cycle with another one that has the same transitions.
    fn merge_transient(&mut self) {
        let components = self.components();
        let replacement = |state: usize| {
            let twin = |&other: &usize| self.edges[other] == self.edges[state];
            if components.is_recurrent(state) {
                return state;
            }
            let recurrent = (0..self.edges.len()).filter(|&other| components.is_recurrent(other)).find(twin);
            recurrent.or_else(|| (0..state).find(twin)).unwrap_or(state)
        };
        let replacements: Vec<usize> = (0..self.edges.len()).map(replacement).collect();
        let stays: Vec<usize> = (0..self.edges.len()).filter(|&state| replacements[state] == state).collect();
        let numbers: Vec<Option<usize>> =
            replacements.iter().map(|by| Some(stays.partition_point(|stay| stay < by))).collect();
        self.keep(&stays, &numbers);
    }

    /// Drops transitions that read fewer letters than another one to the same state, and makes one guard of two where
    /// that is possible.
    fn join_guards(&mut self) {
        for edges in &mut self.edges {
            *edges = resolved(std::mem::take(edges));
            let superfluous = |one: &BuchiEdge, other: &BuchiEdge| {
                one.target == other.target && one.guard.implies(&other.guard)
            };
            *edges = strongest(edges, superfluous);
            edges.sort_unstable_by(|one, two| (one.target, &one.guard).cmp(&(two.target, &two.guard)));
        }
    }

    /// Gives states new numbers: those without one are removed, and of those with the same one the first stays. The
    /// new numbers are consecutive.
    fn renumber(&mut self, numbers: &[Option<usize>]) {
        let count = numbers.iter().flatten().max().map_or(0, |&last| last + 1);
        let mut stays = vec![usize::MAX; count];
        for (state, number) in numbers.iter().enumerate().rev() {
            if let Some(number) = *number {
                stays[number] = state;
            }
        }
        self.keep(&stays, numbers);
    }

    /// Keeps these states, which get their places as numbers; `numbers` says what becomes of a target.
    fn keep(&mut self, stays: &[usize], numbers: &[Option<usize>]) {
        let renumbered = |state: StateId| numbers[state.index()].map(StateId::from_index);
        let edges = stays.iter().map(|&state| {
            let edges = self.edges[state].iter();
            let mut edges: Vec<BuchiEdge> = edges
                .filter_map(|edge| {
                    Some(BuchiEdge { guard: edge.guard.clone(), target: renumbered(edge.target)? })
                })
                .collect();
            edges.sort_unstable_by(|one, two| (one.target, &one.guard).cmp(&(two.target, &two.guard)));
            edges.dedup();
            edges
        });
        let edges = edges.collect();
        self.accepting = stays.iter().map(|&state| self.accepting[state]).collect();
        self.edges = edges;
        self.initial = self.initial.iter().filter_map(|&state| renumbered(state)).collect();
        self.initial.sort_unstable();
        self.initial.dedup();
    }
}

/// The items that no other one makes superfluous; of two that make each other so, the first stays.
fn strongest<T: Clone>(items: &[T], superfluous: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let stays = |place: usize| {
        items.iter().enumerate().all(|(other, item)| {
            other == place
                || !superfluous(&items[place], item)
                || (place < other && superfluous(item, &items[place]))
        })
    };
    (0..items.len()).filter(|&place| stays(place)).map(|place| items[place].clone()).collect()
}

/// The transitions, with two that differ in the sign of one atom made one as long as there are such.
fn resolved(mut pending: Vec<BuchiEdge>) -> Vec<BuchiEdge> {
    let mut done: Vec<BuchiEdge> = Vec::with_capacity(pending.len());
    while let Some(edge) = pending.pop() {
        let resolvent = done.iter().enumerate().find_map(|(place, other)| {
            let guard =
                if other.target == edge.target { other.guard.resolve(&edge.guard)? } else { return None };
            Some((place, guard))
        });
        match resolvent {
            Some((place, guard)) => {
                done.swap_remove(place);
                pending.push(BuchiEdge { guard, target: edge.target });
            }
            None => done.push(edge),
        }
    }
    done
}
