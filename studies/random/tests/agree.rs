//! The explorers agree with the definition of a premise on random components.
#![cfg(any(feature = "shuttle", feature = "loom"))]

use std::collections::HashMap;

use random::case::{ACTIONS, CALLS, Case, OWN_STEPS};
use random::program::{premise, written_premise};
use random::texts::TEXTS;

#[test]
fn a_premise_has_one_verdict() {
    let count: u64 = std::env::var("RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut violated, mut executions, mut sequences) = (0, 0, 0);
    for seed in 0..count {
        let case = Case::new(seed);
        let outcome = premise(&case, OWN_STEPS, CALLS);
        assert_eq!(outcome.failure.is_some(), case.is_violated(OWN_STEPS, CALLS), "seed {seed}: {outcome}\n{case:?}");
        if outcome.failure.is_none() {
            assert!(outcome.holds_for_all(), "seed {seed}: {outcome}");
            // Not only the verdict: every sequence of events is found, and no other.
            let expected = case.sequences(OWN_STEPS, CALLS);
            let name = |events: &Vec<usize>| events.iter().map(|&action| ACTIONS[action]).collect::<Vec<_>>();
            let lost = expected.iter().map(name).find(|events| !outcome.explored.has_seen(events));
            assert_eq!((lost, outcome.explored.sequences), (None, expected.len()), "seed {seed}: {case:?}");
            sequences += expected.len();
        }
        violated += usize::from(outcome.failure.is_some());
        executions += outcome.explored.executions;
    }
    println!("{count} components, {violated} of them violated, {executions} executions, {sequences} sequences of events");
    // A generator that gives only one answer would test nothing.
    assert!(violated > 0 && (violated as u64) < count);
}

/// RANDOM_VERDICTS names a file with the verdicts of the model, such as `PREMISE_0 holds`; without it there is nothing to compare.
#[test]
fn a_text_has_the_verdict_of_its_model() {
    let Ok(path) = std::env::var("RANDOM_VERDICTS") else {
        println!("no verdicts to compare with");
        return;
    };
    let verdicts = std::fs::read_to_string(&path).expect("the verdicts can be read");
    let verdicts: HashMap<&str, &str> = verdicts.lines().filter_map(|line| line.split_once(' ')).collect();
    let (mut violated, mut executions) = (0, 0);
    for (number, written) in TEXTS.iter().enumerate() {
        let outcome = written_premise(written, OWN_STEPS, CALLS);
        let expected = *verdicts.get(&*format!("PREMISE_{number}")).expect("every premise has a verdict");
        let found = if outcome.failure.is_some() { "violated" } else { "holds" };
        assert_eq!(found, expected, "text {number}: {outcome}\n{}", random::text::Text::new(number).fsp());
        assert!(outcome.failure.is_some() || outcome.holds_for_all(), "text {number}: {outcome}");
        violated += usize::from(outcome.failure.is_some());
        executions += outcome.explored.executions;
    }
    println!("{} texts, {violated} of them violated, {executions} executions", TEXTS.len());
    assert!(violated > 0 && violated < TEXTS.len());
}
