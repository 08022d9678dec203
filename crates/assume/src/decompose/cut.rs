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
//! **Complexity.** A pass makes n moves. A move looks at one unit for each side and each size that units have, and
//! changes the gains of the units whose actions enter or leave an interface by it: an action does so a few times in a
//! pass, so a pass takes O(p · log n) for p pairs of a unit and an action of it. There are 2n + 2 splits to begin with.
//!
//! **Deviation.** Gains are kept in ordered sets, one for each side and size, instead of in arrays: the cost counts
//! sizes, too, where the paper has a bound on them. More than two groups come from splitting the largest group of a good
//! split again.
//!
//! **Callers.** `rely decompose`, when there are more splits than it may try.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Exhausted, Progress};

use super::splits::{Split, split_of};
use crate::Problem;

/// Splits into `groups` groups that promise little work, the best ones first, and at most `most` of them.
///
/// There have to be at least as many units as groups, and two groups.
///
/// # Errors
/// The limit of the budget that was met.
pub fn promising_splits(
    problem: &Problem,
    units: &[Vec<usize>],
    groups: usize,
    most: usize,
    budget: &Budget<'_>,
) -> Result<Vec<Split>, Exhausted> {
    assert!(groups >= 2 && units.len() >= groups, "every group needs a unit");
    let graph = Graph::new(problem, units);
    let all: Vec<usize> = (0..units.len()).collect();
    let candidates = graph.two_way(&all, most, budget)?;
    let mut splits: Vec<Split> =
        candidates.into_iter().map(|left| split_of(&sides(&all, &left), 2)).collect();
    for _ in 2..groups {
        let mut refined = Vec::with_capacity(splits.len());
        for split in &splits {
            refined.extend(graph.refined(split, budget)?);
        }
        splits = refined;
    }
    let mut seen = BTreeSet::new();
    splits.retain(|split| seen.insert(split.clone()));
    splits.sort_by_cached_key(|split| (graph.cost(split), split.clone()));
    Ok(splits)
}

/// For each unit of a set, 0 if it is on the left and 1 if it is not.
fn sides(units: &[usize], left: &[usize]) -> Vec<usize> {
    units.iter().map(|unit| usize::from(left.binary_search(unit).is_err())).collect()
}

/// Units and what they share.
pub(super) struct Graph {
    /// For each action that more than one unit, or a unit and the goal, have: these units.
    pub(super) edges: Vec<Edge>,
    /// For each unit, the edges that it is in.
    edges_of: Vec<Vec<usize>>,
    /// For each unit, its size in sixteenths of a bit.
    pub(super) bits: Vec<usize>,
    /// For each unit, whether it has actions of the goal.
    pub(super) is_near: Vec<bool>,
}

pub(super) struct Edge {
    pub(super) units: Vec<usize>,
    /// Whether the goal has the action.
    in_goal: bool,
}

/// What an action of an interface costs, in sixteenths of a bit.
pub(super) const ACTION: usize = 8;

impl Graph {
    pub(super) fn new(problem: &Problem, units: &[Vec<usize>]) -> Self {
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
        let mut edges_of = vec![Vec::new(); units.len()];
        for (number, edge) in edges.iter().enumerate() {
            edge.units.iter().for_each(|&unit| edges_of[unit].push(number));
        }
        Self { edges, edges_of, bits: units.iter().map(bits_of).collect(), is_near }
    }

