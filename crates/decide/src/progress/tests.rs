//! Progress beside an error, against the definition, with every effort.

use rely_base::{Budget, Label, StateId};
use rely_lts::{Component, LtsBuilder, Network};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::networks::{Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::tests::{check_progress_counterexample, random_property, small_networks};
use crate::{Verdict, replay};

const ANY: Budget<'static> = Budget::UNLIMITED;

#[test]
fn a_short_search_is_never_wrong() {
    let (mut found, mut longer, mut given_up) = (0, 0, 0);
    let shape = Shape { components: 5, ..Shape::FULL };
    for (seed, network) in small_networks(seeds(8000), shape) {
        let naive = NaiveDecisions::new(&network);
        if naive.error().is_none() {
            continue;
        }
        let mut rng = Rng::new(seed + 1);
        let properties = [random_property(&mut rng), random_property(&mut rng)];
        let inquiry = ProgressInquiry { most: Some(1 + rng.below(30)) };
        let mut decisions = inquiry.check(&network, &properties, &ANY).unwrap();
        decisions.push(inquiry.check_every_action(&network, &ANY).unwrap());
        let expected = |number: usize| match properties.get(number) {
            Some(property) => naive.progress(property.condition.as_deref(), &property.actions),
            None => naive.default_progress(),
        };
        for (number, decision) in decisions.iter().enumerate() {
            match &decision.verdict {
                Verdict::Holds(_) => panic!("seed {seed}: nothing holds beside an error"),
                Verdict::Unknown(Unknown::ErrorReachable) => {
                    assert_eq!(expected(number), None, "seed {seed}");
                }
                Verdict::Unknown(Unknown::GivenUpBesideError) => given_up += 1,
                Verdict::Unknown(other) => panic!("seed {seed}: {other}"),
                Verdict::Violated(run) => {
                    let shortest =
                        expected(number).unwrap_or_else(|| panic!("seed {seed}: it is not violated"));
                    assert!(run.trace.len() >= shortest, "seed {seed}");
                    assert!(
                        !run.is_shortest || run.trace.len() == shortest,
                        "seed {seed}: it is not shortest"
                    );
                    found += usize::from(!run.is_shortest);
                    longer += usize::from(run.trace.len() > shortest);
                    assert_eq!(replay(&network, run), Ok(()), "seed {seed}");
                    if let Some(property) = properties.get(number) {
                        check_progress_counterexample(&network, property, run, seed);
                    }
                }
            }
        }
    }
    let enough = found > 30 && longer > 0 && given_up > 100;
    assert!(enough || is_single_seed(), "too few to mean anything: {found}, {longer}, {given_up}");
}

/// Something that fails by itself at any time, in one step.
fn bad() -> Component {
    let mut builder = LtsBuilder::with_states(["bad"].into_iter().collect(), 1);
    let error = builder.error_state();
    let bad = Label::visible(builder.alphabet_mut().intern("bad"));
    builder.add_transition(StateId::from_raw(0), bad, error);
    Component::new("B", builder.build())
}

fn counters(count: usize) -> Vec<Component> {
    let counter = |i: usize| {
        let (up, down) = (format!("up.{i}"), format!("down.{i}"));
        let steps = (0..10).flat_map(|s| [(s, up.as_str(), (s + 1) % 10), (s, down.as_str(), (s + 9) % 10)]);
        Component::new(format!("C.{i}"), from_transitions(10, &steps.collect::<Vec<_>>()))
    };
    (0..count).map(counter).collect()
}

fn up(i: usize) -> ProgressProperty {
    ProgressProperty { name: "UP".into(), condition: None, actions: vec![format!("up.{i}")] }
}

#[test]
fn a_near_error_keeps_the_effort_small() {
    let mut components = counters(6);
    components.push(bad());
    let network = Network::new(components);
    let near = Explored { states: 1, transitions: 13 };
    let decisions = ProgressInquiry::beside_error(near).check(&network, &[up(0)], &ANY).unwrap();
    assert_eq!(decisions[0].verdict, Verdict::Unknown(Unknown::GivenUpBesideError));
    let most = 2 * ProgressInquiry::LEAST;
    assert!(decisions[0].explored.transitions < most + most / 10, "{:?}", decisions[0].explored);
    // What took longer to find may take as long again.
    let far = Explored { states: 20_000, transitions: 200_000 };
    let decision = ProgressInquiry::beside_error(far).check_every_action(&network, &ANY).unwrap();
    assert_eq!(decision.verdict, Verdict::Unknown(Unknown::GivenUpBesideError));
    assert!((200_000..220_000).contains(&decision.explored.transitions), "{:?}", decision.explored);
}

fn violated(network: &Network, most: usize) -> Decision {
    let inquiry = ProgressInquiry { most: Some(most) };
    let decision = inquiry.check(network, &[up(0)], &ANY).unwrap().remove(0);
    let run = decision.verdict.counterexample().expect("the counters stand still for ever");
    assert_eq!((run.cycle_names(), run.recurring.as_slice()), (vec!["rest"], ["rest".to_owned()].as_slice()));
    assert!(!run.is_shortest, "not all states were looked at");
    assert!(decision.explored.states < 3000, "{:?}", decision.explored);
    decision
}

#[test]
fn a_near_violation_among_many_states_is_found() {
    // Counters go round and round, until two steps of another component make them stand still.
    let mut components = counters(5);
    let names: Vec<String> = (0..5).flat_map(|i| [format!("up.{i}"), format!("down.{i}")]).collect();
    let moves = |state: usize| names.iter().map(move |name| (state, name.as_str(), state));
    let mut moves: Vec<(usize, &str, usize)> = moves(0).chain(moves(1)).collect();
    moves.extend([(0, "bad", 0), (0, "step", 1), (1, "bad", 1), (1, "quit", 2), (2, "rest", 2)]);
    components.push(Component::new("SWITCH", from_transitions(3, &moves)));
    components.push(bad());
    let decision = violated(&Network::new(components), 1000);
    assert_eq!(decision.verdict.counterexample().unwrap().trace_names(), ["step", "quit"]);
}

#[test]
fn a_far_violation_among_many_states_is_found() {
    // Counters go up once, and when all have arrived they rest for ever.
    let counter = |i: usize| {
        let up = format!("up.{i}");
        let mut steps: Vec<(usize, &str, usize)> = (0..10).map(|s| (s, up.as_str(), s + 1)).collect();
        steps.extend([(10, "quit", 11), (11, "rest", 11)]);
        Component::new(format!("C.{i}"), from_transitions(12, &steps))
    };
    let mut components: Vec<Component> = (0..5).map(counter).collect();
    components.push(Component::new("FAIL", from_transitions(2, &[(0, "bad", 0), (0, "quit", 1)])));
    components.push(bad());
    let decision = violated(&Network::new(components), 1000);
    assert_eq!(decision.verdict.counterexample().unwrap().trace.len(), 51);
}
