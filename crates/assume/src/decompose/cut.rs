//! Splits that promise little work, where there are too many to try them all.
//!
//! **Problem.** Of 2ⁿ − 2 splits, which are worth a try?
//!
//! **Source.** Partitioning of hypergraphs by single moves [Fiduccia, Mattheyses 1982].
//!
//! **Idea.** Units are the vertices, actions the edges that connect all units which have them. A split costs its
//! interfaces, since assumptions are languages over them, and its largest group, since that has to be searched. From
//! every split that sets a single unit apart, and from the units near the goal against the rest, moves are made one by
//! one: each time the unit whose move leaves the least cost, even if that is more than before, and no unit twice. The
//! best split on the way is kept, and is where the next pass begins.
//!
//! **Invariants.** The result is a function of the problem. Every split that a pass has ended with, or begun with, is
//! among the candidates.
//!
//! **Complexity.** A pass makes n moves and looks at n units for each, at a cost of one look at every action.
//!
//! **Deviation.** Gains are computed anew instead of being kept in buckets: systems have dozens of units, circuits
//! thousands. More than two groups come from splitting the largest group of a good split again.
//!
//! **Callers.** `rely decompose`, when there are more splits than it may try.

use std::collections::{BTreeMap, BTreeSet};

use super::splits::{Split, split_of};
use crate::Problem;

/// Splits into so many groups that promise little work, the best ones first, and at most so many.
///
/// There have to be at least as many units as groups, and two groups.
pub fn promising_splits(problem: &Problem, units: &[Vec<usize>], groups: usize, most: usize) -> Vec<Split> {
    assert!(groups >= 2 && units.len() >= groups, "every group needs a unit");
    let graph = Graph::new(problem, units);
    let all: Vec<usize> = (0..units.len()).collect();
    let mut candidates = graph.two_way(&all);
    candidates.truncate(most);
    let mut splits: Vec<Split> =
        candidates.into_iter().map(|left| split_of(&sides(&all, &left), 2)).collect();
    for _ in 2..groups {
        splits = splits.iter().filter_map(|split| graph.refined(split)).collect();
    }
    let mut seen = BTreeSet::new();
    splits.retain(|split| seen.insert(split.clone()));
    splits.sort_by_cached_key(|split| (graph.cost(split), split.clone()));
    splits
}

/// What a split is taken to cost.
#[cfg(test)]
pub(super) fn cost(problem: &Problem, units: &[Vec<usize>], split: &Split) -> usize {
    Graph::new(problem, units).cost(split)
}

/// For each unit of a set, 0 if it is on the left and 1 if it is not.
fn sides(units: &[usize], left: &BTreeSet<usize>) -> Vec<usize> {
    units.iter().map(|unit| usize::from(!left.contains(unit))).collect()
}

/// Units and what they share.
struct Graph {
    /// For each action that more than one unit, or a unit and the goal, have: these units.
    edges: Vec<Edge>,
    /// For each unit, its size in sixteenths of a bit.
    bits: Vec<usize>,
    /// For each unit, whether it has actions of the goal.
    is_near: Vec<bool>,
}

struct Edge {
    units: Vec<usize>,
    /// Whether the goal has the action.
    in_goal: bool,
}

/// What an action of an interface costs, in sixteenths of a bit.
const ACTION: usize = 8;

impl Graph {
    fn new(problem: &Problem, units: &[Vec<usize>]) -> Self {
        let goal = problem.goal.alphabet();
        let mut having: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (unit, parts) in units.iter().enumerate() {
            for name in parts.iter().flat_map(|&part| problem.parts[part].lts.alphabet().names()) {
                let units = having.entry(name).or_default();
                if units.last() != Some(&unit) {
                    units.push(unit);
                }
            }
        }
        let bits_of = |parts: &Vec<usize>| {
            parts.iter().map(|&part| sixteenths(problem.parts[part].lts.state_count())).sum()
        };
        let mut is_near = vec![false; units.len()];
        let mut edges = Vec::new();
        for (name, units) in having {
            let in_goal = goal.contains(name);
            for &unit in &units {
                is_near[unit] |= in_goal;
            }
            if in_goal || units.len() > 1 {
                edges.push(Edge { units, in_goal });
            }
        }
        Self { edges, bits: units.iter().map(bits_of).collect(), is_near }
    }

    /// What a split costs: the interfaces of the groups with those that follow, and the size of the largest group.
    fn cost(&self, split: &Split) -> usize {
        let mut group_of = vec![0; self.bits.len()];
        for (group, units) in split.iter().enumerate() {
            units.iter().for_each(|&unit| group_of[unit] = group);
        }
        // For each edge, it is in the interface of every group before the last that has it, and of the first if the
        // goal has it.
        let actions: usize = self.edges.iter().map(|edge| edge.cost(|unit| Some(group_of[unit]))).sum();
        let size = |units: &Vec<usize>| units.iter().map(|&unit| self.bits[unit]).sum::<usize>();
        actions * ACTION + split.iter().map(size).max().unwrap_or(0)
    }

