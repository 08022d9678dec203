//! The rules: every answer is that of the whole, every proof has premises that are true, every run is one of the whole.

use std::sync::Arc;

use rely_base::{Budget, Limits, StateId};
use rely_certificate::{Claim, Evidence, InterfaceProof, Property, Rejection, check};
use rely_decide::{Counterexample, check_safety, replay};
use rely_interface::{
    Aim, Algorithm, Answer, Blame, Effort, Environment, Fault, Goal, Inapplicable, Part, Plan, Problem,
    Proof, Question, Receptiveness, Source, System, environment, verify,
};
use rely_lts::equivalence::{Equivalence, compare};
use rely_lts::{Component, InterfaceAutomaton, Network, Role};
use rely_testkit::interfaces::{self, Shape, from_marked};
use rely_testkit::naive::interface as naive;
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod messaging;
use messaging::{c_1, counter, e_bad, e_good, env, fixed_estimator, msg, system, usr};

const SOURCES: [Source; 5] = [
    Source::Direct,
    Source::Learn(Algorithm::LStar),
    Source::Learn(Algorithm::DiscriminationTree),
    Source::Learn(Algorithm::LSharp),
    Source::Learn(Algorithm::Adaptive),
];

fn plan(source: Source, groups: [Vec<usize>; 2]) -> Plan {
    Plan { source, groups, most_words: None }
}

fn proof_of(problem: &Problem, plan: &Plan) -> (Proof, Effort) {
    let (answer, effort) =
        verify(problem, plan, &Budget::UNLIMITED).expect("the rule applies").expect("no mistake");
    match answer {
        Answer::Proved(proof) => (proof, effort),
        other => panic!("not proved: {other:?}"),
    }
}

fn problem(system: System, aim: Aim) -> Problem {
    Problem { system, aim, question: Question::default() }
}

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
        // Four in the paper, whose third one is wrong on a word that has been seen before.
        if source == Source::Learn(Algorithm::LStar) {
            assert_eq!(effort.conjectures, 3);
        }
        assert!(effort.conjectures <= 4, "{source:?}: {effort:?}");
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

/// A random problem with one of the aims.
fn random_problem(rng: &mut Rng, aim: usize) -> Problem {
    let count = 2 + rng.below(2);
    let open = aim == 3 || rng.chance(1, 3);
    let names = ["a", "b", "c", "d", "e"];
    let signatures = interfaces::signatures(rng, count, &names, open);
    let shape = Shape { percent: 55 + rng.below(45), states: 3, ..Shape::ANY };
    let part = |(i, signature): (usize, &interfaces::Signature)| {
        Part::new(format!("M{i}"), interfaces::automaton(rng, signature, &shape))
    };
    let system = System::new(signatures.iter().enumerate().map(part).collect(), Vec::new())
        .expect("they can be composed");
    let goal = |rng: &mut Rng| {
        let lts = networks::property(rng, 3, &names);
        Goal::property(Component { name: "P".to_owned(), lts: Arc::new(lts) })
    };
    let environment = match aim == 0 && rng.chance(1, 2) {
        true => Environment::Helpful,
        false => Environment::Arbitrary,
    };
    let receptiveness = match [0, 3].contains(&aim) && rng.chance(1, 4) {
        true => Receptiveness::Eventually,
        false => Receptiveness::Now,
    };
    let aim = match aim {
        0 => Aim::Compatible,
        1 => Aim::Safe(goal(rng)),
        2 => Aim::CompatibleAndSafe(goal(rng)),
        _ => Aim::Refines(Arc::new(random_specification(rng, &system))),
    };
    Problem { system, aim, question: Question { environment, receptiveness } }
}

