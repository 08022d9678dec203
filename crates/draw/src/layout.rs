//! The result of the layout: coordinates of everything, independent of the output format.

use rely_base::{Label, StateId};

use crate::geometry::{Path, Point, Rect};

/// The kind of a state, which decides how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A state like any other.
    Ordinary,
    /// A state in which nothing is possible, and which is not an end state.
    Stuck,
    /// The error state π.
    Error,
    /// The state of successful termination.
    End,
}

/// A state in the picture.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedState {
    /// Which state it is.
    pub state: StateId,
    /// What it is.
    pub role: Role,
    /// The centre of its circle.
    pub center: Point,
    /// The radius of its circle, the outer one for END.
    pub radius: f64,
}

/// The label of an arrow.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedLabel {
    /// The area that it covers.
    pub area: Rect,
    /// The lines of text, each centred.
    pub lines: Vec<String>,
}

/// An arrow in the picture: all transitions from one state to another.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedArrow {
    /// Where it comes from.
    pub source: StateId,
    /// Where it leads.
    pub target: StateId,
    /// The labels of its transitions, sorted.
    pub labels: Vec<Label>,
    /// The names of the labels, in the same order.
    pub names: Vec<String>,
    /// Its line, up to the head.
    pub path: Path,
    /// The tip of its head, which touches the circle of the target, and the two other corners.
    pub head: [Point; 3],
    /// The text on it.
    pub label: PlacedLabel,
}

/// The positions of all elements. The upper left corner is at (0, 0).
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// The width of the picture.
    pub width: f64,
    /// The height of the picture.
    pub height: f64,
    /// The states by number.
    pub states: Vec<PlacedState>,
    /// The arrows, sorted by source and target.
    pub arrows: Vec<PlacedArrow>,
    /// The arrow from nowhere into the initial state: its line and its head.
    pub entry: (Path, [Point; 3]),
}
