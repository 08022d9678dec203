//! Proofs by reduction, as they are written in certificates.
//!
//! A system is a set of *pieces*, at first some of its components. Some pieces at a time are replaced by one that can
//! do whatever they can, until no piece is left that can fail. Pieces are numbered: the components first, in order,
//! then the results of the steps. See `check/reduction.rs` for what has to be true of the steps, and why that
//! suffices.

use rely_base::{ActionId, Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use serde::{Deserialize, Serialize};

use crate::{StateTable, Table};

/// How a system was reduced to pieces that cannot fail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReductionProof {
    /// The components that must not fail.
    pub goal: Vec<usize>,
    /// The other components that are used. The rest is dropped, which makes more runs possible.
    pub parts: Vec<usize>,
    /// The steps, in order.
    pub steps: Vec<ReductionStep>,
}

/// A step of a reduction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReductionStep {
    /// An action never occurs, because a piece has it in its alphabet and is never ready for it. All pieces drop it.
    Never {
        /// The action.
        action: String,
        /// The piece.
        piece: usize,
    },
    /// An action changes none of the pieces that have it. All pieces drop it.
    Idle {
        /// The action.
        action: String,
    },
    /// Pieces are replaced by one that can do whatever they can.
    Replace {
        /// The pieces that are replaced.
        pieces: Vec<usize>,
        /// The replacement. It does not see actions outside of its alphabet.
        by: Abstraction,
        /// The relation: a state of each of the pieces, then a state of the abstraction. The number after its last
        /// state says that from there nothing fails.
        relation: Table,
    },
}

/// A system that replaces others. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Abstraction {
    /// The actions that it sees.
    pub alphabet: Vec<String>,
    /// How many states it has, the error state included.
    pub states: usize,
    /// The error state, if there is one.
    pub error: Option<usize>,
    /// Its transitions: source, label and target. The label 0 is a silent step, 1 the first action of the alphabet.
    pub transitions: Table,
}

impl Abstraction {
    /// A transition system whose initial state is its first, with the same numbers.
    pub fn of(lts: &Lts) -> Self {
        debug_assert_eq!(lts.initial().index(), 0, "state 0 is initial");
        let mut transitions = StateTable::new(3, 0);
        for transition in lts.transitions() {
            let label = transition.label.action().map_or(0, |action| action.raw() + 1);
            transitions.push([transition.source.raw(), label, transition.target.raw()]);
        }
        transitions.sort();
        Self {
            alphabet: lts.alphabet().names().map(str::to_owned).collect(),
            states: lts.state_count(),
            error: lts.error().map(Id::index),
            transitions: transitions.encode(),
        }
    }

    /// The transition system, or what is wrong with it.
    ///
    /// # Errors
    /// The limit that was met.
    pub(crate) fn read(&self, budget: &Budget<'_>) -> Result<Result<Lts, String>, Exhausted> {
        let transitions = match StateTable::decode(&self.transitions, 3, 0, budget)? {
            Ok(transitions) => transitions,
            Err(malformed) => return Ok(Err(format!("its result cannot be read: {malformed}"))),
        };
        Ok(self.with(&transitions))
    }

    fn with(&self, transitions: &StateTable) -> Result<Lts, String> {
        let alphabet: Alphabet = self.alphabet.iter().map(String::as_str).collect();
        if alphabet.len() != self.alphabet.len() {
            return Err("an action is twice in the alphabet of its result".to_owned());
        }
        // A number of states that is only claimed must not cost memory.
        if self.states == 0 || self.states - 1 > transitions.len() {
            return Err("its result has no states, or states that no transition leads to".to_owned());
        }
        if self.error.is_some_and(|error| error >= self.states) {
            return Err("the error state of its result is none of its states".to_owned());
        }
        let mut builder = LtsBuilder::with_states(alphabet, self.states);
        builder.set_error(self.error.map(StateId::from_index));
        for row in 0..transitions.len() {
            let &[source, label, target] = transitions.key(row) else {
                unreachable!("keys have three numbers")
            };
            let is_state = |state: u32| (state as usize) < self.states;
            let has_failed = self.error == Some(source as usize);
            if has_failed || !is_state(source) || !is_state(target) || label as usize > self.alphabet.len() {
                return Err(format!("its result has no transition {source} {label} {target}"));
            }
            let label =
                label.checked_sub(1).map_or(Label::TAU, |action| Label::visible(ActionId::from_raw(action)));
            builder.add_transition(StateId::from_raw(source), label, StateId::from_raw(target));
        }
        Ok(builder.build())
    }
}

#[cfg(test)]
mod tests;
