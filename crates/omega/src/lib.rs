//! Linear temporal logic with fluents, and its translation to automata on infinite words.

mod formula;
mod proposition;

pub use formula::{AtomId, Formula};
pub use proposition::{Assertion, Fluent, Proposition};
