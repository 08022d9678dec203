//! The programs in `models`: they are read without a word, have their properties, and grow with their constants.

mod common;

use rely_base::{Budget, Limits};
use rely_decide::{check_reachability, check_safety};
use rely_explore::{Product, count};
use rely_lts::Component;
use rely_lts::operators::relabel;
use rely_tasks::{Exact, exact, parse, parse_qre, resolve};

/// The network of a model, of a size.
fn model(text: &str, constant: &str, size: i32) -> Exact {
    let mut parse = parse(text);
    assert_eq!(parse.diagnostics(), []);
    assert!(parse.define(constant, size), "there is no {constant}");
    let resolved = resolve(&parse);
    assert_eq!(resolved.diagnostics, []);
    exact(&resolved.program.expect("it has no errors"), &Budget::UNLIMITED).expect("there is no limit")
}

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

#[test]
fn the_gas_station() {
    let text = include_str!("../../../models/gas_station.adb");
    for size in [1, 2] {
        let exact = model(text, "Customer_Count", size);
        check(
            &exact,
            &[
                "for events {pump.1.start, pump.1.finish} show all executions satisfy (pump.1.start; pump.1.finish)*; pump.1.start?",
                "for events {start, finish} show all executions satisfy (start; finish)*; start?
                    where start = customer.1.pump.1.start, finish = customer.1.pump.1.finish",
                "for events {pay, change} show no executions satisfy .*; pay; pay; .*
                    where pay = operator.prepay.1.1, change = customer.1.change.1",
            ],
            &["for events {pump.2.finish} show no executions satisfy .*; pump.2.finish; .*"],
        );
    }
    let exact = model(text, "Customer_Count", 2);
    let exclusive =
        "for events {start1, start2, finish} show no executions satisfy .*; start1; [-finish]*; start2; .*
        where start1 = customer.1.pump.1.start, start2 = customer.2.pump.1.start, finish = pump.1.finish";
    assert!(holds(&exact, exclusive));
}

#[test]
fn peterson() {
    let text = include_str!("../../../models/peterson.adb");
    for size in [2, 3] {
        let exact = model(text, "Process_Count", size);
        let exclusion = "for events {region.enter, region.leave}
            show all executions satisfy (region.enter; region.leave)*; region.enter?";
        let both =
            "for events {process.2.region.enter} show no executions satisfy .*; process.2.region.enter; .*";
        check(&exact, &[exclusion], &[both]);
    }
}

#[test]
fn the_relay() {
    let text = include_str!("../../../models/relay.adb");
    for size in [2, 3, 4] {
        let exact = model(text, "runner_count", size);
        check(
            &exact,
            &[
                "for events {server.set.0, server.set.1} show no executions satisfy .*; server.set.0; server.set.0; .*",
            ],
            &[
                "for events {server.set.0, server.set.1} show no executions satisfy .*; server.set.0; server.set.1; .*",
            ],
        );
    }
}

#[test]
fn the_smokers() {
    let text = include_str!("../../../models/smokers.adb");
    for size in [2, 3] {
        let exact = model(text, "Assembler_Count", size);
        check(
            &exact,
            &[
                "for events {p, t} show all executions satisfy (p; t)*; p? where p = table.put.0, t = table.take.0",
                "for events {table.acquire, table.release, table.lock.0, table.lock.1, table.unlock} show no executions satisfy
                    .*; table.acquire; [-table.release]*; (table.lock.0 | table.lock.1 | table.unlock); .*",
            ],
            &["for events {start} show no executions satisfy .*; start; .* where start = assembler.1.start"],
        );
    }
}

#[test]
fn chiron_with_a_single_dispatcher() {
    let text = include_str!("../../../models/chiron_single.adb");
    let exact = model(text, "Artist_Count", 2);
    let names: Vec<&str> = exact.network.components().iter().map(|component| &*component.name).collect();
    assert_eq!(
        names,
        ["client", "manager", "wrapper", "dispatcher", "artist.1", "artist.2", "chiron_single"]
    );
    let with = |text: &str| {
        format!(
            "for events {{r1, u1, r2, u2, e1, e2, n1, n2, m1}} {text} where r1 = dispatcher.register.1.1,
             u1 = dispatcher.unregister.1.1, r2 = dispatcher.register.1.2, u2 = dispatcher.unregister.1.2,
             e1 = dispatcher.receive.1, e2 = dispatcher.receive.2, n1 = artist.1.notify.1, n2 = artist.2.notify.1,
             m1 = artist.1.notify.2"
        )
    };
    let holding = [
        // 1. Artist 1 never registers for event 1 if it is registered for it already.
        "show no executions satisfy .*; r1; [-u1]*; r1; .*",
        // 2. Event 1 is passed on to artist 1, if it is registered, before another event is received.
        "show no executions satisfy .*; r1; [-u1]*; e1; [-n1, u1]*; [e1, e2]; .*",
        // 3. Nobody is notified of event 1 before it is received.
        "show no executions satisfy [-e1]*; [n1, n2]; .*",
        // 4. When event 1 has been received, artist 1 is not notified of event 2.
        "show no executions satisfy .*; e1; [-e2]*; m1; .*",
        // 6. Artist 1 is not notified of event 1 while it is not registered.
        "show no executions satisfy ([-r1]*; n1; .*) | (.*; u1; [-r1]*; n1; .*)",
        // 7. Who registered first is notified first.
        "show no executions satisfy [-r2]*; r1; [-u1, u2]*; r2; [-u1, u2]*; e1; [-n1, u1, u2]*; n2; .*",
    ];
    let holding: Vec<String> = holding.iter().map(|text| with(text)).collect();
    let wrong = [
        with("show no executions satisfy .*; n2; .*"),
        with("show no executions satisfy .*; u1; .*; n2; .*"),
    ];
    check(
        &exact,
        &holding.iter().map(String::as_str).collect::<Vec<_>>(),
        &wrong.each_ref().map(String::as_str),
    );
    // 8. The list does not get longer than there are artists: the mark is never passed.
    assert_eq!(exact.naming.actions("overflow").count(), 1);
    assert!(holds(&exact, "for events {overflow} show no executions satisfy .*; overflow; .*"));
    // 9. Chiron ends only when nobody is registered.
    assert!(holds(&exact, &with("show no executions satisfy .*; r1; [-u1]*")));
}

#[test]
fn sizes_stay_in_hand() {
    let budget = Budget::new(Limits { states: Some(2_000_000), bytes: None }, None);
    for (text, constant, size) in [
        (include_str!("../../../models/relay.adb"), "Runner_Count", 5),
        (include_str!("../../../models/smokers.adb"), "Assembler_Count", 4),
        (include_str!("../../../models/gas_station.adb"), "Customer_Count", 3),
        (include_str!("../../../models/chiron_single.adb"), "Artist_Count", 2),
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
