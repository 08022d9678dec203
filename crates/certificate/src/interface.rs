//! Proofs with an interface between two groups of components, as they are written in certificates.

use serde::{Deserialize, Serialize};

use crate::Assumption;

/// Two groups of components, and an assumption about the second that says which group controls each action.
///
/// An *input* is an action that the second group has to take when it comes; all other actions of the assumption are
/// controlled by the second group. See `check/interface.rs` for what has to be true of them, and why that suffices.
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
