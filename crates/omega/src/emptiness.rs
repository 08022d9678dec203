//! Is there an accepting run? And if so, a short one.
//!
//! **Problem.** Given a graph whose edges carry colours, and an acceptance condition, find an infinite path from an initial
//! state that satisfies the condition, as a *lasso*: a path to a cycle.
//!
//! **Source.** For Streett conditions [Emerson & Lei 1987]; for all combinations of `Fin` and `Inf`
//! [Baier et al. 2019].
//!
//! **Idea.** An infinite path ends up in a strongly connected part of the graph. Look at the components one after the other.
//! Colours that a component lacks are passed finitely often in it, which simplifies the condition. If passing everything in the component
//! satisfies what is left, the component has an accepting cycle; if nothing is left that could, it has none. Otherwise some
//! `Fin(c)` decides. Either the path passes c only finitely often: then its edges can be taken away, and the component falls into smaller
//! ones. Or it passes c infinitely often: then `Fin(c)` is false. If the condition demands `Fin(c)` there is only the first
//! case, so that Büchi, co-Büchi, Streett and Rabin conditions take polynomial time.
//!
//! **Complexity.** Linear in the graph for each case that is looked at; exponential in the number of `Fin` in the worst case, for
//! conditions that nobody writes.
//!
//! **Callers.** [`crate::Automaton`]; whoever has a graph of its own implements [`ColouredGraph`] for it.

use std::collections::VecDeque;

use rely_base::{Budget, Exhausted, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Acceptance, Colours};

/// A graph with colours on its edges. Edges are known by their state and a number.
pub trait ColouredGraph {
    /// How many states there are; they are numbered from 0.
    fn state_count(&self) -> usize;

    /// Where paths begin.
    fn initial(&self) -> Vec<usize>;

    /// How many edges leave a state.
    fn edge_count(&self, state: usize) -> usize;

    /// The target and the colours of an edge.
    fn edge(&self, state: usize, number: usize) -> (usize, &Colours);
}

/// An edge, by its source and number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The state that it leaves.
    pub source: usize,
    /// Its number among the edges of this state.
    pub edge: usize,
}

/// A path to a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// From an initial state to the first state of the cycle.
    pub prefix: Vec<Step>,
    /// From that state back to it; at least one edge.
    pub cycle: Vec<Step>,
}

/// A short lasso that satisfies a condition, if there is one.
///
/// # Errors
/// The limit of the budget that was met.
pub fn accepting_lasso<G: ColouredGraph>(
    graph: &G,
    acceptance: &Acceptance,
    budget: &Budget<'_>,
) -> Result<Option<Lasso>, Exhausted> {
    let reached = Reached::from_initial(graph);
    let start =
        Part { states: reached.order.clone(), removed: Colours::none(), acceptance: acceptance.clone() };
    let mut pending = vec![start];
    while let Some(part) = pending.pop() {
        let held = pending.iter().map(|part| part.states.len()).sum::<usize>() + reached.order.len();
        let (states, bytes) = (graph.state_count(), held * BYTES_PER_STATE);
        budget.check(&Progress { states, bytes, ..Progress::default() })?;
        for component in components(graph, &part) {
            let colours = component.colours(graph, &part.removed);
            let condition = part.acceptance.replaced(&|atom| match atom {
                Acceptance::Inf(colour) if !colours.contains(*colour) => Some(Acceptance::False),
                Acceptance::Fin(colour) if !colours.contains(*colour) => Some(Acceptance::True),
                _ => None,
            });
            if condition == Acceptance::False {
                continue;
            }
            if condition.accepts(&colours) {
                let wanted = wanted(&condition, &colours);
                return Ok(Some(reached.lasso(graph, &component, &part.removed, &wanted)));
            }
            pending.extend(cases(&component.states, &part.removed, &condition));
        }
    }
    Ok(None)
}

/// About what a state costs while components are looked for.
const BYTES_PER_STATE: usize = 128;

