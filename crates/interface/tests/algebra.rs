//! The laws of the algebra, for random automata.

use std::sync::Arc;

use rely_base::Budget;
use rely_interface::{
    Aim, Effort, Part, Problem, Question, Refusal, System, check_consistent, compose, conjoin, determinised,
    quotient,
};
use rely_lts::{InterfaceAutomaton, Role};
use rely_testkit::interfaces::{self, Shape, Signature, from_marked};
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn refines(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    naive::refines(one, other, true)
}

fn random(rng: &mut Rng, signature: &[(String, Role)], shape: &Shape) -> InterfaceAutomaton {
    let percent = 30 + rng.below(70);
    interfaces::automaton(rng, signature, &Shape { states: 3, percent, ..*shape })
}

fn signature_of(automaton: &InterfaceAutomaton) -> Signature {
    let alphabet = automaton.lts().alphabet();
    alphabet.iter().map(|(action, name)| (name.to_owned(), automaton.role(action))).collect()
}

/// A signature without internal actions.
fn random_signature(rng: &mut Rng, names: &[&str]) -> Signature {
    let mut signature = Signature::new();
    for name in names {
        match rng.below(5) {
            0 | 1 => signature.push(((*name).to_owned(), Role::Input)),
            2 | 3 => signature.push(((*name).to_owned(), Role::Output)),
            _ => {}
        }
    }
    signature
}

fn is_plain(automaton: &InterfaceAutomaton) -> bool {
    automaton.lts().is_deterministic() && automaton.actions(Role::Internal).next().is_none()
}

/// Counts yes and no.
#[derive(Default, Debug)]
struct Count([usize; 2]);

impl Count {
    fn add(&mut self, answer: bool) {
        self.0[usize::from(answer)] += 1;
    }

    fn assert_enough(&self, least: usize) {
        assert!(is_single_seed() || self.0.iter().all(|&count| count > least), "{self:?}");
    }
}

#[test]
fn the_mirror_turns_refinement_around() {
    let mut count = Count::default();
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let signature = random_signature(&mut rng, &["a", "b", "c"]);
        let [one, other] = [0; 2].map(|_| random(&mut rng, &signature, &Shape::DETERMINISTIC));
        let expected = refines(&one, &other);
        assert_eq!(refines(&other.mirror(), &one.mirror()), expected, "seed {seed}");
        // The mirror is the most permissive environment.
        let together = [one.mirror(), other.clone()];
        let is_compatible = naive::distance_to_illegal(&together, false, false).is_none();
        assert_eq!(refines(&one.mirror(), &other.mirror()), is_compatible, "seed {seed}");
        count.add(expected);
    }
    count.assert_enough(300);
}

#[test]
fn the_deterministic_form_is_the_strongest_plain_contract() {
    let mut count = Count::default();
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let mut signature = random_signature(&mut rng, &["a", "b", "c"]);
        let plain = random(&mut rng, &signature, &Shape::DETERMINISTIC);
        signature.push(("h".to_owned(), Role::Internal));
        let automaton = random(&mut rng, &signature, &Shape::ANY);
        let deterministic = determinised(&automaton, &Budget::UNLIMITED).expect("no limit");
        assert!(is_plain(&deterministic), "seed {seed}");
        assert!(refines(&automaton, &deterministic), "seed {seed}");
        let expected = refines(&automaton, &plain);
        assert_eq!(refines(&deterministic, &plain), expected, "seed {seed}");
        count.add(expected);
    }
    count.assert_enough(300);
}

#[test]
fn the_composition_is_compatible_with_what_the_system_is() {
    let mut count = Count::default();
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let signatures = interfaces::signatures(&mut rng, 3, &["a", "b", "c", "d", "e"], false);
        let parts = [0, 1, 2].map(|i: usize| random(&mut rng, &signatures[i], &Shape::ANY));
        let inside = parts[..2].iter().map(|part| Part::new("M", part.clone())).collect();
        let system = System::new(inside, Vec::new()).expect("they can be composed");
        let composed = compose(&system, &Budget::UNLIMITED, &mut Effort::default()).expect("no limit");
        let expected = naive::distance_to_illegal(&parts, false, false).is_none();
        let found = composed.is_some_and(|composed| {
            assert!(is_plain(&composed), "seed {seed}");
            naive::distance_to_illegal(&[composed, parts[2].clone()], false, false).is_none()
        });
        assert_eq!(found, expected, "seed {seed}");
        count.add(expected);
    }
    count.assert_enough(300);
}

