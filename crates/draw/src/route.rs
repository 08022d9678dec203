//! Curves for the arrows, and everything else that has a place: the last phase of the layout.
//!
//! An arrow crosses the columns of the vertices of its chain on a horizontal line, where nothing is in its way, and
//! changes its height between two columns. It leaves the circle of its left end to the right and meets that of its
//! right end from the left, at an angle that points to where it comes from; arrows at the same side of a circle get
//! angles that are apart, in the order in which they arrive, so that they do not cross once more at the end. A label
//! stands on the line of its arrow.

use std::f64::consts::FRAC_PI_2;

use rely_base::{Id, StateId};

use crate::geometry::{Path, Point, Rect};
use crate::graph::{Arrow, ArrowId, Graph};
use crate::layered::{Kind, Layered, VertexId};
use crate::layout::{Layout, PlacedArrow, PlacedLabel, PlacedState};
use crate::place::Placement;

/// How far a self-loop reaches above the circle, including some space.
pub(crate) const LOOP_HEIGHT: f64 = 20.0;

/// The margin around the picture.
const MARGIN: f64 = 14.0;
/// The length of the arrow into the initial state.
const ENTRY_LENGTH: f64 = 26.0;
const HEAD_LENGTH: f64 = 8.5;
const HEAD_HALF_WIDTH: f64 = 3.6;
/// The distance between the circle and the tip of an arrow, for the stroke of the circle.
const CLEARANCE: f64 = 1.2;
/// The steepest angle at which an arrow meets a circle.
const MAX_ANGLE: f64 = 0.95;
/// If a column is wider than a circle by more than this, at each side, arrows keep the height at which they leave the
/// circle until they are out of the column: otherwise they would have to be too close together.
const MAX_EXCESS: f64 = 24.0;
/// The space above and below a state that arrows may use.
const ROOM_AROUND: f64 = 6.0;
/// The angle between arrows at a circle, if there is enough space.
const ANGLE_BETWEEN: f64 = 0.42;

/// Routes all arrows.
pub(crate) fn route(graph: &Graph, reversed: &[bool], layered: &Layered, placement: &Placement) -> Layout {
    let mut router = Router { graph, reversed, layered, placement, ports: Vec::new() };
    router.ports = router.all_ports();
    let states = (0..graph.nodes.len()).map(|i| router.state(StateId::from_index(i))).collect();
    let arrows = (0..graph.arrows.len()).map(|i| router.arrow(ArrowId::from_index(i))).collect();
    let mut layout = Layout { width: 0.0, height: 0.0, states, arrows, entry: router.entry() };
    fit(&mut layout);
    layout
}

/// The angles at which an arrow meets the circles of its ends; 0 is horizontal, positive is downwards.
#[derive(Clone, Copy, Default)]
struct Ports {
    left: f64,
    right: f64,
}

struct Router<'a> {
    graph: &'a Graph,
    reversed: &'a [bool],
    layered: &'a Layered,
    placement: &'a Placement,
    /// By arrow.
    ports: Vec<Ports>,
}

