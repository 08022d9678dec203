//! Certificates about programs. The truth comes from a network of one component that does the same.

use rely_base::Id;
use rely_certificate::{Behaviour, Certificate, Claim, Property, Rejection, StateTable, check};
use rely_lts::{ComponentId, Program};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::naive::program::NaiveProgram;
use rely_testkit::programs::{Shape, program};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{ANY, KINDS, Question, certify, changed, forge, judge, kind_of, tables, with_tables};
use crate::check_units;

const ACTIONS: &[&str] = &["a", "b", "c", "t", "free"];

/// Random programs with few states, with random questions, whether they hold, and whether runs are cut.
fn each_question(
    seeds: std::ops::Range<u64>,
    mut visit: impl FnMut(u64, &mut Rng, &Program, &Question, (bool, bool)),
) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = if seed % 3 == 0 { Shape::FULL } else { Shape::FAULTLESS };
        let program = program(&mut rng, &shape);
        let Some(naive) = NaiveProgram::new(&program, 40) else { continue };
        let network = naive.to_network();
        let decisions = NaiveDecisions::new(&network);
        for question in Question::random(&mut rng, ACTIONS) {
            // A formula may hold whatever comes after a cut, as after an error.
            let holds = question.is_true(&network, &decisions);
            let is_formula = matches!(question, Question::Assertion(..));
            if naive.is_cut() && holds && is_formula {
                continue;
            }
            visit(seed, &mut rng, &program, &question, (!naive.is_cut() && holds, naive.is_cut()));
        }
    }
}

#[test]
fn what_holds_is_accepted() {
    let mut accepted = [0; KINDS];
    each_question(seeds(800), |seed, _, program, question, (truth, _)| {
        if truth {
            let evidence = certify(program, &question.property(), &ANY).unwrap();
            let judgement = judge(program, question, evidence);
            assert_eq!(judgement, Ok(()), "seed {seed}: {question:?}");
            accepted[kind_of(question)] += 1;
        }
    });
    assert!(accepted.iter().all(|&count| count > 10) || is_single_seed(), "too few: {accepted:?}");
}

#[test]
fn what_is_false_is_rejected() {
    let (mut rejected, mut cut) = ([0; KINDS], 0);
    each_question(seeds(800), |seed, rng, program, question, (truth, is_cut)| {
        if truth {
            return;
        }
        let honest = certify(program, &question.property(), &ANY).unwrap();
        let judgement = judge(program, question, honest.clone());
        assert!(judgement.is_err(), "seed {seed}: {question:?}");
        cut += usize::from(matches!(judgement, Err(Rejection::Cut { .. })));
        assert!(is_cut || !matches!(judgement, Err(Rejection::Cut { .. })), "seed {seed}");
        let honest_tables = tables(program, question, &honest);
        for _ in 0..12 {
            let forged: Vec<StateTable> = honest_tables.iter().map(|table| forge(rng, table)).collect();
            let evidence = with_tables(&honest, &forged);
            assert!(judge(program, question, evidence).is_err(), "seed {seed}: {question:?} {forged:?}");
        }
        rejected[kind_of(question)] += 1;
    });
    let is_enough = rejected.iter().all(|&count| count > 25) && cut > 50;
    assert!(is_enough || is_single_seed(), "too few to mean anything: {rejected:?} {cut}");
}

#[test]
fn a_missing_state_is_noticed() {
    let mut rejected = [0; KINDS];
    each_question(seeds(250), |seed, _, program, question, (truth, _)| {
        if !truth {
            return;
        }
        let honest = certify(program, &question.property(), &ANY).unwrap();
        let honest_tables = tables(program, question, &honest);
        for number in 0..honest_tables.len() {
            for victim in 0..honest_tables[number].len() {
                let mut forged = honest_tables.clone();
                forged[number] =
                    changed(&forged[number], |row, _, notes| (row != victim).then(|| notes.to_vec()));
                let judgement = judge(program, question, with_tables(&honest, &forged));
                let noticed =
                    matches!(judgement, Err(Rejection::InitialMissing | Rejection::NotClosed { .. }));
                assert!(noticed, "seed {seed}: {question:?} {judgement:?}");
                rejected[kind_of(question)] += 1;
            }
        }
    });
    assert!(rejected.iter().all(|&count| count > 10) || is_single_seed(), "too few: {rejected:?}");
}

#[test]
fn failures_of_some_units_are_judged() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in seeds(1500) {
        let program = program(&mut Rng::new(seed), &Shape::FULL);
        for unit in (0..program.units().len()).map(ComponentId::from_index) {
            let property = Property::Unbroken { name: "P", components: &[unit], observers: &[] };
            let evidence = certify(&program, &property, &ANY).unwrap();
            let claim = Claim::new("T", &program, &property, evidence);
            let judgement = check(&claim, &program, &property, &ANY);
            let holds = check_units(&program, &[unit], &ANY).unwrap().verdict.holds();
            assert_eq!(judgement.is_ok(), holds, "seed {seed}: {judgement:?}");
            if holds {
                accepted += 1;
            } else {
                rejected += 1;
            }
            // Programs have no observers to set aside.
            let property = Property::Unbroken { name: "P", components: &[unit], observers: &[unit] };
            let claim = Claim::new("T", &program, &property, claim.evidence);
            assert_eq!(check(&claim, &program, &property, &ANY), Err(Rejection::WrongEvidence));
        }
    }
    assert!(accepted > 100 && rejected > 100 || is_single_seed(), "{accepted} {rejected}");
}

#[test]
fn a_certificate_says_which_program_it_is_for() {
    let (mut same, mut others) = (0, 0);
    for seed in seeds(200) {
        let programs = [seed, seed + 1].map(|seed| program(&mut Rng::new(seed), &Shape::FAULTLESS));
        let property = Question::Deadlock;
        let evidence = certify(&programs[0], &property.property(), &ANY).unwrap();
        let claim = Claim::new("T", &programs[0], &property.property(), evidence);
        let mut text = Vec::new();
        Certificate::new(vec![claim]).write(&mut text).unwrap();
        let read = Certificate::from_json(&text).unwrap();
        let claim = &read.claims[0];
        assert_eq!(claim.behaviour, Behaviour::Program);
        let is_model = |program: &Program| {
            let judgement = check(claim, program, &property.property(), &ANY);
            !matches!(judgement, Err(Rejection::AnotherModel(_)))
        };
        assert!(is_model(&programs[0]), "seed {seed}");
        assert_eq!(is_model(&programs[1]), programs[0] == programs[1], "seed {seed}");
        others += usize::from(!is_model(&programs[1]));
        same += 1;
        // Hiding is part of the model.
        let hidden = programs[0].clone().with_hidden(|name| name == "b");
        let is_other = programs[0]
            .alphabet()
            .iter()
            .any(|(action, name)| programs[0].is_hidden(action) != (name == "b"));
        assert_eq!(is_model(&hidden), !is_other, "seed {seed}");
        // A network is no program.
        let naive = NaiveProgram::new(&programs[0], 5_000).expect("random programs are small");
        let judgement = check(claim, &naive.to_network(), &property.property(), &ANY);
        assert!(matches!(judgement, Err(Rejection::AnotherModel(_))), "seed {seed}");
    }
    assert!(others * 2 > same || is_single_seed());
}
