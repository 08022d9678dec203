//! Assertions where choices are made at random: does every run of the automaton have to leave a class, with probability 1?
//!
//! Problem: every choice of the network is made at random, each alternative with some positive probability. A certificate
//! gives the states of the product of network, fluents and the automaton V of the violations, and puts them into classes
//! (`ltl.rs`). Show that the violating runs have probability 0.
//!
//! V is nondeterministic: it may guess what comes next, and a run is accepted if some guesses are right. So all runs of V are
//! followed at once. A *set* is a set of states of the product in one class, over one state of the network with its
//! fluents. A step of the network leads from a set to the set of everything in the class that a step of the product over it
//! leads to from one of its members; it may be empty. A set is *mortal* if steps of the network can lead from it to the
//! empty set, to a state without steps, or to the error.
//!
//! Rule: in a class that is not waiting, every set is mortal that steps lead to from a single state of the class.
//!
//! Sound: suppose that the violating infinite runs have positive probability. Each of them has an accepting run of V, which
//! stays from some point on in one class, and that is not waiting. There are countably many points and finitely many states
//! of the product; so for some state x of such a class it has positive probability that, from x on, some run of V stays in
//! the class for ever. But the sets from {x} on are a finite Markov chain in which, by the rule, there is a way to the empty
//! set, to a stop or to the error from everywhere: so with probability 1 one of them is reached, and no run of V stays. ∎
//!
//! A subset of a mortal set is mortal, too. So a state need not be considered by itself if it is in a set that has
//! been considered: all sets that can be reached from it are subsets of such sets.
//!
//! Complexity: exponentially many sets in the number of states of V at worst. Called by `ltl.rs`.

use std::collections::{HashMap, HashSet};

use rely_base::ActionId;

use super::ltl::Observed;
use crate::Rejection;
use crate::semantics::{Semantics, Target};

/// Some rows of the product, sorted: see above.
type Set = Vec<usize>;

/// Looks for sets that are not mortal.
pub(super) struct Immortality<'o, 'a, S> {
    product: &'o Observed<'a, S>,
    /// Sets that are known to be mortal.
    mortal: HashSet<Set>,
    /// Their rows.
    rows: HashSet<usize>,
}

impl<'o, 'a, S: Semantics> Immortality<'o, 'a, S> {
    pub(super) fn new(product: &'o Observed<'a, S>) -> Self {
        Self { product, mortal: HashSet::new(), rows: HashSet::new() }
    }

    /// Checks that all sets are mortal which steps lead to from one of the given rows.
    pub(super) fn check(mut self, rows: impl Iterator<Item = usize>) -> Result<(), Rejection> {
        for row in rows {
            if !self.rows.contains(&row) {
                self.check_from(row)?;
            }
        }
        Ok(())
    }

    fn check_from(&mut self, row: usize) -> Result<(), Rejection> {
        let mut sets: Vec<Set> = vec![vec![row]];
        let mut numbers: HashMap<Set, usize> = HashMap::from([(vec![row], 0)]);
        // By set, the sets with a step to it; and the sets that have a step to an end, or to a set that is known to
        // be mortal.
        let mut sources: Vec<Vec<usize>> = vec![Vec::new()];
        let mut pending: Vec<usize> = Vec::new();
        let mut next = 0;
        while let Some(set) = sets.get(next).cloned() {
            let targets = self.after(&set)?;
            if targets.is_empty() || targets.iter().any(|set| set.is_empty() || self.mortal.contains(set)) {
                pending.push(next);
            }
            for target in targets.into_iter().filter(|set| !set.is_empty() && !self.mortal.contains(set)) {
                self.hold(&target);
                let number = *numbers.entry(target).or_insert_with_key(|target| {
                    sets.push(target.clone());
                    sources.push(Vec::new());
                    sets.len() - 1
                });
                sources[number].push(next);
            }
            next += 1;
        }
        let mut is_mortal = vec![false; sets.len()];
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut is_mortal[number], true) {
                pending.extend(&sources[number]);
                self.product.meter.work(1 + sources[number].len(), sets.len())?;
            }
        }
        if let Some(immortal) = is_mortal.iter().position(|is_mortal| !is_mortal) {
            return Err(Rejection::Stays(self.product.shown(sets[immortal][0])));
        }
        self.rows.extend(sets.iter().flatten());
        self.mortal.extend(sets);
        Ok(())
    }

    /// Where each step of the network leads from a set.
    fn after(&self, set: &Set) -> Result<Vec<Set>, Rejection> {
        let class = self.product.class(set[0]);
        // The error state has no place, and no set lies over it.
        let mut targets: HashMap<(Option<ActionId>, Option<Vec<u32>>), Set> = HashMap::new();
        self.product.behaviour_steps(set[0], &mut |action, target| {
            let place = if let Target::State(place) = target { Some(place.to_vec()) } else { None };
            targets.entry((action, place)).or_default();
            Ok(())
        })?;
        for &row in set {
            self.product.steps(row, &mut |step| {
                if self.product.class(step.row) == class {
                    targets.entry((step.action, Some(step.place.to_vec()))).or_default().push(step.row);
                }
                Ok(())
            })?;
        }
        let mut targets: Vec<Set> = targets.into_values().collect();
        for target in &mut targets {
            target.sort_unstable();
            target.dedup();
        }
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// Counts the bytes of a set: it is held twice, has a place among the sources, and its rows may be held.
    fn hold(&self, set: &Set) {
        self.product.meter.hold(2 * size_of::<Set>() + 4 * size_of::<usize>() * (1 + set.len()));
    }
}