/// A deterministic specification with about the signature of a system.
fn random_specification(rng: &mut Rng, system: &System) -> InterfaceAutomaton {
    let mut signature = interfaces::Signature::new();
    for role in [Role::Input, Role::Output] {
        for name in system.actions(role) {
            if role == Role::Output || rng.chance(4, 5) {
                signature.push((name.to_owned(), role));
            }
        }
    }
    if rng.chance(1, 4) {
        signature.push(("z".to_owned(), Role::Output));
    }
    let percent = 40 + rng.below(60);
    interfaces::automaton(rng, &signature, &Shape { percent, states: 3, ..Shape::DETERMINISTIC })
}

/// The aim, from the definitions.
fn naive_answer(problem: &Problem) -> bool {
    let parts: Vec<InterfaceAutomaton> =
        problem.system.parts().iter().map(|part| (*part.automaton).clone()).collect();
    let inputs = problem.question.environment == Environment::Arbitrary;
    let eventually = problem.question.receptiveness == Receptiveness::Eventually;
    let is_compatible = || naive::distance_to_illegal(&parts, inputs, eventually).is_none();
    match &problem.aim {
        Aim::Compatible => is_compatible(),
        Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => {
            is_compatible() && !naive::breaks(&parts, &goal.components[0].lts, inputs)
        }
        Aim::Refines(specification) => {
            // The specification is an environment when it is looked at from the other side: it sends the inputs, and
            // takes the outputs.
            let mirror = specification.mirror();
            let together = [parts.clone(), vec![restricted(&mirror, &problem.system)]].concat();
            naive::distance_to_illegal(&together, false, eventually).is_none()
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

/// What the judge of certificates says to evidence for a problem.
fn judged(problem: &Problem, evidence: Evidence) -> Result<(), Rejection> {
    let network = problem.network();
    let goal = problem.goal_components();
    let property = match problem.aim {
        Aim::Safe(_) => Property::Unbroken { name: "P", components: &goal },
        _ => Property::Safety,
    };
    let claim = Claim::new("S", &network, &property, evidence);
    check(&claim, &network, &property, &Budget::UNLIMITED)
}

/// A proof in which something is changed proves nothing, or something that is so all the same.
#[test]
fn the_judge_believes_nothing_that_is_wrong() {
    let whole = system(&[("msg", msg()), ("usr", usr()), ("env", env())]);
    let problem = problem(whole, Aim::Compatible);
    let (proof, _) = proof_of(&problem, &plan(Source::Direct, [vec![0, 1], vec![2]]));
    let Evidence::Interface(right) = proof.evidence(&problem) else { panic!("it is an interface proof") };
    assert_eq!(judged(&problem, Evidence::Interface(right.clone())), Ok(()));
    let with = |change: &dyn Fn(&mut InterfaceProof)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        judged(&problem, Evidence::Interface(wrong))
    };
    let assume = |proof: &mut InterfaceProof, automaton: InterfaceAutomaton| {
        proof.assumption = rely_certificate::Assumption::of(automaton.lts());
    };
    assert!(matches!(with(&|proof| assume(proof, e_bad())), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| assume(proof, c_1())), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| proof.inputs.clear()), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| proof.inputs.push("x".into())), Err(Rejection::BadAssumption { .. })));
    assert!(matches!(with(&|proof| proof.assumption.states += 1), Err(Rejection::BadAssumption { .. })));
    assert!(matches!(with(&|proof| proof.first.truncate(1)), Err(Rejection::BadGroups(_))));
    assert!(matches!(with(&|proof| proof.first.push(2)), Err(Rejection::BadGroups(_))));
    assert!(matches!(with(&|proof| proof.second[0] = 9), Err(Rejection::BadGroups(_))));
}

