//! Refinement against its definition: the game, and reachability where it applies.

use rely_base::{Budget, Limits};
use rely_interface::{
    Failure, Method, Mismatch, Move, Offence, Refinement, Refutation, check_refinement,
    check_refinement_by_game,
};
use rely_lts::{InterfaceAutomaton, Role};
use rely_testkit::generate::{Special, all_ltss};
use rely_testkit::interfaces::{self, Shape, from_marked, signature};
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod messaging;
use messaging::{c_1, c_3, e_bad, e_good, env};

fn refines(implementation: &InterfaceAutomaton, specification: &InterfaceAutomaton) -> bool {
    let found = check_refinement(implementation, specification, &Budget::UNLIMITED);
    found.expect("no mistake").0.holds()
}

#[test]
fn the_channel_refines_the_environments_that_are_said() {
    assert!(refines(&env(), &e_bad()));
    assert!(refines(&env(), &e_good()));
    assert!(!refines(&env(), &c_1()));
    // Not as in example 5 of the paper: the good environment refines this one, so the channel does by theorem 1.
    assert!(refines(&e_good(), &c_3()));
    assert!(refines(&env(), &c_3()));
    let found = check_refinement(&env(), &c_1(), &Budget::UNLIMITED).expect("no mistake");
    let Refinement::Fails(failure) = found.0 else { panic!("acknowledging is not allowed") };
    let Failure::Behaviour(refutation) = *failure else { panic!("the signatures fit") };
    let sent: Vec<&str> = refutation.moves.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(sent, ["send"]);
    // Two things are wrong after a message has been sent.
    let offence = (refutation.action.as_str(), refutation.offence);
    assert!([("send", Offence::InputRefused), ("ack", Offence::OutputNotAllowed)].contains(&offence));
}

#[test]
fn signatures_are_compared_first() {
    let implementation = from_marked(1, &[], &["a?", "x!"]);
    let specification = from_marked(1, &[], &["b?", "y!"]);
    let (found, method, _) =
        check_refinement(&implementation, &specification, &Budget::UNLIMITED).expect("no mistake");
    assert_eq!(method, Method::Signature);
    let mismatches = vec![Mismatch::InputMissing("b".into()), Mismatch::OutputAdded("x".into())];
    assert_eq!(found.failure(), Some(&Failure::Signature(mismatches)));
}

/// A receiver of x cannot be composed with the implementation, which receives x, too.
#[test]
fn what_is_sent_by_one_and_received_by_the_other_is_no_refinement() {
    let receiver = from_marked(1, &[(0, "x?", 0)], &[]);
    let sender = from_marked(1, &[(0, "x!", 0)], &[]);
    for (implementation, specification) in [(&receiver, &sender), (&sender, &receiver)] {
        let (found, method, _) =
            check_refinement(implementation, specification, &Budget::UNLIMITED).expect("no mistake");
        assert_eq!((found.holds(), method), (false, Method::Signature));
    }
    let turned = Failure::Signature(vec![Mismatch::Turned("x".into())]);
    let found = check_refinement(&receiver, &sender, &Budget::UNLIMITED).expect("no mistake").0;
    assert_eq!(found.failure(), Some(&turned));
}

/// Pairs of signatures: equal, with more inputs and fewer outputs, with fewer inputs, with more outputs, with an output that has
/// become an input.
fn random_pair(rng: &mut Rng, specification_shape: &Shape) -> (InterfaceAutomaton, InterfaceAutomaton) {
    let internal: &[&str] = if rng.chance(1, 2) { &["h"] } else { &[] };
    let implementation = match rng.below(10) {
        0 => signature(&["a", "b", "e"], &["x"], internal),
        1 => signature(&["a"], &["x", "y"], internal),
        2 => signature(&["a", "b"], &["x", "y", "z"], internal),
        3 => signature(&["a", "b", "y"], &["x"], internal),
        _ => signature(&["a", "b"], &["x", "y"], internal),
    };
    let own: &[&str] = match rng.below(4) {
        _ if specification_shape.deterministic && rng.chance(2, 3) => &[],
        0 => &["h"],
        _ => &["i"],
    };
    let specification = signature(&["a", "b"], &["x", "y"], own);
    let (few, many) = (20 + rng.below(40), 50 + rng.below(50));
    // An automaton that accepts much and sends little refines one that accepts little and sends much; mix them.
    let (first, second) = if rng.chance(1, 2) { (few, many) } else { (many, many) };
    let first = interfaces::automaton(rng, &implementation, &Shape { percent: first, ..Shape::ANY });
    let second =
        interfaces::automaton(rng, &specification, &Shape { percent: second, ..*specification_shape });
    (first, second)
}

