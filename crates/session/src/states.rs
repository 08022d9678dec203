//! What states are called: by their names in the text, as far as it gives them names.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::StateId;
use rely_lts::{Behaviour, Lts, Network};
use rely_model::{Origin, Part, StateNames, Target};

/// The names of the states of the components of a target.
///
/// Components are known by the transition system that they share with the target: a copy that was reduced or changed has
/// other states, and no names for them.
#[derive(Clone, Default)]
pub(crate) struct StateNaming {
    /// By the address of the system, which is kept alive here.
    components: BTreeMap<usize, Known>,
}

#[derive(Clone)]
struct Known {
    lts: Arc<Lts>,
    names: Option<Arc<StateNames>>,
    is_property: bool,
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

    /// Adds the names for a network, of whose components these are the parts.
    pub(crate) fn add(&mut self, network: &Network, parts: &[Part]) {
        let known = |(component, part): (&rely_lts::Component, &Part)| {
            let known = Known {
                lts: Arc::clone(&component.lts),
                names: part.states.clone(),
                is_property: part.origin == Origin::Property,
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
        let names = self.known(lts).and_then(|known| known.names.as_ref());
        names.and_then(|names| names.of(state)).unwrap_or_else(|| match lts.end() == Some(state) {
            true => "END".to_owned(),
            false => format!("state {}", state.raw()),
        })
    }

    /// The names of the states of all components of a network.
    pub(crate) fn all(&self, network: &Network, tuple: &[u32]) -> Vec<String> {
        let components = network.components().iter().zip(tuple);
        components.map(|(component, &state)| self.name(&component.lts, StateId::from_raw(state))).collect()
    }

    /// Whether a component only looks on; nothing if it is none of the target.
    pub(crate) fn is_property(&self, lts: &Arc<Lts>) -> Option<bool> {
        self.known(lts).map(|known| known.is_property)
    }

    fn known(&self, lts: &Arc<Lts>) -> Option<&Known> {
        self.components.get(&address(lts)).filter(|known| Arc::ptr_eq(&known.lts, lts))
    }
}
