//! The names of events.
//!
//! **Problem.** In a network all components that have an action take it together, so two tasks that call the same entry
//! need two actions. A property that speaks of `car.open_doors` means both; one that speaks of
//! `controller.car.open_doors` means the one with that caller.
//!
//! **Idea.** An event has a *short* name: `task.entry` for a rendezvous, `x=v` and `x==v` for assignments and tests of a
//! shared variable, the name of a mark. It has a *long* name, with the task that does it first. The action of the network
//! has the short name where only one task has such an event, and the long name otherwise. What is shown is always the short
//! name. A property may use either, and for a rendezvous with values also the name without them; a relabelling, which
//! puts all actions of an event in its place, joins the property to the network.

use std::collections::{BTreeMap, BTreeSet};

use rely_lts::operators::Relabelling;
use rustc_hash::FxHashMap;

/// The names of the events of a program.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// For each name by which events can be called, the actions that are meant.
    actions: BTreeMap<String, BTreeSet<String>>,
    /// For each action, its short name.
    short: FxHashMap<String, String>,
}

/// Two names of one property that mean the same action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambiguous {
    /// The first name.
    pub first: String,
    /// The second name.
    pub second: String,
    /// The action that both mean.
    pub action: String,
}

impl Naming {
    /// Adds a name for an action.
    pub(super) fn add(&mut self, name: String, action: &str) {
        self.actions.entry(name).or_default().insert(action.to_owned());
    }

    /// Says how an action is shown.
    pub(super) fn show_as(&mut self, action: &str, short: String) {
        self.short.insert(action.to_owned(), short);
    }

    /// The actions of the network that a name means, in order; none if it means nothing.
    pub fn actions(&self, name: &str) -> impl Iterator<Item = &str> {
        self.actions.get(name).into_iter().flatten().map(String::as_str)
    }

    /// Every name that means something, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.actions.keys().map(String::as_str)
    }

    /// How an action of the network is shown.
    pub fn shown<'n>(&'n self, action: &'n str) -> &'n str {
        self.short.get(action).map_or(action, String::as_str)
    }

    /// The relabelling of a property, given the names in its alphabet. Names that mean nothing stay as they are.
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
