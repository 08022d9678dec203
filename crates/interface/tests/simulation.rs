//! Certificates of refinement: what the judge says to pairs of states is what definition 7 says of them.

mod messaging;

use std::collections::BTreeSet;

use rely_base::{Budget, Id, StateId};
use rely_certificate::{Claim, Evidence, Refinement, Rejection, StateTable, check_refinement};
use rely_interface::{alternating_simulation, simulation_evidence};
use rely_lts::{InterfaceAutomaton, Role};
use rely_testkit::interfaces::{self, Shape, from_marked, signature};
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

type Pairs = BTreeSet<(StateId, StateId)>;

/// Definition 7 for a given relation, and that it has the initial states in it.
fn is_simulation(pairs: &Pairs, a: &InterfaceAutomaton, b: &InterfaceAutomaton) -> bool {
    let holds = |&(p, q): &(StateId, StateId)| {
        let (inputs, outputs) = (naive::sure_inputs(b, q), naive::possible_outputs(a, p));
        naive::sure_inputs(a, p).is_superset(&inputs)
            && outputs.is_subset(&naive::possible_outputs(b, q))
            && inputs.union(&outputs).all(|name| {
                let answers = naive::destinations(b, q, name, true);
                let moves = naive::destinations(a, p, name, true);
                moves.iter().all(|&to| answers.iter().any(|&answer| pairs.contains(&(to, answer))))
            })
    };
    pairs.contains(&(a.lts().initial(), b.lts().initial())) && pairs.iter().all(holds)
}

fn refinement<'a>(a: &'a InterfaceAutomaton, b: &'a InterfaceAutomaton) -> Refinement<'a> {
    Refinement { implementation: ("A", a), specification: ("B", b) }
}

fn evidence(pairs: &Pairs) -> Evidence {
    let mut table = StateTable::new(2, 0);
    pairs.iter().for_each(|(a, b)| table.push([a.raw(), b.raw()]));
    Evidence::Simulation { pairs: table.encode() }
}

fn judged(refinement: &Refinement<'_>, evidence: Evidence) -> Result<(), Rejection> {
    check_refinement(&refinement.claim("Q", evidence), refinement, &Budget::UNLIMITED)
}

fn found(a: &InterfaceAutomaton, b: &InterfaceAutomaton) -> Option<Pairs> {
    let pairs = alternating_simulation(a, b, &Budget::UNLIMITED).expect("there is no limit");
    pairs.map(|pairs| pairs.into_iter().collect())
}

fn random_pair(rng: &mut Rng) -> [InterfaceAutomaton; 2] {
    let (few, many) = (15 + rng.below(45), 50 + rng.below(50));
    let of_a = signature(&["a", "b"], &["x"], &["h"]);
    let of_b = signature(if rng.chance(1, 3) { &["a"] } else { &["a", "b"] }, &["x", "y"], &["h"]);
    let a = interfaces::automaton(rng, &of_a, &Shape { percent: few, ..Shape::ANY });
    let b = interfaces::automaton(rng, &of_b, &Shape { percent: many, ..Shape::ANY });
    if rng.chance(1, 3) { [a.clone(), a] } else { [a, b] }
}

#[test]
fn the_judge_accepts_what_is_a_simulation_and_nothing_else() {
    let (mut proved, mut rejected, mut spared) = (0, 0, 0);
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let [a, b] = random_pair(&mut rng);
        let refinement = refinement(&a, &b);
        let Some(pairs) = found(&a, &b) else {
            assert!(!naive::refines(&a, &b, true), "seed {seed}: there is a simulation");
            // Nothing that one may think of shows what is not true.
            let all = |p| b.lts().states().map(move |q| (p, q));
            let all: Pairs = a.lts().states().flat_map(all).filter(|_| rng.chance(2, 3)).collect();
            assert!(judged(&refinement, evidence(&all)).is_err(), "seed {seed}");
            continue;
        };
        proved += 1;
        assert!(is_simulation(&pairs, &a, &b), "seed {seed}: {pairs:?}");
        assert_eq!(judged(&refinement, evidence(&pairs)), Ok(()), "seed {seed}");
        let made = simulation_evidence(&refinement, &Budget::UNLIMITED).expect("there is no limit");
        assert_eq!(made, Some(evidence(&pairs)), "seed {seed}");
        for changed in changes(&mut rng, &pairs, [&a, &b]) {
            let is_one = is_simulation(&changed, &a, &b);
            let accepted = judged(&refinement, evidence(&changed)).is_ok();
            assert_eq!(accepted, is_one, "seed {seed}: {changed:?} instead of {pairs:?}");
            *(if accepted { &mut spared } else { &mut rejected }) += 1;
        }
    }
    assert!(
        is_single_seed() || (proved > 500 && rejected > 1000 && spared > 100),
        "{proved} {rejected} {spared}"
    );
}