/// A part of the graph in which accepting cycles are looked for.
struct Part {
    states: Vec<usize>,
    /// Edges with one of these colours are taken away.
    removed: Colours,
    acceptance: Acceptance,
}

/// What is to be looked at in a component that satisfies its condition neither as a whole nor in no way.
fn cases(states: &[usize], removed: &Colours, condition: &Acceptance) -> Vec<Part> {
    let demanded = match condition {
        Acceptance::Fin(colour) => vec![*colour],
        Acceptance::And(operands) => {
            let fin = operands.iter().filter_map(|operand| match operand {
                Acceptance::Fin(colour) => Some(*colour),
                _ => None,
            });
            fin.collect()
        }
        _ => Vec::new(),
    };
    let without = |colours: &[u32]| {
        let mut removed = removed.clone();
        colours.iter().for_each(|colour| removed.insert(*colour));
        Part { states: states.to_vec(), removed, acceptance: condition.clone() }
    };
    if !demanded.is_empty() {
        return vec![without(&demanded)];
    }
    let Some(colour) = some_fin(condition) else { return Vec::new() };
    let is_it = |atom: &Acceptance| (*atom == Acceptance::Fin(colour)).then_some(Acceptance::False);
    let passing = condition.replaced(&is_it);
    let passing = Part { states: states.to_vec(), removed: removed.clone(), acceptance: passing };
    vec![passing, without(&[colour])]
}

/// A colour that the condition wants to be passed only finitely often.
fn some_fin(condition: &Acceptance) -> Option<u32> {
    match condition {
        Acceptance::Fin(colour) => Some(*colour),
        Acceptance::And(operands) | Acceptance::Or(operands) => operands.iter().find_map(some_fin),
        _ => None,
    }
}

/// Colours that are enough to satisfy a condition which is satisfied by all of some colours; few of them.
fn wanted(condition: &Acceptance, colours: &Colours) -> Colours {
    match condition {
        Acceptance::True | Acceptance::False | Acceptance::Fin(_) => Colours::none(),
        Acceptance::Inf(colour) => [*colour].into_iter().collect(),
        Acceptance::And(operands) => {
            let mut all = Colours::none();
            operands.iter().for_each(|operand| all.insert_all(&wanted(operand, colours)));
            all
        }
        Acceptance::Or(operands) => {
            let satisfied = operands.iter().filter(|operand| operand.accepts(colours));
            satisfied.map(|operand| wanted(operand, colours)).min_by_key(Colours::len).unwrap_or_default()
        }
    }
}

/// A strongly connected component with an edge.
struct Component {
    states: Vec<usize>,
    members: FxHashSet<usize>,
}

impl Component {
    /// The edges inside of it that are not taken away.
    fn edges<'g, G: ColouredGraph>(
        &'g self,
        graph: &'g G,
        state: usize,
        removed: &'g Colours,
    ) -> impl Iterator<Item = (usize, usize, &'g Colours)> {
        kept(graph, state, removed).filter(|(_, target, _)| self.members.contains(target))
    }

    /// The colours of all its edges.
    fn colours<G: ColouredGraph>(&self, graph: &G, removed: &Colours) -> Colours {
        let mut all = Colours::none();
        for &state in &self.states {
            self.edges(graph, state, removed).for_each(|(_, _, colours)| all.insert_all(colours));
        }
        all
    }
}

/// The number, target and colours of the edges of a state that are not taken away.
fn kept<'g, G: ColouredGraph>(
    graph: &'g G,
    state: usize,
    removed: &'g Colours,
) -> impl Iterator<Item = (usize, usize, &'g Colours)> {
    (0..graph.edge_count(state)).filter_map(move |number| {
        let (target, colours) = graph.edge(state, number);
        (!colours.intersects(removed)).then_some((number, target, colours))
    })
}

