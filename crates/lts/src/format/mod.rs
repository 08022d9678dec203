//! Transition systems as text: the exchange format [`aut`] of CADP, mCRL2 and LTSA, Graphviz [`dot`],
//! [`fsm`] of mCRL2, and [`json`].
//!
//! | format | read | π | END | alphabet | roles |
//! |---|---|---|---|---|---|
//! | `aut` | yes | as state −1, or as an ordinary state | lost | only what is on transitions | as marks behind names |
//! | `dot` | no | red | double circle | no | as marks behind names |
//! | `fsm` | yes | as an ordinary state | lost | only what is on transitions | as marks behind names |
//! | `json` | yes | kept | kept | kept | kept |
//!
//! Programs are written as [`promela`], for SPIN.
//!
//! Readers take memory in proportion to the text that they are given, whatever numbers the text names.

pub mod aut;
pub mod dot;
pub mod fsm;
pub mod json;
mod marks;
pub mod promela;

#[cfg(test)]
mod tests;

pub use marks::{marked, unmarked};

use rely_base::{Label, StateId};

use crate::Lts;
use crate::equivalence::TICK;

/// All transitions from one state to another, which pictures show as one arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// Where the transitions lead.
    pub target: StateId,
    /// Their labels, sorted.
    pub labels: Vec<Label>,
}

/// The transitions out of a state, bundled by target; sorted by target.
pub fn bundles(lts: &Lts, state: StateId) -> Vec<Bundle> {
    let mut edges: Vec<(StateId, Label)> =
        lts.edges(state).iter().map(|edge| (edge.target, edge.label)).collect();
    edges.sort_unstable();
    edges
        .chunk_by(|left, right| left.0 == right.0)
        .map(|run| Bundle { target: run[0].0, labels: run.iter().map(|&(_, label)| label).collect() })
        .collect()
}

/// What a reserved name means. No action can have such a name: its traces could not be read, or its system not be
/// reduced.
fn reserved(name: &str) -> Option<&'static str> {
    match name {
        "tau" => Some("the silent step"),
        TICK => Some("the end of a process"),
        _ => None,
    }
}

/// The maximum number of states that a text of this number of bytes may declare.
///
/// Mentioning a state takes several bytes. If a text declares more states than it has bytes, almost all of them have
/// no transition: the header is wrong, and a table of that length would waste memory. Short texts may declare more.
fn plausible_states(bytes: usize) -> usize {
    const GRACE: usize = 1 << 16;
    bytes.clamp(GRACE, u32::MAX as usize - 1)
}
