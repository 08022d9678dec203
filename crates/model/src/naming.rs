//! The names of events, if several actions are one event, or one action has several names.
//!
//! **Problem.** In a network all components that have an action take it together, so two tasks that call the same entry
//! need two actions. A property that speaks of `car.open_doors` means both; one that speaks of
//! `controller.car.open_doors` means the one with that caller.
//!
//! **Idea.** A front end whose actions differ from the events that users name says which actions each name stands
//! for, and how an action is shown. Properties are written with these names; a relabelling that replaces an event by
//! all its actions connects them to the behaviour. A name without an entry stands for the action with that name.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Label};
use rely_lts::Lts;
use rely_lts::operators::{self, Relabelling};
use rely_omega::{Assertion, ProgressProperty, Proposition};
use rustc_hash::FxHashMap;

/// The name that properties use for the end of an execution. No event of a program has this name.
pub const END_OF_EXECUTION: &str = "end of execution";

/// How executions end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// The language does not specify it.
    #[default]
    Unsaid,
    /// Never.
    Never,
    /// By an action.
    By(String),
}

/// The names of the events of a model.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// How executions end.
    pub end: End,
    /// For each name of an event, the actions that it stands for.
    actions: BTreeMap<String, BTreeSet<String>>,
    /// For each action, its short name.
    short: FxHashMap<String, String>,
}

/// Two names in one property that stand for the same action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambiguous {
    /// The first name.
    pub first: String,
    /// The second name.
    pub second: String,
    /// The action that both stand for.
    pub action: String,
}

impl Naming {
    /// Whether no names are defined, so that every action has only its own name.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Adds a name for an action.
    pub fn add(&mut self, name: String, action: &str) {
        self.actions.entry(name).or_default().insert(action.to_owned());
    }

    /// Defines how an action is shown.
    pub fn show_as(&mut self, action: &str, short: String) {
        self.short.insert(action.to_owned(), short);
    }

    /// The actions of the network that a name stands for, in order; none if it has no entry.
    pub fn actions(&self, name: &str) -> impl Iterator<Item = &str> {
        self.actions.get(name).into_iter().flatten().map(String::as_str)
    }

    /// All names that stand for actions, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.actions.keys().map(String::as_str)
    }

    /// The actions that a name stands for; the action with that name if it has no entry.
    fn meant(&self, name: &str) -> Vec<String> {
        match self.actions.get(name) {
            Some(actions) => actions.iter().cloned().collect(),
            None => vec![name.to_owned()],
        }
    }

    /// The actions that a list of names stands for.
    fn all_meant(&self, names: &[String]) -> Vec<String> {
        names.iter().flat_map(|name| self.meant(name)).collect()
    }

    /// The progress property, translated to actions.
    pub fn of_progress(&self, property: ProgressProperty) -> ProgressProperty {
        let condition = property.condition.map(|condition| self.all_meant(&condition));
        ProgressProperty { condition, actions: self.all_meant(&property.actions), ..property }
    }

    /// The assertion, translated to actions.
    pub fn of_assertion(&self, mut assertion: Assertion) -> Assertion {
        for proposition in &mut assertion.propositions {
            match proposition {
                Proposition::Action(actions) => *actions = self.all_meant(actions),
                Proposition::Fluent(fluent) => {
                    fluent.on = self.all_meant(&fluent.on);
                    fluent.off = self.all_meant(&fluent.off);
                }
            }
        }
        assertion.extension = self.all_meant(&assertion.extension);
        assertion
    }

    /// The property process, translated to actions. A name that stands for nothing never occurs.
    ///
    /// # Errors
    /// When two of the names mean the same action.
    pub fn of_process(&self, lts: &Lts) -> Result<Lts, Box<Ambiguous>> {
        self.relabelling(lts.alphabet().names())?;
        let mut alphabet = Alphabet::new();
        let mut images = vec![vec![Label::TAU]];
        for name in lts.alphabet().names() {
            let mut label = |action: &str| Label::visible(alphabet.intern(action));
            images.push(match &self.end {
                End::By(end) if name == END_OF_EXECUTION => vec![label(end)],
                _ => self.actions(name).map(label).collect(),
            });
        }
        Ok(operators::trim(&operators::substitute(lts, alphabet, &images)))
    }

    /// The names in an automaton that stand for nothing.
    pub fn meaningless<'l>(&self, lts: &'l Lts) -> Vec<&'l str> {
        let has_meaning = |name: &&str| *name == END_OF_EXECUTION || self.actions(name).next().is_some();
        lts.alphabet().names().filter(|name| !has_meaning(name)).collect()
    }

    /// How an action of the network is shown.
    pub fn shown<'n>(&'n self, action: &'n str) -> &'n str {
        self.short.get(action).map_or(action, String::as_str)
    }

    /// The relabelling of a property, given the names in its alphabet. Names that stand for nothing stay as they are.
    ///
    /// # Errors
    /// When two of the names mean the same action: the property would see one event twice.
    pub fn relabelling<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Relabelling, Box<Ambiguous>> {
        let mut relabelling = Relabelling::new();
        let mut used: FxHashMap<&str, &str> = FxHashMap::default();
        for name in names {
            for action in self.actions(name) {
                if let Some(first) = used.insert(action, name) {
                    let (first, second, action) = (first.to_owned(), name.to_owned(), action.to_owned());
                    return Err(Box::new(Ambiguous { first, second, action }));
                }
                relabelling.add(action, name);
            }
        }
        Ok(relabelling)
    }
}
