//! Forgeries about products of many tuples.
//!
//! As long as a product has few tuples, the judge follows every step. Beyond [`FEW`] of them it starts anew with stubborn
//! sets, and whoever fools these fools the judge. So small systems in which a statement is false are made large: *wheels* are
//! added, each with a few states of its own that it goes through in order, and back. A wheel lets the fatal action happen
//! only in its last state, in which it can stay for good, go back, or get lost. So everything that fails without the wheels fails with them, but
//! by a run that first takes each of them to its last state. That is the tuple of the wheels which is furthest away: a search
//! of all steps meets all others before.

use std::sync::Arc;

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_certificate::{Evidence, Rejection};
use rely_lts::{Component, Lts, LtsBuilder, Network};
use rely_testkit::naive::product::breaks_beside;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::evidence::{Statement, Way};
use crate::systems::{ACTIONS, System};
use crate::{changed, forged, is_deep, kind, numbers, random_statement};

/// Up to so many tuples the judge follows every step.
const FEW: usize = 1 << 12;

/// The action that wheels hold back.
const FATAL: &str = ACTIONS[0];

/// A wheel of some states. All of its steps are its own, but for the fatal action, and perhaps a turn that it has in common
/// with its neighbour.
fn wheel(rng: &mut Rng, number: usize, states: usize) -> Lts {
    let [on, back, shared] = ["on", "back", "turn"].map(|word| format!("{word}{number}"));
    let neighbour = format!("turn{}", number + 1);
    let names = [FATAL, &on, &back, &shared, &neighbour];
    let alphabet: Alphabet = names.into_iter().collect();
    let label = |name: &str| Label::visible(alphabet.get(name).expect("one of its actions"));
    let (fatal, on, back) = (label(FATAL), label(&on), label(&back));
    let turns = [label(&shared), label(&neighbour)];
    let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
    let state = StateId::from_index;
    let last = states - 1;
    for at in 0..last {
        builder.add_transition(state(at), if rng.chance(1, 6) { Label::TAU } else { on }, state(at + 1));
    }
    match rng.below(3) {
        0 => {}
        1 => builder.add_transition(state(last), back, state(rng.below(states))),
        // It is lost, and nothing fails any more.
        _ => {
            let lost = builder.add_state();
            builder.add_transition(state(last), back, lost);
        }
    }
    builder.add_transition(state(last), fatal, state(last));
    // A turn never leads on, so it is no shorter way; neighbours turn only together.
    for turn in turns {
        let at = rng.below(states);
        builder.add_transition(state(at), turn, state(rng.below(at + 1)));
    }
    builder.build()
}

/// A component that goes round by itself for ever, and keeps a wheel from one of its turns. A search that follows it and
/// nobody else never gets anywhere.
fn spinner(turn: &str) -> Lts {
    let mut builder = LtsBuilder::with_states(["spin", turn].into_iter().collect(), 2);
    let [here, there] = [0, 1].map(StateId::from_index);
    let spin = Label::visible(ActionId::from_index(0));
    builder.add_transition(here, spin, there);
    builder.add_transition(there, spin, here);
    builder.build()
}

/// Components with wheels after them, and perhaps a spinner among the wheels. These have more than `tuples` states together.
fn widened(rng: &mut Rng, core: &[Component], tuples: usize) -> Network {
    let mut components = core.to_vec();
    let mut together = 1;
    let mut number = 0;
    while together <= tuples {
        let states = 3 + rng.below(3);
        let lts = wheel(rng, number, states);
        components.push(Component { name: format!("W{number}"), lts: Arc::new(lts) });
        together *= states;
        number += 1;
    }
    if rng.chance(1, 2) {
        let lts = spinner(&format!("turn{}", rng.below(number)));
        let place = core.len() + rng.below(number + 1);
        components.insert(place, Component { name: "SPINNER".to_owned(), lts: Arc::new(lts) });
    }
    Network::new(components)
}

/// A small system without priority and hiding, and a false statement about it.
fn false_statement(rng: &mut Rng) -> Option<(System, Statement)> {
    let count = 2 + rng.below(2);
    let System { network, properties } = System::random(rng, count);
    let system = System { network: Network::new(network.components().to_vec()), properties };
    let statement = random_statement(&system, rng)?;
    breaks(&system.network, &statement).then_some((system, statement))
}

fn breaks(network: &Network, statement: &Statement) -> bool {
    breaks_beside(network, &numbers(&statement.goal), &numbers(&statement.observers))
}

/// What is false without wheels is false with them.
#[test]
fn wheels_excuse_nothing() {
    let mut compared = 0;
    for seed in seeds(300) {
        let rng = &mut Rng::new(seed);
        let Some((system, statement)) = false_statement(rng) else { continue };
        let network = widened(rng, system.network.components(), 20);
        assert!(breaks(&network, &statement), "seed {seed}: {statement:?}");
        compared += 1;
    }
    assert!(compared > 50 || is_single_seed(), "{compared}");
}

#[test]
fn no_forgery_about_a_large_product_is_accepted() {
    let (mut searches, mut forgeries, mut deep) = (0, 0, 0);
    for seed in seeds(70) {
        let rng = &mut Rng::new(seed);
        let Some((core, statement)) = false_statement(rng) else { continue };
        let network = widened(rng, core.network.components(), FEW);
        let system = System { network, properties: core.properties.clone() };
        let judge = |evidence: Evidence| -> Rejection {
            let (kind, shown) = (kind(&evidence), format!("{statement:?}"));
            match statement.judge(&system.network, evidence) {
                Err(rejection) => rejection,
                Ok(()) => panic!("seed {seed}: accepted {kind} for {shown}"),
            }
        };
        // That the whole system has been searched: here is nothing but the judge's own search.
        let whole = statement.prove(&system.network, Way::Search, rng).expect("there is nothing to find");
        let rejection = judge(whole);
        assert!(is_deep(&rejection), "seed {seed}: {rejection:?}");
        searches += 1;
        for _ in 0..2 {
            let Some(mut evidence) = forged(&system, &statement, rng) else { continue };
            if rng.chance(1, 3) {
                evidence = changed(evidence, &system, &statement, rng);
            }
            forgeries += 1;
            deep += usize::from(is_deep(&judge(evidence)));
        }
    }
    println!("{searches} searches, {forgeries} other forgeries, {deep} of these got far");
    assert!(
        (searches > 25 && forgeries > 40 && deep > 20) || is_single_seed(),
        "{searches} {forgeries} {deep}"
    );
}
