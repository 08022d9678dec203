//! Proofs by decomposition, as they are written in certificates.
//!
//! Notation: ⟨A⟩ M ⟨G⟩ says that the group M of components, together with the assumption A, never lets G fail.
//! Groups, assumptions and components are numbered from 0; texts for people count from 1.

use std::fmt;

use rely_base::Id;
use rely_lts::ComponentId;
use serde::{Deserialize, Serialize};

use crate::{Assumption, Digest, ReductionProof};

/// A rule of assume-guarantee reasoning, the components to which it is applied, and the assumptions.
///
/// The rule determines the premises. They are written out nevertheless, with the components of the groups and the
/// digests of the assumptions: so a reader sees what has been proved, and a change of a group or an assumption
/// changes every premise that it is in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decomposition {
    /// The name of the rule.
    pub by: String,
    /// The components of each group.
    pub groups: Vec<Vec<usize>>,
    /// The components that must not fail.
    pub goal: Vec<usize>,
    /// The assumptions.
    pub assumptions: Vec<Assumption>,
    /// What has to be true of them.
    pub premises: Vec<Premise>,
    /// Proofs of premises, in order. A premise without a proof here is searched by the judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<PremiseReduction>,
}

/// A proof of a premise, by a reduction of its systems: the assumption, the components of the group in order, and
/// what is guaranteed, numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PremiseReduction {
    /// The number of the premise.
    pub premise: usize,
    /// The reduction. Its goal is what the premise guarantees.
    #[serde(flatten)]
    pub proof: ReductionProof,
}

/// An assumption, as premises refer to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reference {
    /// Its number.
    pub assumption: usize,
    /// Its digest.
    pub digest: Digest,
}

/// A statement that has to be true.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Premise {
    /// ⟨A⟩ M ⟨G⟩.
    Triple {
        /// A; `None` if nothing is assumed.
        assumes: Option<Reference>,
        /// M.
        group: usize,
        /// The components of M.
        components: Vec<usize>,
        /// G.
        guarantees: Guarantee,
    },
    /// No sequence of actions breaks the goal and is outside of each of the assumptions.
    Outside(Vec<Reference>),
}

/// What a premise guarantees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guarantee {
    /// The goal does not fail.
    Goal,
    /// The goal does not fail by an action of the first group (0), or by any other (1).
    Half(usize),
    /// The behaviour stays within an assumption.
    Within(Reference),
}

impl Decomposition {
    /// The proof that has all other components in one group, except observers that are set aside. The judge searches
    /// this group.
    pub fn monolithic(components: usize, goal: &[ComponentId], observers: &[ComponentId]) -> Self {
        let is_other = |&id: &ComponentId| !goal.contains(&id) && !observers.contains(&id);
        let group =
            (0..components).map(ComponentId::from_index).filter(is_other).map(Id::index).collect::<Vec<_>>();
        let goal: Vec<usize> = goal.iter().map(|component| component.index()).collect();
        let premise = Premise::Triple {
            assumes: None,
            group: 0,
            components: group.clone(),
            guarantees: Guarantee::Goal,
        };
        Self {
            by: "monolithic".to_owned(),
            groups: vec![group],
            goal,
            assumptions: Vec::new(),
            premises: vec![premise],
            reductions: Vec::new(),
        }
    }

    /// The reference of premises to an assumption: its number and its digest.
    pub fn reference(assumptions: &[Assumption], assumption: usize) -> Reference {
        Reference { assumption, digest: assumptions[assumption].digest.clone() }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A{}", self.assumption.saturating_add(1))
    }
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Triple { assumes, group, guarantees, .. } => {
                match assumes {
                    Some(reference) => write!(f, "⟨{reference}⟩")?,
                    None => f.write_str("⟨true⟩")?,
                }
                write!(f, " M{} ", group.saturating_add(1))?;
                match guarantees {
                    Guarantee::Goal => f.write_str("⟨P⟩"),
                    Guarantee::Half(half) => write!(f, "⟨P{}⟩", half.saturating_add(1)),
                    Guarantee::Within(reference) => write!(f, "⟨{reference}⟩"),
                }
            }
            Self::Outside(_) => f.write_str("what breaks P is within some assumption"),
        }
    }
}

#[cfg(test)]
mod tests;
