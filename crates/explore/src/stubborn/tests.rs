//! Chosen sets against the definition of a closed set, and what is enabled against that of a network.

use std::collections::BTreeSet;

use rely_base::{ActionId, Budget, Id, Label, StateId};
use rely_lts::{ComponentId, Network};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::{Search, System};

/// Whether a component has a transition with a label of the network in a state.
fn is_ready(network: &Network, component: ComponentId, state: StateId, label: Label) -> bool {
    let own = |label: Label| match label.action() {
        None => Label::TAU,
        Some(own) => Label::visible(network.actions_of(component)[own.index()]),
    };
    network.components()[component.index()].lts.edges(state).iter().any(|edge| own(edge.label) == label)
}

/// The participants of an action that are not ready for it.
fn missing(network: &Network, states: &[StateId], action: ActionId) -> Vec<usize> {
    let participants = network.participants(action).iter();
    let not_ready =
        participants.filter(|&&who| !is_ready(network, who, states[who.index()], Label::visible(action)));
    not_ready.map(|who| who.index()).collect()
}

/// The steps that are enabled, by definition.
fn enabled(network: &Network, states: &[StateId]) -> BTreeSet<(usize, Label)> {
    let silent = (0..states.len())
        .filter(|&i| is_ready(network, ComponentId::from_index(i), states[i], Label::TAU))
        .map(|i| (i, Label::TAU));
    let actions = network.alphabet().iter().map(|(action, _)| action);
    let visible = actions.filter(|&action| missing(network, states, action).is_empty());
    silent.chain(visible.map(|a| (network.participants(a)[0].index(), Label::visible(a)))).collect()
}

/// Whether a set of components is closed, by definition.
fn is_closed(network: &Network, states: &[StateId], is_member: impl Fn(usize) -> bool) -> bool {
    network.alphabet().iter().all(|(action, _)| {
        let participants = network.participants(action);
        let label = Label::visible(action);
        let concerns = participants
            .iter()
            .any(|&who| is_member(who.index()) && is_ready(network, who, states[who.index()], label));
        let missing = missing(network, states, action);
        !concerns
            || if missing.is_empty() {
                participants.iter().all(|who| is_member(who.index()))
            } else {
                missing.into_iter().any(&is_member)
            }
    })
}

#[test]
fn chosen_sets_are_closed() {
    let (mut reduced, mut choosy) = (0, 0);
    for seed in seeds(1500) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        if network.priority().is_some() {
            continue;
        }
        let product = Product::transparent(&network);
        let mut search = Search::new(&product);
        search.run(&Budget::UNLIMITED, &mut ()).unwrap();
        let mut stubborn = Stubborn::new(&product);
        choosy += usize::from(!stubborn.demands.choosy.is_empty());
        let mut order: Vec<usize> = (0..search.states().len()).collect();
        // States need not be looked at in the order in which they are found.
        if seed % 2 == 0 {
            order.reverse();
        }
        for number in order {
            let words = search.states().get(StateId::from_index(number));
            let states = product.unpack(words);
            let suffices = stubborn.choose(&product, words);
            let steps: Vec<(usize, Label)> =
                stubborn.steps(&product).map(|(who, label)| (who.index(), label)).collect();
            let expected = enabled(&network, &states);
            assert_eq!(steps.iter().copied().collect::<BTreeSet<_>>(), expected, "seed {seed}");
            if suffices == Suffices::Some {
                reduced += 1;
                assert!(is_closed(&network, &states, |who| stubborn.is_chosen(who)), "seed {seed}");
                let chosen = expected.iter().filter(|(who, _)| stubborn.is_chosen(*who)).count();
                assert!(0 < chosen && chosen < expected.len(), "seed {seed}");
            }
        }
    }
    assert!(reduced > 100 && choosy > 10 || is_single_seed(), "hardly tested: {reduced} {choosy}");
}

#[test]
fn steps_lead_where_transitions_lead() {
    for seed in seeds(500) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        if network.priority().is_some() {
            continue;
        }
        let product = Product::new(&network);
        let mut search = Search::new(&product);
        search.run(&Budget::UNLIMITED, &mut ()).unwrap();
        let (mut stubborn, mut cursor) = (Stubborn::new(&product), product.cursor());
        for words in search.states().iter() {
            let (mut steps, mut all) = (Vec::new(), Vec::new());
            stubborn.choose(&product, words);
            let row = |component| stubborn.row(component);
            let _ = product.try_steps(stubborn.steps(&product), row, words, &mut cursor, &mut |label, to| {
                steps.push((label, format!("{to:?}")));
                std::ops::ControlFlow::Continue(())
            });
            product.successors(words, &mut cursor, &mut |label, to| all.push((label, format!("{to:?}"))));
            assert_eq!(steps, all, "seed {seed}");
        }
    }
}
