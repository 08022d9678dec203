//! Points, boxes and curves. Lengths are in pixels; y grows downwards, as in SVG.

use std::ops::{Add, Mul, Sub};

/// A point, or the vector to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point with the given coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The vector of length 1 that points at an angle, in radians, clockwise from the right.
    pub(crate) fn direction(angle: f64) -> Self {
        Self::new(angle.cos(), angle.sin())
    }

    /// The vector turned by a right angle.
    pub(crate) fn perpendicular(self) -> Self {
        Self::new(-self.y, self.x)
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// A box with sides parallel to the axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Rect {
    /// The smallest box around a circle.
    pub fn around(center: Point, radius: f64) -> Self {
        Self { x: center.x - radius, y: center.y - radius, width: 2.0 * radius, height: 2.0 * radius }
    }

    /// Whether the inner parts of two boxes have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// A sequence of cubic Bézier curves, each of which begins where the one before it ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// Where the first curve begins.
    pub start: Point,
    /// Two control points and the end of each curve.
    pub curves: Vec<[Point; 3]>,
}

impl Path {
    pub(crate) fn new(start: Point) -> Self {
        Self { start, curves: Vec::new() }
    }

    /// Where the last curve ends.
    pub fn end(&self) -> Point {
        self.curves.last().map_or(self.start, |curve| curve[2])
    }

    /// Appends a straight line, unless it would have length 0.
    pub(crate) fn line_to(&mut self, end: Point) {
        let start = self.end();
        let way = end - start;
        if way.x.hypot(way.y) > 0.01 {
            self.curves.push([start + way * (1.0 / 3.0), start + way * (2.0 / 3.0), end]);
        }
    }

    /// Appends a curve.
    pub(crate) fn curve_to(&mut self, first: Point, second: Point, end: Point) {
        self.curves.push([first, second, end]);
    }

    /// The path in the opposite direction.
    pub(crate) fn reversed(&self) -> Self {
        let points: Vec<Point> =
            std::iter::once(self.start).chain(self.curves.iter().flatten().copied()).collect();
        let mut backwards = points.into_iter().rev();
        let mut path = Self::new(backwards.next().expect("a path has a start"));
        while let (Some(first), Some(second), Some(end)) =
            (backwards.next(), backwards.next(), backwards.next())
        {
            path.curve_to(first, second, end);
        }
        path
    }

    /// All points that shape the path; it stays within their convex hull.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        std::iter::once(self.start).chain(self.curves.iter().flatten().copied())
    }

    /// Points on the path, `steps` on each curve.
    pub fn samples(&self, steps: u32) -> Vec<Point> {
        let mut samples = vec![self.start];
        let mut start = self.start;
        for &[first, second, end] in &self.curves {
            for step in 1..=steps {
                let t = f64::from(step) / f64::from(steps);
                let u = 1.0 - t;
                let bezier = start * (u * u * u)
                    + first * (3.0 * u * u * t)
                    + second * (3.0 * u * t * t)
                    + end * (t * t * t);
                samples.push(bezier);
            }
            start = end;
        }
        samples
    }
}
