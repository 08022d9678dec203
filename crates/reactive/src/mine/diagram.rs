//! Sets of valuations as binary decision diagrams [Bryant 1986], and irredundant covers of them [Minato 1992].
//!
//! Variable i is bit i of a valuation; smaller ones are nearer to the root. The recursion is bounded by the number of
//! variables, which is at most 128.

use rustc_hash::FxHashMap;

use super::Cube;
use crate::configurations::Valuation;

/// A set of valuations.
pub(super) type Set = u32;

/// No valuation.
pub(super) const NONE: Set = 0;
/// All valuations.
pub(super) const ALL: Set = 1;

/// All sets that have been made.
pub(super) struct Diagrams {
    /// How many variables there are.
    variables: usize,
    /// Variable, the set without it, and the set with it; the first two nodes are the constants.
    nodes: Vec<(usize, Set, Set)>,
    unique: FxHashMap<(usize, Set, Set), Set>,
    /// `first` without `second`.
    minus: FxHashMap<(Set, Set), Set>,
    union: FxHashMap<(Set, Set), Set>,
    covers: FxHashMap<(Set, Set), (Vec<Cube>, Set)>,
}

impl Diagrams {
    pub(super) fn new(variables: usize) -> Self {
        let nodes = vec![(variables, NONE, NONE), (variables, ALL, ALL)];
        Self {
            variables,
            nodes,
            unique: FxHashMap::default(),
            minus: FxHashMap::default(),
            union: FxHashMap::default(),
            covers: FxHashMap::default(),
        }
    }

    fn node(&mut self, variable: usize, without: Set, with: Set) -> Set {
        if without == with {
            return with;
        }
        let next = Set::try_from(self.nodes.len()).expect("fewer than 2³² sets fit into memory");
        let set = *self.unique.entry((variable, without, with)).or_insert(next);
        if set == next {
            self.nodes.push((variable, without, with));
        }
        set
    }

    fn variable(&self, set: Set) -> usize {
        self.nodes[set as usize].0
    }

    /// The parts of a set without and with a variable that is not below its root.
    fn split(&self, set: Set, variable: usize) -> (Set, Set) {
        let (own, without, with) = self.nodes[set as usize];
        if own == variable { (without, with) } else { (set, set) }
    }

    /// The set of some valuations, which are changed in order only.
    pub(super) fn of(&mut self, valuations: &mut [Valuation]) -> Set {
        self.of_suffix(valuations, 0)
    }

    /// The set of all valuations that agree with one of some from a variable on.
    pub(super) fn of_suffixes(&mut self, valuations: &mut [Valuation], first: usize) -> Set {
        self.of_suffix(valuations, first)
    }

    fn of_suffix(&mut self, valuations: &mut [Valuation], variable: usize) -> Set {
        if valuations.is_empty() {
            return NONE;
        }
        if variable == self.variables {
            return ALL;
        }
        valuations.sort_unstable_by_key(|valuation| valuation >> variable & 1);
        let at = valuations.partition_point(|valuation| valuation >> variable & 1 == 0);
        let (without, with) = valuations.split_at_mut(at);
        let (without, with) = (self.of_suffix(without, variable + 1), self.of_suffix(with, variable + 1));
        self.node(variable, without, with)
    }

    /// What is in the first set and not in the second.
    pub(super) fn minus(&mut self, first: Set, second: Set) -> Set {
        match (first, second) {
            (NONE, _) | (_, ALL) => return NONE,
            (_, NONE) => return first,
            _ if first == second => return NONE,
            _ => {}
        }
        if let Some(&known) = self.minus.get(&(first, second)) {
            return known;
        }
        let variable = self.variable(first).min(self.variable(second));
        let ((a, b), (c, d)) = (self.split(first, variable), self.split(second, variable));
        let (without, with) = (self.minus(a, c), self.minus(b, d));
        let set = self.node(variable, without, with);
        self.minus.insert((first, second), set);
        set
    }

    /// What is in one of two sets.
    pub(super) fn union(&mut self, first: Set, second: Set) -> Set {
        match (first, second) {
            (NONE, other) | (other, NONE) => return other,
            (ALL, _) | (_, ALL) => return ALL,
            _ if first == second => return first,
            _ => {}
        }
        let key = (first.min(second), first.max(second));
        if let Some(&known) = self.union.get(&key) {
            return known;
        }
        let variable = self.variable(first).min(self.variable(second));
        let ((a, b), (c, d)) = (self.split(first, variable), self.split(second, variable));
        let (without, with) = (self.union(a, c), self.union(b, d));
        let set = self.node(variable, without, with);
        self.union.insert(key, set);
        set
    }

    fn intersection(&mut self, first: Set, second: Set) -> Set {
        let rest = self.minus(first, second);
        self.minus(first, rest)
    }

    /// The valuations of a cube.
    pub(super) fn cube(&mut self, cube: Cube) -> Set {
        let mut set = ALL;
        for variable in (0..self.variables).rev() {
            if cube.with >> variable & 1 == 1 {
                set = self.node(variable, NONE, set);
            } else if cube.without >> variable & 1 == 1 {
                set = self.node(variable, set, NONE);
            }
        }
        set
    }

    /// Cubes whose union has everything of `least` and nothing that is not in `most`. None of them is needless, and none can
    /// lose a literal.
    pub(super) fn cover(&mut self, least: Set, most: Set) -> Vec<Cube> {
        self.cover_with_set(least, most).0
    }

    fn cover_with_set(&mut self, least: Set, most: Set) -> (Vec<Cube>, Set) {
        if least == NONE {
            return (Vec::new(), NONE);
        }
        if most == ALL {
            return (vec![Cube::default()], ALL);
        }
        if let Some(known) = self.covers.get(&(least, most)) {
            return known.clone();
        }
        let variable = self.variable(least).min(self.variable(most));
        let ((least0, least1), (most0, most1)) = (self.split(least, variable), self.split(most, variable));
        // What only cubes with a literal of the variable can cover, on either side.
        let (only0, only1) = (self.minus(least0, most1), self.minus(least1, most0));
        let (cubes0, set0) = self.cover_with_set(only0, most0);
        let (cubes1, set1) = self.cover_with_set(only1, most1);
        // The rest is covered by cubes without a literal of the variable.
        let (rest0, rest1) = (self.minus(least0, set0), self.minus(least1, set1));
        let rest = self.union(rest0, rest1);
        let both = self.intersection(most0, most1);
        let (cubes, set) = self.cover_with_set(rest, both);
        let bit: Valuation = 1 << variable;
        let mut all: Vec<Cube> = Vec::new();
        all.extend(cubes0.into_iter().map(|cube| Cube { without: cube.without | bit, ..cube }));
        all.extend(cubes1.into_iter().map(|cube| Cube { with: cube.with | bit, ..cube }));
        all.extend(cubes);
        let (whole0, whole1) = (self.union(set0, set), self.union(set1, set));
        let whole = self.node(variable, whole0, whole1);
        self.covers.insert((least, most), (all.clone(), whole));
        (all, whole)
    }
}
