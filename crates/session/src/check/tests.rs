//! Assertions beside violations, and in components that are reduced.

use std::cell::OnceCell;

use rely_base::Limits;

use super::*;
use crate::report::{Fairness, Verdict};

/// A counter with a way into deadlock after a step, beside another one; the assertions need all of their states.
const MODEL: &str = "\
const N = 20
range R = 0..N
COUNT = COUNT[0], COUNT[i:R] = (when (i < N) up -> COUNT[i + 1] | when (i == N) stay -> COUNT[i] | stop -> STOP).
||S = (a:COUNT || b:COUNT).
assert LIVE = []<>a.stay
assert SAFE = []!a.stay
";

fn results(patience: usize, budget: Budget<'_>, only: &str) -> Vec<CheckResult> {
    let only = only.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    results_of(MODEL, &CheckQuery { only, ..CheckQuery::default() }, patience, budget)
}

fn results_of(model: &str, query: &CheckQuery, patience: usize, budget: Budget<'_>) -> Vec<CheckResult> {
    let project = Project::new("m.lts", model, Box::new(|_| Err("nothing".to_owned())));
    let mut meaning = Meaning::of(&project, budget);
    let target = meaning.target("S").expect("the model is right");
    let declared = Declared::new(&mut meaning, query).expect("the model is right");
    let states = OnceCell::new();
    let checker =
        Checker { query, declared: &declared, also: &[], patience, target: "S", states: &states, spin: None };
    let mut inquest = Inquest::new(checker, target.behaviour.into(), &budget);
    inquest.ask(budget).expect("runs can be replayed");
    inquest.into_results().collect()
}

#[test]
fn fair_choice_in_reduced_components_violates_nothing() {
    // Two states that do the same: in one state a and b in turn would be fair, but in two each has to do both.
    let model = |copies: usize| {
        format!(
            "COIN = (a -> FLIP | b -> FLIP), FLIP = (a -> COIN | b -> COIN).\n\
             ||S = ([1..{copies}]:COIN).\n\
             assert TURNS = !([]([1].a -> X (![1].a U [1].b)) && []([1].b -> X (![1].b U [1].a)))"
        )
    };
    let verdict = |copies: usize, fairness: Fairness, limit: Option<usize>| {
        let query =
            CheckQuery { only: vec!["ltl".to_owned()], fairness: Some(fairness), ..CheckQuery::default() };
        let budget = Budget::new(Limits { states: limit, bytes: None }, None);
        results_of(&model(copies), &query, PATIENCE, budget)[0].verdict
    };
    use Verdict::{Holds, Unknown, Violated};
    assert_eq!(verdict(2, Fairness::Choice, None), Holds);
    // With many copies the states are too many, but not those of the reduced components.
    assert_eq!(verdict(24, Fairness::Choice, Some(1000)), Unknown);
    // The others are about actions only.
    assert_eq!(verdict(24, Fairness::None, Some(1000)), Violated);
    assert_eq!(verdict(24, Fairness::Random, Some(1000)), Holds);
}

#[test]
fn an_assertion_is_given_up_when_something_else_is_violated() {
    let told = |results: &[CheckResult]| -> Vec<(String, Verdict)> {
        results.iter().map(|result| (result.property.clone(), result.verdict)).collect()
    };
    let names = ["deadlock", "safety", "LIVE", "SAFE"].map(str::to_owned);
    let expected = |verdicts: [Verdict; 4]| names.iter().cloned().zip(verdicts).collect::<Vec<_>>();
    use Verdict::{Holds, Unknown, Violated};
    let patient = results(PATIENCE, Budget::UNLIMITED, "");
    assert_eq!(told(&patient), expected([Violated, Holds, Violated, Violated]));
    let hasty = results(30, Budget::UNLIMITED, "");
    assert_eq!(told(&hasty)[2..], expected([Violated, Holds, Unknown, Unknown])[2..]);
    for result in &hasty[2..] {
        let reason = result.reason.as_deref().expect("a reason");
        assert!(reason.contains("ask for it alone"), "{reason}");
        assert!(result.states > 30, "{} states", result.states);
    }
    // Alone, an assertion is searched for to the end.
    assert_eq!(told(&results(30, Budget::UNLIMITED, "LIVE"))[0].1, Violated);
    // A limit of the user's is told as such.
    let limits = Limits { states: Some(25), bytes: None };
    for result in &results(30, Budget::new(limits, None), "")[2..] {
        let reason = result.reason.as_deref().expect("a reason");
        assert!(reason.contains("limit on states"), "{reason}");
    }
}
