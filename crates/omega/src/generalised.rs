//! Generalised Büchi automata with acceptance on transitions: the step between formulas and Büchi automata.

use crate::Guard;
use crate::bits::Bits;
use crate::components::Components;
use crate::partition::coarsest_partition;

/// A transition that may put off until-formulas.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GeneralisedEdge {
    pub(crate) guard: Guard,
    pub(crate) target: usize,
    /// The until-formulas that are put off.
    pub(crate) promises: Bits,
}

/// A generalised Büchi automaton.
///
/// A run is accepting when, for each promise, infinitely many of its transitions do not make it, and each fairness
/// condition of the states that it stays among is met by infinitely many letters. Fairness conditions only grow along
/// a run, so all states of a component have the same ones.
#[derive(Clone, Default, Debug)]
pub(crate) struct Generalised {
    pub(crate) initial: Vec<usize>,
    pub(crate) edges: Vec<Vec<GeneralisedEdge>>,
    /// By state, the numbers of its fairness conditions.
    pub(crate) fairness: Vec<Vec<usize>>,
    /// The fairness conditions: a letter meets one when it passes one of its guards.
    pub(crate) conditions: Vec<Vec<Guard>>,
}

/// Something that has to happen infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// A transition that does not make the promise.
    Free(usize),
    /// A letter that meets the fairness condition.
    Fair(usize),
}

impl Generalised {
    pub(crate) fn components(&self) -> Components {
        let successors: Vec<Vec<usize>> =
            self.edges.iter().map(|edges| edges.iter().map(|edge| edge.target).collect()).collect();
        Components::of(&successors)
    }

    /// By component, what has to happen infinitely often in it; nothing when no accepting run stays there.
    pub(crate) fn acceptance(&self, components: &Components) -> Vec<Option<Vec<Condition>>> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.count];
        for state in 0..self.edges.len() {
            members[components.of[state]].push(state);
        }
        let accepting = |members: &Vec<usize>| self.acceptance_among(members, components);
        members.iter().map(accepting).collect()
    }

    fn acceptance_among(&self, members: &[usize], components: &Components) -> Option<Vec<Condition>> {
        let first = *members.first()?;
        if !components.is_recurrent(first) {
            return None;
        }
        let inside: Vec<&GeneralisedEdge> = members
            .iter()
            .flat_map(|&state| &self.edges[state])
            .filter(|edge| components.of[edge.target] == components.of[first])
            .collect();
        let mut promises = Bits::default();
        for edge in &inside {
            promises.insert_all(&edge.promises);
        }
        let free = |promise| inside.iter().any(|edge| !edge.promises.contains(promise));
        let fair = |&condition: &usize| {
            let guards = &self.conditions[condition];
            inside.iter().any(|edge| guards.iter().any(|guard| edge.guard.meets(guard)))
        };
        if !promises.iter().all(free) || !self.fairness[first].iter().all(fair) {
            return None;
        }
        let fairness = self.fairness[first].iter().map(|&condition| Condition::Fair(condition));
        Some(promises.iter().map(Condition::Free).chain(fairness).collect())
    }

    /// Removes the states from which no run is accepting, and merges those with the same transitions.
    pub(crate) fn reduce(&mut self) {
        loop {
            let before = self.edges.len();
            self.trim();
            self.forget_irrelevant();
            self.merge();
            if self.edges.len() == before {
                return;
            }
        }
    }

    fn trim(&mut self) {
        let components = self.components();
        let mut useful: Vec<bool> = self.acceptance(&components).iter().map(Option::is_some).collect();
        // Components are numbered so that edges lead to smaller numbers.
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&state| components.of[state]);
        for state in order {
            useful[components.of[state]] |=
                self.edges[state].iter().any(|edge| useful[components.of[edge.target]]);
        }
        let mut numbers = vec![None; self.edges.len()];
        let mut count = 0;
        for state in 0..self.edges.len() {
            if useful[components.of[state]] {
                numbers[state] = Some(count);
                count += 1;
            }
        }
        self.renumber(&numbers);
    }

    /// Removes the promises between components and the fairness of states that lie on no cycle: a run meets them only
    /// finitely often, and without them more states are alike.
    fn forget_irrelevant(&mut self) {
        let components = self.components();
        for (state, edges) in self.edges.iter_mut().enumerate() {
            for edge in edges.iter_mut().filter(|edge| components.of[edge.target] != components.of[state]) {
                edge.promises = Bits::default();
            }
            if !components.is_recurrent(state) {
                self.fairness[state].clear();
            }
        }
    }

    fn merge(&mut self) {
        let colours: Vec<Vec<usize>> = self.fairness.clone();
        let edges: Vec<Vec<((&Guard, &Bits), usize)>> = self
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| ((&edge.guard, &edge.promises), edge.target)).collect())
            .collect();
        let classes = coarsest_partition(&colours, &edges);
        let numbers: Vec<Option<usize>> = classes.into_iter().map(Some).collect();
        self.renumber(&numbers);
    }

    /// Gives states new numbers; those without one are removed, and of those with the same one the first stays.
    fn renumber(&mut self, numbers: &[Option<usize>]) {
        let mut renumbered = Self { conditions: std::mem::take(&mut self.conditions), ..Self::default() };
        for (state, number) in numbers.iter().enumerate() {
            if *number != Some(renumbered.edges.len()) {
                continue;
            }
            let edges = self.edges[state].iter().filter_map(|edge| {
                numbers[edge.target].map(|target| GeneralisedEdge { target, ..edge.clone() })
            });
            renumbered.edges.push(without_superfluous(edges.collect()));
            renumbered.fairness.push(std::mem::take(&mut self.fairness[state]));
        }
        renumbered.initial = self.initial.iter().filter_map(|&state| numbers[state]).collect();
        renumbered.initial.sort_unstable();
        renumbered.initial.dedup();
        *self = renumbered;
    }
}

/// The edges without those that another one to the same state makes superfluous.
fn without_superfluous(mut edges: Vec<GeneralisedEdge>) -> Vec<GeneralisedEdge> {
    edges.sort_by_cached_key(|edge| (edge.guard.literal_count() + edge.promises.len(), edge.clone()));
    edges.dedup();
    let mut kept: Vec<GeneralisedEdge> = Vec::new();
    for edge in edges {
        let superfluous = kept.iter().any(|other| {
            other.target == edge.target
                && edge.guard.implies(&other.guard)
                && other.promises.is_subset(&edge.promises)
        });
        if !superfluous {
            kept.push(edge);
        }
    }
    kept.sort_unstable();
    kept
}