    /// What a split costs: the interfaces of the groups with those that follow, and the size of the largest group.
    pub(super) fn cost(&self, split: &Split) -> usize {
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

    /// Left sides of good splits of some units in two, each in order: the best first, and at most `most` of them.
    fn two_way(
        &self,
        units: &[usize],
        most: usize,
        budget: &Budget<'_>,
    ) -> Result<Vec<Vec<usize>>, Exhausted> {
        let others =
            |left: &[usize]| units.iter().copied().filter(|unit| left.binary_search(unit).is_err()).collect();
        let near: Vec<usize> = units.iter().copied().filter(|&unit| self.is_near[unit]).collect();
        let lefts = units.iter().map(|&unit| vec![unit]).chain([near]);
        let mut candidates: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
        for start in lefts.flat_map(|left| [others(&left), left]) {
            if start.is_empty() || start.len() == units.len() {
                continue;
            }
            let mut best = (Moves::new(self, units, &start).cost(), start);
            // What follows from a split that is among the candidates is there, too.
            while candidates.insert(best.clone()) {
                if candidates.len() > most {
                    candidates.pop_last();
                }
                let found = Moves::new(self, units, &best.1).pass(budget)?;
                if found.0 >= best.0 {
                    break;
                }
                best = found;
            }
        }
        Ok(candidates.into_iter().map(|(_, left)| left).collect())
    }

    /// A split with one group more: the largest that can be split is. Nothing if there is none.
    fn refined(&self, split: &Split, budget: &Budget<'_>) -> Result<Option<Split>, Exhausted> {
        let size = |group: &usize| split[*group].iter().map(|&unit| self.bits[unit]).sum::<usize>();
        let divisible = (0..split.len()).filter(|&group| split[group].len() > 1);
        let Some(group) = divisible.max_by_key(|group| (size(group), usize::MAX - group)) else {
            return Ok(None);
        };
        let Some(left) = self.two_way(&split[group], 1, budget)?.pop() else { return Ok(None) };
        let (first, second) = split[group].iter().partition(|unit| left.binary_search(unit).is_ok());
        let mut refined = split.clone();
        refined.splice(group..=group, [first, second]);
        Ok(Some(refined))
    }
}

impl Edge {
    /// How many interfaces the action is in: a group needs it in its assumption if a later one has it, too, or if the
    /// group is the first and the goal has it and a later one does. Units without a group do not count.
    pub(super) fn cost(&self, group_of: impl Fn(usize) -> Option<usize>) -> usize {
        let mut groups: Vec<usize> = self.units.iter().filter_map(|&unit| group_of(unit)).collect();
        groups.sort_unstable();
        groups.dedup();
        let only_later = self.in_goal && groups.first().is_some_and(|&first| first > 0);
        groups.len().saturating_sub(1) + usize::from(only_later)
    }

    /// The cost of an action in a split into two groups, from how many units of each have the action.
    fn cost_of_two(&self, pins: [usize; 2]) -> usize {
        match pins.map(|count| count > 0) {
            [true, true] => 1,
            [false, true] => usize::from(self.in_goal),
            [_, false] => 0,
        }
    }

    /// By how much the cost of two groups grows when a unit of the edge leaves its side.
    fn growth(&self, pins: [usize; 2], side: usize) -> isize {
        let mut after = pins;
        after[side] -= 1;
        after[1 - side] += 1;
        self.cost_of_two(after).cast_signed() - self.cost_of_two(pins).cast_signed()
    }
}

/// A split in two from which units are moved to the other side, each at most once.
struct Moves<'g> {
    graph: &'g Graph,
    /// The units that are split.
    units: &'g [usize],
    /// For each of all units the side that it is on; nothing for those that are not split.
    sides: Vec<Option<usize>>,
    /// For each edge, how many of its units are on each side.
    pins: Vec<[usize; 2]>,
    /// How many actions are in the interface.
    actions: usize,
    /// For each side, how many units are on it, and their size.
    counts: [usize; 2],
    bits: [usize; 2],
    /// For each unit, by how much the interface grows when it is moved.
    growth: Vec<isize>,
    /// The units that may be moved, by side and size: those first that let the interface grow least.
    free: BTreeMap<(usize, usize), BTreeSet<(isize, usize)>>,
}

impl<'g> Moves<'g> {
    fn new(graph: &'g Graph, units: &'g [usize], left: &[usize]) -> Self {
        let mut moves = Self {
            graph,
            units,
            sides: vec![None; graph.bits.len()],
            pins: vec![[0, 0]; graph.edges.len()],
            actions: 0,
            counts: [0, 0],
            bits: [0, 0],
            growth: vec![0; graph.bits.len()],
            free: BTreeMap::new(),
        };
        for (&unit, side) in units.iter().zip(sides(units, left)) {
            moves.sides[unit] = Some(side);
            moves.counts[side] += 1;
            moves.bits[side] += graph.bits[unit];
            graph.edges_of[unit].iter().for_each(|&edge| moves.pins[edge][side] += 1);
        }
        let costs = graph.edges.iter().zip(&moves.pins).map(|(edge, &pins)| edge.cost_of_two(pins));
        moves.actions = costs.sum();
        moves
    }

    fn cost(&self) -> usize {
        self.actions * ACTION + self.bits[0].max(self.bits[1])
    }

