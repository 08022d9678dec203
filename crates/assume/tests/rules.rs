//! Every rule and every way to find assumptions gives the verdict of the whole system; every proof is checked premise by
//! premise with naive code.

mod groups;
mod premises;

use std::sync::Arc;

use rely_assume::{Algorithm, Alphabets, Answer, Effort, Goal, Method, Plan, Problem, Rule, reduce, verify};
use rely_base::{Budget, Id, Limits};
use rely_decide::{Ending, replay};
use rely_lts::{Component, ComponentId, Network};
use rely_testkit::naive::assumption as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::groups::random_groups;
use crate::premises::is_proof;

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

const PART: Shape = Shape { components: 3, states: 3, errors: false, ..Shape::FULL };

fn random_problem(rng: &mut Rng) -> Problem {
    let count = 2 + rng.below(4);
    let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &PART)) };
    let parts = (0..count).map(part).collect();
    // One property as a rule; now and then two at once.
    let properties = 1 + usize::from(rng.chance(1, 4));
    let property =
        |i| Component { name: format!("P{i}"), lts: Arc::new(networks::property(rng, 3, ACTIONS)) };
    Problem {
        composites: Vec::new(),
        parts,
        goal: Goal { name: "P".into(), components: (0..properties).map(property).collect() },
    }
}

/// A goal that takes part in the system: a component with an error state.
fn random_taking_part(rng: &mut Rng) -> Problem {
    let mut problem = random_problem(rng);
    let shape = Shape { errors: true, ..PART };
    let failing = networks::component(rng, &shape);
    problem.goal = Goal::property(Component { name: "M".into(), lts: Arc::new(failing) });
    problem
}

fn methods() -> Vec<Method> {
    Algorithm::ALL.into_iter().map(Method::Learn).chain([Method::Direct]).collect()
}

fn check(problem: &Problem, plan: &Plan, what: &str) {
    let fails = naive::fails(&problem.components());
    let (answer, effort) = verify(problem, plan, &Budget::UNLIMITED).expect(what);
    match answer {
        Answer::Proved(proof) => {
            assert!(!fails, "{what}: proved what is false");
            assert!(is_proof(problem, &proof), "{what}: a premise is false");
        }
        Answer::Refuted(run) => {
            assert!(fails, "{what}: refuted what is true");
            replay(&Network::new(problem.components()), &run).expect(what);
            let Ending::Error(component) = run.ending else { panic!("{what}: {:?}", run.ending) };
            assert!(component.index() >= problem.parts.len(), "{what}: another component fails");
        }
        Answer::Unknown(exhausted) => panic!("{what}: {exhausted}"),
    }
    assert!(effort.peak_states > 0, "{what}");
}

#[test]
fn every_rule_and_method_gives_the_verdict_of_the_whole() {
    for seed in seeds(400) {
        let rng = &mut Rng::new(seed);
        let problem = random_problem(rng);
        for rule in Rule::ALL {
            let groups = random_groups(rng, rule, problem.parts.len());
            for method in methods() {
                let plan = Plan {
                    rule,
                    method,
                    groups: groups.clone(),
                    alphabets: Alphabets::Whole,
                    most_words: None,
                };
                plan.applies_to(&problem).expect("a property only looks on");
                check(&problem, &plan, &format!("seed {seed}, {rule}, {method:?}, {groups:?}"));
            }
        }
    }
}

#[test]
fn a_goal_may_take_part_in_the_system() {
    for seed in seeds(400) {
        let rng = &mut Rng::new(seed);
        let problem = random_taking_part(rng);
        for rule in Rule::ALL {
            let groups = random_groups(rng, rule, problem.parts.len());
            let method = *rng.pick(&methods());
            let plan = Plan { rule, method, groups, alphabets: Alphabets::Whole, most_words: None };
            if plan.applies_to(&problem).is_ok() {
                check(&problem, &plan, &format!("seed {seed}, {rule}, {method:?}, {:?}", plan.groups));
            }
        }
    }
}

/// Reduction decides without any assumption.
#[test]
fn reduction_gives_the_verdict_of_the_whole() {
    for seed in seeds(2000) {
        let rng = &mut Rng::new(seed);
        let problem = if rng.chance(1, 2) { random_problem(rng) } else { random_taking_part(rng) };
        let fails = reduce(&problem, &Budget::UNLIMITED, &mut Effort::default()).expect("there is no limit");
        assert_eq!(fails, naive::fails(&problem.components()), "seed {seed}");
    }
}

/// With a limit on states there is an answer, or the limit; never another answer.
#[test]
fn limits_give_no_wrong_answer() {
    let mut unknown = 0;
    for seed in seeds(300) {
        let rng = &mut Rng::new(seed);
        let problem = random_problem(rng);
        let rule = *rng.pick(&Rule::ALL);
        let method = *rng.pick(&methods());
        let plan = Plan {
            rule,
            method,
            groups: random_groups(rng, rule, problem.parts.len()),
            alphabets: Alphabets::Whole,
            most_words: None,
        };
        let limits = Limits { states: Some(1 + rng.below(6)), bytes: None };
        let fails = naive::fails(&problem.components());
        match verify(&problem, &plan, &Budget::new(limits, None)).expect("a run can be replayed").0 {
            Answer::Proved(_) => assert!(!fails, "seed {seed}"),
            Answer::Refuted(_) => assert!(fails, "seed {seed}"),
            Answer::Unknown(_) => unknown += 1,
        }
    }
    assert!(unknown > 0 || is_single_seed());
}

#[test]
fn other_failing_components_are_cut_off() {
    for seed in seeds(300) {
        let rng = &mut Rng::new(seed);
        let shape = Shape { errors: true, operators: false, ..PART };
        let network = networks::network(rng, &shape);
        let ids: Vec<ComponentId> = (0..network.components().len()).map(ComponentId::from_index).collect();
        let can_fail = |id: &&ComponentId| network.components()[id.index()].lts.error().is_some();
        let goals: Vec<ComponentId> = ids.iter().filter(can_fail).copied().collect();
        let problem = Problem::new("ERROR", &network, &goals, &[]);
        assert_eq!(naive::fails(&problem.components()), naive::fails(network.components()), "seed {seed}");
        for goal in goals {
            let single = Problem::new("ONE", &network, &[goal], &[]);
            assert!(!naive::fails(&single.components()) || naive::fails(network.components()), "seed {seed}");
        }
    }
}

#[test]
fn effort_adds_up() {
    let mut effort = Effort { peak_states: 3, queries: 1, conjectures: 1 };
    effort.add(Effort { peak_states: 2, queries: 10, conjectures: 1 });
    assert_eq!(effort, Effort { peak_states: 3, queries: 11, conjectures: 2 });
}
