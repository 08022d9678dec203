//! Coordinates of all vertices: y from [`brandes_koepf`], then relaxed; x column by column.
//!
//! The four placements behind the y coordinates do not use the free space around a vertex. So states, and straight
//! runs of bends and labels, are moved once more, one at a time, towards the median of what they are connected to, as
//! far as their neighbours in the layers allow. No move changes an order or a separation.
//!
//! A layer is a column as wide as its widest vertex. The space between two columns is for curves: the more they
//! climb, the more space.

use std::cmp::Ordering;

use rely_base::Id;

use crate::brandes_koepf;
use crate::layered::{Kind, Layered, Rank, VertexId};

const RELAXATIONS: usize = 30;
/// Minimum space between two columns.
const MIN_GAP: f64 = 26.0;
/// Maximum space between two columns.
const MAX_GAP: f64 = 110.0;
/// Space for a curve per unit of climbing.
const ROOM_PER_CLIMB: f64 = 0.28;

/// Where the vertices are.
pub(crate) struct Placement {
    /// The line of each vertex.
    pub(crate) y: Vec<f64>,
    /// The left and the right side of each layer.
    pub(crate) columns: Vec<(f64, f64)>,
}

impl Placement {
    /// The middle of a layer.
    pub(crate) fn middle(&self, layer: usize) -> f64 {
        let (left, right) = self.columns[layer];
        (left + right) / 2.0
    }
}

/// Places all vertices; the picture begins at (0, 0), with some of it further to the left or up.
pub(crate) fn place(layered: &Layered) -> Placement {
    let mut y = brandes_koepf::coordinates(layered);
    Relaxation::new(layered).run(&mut y);
    let columns = columns(layered, &y);
    Placement { y, columns }
}

fn columns(layered: &Layered, y: &[f64]) -> Vec<(f64, f64)> {
    let mut columns = Vec::new();
    let mut left = 0.0;
    for layer in &layered.layers {
        let half_width =
            layer.iter().map(|vertex| layered.vertices[vertex.index()].half_width).fold(0.0, f64::max);
        let right = left + 2.0 * half_width;
        columns.push((left, right));
        let climbs = layer.iter().flat_map(|vertex| {
            layered.after[vertex.index()].iter().map(|next| (y[next.index()] - y[vertex.index()]).abs())
        });
        left = right + (climbs.fold(0.0, f64::max) * ROOM_PER_CLIMB).clamp(MIN_GAP, MAX_GAP);
    }
    columns
}

struct Relaxation<'a> {
    layered: &'a Layered,
    /// The vertex directly above each vertex in its layer.
    upper: Vec<Option<VertexId>>,
    /// The vertex directly below each vertex in its layer.
    lower: Vec<Option<VertexId>>,
}

impl<'a> Relaxation<'a> {
    fn new(layered: &'a Layered) -> Self {
        let mut upper = vec![None; layered.vertices.len()];
        let mut lower = vec![None; layered.vertices.len()];
        for pair in layered.layers.iter().flat_map(|layer| layer.windows(2)) {
            lower[pair[0].index()] = Some(pair[1]);
            upper[pair[1].index()] = Some(pair[0]);
        }
        Self { layered, upper, lower }
    }

    fn run(&self, y: &mut [f64]) {
        for round in 0..RELAXATIONS {
            for layer in 0..self.layered.layers.len() {
                // Forth and back, so that changes travel in both directions.
                let layer = if round % 2 == 0 { layer } else { self.layered.layers.len() - 1 - layer };
                for &state in
                    self.layered.layers[layer].iter().filter(|&&v| self.layered.kind(v) == Kind::State)
                {
                    self.relax(&[state], y);
                }
            }
            for chain in self.layered.chains.iter().filter(|chain| chain.len() > 2) {
                let inner = &chain[1..chain.len() - 1];
                let straight =
                    |left: &VertexId, right: &VertexId| (y[left.index()] - y[right.index()]).abs() < 0.5;
                let runs: Vec<&[VertexId]> = inner.chunk_by(straight).collect();
                for run in runs {
                    self.relax(run, y);
                }
            }
        }
    }

    /// The preferred position of a run: in the middle of its neighbours on the side where it has more important ones,
    /// or more of them, or halfway between both sides. So a state is centred on what branches off from it, or on what
    /// joins in it.
    fn wish(&self, run: &[VertexId], y: &[f64]) -> Option<f64> {
        let before = self.middle(run[0], &self.layered.before, y);
        let after = self.middle(run[run.len() - 1], &self.layered.after, y);
        match (before, after) {
            (Some((before, left)), Some((after, right))) => Some(match left.cmp(&right) {
                Ordering::Less => after,
                Ordering::Equal => (before + after) / 2.0,
                Ordering::Greater => before,
            }),
            (wish, None) | (None, wish) => wish.map(|(wish, _)| wish),
        }
    }

    /// The median of the most important neighbours of a vertex on one side, with their rank and number.
    fn middle(&self, vertex: VertexId, side: &[Vec<VertexId>], y: &[f64]) -> Option<(f64, (Rank, usize))> {
        let neighbours = &side[vertex.index()];
        let highest = neighbours.iter().map(|&neighbour| self.layered.rank(vertex, neighbour)).max()?;
        let is_important = |neighbour: &&VertexId| self.layered.rank(vertex, **neighbour) == highest;
        let mut ys: Vec<f64> =
            neighbours.iter().filter(is_important).map(|neighbour| y[neighbour.index()]).collect();
        ys.sort_by(f64::total_cmp);
        let median = (ys[(ys.len() - 1) / 2] + ys[ys.len() / 2]) / 2.0;
        Some((median, (highest, ys.len())))
    }

    /// Moves vertices that are on one line to the median of what is connected to them.
    fn relax(&self, run: &[VertexId], y: &mut [f64]) {
        let Some(target) = self.wish(run, y) else { return };
        let (mut lowest, mut highest) = (f64::NEG_INFINITY, f64::INFINITY);
        for &vertex in run {
            if let Some(upper) = self.upper[vertex.index()] {
                lowest = lowest.max(y[upper.index()] + self.layered.separation(upper, vertex));
            }
            if let Some(lower) = self.lower[vertex.index()] {
                highest = highest.min(y[lower.index()] - self.layered.separation(vertex, lower));
            }
        }
        // Rounding may have left no room at all.
        if lowest <= highest {
            run.iter().for_each(|vertex| y[vertex.index()] = target.clamp(lowest, highest));
        }
    }
}
