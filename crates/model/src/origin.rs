//! The owners of actions: which actions of a target some process has, and which only properties have.
//!
//! **Problem.** A property observes actions of others. An action that only properties have is free to occur at any
//! time, which is almost never intended; usually its name is misspelt. Which actions of a target are such?
//!
//! **Idea.** Each component of a target has an *origin*: a process, a property, or built from both. A built component
//! records the actions of the processes in it, and the actions of each property in it, through every prefix and
//! relabelling. If an action of a property was hidden when no process had it, it is *lost*: no component outside can
//! have it any more.
//!
//! A `constraint` counts as a property here, since it also is a formula about actions of others.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_lts::operators::Relabelling;
use rely_lts::{Behaviour, Component, Network, Unit};

use crate::{Part, Target};

/// The definitions that a component of a target was made from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Processes only.
    #[default]
    Process,
    /// A property process, or a formula.
    Property,
    /// Processes and properties, composed before the rest of the target.
    Built(Arc<Mixture>),
}

/// The actions of a component that was built from processes and properties.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mixture {
    /// The visible actions that some process in it has.
    owned: BTreeSet<String>,
    /// Its properties with their visible actions.
    watched: Vec<Watched>,
    /// Its properties with actions that no process had when they were hidden.
    lost: Vec<Watched>,
}

/// A property, and some of its actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The name of the property as a part of the target, such as `a:SAFE`.
    pub property: String,
    /// The definition that it is an instance of: `SAFE`.
    pub definition: Arc<str>,
    /// The actions, sorted.
    pub actions: Vec<String>,
}

impl Watched {
    /// The property with only those of its actions that satisfy `holds`; `None` if no action does.
    fn restricted(&self, holds: impl Fn(&str) -> bool) -> Option<Self> {
        let actions: Vec<String> = self.actions.iter().filter(|name| holds(name)).cloned().collect();
        (!actions.is_empty()).then(|| self.with_actions(actions))
    }

    fn with_actions(&self, actions: Vec<String>) -> Self {
        Self { property: self.property.clone(), definition: Arc::clone(&self.definition), actions }
    }
}

impl Origin {
    /// The origin after a prefix, a sharing or a relabelling, which replaces every action by its images.
    pub fn renamed(&self, images: impl Fn(&str) -> Vec<String>) -> Self {
        let Self::Built(mixture) = self else { return self.clone() };
        let watched = |watched: &Watched| {
            let actions: BTreeSet<String> = watched.actions.iter().flat_map(|name| images(name)).collect();
            watched.with_actions(actions.into_iter().collect())
        };
        Self::Built(Arc::new(Mixture {
            owned: mixture.owned.iter().flat_map(|name| images(name)).collect(),
            watched: mixture.watched.iter().map(watched).collect(),
            lost: mixture.lost.clone(),
        }))
    }

    /// The origin after a relabelling.
    pub fn relabelled(&self, relabelling: &Relabelling) -> Self {
        self.renamed(|name| relabelling.apply(name))
    }

    /// The origin of the product of some components, of which these are the parts.
    pub fn of_product<'c>(parts: impl Iterator<Item = (&'c Component, &'c Part)> + Clone) -> Self {
        if parts.clone().all(|(_, part)| part.origin == Self::Process) {
            return Self::Process;
        }
        let mut mixture = Mixture::default();
        for (component, part) in parts {
            let names = || component.lts.alphabet().sorted_names().into_iter().map(str::to_owned);
            match &part.origin {
                Self::Process => mixture.owned.extend(names()),
                Self::Property => {
                    let (property, definition) = (component.name.clone(), Arc::clone(&part.definition));
                    mixture.watched.push(Watched { property, definition, actions: names().collect() });
                }
                Self::Built(inner) => {
                    mixture.owned.extend(inner.owned.iter().cloned());
                    mixture.watched.extend(inner.watched.iter().cloned());
                    mixture.lost.extend(inner.lost.iter().cloned());
                }
            }
        }
        Self::Built(Arc::new(mixture))
    }

    /// The origin of the component after the hidden actions of the network have been hidden in it.
    fn hiding(self, network: &Network) -> Self {
        let Self::Built(mixture) = &self else { return self };
        let alphabet = network.alphabet();
        let is_hidden = |name: &str| alphabet.get(name).is_some_and(|action| network.is_hidden(action));
        let mut lost = mixture.lost.clone();
        let is_lost = |name: &str| is_hidden(name) && !mixture.owned.contains(name);
        lost.extend(mixture.watched.iter().filter_map(|watched| watched.restricted(is_lost)));
        Self::Built(Arc::new(Mixture {
            owned: mixture.owned.iter().filter(|name| !is_hidden(name)).cloned().collect(),
            watched: mixture.watched.iter().filter_map(|it| it.restricted(|name| !is_hidden(name))).collect(),
            lost,
        }))
    }
}

