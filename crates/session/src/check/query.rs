//! What can be asked of `check`, and which properties a query means.

use rely_model::{Environment, Window};
use serde::Deserialize;

use super::asked::KINDS;
use crate::Project;
use crate::doubts::{unchecked, unused_fluents};
use crate::engine::{Constraints, Engine};
use crate::meaning::{Meaning, is_made_by};
use crate::report::{Fairness, Finding};

/// What to check.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CheckQuery {
    /// The targets; if there are none, every composite that no other uses, or all processes together.
    pub targets: Vec<String>,
    /// Whether composites inside of others are targets, too, where none are named.
    pub all_targets: bool,
    /// Kinds (`deadlock`, `safety`, `progress`, `ltl`, `divergence`) and names of properties; everything that the
    /// file declares if there are none.
    pub only: Vec<String>,
    /// Whether all states are to be looked at where some would do.
    pub no_reduction: bool,
    /// Whether it is to be said what was ever exercised, with the answer about safety.
    pub coverage: bool,
    /// Which runs assertions speak of; nothing for the usual ones of the language.
    pub fairness: Option<Fairness>,
    /// What a component on its own may assume about its environment.
    pub environment: Environment,
    /// How many consecutive steps the rules may speak of that are mined for it.
    pub window: Window,
    /// Which model is searched, where the language has more than one.
    pub engine: Engine,
    /// What flow analysis is to know.
    pub constraints: Constraints,
    /// How many counterexamples of each violated property are wanted; less than two means one.
    pub traces: usize,
}

impl CheckQuery {
    /// Whether a property is asked for by a name, and not only with all others of its kind.
    pub(super) fn names(&self, property: &str) -> bool {
        self.only.iter().any(|word| !KINDS.contains(&word.as_str()) && is_made_by(property, word))
    }

    pub(super) fn wants_kind(&self, kind: &str) -> bool {
        self.only.is_empty() || self.asks_for(kind)
    }

    pub(super) fn asks_for(&self, word: &str) -> bool {
        self.only.iter().any(|only| only == word)
    }

    /// Whether a property is wanted: by its kind, its name, or the name of a definition that makes it with indices.
    pub(super) fn wants(&self, kind: &str, name: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(name, word))
    }

    /// Findings about what the query leaves unchecked, although its kind is asked for.
    pub(super) fn unchecked(&self, project: &Project, meaning: &Meaning<'_>) -> Vec<Finding> {
        let is_used = |name: &str| meaning.is_used(name);
        let are_chosen = !self.targets.is_empty();
        let mut findings = Vec::new();
        if self.wants_kind("safety") {
            findings.extend(unchecked(project, &is_used, are_chosen));
        }
        if self.wants_kind("ltl") {
            findings.extend(unused_fluents(project, &|name| are_chosen || is_used(name)));
        }
        findings
    }

    /// Whether something that a definition makes is wanted.
    pub(super) fn wants_of(&self, kind: &str, definition: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(word, definition))
    }
}