    /// What a split of some units in two costs.
    fn cost_of_two(&self, units: &[usize], left: &BTreeSet<usize>) -> usize {
        let mut side = vec![None; self.bits.len()];
        units.iter().for_each(|&unit| side[unit] = Some(usize::from(!left.contains(&unit))));
        let actions: usize = self.edges.iter().map(|edge| edge.cost(|unit| side[unit])).sum();
        let mut bits = [0, 0];
        for &unit in units {
            bits[usize::from(!left.contains(&unit))] += self.bits[unit];
        }
        actions * ACTION + bits[0].max(bits[1])
    }

    /// Left sides of good splits of some units in two, the best first.
    fn two_way(&self, units: &[usize]) -> Vec<BTreeSet<usize>> {
        let all: BTreeSet<usize> = units.iter().copied().collect();
        let near: BTreeSet<usize> = units.iter().copied().filter(|&unit| self.is_near[unit]).collect();
        let single = |&unit: &usize| BTreeSet::from([unit]);
        let mut starts: Vec<BTreeSet<usize>> = units.iter().map(single).collect();
        starts.push(near);
        let others: Vec<BTreeSet<usize>> =
            starts.iter().map(|left| all.difference(left).copied().collect()).collect();
        starts.extend(others);
        starts.retain(|left| !left.is_empty() && left.len() < units.len());
        let mut candidates: BTreeSet<(usize, BTreeSet<usize>)> = BTreeSet::new();
        for start in starts {
            let mut best = (self.cost_of_two(units, &start), start);
            loop {
                candidates.insert(best.clone());
                let found = self.pass(units, &best.1);
                if found.0 >= best.0 {
                    break;
                }
                best = found;
            }
        }
        candidates.into_iter().map(|(_, left)| left).collect()
    }

    /// The best split that is met when every unit is moved once, the most profitable first.
    fn pass(&self, units: &[usize], start: &BTreeSet<usize>) -> (usize, BTreeSet<usize>) {
        let moved = |left: &BTreeSet<usize>, unit: usize| {
            let mut left = left.clone();
            if !left.remove(&unit) {
                left.insert(unit);
            }
            left
        };
        let mut best = (usize::MAX, start.clone());
        let mut left = start.clone();
        let mut free: BTreeSet<usize> = units.iter().copied().collect();
        while !free.is_empty() {
            let moves = free.iter().map(|&unit| (unit, moved(&left, unit)));
            let allowed = moves.filter(|(_, left)| !left.is_empty() && left.len() < units.len());
            let costed = allowed.map(|(unit, left)| (self.cost_of_two(units, &left), unit, left));
            let Some((cost, unit, next)) = costed.min() else { break };
            free.remove(&unit);
            left = next;
            if cost < best.0 {
                best = (cost, left.clone());
            }
        }
        best
    }

    /// A split with one group more: the largest that can be split is. Nothing if there is none.
    fn refined(&self, split: &Split) -> Option<Split> {
        let size = |group: &usize| split[*group].iter().map(|&unit| self.bits[unit]).sum::<usize>();
        let divisible = (0..split.len()).filter(|&group| split[group].len() > 1);
        let group = divisible.max_by_key(|group| (size(group), usize::MAX - group))?;
        let left = self.two_way(&split[group]).into_iter().next()?;
        let (first, second) = split[group].iter().partition(|unit| left.contains(unit));
        let mut refined = split.clone();
        refined.splice(group..=group, [first, second]);
        Some(refined)
    }
}

impl Edge {
    /// How many interfaces the action is in: a group needs it in its assumption if a later one has it, too, or if the
    /// group is the first and the goal has it and a later one does. Units without a group do not count.
    fn cost(&self, group_of: impl Fn(usize) -> Option<usize>) -> usize {
        let mut groups: Vec<usize> = self.units.iter().filter_map(|&unit| group_of(unit)).collect();
        groups.sort_unstable();
        groups.dedup();
        let only_later = self.in_goal && groups.first().is_some_and(|&first| first > 0);
        groups.len().saturating_sub(1) + usize::from(only_later)
    }
}

/// The logarithm of a number of states in sixteenths of a bit, linear between powers of two.
fn sixteenths(states: usize) -> usize {
    let whole = states.max(1).ilog2();
    let rest = u128::try_from(states.max(1) - (1 << whole)).unwrap_or(0);
    16 * usize::try_from(whole).unwrap_or(0) + usize::try_from((rest * 16) >> whole).unwrap_or(0)
}
