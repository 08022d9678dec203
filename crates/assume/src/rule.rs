//! The rules: what has to be shown of which components so that all together meet the goal.
//!
//! Notation: ⟨A⟩ M ⟨G⟩ says that M ‖ A never lets G fail; ⟨true⟩ assumes nothing. M₁ is the first group of components of
//! a split, M₂ the second, and so on.

use std::fmt;

/// An assume-guarantee rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// ⟨A⟩ M₁ ⟨G⟩ and ⟨true⟩ M₂ ⟨A⟩.
    Simple,
    /// ⟨A₁⟩ M₁ ⟨G⟩, ⟨A₂⟩ M₂ ⟨A₁⟩, …, ⟨true⟩ Mₙ ⟨Aₙ₋₁⟩ [Cobleigh 2007, figure 2.5b].
    Chain,
    /// The chain that comes back to the first group: ⟨A₁⟩ M₁ ⟨G⟩, ⟨A₂⟩ M₂ ⟨A₁⟩, ⟨true⟩ M₁ ⟨A₂⟩ [Cobleigh 2007,
    /// figure 2.5a, with two assumptions].
    Alternating,
    /// The goal is split in two, by the actions that break it; each group answers for its own: ⟨A₁⟩ M₁ ⟨G₁⟩ and
    /// ⟨true⟩ M₂ ⟨A₁⟩, ⟨A₂⟩ M₂ ⟨G₂⟩ and ⟨true⟩ M₁ ⟨A₂⟩ [Cobleigh 2007, figure 2.5c].
    Conjunction,
    /// ⟨Aᵢ⟩ Mᵢ ⟨G⟩ for every i, and no sequence of actions that breaks G is outside of all Aᵢ [Barringer,
    /// Giannakopoulou, Păsăreanu 2003].
    Symmetric,
    /// The chain through all groups that comes back to the first one: ⟨A₁⟩ M₁ ⟨G⟩, ⟨A₂⟩ M₂ ⟨A₁⟩, …, ⟨Aₙ⟩ Mₙ ⟨Aₙ₋₁⟩,
    /// ⟨true⟩ M₁ ⟨Aₙ⟩ (CIRC-N).
    Circular,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Simple, Self::Chain, Self::Alternating, Self::Conjunction, Self::Symmetric, Self::Circular];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Chain => "chain",
            Self::Alternating => "alternating",
            Self::Conjunction => "conjunction",
            Self::Symmetric => "symmetric",
            Self::Circular => "circular",
        }
    }

    /// The rule with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Whether the rule splits a system in two, or else in any number of groups.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Simple | Self::Alternating | Self::Conjunction)
    }

    /// Whether the goal has to be one that only looks on.
    ///
    /// A goal that takes part in the system cannot be given to every group at once.
    pub fn needs_observer(self) -> bool {
        matches!(self, Self::Conjunction | Self::Symmetric)
    }

    /// Why the conclusion follows from the premises.
    pub fn soundness(self) -> &'static str {
        match self {
            Self::Simple | Self::Chain | Self::Alternating | Self::Circular => {
                "take a run of the whole system; by the last premise it stays within the last assumption, so by the \
                 premise before within the one before, and so on up to the goal"
            }
            Self::Conjunction => {
                "each half of the goal is met by the simple rule, and a sequence that breaks the goal breaks one half"
            }
            Self::Symmetric => {
                "take a run of the whole system that breaks the goal; by each premise it is outside of the assumption \
                 of the group, so it is outside of all of them, which the last premise excludes"
            }
        }
    }

    /// The premises for `groups` groups, in order.
    pub fn premises(self, groups: usize) -> Vec<Premise> {
        let chain = |sequence: &[usize]| -> Vec<Premise> {
            let last = sequence.len() - 1;
            let premise = |(i, &group): (usize, &usize)| Premise::Triple {
                assumes: (i < last).then_some(i),
                group,
                guarantees: if i == 0 { Guarantee::Goal } else { Guarantee::Assumption(i - 1) },
            };
            sequence.iter().enumerate().map(premise).collect()
        };
        match self {
            Self::Simple | Self::Chain | Self::Alternating | Self::Circular => chain(&self.sequence(groups)),
            Self::Conjunction => vec![
                Premise::Triple { assumes: Some(0), group: 0, guarantees: Guarantee::Conjunct(0) },
                Premise::Triple { assumes: None, group: 1, guarantees: Guarantee::Assumption(0) },
                Premise::Triple { assumes: Some(1), group: 1, guarantees: Guarantee::Conjunct(1) },
                Premise::Triple { assumes: None, group: 0, guarantees: Guarantee::Assumption(1) },
            ],
            Self::Symmetric => {
                let triple = |i| Premise::Triple { assumes: Some(i), group: i, guarantees: Guarantee::Goal };
                (0..groups).map(triple).chain([Premise::NoneOutside]).collect()
            }
        }
    }

    /// For a chain, the groups in the order of its premises.
    pub(crate) fn sequence(self, groups: usize) -> Vec<usize> {
        let mut sequence: Vec<usize> = (0..groups).collect();
        if matches!(self, Self::Alternating | Self::Circular) {
            sequence.push(0);
        }
        sequence
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a premise guarantees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guarantee {
    /// The goal.
    Goal,
    /// That the goal is not broken by an action of the first group (0), or by any other action (1).
    Conjunct(usize),
    /// An assumption, by number.
    Assumption(usize),
}

/// What has to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Premise {
    /// ⟨A⟩ M ⟨G⟩.
    Triple {
        /// The assumption, by number; nothing is assumed if there is none.
        assumes: Option<usize>,
        /// The group of components.
        group: usize,
        /// What they guarantee.
        guarantees: Guarantee,
    },
    /// No sequence that breaks the goal is outside of all assumptions.
    NoneOutside,
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Triple { assumes, group, guarantees } => {
                match assumes {
                    Some(assumption) => write!(f, "⟨A{}⟩", assumption + 1)?,
                    None => f.write_str("⟨true⟩")?,
                }
                write!(f, " M{} ", group + 1)?;
                match guarantees {
                    Guarantee::Goal => f.write_str("⟨P⟩"),
                    Guarantee::Conjunct(half) => write!(f, "⟨P{}⟩", half + 1),
                    Guarantee::Assumption(assumption) => write!(f, "⟨A{}⟩", assumption + 1),
                }
            }
            Self::NoneOutside => f.write_str("what breaks P is within some assumption"),
        }
    }
}
