//! What components mean: names of steps, interfaces, properties, imports.

use rely_base::{ActionId, Alphabet, Budget, Label, StateId};
use rely_lts::{LtsBuilder, Observation};
use rely_omega::{AtomId, Statement, Template};

use crate::system::System;
use crate::{Elaborator, Options, parse};

const SENSOR: &str = "
component Sensor {
    input  tick, ack
    output reading(value: 0..1), idle
    process Clock { state wait  state ask { send Probe.ask }  wait, ask -> ask on tick }
    process Probe {
        visible busy: bool
        state wait
        state measure { busy := true; send reading(any 0..1); send idle }
        state done { busy := false }
        wait -> measure on ask
        measure -> done on ack
        done -> measure on ask
    }
    property p: After(Probe.ask) Eventually(reading(1) + (Probe.busy == false)) assuming Repeatedly(tick)
}
";

const NETWORK: &str = "
component Network {
    input  data(value: 0..2)
    output sent
    process Link { v: 0..2  state wait  state store { send sent }  wait, store -> store on data(v) }
}
";

fn system(text: &str, name: &str) -> System {
    let read = parse(text);
    let loader = |path: &str| match path {
        "parts/sensor.aim" => Ok(format!("import \"network.aim\"\n{SENSOR}").into_bytes()),
        "parts/network.aim" => Ok(NETWORK.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
    let system = elaborator.system(name, &Options::default());
    system.unwrap_or_else(|_| panic!("{:?} {:?}", read.diagnostics(), elaborator.diagnostics()))
}

fn actions(system: &System) -> Vec<&str> {
    system.program.alphabet().sorted_names()
}

#[test]
fn steps_are_called_after_their_messages() {
    let system = system(SENSOR, "Sensor");
    let expected = [
        "Probe.ask",
        "Probe.ask.received",
        "Probe.done.done",
        "ack",
        "ack.received",
        "reading.0+idle",
        "reading.1+idle",
        "tick",
        "tick.received",
    ];
    assert_eq!(actions(&system), expected);
    assert_eq!(system.environment().map(rely_base::Id::index), Some(2));
    let units: Vec<&str> = system.program.units().iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(units, ["Clock", "Probe", "ENV"]);
    assert!(system.program.units()[..2].iter().flat_map(|unit| &unit.commands).all(|it| it.place.is_some()));
}

#[test]
fn a_step_that_two_can_take_is_called_after_the_sender_as_well() {
    let text = "
component C {
    input go
    process A { state s { send B.m }  s -> s on go }
    process B { state s { send B.m }  s -> s on m }
}";
    let found = system(text, "C");
    assert_eq!(actions(&found), ["A.B.m", "B.B.m", "B.m.received", "go", "go.received"]);
}

#[test]
fn properties_know_their_steps() {
    let system = system(SENSOR, "Sensor");
    let property = &system.properties[0];
    assert!(matches!(property.claim.kind, Statement::Template(Template::AfterEventually(..))));
    let names = |proposition: &Proposition| match proposition {
        Observation::Actions(actions) => {
            actions.iter().map(|&action| system.program.alphabet().name(action)).collect::<Vec<_>>().join(" ")
        }
        Observation::Condition(_) => "condition".to_owned(),
    };
    let found: Vec<String> = property.claim.propositions.iter().map(names).collect();
    assert_eq!(found, ["Probe.ask", "reading.1+idle", "condition"]);
    assert_eq!(property.assuming[0].propositions.iter().map(names).collect::<Vec<_>>(), ["tick"]);
}

#[test]
fn claims_are_automata() {
    let text = SENSOR.replace("assuming", "assuming [](tick -> <>idle),");
    let system = system(&text, "Sensor");
    let property = &system.properties[0];
    for claim in [&property.claim].into_iter().chain(&property.assuming) {
        let automaton = claim.automaton(&Budget::UNLIMITED).expect("there is no limit");
        let complement = claim.complement(&Budget::UNLIMITED).expect("there is no limit");
        for bits in 0..64_u32 {
            let letter = |shift: u32| {
                (0..3).filter(move |atom| bits >> (3 * shift + atom) & 1 == 1).map(AtomId::from_raw)
            };
            let (prefix, cycle) = ([letter(0).collect()], [letter(1).collect()]);
            assert_ne!(automaton.accepts(&prefix, &cycle), complement.accepts(&prefix, &cycle), "{bits}");
        }
    }
}

#[test]
fn compositions_import_connect_and_export() {
    let text = "
import \"parts/sensor.aim\"
component Both = Sensor || Network {
    Sensor.reading -> Network.data and out
    Network.sent   -> Sensor.ack
    property p: Repeatedly(Network.data(1)) assuming Repeatedly(tick), Never(reading(0) && Probe.busy == true)
}
";
    let system = system(text, "Both");
    let component = &system.component;
    let inputs: Vec<&str> = component.inputs.iter().map(|input| input.name.as_str()).collect();
    let outputs: Vec<&str> = component.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!((inputs, outputs), (vec!["tick"], vec!["reading", "idle"]));
    assert!(actions(&system).contains(&"Network.data.1+reading.1+idle"), "{:?}", actions(&system));
    assert!(actions(&system).contains(&"Sensor.ack"), "{:?}", actions(&system));
    assert_eq!(component.parts.iter().map(|part| part.processes.clone()).collect::<Vec<_>>(), [0..2, 2..3]);
    let Observation::Actions(data) = &system.properties[0].claim.propositions[0] else { panic!("an event") };
    assert_eq!(data.len(), 1);
    let places = system.program.units()[2].commands.iter().filter_map(|command| command.place);
    assert!(
        places.into_iter().all(|place| place.start as usize > text.len()),
        "they are in an imported file"
    );
}

#[test]
fn places_in_imported_files_are_found() {
    let read = parse("import \"a.aim\"\ncomponent D = C || Missing");
    let bad = "component C {\n  process P { state s { x := 1 } }\n}";
    let loader = |_: &str| Ok(bad.as_bytes().to_vec());
    let elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
    let found: Vec<String> = elaborator.diagnostics().iter().map(|it| it.message.clone()).collect();
    let expected =
        ["a.aim:2:25: there is no variable `x` in this process", "component `Missing` is not defined"];
    assert_eq!(found, expected);
    assert_eq!(elaborator.diagnostics()[0].span.start, 7);
    assert_eq!(elaborator.target_names(), ["D"]);
}

#[test]
fn targets_and_constants() {
    let mut read = parse("const N = 2\ncomponent A { process P { x: 0..N state s } }\ncomponent B = a: A\n");
    assert!(read.define("N", 7) && !read.define("M", 1));
    let loader = |_: &str| Err(String::new());
    let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
    assert_eq!((elaborator.default_targets(), elaborator.target_names().len()), (vec!["B".to_owned()], 2));
    let component = elaborator.target("B").expect("it has no mistakes");
    assert_eq!(component.processes[0].name, "a.P");
    assert_eq!(component.processes[0].variables[0].ty.count(), 8);
    assert!(elaborator.target("Z").is_err());
    assert!(elaborator.has_errors());
}

#[test]
fn constants_of_imported_files_can_be_defined() {
    let loader = |_: &str| Ok(b"const N = 2\ncomponent A { process P { x: 0..N state s } }".to_vec());
    let count = |defined: &[(&str, i32)]| {
        let mut read = parse("import \"a.aim\"\ncomponent B = a: A\n");
        assert!(
            defined.iter().all(|(name, value)| read.define(name, *value)),
            "they may be in the other file"
        );
        let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
        let messages: Vec<String> = elaborator.diagnostics().iter().map(|it| it.message.clone()).collect();
        (elaborator.target("B").map(|it| it.processes[0].variables[0].ty.count()).ok(), messages.join(" "))
    };
    assert_eq!(count(&[]), (Some(3), String::new()));
    assert_eq!(count(&[("N", 7)]), (Some(8), String::new()));
    assert_eq!(count(&[("M", 7)]), (Some(3), "no constant `M` is defined".to_owned()));
}

#[test]
fn a_system_ends_where_all_processes_rest() {
    let text = "component C { process A { state s { send B.m } final state t } process B { final state u  u -> u on m } }";
    assert!(system(text, "C").program.end().is_some());
    assert!(system(SENSOR, "Sensor").program.end().is_none());
    assert_eq!(system(text, "C").steps.len(), system(text, "C").program.alphabet().len());
}

#[test]
fn properties_read_the_events_of_a_step_in_order() {
    // P = (reading.1 -> idle -> P), which errs where anything else of its alphabet happens.
    let system = system(SENSOR, "Sensor");
    let alphabet: Alphabet = ["reading.0", "reading.1", "idle"].into_iter().collect();
    let mut property = LtsBuilder::with_states(alphabet, 2);
    let error = property.error_state();
    let [none, one] = [0, 1].map(StateId::from_raw);
    let [reading0, reading1, idle] = [0, 1, 2].map(|it| Label::visible(ActionId::from_raw(it)));
    for (state, allowed, target) in [(none, reading1, one), (one, idle, none)] {
        for label in [reading0, reading1, idle] {
            property.add_transition(state, label, if label == allowed { target } else { error });
        }
    }
    let observer = system.observer(&property.build());
    assert_eq!(observer.alphabet().sorted_names(), ["reading.0+idle", "reading.1+idle"]);
    let target = |state: StateId, name: &str| {
        let label = Label::visible(observer.alphabet().get(name).expect("it is an action"));
        observer.edges_with(state, label).iter().map(|edge| edge.target).collect::<Vec<_>>()
    };
    assert_eq!(target(none, "reading.1+idle"), [none]);
    assert_eq!(target(none, "reading.0+idle"), [error]);
    assert_eq!(target(one, "reading.1+idle"), [error]);
    let mut program = system.program.clone().into_builder();
    program.component("P", &observer);
    assert!(program.build().is_ok_and(|program| program.alphabet().len() == system.program.alphabet().len()));
}
