//! Random programs: the network does what the naive interpreter does, with every silent choice.

mod common;
mod naive;
#[path = "common/random.rs"]
mod random;

use std::collections::BTreeMap;

use common::program;
use rely_base::{Budget, Label, Limits};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{Component, LtsBuilder, Network};
use rely_tasks::{Refused, exact};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

#[test]
fn the_network_is_what_the_interpreter_does() {
    let budget = Budget::new(Limits { states: Some(200_000), bytes: None }, None);
    let (mut compared, mut failing, mut ending, mut stuck) = (0, 0, 0, 0);
    for seed in seeds(200) {
        let text = random::random_program(&mut Rng::new(seed));
        if is_single_seed() {
            println!("{text}");
        }
        let program = program(&text);
        let exact = match exact(&program, &budget) {
            Ok(exact) => exact,
            Err(Refused::Exhausted(_)) => continue,
            Err(refused) => panic!("seed {seed}: {refused:?}\n{text}"),
        };
        let Ok(network) = generate(&exact.network, &budget) else { continue };
        let Some(naive) = naive::interpret(&program, &exact.naming, 4_000) else { continue };
        let found = compare(&network, &naive, Equivalence::DivergenceBranching, &budget).unwrap();
        assert!(found, "seed {seed}: {} and {} states\n{text}", network.state_count(), naive.state_count());
        compared += 1;
        failing += usize::from(naive.error().is_some());
        ending += usize::from(naive.end().is_some());
        stuck += usize::from(
            naive
                .states()
                .any(|s| naive.edges(s).is_empty() && Some(s) != naive.error() && Some(s) != naive.end()),
        );
    }
    println!("{compared} programs compared; {failing} may fail, {ending} may end, {stuck} may get stuck");
    if !is_single_seed() {
        assert!(
            compared > 80 && failing > 20 && ending > 20 && stuck > 20,
            "{compared} {failing} {ending} {stuck}"
        );
    }
}

/// Whether a run of a network breaks a property before anything fails. The error state of the property becomes one in which it
/// says so.
fn breaks(network: &Network, property: &Component, budget: &Budget<'_>) -> Option<bool> {
    const SAID: &str = "said";
    let lts = &property.lts;
    let mut builder = LtsBuilder::with_states(lts.alphabet().names().collect(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    let said = Label::visible(builder.alphabet_mut().intern(SAID));
    builder.add_transition(lts.error()?, said, lts.error()?);
    let watched = network.clone().with_components([Component::new(&property.name, builder.build())]);
    let all = generate(&watched, budget).ok()?;
    let said = Label::visible(all.alphabet().get(SAID)?);
    Some(all.transitions().any(|transition| transition.label == said))
}

#[test]
fn tasks_race_where_two_are_at_an_access_at_once() {
    let budget = Budget::new(Limits { states: Some(50_000), bytes: None }, None);
    let mut answers: BTreeMap<bool, usize> = BTreeMap::new();
    for seed in seeds(200) {
        let mut text = random::random_program(&mut Rng::new(seed));
        if seed % 4 == 0 {
            text = text.replace("   Y : Boolean := False;", "   Y : Boolean := False; pragma Atomic (Y);");
        }
        let program = program(&text);
        let Ok(exact) = exact(&program, &budget) else { continue };
        let Some(mut naive) = naive::races(&program, 4_000) else { continue };
        for name in exact.race_names() {
            let (race, _) = exact.race(name, &budget).expect("it fits").expect("it has this name");
            let expected = naive.remove(name.strip_prefix("race.").expect("it begins so"));
            let Some(found) = breaks(&exact.network, &race, &budget) else { continue };
            assert_eq!(found, expected, "seed {seed}: {name}\n{text}");
            *answers.entry(expected).or_default() += 1;
        }
        assert!(naive.is_empty(), "seed {seed}: nobody asks about {naive:?}\n{text}");
    }
    println!("no race and race: {answers:?}");
    let count = |answer| answers.get(&answer).copied().unwrap_or(0);
    assert!(is_single_seed() || count(true) > 10 && count(false) > 3, "{answers:?}");
}