impl Router<'_> {
    fn point(&self, vertex: VertexId) -> Point {
        let layer = self.layered.vertices[vertex.index()].layer;
        Point::new(self.placement.middle(layer), self.placement.y[vertex.index()])
    }

    fn center(&self, state: StateId) -> Point {
        self.point(VertexId::from_raw(state.raw()))
    }

    fn state(&self, state: StateId) -> PlacedState {
        let node = &self.graph.nodes[state.index()];
        PlacedState { state, role: node.role, center: self.center(state), radius: node.radius }
    }

    fn all_ports(&self) -> Vec<Ports> {
        let mut ports = vec![Ports::default(); self.graph.arrows.len()];
        // For each state, the arrows at its right and at its left side, with their preferred angles.
        let mut rightwards = vec![Vec::new(); self.graph.nodes.len()];
        let mut leftwards = vec![Vec::new(); self.graph.nodes.len()];
        for (i, chain) in self.layered.chains.iter().enumerate().filter(|(_, chain)| !chain.is_empty()) {
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            rightwards[first.index()].push((self.angle(first, chain[1]), i));
            leftwards[last.index()].push((self.angle(last, chain[chain.len() - 2]), i));
        }
        for (state, (rightwards, leftwards)) in rightwards.into_iter().zip(leftwards).enumerate() {
            let steepest = self.steepest(VertexId::from_index(state));
            spread(rightwards, steepest).into_iter().for_each(|(angle, i)| ports[i].left = angle);
            spread(leftwards, steepest).into_iter().for_each(|(angle, i)| ports[i].right = angle);
        }
        ports
    }

    /// How much wider the column of a state is than its circle, at each side.
    fn excess(&self, state: VertexId) -> f64 {
        let (left, right) = self.placement.columns[self.layered.vertices[state.index()].layer];
        (right - left) / 2.0 - self.graph.nodes[state.index()].radius
    }

    /// The steepest angle at which a straight arrow leaves the column without coming close to what is above or below
    /// the state.
    fn steepest(&self, state: VertexId) -> f64 {
        let excess = self.excess(state);
        if excess > MAX_EXCESS {
            return MAX_ANGLE;
        }
        let radius = self.graph.nodes[state.index()].radius;
        ((radius + ROOM_AROUND) / (radius + excess)).atan().min(MAX_ANGLE)
    }

    /// The angle against the horizontal at which a state sees a vertex of a neighbouring layer.
    fn angle(&self, state: VertexId, neighbour: VertexId) -> f64 {
        let way = self.point(neighbour) - self.point(state);
        let half_width = self.layered.vertices[neighbour.index()].half_width;
        way.y.atan2((way.x.abs() - half_width).max(1.0))
    }

    fn arrow(&self, id: ArrowId) -> PlacedArrow {
        let arrow = &self.graph.arrows[id.index()];
        let (path, head, label) =
            if arrow.is_self_loop() { self.self_loop(arrow) } else { self.chain(id, arrow) };
        let label = PlacedLabel { area: label, lines: arrow.text.lines.clone() };
        let (labels, names) = (arrow.labels.clone(), arrow.names.clone());
        PlacedArrow { source: arrow.source, target: arrow.target, labels, names, path, head, label }
    }

    fn self_loop(&self, arrow: &Arrow) -> (Path, [Point; 3], Rect) {
        const HALF_OPENING: f64 = 0.5;
        const HALF_SWEEP: f64 = 0.66;
        const REACH: f64 = 30.0;
        let center = self.center(arrow.source);
        let radius = self.graph.nodes[arrow.source.index()].radius;
        let (out, back) =
            (Point::direction(-FRAC_PI_2 - HALF_OPENING), Point::direction(-FRAC_PI_2 + HALF_OPENING));
        let (end, head) = head(center + back * (radius + CLEARANCE), back * -1.0);
        let start = center + out * radius;
        let first = start + Point::direction(-FRAC_PI_2 - HALF_SWEEP) * REACH;
        let second = end + Point::direction(-FRAC_PI_2 + HALF_SWEEP) * (REACH - HEAD_LENGTH);
        let mut path = Path::new(start);
        path.curve_to(first, second, end);
        let (width, height) = (arrow.text.width, arrow.text.height());
        let area =
            Rect { x: center.x - width / 2.0, y: center.y - radius - LOOP_HEIGHT - height, width, height };
        (path, head, area)
    }

    fn chain(&self, id: ArrowId, arrow: &Arrow) -> (Path, [Point; 3], Rect) {
        let chain = &self.layered.chains[id.index()];
        let reversed = self.reversed[id.index()];
        let ports = self.ports[id.index()];
        let left = self.end(chain[0], ports.left, 1.0, reversed);
        let right = self.end(chain[chain.len() - 1], ports.right, -1.0, !reversed);
        let mut path = Path::new(left.line);
        path.line_to(left.border);
        let mut direction = left.direction;
        for &vertex in &chain[1..chain.len() - 1] {
            let (enter, leave) = self.crossing(vertex);
            self.bend(&mut path, direction, enter, Point::new(-1.0, 0.0));
            path.line_to(leave);
            direction = Point::new(1.0, 0.0);
        }
        self.bend(&mut path, direction, right.border, right.direction);
        path.line_to(right.line);
        let head = if reversed { left.head } else { right.head };
        let path = if reversed { path.reversed() } else { path };
        (path, head, self.label_area(chain, arrow))
    }

    /// The points where an arrow enters and leaves the column of one of its inner vertices.
    fn crossing(&self, vertex: VertexId) -> (Point, Point) {
        let (left, right) = self.placement.columns[self.layered.vertices[vertex.index()].layer];
        let y = self.placement.y[vertex.index()];
        (Point::new(left, y), Point::new(right, y))
    }

    /// A curve from where the path ends, in a direction, to a point that is left in another direction. Both control
    /// points are halfway to the right, so the curve never turns back to the left.
    fn bend(&self, path: &mut Path, out: Point, end: Point, back: Point) {
        let start = path.end();
        let half = (end.x - start.x) / 2.0;
        path.curve_to(start + out * (half / out.x.abs()), end + back * (half / back.x.abs()), end);
    }

    /// How an arrow meets the circle of a state; `side` is 1 at the right and −1 at the left.
    fn end(&self, state: VertexId, angle: f64, side: f64, has_head: bool) -> End {
        let center = self.point(state);
        let radius = self.graph.nodes[state.index()].radius;
        let radial = Point::new(side * angle.cos(), angle.sin());
        let (left, right) = self.placement.columns[self.layered.vertices[state.index()].layer];
        let is_wide = self.excess(state) > MAX_EXCESS;
        let direction = if is_wide { Point::new(side, 0.0) } else { radial };
        let (neck, head) = head(center + radial * (radius + CLEARANCE), direction * -1.0);
        let line = if has_head { neck } else { center + radial * radius };
        let border = if side > 0.0 { right } else { left };
        let rest = ((border - line.x) * side).max(0.0);
        let border = line + direction * (rest / direction.x.abs());
        End { line, border, direction, head }
    }

    fn label_area(&self, chain: &[VertexId], arrow: &Arrow) -> Rect {
        let is_label = |vertex: &&VertexId| self.layered.kind(**vertex) == Kind::Label;
        let vertex = *chain.iter().find(is_label).expect("every arrow has a place for its label");
        let line = self.point(vertex);
        let (width, height) = (arrow.text.width, arrow.text.height());
        Rect { x: line.x - width / 2.0, y: line.y - height - 1.0, width, height }
    }

    fn entry(&self) -> (Path, [Point; 3]) {
        let initial = self.graph.initial;
        let center = self.center(initial);
        let radius = self.graph.nodes[initial.index()].radius;
        let tip = center - Point::new(radius + CLEARANCE, 0.0);
        let (end, head) = head(tip, Point::new(1.0, 0.0));
        let mut path = Path::new(tip - Point::new(ENTRY_LENGTH, 0.0));
        path.line_to(end);
        (path, head)
    }
}

