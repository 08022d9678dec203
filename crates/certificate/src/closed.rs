//! Closing a behaviour under the free actions of an assertion.

use rely_base::{Alphabet, Id, Label};
use rely_lts::{Component, LtsBuilder, Network, Program, Trigger};
use rely_omega::Assertion;

/// The network with one more component, which does the actions of the assertion that no other component has, at any
/// time; the network itself if there are none.
pub fn closed(network: &Network, assertion: &Assertion) -> Network {
    let free = free_actions(network.alphabet(), assertion);
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

/// The program with one more unit, which does the actions of the assertion that the program does not have, at any time; the
/// program itself if there are none. States have the same slots.
pub fn closed_program(program: &Program, assertion: &Assertion) -> Program {
    let free = free_actions(program.alphabet(), assertion);
    if free.is_empty() {
        return program.clone();
    }
    let mut builder = program.clone().into_builder();
    let environment = builder.unit("environment");
    let always = builder.constant(1);
    for name in free.names() {
        let action = builder.action(name);
        builder.command(environment, Trigger::Action(action), always);
    }
    builder.build().expect("a program with one more unit is a program")
}

/// The actions of an assertion that a behaviour does not have.
fn free_actions(alphabet: &Alphabet, assertion: &Assertion) -> Alphabet {
    assertion.alphabet().names().filter(|name| !alphabet.contains(name)).collect()
}
