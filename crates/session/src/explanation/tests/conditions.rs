//! What a page says about the actions of assumptions, about answers that there are not, and about lax properties.

use std::collections::BTreeSet;

use rely_assume::Alphabets;

use super::*;

const GAS_STATION: &str = include_str!("../../../../../models/gas-station.lts");

fn explained(text: &str, constant: Option<i32>, query: VerifyQuery<'_>, budget: Budget<'_>) -> Explanation {
    let mut project = Project::new("model.lts", text, Box::new(|_| Err("no imports".into())));
    if let Some(value) = constant {
        assert!(project.define("N", value));
    }
    let details = Details { explanation: true, coverage: false };
    let verified = verify(&project, &VerifyQuery { details, ..query }, budget);
    verified.unwrap_or_else(|error| panic!("{error}")).explanations.remove(0)
}

/// The actions of some parts.
fn actions(explanation: &Explanation, parts: &[usize]) -> BTreeSet<String> {
    let of = |&part: &usize| explanation.members[part].lts.alphabet().names().map(str::to_owned);
    parts.iter().flat_map(of).collect()
}

fn alphabet(assumption: &AssumptionShown) -> BTreeSet<String> {
    assumption.lts.alphabet().names().map(str::to_owned).collect()
}

#[test]
fn an_assumption_of_a_reduction_may_be_over_actions_of_parts_in_no_group() {
    let query = VerifyQuery {
        properties: vec!["A2_1_ONE_AT_PUMP1".to_owned()],
        strategy: Strategy::Reduce,
        ..VerifyQuery::about("SYSTEM")
    };
    let explanation = explained(GAS_STATION, Some(4), query, Budget::UNLIMITED);
    let Argument::Reduction { proof: Some(proof), .. } = &explanation.argument else { panic!("a chain") };
    let following: Vec<usize> = proof.groups[1..].iter().flat_map(|group| group.parts.clone()).collect();
    assert!(!alphabet(&proof.assumptions[0]).is_subset(&actions(&explanation, &following)));
    assert!(proof.conditions[0].starts_with("none on the actions of assumptions"), "{:?}", proof.conditions);
}

#[test]
fn the_condition_says_whether_an_assumption_is_over_its_whole_interface() {
    for alphabets in [Alphabets::Whole, Alphabets::Refined] {
        let query = VerifyQuery {
            properties: vec!["A2_1_ONE_AT_PUMP1".to_owned()],
            strategy: Strategy::Learn,
            alphabets,
            ..VerifyQuery::about("SYSTEM")
        };
        let explanation = explained(GAS_STATION, None, query, Budget::UNLIMITED);
        let Argument::Rule(proof) = &explanation.argument else { panic!("a proof by the rule") };
        let [first, second] = &proof.groups[..] else { panic!("two groups") };
        let goal: Vec<usize> =
            (0..explanation.members.len()).filter(|&i| explanation.members[i].standing.is_goal()).collect();
        let own = actions(&explanation, &[first.parts.clone(), goal].concat());
        let whole = &own & &actions(&explanation, &second.parts);
        let is_whole = alphabet(&proof.assumptions[0]) == whole;
        assert_eq!(proof.conditions[0].starts_with("every assumption is over the actions"), is_whole);
        assert_eq!(
            proof.conditions[0].starts_with("every assumption is over some of the actions"),
            !is_whole
        );
        assert_eq!(is_whole, alphabets == Alphabets::Whole);
    }
}

#[test]
fn nothing_decides_what_is_not_decided() {
    let limits = Limits { states: Some(2), bytes: None };
    for (strategy, advises_auto) in [(Strategy::Auto, false), (Strategy::Reduce, true)] {
        let query = VerifyQuery { strategy, ..VerifyQuery::about("SYS") };
        let explanation = explained(MODEL, None, query, Budget::new(limits, None));
        assert_eq!(explanation.verdict, Verdict::Unknown);
        let text = page(std::slice::from_ref(&explanation), PageFormat::Text);
        assert!(!text.contains("Decided by"), "{text}");
        assert_eq!(text.contains("--strategy auto"), advises_auto, "{text}");
        let both = page(&[explanation.clone(), explanation], PageFormat::Text);
        assert!(!both.contains("monolithic"), "{both}");
    }
}

#[test]
fn a_property_that_forbids_nothing_is_one() {
    let text = "A = (in -> out -> A). property LAX = (in -> LAX | out -> LAX). ||SYS = (A || LAX).";
    let explanation = explained(text, None, VerifyQuery::about("SYS"), Budget::UNLIMITED);
    let text = page(&[explanation], PageFormat::Text);
    assert!(text.contains("property LAX = ({in, out} -> LAX)."), "{text}");
}
