//! Scalable systems, made by hand: a protocol in composites, a ring, and a pipeline.

use std::sync::Arc;

use rely_assume::{
    Algorithm, Alphabets, Answer, Approach, Effort, Goal, Hints, Problem, Reduction, Rule, Strategy,
    automatic, prove,
};
use rely_base::{Budget, Limits};
use rely_lts::{Component, operators};
use rely_testkit::networks::from_transitions;

type Steps = Vec<(usize, String, usize)>;

fn component(name: &str, states: usize, steps: &Steps) -> Component {
    let steps: Vec<(usize, &str, usize)> =
        steps.iter().map(|(from, action, to)| (*from, action.as_str(), *to)).collect();
    Component::new(name, from_transitions(states, &steps))
}

fn property(states: usize, steps: &Steps) -> Goal {
    let Component { name, lts } = component("P", states, steps);
    Goal::property(Component { name, lts: Arc::new(operators::complete(&lts)) })
}

/// A budget of so many states.
fn states(most: usize) -> Budget<'static> {
    Budget::new(Limits { states: Some(most), bytes: None }, None)
}

/// The alternating bit protocol over channels that lose messages: its four components.
fn hop(i: usize) -> [Component; 4] {
    let mut sender = Steps::new();
    let (mut data, mut acks, mut receiver) = (Steps::new(), Steps::new(), Steps::new());
    for b in 0..2 {
        let [ready, sending, waiting] = [3 * b, 3 * b + 1, 3 * b + 2];
        sender.push((ready, format!("item.{i}"), sending));
        sender.push((sending, format!("send.{i}.{b}"), waiting));
        sender.push((waiting, format!("timeout.{i}"), sending));
        sender.push((waiting, format!("ack_out.{i}.{b}"), 3 * (1 - b)));
        sender.push((waiting, format!("ack_out.{i}.{}", 1 - b), waiting));
        (0..2).for_each(|other| sender.push((ready, format!("ack_out.{i}.{other}"), ready)));
        data.push((0, format!("send.{i}.{b}"), 1 + b));
        data.push((1 + b, format!("receive.{i}.{b}"), 0));
        data.push((1 + b, format!("lose.{i}"), 0));
        acks.push((0, format!("ack_in.{i}.{b}"), 1 + b));
        acks.push((1 + b, format!("ack_out.{i}.{b}"), 0));
        acks.push((1 + b, format!("lose_ack.{i}"), 0));
        let [expects, has, passed, has_old] = [4 * b, 4 * b + 1, 4 * b + 2, 4 * b + 3];
        receiver.push((expects, format!("receive.{i}.{b}"), has));
        receiver.push((expects, format!("receive.{i}.{}", 1 - b), has_old));
        receiver.push((has, format!("item.{}", i + 1), passed));
        receiver.push((passed, format!("ack_in.{i}.{b}"), 4 * (1 - b)));
        receiver.push((has_old, format!("ack_in.{i}.{}", 1 - b), expects));
    }
    [
        component("SENDER", 6, &sender),
        component("DATA", 3, &data),
        component("ACKS", 3, &acks),
        component("RECEIVER", 8, &receiver),
    ]
}

/// Items cross so many hops, which are said to hold no more than so many of them.
fn hops(count: usize, room: usize) -> Problem {
    let full = (0..room).map(|n| (n, "item.0".to_owned(), n + 1));
    let steps: Steps = full.chain((0..room).map(|n| (n + 1, format!("item.{count}"), n))).collect();
    Problem {
        parts: (0..count).flat_map(hop).collect(),
        goal: property(room + 1, &steps),
        composites: (0..count).map(|i| (4 * i..4 * i + 4).collect()).collect(),
    }
}

/// Nodes in a ring hand a token on, and one that has it may enter.
fn ring(count: usize) -> Problem {
    let node = |i: usize| {
        let (own, next) = (format!("token.{i}"), format!("token.{}", (i + 1) % count));
        let [want, enter, leave] = ["want", "enter", "leave"].map(|name| format!("{name}.{i}"));
        // Idle, wants, has been given it and wants, is inside, passes on; the first node begins with the token.
        let mut steps = vec![
            (0, want.clone(), 1),
            (0, own.clone(), 4),
            (1, own, 2),
            (2, enter.clone(), 3),
            (3, leave, 4),
            (4, next.clone(), 0),
        ];
        if i == 0 {
            let shifted = |state: usize| state + 1;
            steps.iter_mut().for_each(|(from, _, to)| (*from, *to) = (shifted(*from), shifted(*to)));
            steps.extend([(0, want, 3), (0, next, 1)]);
            return component("NODE", 6, &steps);
        }
        component("NODE", 5, &steps)
    };
    let turns = (0..count).flat_map(|i| [(0, format!("enter.{i}"), 1 + i), (1 + i, format!("leave.{i}"), 0)]);
    let goal = property(1 + count, &turns.collect());
    Problem { parts: (0..count).map(node).collect(), goal, composites: Vec::new() }
}

/// Zeros and ones in turns go through stages with room for one.
fn pipeline(count: usize) -> Problem {
    let alternate = |i: usize| vec![(0, format!("d.{i}.0"), 1), (1, format!("d.{i}.1"), 0)];
    let stage = |i: usize| {
        let bit = |b: usize| {
            let [taken, worked] = [1 + 2 * b, 2 + 2 * b];
            [
                (0, format!("d.{i}.{b}"), taken),
                (taken, format!("work.{i}"), worked),
                (worked, format!("d.{}.{b}", i + 1), 0),
            ]
        };
        component("STAGE", 5, &(0..2).flat_map(bit).collect())
    };
    let parts = std::iter::once(component("SOURCE", 2, &alternate(0))).chain((0..count).map(stage)).collect();
    Problem { parts, goal: property(2, &alternate(count)), composites: Vec::new() }
}

#[test]
fn composites_are_composed_from_the_inside_out() {
    let problem = hops(10, 20);
    let mut effort = Effort::default();
    assert_eq!(Reduction::new(&problem).run(&states(10_000), &mut effort), Ok(false));
    let found = automatic(&problem, &states(1 << 16)).expect("no mistake");
    assert!(matches!(found.outcome, Answer::Proved(())), "{}", found.story);
    assert!(found.effort.peak_states < 10_000, "{:?}", found.effort);
    // What fails is a run of the components, not of the composites.
    let tight = hops(4, 2);
    let mut reduction = Reduction::new(&tight);
    assert_eq!(reduction.run(&states(10_000), &mut effort), Ok(true));
    let run = reduction.counterexample(&tight, &states(1 << 18), &mut effort).expect("it is one");
    assert!(run.trace_names().contains(&"send.0.0"));
}

#[test]
fn a_ring_has_no_size_at_which_reduction_is_given_up() {
    for size in [40, 45, 50] {
        let found = automatic(&ring(size), &states(1 << 20)).expect("no mistake");
        assert!(matches!(found.outcome, Answer::Proved(())), "{size}: {}", found.story);
        assert!(found.effort.peak_states < 20_000, "{size}: {:?}", found.effort);
    }
}

#[test]
fn a_rule_without_a_first_group_finds_one() {
    let approach = Approach {
        strategy: Strategy::Learn,
        rule: Rule::Simple,
        algorithm: Algorithm::default(),
        alphabets: Alphabets::Whole,
        left: &[],
    };
    let found = prove(&pipeline(20), &approach, &Hints::default(), &states(1 << 20)).expect("no mistake");
    assert!(matches!(found.answer, Answer::Proved(Some(_))), "{:?}", found.answer);
    assert!(found.effort.peak_states < 70_000, "{:?}", found.effort);
}