/// Whatever the judge believes is so, also of networks and assumptions that no rule has made.
#[test]
fn the_judge_is_sound() {
    let shape = networks::Shape { operators: false, states: 3, ..networks::Shape::FULL };
    let mut counts = [0; 2];
    for seed in seeds(20_000) {
        let mut rng = Rng::new(seed);
        let component = |rng: &mut Rng| Component {
            name: "M".to_owned(),
            lts: Arc::new(networks::component(rng, &shape)),
        };
        let network = Network::new((0..2).map(|_| component(&mut rng)).collect());
        let names = ["a", "b", "c", "d", "e"].into_iter().filter(|_| rng.chance(2, 3)).collect::<Vec<_>>();
        let role = |rng: &mut Rng| if rng.chance(1, 2) { Role::Input } else { Role::Output };
        let signature: interfaces::Signature =
            names.iter().map(|name| ((*name).to_owned(), role(&mut rng))).collect();
        let percent = 30 + rng.below(70);
        let assumption = interfaces::automaton(
            &mut rng,
            &signature,
            &Shape { percent, states: 2, ..Shape::DETERMINISTIC },
        );
        let inputs = assumption.names(Role::Input).names().map(str::to_owned).collect();
        let written = rely_certificate::Assumption::of(assumption.lts());
        let proof = InterfaceProof { first: vec![0], second: vec![1], inputs, assumption: written };
        let claim = Claim::new("S", &network, &Property::Safety, Evidence::Interface(proof));
        let believed = check(&claim, &network, &Property::Safety, &Budget::UNLIMITED).is_ok();
        let fails =
            || NaiveProduct::new(&network).moves.keys().any(|tuple| error_in(&network, tuple).is_some());
        assert!(!believed || !fails(), "seed {seed}");
        // Where both can fail in some environment, belief is worth something.
        let both = network.components().iter().all(|component| component.lts.error().is_some());
        counts[usize::from(both)] += usize::from(believed);
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn every_rule_gives_the_answer_of_the_whole() {
    let mut counts = [[0; 2]; 4];
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let aim = usize::try_from(seed % 4).expect("a small number");
        let problem = random_problem(&mut rng, aim);
        let expected = naive_answer(&problem);
        let (decision, _) = problem.check(&Budget::UNLIMITED).expect("no mistake");
        // A property is not asked about where the parts are not compatible.
        if !matches!(problem.aim, Aim::Safe(_)) {
            assert_eq!(decision.verdict.holds(), expected, "seed {seed}: the whole");
        }
        let groups = match problem.system.parts().len() {
            2 => [vec![0], vec![1]],
            _ => [[vec![0, 2], vec![1]], [vec![1], vec![0, 2]]][rng.below(2)].clone(),
        };
        for source in [Source::Direct, *rng.pick(&SOURCES[1..])] {
            let answer = verify(&problem, &plan(source, groups.clone()), &Budget::UNLIMITED);
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
                    assert_eq!(judged(&problem, proof.evidence(&problem)), Ok(()), "seed {seed}, {source:?}");
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
    let property =
        Component { name: "P".into(), lts: networks::property(&mut Rng::new(1), 2, &["send"]).into() };
    let asked = problem(open.clone(), Aim::Safe(Goal::property(property)));
    assert_eq!(asked.well_posed(), Err(Inapplicable::Open));
    let question = Question { receptiveness: Receptiveness::Eventually, environment: Environment::Arbitrary };
    assert_eq!(Problem { question, ..asked }.well_posed(), Err(Inapplicable::NotAtOnce));
    let blocking =
        Component { name: "T".into(), lts: networks::from_transitions(1, &[(0, "nack", 0)]).into() };
    let parts = whole.parts().to_vec();
    let constrained = System::new(parts, vec![blocking]).expect("they can be composed");
    let answer =
        verify(&problem(constrained, Aim::Compatible), &plan(Source::Direct, groups), &Budget::UNLIMITED);
    let blocked = Inapplicable::Blocked { constraint: "T".into(), action: "nack".into() };
    assert_eq!(answer.expect_err("it may block"), blocked);
    let choosing = from_marked(2, &[(0, "send!", 0), (0, "send!", 1)], &["ack?", "nack?"]);
    let asked = problem(open, Aim::Refines(Arc::new(choosing)));
    assert_eq!(asked.well_posed(), Err(Inapplicable::SpecificationChooses));
}
