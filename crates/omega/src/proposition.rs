//! What the atoms of an assertion mean on a run of actions.
//!
//! A run a₀ a₁ a₂ … gives a word with one letter for each action, silent ones included: position i is the moment just
//! after aᵢ. So the state before the first action is not a position of the word [Giannakopoulou & Magee 2003].

use rely_base::Alphabet;

use crate::{Formula, Letters};

/// A fluent: a proposition that actions switch on and off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// Its name, such as `CRITICAL.1`.
    pub name: String,
    /// The actions after which it holds.
    pub on: Vec<String>,
    /// The actions after which it does not hold. No action is in both lists.
    pub off: Vec<String>,
    /// Whether it holds before the first action.
    pub initially: bool,
}

/// What an atom stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition {
    /// Holds just after one of the actions occurred.
    Action(Vec<String>),
    /// Holds from an action that switches it on to the next one that switches it off.
    Fluent(Fluent),
}

/// A formula that speaks about runs of actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Its name in the user's text.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// What the atoms stand for, by [`crate::AtomId`].
    pub propositions: Vec<Proposition>,
    /// Actions that belong to the assertion's alphabet besides those of its propositions.
    pub extension: Vec<String>,
}

/// That something keeps being possible: in the end, one of the actions occurs again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgressProperty {
    /// Its name in the user's text, with its index, such as `P.1`.
    pub name: String,
    /// Actions one of which occurs again and again where the property says something; without them it always does.
    pub condition: Option<Vec<String>>,
    /// The actions one of which has to occur again and again.
    pub actions: Vec<String>,
}

impl Proposition {
    /// The actions that it speaks of.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        let (first, second): (&[String], &[String]) = match self {
            Self::Action(actions) => (actions, &[]),
            Self::Fluent(fluent) => (&fluent.on, &fluent.off),
        };
        first.iter().chain(second).map(String::as_str)
    }
}

impl Assertion {
    /// The actions of the propositions and of the extension, in the order of their first appearance.
    pub fn alphabet(&self) -> Alphabet {
        let actions = self.propositions.iter().flat_map(Proposition::actions);
        actions.chain(self.extension.iter().map(String::as_str)).collect()
    }

    /// The assertion's propositions over the actions of an alphabet.
    pub fn compile(&self, alphabet: &Alphabet) -> Letters {
        Letters::compile(self, alphabet)
    }
}
