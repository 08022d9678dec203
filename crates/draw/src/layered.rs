//! The layered graph: states, bends and labels as vertices of layers, with edges between neighbouring layers only.
//!
//! Layer `l` of the states becomes layer `2l` here, and the odd layers are for labels. An arrow is a chain of
//! vertices, one in each layer from its left end to its right end, one of which, in an odd layer, bears its label.
//! So a label is a vertex like any other, and what keeps vertices apart keeps labels apart.

use rely_base::Id;

use crate::graph::{ArrowId, Graph};
use crate::route::LOOP_HEIGHT;

rely_base::define_id! {
    /// A vertex of the layered graph.
    VertexId
}

/// Maximum number of vertices; a picture with more could not be read.
const MAX_VERTICES: usize = 30_000;

/// Space to the left and the right of a label.
const LABEL_PADDING: f64 = 5.0;

/// The purpose of a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A state.
    State,
    /// The label of an arrow.
    Label,
    /// An arrow that passes through a layer.
    Bend,
}

/// A vertex. Its y coordinate is that of the line that runs through it.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) kind: Kind,
    pub(crate) layer: usize,
    /// How far it reaches above its line.
    pub(crate) above: f64,
    /// How far it reaches below its line.
    pub(crate) below: f64,
    pub(crate) half_width: f64,
    /// How important it is that its arrow is straight; that of a state is the lowest.
    pub(crate) rank: Rank,
}

/// How important it is that an arrow is straight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// An arrow that leads backward, without one in the other direction.
    Back,
    /// An arrow that passes through other layers.
    Long,
    /// An arrow to the next layer, or one of two arrows between two states.
    Short,
}

impl Rank {
    fn new(span: usize, is_reversed: bool, is_pair: bool) -> Self {
        match (span, is_reversed, is_pair) {
            (2, false, _) | (_, _, true) => Self::Short,
            (_, true, false) => Self::Back,
            (_, false, false) => Self::Long,
        }
    }
}

/// The vertices in layers, from left to right; the first vertices are the states, by number.
#[derive(Clone, Debug)]
pub(crate) struct Layered {
    pub(crate) vertices: Vec<Vertex>,
    /// The vertices of each layer, from top to bottom.
    pub(crate) layers: Vec<Vec<VertexId>>,
    /// The neighbours to the left of each vertex.
    pub(crate) before: Vec<Vec<VertexId>>,
    /// The neighbours to the right of each vertex.
    pub(crate) after: Vec<Vec<VertexId>>,
    /// For each arrow, its vertices from left to right, both states included; empty for self-loops.
    pub(crate) chains: Vec<Vec<VertexId>>,
    /// The first vertex of the search for a first order: the initial state.
    pub(crate) initial: VertexId,
}

impl Layered {
    /// The layered graph, unless it is too large.
    pub(crate) fn new(graph: &Graph, reversed: &[bool], layers: &[usize]) -> Option<Self> {
        let mut layered = Self::with_states(graph, layers);
        let span = |id: ArrowId| {
            let arrow = &graph.arrows[id.index()];
            let (source, target) = (layers[arrow.source.index()], layers[arrow.target.index()]);
            source.abs_diff(target)
        };
        let total: usize = graph.proper_arrows().map(|(id, _)| 2 * span(id)).sum();
        if total > MAX_VERTICES {
            return None;
        }
        // Short arrows come first: there is only one layer for their labels, and those of long ones are fitted in.
        let mut arrows: Vec<ArrowId> = graph.proper_arrows().map(|(id, _)| id).collect();
        arrows.sort_by_key(|&id| (span(id), id));
        let mut columns = vec![Column::default(); layered.layers.len()];
        for id in arrows {
            layered.add_chain(graph, id, reversed[id.index()], &mut columns);
        }
        Some(layered)
    }

