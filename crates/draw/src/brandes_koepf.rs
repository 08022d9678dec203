//! Coordinates across the layers: straight long arrows, and vertices in the middle of their neighbours.
//!
//! **Problem.** Given the order of each layer, find a y for every vertex that keeps the order and the distances, with
//! short and straight edges.
//!
//! **Source.** [Brandes, Köpf 2001], with the compaction of two passes over the graph of blocks that is common since
//! (the classes of the original need a correction [Brandes, Walter, Zink 2020]).
//!
//! **Idea.** Align every vertex with its median neighbour in the layer before, unless that would cross an existing
//! alignment or an inner segment, that is, one between two bends of a long arrow. Aligned vertices form blocks, which
//! get one coordinate each: as far up as the separations allow, and then as far down as the blocks below allow. Doing
//! so from the left or the right, and from the top or the bottom, gives four one-sided placements; the mean of the
//! two in the middle is balanced.
//!
//! **Invariants.** Each of the four keeps the separations, so their medians do too. Inner segments that cross no
//! other inner segment are straight.
//!
//! **Complexity.** O(n + m), not counting the sorting of neighbours.

use std::collections::HashSet;

use rely_base::Id;

use crate::layered::{Kind, Layered, VertexId};

/// The y coordinate of each vertex.
pub(crate) fn coordinates(layered: &Layered) -> Vec<f64> {
    let conflicts = conflicts(layered);
    let mut placements = Vec::new();
    for from_right in [false, true] {
        for from_bottom in [false, true] {
            placements.push(Alignment::new(layered, &conflicts, from_right, from_bottom).run());
        }
    }
    balance(placements)
}

/// Edges that cross an inner segment and are not inner themselves, as pairs of the left and the right end.
type Conflicts = HashSet<(VertexId, VertexId)>;

/// For each block, by its root, its neighbours on one side with the distance to keep.
type Neighbours = Vec<Vec<(usize, f64)>>;

fn conflicts(layered: &Layered) -> Conflicts {
    let mut conflicts = Conflicts::new();
    let mut position = vec![0; layered.vertices.len()];
    for (place, vertex) in layered.layers.iter().flat_map(|layer| layer.iter().enumerate()) {
        position[vertex.index()] = place;
    }
    for layer in &layered.layers {
        let mut upper_bound = 0;
        let mut scanned = 0;
        for (place, &vertex) in layer.iter().enumerate() {
            let inner = inner_neighbour(layered, vertex);
            if inner.is_none() && place + 1 < layer.len() {
                continue;
            }
            // Between two inner segments an edge must not leave the range between their left ends.
            let lower_bound = inner.map_or(usize::MAX, |neighbour| position[neighbour.index()]);
            for &scan in &layer[scanned..=place] {
                for &neighbour in &layered.before[scan.index()] {
                    let at = position[neighbour.index()];
                    let both_inner = inner_neighbour(layered, scan) == Some(neighbour);
                    if (at < upper_bound || at > lower_bound) && !both_inner {
                        conflicts.insert((neighbour, scan));
                    }
                }
            }
            scanned = place + 1;
            upper_bound = if inner.is_some() { lower_bound } else { upper_bound };
        }
    }
    conflicts
}

/// The left end of the inner segment that ends at a vertex.
fn inner_neighbour(layered: &Layered, vertex: VertexId) -> Option<VertexId> {
    if layered.kind(vertex) == Kind::State {
        return None;
    }
    layered.before[vertex.index()]
        .first()
        .copied()
        .filter(|&neighbour| layered.kind(neighbour) != Kind::State)
}

/// One of the four placements, computed in a mirrored view of the graph.
struct Alignment<'a> {
    layered: &'a Layered,
    conflicts: &'a Conflicts,
    from_right: bool,
    from_bottom: bool,
    /// The layers as seen in the mirror.
    layers: Vec<Vec<VertexId>>,
    /// The place of each vertex in its layer as seen in the mirror.
    position: Vec<usize>,
    /// The first vertex of the block of each vertex.
    root: Vec<VertexId>,
    /// The next vertex in the block of each vertex, in a circle.
    next: Vec<VertexId>,
}

impl<'a> Alignment<'a> {
    fn new(layered: &'a Layered, conflicts: &'a Conflicts, from_right: bool, from_bottom: bool) -> Self {
        let mut layers = layered.layers.clone();
        if from_right {
            layers.reverse();
        }
        if from_bottom {
            layers.iter_mut().for_each(|layer| layer.reverse());
        }
        let mut position = vec![0; layered.vertices.len()];
        for (place, vertex) in layers.iter().flat_map(|layer| layer.iter().enumerate()) {
            position[vertex.index()] = place;
        }
        let root: Vec<VertexId> = (0..layered.vertices.len()).map(VertexId::from_index).collect();
        let next = root.clone();
        Self { layered, conflicts, from_right, from_bottom, layers, position, root, next }
    }

    fn run(mut self) -> Vec<f64> {
        self.align();
        let blocks = self.compact();
        let sign = if self.from_bottom { -1.0 } else { 1.0 };
        self.root.iter().map(|root| sign * blocks[root.index()]).collect()
    }

