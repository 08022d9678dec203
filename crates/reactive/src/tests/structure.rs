//! What a text means before it is a program: machines, states, events, components.

use crate::Elaborator;
use crate::system::{EventKind, Machine, System};

/// The only system of a text without findings.
#[track_caller]
fn system(text: &str) -> System {
    let found = super::findings(text);
    assert!(found.is_empty(), "{found:?}");
    let parse = crate::parse(text);
    let elaborator = Elaborator::new(parse.file());
    elaborator.systems().next().expect("there is a system").clone()
}

/// The transitions of a machine, as `from>to`.
fn moves(machine: &Machine) -> Vec<String> {
    let name = |state: u32| &machine.states[state as usize];
    machine.transitions.iter().map(|it| format!("{}>{}", name(it.from), name(it.to))).collect()
}

#[test]
fn the_first_state_is_the_initial_one_and_undeclared_events_are_internal() {
    let system = system(
        "system Door {
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
            property opens      at macrostep: old Leaf.closed & init => Leaf.opened
        }",
    );
    let kinds: Vec<(&str, EventKind)> = system.events.iter().map(|it| (it.name.as_str(), it.kind)).collect();
    use EventKind::{Input, Internal, Output};
    let expected =
        [("init", Input), ("finish", Input), ("open", Output), ("close", Output), ("start", Internal)];
    assert_eq!(kinds, expected);
    assert_eq!(system.machines[1].states, ["closed", "opened"]);
    assert_eq!(system.machines[1].initial, 0);
    assert_eq!(moves(&system.machines[0]), ["idle>busy", "busy>idle"]);
    assert_eq!(system.properties.len(), 2);
}

#[test]
fn nested_states_are_flat() {
    let system = system(
        "system S {
            input a, b, c
            machine M {
                state off
                state on {
                    low -> high on a
                    state high { warm -> hot on b & !c & !a }
                }
                off -> on on a & !b & !c
                on -> off on c & !a & !b
                high -> low on a & b
            }
            property p at macrostep: M.on | M.off
            property q at macrostep: M.high => !M.low
        }",
    );
    let machine = &system.machines[0];
    assert_eq!(machine.states, ["off", "low", "warm", "hot"]);
    let expected =
        ["low>warm", "warm>hot", "off>low", "low>off", "warm>off", "hot>off", "warm>low", "hot>low"];
    assert_eq!(moves(machine), expected);
}

#[test]
fn timers_start_again_where_their_state_is_left_or_entered() {
    let system = system(
        "system S {
            input a, b
            machine M {
                off -> on on a
                state on {
                    x -> y on b & !a
                    y -> x on b & !a
                }
                on -> off on after 3 & !b & !a
                on -> on on a & !b
            }
        }",
    );
    let machine = &system.machines[0];
    assert_eq!(machine.timers.len(), 1);
    assert_eq!((machine.timers[0].state.as_str(), machine.timers[0].longest), ("on", 3));
    let restarts: Vec<usize> = machine.transitions.iter().map(|it| it.restarts.len()).collect();
    // off>x, x>y, y>x, x>off, y>off, x>x, y>x: only what enters `on` from outside, or leaves it, counts.
    assert_eq!(moves(machine), ["off>x", "x>y", "y>x", "x>off", "y>off", "x>x", "y>x"]);
    assert_eq!(restarts, [1, 0, 0, 0, 0, 1, 1]);
}

#[test]
fn arrays_of_components_machines_events_and_states() {
    let text = "
        const LAST = 2
        range Level = 0..LAST
        system S(N = 2) {
            input up[1..N], press
            component Pump[i: 1..N] {
                takes go[i]
                gives done[i]
                output full
                machine Tank {
                    state at[Level]
                    forall [k: Level] at[k] -> at[k + 1] on k < LAST & go[i] / done[i]
                    at[LAST] -> at[0] on go[i] / done[i], full, tick
                }
                machine Watch { w -> w on tick / tock  v -> w on tock  w -> v on tock & !tick }
            }
            machine Driver[i: 1..N] { idle -> idle on up[i] / go[i]  }
            machine Count { c -> d on exists [i: 1..N] done[i]  d -> c on press }
            property p[i: 1..N] at macrostep: full_or_less(i) => true
        }";
    // A function is no part of the language.
    assert!(!super::findings(text).is_empty());
    let system = system(&text.replace("full_or_less(i)", "Pump[i].Tank.at[0]"));
    let names: Vec<&str> = system.machines.iter().map(|machine| machine.name.as_str()).collect();
    let machines =
        ["Driver[1]", "Driver[2]", "Count", "Pump[1].Tank", "Pump[1].Watch", "Pump[2].Tank", "Pump[2].Watch"];
    assert_eq!(names, machines);
    assert_eq!(system.machines[3].states, ["at[0]", "at[1]", "at[2]"]);
    assert_eq!(moves(&system.machines[3]), ["at[0]>at[1]", "at[1]>at[2]", "at[2]>at[0]"]);
    let actions: Vec<&str> = system.events.iter().map(|event| event.action.as_str()).collect();
    for action in ["up.1", "pump.2.full", "pump.1.tick", "go.2", "done.1"] {
        assert!(actions.contains(&action), "{action} in {actions:?}");
    }
    assert_eq!(system.components[1].takes.len(), 1);
    assert_eq!(system.properties.len(), 2);
}

#[test]
fn states_may_be_called_like_keywords() {
    let system = system(
        "system S {
            input press
            machine Lamp {
                off -> on on press
                on -> off on press
            }
            property p at macrostep: old Lamp.off & press => Lamp.on
        }",
    );
    assert_eq!(system.machines[0].states, ["off", "on"]);
}

#[test]
fn constants_and_parameters_can_be_defined_from_outside() {
    let mut parse = crate::parse(
        "const K = 1
        system S(N = 1) { input a machine M[i: 1..N] { x[K] -> y on a } }",
    );
    assert!(parse.define("N", 3) && parse.define("K", 7) && !parse.define("L", 1));
    let elaborator = Elaborator::new(parse.file());
    let system = elaborator.systems().next().expect("it is sound");
    assert_eq!(system.machines.len(), 3);
    assert_eq!(system.machines[0].states, ["x[7]", "y"]);
}

#[test]
fn targets_are_systems_and_components() {
    let parse = crate::parse(
        "system S {
            input a
            component C { gives b machine M { x -> x on a / b } }
            component D { takes b machine M { x -> y on b } }
        }",
    );
    let mut elaborator = Elaborator::new(parse.file());
    assert_eq!(elaborator.default_targets(), ["S"]);
    assert_eq!(elaborator.target_names(), ["S", "S.C", "S.D"]);
    for name in ["S", "S.C", "D"] {
        assert!(elaborator.target(name).is_ok(), "{name}");
    }
    assert!(elaborator.target("S.E").is_err());
    assert!(elaborator.diagnostics()[0].message.contains("there is no system or component `S.E`"));
}