#[test]
fn refinement_is_that_of_the_definition() {
    // By method and answer.
    let mut counts = [[0; 2]; 2];
    let mut signatures = [0; 2];
    for seed in seeds(12_000) {
        let mut rng = Rng::new(seed);
        let shape = if rng.chance(1, 2) { Shape::DETERMINISTIC } else { Shape::ANY };
        let (mut implementation, mut specification) = random_pair(&mut rng, &shape);
        if rng.chance(1, 5) {
            // Something that surely refines, or nearly.
            std::mem::swap(&mut implementation, &mut specification);
        }
        if rng.chance(1, 10) {
            implementation = specification.clone();
        }
        let expected = naive::refines(&implementation, &specification, true);
        // Whether internal steps after an action belong to it makes no difference.
        assert_eq!(naive::refines(&implementation, &specification, false), expected, "seed {seed}");
        let (found, method, _) =
            check_refinement(&implementation, &specification, &Budget::UNLIMITED).expect("no mistake");
        assert_eq!(found.holds(), expected, "seed {seed}, {method:?}");
        let (game, _) = check_refinement_by_game(&implementation, &specification, &Budget::UNLIMITED);
        assert_eq!(game.holds(), expected, "seed {seed}, the game");
        for answer in [&found, &game] {
            if let Some(Failure::Behaviour(refutation)) = answer.failure() {
                assert_refutes(&implementation, &specification, refutation, seed);
            }
        }
        match method {
            Method::Signature => signatures[usize::from(expected)] += 1,
            Method::Reachability => counts[0][usize::from(expected)] += 1,
            Method::Game => counts[1][usize::from(expected)] += 1,
        }
    }
    let enough = counts.iter().flatten().all(|&count| count > 200);
    assert!(is_single_seed() || enough, "{counts:?}");
    assert!(signatures[1] == 0 && (is_single_seed() || signatures[0] > 500), "{signatures:?}");
}

