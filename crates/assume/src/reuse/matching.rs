//! Which part of an earlier system a part of a later one stands for.
//!
//! **Problem.** A proof speaks about groups of parts. Between two versions of a system, parts are renamed, replaced by
//! others, added and taken away. Which groups are those of the earlier proof now?
//!
//! **Idea.** A part of the same name is the same part, changed or not. Of the parts that are left on both sides, the
//! most alike are taken for each other first:
//! 1. the same behaviour: the part was renamed;
//! 2. the same place, which is what is before the colon of a name: `node.9:NODE` and `node.9:LAZY`;
//! 3. the same interface, the actions that the part shares with others of its own system;
//! 4. the order, if as many are left on both sides.
//!
//! **Invariants.** Each part stands for at most one. Nothing is believed because of a match: premises are checked for the
//! parts as they are, so that a wrong match only loses time.
//!
//! **Complexity.** Linear in the parts that keep their names, quadratic in the others.
//!
//! **Callers.** `rely verify`, with a store.

use std::collections::BTreeSet;

use rely_lts::Component;
use rustc_hash::FxHashMap;

use crate::{Problem, Proof};

/// Which parts of two versions of a problem stand for each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matching {
    /// For each part of the later problem, that of the earlier one.
    before: Vec<Option<usize>>,
    /// For each part of the earlier problem, that of the later one.
    now: Vec<Option<usize>>,
}

impl Matching {
    /// Matches the parts of an earlier problem and a later one.
    pub fn new(old: &Problem, new: &Problem) -> Self {
        let mut matching = Self { before: vec![None; new.parts.len()], now: vec![None; old.parts.len()] };
        matching.by(name_keys(&old.parts), name_keys(&new.parts));
        if matching.is_complete() {
            return matching;
        }
        matching.by_behaviour(&old.parts, &new.parts);
        matching.by(place_keys(&old.parts), place_keys(&new.parts));
        matching.by(interfaces(old), interfaces(new));
        matching.by_order();
        matching
    }

    /// The part of the earlier problem that a part of the later one stands for.
    pub fn before(&self, part: usize) -> Option<usize> {
        self.before[part]
    }

    /// The part of the later problem that stands for one of the earlier.
    pub fn now(&self, part: usize) -> Option<usize> {
        self.now[part]
    }

    /// Whether each part of the later problem stands for one of the earlier.
    pub fn covers_all(&self) -> bool {
        self.before.iter().all(Option::is_some)
    }

    /// Whether each part of either problem has its match.
    pub fn is_complete(&self) -> bool {
        self.covers_all() && self.now.iter().all(Option::is_some)
    }

    /// The earlier problem with its parts under the names, and in the order, of the later one.
    ///
    /// Nothing if a part has no match.
    pub fn earlier_as_now(&self, old: &Problem, new: &Problem) -> Option<Problem> {
        let part = |(now, before): (&Component, &Option<usize>)| {
            Some(Component { name: now.name.clone(), lts: old.parts[(*before)?].lts.clone() })
        };
        let parts = new.parts.iter().zip(&self.before).map(part).collect::<Option<_>>()?;
        self.is_complete().then(|| Problem { composites: Vec::new(), parts, goal: old.goal.clone() })
    }

    /// A proof of the earlier problem with the parts of the later one: those that are gone are left out, and so are those
    /// that are new, so that more is proved than has to be.
    pub fn proof_now(&self, proof: &Proof) -> Proof {
        let group = |group: &Vec<usize>| group.iter().filter_map(|&part| self.now[part]).collect();
        Proof { groups: proof.groups.iter().map(group).collect(), ..proof.clone() }
    }

    /// A proof made by [`Self::proof_now`] where new parts are in the groups of their neighbours: in that of the part
    /// before them, in the order of the problem, or else the first.
    pub fn completed(&self, proof: &Proof) -> Proof {
        let mut groups: Vec<Vec<usize>> = proof.groups.clone();
        let mut group = 0;
        for part in 0..self.before.len() {
            if let Some(own) = proof.groups.iter().position(|group| group.contains(&part)) {
                group = own;
            } else if let (None, Some(members)) = (self.before[part], groups.get_mut(group)) {
                members.push(part);
            }
        }
        Proof { groups, ..proof.clone() }
    }

    /// Whether a group of a proof of the earlier problem has all its parts in the later one.
    pub fn keeps(&self, group: &[usize]) -> bool {
        group.iter().all(|&part| self.now[part].is_some())
    }

    /// Matches parts that have the same key. A key is for one part on each side, or for the first that is left.
    fn by<K: Eq + std::hash::Hash>(&mut self, old: Vec<Option<K>>, new: Vec<Option<K>>) {
        let mut places: FxHashMap<K, Vec<usize>> = FxHashMap::default();
        for (part, key) in old.into_iter().enumerate().rev() {
            if let (None, Some(key)) = (self.now[part], key) {
                places.entry(key).or_default().push(part);
            }
        }
        for (part, key) in new.into_iter().enumerate() {
            let first =
                key.and_then(|key| places.get_mut(&key).filter(|_| self.before[part].is_none())?.pop());
            if let Some(first) = first {
                self.join(first, part);
            }
        }
    }

    fn by_behaviour(&mut self, old: &[Component], new: &[Component]) {
        for (part, component) in new.iter().enumerate() {
            let is_same = |&other: &usize| self.now[other].is_none() && old[other].lts == component.lts;
            let same = (0..old.len()).find(is_same).filter(|_| self.before[part].is_none());
            if let Some(same) = same {
                self.join(same, part);
            }
        }
    }

    fn by_order(&mut self) {
        let open = |places: &[Option<usize>]| -> Vec<usize> {
            (0..places.len()).filter(|&part| places[part].is_none()).collect()
        };
        let (old, new) = (open(&self.now), open(&self.before));
        if old.len() == new.len() {
            old.into_iter().zip(new).for_each(|(old, new)| self.join(old, new));
        }
    }

    fn join(&mut self, old: usize, new: usize) {
        self.before[new] = Some(old);
        self.now[old] = Some(new);
    }
}

fn name_keys(parts: &[Component]) -> Vec<Option<&str>> {
    parts.iter().map(|part| Some(part.name.as_str())).collect()
}

/// Where in the system a part is, if its name says so.
fn place_keys(parts: &[Component]) -> Vec<Option<&str>> {
    parts.iter().map(|part| part.name.rsplit_once(':').map(|(place, _)| place)).collect()
}

/// The actions that each part shares with others; nothing for parts that are alone.
fn interfaces(problem: &Problem) -> Vec<Option<BTreeSet<&str>>> {
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for component in problem.parts.iter().chain(&problem.goal.components) {
        component.lts.alphabet().names().for_each(|name| *owners.entry(name).or_default() += 1);
    }
    let shared = |part: &Component| -> BTreeSet<&str> {
        let names = part.lts.alphabet().names();
        names
            .filter_map(|name| owners.get_key_value(name))
            .filter(|(_, count)| **count > 1)
            .map(|(name, _)| *name)
            .collect()
    };
    problem.parts.iter().map(|part| Some(shared(part)).filter(|shared| !shared.is_empty())).collect()
}