    /// The best split that is met when every unit is moved once, the most profitable first, and its cost.
    fn pass(mut self, budget: &Budget<'_>) -> Result<(usize, Vec<usize>), Exhausted> {
        self.free_all();
        let mut moved: Vec<usize> = Vec::with_capacity(self.units.len());
        let mut best = (usize::MAX, 0);
        while let Some((cost, unit)) = self.cheapest() {
            budget.check(&Progress::default())?;
            self.make(unit);
            moved.push(unit);
            debug_assert_eq!(cost, self.cost(), "gains are kept");
            if cost < best.0 {
                best = (cost, moved.len());
            }
        }
        // Those that were moved after the best split are moved back.
        for &unit in &moved[best.1..] {
            self.sides[unit] = self.sides[unit].map(|side| 1 - side);
        }
        let left = self.units.iter().copied().filter(|&unit| self.sides[unit] == Some(0)).collect();
        Ok((best.0, left))
    }

    /// Lets every unit move.
    fn free_all(&mut self) {
        for &unit in self.units {
            let Some(side) = self.sides[unit] else { continue };
            let edges = self.graph.edges_of[unit].iter();
            let growth = edges.map(|&edge| self.graph.edges[edge].growth(self.pins[edge], side)).sum();
            self.growth[unit] = growth;
            self.free.entry((side, self.graph.bits[unit])).or_default().insert((growth, unit));
        }
    }

    /// The move that leaves the least cost, and that cost. No side is left without units.
    fn cheapest(&self) -> Option<(usize, usize)> {
        let candidates = self.free.iter().filter_map(|(&(side, bits), units)| {
            let &(growth, unit) = units.first().filter(|_| self.counts[side] > 1)?;
            let largest = (self.bits[side] - bits).max(self.bits[1 - side] + bits);
            let actions =
                self.actions.checked_add_signed(growth).expect("no interface has less than no actions");
            Some((actions * ACTION + largest, unit))
        });
        candidates.min()
    }

    /// Moves a unit, which is not free any more.
    fn make(&mut self, unit: usize) {
        let side = self.sides[unit].expect("only units that are split are free");
        let (graph, bits) = (self.graph, self.graph.bits[unit]);
        self.take(unit, side);
        self.sides[unit] = Some(1 - side);
        self.counts[side] -= 1;
        self.counts[1 - side] += 1;
        self.bits[side] -= bits;
        self.bits[1 - side] += bits;
        self.actions = self
            .actions
            .checked_add_signed(self.growth[unit])
            .expect("no interface has less than no actions");
        for &edge in &graph.edges_of[unit] {
            let before = self.pins[edge];
            self.pins[edge][side] -= 1;
            self.pins[edge][1 - side] += 1;
            let after = self.pins[edge];
            // What a move does to an edge depends on whether a side has no unit of it, one, or more.
            if before.map(|count| count.min(2)) != after.map(|count| count.min(2)) {
                let edge = &graph.edges[edge];
                edge.units.iter().for_each(|&other| self.adjust(edge, other, before, after));
            }
        }
    }

    /// Changes the growth of a free unit of an edge of which a unit was moved.
    fn adjust(&mut self, edge: &Edge, unit: usize, before: [usize; 2], after: [usize; 2]) {
        let Some(side) = self.sides[unit] else { return };
        // A unit that was moved is on the other side now, and not to be found on this one.
        let change = match (before[side], after[side]) {
            (0, _) | (_, 0) => return,
            _ => edge.growth(after, side) - edge.growth(before, side),
        };
        if change != 0 && self.take(unit, side) {
            self.growth[unit] += change;
            let units = self.free.entry((side, self.graph.bits[unit])).or_default();
            units.insert((self.growth[unit], unit));
        }
    }

    /// Takes a unit out of those that may be moved; whether it was one of them.
    fn take(&mut self, unit: usize, side: usize) -> bool {
        let units = self.free.get_mut(&(side, self.graph.bits[unit]));
        units.is_some_and(|units| units.remove(&(self.growth[unit], unit)))
    }
}

/// The logarithm of a number of states in sixteenths of a bit, linear between powers of two.
fn sixteenths(states: usize) -> usize {
    let whole = states.max(1).ilog2();
    let rest = u128::try_from(states.max(1) - (1 << whole)).unwrap_or(0);
    16 * usize::try_from(whole).unwrap_or(0) + usize::try_from((rest * 16) >> whole).unwrap_or(0)
}
