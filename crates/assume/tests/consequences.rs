//! What an assumption means for its components, and what is certain of one that is not complete.

mod open;

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_assume::{
    Assumption, Certain, Consequences, Effort, Partial, Requirement, Variant, certain, consequences,
    interface, weakest,
};
use rely_base::{Alphabet, Budget, Label, Limits, StateId};
use rely_lts::{Component, Network};
use rely_testkit::naive::assumption as naive;
use rely_testkit::naive::consequences::NaiveConsequences;
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::open::{Open, PART, random_alphabet, rows};

fn constructed(open: &Open, alphabet: &Alphabet, variant: Variant) -> Requirement {
    let effort = &mut Effort::default();
    weakest(&open.components, &open.goal, alphabet, variant, &Budget::UNLIMITED, effort)
        .expect("there is no limit")
        .0
}

fn after(assumption: &Assumption, word: &[String]) -> StateId {
    let lts = assumption.lts();
    word.iter().fold(lts.initial(), |state, name| {
        let action = lts.alphabet().get(name).expect("a name of the interface");
        lts.edges_with(state, Label::visible(action))[0].target
    })
}

fn check(components: &[Component], assumption: &Assumption, seed: u64) -> Consequences {
    let found = consequences(components, assumption, &Budget::UNLIMITED, &mut Effort::default())
        .expect("there is no limit");
    let naive = NaiveConsequences::new(components, &assumption.component("A"));
    assert_eq!(found.never.iter().cloned().collect::<BTreeSet<_>>(), naive.never(), "seed {seed}");
    let never_again: BTreeSet<String> =
        found.never_again.iter().flat_map(|sequel| sequel.actions.clone()).collect();
    assert_eq!(never_again, naive.never_again(), "seed {seed}");
    for sequel in &found.never_again {
        let (_, withheld) = naive.after(&sequel.after);
        assert!(sequel.actions.iter().all(|name| withheld.contains(name)), "seed {seed}: {sequel:?}");
    }
    assert_eq!(found.stuck.is_some(), naive.may_be_stuck(), "seed {seed}");
    assert!(found.stuck.iter().all(|word| naive.after(word).0), "seed {seed}: {:?}", found.stuck);
    let only: BTreeSet<(StateId, String)> = found
        .only
        .iter()
        .map(|sequel| (after(assumption, &sequel.after), sequel.actions[0].clone()))
        .collect();
    assert_eq!(only, naive.only(), "seed {seed}");
    found
}

#[test]
fn consequences_are_those_of_the_definitions() {
    let mut met = [0; 4];
    for seed in seeds(2000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let alphabet = random_alphabet(rng);
        let variant = if rng.chance(1, 4) { Variant::DeadlockFree } else { Variant::Weakest };
        let Requirement::Assumption(assumption) = constructed(&open, &alphabet, variant) else { continue };
        let found = check(&open.components, &assumption, seed);
        let is_met = [
            !found.never.is_empty(),
            !found.never_again.is_empty(),
            found.stuck.is_some(),
            !found.only.is_empty(),
        ];
        for (count, is_met) in met.iter_mut().zip(is_met) {
            *count += usize::from(is_met);
        }
    }
    assert!(met.iter().all(|&count| count > 50) || is_single_seed(), "{met:?}");
}

/// Section 3.4: a deadlock-free assumption leaves no component stuck, not even one that chooses by itself, in secret.
#[test]
fn a_deadlock_free_assumption_leaves_nobody_stuck() {
    let mut stuck = 0;
    for seed in seeds(6000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let alphabet = random_alphabet(rng);
        let ask = |variant| match constructed(&open, &alphabet, variant) {
            Requirement::Assumption(assumption) => check(&open.components, &assumption, seed).stuck,
            Requirement::Nothing | Requirement::Impossible => None,
        };
        assert_eq!(ask(Variant::DeadlockFree), None, "seed {seed}");
        stuck += usize::from(ask(Variant::Weakest).is_some());
    }
    assert!(stuck > 50 || is_single_seed(), "{stuck}");
}

/// The weakest assumption lies between what is certainly allowed and what is not certainly forbidden, however early
/// the construction is ended; and so the answers about environments are right.
#[test]
fn what_is_certain_is_so() {
    let mut parts = 0;
    let mut decided = [0; 2];
    for seed in seeds(16000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let environment =
            vec![Component { name: "E".into(), lts: Arc::new(networks::component(rng, &PART)) }];
        let alphabet = interface(&open.components, &open.goal, &environment);
        let limits = Limits { states: Some(1 + rng.below(12)), bytes: None };
        let budget = Budget::new(limits, None);
        let effort = &mut Effort::default();
        let is_early = rng.chance(1, 2);
        let found = if is_early {
            certain(&Network::new(open.all()), &alphabet, &budget, effort)
        } else {
            match weakest(&open.components, &open.goal, &alphabet, Variant::Weakest, &budget, effort) {
                Ok(_) => continue,
                Err(interrupted) => {
                    interrupted.certain(&open.components, &open.goal, &alphabet, &budget, effort)
                }
            }
        };
        let whole = constructed(&open, &alphabet, Variant::Weakest).assumption(&alphabet);
        match found {
            Certain::Nothing => {}
            Certain::All(requirement) => {
                let found = requirement.assumption(&alphabet);
                assert_eq!(found.as_ref().map(rows), whole.as_ref().map(rows), "seed {seed}");
            }
            Certain::Part(Partial { enough, needed, open: left, .. }) => {
                let whole = whole.unwrap_or_else(|| panic!("seed {seed}: no environment is good enough"));
                assert!(left > 0);
                assert!(enough.dfa().is_included_in(&whole.dfa()), "seed {seed}");
                assert!(whole.dfa().is_included_in(&needed.dfa()), "seed {seed}");
                parts += 1;
                let breaks = |assumption: &Assumption| {
                    naive::fails(&[environment.clone(), vec![assumption.property("A")]].concat())
                };
                let fails = naive::fails(&[open.all(), environment.clone()].concat());
                if !breaks(&enough) {
                    assert!(!fails, "seed {seed}");
                    decided[0] += 1;
                }
                if breaks(&needed) {
                    assert!(fails, "seed {seed}");
                    decided[1] += 1;
                }
            }
        }
    }
    assert!(
        (parts > 200 && decided.iter().all(|&count| count > 20)) || is_single_seed(),
        "{parts} {decided:?}"
    );
}
