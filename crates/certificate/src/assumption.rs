//! Assumptions as they are written in certificates.
//!
//! A transition is a text of three words, such as `0 acquire 1`: source, action, target. The action is what is between
//! the first and the last space, so that any name can be written.

use std::collections::HashMap;

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use serde::{Deserialize, Serialize};

use crate::Digest;

/// A prefix-closed language over an alphabet: a deterministic transition system without silent steps and without an
/// error state. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Assumption {
    /// The actions of its alphabet.
    pub alphabet: Vec<String>,
    /// How many states it has.
    pub states: usize,
    /// Its transitions: source, action and target, with a space between them.
    pub transitions: Vec<String>,
    /// The digest of the fields above.
    pub digest: Digest,
}

impl Assumption {
    /// The assumption of a transition system, its states numbered in the order in which they are reached.
    ///
    /// States that cannot be reached are left out, and so are an error state and an end state as such: the caller gives
    /// a system that is deterministic and cannot fail.
    pub fn of(lts: &Lts) -> Self {
        let mut numbers: HashMap<StateId, usize> = HashMap::from([(lts.initial(), 0)]);
        let mut order = vec![lts.initial()];
        let mut transitions = Vec::new();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            for edge in lts.edges(state) {
                let number = *numbers.entry(edge.target).or_insert_with(|| {
                    order.push(edge.target);
                    order.len() - 1
                });
                transitions.push(format!("{next} {} {number}", lts.alphabet().label_name(edge.label)));
            }
            next += 1;
        }
        let alphabet = lts.alphabet().names().map(str::to_owned).collect();
        Self::sealed(alphabet, order.len(), transitions)
    }

    /// The assumption with the digest of the other fields, if these are well-formed.
    pub(crate) fn sealed(alphabet: Vec<String>, states: usize, transitions: Vec<String>) -> Self {
        let mut assumption = Self { alphabet, states, transitions, digest: Digest::none() };
        if let Ok(lts) = assumption.read() {
            assumption.digest = Digest::of_lts(&lts);
        }
        assumption
    }

    /// The transition system.
    ///
    /// # Errors
    /// What is wrong with it. The digest is not checked.
    pub(crate) fn read(&self) -> Result<Lts, String> {
        let alphabet: Alphabet = self.alphabet.iter().map(String::as_str).collect();
        if alphabet.len() != self.alphabet.len() {
            return Err("an action is twice in its alphabet".to_owned());
        }
        if self.states == 0 {
            return Err("it has no states".to_owned());
        }
        // A number of states that is only claimed must not cost memory.
        if self.states - 1 > self.transitions.len() {
            return Err("it has states that no transition leads to".to_owned());
        }
        let mut builder = LtsBuilder::with_states(alphabet, self.states);
        for text in &self.transitions {
            let step = Step::read(text, builder.alphabet());
            let step = step.filter(|step| step.source < self.states && step.target < self.states);
            let Step { source, action, target } =
                step.ok_or_else(|| format!("`{text}` is no transition of it"))?;
            let (source, target) = (StateId::from_index(source), StateId::from_index(target));
            builder.add_transition(source, Label::visible(action), target);
        }
        let lts = builder.build();
        match lts.is_deterministic() && lts.transition_count() == self.transitions.len() {
            true => Ok(lts),
            false => Err("a state has two transitions with one action".to_owned()),
        }
    }
}

/// A transition that has been read.
struct Step {
    source: usize,
    action: ActionId,
    target: usize,
}

impl Step {
    fn read(text: &str, alphabet: &Alphabet) -> Option<Self> {
        let (source, rest) = text.split_once(' ')?;
        let (name, target) = rest.rsplit_once(' ')?;
        let step = Self { source: number(source)?, action: alphabet.get(name)?, target: number(target)? };
        Some(step)
    }
}

/// A state number, if it is written in the canonical way.
fn number(text: &str) -> Option<usize> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number as usize)
}
