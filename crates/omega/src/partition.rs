//! The coarsest partition of states into bisimilar ones.
//!
//! Problem: states that have the same colour and, up to bisimilar targets, the same labelled edges are one state.
//! Source: the signature refinement of [Blom & Orzan 2003]. Idea: number the states by colour, then again and again by
//! their number and the set of their edges with the targets' numbers, until there are no more classes than before.
//! Complexity: as many rounds as classes at worst, each n log n in the edges; the automata here have few states.

use std::collections::BTreeMap;

/// The class of each state, numbered from 0 in the order of the first members.
pub(crate) fn coarsest_partition<C: Ord, L: Ord>(colours: &[C], edges: &[Vec<(L, usize)>]) -> Vec<usize> {
    let (mut classes, mut count) = number(colours.iter());
    loop {
        let signatures = edges.iter().enumerate().map(|(state, edges)| {
            let mut signature: Vec<(&L, usize)> =
                edges.iter().map(|(label, to)| (label, classes[*to])).collect();
            signature.sort_unstable();
            signature.dedup();
            (classes[state], signature)
        });
        let (refined, refined_count) = number(signatures);
        if refined_count == count {
            return classes;
        }
        (classes, count) = (refined, refined_count);
    }
}

/// Numbers equal things alike, in the order in which they first appear.
fn number<K: Ord>(keys: impl Iterator<Item = K>) -> (Vec<usize>, usize) {
    let mut numbers = BTreeMap::new();
    let numbered = keys
        .map(|key| {
            let next = numbers.len();
            *numbers.entry(key).or_insert(next)
        })
        .collect();
    (numbered, numbers.len())
}
