//! Pictures of transition systems: a layered layout written as SVG.
//!
//! The layout follows [Sugiyama, Tagawa, Toda 1981] in the form that [Gansner, Koutsofios, North, Vo 1993] gave it,
//! with layers from left to right, one phase after the other and one file for each:
//!
//! 1. `graph`: transitions between the same two states become one arrow, with its label wrapped;
//! 2. `cycles`: some arrows are turned around, so that all point to the right;
//! 3. `layers`: every state gets a layer, and arrows get bends where they pass a layer and a place for their label;
//! 4. `order`: the order in each layer, with few crossings;
//! 5. `brandes_koepf`, `place`: coordinates;
//! 6. `route`: curves, arrow heads and label boxes, which together are a [`Layout`];
//! 7. `svg`: the text.
//!
//! [`lanes()`] draws something else: a column for each component, and a mark where it takes part.
//!
//! The picture of a system is always the same: nothing here is random or depends on hash order. It is meant for
//! systems that a reader can take in; larger ones are refused with [`TooLarge`].

mod brandes_koepf;
mod cycles;
mod geometry;
mod graph;
mod lanes;
mod layered;
mod layers;
mod layout;
mod order;
mod place;
mod route;
mod svg;
mod text;

#[cfg(test)]
mod tests;

pub use geometry::{Path, Point, Rect};
pub use lanes::{Lane, LaneRow, Lanes, lanes};
pub use layout::{Layout, PlacedArrow, PlacedLabel, PlacedState, Role};
pub use text::escape_xml;

use rely_base::StateId;
use rely_lts::Lts;

/// Options and limits of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Maximum number of states to draw.
    pub max_states: usize,
    /// Maximum number of arrows to draw, where all transitions between the same two states are one arrow.
    pub max_arrows: usize,
    /// The alternative text of the picture.
    pub title: String,
    /// The names of the states, by state; one without a name is shown by its number.
    pub names: Vec<Option<String>>,
    /// The steps of a run that is highlighted, as pairs of states.
    pub run: Vec<(StateId, StateId)>,
}

impl Default for Options {
    /// The limits are what a patient reader can take in.
    fn default() -> Self {
        Self { max_states: 400, max_arrows: 2000, title: String::new(), names: Vec::new(), run: Vec::new() }
    }
}

/// A system that is too large to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// It has too many states.
    States {
        /// How many it has.
        found: usize,
        /// How many can be drawn.
        limit: usize,
    },
    /// It has too many arrows.
    Arrows {
        /// How many it has.
        found: usize,
        /// How many can be drawn.
        limit: usize,
    },
    /// Its arrows pass through too many layers: the picture would consist of lines only.
    Tangled,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::States { found, limit } => {
                write!(f, "too large to draw: {found} states, at most {limit} can be drawn")
            }
            Self::Arrows { found, limit } => {
                write!(f, "too large to draw: {found} arrows, at most {limit} can be drawn")
            }
            Self::Tangled => f.write_str("too tangled to draw: the arrows would hide the states"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// The picture of a system as an SVG document.
///
/// ```
/// let lts = rely_lts::format::aut::read(b"des (0,2,2)\n(0,on,1)\n(1,off,0)\n").expect("well-formed");
/// let picture = rely_draw::svg(&lts, &rely_draw::Options::default()).expect("two states are not too many");
/// assert!(picture.starts_with("<svg "));
/// ```
///
/// # Errors
/// When the system is too large for a picture.
pub fn svg(lts: &Lts, options: &Options) -> Result<String, TooLarge> {
    Ok(svg::document(&layout(lts, options)?, options))
}

/// The positions of all elements of the picture of a system.
///
/// # Errors
/// When the system is too large for a picture.
pub fn layout(lts: &Lts, options: &Options) -> Result<Layout, TooLarge> {
    if lts.state_count() > options.max_states {
        return Err(TooLarge::States { found: lts.state_count(), limit: options.max_states });
    }
    let graph = graph::Graph::new(lts);
    if graph.arrows.len() > options.max_arrows {
        return Err(TooLarge::Arrows { found: graph.arrows.len(), limit: options.max_arrows });
    }
    let reversed = cycles::reversed(&graph);
    let layers = layers::assign(&graph, &reversed);
    let mut layered = layered::Layered::new(&graph, &reversed, &layers).ok_or(TooLarge::Tangled)?;
    order::arrange(&mut layered);
    let placement = place::place(&layered);
    Ok(route::route(&graph, &reversed, &layered, &placement))
}