/// The relation without each of its pairs, and with others.
fn changes(rng: &mut Rng, pairs: &Pairs, [a, b]: [&InterfaceAutomaton; 2]) -> Vec<Pairs> {
    let without = |pair: &(StateId, StateId)| pairs.iter().copied().filter(|other| other != pair).collect();
    let mut changed: Vec<Pairs> = pairs.iter().map(without).collect();
    for _ in 0..3 {
        let any = |automaton: &InterfaceAutomaton, rng: &mut Rng| {
            StateId::from_index(rng.below(automaton.lts().state_count()))
        };
        let one_more = (any(a, rng), any(b, rng));
        changed.push(pairs.iter().copied().chain([one_more]).collect());
    }
    changed
}

#[test]
fn the_channel_in_place_of_the_good_environment() {
    let (env, good) = (messaging::env(), messaging::e_good());
    let pairs = found(&env, &good).expect("it refines it");
    for pair in &pairs {
        let without: Pairs = pairs.iter().copied().filter(|other| other != pair).collect();
        assert!(judged(&refinement(&env, &good), evidence(&without)).is_err(), "{pair:?} is needed");
    }
    assert_eq!(found(&env, &messaging::c_1()), None);
}

/// A claim about other automata, another reading or another kind of evidence is not accepted.
#[test]
fn the_claim_has_to_be_the_question() {
    let (env, good) = (messaging::env(), messaging::e_good());
    let asked = refinement(&env, &good);
    let pairs = evidence(&found(&env, &good).expect("it refines it"));
    let claim = asked.claim("Q", pairs.clone());
    let judge =
        |claim: &Claim, refinement: &Refinement<'_>| check_refinement(claim, refinement, &Budget::UNLIMITED);
    assert_eq!(judge(&claim, &asked), Ok(()));
    assert!(matches!(judge(&claim, &refinement(&good, &env)), Err(Rejection::AnotherModel(_))));
    // Senders and receivers are not part of a transition system, but they are part of the claim.
    let mirrored = (env.mirror(), good.mirror());
    let other = refinement(&mirrored.0, &mirrored.1);
    assert!(matches!(judge(&claim, &other), Err(Rejection::AnotherProperty { .. })));
    let Evidence::Simulation { pairs } = pairs else { panic!("pairs of states") };
    let invariant = asked.claim("Q", Evidence::Invariant { states: pairs });
    assert_eq!(judge(&invariant, &asked), Err(Rejection::WrongEvidence));
}

#[test]
fn automata_that_do_not_fit_are_rejected() {
    let everything = |a: &InterfaceAutomaton, b: &InterfaceAutomaton| -> Pairs {
        a.lts().states().flat_map(|p| b.lts().states().map(move |q| (p, q))).collect()
    };
    let rejects = |a: &InterfaceAutomaton, b: &InterfaceAutomaton| {
        matches!(judged(&refinement(a, b), evidence(&everything(a, b))), Err(Rejection::BadSignature(_)))
    };
    let nothing = from_marked(1, &[], &[]);
    assert!(rejects(&nothing, &from_marked(1, &[], &["i?"])));
    assert!(rejects(&from_marked(1, &[], &["x!"]), &nothing));
    assert!(!rejects(&from_marked(1, &[], &["i?"]), &from_marked(1, &[], &["x!"])));
    assert!(rejects(&from_marked(1, &[], &["x?"]), &from_marked(1, &[], &["x!"])));
    // One that can reach its error state refines nothing, and is refined by nothing.
    let mut builder = rely_lts::LtsBuilder::with_states(rely_base::Alphabet::new(), 1);
    let error = builder.error_state();
    builder.add_transition(StateId::from_index(0), rely_base::Label::TAU, error);
    let failing = InterfaceAutomaton::with_roles(builder.build(), |_| Role::Internal);
    assert!(rejects(&failing, &nothing) && rejects(&nothing, &failing));
    // Numbers that are no states.
    let pairs = Pairs::from([
        (StateId::from_index(0), StateId::from_index(0)),
        (StateId::from_index(7), StateId::from_index(0)),
    ]);
    let result = judged(&refinement(&nothing, &nothing), evidence(&pairs));
    assert!(matches!(result, Err(Rejection::NoState(_))), "{result:?}");
}
