//! The ways without assumptions (the product, localisation, reduction, and all of them in turns) give the verdict of the
//! whole system, with any limits in between; every run is replayed.

use std::sync::Arc;

use rely_assume::{
    Answer, Effort, Goal, Localisation, Problem, Reduction, Unrealised, automatic, monolithic, reduce,
};
use rely_base::{Budget, Id, Label, Limits, StateId};
use rely_decide::{Counterexample, Ending, Verdict, replay};
use rely_lts::{Component, LtsBuilder};
use rely_testkit::naive::assumption as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

/// Two to six parts, and a goal that only looks on or takes part.
fn random_problem(rng: &mut Rng) -> Problem {
    let shape = Shape { components: 3, states: 4, errors: false, ..Shape::FULL };
    let count = 2 + rng.below(5);
    let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &shape)) };
    let parts = (0..count).map(part).collect();
    let goal = if rng.chance(1, 2) {
        let count = 1 + rng.below(2);
        let property =
            |i| Component { name: format!("P{i}"), lts: Arc::new(networks::property(rng, 3, ACTIONS)) };
        (0..count).map(property).collect()
    } else {
        let failing = networks::component(rng, &Shape { errors: true, ..shape });
        vec![Component { name: "F".into(), lts: Arc::new(failing) }]
    };
    Problem { composites: Vec::new(), parts, goal: Goal { name: "G".into(), components: goal } }
}

fn check_run(problem: &Problem, run: &Counterexample, context: &str) {
    replay(&problem.network(), run).unwrap_or_else(|error| panic!("{context}: {error:?}"));
    assert!(matches!(run.ending, Ending::Error(_)), "{context}");
}

fn check_outcome(problem: &Problem, outcome: &Answer<()>, context: &str) -> bool {
    let fails = naive::fails(&problem.components());
    match outcome {
        Answer::Proved(()) => assert!(!fails, "{context}"),
        Answer::Refuted(run) => {
            assert!(fails, "{context}");
            check_run(problem, run, context);
        }
        Answer::Unknown(_) => return false,
    }
    true
}

#[test]
fn the_product_of_the_cone_gives_the_verdict_of_the_whole() {
    for seed in seeds(1500) {
        let problem = random_problem(&mut Rng::new(seed));
        let fails = naive::fails(&problem.components());
        match monolithic(&problem, &Budget::UNLIMITED).expect("a run can be replayed").0 {
            Verdict::Holds(_) => assert!(!fails, "seed {seed}"),
            Verdict::Violated(run) => {
                assert!(fails, "seed {seed}");
                check_run(&problem, &run, &format!("seed {seed}"));
            }
            Verdict::Unknown(_) => panic!("seed {seed}: there is no limit"),
        }
    }
}

#[test]
fn localisation_gives_the_verdict_of_the_whole() {
    let mut left_out = 0;
    for seed in seeds(1500) {
        let problem = random_problem(&mut Rng::new(seed));
        let mut localisation = Localisation::new(&problem);
        let outcome = localisation.run_for(usize::MAX, &problem, &Budget::UNLIMITED, &mut Effort::default());
        let outcome = outcome.unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
        assert!(check_outcome(&problem, &outcome, &format!("seed {seed}")));
        left_out += problem.parts.len() - localisation.inside().count();
    }
    assert!(left_out > 0, "some parts do not matter");
}

