//! Paths that postpone nothing for ever, against a search of everything from everywhere.

use std::collections::BTreeSet;

use rely_base::{Budget, Limits, Resource};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Acceptance, Onward};
use crate::Rejection;
use crate::check::states::Meter;

const ANY: Budget<'static> = Budget::UNLIMITED;

/// By node, its steps.
type Steps = Vec<Vec<Onward<usize>>>;

/// The nodes that are reached in one or more steps.
fn reached(graph: &Steps, from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        pending
            .extend(graph[node].iter().map(|(target, _)| *target).filter(|&target| reached.insert(target)));
    }
    reached
}

/// From the definition: a node that is reached, and the nodes that it reaches and that reach it, have a step for each
/// until-formula that does not postpone it.
fn naive(graph: &Steps, start: usize, untils: usize) -> bool {
    let nodes = reached(graph, start).into_iter().chain([start]);
    nodes.into_iter().any(|node| {
        let together =
            |other: usize| reached(graph, node).contains(&other) && reached(graph, other).contains(&node);
        let class: Vec<usize> = (0..graph.len()).filter(|&other| together(other)).collect();
        let inside: Vec<&Onward<usize>> = class
            .iter()
            .flat_map(|&member| &graph[member])
            .filter(|(target, _)| class.contains(target))
            .collect();
        !inside.is_empty() && (0..untils).all(|until| inside.iter().any(|(_, postponed)| !postponed[until]))
    })
}

fn ask(known: &mut Acceptance<usize>, graph: &Steps, start: usize) -> bool {
    let meter = Meter::new(&ANY, 0);
    known.is_accepted(&start, &meter, &mut |&node| Ok(graph[node].clone())).unwrap()
}

#[test]
fn random_graphs() {
    let (mut yes, mut no) = (0, 0);
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let (nodes, untils) = (1 + rng.below(7), rng.below(4));
        let mut graph: Steps = vec![Vec::new(); nodes];
        for _ in 0..rng.below(2 * nodes + 1) {
            let postponed = (0..untils).map(|_| rng.chance(2, 3)).collect();
            graph[rng.below(nodes)].push((rng.below(nodes), postponed));
        }
        // Later questions build on what is known from earlier ones.
        let mut known = Acceptance::new(0);
        for _ in 0..4 {
            let start = rng.below(nodes);
            let expected = naive(&graph, start, untils);
            assert_eq!(ask(&mut known, &graph, start), expected, "seed {seed}: {start} of {graph:?}");
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 1000 && no > 1000 || is_single_seed(), "lopsided: {yes}, {no}");
}

#[test]
fn all_graphs_of_two_nodes() {
    // Each of the four possible steps is missing, or postpones none, one or both of two until-formulas.
    let kinds = [None, Some([false, false]), Some([true, false]), Some([false, true]), Some([true, true])];
    for number in 0..5_usize.pow(4) {
        let mut graph: Steps = vec![Vec::new(); 2];
        for place in 0..4 {
            if let Some(postponed) = kinds[number / 5_usize.pow(place) % 5] {
                graph[place as usize / 2].push((place as usize % 2, postponed.to_vec()));
            }
        }
        let mut known = Acceptance::new(0);
        for start in [1, 0, 1] {
            assert_eq!(ask(&mut known, &graph, start), naive(&graph, start, 2), "{start} of {graph:?}");
        }
    }
}

/// A ring with a shortcut from every node, as large as one likes.
fn ring(nodes: usize) -> impl Fn(&usize) -> Result<Vec<Onward<usize>>, Rejection> {
    move |&node| Ok(vec![((node + 1) % nodes, vec![true]), ((7 * node) % nodes, vec![true])])
}

#[test]
fn large_graphs_take_no_longer_than_they_are_large() {
    let meter = Meter::new(&ANY, 0);
    let mut known = Acceptance::new(0);
    // From every node in turn: without remembering decided nodes this would take too long.
    for start in 0..100_000 {
        assert_eq!(known.is_accepted(&start, &meter, &mut ring(100_000)), Ok(false));
    }
}

#[test]
fn limits_are_kept() {
    for (limits, resource) in [
        (Limits { states: Some(50_000), bytes: None }, Resource::States),
        (Limits { states: None, bytes: Some(1 << 20) }, Resource::Memory),
    ] {
        let budget = Budget::new(limits, None);
        let meter = Meter::new(&budget, 0);
        let judgement = Acceptance::new(0).is_accepted(&0, &meter, &mut ring(100_000));
        assert!(
            matches!(&judgement, Err(Rejection::Exhausted(exhausted)) if exhausted.resource == resource),
            "{judgement:?}"
        );
    }
}
