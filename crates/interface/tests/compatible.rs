//! Compatibility and composition against their definitions.

use rely_base::{Budget, StateId};
use rely_decide::{Verdict, replay};
use rely_interface::{Clash, Conflict, Environment, Part, Question, Receptiveness, System, check_compatible};
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{Component, InterfaceAutomaton, LtsBuilder, Role};
use rely_testkit::interfaces::{self, Shape, from_marked};
use rely_testkit::naive::interface as naive;
use rely_testkit::naive::product::tuple;
use rely_testkit::networks::from_transitions;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod messaging;
use messaging::{c_3, counter, e_bad, e_good, estimator, msg, system, usr};

fn parts_of(system: &System) -> Vec<InterfaceAutomaton> {
    system.parts().iter().map(|part| (*part.automaton).clone()).collect()
}

fn random_system(rng: &mut Rng, open: bool) -> System {
    let count = 2 + rng.below(2);
    let signatures = interfaces::signatures(rng, count, &["a", "b", "c", "d", "e"], open);
    let percent = 40 + rng.below(55);
    let shape = Shape { percent, ..Shape::ANY };
    let part = |(i, signature): (usize, &interfaces::Signature)| {
        Part::new(format!("M{i}"), interfaces::automaton(rng, signature, &shape))
    };
    System::new(signatures.iter().enumerate().map(part).collect(), Vec::new()).expect("they can be composed")
}

#[test]
fn the_messaging_system_fails_with_a_bad_channel() {
    let bad = system(&[("msg", msg()), ("usr", usr()), ("env", e_bad())]);
    let found = check_compatible(&bad, Question::default(), &Budget::UNLIMITED).expect("no mistake");
    let run = found.decision.verdict.counterexample().expect("two failures are not expected");
    assert_eq!(run.trace_names(), ["msg", "send", "nack", "send", "nack", "fail"]);
    let blame = found.blame.expect("somebody is to blame");
    assert_eq!(blame.action, "fail");
    assert_eq!(blame.sender, (0, StateId::from_raw(5)));
    assert_eq!(blame.receiver, (1, StateId::from_raw(1)));
    // Any number of nacks is too many.
    let third = system(&[("msg", msg()), ("usr", usr()), ("env", c_3())]);
    let found = check_compatible(&third, Question::default(), &Budget::UNLIMITED).expect("no mistake");
    assert!(!found.decision.verdict.holds());
    let good = system(&[("msg", msg()), ("usr", usr()), ("env", e_good())]);
    let found = check_compatible(&good, Question::default(), &Budget::UNLIMITED).expect("no mistake");
    assert!(good.is_closed() && found.decision.verdict.holds());
}

#[test]
fn an_open_system_is_compatible_if_somebody_can_help() {
    let open = system(&[("msg", msg()), ("usr", usr())]);
    assert_eq!(open.actions(Role::Input), ["ack", "nack"]);
    assert_eq!(open.actions(Role::Output), ["send"]);
    let ask = |environment| {
        let question = Question { environment, receptiveness: Receptiveness::Now };
        check_compatible(&open, question, &Budget::UNLIMITED).expect("no mistake").decision.verdict.holds()
    };
    assert!(ask(Environment::Helpful));
    assert!(!ask(Environment::Arbitrary));
}

#[test]
fn the_counter_is_not_reset() {
    let orbital = system(&[("estimator", estimator()), ("counter", counter())]);
    let question = Question { environment: Environment::Arbitrary, receptiveness: Receptiveness::Now };
    let found = check_compatible(&orbital, question, &Budget::UNLIMITED).expect("no mistake");
    let run = found.decision.verdict.counterexample().expect("the counter is full");
    let expected =
        ["refresh", "sensor_good", "increment", "get_val", "return.1", "refresh", "sensor_good", "increment"];
    assert_eq!(run.trace_names(), expected);
    assert_eq!(found.blame.expect("the estimator is to blame").sender.0, 0);
}

#[test]
fn all_conflicts_are_found() {
    let first = from_marked(1, &[], &["a?", "b!", "c;", "d?"]);
    let second = from_marked(1, &[], &["a?", "b!", "c?", "d!"]);
    let third = from_marked(1, &[], &["d?", "c;"]);
    let parts =
        [("A", first), ("B", second), ("C", third)].map(|(name, automaton)| Part::new(name, automaton));
    let conflicts = System::new(parts.to_vec(), Vec::new()).expect_err("they cannot be composed");
    let conflict =
        |action: &str, clash, first, second| Conflict { action: action.to_owned(), clash, first, second };
    assert_eq!(
        conflicts,
        [
            conflict("a", Clash::TwoReceivers, 0, 1),
            conflict("b", Clash::TwoSenders, 0, 1),
            conflict("c", Clash::Internal, 0, 1),
            conflict("d", Clash::TwoReceivers, 0, 2),
            conflict("c", Clash::Internal, 0, 2),
            conflict("c", Clash::Internal, 2, 1),
        ]
    );
}

