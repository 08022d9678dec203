//! Digests of content: what earlier results are found by.
//!
//! SHA-256 over an unambiguous text: every name comes with its length, every list with its count. Unlike the digests of
//! certificates, which are only compared, these are relied on: two questions with one digest would get one answer.

use rely_base::Id;
use rely_lts::{Component, Lts};
use sha2::{Digest, Sha256};

use crate::{Guarantee, Premise, Problem, Proof};

/// A digest of everything that a result depends on.
pub type Key = [u8; 32];

/// What verdicts of this program are told apart by: a change that corrects a verdict, or the meaning of a model, raises
/// it, so that no store has a wrong answer of an earlier program to give.
const VERDICTS: usize = 3;

/// What records are told apart by: a change of what is kept, or of how it is found, raises it.
const LAYOUT: usize = 2;

/// A digest under way.
pub struct Content(Sha256);

impl Content {
    /// The digest of something of a kind.
    pub fn new(kind: &str) -> Self {
        let version = concat!("rely ", env!("CARGO_PKG_VERSION"));
        Self(Sha256::new()).text(version).number(VERDICTS).number(LAYOUT).text(kind)
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: usize) -> Self {
        self.0.update((number as u64).to_le_bytes());
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        let mut longer = self.number(text.len());
        longer.0.update(text.as_bytes());
        longer
    }

    /// Adds a system.
    #[must_use]
    pub fn lts(self, lts: &Lts) -> Self {
        let mut all = self.number(lts.alphabet().len());
        for name in lts.alphabet().names() {
            all = all.text(name);
        }
        let state = |state: Option<rely_base::StateId>| state.map_or(0, |state| state.index() + 1);
        all = all.number(lts.state_count()).number(lts.initial().index());
        all = all.number(state(lts.error())).number(state(lts.end())).number(lts.transition_count());
        for transition in lts.transitions() {
            let numbers = [transition.source.raw(), transition.label.raw(), transition.target.raw()];
            numbers.into_iter().for_each(|number| all.0.update(number.to_le_bytes()));
        }
        all
    }

    /// Adds components with their names.
    #[must_use]
    pub fn components(self, components: &[Component]) -> Self {
        let add = |all: Self, component: &Component| all.text(&component.name).lts(&component.lts);
        components.iter().fold(self.number(components.len()), add)
    }

    /// Adds components without their names.
    #[must_use]
    pub fn systems(self, components: &[Component]) -> Self {
        let add = |all: Self, component: &Component| all.lts(&component.lts);
        components.iter().fold(self.number(components.len()), add)
    }

    /// Adds a problem.
    #[must_use]
    pub fn problem(self, problem: &Problem) -> Self {
        self.components(&problem.parts).text(&problem.goal.name).components(&problem.goal.components)
    }

    /// The digest.
    pub fn key(self) -> Key {
        self.0.finalize().into()
    }
}

/// What a premise of a proof says, without the names of components.
pub(super) fn key_of_premise(problem: &Problem, proof: &Proof, premise: Premise) -> Key {
    let group = |group: usize| -> Vec<Component> {
        proof.groups[group].iter().map(|&part| problem.parts[part].clone()).collect()
    };
    let goal = &problem.goal.components;
    match premise {
        Premise::Triple { assumes, group: number, guarantees } => {
            let content = Content::new("triple").number(usize::from(assumes.is_some()));
            let content = match assumes {
                Some(assumption) => content.lts(proof.assumptions[assumption].lts()),
                None => content,
            };
            let content = content.systems(&group(number));
            match guarantees {
                Guarantee::Goal => content.text("goal").systems(goal),
                Guarantee::Assumption(assumption) => {
                    content.text("assumption").lts(proof.assumptions[assumption].lts())
                }
                Guarantee::Conjunct(half) => {
                    let content = content.text("half").number(half).systems(goal);
                    // Which half an action belongs to depends on the first group.
                    let first = crate::problem::alphabet_of(&group(0));
                    let names = first.sorted_names();
                    names.iter().fold(content.number(names.len()), |content, name| content.text(name))
                }
            }
        }
        Premise::NoneOutside => {
            let content = Content::new("outside").systems(goal).number(proof.assumptions.len());
            proof.assumptions.iter().fold(content, |content, assumption| content.lts(assumption.lts()))
        }
    }
    .key()
}