    fn with_states(graph: &Graph, layers: &[usize]) -> Self {
        let depth = layers.iter().max().map_or(1, |&last| 2 * last + 1);
        let mut layered = Self {
            vertices: Vec::new(),
            layers: vec![Vec::new(); depth],
            before: Vec::new(),
            after: Vec::new(),
            chains: vec![Vec::new(); graph.arrows.len()],
            initial: VertexId::from_raw(graph.initial.raw()),
        };
        for (node, layer) in graph.nodes.iter().zip(layers) {
            let (mut above, below) = (node.radius, node.radius);
            let mut half_width = node.radius;
            if let Some(id) = node.self_loop {
                let text = &graph.arrows[id.index()].text;
                above += LOOP_HEIGHT + text.height();
                half_width = half_width.max(text.width / 2.0 + LABEL_PADDING);
            }
            layered.add_vertex(Vertex {
                kind: Kind::State,
                layer: 2 * layer,
                above,
                below,
                half_width,
                rank: Rank::Back,
            });
        }
        layered
    }

    fn add_vertex(&mut self, vertex: Vertex) -> VertexId {
        let id = VertexId::from_index(self.vertices.len());
        self.layers[vertex.layer].push(id);
        self.vertices.push(vertex);
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        id
    }

    fn add_chain(&mut self, graph: &Graph, id: ArrowId, is_reversed: bool, columns: &mut [Column]) {
        let arrow = &graph.arrows[id.index()];
        let (source, target) =
            (VertexId::from_raw(arrow.source.raw()), VertexId::from_raw(arrow.target.raw()));
        let (left, right) = if is_reversed { (target, source) } else { (source, target) };
        let (first, last) = (self.vertices[left.index()].layer, self.vertices[right.index()].layer);
        let half_width = arrow.text.width / 2.0 + LABEL_PADDING;
        let label_layer = best_column(columns, first, last, half_width);
        columns[label_layer].half_width = columns[label_layer].half_width.max(half_width);
        columns[label_layer].height += arrow.text.height();
        let is_pair = graph.has_arrow(arrow.target, arrow.source);
        let rank = Rank::new(last - first, is_reversed, is_pair);
        let mut chain = vec![left];
        for layer in first + 1..last {
            let vertex = if layer == label_layer {
                Vertex {
                    kind: Kind::Label,
                    layer,
                    above: arrow.text.height() + 1.0,
                    below: 3.0,
                    half_width,
                    rank,
                }
            } else {
                Vertex { kind: Kind::Bend, layer, above: 2.0, below: 2.0, half_width: 0.0, rank }
            };
            chain.push(self.add_vertex(vertex));
        }
        chain.push(right);
        for pair in chain.windows(2) {
            self.after[pair[0].index()].push(pair[1]);
            self.before[pair[1].index()].push(pair[0]);
        }
        self.chains[id.index()] = chain;
    }

    pub(crate) fn kind(&self, vertex: VertexId) -> Kind {
        self.vertices[vertex.index()].kind
    }

    /// How important it is that an edge is straight; one of its ends is a bend or a label.
    pub(crate) fn rank(&self, one: VertexId, other: VertexId) -> Rank {
        self.vertices[one.index()].rank.max(self.vertices[other.index()].rank)
    }

    /// How far apart the lines of two vertices have to be when one is directly above the other in its layer.
    pub(crate) fn separation(&self, upper: VertexId, lower: VertexId) -> f64 {
        let (upper, lower) = (&self.vertices[upper.index()], &self.vertices[lower.index()]);
        let gap = match (upper.kind, lower.kind) {
            (Kind::State, Kind::State) => 22.0,
            (Kind::State, _) | (_, Kind::State) => 12.0,
            (Kind::Bend, Kind::Bend) => 8.0,
            _ => 5.0,
        };
        upper.below + gap + lower.above
    }
}

/// The content of a layer of labels.
#[derive(Clone, Default)]
struct Column {
    half_width: f64,
    height: f64,
}

/// The layer for a label of an arrow between two layers: one that does not become wider, has few labels, and is near
/// the middle.
fn best_column(columns: &[Column], first: usize, last: usize, half_width: f64) -> usize {
    let middle = (first + last) as f64 / 2.0;
    let cost = |layer: usize| {
        let column = &columns[layer];
        let widening = (half_width - column.half_width).max(0.0);
        2.0 * widening + 0.3 * column.height + 6.0 * (layer as f64 - middle).abs()
    };
    let odd_layers = (first + 1..last).step_by(2);
    odd_layers
        .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
        .expect("an arrow spans at least one layer of labels")
}