#[test]
fn compatibility_is_that_of_the_definition() {
    let mut counts = [0; 2];
    for seed in seeds(4000) {
        let system = random_system(&mut Rng::new(seed), seed % 2 == 0);
        let parts = parts_of(&system);
        for environment in [Environment::Helpful, Environment::Arbitrary] {
            for receptiveness in [Receptiveness::Now, Receptiveness::Eventually] {
                let question = Question { environment, receptiveness };
                let found = check_compatible(&system, question, &Budget::UNLIMITED).expect("no mistake");
                let inputs = environment == Environment::Arbitrary;
                let eventually = receptiveness == Receptiveness::Eventually;
                let expected = naive::distance_to_illegal(&parts, inputs, eventually);
                match (&found.decision.verdict, expected) {
                    (Verdict::Holds(_), None) => counts[0] += 1,
                    (Verdict::Violated(run), Some(distance)) => {
                        counts[1] += 1;
                        assert_eq!(run.trace.len(), distance + 1, "seed {seed}");
                        assert_eq!(replay(&found.network, run), Ok(()), "seed {seed}");
                        let blame = found.blame.expect("a violation has somebody to blame");
                        let last = run.trace.last().expect("it ends with an action");
                        let illegal = naive::illegal_actions(&parts, &tuple(&last.before), eventually);
                        assert!(illegal.contains(&blame.action), "seed {seed}: {blame:?}");
                    }
                    (verdict, expected) => panic!("seed {seed}, {question:?}: {verdict:?}, {expected:?}"),
                }
            }
        }
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// Internal steps that a process beside the receiver takes part in are not the receiver's alone: it may be kept from them
/// for ever.
#[test]
fn a_receiver_waits_only_for_steps_of_its_own() {
    let receiver = from_marked(2, &[(0, "go;", 1), (1, "x?", 0)], &[]);
    let sender = from_marked(1, &[(0, "x!", 0)], &[]);
    let stopped = Component::new("K", LtsBuilder::with_states(["go"].into_iter().collect(), 1).build());
    let parts = || vec![Part::new("R", receiver.clone()), Part::new("T", sender.clone())];
    let question = Question { receptiveness: Receptiveness::Eventually, ..Question::default() };
    for (constraints, expected) in [(Vec::new(), true), (vec![stopped], false)] {
        let system = System::new(parts(), constraints).expect("they can be composed");
        let found = check_compatible(&system, question, &Budget::UNLIMITED).expect("no mistake");
        assert_eq!(found.decision.verdict.holds(), expected);
    }
}

#[test]
fn compatibility_beside_processes_is_that_of_the_definition() {
    let mut counts = [0; 2];
    let mut differs = 0;
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let system = random_system(&mut rng, seed % 2 == 0);
        let parts = parts_of(&system);
        let names: Vec<&str> = parts.iter().flat_map(|part| part.lts().alphabet().names()).collect();
        let steps: Vec<_> = (0..3).map(|_| (rng.below(2), *rng.pick(&names), rng.below(2))).collect();
        let constraint = from_transitions(2, &steps);
        let beside = vec![Component::new("K", constraint.clone())];
        let system = System::new(system.parts().to_vec(), beside).expect("they can be composed");
        let mut answers = Vec::new();
        for receptiveness in [Receptiveness::Now, Receptiveness::Eventually] {
            let question = Question { environment: Environment::Arbitrary, receptiveness };
            let found = check_compatible(&system, question, &Budget::UNLIMITED).expect("no mistake");
            let eventually = receptiveness == Receptiveness::Eventually;
            let beside = std::slice::from_ref(&constraint);
            let expected = naive::distance_to_illegal_under(&parts, beside, true, eventually);
            let length = found.decision.verdict.counterexample().map(|run| run.trace.len() - 1);
            assert_eq!(length, expected, "seed {seed}, {question:?}");
            counts[usize::from(expected.is_none())] += 1;
            answers.push(expected.is_none());
        }
        differs += usize::from(answers[0] != answers[1]);
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 500), "{counts:?}");
    assert!(is_single_seed() || differs > 50, "{differs}");
}

/// Theorem 3 for open systems: a helpful environment exists exactly if there is one with which the closed system
/// is compatible. All environments of one state are tried.
#[test]
fn a_helpful_environment_is_one_that_exists() {
    let mut counts = [0; 2];
    for seed in seeds(3000) {
        let system = random_system(&mut Rng::new(seed), true);
        let (takes, sends) = (system.actions(Role::Output), system.actions(Role::Input));
        let names: Vec<(String, Role)> = takes
            .iter()
            .map(|name| ((*name).to_owned(), Role::Input))
            .chain(sends.iter().map(|name| ((*name).to_owned(), Role::Output)))
            .collect();
        let environment = |enabled: usize| {
            let marked = |(name, role): &(String, Role)| format!("{name}{}", role.mark());
            let all: Vec<String> = names.iter().map(marked).collect();
            let loops: Vec<(usize, &str, usize)> = all
                .iter()
                .enumerate()
                .filter(|(i, _)| enabled >> i & 1 == 1)
                .map(|(_, name)| (0, name.as_str(), 0))
                .collect();
            from_marked(1, &loops, &all.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let exists = (0..1_usize << names.len()).any(|enabled| {
            let parts = [parts_of(&system), vec![environment(enabled)]].concat();
            naive::distance_to_illegal(&parts, false, false).is_none()
        });
        let found = check_compatible(&system, Question::default(), &Budget::UNLIMITED).expect("no mistake");
        assert_eq!(found.decision.verdict.holds(), exists, "seed {seed}");
        counts[usize::from(exists)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn composition_is_that_of_the_definition() {
    for seed in seeds(2000) {
        let system = random_system(&mut Rng::new(seed), true);
        let composed = system.compose(&Budget::UNLIMITED).expect("no limit");
        let expected = naive::compose(&parts_of(&system));
        assert_eq!(composed.lts().state_count(), expected.lts().state_count(), "seed {seed}");
        assert_eq!(composed.lts().transition_count(), expected.lts().transition_count(), "seed {seed}");
        for (action, name) in composed.lts().alphabet().iter() {
            assert_eq!(Some(composed.role(action)), expected.role_named(name), "seed {seed}");
        }
        let same = compare(composed.lts(), expected.lts(), Equivalence::Strong, &Budget::UNLIMITED);
        assert_eq!(same, Ok(true), "seed {seed}");
    }
}
