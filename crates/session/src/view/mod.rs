//! What an interactive view of a target needs beside verdicts, as plain data: runs step by step, and pictures.
//!
//! A page, an editor and a script ask the same questions, and none of them has an opinion of its own: what is possible, why
//! something is not, and where it stands in the text is said here.

mod pictures;
mod walk;

pub use pictures::{AssumptionView, Picture, component_pictures, shown_assumption, whole_picture};
pub(crate) use walk::{Moments, retrace};
pub use walk::{NamedState, Offer, Refusal, Walk, WalkQuery, walk};
