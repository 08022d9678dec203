//! The phases of the layout, each against its definition.

use rely_base::Id;
use rely_testkit::rng::Rng;

use super::random;
use crate::graph::Graph;
use crate::layered::{Layered, VertexId};
use crate::order::{count_crossings, inversions};
use crate::route::spread;
use crate::{cycles, layers, order, place};

/// The graph of a random system with its layers.
fn layers_of(seed: u64) -> (Graph, Vec<bool>, Vec<usize>) {
    let graph = Graph::new(&random(&mut Rng::new(seed), 40));
    let reversed = cycles::reversed(&graph);
    let layers = layers::assign(&graph, &reversed);
    (graph, reversed, layers)
}

fn layered_of(seed: u64) -> Layered {
    let (graph, reversed, layers) = layers_of(seed);
    Layered::new(&graph, &reversed, &layers).expect("the system is small")
}

#[test]
fn arrows_point_to_the_right_after_turning_some_around() {
    for seed in 0..500 {
        let (graph, reversed, layers) = layers_of(seed);
        for (id, arrow) in graph.proper_arrows() {
            let (source, target) = (layers[arrow.source.index()], layers[arrow.target.index()]);
            let is_right = if reversed[id.index()] { target < source } else { source < target };
            assert!(is_right, "seed {seed}: {source} to {target}");
        }
        assert_eq!(layers[graph.initial.index()], 0, "seed {seed}");
    }
}

#[test]
fn systems_without_cycles_have_no_arrow_turned_around() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let states = 2 + rng.below(10);
        let mut transitions: Vec<_> = (1..states).map(|target| (rng.below(target), 0, target)).collect();
        for _ in 0..rng.below(20) {
            let (one, other) = (rng.below(states), rng.below(states));
            if one != other {
                transitions.push((one.min(other), 0, one.max(other)));
            }
        }
        let graph = Graph::new(&super::system(&[], states, &transitions).build());
        assert!(!cycles::reversed(&graph).contains(&true), "seed {seed}");
    }
}

/// Crossings by definition: pairs of edges between the same layers whose ends are in opposite order.
fn naive_crossings(layered: &Layered) -> usize {
    let mut place = vec![0; layered.vertices.len()];
    for (i, vertex) in layered.layers.iter().flat_map(|layer| layer.iter().enumerate()) {
        place[vertex.index()] = i;
    }
    let mut crossings = 0;
    for layer in &layered.layers {
        let edges: Vec<(usize, usize)> = layer
            .iter()
            .flat_map(|v| layered.after[v.index()].iter().map(|w| (place[v.index()], place[w.index()])))
            .collect();
        for (i, one) in edges.iter().enumerate() {
            let crosses = |other: &&(usize, usize)| {
                (one.0 < other.0 && one.1 > other.1) || (one.0 > other.0 && one.1 < other.1)
            };
            crossings += edges[i + 1..].iter().filter(crosses).count();
        }
    }
    crossings
}

#[test]
fn crossings_are_counted_and_reduced() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..200 {
        let mut layered = layered_of(seed);
        let first = naive_crossings(&layered);
        assert_eq!(count_crossings(&layered), first, "seed {seed}");
        let mut members = layered.layers.clone();
        order::arrange(&mut layered);
        let last = naive_crossings(&layered);
        assert_eq!(count_crossings(&layered), last, "seed {seed}");
        // The order changes, the layers do not.
        let mut arranged = layered.layers.clone();
        arranged.iter_mut().chain(&mut members).for_each(|layer| layer.sort_unstable());
        assert_eq!(arranged, members, "seed {seed}");
        before += first;
        after += last;
    }
    assert!(3 * after < before, "{before} crossings became {after}");
}

#[test]
fn inversions_are_those_of_the_definition() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let mut sorted = || {
            let mut places: Vec<usize> = (0..rng.below(6)).map(|_| rng.below(8)).collect();
            places.sort_unstable();
            places
        };
        let (upper, lower) = (sorted(), sorted());
        let naive = upper.iter().map(|u| lower.iter().filter(|l| *l < u).count()).sum::<usize>();
        assert_eq!(inversions(&upper, &lower), naive, "seed {seed}");
    }
}

#[test]
fn vertices_keep_their_order_and_distance() {
    for seed in 0..300 {
        let mut layered = layered_of(seed);
        order::arrange(&mut layered);
        let placement = place::place(&layered);
        for pair in layered.layers.iter().flat_map(|layer| layer.windows(2)) {
            let distance = placement.y[pair[1].index()] - placement.y[pair[0].index()];
            let wanted = layered.separation(pair[0], pair[1]);
            assert!(distance > wanted - 1e-6, "seed {seed}: {distance} instead of {wanted}");
        }
    }
}

#[test]
fn chains_go_through_every_layer_and_have_one_label() {
    for seed in 0..300 {
        let layered = layered_of(seed);
        for chain in layered.chains.iter().filter(|chain| !chain.is_empty()) {
            let layer = |vertex: VertexId| layered.vertices[vertex.index()].layer;
            assert!(chain.windows(2).all(|pair| layer(pair[0]) + 1 == layer(pair[1])), "seed {seed}");
            let labels = chain.iter().filter(|&&vertex| layered.kind(vertex) == crate::layered::Kind::Label);
            assert_eq!(labels.count(), 1, "seed {seed}");
        }
    }
}

#[test]
fn ports_are_apart_and_in_order() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let wishes: Vec<(f64, usize)> =
            (0..rng.below(9)).map(|i| (rng.below(300) as f64 / 100.0 - 1.5, i)).collect();
        let mut expected = wishes.clone();
        expected.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let ports = spread(wishes, 0.95);
        assert!(ports.iter().map(|port| port.1).eq(expected.iter().map(|wish| wish.1)), "seed {seed}");
        assert!(ports.windows(2).all(|pair| pair[1].0 - pair[0].0 > 0.15), "seed {seed}: {ports:?}");
        assert!(ports.iter().all(|port| port.0.abs() < 0.951), "seed {seed}: {ports:?}");
    }
}
