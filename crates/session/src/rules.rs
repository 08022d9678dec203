//! Rules about environments that are kept from one run to the next.
//!
//! **Problem.** Mining explores the environment of a component, which may take much longer than checking the component. Most
//! changes are made inside of the component or to its properties, and the rules stay what they are.
//!
//! **Idea.** Rules are stored under a digest of all that they depend on ([`rely_model::OpenComponents::content_of_environment`]).
//! A changed environment has another digest, and is mined again. Under the names of system and component the store has what the
//! last run knew: its rules, and which of them the proof of each property rests on. So it can be said which rules went, and
//! which proofs that breaks.
//!
//! **Trust.** Rules from a store that others can write to are hints. They are assumed while properties are looked at; those
//! that a proof turns out to rest on are discharged on the environment before the proof is believed (`check/alone.rs`). That is
//! less work than mining: most proofs rest on few rules, and on one or two components of the environment. Where a question is
//! open with them, rules are mined after all, so that no answer depends on what is in the store.

use std::collections::{BTreeMap, BTreeSet};

use rely_assume::{Content, Key, Memory};
use rely_base::Budget;
use rely_model::{Assumption, Failure, Mined, MinedRule, Window};
use serde::{Deserialize, Serialize};

use crate::meaning::Meaning;

/// The rules about the environment of a component, and where they come from.
pub(crate) struct Rules {
    pub(crate) mined: Mined,
    /// Whether they were mined by an earlier run, from the same environment.
    pub(crate) is_reused: bool,
    /// Whether nobody else can have put them in the store, or they were mined just now.
    pub(crate) is_certain: bool,
    /// What the last run knew about the component, if there was one.
    last: Option<Last>,
    /// The rules of the last run, and of its proofs, that do not hold any more.
    pub(crate) gone: Vec<String>,
}

/// Rules as they are stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    configurations: u64,
    rules: Vec<(Vec<String>, Vec<String>, u64)>,
    redundant: usize,
    lines: Vec<(String, u64)>,
    assumptions: Vec<String>,
    is_by_part: bool,
}

/// What a run knew about a component.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
struct Last {
    /// The rules that held.
    rules: BTreeSet<String>,
    /// The rules that the proof of each property rests on.
    proofs: BTreeMap<String, BTreeSet<String>>,
}

impl From<&Mined> for Stored {
    fn from(mined: &Mined) -> Self {
        let rules = mined.rules.iter().map(|rule| (rule.when.clone(), rule.then.clone(), rule.support));
        Self {
            configurations: mined.configurations,
            rules: rules.collect(),
            redundant: mined.redundant,
            lines: mined.lines.clone(),
            assumptions: mined.assumptions.iter().map(ToString::to_string).collect(),
            is_by_part: mined.is_by_part,
        }
    }
}

impl From<Stored> for Mined {
    fn from(stored: Stored) -> Self {
        let rule = |(when, then, support)| MinedRule { when, then, support };
        Self {
            configurations: stored.configurations,
            rules: stored.rules.into_iter().map(rule).collect(),
            redundant: stored.redundant,
            lines: stored.lines,
            assumptions: stored.assumptions.into_iter().map(Assumption::Rule).collect(),
            is_by_part: stored.is_by_part,
        }
    }
}

/// The key of what the last run knew about a component. Where the same file has several systems, their names differ.
fn key_of_last(meaning: &mut Meaning<'_>, component: &str, window: Window) -> Option<Key> {
    let system = meaning.open_components()?.system_of(component)?;
    let own = component.strip_prefix(&format!("{system}.")).unwrap_or(component);
    Some(Content::new("last rules").text(&system).text(own).text(&format!("{window:?}")).key())
}

/// The rules about the environment of a component, mined where they are not known.
///
/// # Errors
/// When the text has no such component, the component has errors, or a limit is met.
pub(crate) fn rules(
    meaning: &mut Meaning<'_>,
    (component, window): (&str, Window),
    memory: Option<&dyn Memory>,
    reuse_hints: bool,
    budget: &Budget<'_>,
) -> Result<Rules, Failure> {
    let open = meaning.open_components().ok_or(Failure::Errors)?;
    let Some(memory) = memory else {
        let mined = open.mine(component, window, budget)?;
        return Ok(Rules { mined, is_reused: false, is_certain: true, last: None, gone: Vec::new() });
    };
    let content = open.content_of_environment(component, window)?;
    let key = Content::new("mined rules").text(&content).key();
    let may_reuse = memory.is_trusted() || reuse_hints;
    let bytes = if may_reuse { memory.recall(&key) } else { None };
    let stored = bytes.and_then(|bytes| serde_json::from_slice::<Stored>(&bytes).ok()).map(Mined::from);
    // What has no meaning for the component was not written by this program.
    let stored = stored.filter(|mined| open.first_broken(component, &[], &mined.assumptions).is_ok());
    let (mined, is_reused) = match stored {
        Some(stored) => (stored, true),
        None => {
            let mined = open.mine(component, window, budget)?;
            if let Ok(bytes) = serde_json::to_vec(&Stored::from(&mined)) {
                memory.remember(&[(key, bytes)]);
            }
            (mined, false)
        }
    };
    let last = key_of_last(meaning, component, window).and_then(|key| memory.recall(&key));
    let last = last.and_then(|bytes| serde_json::from_slice::<Last>(&bytes).ok());
    let mut gone = Vec::new();
    if let Some(last) = &last {
        let open = meaning.open_components().ok_or(Failure::Errors)?;
        let known: BTreeSet<&String> = last.rules.iter().chain(last.proofs.values().flatten()).collect();
        for rule in known {
            if !open.follows(component, &Assumption::Rule(rule.clone()), &mined.assumptions)? {
                gone.push(rule.clone());
            }
        }
    }
    let last = Last {
        rules: mined.assumptions.iter().map(ToString::to_string).collect(),
        proofs: last.map(|last| last.proofs).unwrap_or_default(),
    };
    let is_certain = !is_reused || memory.is_trusted();
    Ok(Rules { mined, is_reused, is_certain, last: Some(last), gone })
}

impl Rules {
    /// The rules that do not hold any more, of those that the last proof of a property rests on.
    pub(crate) fn missing(&self, property: &str) -> Vec<String> {
        let proof = self.last.as_ref().and_then(|last| last.proofs.get(property));
        let needed = proof.into_iter().flatten().filter(|rule| self.gone.contains(rule));
        needed.cloned().collect()
    }

    /// The properties whose last proof rests on a rule that does not hold any more.
    pub(crate) fn broken_proofs(&self) -> Vec<String> {
        let proofs = self.last.iter().flat_map(|last| last.proofs.keys());
        proofs.filter(|property| !self.missing(property).is_empty()).cloned().collect()
    }

    /// Stores what is known now. The proofs are those of this run, each with the rules that it rests on; nothing of a property
    /// that was looked at and has none.
    pub(crate) fn store(
        mut self,
        meaning: &mut Meaning<'_>,
        (component, window): (&str, Window),
        memory: Option<&dyn Memory>,
        proofs: Vec<(String, Option<BTreeSet<String>>)>,
    ) {
        let (Some(mut last), Some(memory)) = (self.last.take(), memory) else { return };
        for (property, rules) in proofs {
            match rules {
                Some(rules) => last.proofs.insert(property, rules),
                None => last.proofs.remove(&property),
            };
        }
        if let (Some(key), Ok(bytes)) = (key_of_last(meaning, component, window), serde_json::to_vec(&last)) {
            memory.remember(&[(key, bytes)]);
        }
    }
}
