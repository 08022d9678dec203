//! Whether a property of the system follows from the local ones that it names behind `from`.
//!
//! **Problem.** A property of a large system is broken into properties of its components, which are small enough to be
//! checked. That they hold says something about the system only if they imply its property.
//!
//! **Idea.** All of them are formulas over the same events and states, judged at the same moments. The property follows if
//! no values of these make the local ones true and the global one false. Values that do are shown: either a local property
//! is missing, or it is too weak.

use crate::formula::Formula;
use crate::satisfiable::witness;
use crate::system::{Instant, Property, System};

/// Whether a property follows from those that it names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Implied {
    /// It does: whoever proves these has proved it.
    Yes,
    /// It does not: with these values they hold, and it does not.
    No(String),
    /// The formulas are too large to find out.
    Unknown,
}

/// Whether a property follows from those behind its `from`; nothing if it has none.
pub fn implied(system: &System, property: &Property) -> Option<Implied> {
    if property.from.is_empty() {
        return None;
    }
    let locals = property.from.iter().map(|&id| system.property(id));
    let helpful = locals.filter(|local| says_something(local.instant, property.instant));
    let locals = helpful.map(|local| local.formula.clone());
    let broken = Formula::all(locals.chain([property.formula.clone().negated()]));
    Some(match witness(&broken, system) {
        None => Implied::Unknown,
        Some(None) => Implied::Yes,
        Some(Some(values)) => Implied::No(values),
    })
}

/// Whether a property that holds at some moments says something about other moments.
fn says_something(known: Instant, asked: Instant) -> bool {
    match (known, asked) {
        (Instant::Macrostep, Instant::Macrostep) => true,
        (Instant::Microstep(known), Instant::Microstep(asked)) => known.is_none() || known == asked,
        _ => false,
    }
}
