//! From many acceptance conditions to one.
//!
//! Problem: a Büchi automaton has one set of accepting states; the generalised automaton asks for several things to
//! happen infinitely often.
//!
//! Source: the counter construction of [Choueka 1974]; levels per strongly connected component and the free choice of
//! the level on entry after [Babiak, Badie, Duret-Lutz, Křetínský & Strejček 2013].
//!
//! Idea: number the conditions of a component. A state gets a level: how many conditions have been met in order since
//! the last round. The last level is accepting and counts as the first. A transition may meet several conditions at
//! once. Which level a run enters a component with does not matter, since a finite prefix decides nothing: both the
//! lowest and the accepting one are built, and the caller keeps the one that is smaller in the end.
//!
//! Complexity: states times conditions of their component, transitions likewise.

use rely_base::{Budget, Exhausted, Id, Progress, StateId};
use rustc_hash::FxHashMap;

use crate::components::Components;
use crate::generalised::{Condition, Generalised, GeneralisedEdge};
use crate::{Buchi, BuchiEdge, Guard};

/// Büchi automata with the language of the generalised one: one for each way to enter a component.
pub(crate) fn degeneralise(automaton: &Generalised, budget: &Budget<'_>) -> Result<Vec<Buchi>, Exhausted> {
    [Entry::Lowest, Entry::Accepting]
        .into_iter()
        .map(|entry| Runner::new(automaton, entry).run(budget))
        .collect()
}

/// The level with which a run enters a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Lowest,
    Accepting,
}

struct Runner<'a> {
    automaton: &'a Generalised,
    components: Components,
    /// By component, its conditions; nothing where no accepting run stays.
    conditions: Vec<Option<Vec<Condition>>>,
    entry: Entry,
    /// The number of each pair of a state and a level.
    numbers: FxHashMap<(usize, usize), StateId>,
    /// The pairs by number.
    pairs: Vec<(usize, usize)>,
    buchi: Buchi,
}

/// What a state takes: its pair, the number of the pair, and its list of transitions.
const STATE_BYTES: usize = 2 * size_of::<(usize, usize)>() + size_of::<Vec<BuchiEdge>>();

impl<'a> Runner<'a> {
    fn new(automaton: &'a Generalised, entry: Entry) -> Self {
        let components = automaton.components();
        let conditions = automaton.acceptance(&components);
        Self {
            automaton,
            components,
            conditions,
            entry,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            buchi: Buchi::default(),
        }
    }

    fn run(mut self, budget: &Budget<'_>) -> Result<Buchi, Exhausted> {
        for &state in &self.automaton.initial {
            let level = self.entry_level(state);
            let number = self.number(state, level);
            self.buchi.initial.push(number);
        }
        let mut transitions = 0;
        while let Some(&(state, level)) = self.pairs.get(self.buchi.edges.len()) {
            let edges = self.edges_of(state, level);
            transitions += edges.len();
            self.buchi.edges.push(edges);
            let states = self.pairs.len();
            let bytes = states * STATE_BYTES + transitions * size_of::<BuchiEdge>();
            budget.check(&Progress { states, transitions, bytes, ..Progress::default() })?;
        }
        Ok(self.buchi)
    }

    fn number(&mut self, state: usize, level: usize) -> StateId {
        if let Some(&number) = self.numbers.get(&(state, level)) {
            return number;
        }
        let number = StateId::from_index(self.pairs.len());
        let conditions = self.conditions[self.components.of[state]].as_ref();
        self.buchi.accepting.push(conditions.is_some_and(|conditions| conditions.len() == level));
        self.pairs.push((state, level));
        self.numbers.insert((state, level), number);
        number
    }

    fn entry_level(&self, state: usize) -> usize {
        match (&self.conditions[self.components.of[state]], self.entry) {
            (Some(conditions), Entry::Accepting) => conditions.len(),
            _ => 0,
        }
    }

    fn edges_of(&mut self, state: usize, level: usize) -> Vec<BuchiEdge> {
        let automaton = self.automaton;
        let mut edges = Vec::new();
        for edge in &automaton.edges[state] {
            let inside = self.components.of[state] == self.components.of[edge.target];
            let steps = match &self.conditions[self.components.of[state]] {
                Some(conditions) if inside => self.steps(edge, level, conditions),
                _ => vec![(edge.guard.clone(), self.entry_level(edge.target))],
            };
            for (guard, level) in steps {
                edges.push(BuchiEdge { guard, target: self.number(edge.target, level) });
            }
        }
        edges
    }

    /// The levels that a transition may reach, each with what the letter has to be for it.
    ///
    /// A fairness condition that is a disjunction ends the round trip, so that the choices do not multiply.
    fn steps(&self, edge: &GeneralisedEdge, level: usize, conditions: &[Condition]) -> Vec<(Guard, usize)> {
        let mut level = if level == conditions.len() { 0 } else { level };
        let mut guard = edge.guard.clone();
        let mut steps = Vec::new();
        while let Some(&condition) = conditions.get(level) {
            match condition {
                Condition::Free(promise) if edge.promises.contains(promise) => break,
                Condition::Free(_) => {}
                Condition::Fair(fairness) => {
                    let alternatives = &self.automaton.conditions[fairness];
                    if !alternatives.iter().any(|alternative| guard.implies(alternative)) {
                        steps.push((guard.clone(), level));
                        let met: Vec<Guard> = alternatives.iter().filter_map(|met| guard.both(met)).collect();
                        match &*met {
                            [met] => guard = met.clone(),
                            _ => {
                                steps.extend(met.into_iter().map(|met| (met, level + 1)));
                                return steps;
                            }
                        }
                    }
                }
            }
            level += 1;
        }
        steps.push((guard, level));
        steps
    }
}
