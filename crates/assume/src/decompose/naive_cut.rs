//! The naive twin of `cut.rs`: after each move every cost is computed anew, from the whole split.

use std::collections::BTreeSet;

use super::cut::{ACTION, Graph};
use super::splits::{Split, split_of};
use crate::Problem;

/// What a split is taken to cost.
pub(super) fn cost(problem: &Problem, units: &[Vec<usize>], split: &Split) -> usize {
    Graph::new(problem, units).cost(split)
}

/// Splits into `groups` groups that promise little work.
pub(super) fn promising_splits(
    problem: &Problem,
    units: &[Vec<usize>],
    groups: usize,
    most: usize,
) -> Vec<Split> {
    let graph = Graph::new(problem, units);
    let all: Vec<usize> = (0..units.len()).collect();
    let lefts = two_way(&graph, &all);
    let side = |left: &BTreeSet<usize>, unit: &usize| usize::from(!left.contains(unit));
    let split =
        |left: BTreeSet<usize>| split_of(&all.iter().map(|unit| side(&left, unit)).collect::<Vec<_>>(), 2);
    let mut splits: Vec<Split> = lefts.into_iter().take(most).map(split).collect();
    for _ in 2..groups {
        splits = splits.iter().filter_map(|split| refined(&graph, split)).collect();
    }
    let distinct: BTreeSet<(usize, Split)> =
        splits.into_iter().map(|split| (graph.cost(&split), split)).collect();
    distinct.into_iter().map(|(_, split)| split).collect()
}

fn cost_of_two(graph: &Graph, units: &[usize], left: &BTreeSet<usize>) -> usize {
    let side = |unit: usize| units.contains(&unit).then(|| usize::from(!left.contains(&unit)));
    let actions: usize = graph.edges.iter().map(|edge| edge.cost(side)).sum();
    let mut bits = [0, 0];
    units.iter().for_each(|&unit| bits[usize::from(!left.contains(&unit))] += graph.bits[unit]);
    actions * ACTION + bits[0].max(bits[1])
}

fn two_way(graph: &Graph, units: &[usize]) -> Vec<BTreeSet<usize>> {
    let all: BTreeSet<usize> = units.iter().copied().collect();
    let near: BTreeSet<usize> = units.iter().copied().filter(|&unit| graph.is_near[unit]).collect();
    let mut starts: Vec<BTreeSet<usize>> = units.iter().map(|&unit| BTreeSet::from([unit])).collect();
    starts.push(near);
    let others: Vec<BTreeSet<usize>> =
        starts.iter().map(|left| all.difference(left).copied().collect()).collect();
    starts.extend(others);
    starts.retain(|left| !left.is_empty() && left.len() < units.len());
    let mut candidates: BTreeSet<(usize, BTreeSet<usize>)> = BTreeSet::new();
    for start in starts {
        let mut best = (cost_of_two(graph, units, &start), start);
        loop {
            candidates.insert(best.clone());
            let found = pass(graph, units, &best.1);
            if found.0 >= best.0 {
                break;
            }
            best = found;
        }
    }
    candidates.into_iter().map(|(_, left)| left).collect()
}

fn pass(graph: &Graph, units: &[usize], start: &BTreeSet<usize>) -> (usize, BTreeSet<usize>) {
    let mut best = (usize::MAX, start.clone());
    let mut left = start.clone();
    let mut free: BTreeSet<usize> = units.iter().copied().collect();
    loop {
        let moved = |unit: usize| -> BTreeSet<usize> { &left ^ &BTreeSet::from([unit]) };
        let moves = free.iter().map(|&unit| (unit, moved(unit)));
        let allowed = moves.filter(|(_, left)| !left.is_empty() && left.len() < units.len());
        let costed = allowed.map(|(unit, left)| (cost_of_two(graph, units, &left), unit, left));
        let Some((cost, unit, next)) = costed.min() else { return best };
        free.remove(&unit);
        left = next;
        if cost < best.0 {
            best = (cost, left.clone());
        }
    }
}

fn refined(graph: &Graph, split: &Split) -> Option<Split> {
    let size = |group: &usize| split[*group].iter().map(|&unit| graph.bits[unit]).sum::<usize>();
    let divisible = (0..split.len()).filter(|&group| split[group].len() > 1);
    let group = divisible.max_by_key(|group| (size(group), usize::MAX - group))?;
    let left = two_way(graph, &split[group]).into_iter().next()?;
    let (first, second) = split[group].iter().partition(|unit| left.contains(unit));
    let mut refined = split.clone();
    refined.splice(group..=group, [first, second]);
    Some(refined)
}