    fn align(&mut self) {
        for layer in 0..self.layers.len() {
            // The place of the last neighbour that was used for an alignment; alignments must not cross.
            let mut last: Option<usize> = None;
            for slot in 0..self.layers[layer].len() {
                let vertex = self.layers[layer][slot];
                let neighbours = self.neighbours(vertex);
                if neighbours.is_empty() {
                    continue;
                }
                let (lower, upper) = ((neighbours.len() - 1) / 2, neighbours.len() / 2);
                for neighbour in neighbours[lower..=upper].iter().copied() {
                    let place = self.position[neighbour.index()];
                    let is_free = self.next[vertex.index()] == vertex;
                    if is_free && !self.is_conflict(neighbour, vertex) && last.is_none_or(|last| last < place)
                    {
                        self.next[neighbour.index()] = vertex;
                        self.root[vertex.index()] = self.root[neighbour.index()];
                        self.next[vertex.index()] = self.root[vertex.index()];
                        last = Some(place);
                    }
                }
            }
        }
    }

    /// The neighbours in the layer before, as seen in the mirror, by place.
    fn neighbours(&self, vertex: VertexId) -> Vec<VertexId> {
        let side = if self.from_right { &self.layered.after } else { &self.layered.before };
        let mut neighbours = side[vertex.index()].clone();
        neighbours.sort_by_key(|neighbour| self.position[neighbour.index()]);
        neighbours
    }

    fn is_conflict(&self, neighbour: VertexId, vertex: VertexId) -> bool {
        let edge = if self.from_right { (vertex, neighbour) } else { (neighbour, vertex) };
        self.conflicts.contains(&edge)
    }

    /// The coordinate of each block, by its root.
    fn compact(&self) -> Vec<f64> {
        let (above, below) = self.block_graph();
        let order = topological_order(&above, &below);
        let mut coordinate = vec![0.0; self.root.len()];
        for &block in &order {
            let lowest = above[block].iter().map(|&(upper, gap)| coordinate[upper] + gap);
            coordinate[block] = lowest.fold(0.0, f64::max);
        }
        // A block that could be further down leaves a gap between itself and those it is connected to.
        for &block in order.iter().rev() {
            let highest = below[block].iter().map(|&(lower, gap): &(usize, f64)| coordinate[lower] - gap);
            let highest = highest.fold(f64::INFINITY, f64::min);
            if highest.is_finite() && !above[block].is_empty() {
                coordinate[block] = f64::max(coordinate[block], highest);
            }
        }
        coordinate
    }

    /// For each block, by its root, the blocks directly above it and directly below it, with the distance to keep.
    fn block_graph(&self) -> (Neighbours, Neighbours) {
        let mut above = vec![Vec::new(); self.root.len()];
        let mut below = vec![Vec::new(); self.root.len()];
        for pair in self.layers.iter().flat_map(|layer| layer.windows(2)) {
            let (upper, lower) = (pair[0], pair[1]);
            let gap = if self.from_bottom {
                self.layered.separation(lower, upper)
            } else {
                self.layered.separation(upper, lower)
            };
            let (upper, lower) = (self.root[upper.index()].index(), self.root[lower.index()].index());
            above[lower].push((upper, gap));
            below[upper].push((lower, gap));
        }
        (above, below)
    }
}

/// The blocks in an order in which each comes after all that are above it. It exists since alignments do not cross.
fn topological_order(above: &Neighbours, below: &Neighbours) -> Vec<usize> {
    let mut missing: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..missing.len()).filter(|&block| missing[block] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &(lower, _) in &below[order[done]] {
            missing[lower] -= 1;
            if missing[lower] == 0 {
                order.push(lower);
            }
        }
        done += 1;
    }
    debug_assert_eq!(order.len(), above.len(), "alignments that do not cross have no cycle");
    order
}

/// Moves the four placements over the narrowest one, and takes the mean of the two in the middle.
fn balance(mut placements: Vec<Vec<f64>>) -> Vec<f64> {
    let extent = |placement: &[f64]| {
        let low = placement.iter().copied().fold(f64::INFINITY, f64::min);
        let high = placement.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let extents: Vec<(f64, f64)> = placements.iter().map(|placement| extent(placement)).collect();
    let width = |i: usize| extents[i].1 - extents[i].0;
    let narrowest = (0..4).min_by(|&i, &j| width(i).total_cmp(&width(j))).expect("there are four placements");
    for (i, placement) in placements.iter_mut().enumerate() {
        // Placements from the top share their upper end, those from the bottom their lower end.
        let shift = if i % 2 == 0 {
            extents[narrowest].0 - extents[i].0
        } else {
            extents[narrowest].1 - extents[i].1
        };
        placement.iter_mut().for_each(|y| *y += shift);
    }
    let middle = |vertex: usize| {
        let mut ys: Vec<f64> = placements.iter().map(|placement| placement[vertex]).collect();
        ys.sort_by(f64::total_cmp);
        (ys[1] + ys[2]) / 2.0
    };
    (0..placements[0].len()).map(middle).collect()
}
