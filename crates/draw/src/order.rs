//! The order of the vertices in each layer, with few crossings.
//!
//! **Problem.** Whether two edges between neighbouring layers cross depends on the orders of the layers alone. Finding
//! orders with the fewest crossings is NP-hard, even for two layers.
//!
//! **Source.** [Gansner, Koutsofios, North, Vo 1993], section 3.
//!
//! **Idea.** Start from the order in which depth-first search meets the vertices, which has no crossing for trees.
//! Sweep over the layers, forth and back: order each by the weighted medians of its neighbours in the layer before.
//! After each sweep exchange neighbours in a layer as long as that removes crossings. Keep the best order seen.
//!
//! **Deviations.** Vertices with no neighbours on the side looked at keep their place. The search starts twice, with
//! the successors of a state in either order, and the better result counts.
//!
//! **Complexity.** A sweep takes O(m log m) for m edges of the layered graph.

use rely_base::Id;

use crate::layered::{Layered, VertexId};

/// Sweeps for graphs of usual size; large ones get fewer.
const SWEEPS: usize = 24;
const SWEEPS_OF_LARGE: usize = 6;
const LARGE: usize = 4000;

/// Orders the layers.
pub(crate) fn arrange(layered: &mut Layered) {
    let mut best: Option<(usize, Vec<Vec<VertexId>>)> = None;
    for first_child_last in [false, true] {
        let (crossings, order) = Ordering::new(layered, first_child_last).run();
        if best.as_ref().is_none_or(|(fewest, _)| crossings < *fewest) {
            best = Some((crossings, order));
        }
    }
    layered.layers = best.expect("one of two orders is the best").1;
}

/// The side on which the neighbours of a vertex are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

struct Ordering<'a> {
    layered: &'a Layered,
    /// The vertices of each layer, from top to bottom.
    order: Vec<Vec<VertexId>>,
    /// The place of each vertex in its layer.
    position: Vec<usize>,
}

impl<'a> Ordering<'a> {
    fn new(layered: &'a Layered, first_child_last: bool) -> Self {
        let order = depth_first_order(layered, first_child_last);
        let mut ordering = Self { layered, order, position: vec![0; layered.vertices.len()] };
        (0..ordering.order.len()).for_each(|layer| ordering.renumber(layer));
        ordering
    }