#[test]
fn the_conjunction_is_the_greatest_lower_bound() {
    let mut count = Count::default();
    let mut disputed = 0;
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let names = ["a", "b", "c"];
        let first = random_signature(&mut rng, &names);
        let second = if rng.chance(1, 2) { first.clone() } else { random_signature(&mut rng, &names) };
        let one = random(&mut rng, &first, &Shape::DETERMINISTIC);
        let other = random(&mut rng, &second, &Shape::DETERMINISTIC);
        let both = match conjoin(&[&one, &other], &Budget::UNLIMITED) {
            Ok(both) => both,
            Err(refusal) => {
                // What one receives and the other sends cannot be refined by anything.
                assert!(matches!(refusal, Refusal::Disputed(_)), "seed {seed}: {refusal:?}");
                let like = random_signature(&mut rng, &names);
                let below = random(&mut rng, &like, &Shape::ANY);
                assert!(!(refines(&below, &one) && refines(&below, &other)), "seed {seed}");
                disputed += 1;
                continue;
            }
        };
        assert!(is_plain(&both), "seed {seed}");
        assert!(refines(&both, &one) && refines(&both, &other), "seed {seed}: no lower bound");
        let like = if rng.chance(3, 4) { signature_of(&both) } else { random_signature(&mut rng, &names) };
        let below = random(&mut rng, &like, &Shape::ANY);
        let expected = refines(&below, &one) && refines(&below, &other);
        // An output that only one of them has is not in the conjunction. An automaton that receives it does not refine
        // that one.
        let receives = |name: &str| below.role_named(name) == Some(Role::Input);
        if [&one, &other].iter().any(|contract| contract.names(Role::Output).names().any(receives)) {
            assert!(!expected, "seed {seed}");
            continue;
        }
        assert_eq!(refines(&below, &both), expected, "seed {seed}: not the greatest");
        count.add(expected);
    }
    count.assert_enough(300);
    assert!(is_single_seed() || disputed > 300, "{disputed}");
}

#[test]
fn the_quotient_is_what_is_missing() {
    let (mut count, mut none) = (Count::default(), 0);
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        // The part, what is missing, and the environment.
        let signatures = interfaces::signatures(&mut rng, 3, &["a", "b", "c", "d", "e"], false);
        let part = random(&mut rng, &signatures[0], &Shape::ANY);
        let visible = |signature: &Signature| -> Signature {
            signature.iter().filter(|(_, role)| *role != Role::Internal).cloned().collect()
        };
        let mirrored: Signature =
            visible(&signatures[2]).into_iter().map(|(name, role)| (name, role.mirrored())).collect();
        let specification = random(&mut rng, &mirrored, &Shape::DETERMINISTIC);
        let missing = random(&mut rng, &visible(&signatures[1]), &Shape::ANY);
        let parts = vec![Part::new("A", part.clone()), Part::new("X", missing.clone())];
        let problem = Problem {
            system: System::new(parts, Vec::new()).expect("they can be composed"),
            aim: Aim::Refines(Arc::new(specification.clone())),
            question: Question::default(),
        };
        let (decision, _) = problem.check(&Budget::UNLIMITED).expect("no mistake");
        let expected = decision.verdict.holds();
        // From the definition: the closed system with the mirror of the specification has no illegal states.
        let closed = [part.clone(), missing.clone(), specification.mirror()];
        assert_eq!(naive::distance_to_illegal(&closed, false, false).is_none(), expected, "seed {seed}");
        if expected {
            assert!(refines(&naive::compose(&closed[..2]), &specification), "seed {seed}");
        }
        let quotient = quotient(&specification, &part, &Budget::UNLIMITED, &mut Effort::default());
        let quotient = quotient.expect("it is defined");
        none += usize::from(quotient.is_none());
        let found = quotient.is_some_and(|quotient| refines(&missing, &quotient));
        assert_eq!(found, expected, "seed {seed}");
        count.add(expected);
    }
    count.assert_enough(300);
    assert!(is_single_seed() || none > 100, "{none}");
}

