//! Random programs: the network does what the naive interpreter does, with every silent choice.

mod common;
mod naive;
#[path = "common/random.rs"]
mod random;

use common::program;
use rely_base::{Budget, Limits};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, compare};
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