    fn run(mut self) -> (usize, Vec<Vec<VertexId>>) {
        let sweeps = if self.layered.vertices.len() > LARGE { SWEEPS_OF_LARGE } else { SWEEPS };
        self.transpose();
        let mut best = (self.crossings(), self.order.clone());
        for sweep in 0..sweeps {
            if best.0 == 0 {
                break;
            }
            self.sweep(sweep);
            self.transpose();
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.order.clone());
            }
        }
        best
    }

    /// Sorts every layer by the medians of its neighbours; forward on even sweeps, backward on odd ones. In half of
    /// the sweeps vertices with the same median are exchanged, so that the search does not get stuck too early.
    fn sweep(&mut self, sweep: usize) {
        let depth = self.order.len();
        let flip_equal = sweep % 4 >= 2;
        for step in 1..depth {
            let (layer, side) =
                if sweep.is_multiple_of(2) { (step, Side::Before) } else { (depth - 1 - step, Side::After) };
            self.sort_by_medians(layer, side, flip_equal);
        }
    }

    fn sort_by_medians(&mut self, layer: usize, side: Side, flip_equal: bool) {
        let mut movable: Vec<(f64, VertexId)> = Vec::new();
        let mut slots = Vec::new();
        for (slot, &vertex) in self.order[layer].iter().enumerate() {
            if let Some(median) = self.median(vertex, side) {
                movable.push((median, vertex));
                slots.push(slot);
            }
        }
        if flip_equal {
            movable.reverse();
        }
        movable.sort_by(|left, right| left.0.total_cmp(&right.0));
        for (slot, (_, vertex)) in slots.into_iter().zip(movable) {
            self.order[layer][slot] = vertex;
        }
        self.renumber(layer);
    }

    /// The weighted median of the places of the neighbours: between the two in the middle it is closer to the side on
    /// which the others are packed more densely.
    fn median(&self, vertex: VertexId, side: Side) -> Option<f64> {
        let places = self.places(vertex, side);
        let middle = places.len() / 2;
        match places.len() {
            0 => None,
            1 => Some(places[0] as f64),
            2 => Some((places[0] + places[1]) as f64 / 2.0),
            n if n % 2 == 1 => Some(places[middle] as f64),
            n => {
                let left = (places[middle - 1] - places[0]) as f64;
                let right = (places[n - 1] - places[middle]) as f64;
                let (lower, upper) = (places[middle - 1] as f64, places[middle] as f64);
                if left + right == 0.0 {
                    return Some((lower + upper) / 2.0);
                }
                Some((lower * right + upper * left) / (left + right))
            }
        }
    }

    /// The places of the neighbours, sorted.
    fn places(&self, vertex: VertexId, side: Side) -> Vec<usize> {
        let neighbours = match side {
            Side::Before => &self.layered.before[vertex.index()],
            Side::After => &self.layered.after[vertex.index()],
        };
        let mut places: Vec<usize> =
            neighbours.iter().map(|neighbour| self.position[neighbour.index()]).collect();
        places.sort_unstable();
        places
    }

    /// Exchanges vertices next to each other as long as that removes crossings.
    fn transpose(&mut self) {
        const MAX_ROUNDS: usize = 40;
        for _ in 0..MAX_ROUNDS {
            let mut improved = false;
            for layer in 0..self.order.len() {
                for slot in 1..self.order[layer].len() {
                    let (upper, lower) = (self.order[layer][slot - 1], self.order[layer][slot]);
                    let crossings = |upper, lower| {
                        let count = |side| inversions(&self.places(upper, side), &self.places(lower, side));
                        count(Side::Before) + count(Side::After)
                    };
                    if crossings(lower, upper) < crossings(upper, lower) {
                        self.order[layer].swap(slot - 1, slot);
                        self.position[upper.index()] = slot;
                        self.position[lower.index()] = slot - 1;
                        improved = true;
                    }
                }
            }
            if !improved {
                return;
            }
        }
    }

    fn renumber(&mut self, layer: usize) {
        for (place, vertex) in self.order[layer].iter().enumerate() {
            self.position[vertex.index()] = place;
        }
    }

    fn crossings(&self) -> usize {
        (1..self.order.len()).map(|layer| self.crossings_before(layer)).sum()
    }

    /// Crossings between a layer and the one before it: inversions in the sequence of places of left ends, when the
    /// edges are sorted by their right ends; counted with a Fenwick tree.
    fn crossings_before(&self, layer: usize) -> usize {
        let width = self.order[layer - 1].len();
        let mut tree = vec![0usize; width + 1];
        let (mut seen, mut crossings) = (0, 0);
        for &vertex in &self.order[layer] {
            let places = self.places(vertex, Side::Before);
            for &place in &places {
                // Edges seen so far whose left end is at this place or above it do not cross this one.
                let mut index = place + 1;
                let mut not_below = 0;
                while index > 0 {
                    not_below += tree[index];
                    index &= index - 1;
                }
                crossings += seen - not_below;
            }
            for &place in &places {
                seen += 1;
                let mut index = place + 1;
                while index <= width {
                    tree[index] += 1;
                    index += index & index.wrapping_neg();
                }
            }
        }
        crossings
    }
}

/// How many pairs of an element of `upper` and a smaller one of `lower` there are; both are sorted.
pub(crate) fn inversions(upper: &[usize], lower: &[usize]) -> usize {
    let mut smaller = 0;
    let mut count = 0;
    for &place in upper {
        while smaller < lower.len() && lower[smaller] < place {
            smaller += 1;
        }
        count += smaller;
    }
    count
}

/// The vertices of each layer in the order in which depth-first search from the initial state meets them.
fn depth_first_order(layered: &Layered, first_child_last: bool) -> Vec<Vec<VertexId>> {
    let mut order = vec![Vec::new(); layered.layers.len()];
    let mut seen = vec![false; layered.vertices.len()];
    let roots = std::iter::once(layered.initial).chain(layered.layers.iter().flatten().copied());
    let mut stack = Vec::new();
    for root in roots {
        stack.push(root);
        while let Some(vertex) = stack.pop() {
            if std::mem::replace(&mut seen[vertex.index()], true) {
                continue;
            }
            order[layered.vertices[vertex.index()].layer].push(vertex);
            let next = &layered.after[vertex.index()];
            if first_child_last {
                stack.extend(next.iter().copied());
            } else {
                stack.extend(next.iter().rev().copied());
            }
        }
    }
    order
}

#[cfg(test)]
pub(crate) fn count_crossings(layered: &Layered) -> usize {
    let mut ordering =
        Ordering { layered, order: layered.layers.clone(), position: vec![0; layered.vertices.len()] };
    (0..ordering.order.len()).for_each(|layer| ordering.renumber(layer));
    ordering.crossings()
}