#[test]
fn what_has_no_quotient_or_conjunction_is_refused() {
    let plain = from_marked(1, &[], &["x!"]);
    let choosing = from_marked(2, &[(0, "x!", 0), (0, "x!", 1)], &[]);
    let silent = from_marked(1, &[(0, "h;", 0)], &["x!"]);
    let unlimited = Budget::UNLIMITED;
    for bad in [&choosing, &silent] {
        assert_eq!(conjoin(&[&plain, bad], &unlimited), Err(Refusal::NotPlain(1)));
        let refused = quotient(bad, &plain, &unlimited, &mut Effort::default());
        assert_eq!(refused, Err(Refusal::NotPlain(0)));
    }
    let receiving = from_marked(1, &[], &["x?"]);
    let refused = quotient(&receiving, &plain, &unlimited, &mut Effort::default());
    assert!(matches!(refused, Err(Refusal::Conflicts(conflicts)) if conflicts.len() == 1));
}

#[test]
fn an_input_outside_of_one_contract_makes_it_void() {
    // One accepts a and then sends x, the other accepts b and then sends y; x and y are outputs of both.
    let one = from_marked(2, &[(0, "a?", 1), (1, "x!", 0)], &["b?", "y!"]);
    let other = from_marked(2, &[(0, "b?", 1), (1, "y!", 0)], &["a?", "x!"]);
    let both = conjoin(&[&one, &other], &Budget::UNLIMITED).expect("they are plain");
    let words = [vec!["a", "x", "a"], vec!["b", "y", "b"]];
    for word in words {
        let word: Vec<String> = word.into_iter().map(str::to_owned).collect();
        assert!(naive::is_trace(&both, &word), "{word:?}");
    }
    assert!(!naive::is_trace(&both, &["a".to_owned(), "y".to_owned()]));
}

#[test]
fn contracts_that_stand_in_each_others_way() {
    let alternating = from_marked(2, &[(0, "x!", 1), (1, "y!", 0)], &[]);
    let only_x = from_marked(1, &[(0, "x!", 0)], &["y!"]);
    let found = check_consistent(&[&alternating, &only_x], &Budget::UNLIMITED).expect("they are plain");
    assert_eq!(found.dead_end, Some(vec!["x".to_owned()]));
    // A contract that ends by itself is not in the way of another.
    let once = from_marked(2, &[(0, "x!", 1)], &["y!"]);
    let found = check_consistent(&[&alternating, &once], &Budget::UNLIMITED).expect("they are plain");
    assert!(found.holds(), "{found:?}");
    let receiving = from_marked(1, &[(0, "y?", 0)], &["x!"]);
    let found = check_consistent(&[&alternating, &receiving], &Budget::UNLIMITED).expect("they are plain");
    assert_eq!(found.disputed, ["y"]);
}

/// A dead end is one from the definition: the contracts that are not void can all go on, and nothing is possible in the
/// conjunction.
#[test]
fn dead_ends_are_dead_ends() {
    let mut count = Count::default();
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let signature = random_signature(&mut rng, &["a", "b", "c"]);
        let contracts = [0; 2].map(|_| random(&mut rng, &signature, &Shape::DETERMINISTIC));
        let both = conjoin(&[&contracts[0], &contracts[1]], &Budget::UNLIMITED).expect("they are plain");
        let found = check_consistent(&[&contracts[0], &contracts[1]], &Budget::UNLIMITED).expect("plain");
        let letters: Vec<String> = both.lts().alphabet().names().map(str::to_owned).collect();
        let goes_on = |automaton: &InterfaceAutomaton, word: &[String]| {
            letters
                .iter()
                .any(|letter| naive::is_trace(automaton, &[word, std::slice::from_ref(letter)].concat()))
        };
        let is_dead_end = |word: &Vec<String>| {
            let can =
                |contract: &InterfaceAutomaton| !naive::is_trace(contract, word) || goes_on(contract, word);
            naive::is_trace(&both, word) && !goes_on(&both, word) && contracts.iter().all(can)
        };
        let expected = naive::words(&letters, 4).into_iter().find(|word| is_dead_end(word));
        match (&found.dead_end, expected) {
            (Some(word), Some(shortest)) => {
                assert!(is_dead_end(word) && word.len() == shortest.len(), "seed {seed}: {word:?}");
            }
            (None, Some(word)) => panic!("seed {seed}: {word:?} is a dead end"),
            (Some(word), None) => assert!(word.len() > 4 && is_dead_end(word), "seed {seed}: {word:?}"),
            (None, None) => {}
        }
        count.add(found.dead_end.is_some());
    }
    count.assert_enough(30);
}