impl Target {
    /// The origin of the target as a single component of another one.
    pub fn origin(&self) -> Origin {
        if self.reduction.property {
            return Origin::Property;
        }
        Origin::of_product(components_and_parts(&self.behaviour, &self.parts)).hiding(&self.behaviour)
    }

    /// The actions that some process of the target has, sorted.
    pub fn owned_actions(&self) -> BTreeSet<&str> {
        owned_actions(components_and_parts(&self.behaviour, &self.parts))
    }

    /// The properties with actions that no process of the target has, in the order of its components.
    pub fn unowned_actions(&self) -> Vec<Watched> {
        unowned_actions(components_and_parts(&self.behaviour, &self.parts))
    }
}

impl Target<Behaviour> {
    /// The actions of each part that is made from processes only, or from properties only. `None` for a network,
    /// which has more detailed origins.
    fn actions_of_units(&self) -> Option<impl Iterator<Item = (&Part, Vec<&str>)>> {
        let program = self.behaviour.as_program()?;
        let names = |unit: &Unit| -> Vec<&str> {
            unit.alphabet.iter().map(|&action| program.alphabet().name(action)).collect()
        };
        let units = program.units().iter().zip(&self.parts);
        Some(units.map(move |(unit, part)| (part, names(unit))))
    }

    /// The actions that some process of the target has, sorted.
    pub fn owned_actions(&self) -> BTreeSet<&str> {
        match (self.actions_of_units(), self.behaviour.as_network()) {
            (Some(units), _) => units
                .filter(|(part, _)| part.origin != Origin::Property)
                .flat_map(|(_, names)| names)
                .collect(),
            (None, Some(network)) => owned_actions(components_and_parts(network, &self.parts)),
            (None, None) => BTreeSet::new(),
        }
    }

    /// The properties with actions that no process of the target has, in the order of its parts.
    pub fn unowned_actions(&self) -> Vec<Watched> {
        let Some(units) = self.actions_of_units() else {
            let network = self.behaviour.as_network();
            return network
                .map_or(Vec::new(), |network| unowned_actions(components_and_parts(network, &self.parts)));
        };
        let owned = self.owned_actions();
        let watched =
            units.filter(|(part, _)| part.origin == Origin::Property).filter_map(|(part, actions)| {
                let actions: Vec<String> = actions.into_iter().map(str::to_owned).collect();
                let (property, definition) = (part.name.to_string(), Arc::clone(&part.definition));
                Watched { property, definition, actions }.restricted(|name| !owned.contains(name))
            });
        watched.collect()
    }
}

/// The components of a network, each with its part.
fn components_and_parts<'t>(
    network: &'t Network,
    parts: &'t [Part],
) -> impl Iterator<Item = (&'t Component, &'t Part)> + Clone {
    network.components().iter().zip(parts)
}

fn owned_actions<'t>(parts: impl Iterator<Item = (&'t Component, &'t Part)>) -> BTreeSet<&'t str> {
    let mut owned = BTreeSet::new();
    for (component, part) in parts {
        match &part.origin {
            Origin::Process => owned.extend(component.lts.alphabet().names()),
            Origin::Property => {}
            Origin::Built(mixture) => owned.extend(mixture.owned.iter().map(String::as_str)),
        }
    }
    owned
}

fn unowned_actions<'t>(parts: impl Iterator<Item = (&'t Component, &'t Part)> + Clone) -> Vec<Watched> {
    let Origin::Built(mixture) = Origin::of_product(parts) else { return Vec::new() };
    let unowned =
        mixture.watched.iter().filter_map(|watched| watched.restricted(|name| !mixture.owned.contains(name)));
    mixture.lost.iter().cloned().chain(unowned).collect()
}
