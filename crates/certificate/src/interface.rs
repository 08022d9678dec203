//! Proofs with an interface between two groups of components, as certificates write them.

use serde::{Deserialize, Serialize};

use crate::Assumption;

/// Two groups of components, and an assumption about the second that says who decides about each action.
///
/// An *input* is an action that the second group has to take when it comes; about all other actions of the assumption
/// the second group decides. See `check/interface.rs` for what has to be true of them, and why that is enough.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InterfaceProof {
    /// The components of the first group.
    pub first: Vec<usize>,
    /// The components of the second group.
    pub second: Vec<usize>,
    /// The inputs among the actions of the assumption.
    pub inputs: Vec<String>,
    /// The assumption.
    pub assumption: Assumption,
}