/// All pairs of tiny automata: one input, one output, and internal steps where there are few enough.
#[test]
fn refinement_of_all_tiny_automata() {
    let automata = |states: usize| -> Vec<InterfaceAutomaton> {
        let role = |name: &str| if name == "a" { Role::Input } else { Role::Output };
        all_ltss(states, 2, Special::NONE).map(|lts| InterfaceAutomaton::with_roles(lts, role)).collect()
    };
    let (ones, twos) = (automata(1), automata(2));
    let is_visible = |automaton: &&InterfaceAutomaton| !automaton.lts().has_tau();
    let visible: Vec<&InterfaceAutomaton> = twos.iter().filter(is_visible).collect();
    let small = ones.iter().flat_map(|one| twos.iter().flat_map(move |two| [(one, two), (two, one)]));
    let equal = visible.iter().flat_map(|&one| visible.iter().map(move |&two| (one, two)));
    let mut counts = [0; 2];
    for (implementation, specification) in small.chain(equal) {
        let expected = naive::refines(implementation, specification, true);
        assert_eq!(naive::refines(implementation, specification, false), expected);
        let found = check_refinement(implementation, specification, &Budget::UNLIMITED);
        let holds = found.expect("no mistake").0.holds();
        assert_eq!(holds, expected, "{implementation:?}, {specification:?}");
        let game = check_refinement_by_game(implementation, specification, &Budget::UNLIMITED);
        assert_eq!(game.0.holds(), expected, "{implementation:?}, {specification:?}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// What a refutation says is so: the moves are moves of both, and the last action is not matched.
fn assert_refutes(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    refutation: &Refutation,
    seed: u64,
) {
    let (mut a, mut b) = (implementation.lts().initial(), specification.lts().initial());
    for Move { action, role, implementation: to, specification: answer, answers } in &refutation.moves {
        assert_eq!(implementation.role_named(action), Some(*role), "seed {seed}");
        let targets = naive::destinations(specification, b, action, true);
        assert!(naive::destinations(implementation, a, action, true).contains(to), "seed {seed}");
        assert!(targets.contains(answer) && targets.len() == *answers, "seed {seed}");
        (a, b) = (*to, *answer);
    }
    let Refutation { action, offence, .. } = refutation;
    let state = refutation.implementation;
    assert!(naive::closure(implementation, a).contains(&state), "seed {seed}");
    assert_eq!(refutation.specification, b, "seed {seed}");
    match offence {
        Offence::InputRefused => {
            assert!(naive::sure_inputs(specification, b).contains(action), "seed {seed}");
            assert!(!naive::is_enabled(implementation, state, action), "seed {seed}");
        }
        Offence::OutputNotAllowed => {
            assert!(naive::is_enabled(implementation, state, action), "seed {seed}");
            assert!(!naive::possible_outputs(specification, b).contains(action), "seed {seed}");
        }
    }
}

#[test]
fn the_specification_may_choose() {
    // After a, the specification sends x or else y; the implementation is sure to send x.
    let specification = from_marked(4, &[(0, "a?", 1), (0, "a?", 2), (1, "x!", 3), (2, "y!", 3)], &[]);
    let implementation = from_marked(3, &[(0, "a?", 1), (1, "x!", 2)], &["y!"]);
    assert!(refines(&implementation, &specification));
    // It sends both, one after the other: no single choice of the specification does.
    let both = from_marked(3, &[(0, "a?", 1), (1, "x!", 2), (1, "y!", 2)], &[]);
    let (found, method, _) = check_refinement(&both, &specification, &Budget::UNLIMITED).expect("no mistake");
    assert_eq!(method, Method::Game);
    let Some(Failure::Behaviour(refutation)) = found.failure() else { panic!("both are not allowed") };
    assert_eq!(refutation.moves.len(), 1);
    assert_eq!((refutation.moves[0].role, refutation.moves[0].answers), (Role::Input, 2));
}

/// Both choices are wrong, one at once and the other later: the later one is shown.
#[test]
fn the_specification_holds_out_as_long_as_it_can() {
    let specification = from_marked(5, &[(0, "a?", 1), (0, "a?", 2), (2, "x!", 3)], &["y!"]);
    let implementation = from_marked(4, &[(0, "a?", 1), (1, "x!", 2), (2, "y!", 3)], &[]);
    let (found, _) = check_refinement_by_game(&implementation, &specification, &Budget::UNLIMITED);
    let Some(Failure::Behaviour(refutation)) = found.failure() else { panic!("y is not allowed") };
    let actions: Vec<&str> = refutation.moves.iter().map(|step| step.action.as_str()).collect();
    assert_eq!((actions, refutation.action.as_str()), (vec!["a", "x"], "y"));
}

#[test]
fn limits_are_met() {
    let budget = Budget::new(Limits { states: Some(1), bytes: None }, None);
    let specification = from_marked(4, &[(0, "a?", 1), (0, "a?", 2), (1, "x!", 3), (2, "y!", 3)], &[]);
    let (found, _) = check_refinement_by_game(&specification, &specification, &budget);
    assert!(matches!(found, Refinement::Unknown(_)));
}

/// Many internal steps in a row have closures of quadratic size, which count.
#[test]
fn closures_count_against_the_limit() {
    let chain: Vec<(usize, &str, usize)> = (0..3000).map(|state| (state, "h;", state + 1)).collect();
    let chain = from_marked(3001, &chain, &["a!"]);
    let budget = |bytes| Budget::new(Limits { states: None, bytes: Some(bytes) }, None);
    let play = |bytes| check_refinement_by_game(&chain, &chain, &budget(bytes)).0;
    assert_eq!(play(10 << 20), Refinement::Refines);
    let step = from_marked(2, &[(0, "a!", 1)], &[]);
    let sender = [(0..3000).map(|state| (state, "h;", state + 1)).collect(), vec![(3000, "a!", 0)]].concat();
    let sender = from_marked(3001, &sender, &[]);
    let play = |bytes| check_refinement_by_game(&sender, &step, &budget(bytes)).0;
    assert!(matches!(play(10 << 20), Refinement::Unknown(_)));
    assert!(matches!(play(1 << 30), Refinement::Fails(_)));
}