/// Nothing is over before the worker has stopped, and a worker leaves before it stops. Neither the manager nor the worker
/// refuses alone that all is over while somebody is there; the desk, which takes longest, has nothing to do with it.
#[test]
fn what_two_parts_refuse_together_takes_both_in() {
    let part = |name: &str, states, transitions: &[(usize, &str, usize)]| Component {
        name: name.into(),
        lts: Arc::new(networks::from_transitions(states, transitions)),
    };
    let desk =
        [(0, "come", 1), (0, "leave", 1), (1, "note", 2), (2, "copy", 3), (3, "file", 0), (0, "over", 4)];
    let manager = [(0, "start", 1), (1, "stopped", 2), (2, "over", 3)];
    let worker = [(0, "start", 1), (1, "come", 2), (2, "leave", 3), (3, "stopped", 4)];
    let parts = vec![part("DESK", 5, &desk), part("MANAGER", 4, &manager), part("WORKER", 5, &worker)];
    let mut goal = LtsBuilder::with_states(["come", "leave", "over"].into_iter().collect(), 2);
    let error = goal.error_state();
    let [out, inside] = [0, 1].map(StateId::from_index);
    for (source, name, target) in
        [(out, "come", inside), (inside, "leave", out), (out, "over", out), (inside, "over", error)]
    {
        let action = goal.alphabet().get(name).expect("the goal knows it");
        goal.add_transition(source, Label::visible(action), target);
    }
    let goal = Component { name: "NOBODY_LEFT".into(), lts: Arc::new(goal.build()) };
    let problem = Problem {
        composites: Vec::new(),
        parts,
        goal: Goal { name: "NOBODY_LEFT".into(), components: vec![goal] },
    };
    let mut localisation = Localisation::new(&problem);
    let outcome = localisation.run_for(usize::MAX, &problem, &Budget::UNLIMITED, &mut Effort::default());
    assert!(matches!(outcome, Ok(Answer::Proved(()))));
    assert_eq!(localisation.inside().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn reduction_tells_a_run_of_the_whole() {
    let mut runs = 0;
    for seed in seeds(1500) {
        let problem = random_problem(&mut Rng::new(seed));
        let mut reduction = Reduction::new(&problem);
        let mut effort = Effort::default();
        let fails = reduction.run(&Budget::UNLIMITED, &mut effort).expect("there is no limit");
        assert_eq!(fails, naive::fails(&problem.components()), "seed {seed}");
        if fails {
            let run = reduction.counterexample(&problem, &Budget::UNLIMITED, &mut effort);
            let run = run.unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
            check_run(&problem, &run, &format!("seed {seed}"));
            runs += 1;
        }
    }
    assert!(runs > 0 || is_single_seed());
}

/// A limit is met, and the reduction goes on with a larger one: the answer is the same as without.
#[test]
fn a_reduction_that_was_put_off_comes_to_the_same_answer() {
    let mut put_off = 0;
    for seed in seeds(600) {
        let problem = random_problem(&mut Rng::new(seed));
        let mut reduction = Reduction::new(&problem);
        let mut effort = Effort::default();
        let mut states = 1;
        let fails = loop {
            let limits = Limits { states: Some(states), bytes: None };
            match reduction.run_for(2 * states, &Budget::new(limits, None), &mut effort) {
                Ok(fails) => break fails,
                Err(_) => put_off += 1,
            }
            states *= 2;
        };
        assert_eq!(fails, naive::fails(&problem.components()), "seed {seed}");
        if fails {
            let run = reduction.counterexample(&problem, &Budget::UNLIMITED, &mut effort);
            check_run(&problem, &run.expect("there is a run"), &format!("seed {seed}"));
        }
    }
    assert!(put_off > 0 || is_single_seed());
}

#[test]
fn turns_give_the_verdict_of_the_whole() {
    let mut unknown = 0;
    for seed in seeds(1500) {
        let rng = &mut Rng::new(seed);
        let problem = random_problem(rng);
        let states = rng.chance(2, 3).then(|| 1 + rng.below(12));
        let budget = Budget::new(Limits { states, bytes: None }, None);
        let found = automatic(&problem, &budget).expect("a run can be replayed");
        let decided = check_outcome(&problem, &found.outcome, &format!("seed {seed}"));
        assert!(decided || states.is_some(), "seed {seed}: there is no limit");
        unknown += usize::from(!decided);
    }
    assert!(unknown > 0 || is_single_seed(), "some limits are too small");
}

#[test]
fn limits_of_localisation_are_limits() {
    let mut met = 0;
    for seed in seeds(600) {
        let rng = &mut Rng::new(seed);
        let problem = random_problem(rng);
        let limits = Limits { states: Some(1 + rng.below(6)), bytes: None };
        let mut localisation = Localisation::new(&problem);
        match localisation.run_for(1 << 10, &problem, &Budget::new(limits, None), &mut Effort::default()) {
            Ok(outcome) => assert!(check_outcome(&problem, &outcome, &format!("seed {seed}"))),
            Err(Unrealised::Exhausted(_)) => met += 1,
            Err(Unrealised::Mistake(mistake)) => panic!("seed {seed}: {mistake:?}"),
        }
    }
    assert!(met > 0 || is_single_seed());
}

/// A part that shares nothing with the goal stands still in every run, and costs nothing.
#[test]
fn what_is_outside_of_the_cone_is_not_looked_at() {
    for seed in seeds(300) {
        let rng = &mut Rng::new(seed);
        let mut problem = random_problem(rng);
        let fails = reduce(&problem, &Budget::UNLIMITED, &mut Effort::default()).expect("there is no limit");
        let (_, before) = monolithic(&problem, &Budget::UNLIMITED).expect("a run can be replayed");
        let shape = Shape { components: 3, states: 4, errors: false, ..Shape::FULL };
        let stranger = rely_lts::operators::prefix(&networks::component(rng, &shape), "elsewhere");
        problem.parts.insert(0, Component { name: "STRANGER".into(), lts: Arc::new(stranger) });
        let (verdict, after) = monolithic(&problem, &Budget::UNLIMITED).expect("a run can be replayed");
        assert_eq!(verdict.holds(), !fails, "seed {seed}");
        assert_eq!(before.peak_states, after.peak_states, "seed {seed}");
        if let Some(run) = verdict.counterexample() {
            check_run(&problem, run, &format!("seed {seed}"));
        }
    }
}
