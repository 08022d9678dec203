//! Diagrams: which arrows they have.

use rely_base::Id;
use rely_model::Diagram;

use crate::Elaborator;

const LIFT: &str = include_str!("../../../../models/lift.srs");

/// The arrows of a diagram as text.
fn arrows(diagram: &Diagram) -> Vec<String> {
    let name =
        |state: rely_base::StateId| diagram.names.of(state).unwrap_or_else(|| state.index().to_string());
    let label = |label: rely_base::Label| {
        label.action().map_or("tau", |action| diagram.graph.alphabet().name(action)).to_owned()
    };
    let transitions = diagram.graph.transitions();
    transitions.map(|it| format!("{} -> {}: {}", name(it.source), name(it.target), label(it.label))).collect()
}

fn diagram(text: &str, name: &str) -> Vec<String> {
    let mut parse = crate::parse(text);
    parse.define("N", 2);
    arrows(&Elaborator::new(parse.file()).diagram(name).expect("it is there"))
}

#[test]
fn a_machine_has_its_conditions_and_outputs() {
    let mut floor = diagram(LIFT, "Cabin.Floor");
    floor.sort();
    assert_eq!(
        floor,
        [
            "at[1] -> at[2]: Way.up & go / arrived[2], at_floor[2]",
            "at[2] -> at[1]: Way.down & go / arrived[1], at_floor[1]"
        ]
    );
    let drive = diagram(LIFT, "Lift.Cabin.Drive");
    assert!(drive.contains(&"resting -> moving: wanted & !stop_here / start".to_owned()), "{drive:?}");
    let turn = "moving -> moving: after 1 & ((Floor.at[2] & Way.up) | (Floor.at[1] & Way.down)) / turn";
    assert!(drive.contains(&turn.to_owned()), "{drive:?}");
}

#[test]
fn a_system_has_components_and_the_events_between_them() {
    let mut lift = diagram(LIFT, "Lift");
    lift.sort();
    assert_eq!(
        lift,
        [
            "Cabin -> Calls: at_floor[1]",
            "Cabin -> Calls: at_floor[2]",
            "Cabin -> outside: arrived[1]",
            "Cabin -> outside: arrived[2]",
            "Calls -> Cabin: stop_here",
            "Calls -> Cabin: wanted",
            "Calls -> Door: stop_here",
            "Door -> Cabin: shut",
            "outside -> Calls: call[1]",
            "outside -> Calls: call[2]"
        ]
    );
}

#[test]
fn a_component_has_machines_and_its_environment() {
    let mut cabin = diagram(LIFT, "Cabin");
    cabin.sort();
    for arrow in
        ["Drive -> Floor: go", "Drive -> Way: turn", "Drive -> Log: start", "environment -> Drive: shut"]
    {
        assert!(cabin.contains(&arrow.to_owned()), "{arrow}: {cabin:?}");
    }
    assert!(cabin.contains(&"Floor -> environment: at_floor[1]".to_owned()), "{cabin:?}");
    // Nothing comes from outside of a system that talks to itself.
    let closed = "system S { machine M { a -> b on after 1 / e } machine N { c -> d on e } }";
    assert_eq!(diagram(closed, "S"), ["M -> N: e"]);
}
