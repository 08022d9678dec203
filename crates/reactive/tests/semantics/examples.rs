//! Small systems whose behaviour can be told by heart.

use std::collections::BTreeSet;

use rely_reactive::Elaborator;
use rely_reactive::program::{Arrivals, Lowered, Options, View, lower};
use rely_reactive::system::System;

use crate::program;

const DOOR: &str = "
    system Door {
        input  init, finish
        output open, close
        machine Control {
            idle -> busy on init   / start
            busy -> idle on finish / start
        }
        machine Leaf {
            closed -> opened on start / open
            opened -> closed on start / close
        }
        property never_both at microstep: !(open & close)
        property opens      at macrostep: old Leaf.closed & old Control.idle & init => Leaf.opened
        property wrong      at macrostep: old Leaf.closed => Leaf.opened
    }";

fn system(text: &str) -> System {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(!parse.has_errors() && !elaborator.has_errors(), "{:?}", elaborator.diagnostics());
    elaborator.systems().next().expect("there is one").clone()
}

/// The visible traces with so many actions.
fn traces(lowered: &Lowered, length: usize) -> BTreeSet<String> {
    let mut open = vec![(lowered.program.initial(), Vec::<String>::new())];
    let mut known = BTreeSet::new();
    let mut traces = BTreeSet::new();
    while let Some((state, trace)) = open.pop() {
        if trace.len() == length {
            traces.insert(trace.join(" "));
            continue;
        }
        for step in program::steps(&lowered.program, &state) {
            let Ok(next) = step.next else { continue };
            let longer: Vec<String> = trace.iter().cloned().chain(step.action).collect();
            if known.insert((next.clone(), longer.clone())) {
                open.push((next, longer));
            }
        }
    }
    traces
}

#[test]
fn the_door_opens_and_closes() {
    let system = system(DOOR);
    let lowered = lower(&system, View::Whole, &Options::without_properties());
    let found = traces(&lowered, 3);
    let expected = [
        "end end end",
        "end end finish",
        "end end init",
        "end finish end",
        "end init finish",
        "end init open",
        "finish end end",
        "finish end finish",
        "finish end init",
        "init finish open",
        "init open end",
    ];
    assert_eq!(found, expected.map(str::to_owned).into_iter().collect());
    let one = Options { arrivals: Arrivals::OneAtATime, ..Options::without_properties() };
    let found = traces(&lower(&system, View::Whole, &one), 3);
    assert!(found.contains("init open end") && !found.contains("init finish open"), "{found:?}");
}

#[test]
fn properties_fail_where_they_do_not_hold() {
    let system = system(DOOR);
    let lowered = lower(&system, View::Whole, &Options::with_properties(&system, View::Whole));
    let names: Vec<&str> = lowered.parts.iter().map(|part| &*part.definition).collect();
    assert_eq!(names, ["Control", "Leaf", "environment", "macrostep", "never_both", "opens", "wrong"]);
    let reached = program::explore(&lowered.program, 10_000, |_, _, _| {}).expect("it is small");
    assert_eq!(reached.failing.into_iter().collect::<Vec<_>>(), ["wrong"]);
}

#[test]
fn a_macrostep_that_does_not_end_fails() {
    let endless = "system S { input a machine M { x -> y on a / b   y -> y on b / b } }";
    let lowered = lower(&system(endless), View::Whole, &Options::without_properties());
    let reached = program::explore(&lowered.program, 10_000, |_, _, _| {}).expect("it is small");
    assert_eq!(reached.failing.into_iter().collect::<Vec<_>>(), ["macrostep"]);
}

#[test]
fn a_long_macrostep_that_ends_does_not_fail() {
    // Forty microsteps, many more than are counted.
    let long = "system S {
        input a
        machine M { x -> at[0] on a / go   forall [i: 0..39] at[i] -> at[i + 1] on go / go   at[40] -> x on go }
    }";
    let lowered = lower(&system(long), View::Whole, &Options::without_properties());
    assert_eq!(lowered.layout.counted, rely_reactive::program::COUNTED);
    let reached = program::explore(&lowered.program, 10_000, |_, _, _| {}).expect("it is small");
    assert!(reached.failing.is_empty());
}

#[test]
fn arrays_mean_what_their_elements_mean() {
    let arrays = system(
        "system S(N = 2) {
            input a[1..N]
            output z
            component C[i: 1..N] {
                gives g[i]
                machine M { x -> y on a[i] / g[i]   y -> x on after i }
            }
            machine T { u -> v on forall [i: 1..N] g[i] / z   v -> u on exists [i: 1..N] g[i] }
        }",
    );
    let elements = system(
        "system S {
            input a1, a2
            output z
            component C1 { gives g1 machine M { x -> y on a1 / g1   y -> x on after 1 } }
            component C2 { gives g2 machine M { x -> y on a2 / g2   y -> x on after 2 } }
            machine T { u -> v on g1 & g2 / z   v -> u on g1 | g2 }
        }",
    );
    let [arrays, elements] = [arrays, elements].map(|system| {
        let lowered = lower(&system, View::Whole, &Options::without_properties());
        let mut states = BTreeSet::new();
        program::explore(&lowered.program, 10_000, |from, action, to| {
            let action = action.map(|action| action.replace(".1", "1").replace(".2", "2"));
            states.insert((from.to_vec(), action, to.to_vec()));
        })
        .expect("it is small");
        states
    });
    assert_eq!(arrays, elements);
}