/// How an arrow meets a circle.
struct End {
    /// The end of its line: at the circle, or at the neck of its head.
    line: Point,
    /// Where it crosses the side of the column.
    border: Point,
    /// The direction there, away from the state.
    direction: Point,
    /// Its head, if it has one here.
    head: [Point; 3],
}

/// The neck of an arrow head, and its corners with the tip first.
fn head(tip: Point, direction: Point) -> (Point, [Point; 3]) {
    let base = tip - direction * HEAD_LENGTH;
    let across = direction.perpendicular() * HEAD_HALF_WIDTH;
    // The line ends a little inside the head, so that no gap shows.
    (base + direction * 1.0, [tip, base + across, base - across])
}

/// Angles as close as possible to the preferred ones, in the same order, but apart and not too steep.
///
/// This is isotonic regression within bounds: subtract the distances, average runs that are out of order (pool
/// adjacent violators), clamp, and add the distances again.
pub(crate) fn spread(mut wishes: Vec<(f64, usize)>, steepest: f64) -> Vec<(f64, usize)> {
    wishes.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    let between = ANGLE_BETWEEN.min(2.0 * steepest / wishes.len().max(1) as f64);
    let highest = steepest - between * wishes.len().saturating_sub(1) as f64;
    // Each pool has the sum and the number of its members.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mean = |(sum, count): (f64, usize)| sum / count as f64;
    for (i, (angle, _)) in wishes.iter().enumerate() {
        let mut pool = (angle - between * i as f64, 1);
        while let Some(last) = pools.pop_if(|last| mean(*last) > mean(pool)) {
            pool = (pool.0 + last.0, pool.1 + last.1);
        }
        pools.push(pool);
    }
    let angles = pools.into_iter().flat_map(|pool| std::iter::repeat_n(mean(pool), pool.1));
    let bounded = angles.enumerate().map(|(i, angle)| angle.clamp(-steepest, highest) + between * i as f64);
    bounded.zip(wishes).map(|(angle, (_, arrow))| (angle, arrow)).collect()
}

/// Moves everything so that the picture begins at (0, 0), and computes its size.
fn fit(layout: &mut Layout) {
    let mut low = Point::new(f64::INFINITY, f64::INFINITY);
    let mut high = Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut include = |point: Point| {
        low = Point::new(low.x.min(point.x), low.y.min(point.y));
        high = Point::new(high.x.max(point.x), high.y.max(point.y));
    };
    for state in &layout.states {
        let area = Rect::around(state.center, state.radius);
        include(Point::new(area.x, area.y));
        include(Point::new(area.x + area.width, area.y + area.height));
    }
    for arrow in &layout.arrows {
        let area = arrow.label.area;
        include(Point::new(area.x, area.y));
        include(Point::new(area.x + area.width, area.y + area.height));
        arrow.path.samples(8).into_iter().for_each(&mut include);
    }
    include(layout.entry.0.start);
    let shift = Point::new(MARGIN, MARGIN) - low;
    layout.width = high.x - low.x + 2.0 * MARGIN;
    layout.height = high.y - low.y + 2.0 * MARGIN;
    translate(layout, shift);
}

fn translate(layout: &mut Layout, shift: Point) {
    let move_path = |path: &mut Path| {
        path.start = path.start + shift;
        path.curves.iter_mut().flatten().for_each(|point| *point = *point + shift);
    };
    layout.states.iter_mut().for_each(|state| state.center = state.center + shift);
    for arrow in &mut layout.arrows {
        move_path(&mut arrow.path);
        arrow.head.iter_mut().for_each(|point| *point = *point + shift);
        arrow.label.area.x += shift.x;
        arrow.label.area.y += shift.y;
    }
    move_path(&mut layout.entry.0);
    layout.entry.1.iter_mut().for_each(|point| *point = *point + shift);
}