/// The strongly connected components of a part that have an edge, by Tarjan's algorithm without recursion.
fn components<G: ColouredGraph>(graph: &G, part: &Part) -> Vec<Component> {
    let places: FxHashMap<usize, usize> =
        part.states.iter().enumerate().map(|(place, state)| (*state, place)).collect();
    let successors: Vec<Vec<usize>> = part
        .states
        .iter()
        .map(|&state| {
            kept(graph, state, &part.removed)
                .filter_map(|(_, target, _)| places.get(&target).copied())
                .collect()
        })
        .collect();
    let index = crate::components::Components::of(&successors);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); index.count];
    for (place, &state) in part.states.iter().enumerate() {
        if index.is_recurrent(place) {
            members[index.of[place]].push(state);
        }
    }
    let found = members.into_iter().filter(|states| !states.is_empty());
    found.map(|states| Component { members: states.iter().copied().collect(), states }).collect()
}

/// The states that are reachable, in the order of a breadth-first search.
struct Reached {
    order: Vec<usize>,
    /// How each state was reached first; nothing for initial states.
    by: FxHashMap<usize, Option<Step>>,
}

impl Reached {
    fn from_initial<G: ColouredGraph>(graph: &G) -> Self {
        let mut by: FxHashMap<usize, Option<Step>> = FxHashMap::default();
        let mut order = Vec::new();
        for state in graph.initial() {
            if by.insert(state, None).is_none() {
                order.push(state);
            }
        }
        let mut next = 0;
        while let Some(&source) = order.get(next) {
            next += 1;
            for edge in 0..graph.edge_count(source) {
                let (target, _) = graph.edge(source, edge);
                by.entry(target).or_insert_with(|| {
                    order.push(target);
                    Some(Step { source, edge })
                });
            }
        }
        Self { order, by }
    }

    /// A lasso into a component, around which all wanted colours are passed.
    fn lasso<G: ColouredGraph>(
        &self,
        graph: &G,
        component: &Component,
        removed: &Colours,
        wanted: &Colours,
    ) -> Lasso {
        // The states of a component are in the order of the search: its first one is nearest.
        let start = component.states[0];
        let mut prefix = Vec::new();
        let mut state = start;
        while let Some(Some(step)) = self.by.get(&state) {
            prefix.push(*step);
            state = step.source;
        }
        prefix.reverse();
        let mut missing: FxHashSet<u32> = wanted.iter().collect();
        let mut cycle: Vec<Step> = Vec::new();
        let mut state = start;
        while !missing.is_empty() {
            let has_missing = |_, colours: &Colours| colours.iter().any(|colour| missing.contains(&colour));
            let path = shortest(graph, component, removed, state, has_missing);
            for step in &path {
                let (target, colours) = graph.edge(step.source, step.edge);
                colours.iter().for_each(|colour| _ = missing.remove(&colour));
                state = target;
            }
            cycle.extend(path);
        }
        if state != start || cycle.is_empty() {
            cycle.extend(shortest(graph, component, removed, state, |target, _| target == start));
        }
        Lasso { prefix, cycle }
    }
}

/// A shortest path inside of a component from a state to the end of an edge that satisfies `goal`; there is one.
fn shortest<G: ColouredGraph>(
    graph: &G,
    component: &Component,
    removed: &Colours,
    source: usize,
    goal: impl Fn(usize, &Colours) -> bool,
) -> Vec<Step> {
    let mut by: FxHashMap<usize, Step> = FxHashMap::default();
    let mut queue = VecDeque::from([source]);
    while let Some(state) = queue.pop_front() {
        for (edge, target, colours) in component.edges(graph, state, removed) {
            let step = Step { source: state, edge };
            if goal(target, colours) {
                let mut path = vec![step];
                let mut state = state;
                while state != source {
                    path.push(by[&state]);
                    state = by[&state].source;
                }
                path.reverse();
                return path;
            }
            if target != source && !by.contains_key(&target) {
                by.insert(target, step);
                queue.push_back(target);
            }
        }
    }
    unreachable!("a component is strongly connected and has an edge with each of its colours")
}

#[cfg(test)]
pub(crate) mod tests;
