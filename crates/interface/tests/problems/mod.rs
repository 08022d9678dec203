//! Problems for tests, and what the judge of certificates says to their proofs.
#![allow(dead_code, reason = "each test uses some of them")]

use std::sync::Arc;

use rely_base::Budget;
use rely_certificate::{Claim, Evidence, Property, Rejection, check};
use rely_interface::{
    Aim, Algorithm, Answer, Effort, Environment, Goal, Part, Plan, Problem, Proof, Question, Receptiveness,
    Source, System, verify,
};
use rely_lts::{Component, InterfaceAutomaton, Role};
use rely_testkit::interfaces::{self, Shape};
use rely_testkit::networks;
use rely_testkit::rng::Rng;

pub(crate) const SOURCES: [Source; 5] = [
    Source::Direct,
    Source::Learn(Algorithm::LStar),
    Source::Learn(Algorithm::DiscriminationTree),
    Source::Learn(Algorithm::LSharp),
    Source::Learn(Algorithm::Adaptive),
];

pub(crate) fn plan(source: Source, groups: [Vec<usize>; 2]) -> Plan {
    Plan { source, groups, most_words: None }
}

pub(crate) fn proof_of(problem: &Problem, plan: &Plan) -> (Proof, Effort) {
    let (answer, effort) =
        verify(problem, plan, &Budget::UNLIMITED).expect("the rule applies").expect("no mistake");
    match answer {
        Answer::Proved(proof) => (proof, effort),
        other => panic!("not proved: {other:?}"),
    }
}

pub(crate) fn problem(system: System, aim: Aim) -> Problem {
    Problem { system, aim, question: Question::default() }
}

/// A random problem with one of the aims.
pub(crate) fn random_problem(rng: &mut Rng, aim: usize) -> Problem {
    let count = 2 + rng.below(2);
    let open = aim == 3 || rng.chance(1, 3);
    let names = ["a", "b", "c", "d", "e"];
    let signatures = interfaces::signatures(rng, count, &names, open);
    let shape = Shape { percent: 55 + rng.below(45), states: 3, ..Shape::ANY };
    let part = |(i, signature): (usize, &interfaces::Signature)| {
        Part::new(format!("M{i}"), interfaces::automaton(rng, signature, &shape))
    };
    let parts = signatures.iter().enumerate().map(part).collect();
    let constraints = random_constraints(rng, &names);
    let system = System::new(parts, constraints).expect("they can be composed");
    let goal = |rng: &mut Rng| {
        let lts = networks::property(rng, 3, &names);
        Goal::property(Component::new("P", lts))
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

/// Systems without roles that know some actions of the parts, and some that only they have. Often there are none.
pub(crate) fn random_constraints(rng: &mut Rng, names: &[&str]) -> Vec<Component> {
    let count = [0, 0, 1, 1, 2][rng.below(5)];
    let constraint = |i: usize| {
        let known = names.iter().chain(&["y", "z"]).filter(|_| rng.chance(2, 5));
        let signature: interfaces::Signature =
            known.map(|name| ((*name).to_owned(), Role::Internal)).collect();
        let shape = Shape { percent: 50 + rng.below(50), states: 3, ..Shape::ANY };
        let lts = interfaces::automaton(rng, &signature, &shape).into_lts();
        Component { name: format!("T{i}"), lts: Arc::new(lts) }
    };
    (0..count).map(constraint).collect()
}

/// A deterministic specification with about the signature of a system.
pub(crate) fn random_specification(rng: &mut Rng, system: &System) -> InterfaceAutomaton {
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

/// The groups of a random problem.
pub(crate) fn random_groups(rng: &mut Rng, problem: &Problem) -> [Vec<usize>; 2] {
    match problem.system.parts().len() {
        2 => [vec![0], vec![1]],
        _ => [[vec![0, 2], vec![1]], [vec![1], vec![0, 2]]][rng.below(2)].clone(),
    }
}

/// What the judge of certificates says to evidence for a problem.
pub(crate) fn judged(problem: &Problem, evidence: Evidence) -> Result<(), Rejection> {
    let network = problem.network();
    let goal = problem.goal_components();
    let property = match problem.aim {
        Aim::Safe(_) => Property::Unbroken { name: "P", components: &goal, observers: &[] },
        _ => Property::Safety,
    };
    let claim = Claim::new("S", &network, &property, evidence);
    check(&claim, &network, &property, &Budget::UNLIMITED)
}
