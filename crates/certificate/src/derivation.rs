//! Why a property of a composition follows from properties of its parts: which of them, and which step uses which.
//!
//! The evidence names properties and says what follows from what. Whether it does is searched by the judge
//! (`check/derivation.rs`); whether the parts have the properties is said by other claims, or searched, too.

use rely_lts::Observation;
use rely_omega::{AtomSet, Commitment};
use serde::{Deserialize, Serialize};

/// A composition, what it is to commit itself to, and what its parts commit themselves to, over the same atoms.
#[derive(Clone, Copy, Debug)]
pub struct Composed<'a> {
    /// What is to follow.
    pub goal: &'a Commitment<Observation>,
    /// The properties of each part, in order.
    pub parts: &'a [&'a [Commitment<Observation>]],
    /// What the atoms stand for; of conditions only that they are some.
    pub propositions: &'a [Observation],
    /// The events of each kind of step.
    pub letters: &'a [AtomSet],
}

/// The steps of a derivation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Derivation {
    /// The properties of parts that it uses.
    pub premises: Vec<PartPremise>,
    /// What the claim follows from.
    pub claim: Grounds,
    /// Whether the claim holds one step longer than what the composition assumes.
    pub longer: bool,
}

/// A property of a part, and why its assumptions are true.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartPremise {
    /// The part, by its number in the composition.
    pub part: usize,
    /// The name of the property.
    pub property: String,
    /// Whether it is used by induction over time: it has to hold one step longer than what it assumes.
    pub inductive: bool,
    /// What each of its assumptions follows from.
    pub assumptions: Vec<Grounds>,
}

/// What a statement follows from, by number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Grounds {
    /// Premises: their claims.
    pub premises: Vec<usize>,
    /// Assumptions of the composition.
    pub environment: Vec<usize>,
}
