//! The decisions against their naive twins.

mod lowered;
mod programs;

use rely_base::{Budget, Id, Label, Limits, Resource, StateId};
use rely_lts::{Component, ComponentId, LtsBuilder, Network, Rank};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::naive::product::{self, NaiveProduct};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use crate::{
    Counterexample, Decision, Ending, Limit, ProgressProperty, Unknown, Vacuity, Verdict,
    check_default_progress, check_divergence, check_progress, check_reachability, invariant, progress_ranks,
    replay,
};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// The length of the trace if the verdict is violated; a verdict that is unknown fails.
fn length(decision: &Decision) -> Option<usize> {
    match &decision.verdict {
        Verdict::Holds(_) => None,
        Verdict::Violated(counterexample) => Some(counterexample.trace.len()),
        Verdict::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

/// Networks with few enough tuples for the closures of the naive twins.
pub(crate) fn small_networks(
    seeds: std::ops::Range<u64>,
    shape: Shape,
) -> impl Iterator<Item = (u64, Network)> {
    seeds
        .map(move |seed| (seed, networks::network(&mut Rng::new(seed), &shape)))
        .filter(|(_, network)| NaiveProduct::new(network).moves.len() <= 40)
}

#[test]
fn deadlock_and_safety_are_as_defined() {
    let mut violated = (0, 0);
    for (seed, network) in small_networks(seeds(4000), Shape::FULL) {
        let naive = NaiveDecisions::new(&network);
        let found = check_reachability(&network, &ANY).unwrap();
        assert_eq!(length(&found.deadlock), naive.deadlock(), "seed {seed}");
        assert_eq!(length(&found.safety), naive.error(), "seed {seed}");
        violated.0 += usize::from(naive.deadlock().is_some_and(|length| length > 1));
        violated.1 += usize::from(naive.error().is_some_and(|length| length > 1));
        if let Some(counterexample) = found.safety.verdict.counterexample() {
            let last = counterexample.trace.last().map_or(&counterexample.initial, |step| &step.after);
            let failed = product::error_in(&network, &product::tuple(last)).map(ComponentId::from_index);
            assert_eq!(Some(counterexample.ending), failed.map(Ending::Error), "seed {seed}");
        }
    }
    assert!(violated.0 > 100 && violated.1 > 100, "too few violations to mean anything: {violated:?}");
}

pub(crate) fn random_property(rng: &mut Rng) -> ProgressProperty {
    let mut names =
        || ["a", "b", "c", "d", "e"].iter().filter(|_| rng.chance(1, 3)).map(|&n| n.to_owned()).collect();
    let (actions, condition): (Vec<String>, Vec<String>) = (names(), names());
    ProgressProperty { name: "P".into(), condition: rng.chance(1, 2).then_some(condition), actions }
}

#[test]
fn progress_is_as_defined() {
    let (mut violated, mut held, mut beside_errors) = (0, 0, 0);
    for (seed, network) in small_networks(seeds(4000), Shape::FULL) {
        let naive = NaiveDecisions::new(&network);
        let mut rng = Rng::new(seed + 1);
        let properties = [random_property(&mut rng), random_property(&mut rng)];
        let decisions = check_progress(&network, &properties, &ANY).unwrap();
        let default = check_default_progress(&network, &ANY).unwrap();
        // Where an error is reachable, what is not violated does not hold either.
        let length = |decision: &Decision| match naive.error() {
            Some(_) if decision.verdict == Verdict::Unknown(Unknown::ErrorReachable) => None,
            Some(_) if decision.verdict.holds() => panic!("seed {seed}: it holds beside an error"),
            _ => length(decision),
        };
        assert_eq!(length(&default), naive.default_progress(), "seed {seed}");
        for (property, decision) in properties.iter().zip(&decisions) {
            let expected = naive.progress(property.condition.as_deref(), &property.actions);
            assert_eq!(length(decision), expected, "seed {seed} {property:?}");
            match decision.verdict.counterexample() {
                None => held += 1,
                Some(counterexample) => {
                    violated += 1;
                    beside_errors += usize::from(naive.error().is_some());
                    check_progress_counterexample(&network, property, counterexample, seed);
                }
            }
            if naive.error().is_none() {
                check_ranks(&network, property, decision.verdict.holds(), seed);
            }
        }
    }
    assert!(violated > 500 && held > 500, "too lopsided to mean anything: {violated} {held}");
    assert!(beside_errors > 50, "hardly any violation beside an error: {beside_errors}");
}

#[test]
fn progress_in_every_component_would_be_noticed() {
    // A canary: the same question about all strongly connected components, not only the terminal ones.
    let mut differences = 0;
    for (seed, network) in small_networks(seeds(300), Shape::FAULTLESS) {
        let naive = NaiveDecisions::new(&network);
        let property = random_property(&mut Rng::new(seed + 1));
        let actions = |tuple: &product::Tuple| {
            let mutual = naive.reach[tuple].iter().filter(|other| naive.reach[*other].contains(tuple));
            let moves = mutual.flat_map(|other| &naive.product.moves[other]);
            moves.filter_map(|(action, _)| action.map(|a| network.alphabet().name(a))).collect::<Vec<&str>>()
        };
        let wrong = naive.nearest(|tuple| {
            let some =
                |names: &Vec<String>| actions(tuple).iter().any(|&action| names.iter().any(|n| n == action));
            !some(&property.actions) && property.condition.as_ref().is_none_or(some)
        });
        let right = check_progress(&network, std::slice::from_ref(&property), &ANY).unwrap();
        differences += usize::from(length(&right[0]) != wrong);
    }
    assert!(differences > 10, "{differences}");
}

pub(crate) fn check_progress_counterexample(
    network: &Network,
    property: &ProgressProperty,
    counterexample: &Counterexample,
    seed: u64,
) {
    let last = counterexample.trace.last().map_or(&counterexample.initial, |step| &step.after);
    let names = counterexample.cycle_names();
    assert!(!names.iter().any(|&name| property.actions.iter().any(|action| action == name)), "seed {seed}");
    if let Some(condition) = &property.condition {
        assert!(names.iter().any(|&name| condition.iter().any(|action| action == name)), "seed {seed}");
    }
    assert_eq!(names.is_empty(), product::moves_of(network, &product::tuple(last)).is_empty(), "seed {seed}");
}

/// The ranks are what they say, and every state has one exactly if the property holds.
fn check_ranks(network: &Network, property: &ProgressProperty, holds: bool, seed: u64) {
    let naive = NaiveProduct::new(network);
    let ranked = progress_ranks(network, property, &ANY).unwrap();
    let rank = |tuple: &[u32]| ranked.iter().find(|state| state.components == tuple).unwrap().rank;
    assert_eq!(ranked.len(), naive.moves.len(), "seed {seed}");
    assert_eq!(ranked.iter().all(|state| state.rank.is_some()), holds, "seed {seed}");
    for (tuple, moves) in &naive.moves {
        let raw = |tuple: &product::Tuple| tuple.iter().map(|state| state.raw()).collect::<Vec<u32>>();
        let has = |names: &[String], action: &Option<rely_base::ActionId>| {
            action.is_some_and(|action| names.iter().any(|name| name == network.alphabet().name(action)))
        };
        let explained = match rank(&raw(tuple)) {
            None => moves
                .iter()
                .all(|(action, target)| !has(&property.actions, action) && rank(&raw(target)).is_none()),
            Some(0) => moves.iter().all(|(action, target)| {
                let condition = property.condition.as_ref().unwrap();
                !has(condition, action) && rank(&raw(target)) == Some(0)
            }),
            Some(r) => moves.iter().any(|(action, target)| {
                (r == 1 && has(&property.actions, action)) || rank(&raw(target)) == Some(r - 1)
            }),
        };
        assert!(explained, "seed {seed} {tuple:?}");
    }
}

#[test]
fn divergence_is_as_defined() {
    let mut violated = 0;
    for (seed, network) in small_networks(seeds(4000), Shape::FULL) {
        let naive = NaiveDecisions::new(&network);
        let found = check_divergence(&network, &ANY).unwrap();
        assert_eq!(length(&found), naive.divergence(), "seed {seed}");
        violated += usize::from(naive.divergence().is_some());
    }
    assert!(violated > 100, "too few violations to mean anything: {violated}");
}

#[test]
fn invariant_is_the_set_of_reachable_tuples() {
    for (seed, network) in small_networks(seeds(500), Shape::FAULTLESS) {
        let mut found = invariant(&network, &ANY).unwrap();
        let naive = NaiveProduct::new(&network);
        found.sort();
        let expected: Vec<Vec<u32>> =
            naive.moves.keys().map(|tuple| tuple.iter().map(|state| state.raw()).collect()).collect();
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn philosophers_deadlock_after_all_have_one_fork() {
    let network = networks::philosophers(5);
    let found = check_reachability(&network, &ANY).unwrap();
    assert_eq!(length(&found.deadlock), Some(10));
    assert!(found.safety.verdict.holds());
    let progress = check_default_progress(&network, &ANY).unwrap();
    let counterexample = progress.verdict.counterexample().unwrap();
    assert_eq!((counterexample.trace.len(), counterexample.cycle.len()), (10, 0));
    assert_eq!(counterexample.ending, Ending::Deadlock);
}

#[test]
fn limits_leave_the_verdict_open() {
    let network = networks::philosophers(5);
    let budget = Budget::new(Limits { states: Some(100), bytes: None }, None);
    let found = check_reachability(&network, &budget).unwrap();
    for decision in [found.deadlock, found.safety, check_divergence(&network, &budget).unwrap()] {
        match decision.verdict {
            Verdict::Unknown(Unknown::Limit(Limit::Answer(exhausted))) => {
                assert_eq!(exhausted.resource, Resource::States);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn replay_refuses_what_is_no_run() {
    // A check that cannot fail is no check: every small change of a counterexample has to be noticed.
    let mut refused = 0;
    for (seed, network) in small_networks(seeds(1000), Shape::FULL) {
        let found = check_reachability(&network, &ANY).unwrap();
        for counterexample in
            [&found.deadlock, &found.safety].into_iter().filter_map(|d| d.verdict.counterexample())
        {
            assert_eq!(replay(&network, counterexample), Ok(()));
            if counterexample.trace.is_empty() {
                continue;
            }
            let mut cut = counterexample.clone();
            let step = cut.trace.pop().unwrap();
            assert!(replay(&network, &cut).is_err(), "seed {seed}: the last step is missing");
            let mut twice = counterexample.clone();
            twice.trace.push(step.clone());
            assert!(replay(&network, &twice).is_err(), "seed {seed}: a step after the end");
            let mut renamed = counterexample.clone();
            renamed.trace[0].action = "unheard".into();
            assert!(replay(&network, &renamed).is_err(), "seed {seed}: an action that nobody has");
            let mut deserted = counterexample.clone();
            deserted.trace[0].movers.clear();
            assert!(replay(&network, &deserted).is_err(), "seed {seed}: nobody takes part");
            refused += 1;
        }
    }
    assert!(refused > 100, "too few counterexamples to mean anything: {refused}");
}

#[test]
fn replay_knows_priority() {
    // Runs of the same network without priority are runs with it exactly if every step is a move of the naive twin.
    let (mut accepted, mut refused) = (0, 0);
    for (seed, network) in small_networks(seeds(4000), Shape::FULL).filter(|(_, n)| n.priority().is_some()) {
        let equal = network.clone().with_priority(Rank::High, |_| false);
        let found = check_reachability(&equal, &ANY).unwrap();
        for decision in [&found.deadlock, &found.safety] {
            let Some(counterexample) = decision.verdict.counterexample() else { continue };
            let possible = counterexample.trace.iter().all(|step| {
                let action = network.alphabet().get(&step.action);
                product::moves_of(&network, &product::tuple(&step.before))
                    .contains(&(action, product::tuple(&step.after)))
            });
            assert_eq!(replay(&network, counterexample).is_ok(), possible, "seed {seed}");
            *(if possible { &mut accepted } else { &mut refused }) += 1;
        }
    }
    assert!(accepted > 50 && refused > 50, "too lopsided to mean anything: {accepted} {refused}");
}

/// The name, the number of states and the transitions of a component.
pub(crate) type Part<'a> = (&'a str, usize, &'a [(usize, &'a str, usize)]);

/// A network of components; state 2 of a component of 3 states is its error state.
pub(crate) fn network_of(parts: &[Part<'_>]) -> Network {
    let component = |&(name, states, transitions): &Part<'_>| {
        let mut builder = LtsBuilder::with_states(transitions.iter().map(|t| t.1).collect(), states);
        if states == 3 {
            builder.set_error(Some(StateId::from_raw(2)));
        }
        for &(source, action, target) in transitions {
            let label = Label::visible(builder.alphabet_mut().intern(action));
            builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
        }
        Component { name: name.into(), lts: builder.build().into() }
    };
    Network::new(parts.iter().map(component).collect())
}

#[test]
fn verdicts_that_hold_for_a_poor_reason_say_so() {
    // NEVER has `b`, which STUCK refuses; so the property of `b` is never active, and neither moves.
    let network = network_of(&[
        ("LOOP", 1, &[(0, "a", 0)]),
        ("NEVER", 2, &[(0, "b", 1)]),
        ("PROPERTY", 3, &[(0, "b", 1), (1, "b", 2)]),
        ("STUCK", 2, &[(1, "b", 1)]),
    ]);
    let found = check_reachability(&network, &ANY).unwrap();
    let id = ComponentId::from_index;
    let vacuity = |decision: &Decision| match &decision.verdict {
        Verdict::Holds(evidence) => evidence.vacuity.clone(),
        other => panic!("{other:?}"),
    };
    let unmoved = [1, 2, 3].map(|i| Vacuity::ComponentNeverMoves(id(i)));
    assert_eq!(vacuity(&found.deadlock), unmoved);
    assert_eq!(vacuity(&found.safety), [Vacuity::PropertyNeverActive(id(2))]);

    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
    let properties = [
        ProgressProperty { name: "P".into(), condition: Some(names(&["x"])), actions: names(&["a"]) },
        ProgressProperty { name: "Q".into(), condition: Some(names(&["b"])), actions: names(&["y"]) },
        ProgressProperty { name: "R".into(), condition: None, actions: names(&["a"]) },
    ];
    let decisions = check_progress(&network, &properties, &ANY).unwrap();
    assert_eq!(vacuity(&decisions[0]), [Vacuity::ConditionWithoutActions]);
    assert_eq!(vacuity(&decisions[1]), [Vacuity::ProgressWithoutActions]);
    assert_eq!(vacuity(&decisions[2]), []);
}
