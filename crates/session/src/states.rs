//! The names of states, from the text if it has names for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Id, Span, StateId};
use rely_lts::{Behaviour, Lts, Network};
use rely_model::{Origin, Part, StateNames, Target};

use crate::Project;

/// The names of the states of the components of a target.
///
/// Components are identified by the transition system that they share with the target: a copy that was reduced or
/// changed has other states, and no names for them.
#[derive(Clone, Default)]
pub(crate) struct StateNaming {
    /// By the address of the system, which is kept alive here.
    components: BTreeMap<usize, Known>,
}

#[derive(Clone)]
struct Known {
    lts: Arc<Lts>,
    names: Option<Arc<StateNames>>,
    /// The place of each state in the text, as `line:column`, if there are no names.
    places: Vec<String>,
    origin: Origin,
}

fn address(lts: &Arc<Lts>) -> usize {
    Arc::as_ptr(lts).addr()
}

impl StateNaming {
    /// The names for a target.
    pub(crate) fn of(target: &Target<Behaviour>) -> Self {
        let mut naming = Self::default();
        if let Some(network) = target.behaviour.as_network() {
            naming.add(network, &target.parts);
        }
        naming
    }

    /// The names for a target, with places in the text for states without names.
    pub(crate) fn located(mut self, target: &Target<Behaviour>, project: &Project) -> Self {
        /// Maximum number of states of a component that gets places.
        const MOST: usize = 10_000;
        let Some(network) = target.behaviour.as_network() else { return self };
        for (component, part) in network.components().iter().zip(&target.parts) {
            let Some(places) = part.places.as_ref().filter(|it| it.states.len() <= MOST) else { continue };
            let shown = |span: &Span| {
                let place = project.place(*span);
                format!("{}:{}", place.line, place.column)
            };
            if let Some(known) = self.components.get_mut(&address(&component.lts)) {
                known.places = places.states.iter().map(shown).collect();
            }
        }
        self
    }

    /// Adds the names for a network, of whose components these are the parts.
    pub(crate) fn add(&mut self, network: &Network, parts: &[Part]) {
        let known = |(component, part): (&rely_lts::Component, &Part)| {
            let known = Known {
                lts: Arc::clone(&component.lts),
                names: part.states.clone(),
                places: Vec::new(),
                origin: part.origin.clone(),
            };
            (address(&component.lts), known)
        };
        self.components.extend(network.components().iter().zip(parts).map(known));
    }

    /// The name of a state of a component.
    pub(crate) fn name(&self, lts: &Arc<Lts>, state: StateId) -> String {
        if lts.error() == Some(state) {
            return "ERROR".to_owned();
        }
        let known = self.known(lts);
        let named = known.and_then(|known| known.names.as_ref()).and_then(|names| names.of(state));
        let place = || known.and_then(|known| known.places.get(state.index())).cloned();
        named.unwrap_or_else(|| match lts.end() == Some(state) {
            true => "END".to_owned(),
            false => place().unwrap_or_else(|| format!("state {}", state.raw())),
        })
    }

    /// The names of the states of all components of a network.
    pub(crate) fn all(&self, network: &Network, tuple: &[u32]) -> Vec<String> {
        let components = network.components().iter().zip(tuple);
        components.map(|(component, &state)| self.name(&component.lts, StateId::from_raw(state))).collect()
    }

    /// Whether a component is a property, which only observes; `None` if it does not belong to the target.
    pub(crate) fn is_property(&self, lts: &Arc<Lts>) -> Option<bool> {
        self.known(lts).map(|known| known.origin == Origin::Property)
    }

    /// Whether a component is known to be a process, and not a property, although it may fail.
    pub(crate) fn is_process(&self, lts: &Arc<Lts>) -> bool {
        self.known(lts).is_some_and(|known| known.origin == Origin::Process)
    }

    fn known(&self, lts: &Arc<Lts>) -> Option<&Known> {
        self.components.get(&address(lts)).filter(|known| Arc::ptr_eq(&known.lts, lts))
    }
}
