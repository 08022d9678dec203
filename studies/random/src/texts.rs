//! The random components that the compiler has read.

use rely_runtime::{Automaton, VIOLATED};

use crate::case::{Local, State, automaton};
use crate::text::is_shared;

/// A component that was written in Rust, with an assumption and a property.
#[derive(Debug)]
pub struct Written {
    /// The moves of a state.
    pub moves: fn(State) -> Vec<(usize, State)>,
    /// The assumption.
    pub assumption: &'static Automaton,
    /// The property.
    pub property: &'static Automaton,
}

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// The moves of two processes side by side: what they share they do together.
fn together(ps: Vec<(usize, Local)>, qs: Vec<(usize, Local)>, [p, q]: State) -> Vec<(usize, State)> {
    let mut moves = Vec::new();
    for &(action, next) in ps.iter().filter(|(action, _)| !is_shared(*action)) {
        moves.push((action, [next, q]));
    }
    for &(action, next) in qs.iter().filter(|(action, _)| !is_shared(*action)) {
        moves.push((action, [p, next]));
    }
    for &(action, p) in ps.iter().filter(|(action, _)| is_shared(*action)) {
        for &(_, q) in qs.iter().filter(|(other, _)| *other == action) {
            moves.push((action, [p, q]));
        }
    }
    moves
}
