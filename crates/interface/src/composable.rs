//! Which automata can be composed [Emmi, Giannakopoulou, Păsăreanu 2008, definition 2].
//!
//! An action that two automata share is an output of one and an input of the other; an internal action belongs to one
//! automaton only. For several automata this is required of each two, so every action has at most one sender and one
//! receiver. All conflicts are collected, so that all can be reported at once.

use std::fmt;

use rely_lts::Role;

use crate::Part;

/// What is wrong with an action that two automata share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clash {
    /// Both receive it: αᴵ ∩ αᴵ ≠ ∅.
    TwoReceivers,
    /// Both send it: αᴼ ∩ αᴼ ≠ ∅.
    TwoSenders,
    /// It is internal to the first.
    Internal,
}

/// Two automata that cannot be composed because of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The action.
    pub action: String,
    /// What is wrong.
    pub clash: Clash,
    /// The first of the two parts, by number; for an internal action, the part that it belongs to.
    pub first: usize,
    /// The other part.
    pub second: usize,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TwoReceivers => "both receive it",
            Self::TwoSenders => "both send it",
            Self::Internal => "it is internal to the first",
        })
    }
}

/// All conflicts between parts, in the order of the parts and of their actions.
pub(crate) fn conflicts(parts: &[Part]) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (second, part) in parts.iter().enumerate() {
        let alphabet = part.automaton.lts().alphabet();
        for (action, name) in alphabet.iter() {
            let role = part.automaton.role(action);
            for (first, other) in parts[..second].iter().enumerate() {
                let Some(earlier) = other.automaton.role_named(name) else { continue };
                let (clash, first, second) = match (earlier, role) {
                    (Role::Input, Role::Output) | (Role::Output, Role::Input) => continue,
                    (Role::Input, Role::Input) => (Clash::TwoReceivers, first, second),
                    (Role::Output, Role::Output) => (Clash::TwoSenders, first, second),
                    (Role::Internal, _) => (Clash::Internal, first, second),
                    (_, Role::Internal) => (Clash::Internal, second, first),
                };
                found.push(Conflict { action: name.to_owned(), clash, first, second });
            }
        }
    }
    found
}
