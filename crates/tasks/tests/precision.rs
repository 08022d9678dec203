//! How precise may-happen-in-parallel analysis is: the pairs of waiting nodes that it finds in our programs, and those of an
//! exhaustive search in which variables may have any value.

mod common;

use std::collections::{BTreeSet, HashSet};

use common::{network, program};
use rely_base::{Budget, StateId};
use rely_tasks::{Exact, Flow, flow};

/// A program, the pairs that the analysis finds, and those of them that the search does not find.
type Row = (&'static str, &'static str, usize, usize);

macro_rules! row {
    ($folder:literal, $file:literal, $pairs:literal, $spurious:literal) => {
        ($file, include_str!(concat!($folder, $file)), $pairs, $spurious)
    };
    ($file:literal, $pairs:literal, $spurious:literal) => {
        row!("../../../models/", $file, $pairs, $spurious)
    };
}

const ROWS: [Row; 12] = [
    row!("elevator.adb", 69, 0),
    row!("chiron_single.adb", 5_416, 1_057),
    row!("gas_station.adb", 929, 44),
    row!("peterson.adb", 266, 0),
    row!("relay.adb", 126, 0),
    row!("smokers.adb", 414, 0),
    row!("dining.adb", 670, 68),
    row!("readers_writers.adb", 517, 198),
    row!("programs/", "alternating_bit.ada", 429, 35),
    row!("furnace.adb", 352, 0),
    row!("scheduler.adb", 348, 0),
    row!("programs/", "sensors.ada", 241, 0),
];

/// No search visits more states.
const LIMIT: usize = 200_000;

/// A place of a task: its number and a state of its component.
type Place = (usize, StateId);

/// The pairs of places at which two tasks are at the same time, if variables may have any value; nothing if there are too many states.
fn pairs_of_runs(exact: &Exact) -> Option<BTreeSet<(Place, Place)>> {
    let tasks = &exact.network.components()[..exact.places.len()];
    let takes_part = |action: &str| -> Vec<usize> {
        let has = |task: &usize| tasks[*task].lts.alphabet().get(action).is_some();
        (0..tasks.len()).filter(has).collect()
    };
    let actions: Vec<(&str, Vec<usize>)> =
        exact.network.alphabet().names().map(|name| (name, takes_part(name))).collect();
    let start: Vec<StateId> = tasks.iter().map(|task| task.lts.initial()).collect();
    let mut seen = HashSet::from([start.clone()]);
    let mut pending = vec![start];
    let mut pairs = BTreeSet::new();
    while let Some(state) = pending.pop() {
        for (a, &at) in state.iter().enumerate() {
            for (b, &other) in state.iter().enumerate() {
                if a != b {
                    pairs.insert(((a, at), (b, other)));
                }
            }
        }
        let mut next = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            for edge in task.lts.silent_edges(state[number]) {
                let mut goal = state.clone();
                goal[number] = edge.target;
                next.push(goal);
            }
        }
        for (name, participants) in actions.iter().filter(|(_, participants)| !participants.is_empty()) {
            let mut goals = vec![state.clone()];
            for &number in participants {
                let lts = &tasks[number].lts;
                let Some(action) = lts.alphabet().get(name) else { continue };
                let edges = lts.edges_with(state[number], rely_base::Label::visible(action));
                let moved = |goal: &Vec<StateId>| {
                    let goal = goal.clone();
                    edges.iter().map(move |edge| {
                        let mut goal = goal.clone();
                        goal[number] = edge.target;
                        goal
                    })
                };
                goals = goals.iter().flat_map(moved).collect();
            }
            next.extend(goals);
        }
        for goal in next {
            let fails = goal.iter().zip(tasks).any(|(at, task)| task.lts.error() == Some(*at));
            if !fails && seen.insert(goal.clone()) {
                pending.push(goal);
            }
        }
        if seen.len() > LIMIT {
            return None;
        }
    }
    Some(pairs)
}

/// The pairs of places that the analysis finds.
fn pairs_of_analysis(exact: &Exact, flow: &Flow) -> BTreeSet<(Place, Place)> {
    let states = |task: usize| exact.network.components()[task].lts.states();
    let places: Vec<Place> =
        (0..exact.places.len()).flat_map(|task| states(task).map(move |at| (task, at))).collect();
    let node = |&(task, at): &Place| flow.waiting(task, at);
    let mut pairs = BTreeSet::new();
    for a in &places {
        for b in &places {
            if let (Some(at), Some(other)) = (node(a), node(b))
                && flow.parallel().contains(at, other)
            {
                pairs.insert((*a, *b));
            }
        }
    }
    pairs
}

#[test]
fn few_pairs_are_found_that_no_run_has() {
    let mut wrong = Vec::new();
    println!("| program | tasks | places | pairs | of no run |\n|---|---:|---:|---:|---:|");
    for (name, text, expected, spurious) in ROWS {
        let exact = network(text);
        let flow = flow(&program(text), &Budget::UNLIMITED).expect("there is no limit");
        let found = pairs_of_analysis(&exact, &flow);
        let exhaustive = pairs_of_runs(&exact).unwrap_or_else(|| panic!("{name} has too many states"));
        // A task that has left together with all others is at no waiting node.
        let lost: Vec<_> = exhaustive
            .difference(&found)
            .filter(|((a, at), (b, other))| {
                flow.waiting(*a, *at).is_some() && flow.waiting(*b, *other).is_some()
            })
            .collect();
        assert_eq!(lost, Vec::<&(Place, Place)>::new(), "{name}: the analysis loses pairs");
        let places: usize =
            exact.network.components()[..exact.places.len()].iter().map(|task| task.lts.state_count()).sum();
        let (pairs, more) = (found.len() / 2, found.difference(&exhaustive).count() / 2);
        println!("| {name} | {} | {places} | {pairs} | {more} |", exact.places.len());
        if (pairs, more) != (expected, spurious) {
            wrong.push(format!("row!(\"{name}\", {pairs}, {more}),"));
        }
    }
    assert!(wrong.is_empty(), "the numbers have changed:\n{}", wrong.join("\n"));
}
