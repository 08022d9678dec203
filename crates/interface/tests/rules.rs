//! The rules: every answer is that of the whole, every proof has premises that are true, every run is one of the whole.

use std::sync::Arc;

use rely_base::{Budget, Limits, StateId};
use rely_certificate::{Evidence, InterfaceProof};
use rely_decide::{Counterexample, check_safety, replay};
use rely_interface::{
    Aim, Algorithm, Answer, Blame, Effort, Environment, Fault, Goal, Inapplicable, Plan, Problem, Question,
    Receptiveness, Source, System, environment, verify,
};
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{Component, InterfaceAutomaton, Role};
use rely_testkit::interfaces::from_marked;
use rely_testkit::naive::interface as naive;
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod messaging;
mod problems;
use messaging::{counter, e_bad, e_good, env, fixed_estimator, msg, system, usr};
use problems::{SOURCES, judged, plan, problem, proof_of, random_groups, random_problem};

fn same_behaviour(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    compare(one.lts(), other.lts(), Equivalence::Trace, &Budget::UNLIMITED).expect("no limit")
}

#[test]
fn learning_ends_with_the_good_environment() {
    let whole = system(&[("msg", msg()), ("usr", usr()), ("env", env())]);
    let problem = problem(whole, Aim::Compatible);
    for source in SOURCES {
        let (proof, effort) = proof_of(&problem, &plan(source, [vec![0, 1], vec![2]]));
        assert!(same_behaviour(&proof.assumption, &e_good()), "{source:?}: {:?}", proof.assumption);
        assert_eq!(proof.assumption.lts().state_count(), 4);
        assert_eq!(proof.assumption.role_named("send"), Some(Role::Input));
        assert_eq!(proof.assumption.role_named("nack"), Some(Role::Output));
        // Four in the paper, whose third one is wrong on a word that has been seen before. The book says how many.
        let conjectures = match source {
            Source::Direct => 0,
            Source::Learn(Algorithm::Adaptive) => 1,
            Source::Learn(_) => 3,
        };
        assert_eq!(effort.conjectures, conjectures, "{source:?}: {effort:?}");
    }
}

#[test]
fn the_most_permissive_environment_is_the_good_one() {
    let open = system(&[("msg", msg()), ("usr", usr())]);
    let found = environment(&open, Receptiveness::Now, &Budget::UNLIMITED, &mut Effort::default());
    let found = found.expect("no limit").expect("there is one");
    assert!(same_behaviour(&found, &e_good()));
    assert_eq!(found.names(Role::Input).sorted_names(), ["send"]);
}

#[test]
fn the_corrected_estimator_is_proved() {
    let parts = [("estimator", fixed_estimator()), ("counter", counter())];
    let question = Question { environment: Environment::Arbitrary, receptiveness: Receptiveness::Now };
    let fixed = Problem { system: system(&parts), aim: Aim::Compatible, question };
    for source in SOURCES {
        proof_of(&fixed, &plan(source, [vec![0], vec![1]]));
        proof_of(&fixed, &plan(source, [vec![1], vec![0]]));
    }
}

/// The aim, from the definitions.
fn naive_answer(problem: &Problem) -> bool {
    let parts: Vec<InterfaceAutomaton> =
        problem.system.parts().iter().map(|part| (*part.automaton).clone()).collect();
    let constraints: Vec<_> = problem.system.constraints().iter().map(|it| (*it.lts).clone()).collect();
    let inputs = problem.question.environment == Environment::Arbitrary;
    let eventually = problem.question.receptiveness == Receptiveness::Eventually;
    let is_compatible =
        || naive::distance_to_illegal_under(&parts, &constraints, inputs, eventually).is_none();
    match &problem.aim {
        Aim::Compatible => is_compatible(),
        Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => {
            let all = naive::constrained(&parts, &constraints);
            is_compatible() && !naive::breaks(&all, &goal.components[0].lts, inputs)
        }
        Aim::Refines(specification) => {
            // The specification is an environment when it is looked at from the other side: it sends the inputs, and
            // takes the outputs.
            let mirror = specification.mirror();
            let together = [parts.clone(), vec![restricted(&mirror, &problem.system)]].concat();
            naive::distance_to_illegal_under(&together, &constraints, false, eventually).is_none()
        }
    }
}

