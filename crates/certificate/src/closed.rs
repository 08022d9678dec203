//! The network that an assertion speaks about.

use rely_base::{Alphabet, Id, Label};
use rely_lts::{Component, LtsBuilder, Network};
use rely_omega::Assertion;

/// The network with one more component, which does the actions of the assertion that no other component has, at any
/// time; the network itself if there are none.
pub fn closed(network: &Network, assertion: &Assertion) -> Network {
    let named = assertion.alphabet();
    let free: Alphabet = named.names().filter(|name| !network.alphabet().contains(name)).collect();
    if free.is_empty() {
        return network.clone();
    }
    let actions = free.len();
    let mut builder = LtsBuilder::new(free);
    let state = builder.add_state();
    for action in 0..actions {
        builder.add_transition(state, Label::visible(Id::from_index(action)), state);
    }
    let environment = Component::new("environment", builder.build());
    network.clone().with_components([environment])
}
