//! Several runs against the naive product: every kind of end is found, each at its distance.

use std::collections::BTreeMap;

use rely_base::{Budget, Id, Label, StateId};
use rely_lts::{ComponentId, Network};
use rely_omega::{Assertion, Fairness, Formula, Proposition};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in, is_deadlocked};
use rely_testkit::networks::Shape;
use rely_testkit::rng::seeds;

use super::{Several, Wanted, another_cycle, several};
use crate::tests::small_networks;
use crate::{Counterexample, Ending, ProgressInquiry, ProgressProperty, check_ltl};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// For each component, the names of the actions that it has transitions with in its state.
fn offered(network: &Network, tuple: &Tuple) -> Vec<Vec<String>> {
    let of = |(component, state): (&rely_lts::Component, &StateId)| {
        let alphabet = component.lts.alphabet();
        let steps = component.lts.transitions().filter(|step| step.source == *state);
        let mut names: Vec<String> =
            steps.filter_map(|step| step.label.action()).map(|it| alphabet.name(it).to_owned()).collect();
        names.sort();
        names.dedup();
        names
    };
    network.components().iter().zip(tuple).map(of).collect()
}

fn last_tuple(run: &Counterexample) -> Tuple {
    let last = run.trace.last().map_or(&run.initial, |step| &step.after);
    last.iter().copied().map(StateId::from_raw).collect()
}

/// Notes the nearest of a kind.
fn note<K: Ord>(kinds: &mut BTreeMap<K, usize>, kind: K, distance: usize) {
    let nearest = kinds.entry(kind).or_insert(distance);
    *nearest = distance.min(*nearest);
}

#[test]
fn every_deadlock_of_another_kind_is_found_nearest_first() {
    let mut with_several = 0;
    for (seed, network) in small_networks(seeds(3000), Shape::FULL) {
        let naive = NaiveProduct::new(&network);
        let mut kinds = BTreeMap::new();
        for (tuple, &distance) in naive.distance.iter().filter(|(it, _)| is_deadlocked(&network, it)) {
            note(&mut kinds, offered(&network, tuple), distance);
        }
        let Several { runs, are_all } = several(&network, Wanted::Deadlock, 100, &ANY).unwrap();
        assert!(are_all, "seed {seed}");
        let mut found = BTreeMap::new();
        for run in &runs {
            assert!(is_deadlocked(&network, &last_tuple(run)), "seed {seed}");
            let old = found.insert(offered(&network, &last_tuple(run)), run.trace.len());
            assert_eq!(old, None, "seed {seed}: the same deadlock twice");
        }
        assert_eq!(found, kinds, "seed {seed}");
        assert!(runs.is_sorted_by_key(|run| run.trace.len()), "seed {seed}");
        with_several += usize::from(runs.len() > 1);
    }
    assert!(with_several > 50, "too few networks with several deadlocks: {with_several}");
}

#[test]
fn every_failure_of_another_kind_is_found_nearest_first() {
    let mut with_several = 0;
    for (seed, network) in small_networks(seeds(3000), Shape::FULL) {
        let naive = NaiveProduct::new(&network);
        let mut kinds = BTreeMap::new();
        for (tuple, moves) in &naive.moves {
            for (action, target) in moves {
                if let Some(failing) = error_in(&network, target) {
                    let label = action.map_or(Label::TAU, Label::visible);
                    let kind =
                        (failing, network.alphabet().label_name(label).to_owned(), Some(tuple[failing]));
                    note(&mut kinds, kind, naive.distance[tuple] + 1);
                }
            }
        }
        if let Some(failing) = error_in(&network, &naive.initial) {
            kinds.insert((failing, String::new(), None), 0);
        }
        let Several { runs, are_all } = several(&network, Wanted::Failure(None), 100, &ANY).unwrap();
        assert!(are_all, "seed {seed}");
        let kind = |run: &Counterexample| {
            let Ending::Error(failing) = run.ending else { panic!("seed {seed}: no failure") };
            let failing = failing.index();
            let last = run.trace.last();
            let state = last.map(|step| StateId::from_raw(step.before[failing]));
            ((failing, last.map_or(String::new(), |step| step.action.clone()), state), run.trace.len())
        };
        let found: BTreeMap<_, _> = runs.iter().map(kind).collect();
        assert_eq!(found.len(), runs.len(), "seed {seed}: the same failure twice");
        assert_eq!(found, kinds, "seed {seed}");
        for meant in (0..network.components().len()).map(ComponentId::from_index) {
            let of_one = several(&network, Wanted::Failure(Some(meant)), 100, &ANY).unwrap().runs;
            assert!(of_one.iter().all(|run| run.ending == Ending::Error(meant)), "seed {seed}");
        }
        with_several += usize::from(runs.len() > 1);
    }
    assert!(with_several > 50, "too few networks with several failures: {with_several}");
}

#[test]
fn every_terminal_set_without_the_actions_is_found() {
    let mut with_several = 0;
    for (seed, network) in small_networks(seeds(2000), Shape::FULL) {
        let naive = NaiveDecisions::new(&network);
        let property = ProgressProperty { name: "P".into(), condition: None, actions: vec!["a".into()] };
        let is_bad = |tuple: &&Tuple| naive.is_terminal(tuple) && !naive.future(tuple).contains("a");
        let mut sets: Vec<_> = naive.product.moves.keys().filter(is_bad).map(|it| &naive.reach[it]).collect();
        sets.sort();
        sets.dedup();
        let Several { runs, .. } = ProgressInquiry::several(&network, Some(&property), 100, &ANY).unwrap();
        let mut found: Vec<_> = runs.iter().map(|run| &naive.reach[&last_tuple(run)]).collect();
        found.sort();
        assert_eq!(found, sets, "seed {seed}");
        with_several += usize::from(runs.len() > 1);
    }
    assert!(with_several > 30, "too few networks with several terminal sets: {with_several}");
}

#[test]
fn another_cycle_has_other_actions_that_recur() {
    let mut with_another = 0;
    for (seed, network) in small_networks(seeds(600), Shape::FULL) {
        let assertion = Assertion {
            name: "A".into(),
            formula: Formula::atom(Id::from_index(0)).eventually().always(),
            propositions: vec![Proposition::Action(vec!["a".into()])],
            extension: Vec::new(),
        };
        let names = |run: &Counterexample| -> std::collections::BTreeSet<String> {
            run.cycle_names().into_iter().filter(|name| *name != "tau").map(str::to_owned).collect()
        };
        let find = |assertion: &Assertion| {
            let outcome = check_ltl(&network, assertion, Fairness::None, &ANY).unwrap();
            outcome.decision.verdict.counterexample().cloned().filter(|run| !run.cycle.is_empty())
        };
        let Some(first) = find(&assertion) else { continue };
        let another = another_cycle(&assertion, &first.cycle_names(), network.alphabet());
        if let Some(second) = find(&another) {
            assert_ne!(names(&first), names(&second), "seed {seed}");
            assert!(!names(&second).contains("a"), "seed {seed}: it satisfies the assertion");
            with_another += 1;
        }
    }
    assert!(with_another > 20, "too few networks with another cycle: {with_another}");
}