/// The automaton without outputs that the system does not take and inputs that it does not send.
fn restricted(mirror: &InterfaceAutomaton, system: &System) -> InterfaceAutomaton {
    let lts = mirror.lts();
    let marked = |name: &str| format!("{name}{}", mirror.role_named(name).expect("its own action").mark());
    let shared = |name: &str| matches!(system.role(name), Some(Role::Input | Role::Output));
    let steps: Vec<(usize, String, usize)> = lts
        .transitions()
        .map(|step| {
            use rely_base::Id;
            (step.source.index(), lts.alphabet().label_name(step.label).to_owned(), step.target.index())
        })
        .filter(|(_, name, _)| shared(name))
        .map(|(source, name, target)| (source, marked(&name), target))
        .collect();
    let steps: Vec<(usize, &str, usize)> =
        steps.iter().map(|(source, name, target)| (*source, name.as_str(), *target)).collect();
    let all: Vec<String> = lts.alphabet().names().filter(|name| shared(name)).map(marked).collect();
    from_marked(lts.state_count(), &steps, &all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What is said to be wrong with a run is wrong with it.
fn assert_fault(problem: &Problem, run: &Counterexample, seed: u64) {
    let part = |part: usize| &*problem.system.parts()[part].automaton;
    let can = |(which, state): (usize, StateId), action: &str| naive::is_enabled(part(which), state, action);
    let is_exact = problem.question.receptiveness == Receptiveness::Now;
    match Fault::of(problem, run).expect("something is wrong") {
        Fault::Incompatible(Blame { action, sender, receiver }) => {
            assert!(can(sender, &action) && !(is_exact && can(receiver, &action)), "seed {seed}");
        }
        Fault::InputRefused { action, receiver } => {
            assert_eq!(problem.system.role(&action), Some(Role::Input), "seed {seed}");
            assert!(matches!(problem.aim, Aim::Refines(_)) && !can(receiver, &action), "seed {seed}");
        }
        Fault::OutputNotAllowed { action, sender } => {
            assert_eq!(problem.system.role(&action), Some(Role::Output), "seed {seed}");
            assert!(matches!(problem.aim, Aim::Refines(_)) && can(sender, &action), "seed {seed}");
        }
        Fault::PropertyBroken { component } => {
            assert!(component >= problem.system.parts().len(), "seed {seed}");
            assert!(matches!(problem.aim, Aim::Safe(_) | Aim::CompatibleAndSafe(_)), "seed {seed}");
        }
    }
}

#[test]
fn every_rule_gives_the_answer_of_the_whole() {
    let mut counts = [[0; 2]; 4];
    let mut in_both = 0;
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let aim = usize::try_from(seed % 4).expect("a small number");
        let problem = random_problem(&mut rng, aim);
        let expected = naive_answer(&problem);
        let (decision, _) = problem.check(&Budget::UNLIMITED).expect("no mistake");
        // A property is not asked about where the parts are not compatible.
        if !matches!(problem.aim, Aim::Safe(_)) {
            assert_eq!(decision.verdict.holds(), expected, "seed {seed}: the whole");
        }
        let groups = random_groups(&mut rng, &problem);
        for source in [Source::Direct, *rng.pick(&SOURCES[1..])] {
            let answer = verify(&problem, &plan(source, groups.clone()), &Budget::UNLIMITED);
            if matches!(answer, Err(Inapplicable::NotAtOnce)) {
                assert_eq!(problem.question.receptiveness, Receptiveness::Eventually, "seed {seed}");
                assert!(!problem.system.constraints().is_empty(), "seed {seed}");
                continue;
            }
            let (answer, _) = answer.expect("the rule applies").unwrap_or_else(|mistake| {
                panic!("seed {seed}, {source:?}, {:?}: {mistake}", problem.question)
            });
            match answer {
                Answer::Proved(proof) => {
                    assert!(expected, "seed {seed}, {source:?}: proved");
                    assert!(proof.assumption.lts().is_deterministic());
                    assert_eq!(proof.compatible.is_some(), aim == 1);
                    for premise in proof.premises(&problem) {
                        let decision = check_safety(&premise, &Budget::UNLIMITED).expect("no mistake");
                        assert!(decision.verdict.holds(), "seed {seed}, {source:?}");
                    }
                    let evidence = proof.evidence(&problem);
                    if let Evidence::Interface(InterfaceProof { first, second, .. }) = &evidence {
                        in_both += usize::from(first.iter().any(|member| second.contains(member)));
                    }
                    assert_eq!(judged(&problem, evidence), Ok(()), "seed {seed}, {source:?}");
                }
                Answer::Refuted(refuted) => {
                    assert!(!expected, "seed {seed}, {source:?}: refuted");
                    assert_eq!(replay(&refuted.network, &refuted.run), Ok(()), "seed {seed}");
                    if refuted.network.components().len() == problem.components().len() {
                        assert_fault(&problem, &refuted.run, seed);
                    }
                }
                Answer::Unknown(exhausted) => panic!("seed {seed}: {exhausted}"),
            }
        }
        counts[aim][usize::from(expected)] += 1;
    }
    assert!(is_single_seed() || counts.iter().flatten().all(|&count| count > 50), "{counts:?}");
    assert!(is_single_seed() || in_both > 100, "{in_both}");
}

/// A process with actions of both groups: what it does not allow is not an error of any part.
#[test]
fn a_process_may_block_what_the_second_group_decides() {
    let whole = system(&[("msg", msg()), ("usr", usr()), ("bad", e_bad())]);
    let groups = [vec![0, 1], vec![2]];
    let once = networks::from_transitions(3, &[(0, "msg", 1), (1, "nack", 2), (1, "ok", 0), (2, "ok", 0)]);
    let twice =
        networks::from_transitions(3, &[(0, "msg", 0), (0, "nack", 1), (1, "nack", 2), (2, "nack", 2)]);
    for source in SOURCES {
        for (constraint, holds) in [(&once, true), (&twice, false)] {
            let constraint = Component::new("T", constraint.clone());
            let constrained = System::new(whole.parts().to_vec(), vec![constraint]).expect("they can");
            let problem = problem(constrained, Aim::Compatible);
            let answer = verify(&problem, &plan(source, groups.clone()), &Budget::UNLIMITED);
            let (answer, _) = answer.expect("the rule applies").expect("no mistake");
            assert_eq!(matches!(answer, Answer::Proved(_)), holds, "{source:?}");
        }
    }
}

#[test]
fn limits_and_misuse_are_answers() {
    let whole = system(&[("msg", msg()), ("usr", usr()), ("env", env())]);
    let few = Budget::new(Limits { states: Some(2), bytes: None }, None);
    let compatible = problem(whole.clone(), Aim::Compatible);
    let groups = [vec![0, 1], vec![2]];
    let answer = verify(&compatible, &plan(Source::Direct, groups.clone()), &few);
    assert!(matches!(answer, Ok(Ok((Answer::Unknown(_), _)))));
    let hasty = Plan { most_words: Some(3), ..plan(SOURCES[1], groups.clone()) };
    let answer = verify(&compatible, &hasty, &Budget::UNLIMITED);
    assert!(matches!(answer, Ok(Ok((Answer::Unknown(_), _)))));
    let bad = verify(&compatible, &plan(Source::Direct, [vec![0, 1, 2], vec![]]), &Budget::UNLIMITED);
    assert_eq!(bad.expect_err("a group is empty"), Inapplicable::BadGroups);
    let open = system(&[("msg", msg()), ("usr", usr())]);
    let property = Component::new("P", networks::property(&mut Rng::new(1), 2, &["send"]));
    let asked = problem(open.clone(), Aim::Safe(Goal::property(property)));
    assert_eq!(asked.well_posed(), Err(Inapplicable::Open));
    let question = Question { receptiveness: Receptiveness::Eventually, environment: Environment::Arbitrary };
    let answer = verify(&Problem { question, ..asked }, &plan(Source::Direct, [vec![0], vec![1]]), &few);
    assert_eq!(answer.expect_err("the property may see internal steps"), Inapplicable::NotAtOnce);
    let choosing = from_marked(2, &[(0, "send!", 0), (0, "send!", 1)], &["ack?", "nack?"]);
    let asked = problem(open, Aim::Refines(Arc::new(choosing)));
    assert_eq!(asked.well_posed(), Err(Inapplicable::SpecificationChooses));
}
