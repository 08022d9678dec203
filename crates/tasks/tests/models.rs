//! The programs in `models`: they are read without a word, have their properties, and grow with their constants.

mod common;

use common::study::{model, properties};
use rely_base::{Budget, Limits};
use rely_decide::{check_reachability, check_safety};
use rely_explore::{Product, count};
use rely_lts::Component;
use rely_lts::operators::relabel;
use rely_tasks::{Exact, parse_qre};

fn holds(exact: &Exact, text: &str) -> bool {
    let (properties, diagnostics) = parse_qre(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let lts = properties[0].lts(exact.end.as_deref());
    for event in &properties[0].events {
        assert!(exact.naming.actions(event).next().is_some(), "no event {event} among {:?}", exact.naming);
    }
    let relabelling = exact.naming.relabelling(lts.alphabet().names()).expect("names mean different events");
    let property = Component::new(&properties[0].name, relabel(&lts, &relabelling));
    let network = exact.network.clone().with_components([property]);
    check_safety(&network, &Budget::UNLIMITED).expect("it can be replayed").verdict.holds()
}

/// A program that goes on for ever, and has properties; and some that it has not, to see that events occur.
fn check(exact: &Exact, properties: &[&str], wrong: &[&str]) {
    let found = check_reachability(&exact.network, &Budget::UNLIMITED).expect("it can be replayed");
    assert!(
        found.safety.verdict.holds(),
        "{:?}",
        found.safety.verdict.counterexample().map(|it| it.trace_names().join(" "))
    );
    assert!(
        found.deadlock.verdict.holds(),
        "{:?}",
        found.deadlock.verdict.counterexample().map(|it| it.trace_names().join(" "))
    );
    for property in properties {
        assert!(holds(exact, property), "{property}");
    }
    for property in wrong {
        assert!(!holds(exact, property), "{property}");
    }
}

/// A program with the properties of the study, which it has.
fn study(
    program: &str,
    properties_text: &str,
    constant: &str,
    size: i32,
    tasks: usize,
    count: usize,
) -> Exact {
    let exact = model(program, constant, size);
    let names: Vec<&str> = exact.network.components().iter().map(|it| &*it.name).collect();
    // The main procedure is the last task; it ends, waits for the others and leaves.
    let main = exact.places.len() - 1;
    assert_eq!(main, tasks, "{names:?}");
    assert!(exact.network.components()[main].lts.state_count() <= 3);
    let properties = properties(properties_text, &[(constant, size)]);
    assert_eq!(properties.len(), count);
    for property in properties {
        assert_eq!(exact.naming.meaningless(&property.lts), Vec::<&str>::new(), "{}", property.name);
        let lts = exact.naming.of_process(&property.lts).expect("names mean different events");
        let network = exact.network.clone().with_components([Component::new(&property.name, lts)]);
        let decision = check_safety(&network, &Budget::UNLIMITED).expect("it can be replayed");
        assert!(decision.verdict.holds(), "{} at size {size}", property.name);
    }
    exact
}

#[test]
fn the_gas_station() {
    let text = include_str!("../../../models/gas_station.adb");
    let properties = include_str!("../../../models/gas_station_properties.lts");
    for (size, tasks) in [(2, 5), (3, 6)] {
        let exact = study(text, properties, "Customer_Count", size, tasks, 4);
        check(&exact, &[], &["for events {pump.2.finish} show no executions satisfy .*; pump.2.finish; .*"]);
    }
}

#[test]
fn peterson() {
    let text = include_str!("../../../models/peterson.adb");
    let properties = include_str!("../../../models/peterson_properties.lts");
    for (size, tasks) in [(2, 3), (3, 4)] {
        let exact = study(text, properties, "Process_Count", size, tasks, 1);
        let both =
            "for events {process.2.region.enter} show no executions satisfy .*; process.2.region.enter; .*";
        check(&exact, &[], &[both]);
    }
}

#[test]
fn the_relay() {
    let text = include_str!("../../../models/relay.adb");
    let properties = include_str!("../../../models/relay_properties.lts");
    for (size, tasks) in [(2, 3), (3, 4), (4, 5)] {
        let exact = study(text, properties, "Runner_Count", size, tasks, 1);
        let zero_one = "for events {server.put.0, server.put.1} show no executions satisfy .*; server.put.0; server.put.1; .*";
        check(&exact, &[], &[zero_one]);
    }
}

#[test]
fn the_smokers() {
    let text = include_str!("../../../models/smokers.adb");
    let properties = include_str!("../../../models/smokers_properties.lts");
    for (size, tasks) in [(2, 4), (3, 5)] {
        let exact = study(text, properties, "Assembler_Count", size, tasks, 8);
        let start = "for events {assembler.2.start} show no executions satisfy .*; assembler.2.start; .*";
        check(&exact, &[], &[start]);
    }
}

#[test]
fn chiron_with_a_single_dispatcher() {
    let properties = include_str!("../../../models/chiron_properties.lts");
    let text = include_str!("../../../models/chiron_single.adb");
    check_chiron(&study(text, properties, "Artist_Count", 2, 6, 9));
}

#[test]
fn chiron_with_a_dispatcher_for_each_event() {
    let properties = include_str!("../../../models/chiron_properties.lts");
    let text = include_str!("../../../models/chiron_multiple.adb");
    check_chiron(&study(text, properties, "Artist_Count", 2, 8, 9));
}

/// Artists register in any order, and are notified.
fn check_chiron(exact: &Exact) {
    let with = |text: &str| {
        format!(
            "for events {{r1, r2, u1, n2}} {text} where r1 = dispatcher.register.1.1, r2 = dispatcher.register.1.2,
             u1 = dispatcher.unregister.1.1, n2 = artist.2.notify.1"
        )
    };
    let wrong = [
        with("show no executions satisfy r1; r2; .*"),
        with("show no executions satisfy r2; r1; .*"),
        with("show no executions satisfy .*; u1; .*; n2; .*"),
    ];
    check(exact, &[], &wrong.each_ref().map(String::as_str));
    // The mark where a list would overflow is in the program, and is never passed.
    assert!(exact.naming.actions("overflow").next().is_some());
}

#[test]
fn sizes_stay_in_hand() {
    let budget = Budget::new(Limits { states: Some(2_000_000), bytes: None }, None);
    for (text, constant, size) in [
        (include_str!("../../../models/relay.adb"), "Runner_Count", 5),
        (include_str!("../../../models/smokers.adb"), "Assembler_Count", 4),
        (include_str!("../../../models/gas_station.adb"), "Customer_Count", 3),
        (include_str!("../../../models/chiron_single.adb"), "Artist_Count", 2),
        (include_str!("../../../models/chiron_multiple.adb"), "Artist_Count", 2),
    ] {
        let exact = model(text, constant, size);
        let states: usize = exact.network.components().iter().map(|part| part.lts.state_count()).sum();
        let whole = count(&Product::new(&exact.network), &budget).expect("it is small").states;
        println!("{constant} = {size}: {states} states in the components, {whole} in all");
        assert!(
            states < 2_000 && whole < 100_000,
            "{constant}: {states} states in the components, {whole} in all"
        );
    }
}
