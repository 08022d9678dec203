//! Networks as programs: they have the same states, deadlocks and failures, and what is asked of the program is answered as it is for the
//! network by the search for assertions, which shares nothing with that for commitments.

use rely_base::Id;
use rely_lts::{BehaviourRef, Observation, Program};
use rely_omega::{
    Assertion, AtomId, Commitment, Fairness, Formula, Justice, Proposition, Scheduling, Statement, Template,
};
use rely_testkit::networks::{Shape, network};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::super::check_commitment;
use super::ANY;
use crate::{Decision, Inquiry, Verdict, check_ltl};

fn length(decision: &Decision) -> Option<usize> {
    match &decision.verdict {
        Verdict::Violated(run) => Some(run.trace.len()),
        _ => None,
    }
}

#[test]
fn a_network_and_its_program_do_the_same() {
    let (mut stuck, mut failing, mut whole) = (0, 0, 0);
    for seed in seeds(600) {
        let network = network(&mut Rng::new(seed), &Shape { operators: seed % 2 == 0, ..Shape::FULL });
        let Some(program) = Program::of_network(&network) else {
            assert!(network.priority().is_some(), "seed {seed}");
            continue;
        };
        let names =
            |behaviour: BehaviourRef<'_>| behaviour.alphabet().names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names((&network).into()), names((&program).into()), "seed {seed}");
        let inquiry = Inquiry::ALL_STATES;
        let ours = inquiry.check(&program, &ANY).unwrap();
        let theirs = inquiry.check(&network, &ANY).unwrap();
        assert_eq!(length(&ours.deadlock), length(&theirs.deadlock), "seed {seed}");
        // Programs fail in steps: where a component begins in its error state, the first step fails.
        let begins_failed = network.components().iter().any(|it| it.lts.error() == Some(it.lts.initial()));
        let expected = length(&theirs.safety).map(|length| length + usize::from(begins_failed));
        assert_eq!(length(&ours.safety), expected, "seed {seed}");
        // A network is known not to fail before it is searched, so its search ends with the first deadlock.
        if !theirs.can_fail && length(&theirs.deadlock).is_none() {
            whole += 1;
            assert_eq!(ours.deadlock.explored, theirs.deadlock.explored, "seed {seed}");
        }
        stuck += usize::from(length(&theirs.deadlock).is_some());
        failing += usize::from(theirs.can_fail);
    }
    let counts = [stuck, failing, whole];
    assert!(counts.iter().all(|&count| count > 50) || is_single_seed(), "too few: {counts:?}");
}

/// A template, and the formula that says the same.
fn statement(rng: &mut Rng) -> (Template, Formula) {
    let atom = |rng: &mut Rng| Formula::atom(AtomId::from_index(rng.below(3)));
    let (e, d) = (atom(rng), atom(rng));
    match rng.below(6) {
        0 => (Template::Never(e.clone()), e.negated().always()),
        1 => (Template::Eventually(e.clone()), e.eventually()),
        2 => (Template::Repeatedly(e.clone()), e.eventually().always()),
        3 => (Template::EventuallyAlways(e.clone().negated()), e.negated().always().eventually()),
        4 => {
            let formula = e.clone().eventually().always().implies(d.clone().eventually().always());
            (Template::IfRepeatedlyRepeatedly(e, d), formula)
        }
        // Weak until, with the step of `e`: d never happens before e, and not with it.
        _ => {
            let quiet = d.clone().negated();
            (Template::NeverUntilAfter(d, e.clone()), quiet.clone().weak_until(quiet.and(e)))
        }
    }
}

#[test]
fn statements_about_networks_are_judged_as_assertions_are() {
    let (mut holding, mut violated) = (0, 0);
    for seed in seeds(800) {
        let mut rng = Rng::new(seed);
        let shape = Shape { errors: false, operators: false, ..Shape::FULL };
        let network = network(&mut rng, &shape);
        let program = Program::of_network(&network).expect("it has no priority");
        let names: Vec<String> = network.alphabet().names().map(str::to_owned).collect();
        let mut sets: Vec<Vec<String>> = Vec::new();
        for _ in 0..3 {
            let mut set: Vec<String> = (0..2).map(|_| rng.pick(&names).clone()).collect();
            set.sort();
            set.dedup();
            sets.push(set);
        }
        let observed = |set: &Vec<String>| {
            let mut actions: Vec<_> = set.iter().filter_map(|name| program.alphabet().get(name)).collect();
            actions.sort_unstable();
            Observation::Actions(actions)
        };
        let (claim, asserted) = statement(&mut rng);
        let (assumption, assumed) = statement(&mut rng);
        let commitment = Commitment {
            name: "P".to_owned(),
            claim: Statement::Template(claim),
            assuming: vec![Statement::Template(assumption)],
            propositions: sets.iter().map(observed).collect(),
            names: ["p", "q", "r"].map(str::to_owned).to_vec(),
        };
        let assertion = Assertion {
            name: "P".into(),
            formula: assumed.implies(asserted),
            propositions: sets.into_iter().map(Proposition::Action).collect(),
            extension: Vec::new(),
        };
        let scheduling = Scheduling { justice: Justice::None, processes: Vec::new() };
        let ours = check_commitment(&program, &commitment, &scheduling, &ANY).unwrap().verdict;
        let theirs = check_ltl(&network, &assertion, Fairness::None, &ANY).unwrap().decision.verdict;
        assert_eq!(ours.holds(), theirs.holds(), "seed {seed}: {}", commitment.text());
        match ours.holds() {
            true => holding += 1,
            false => violated += 1,
        }
    }
    assert!((holding > 50 && violated > 50) || is_single_seed(), "too few: {holding}, {violated}");
}
