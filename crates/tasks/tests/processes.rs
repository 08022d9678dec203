//! The systems of the study are there twice, as FSP processes and as Ada programs: for each property, both do the same as
//! far as its events are concerned. They are weakly trace equivalent over the alphabet of the property.

mod common;

use common::study::{model, properties, target};
use rely_base::{Alphabet, Budget, Label};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::operators::substitute;
use rely_lts::{Lts, Network};
use rely_testkit::naive::equivalence::equivalent;

/// The minimal deterministic system of what can be seen of a network, if each action is seen as `seen` says.
fn seen(network: &Network, alphabet: &Alphabet, seen: impl Fn(&str) -> Option<String>) -> Lts {
    let whole = generate(network, &Budget::UNLIMITED).expect("there is no limit");
    let label = |name: &str| match seen(name) {
        Some(event) => Label::visible(alphabet.get(&event).expect("it is an event of the property")),
        None => Label::TAU,
    };
    let images: Vec<Vec<Label>> = [vec![Label::TAU]]
        .into_iter()
        .chain(whole.alphabet().names().map(|name| vec![label(name)]))
        .collect();
    let seen = substitute(&whole, alphabet.clone(), &images);
    minimise(&seen, Equivalence::WeakTrace, &Budget::UNLIMITED).expect("there is no limit")
}

/// Compares a system of processes with a program. `event` says how the program calls an action of the processes; where it
/// says nothing, the property is not compared.
fn compare(
    processes: (&str, &[(&str, i32)]),
    program: (&str, &str, i32),
    event: impl Fn(&str) -> Option<String>,
) -> usize {
    let system = target(processes.0, processes.1, "SYSTEM");
    let exact = model(program.0, program.1, program.2);
    // The step by which all tasks leave together is hidden in the program.
    let all_seen = Network::new(exact.network.components().to_vec());
    let mut compared = 0;
    for property in properties(processes.0, processes.1) {
        let alphabet = property.lts.alphabet();
        let of_processes = seen(&system, alphabet, |name| alphabet.contains(name).then(|| name.to_owned()));
        let mut meant: Vec<(String, String)> = Vec::new();
        for name in alphabet.names() {
            let called = event(name).unwrap_or_else(|| panic!("{name} of {} has no event", property.name));
            // An assembler never takes its own piece.
            meant.extend(exact.naming.actions(&called).map(|action| (action.to_owned(), name.to_owned())));
        }
        let of_program = seen(&all_seen, alphabet, |action| {
            meant.iter().find(|(meant, _)| meant == action).map(|(_, name)| name.clone())
        });
        assert!(of_program.state_count() > 1, "{}: nothing happens", property.name);
        assert!(
            equivalent(&of_processes, &of_program, Equivalence::WeakTrace),
            "{}: processes {of_processes:?}\nprogram {of_program:?}",
            property.name
        );
        compared += 1;
    }
    compared
}

/// The words of an action between its dots.
fn words(name: &str) -> Vec<&str> {
    name.split('.').collect()
}

fn chiron(name: &str) -> Option<String> {
    Some(match words(name)[..] {
        ["a", artist, "register", event] => format!("dispatcher.register.{event}.{artist}"),
        ["a", artist, "unregister", event] => format!("dispatcher.unregister.{event}.{artist}"),
        ["a", artist, "notify", event] => format!("artist.{artist}.notify.{event}"),
        ["dispatcher", "event", event] => format!("dispatcher.receive.{event}"),
        ["chiron", "terminate"] => "terminate".to_owned(),
        _ => return None,
    })
}

#[test]
fn chiron_with_a_single_dispatcher() {
    let processes = include_str!("../../../models/chiron-single.lts");
    let program = include_str!("../../../models/chiron_single.adb");
    let constants = [("N", 2), ("Any_Order", 1)];
    assert_eq!(compare((processes, &constants), (program, "Artist_Count", 2), chiron), 9);
}

#[test]
fn chiron_with_a_dispatcher_for_each_event() {
    let processes = include_str!("../../../models/chiron-multiple.lts");
    let program = include_str!("../../../models/chiron_multiple.adb");
    let constants = [("N", 2), ("Any_Order", 1)];
    assert_eq!(compare((processes, &constants), (program, "Artist_Count", 2), chiron), 9);
}

#[test]
fn the_gas_station() {
    let processes = include_str!("../../../models/gas-station.lts");
    let program = include_str!("../../../models/gas_station.adb");
    let event = |name: &str| {
        Some(match words(name)[..] {
            ["c", customer, "prepay", pump] => format!("operator.prepay.{pump}.{customer}"),
            ["c", customer, "start", pump] => format!("customer.{customer}.pump.{pump}.start"),
            ["c", customer, "stop", pump] => format!("customer.{customer}.pump.{pump}.finish"),
            ["c", customer, "change", pump] => format!("customer.{customer}.change.{pump}"),
            _ => return None,
        })
    };
    for size in [2, 3] {
        assert_eq!(compare((processes, &[("N", size)]), (program, "Customer_Count", size), event), 4);
    }
}

#[test]
fn peterson() {
    let processes = include_str!("../../../models/peterson.lts");
    let program = include_str!("../../../models/peterson.adb");
    let event = |name: &str| {
        Some(match words(name)[..] {
            ["t", process, what] => format!("process.{process}.region.{what}"),
            _ => return None,
        })
    };
    for size in [2, 3] {
        assert_eq!(compare((processes, &[("N", size)]), (program, "Process_Count", size), event), 1);
    }
}

#[test]
fn the_relay() {
    let processes = include_str!("../../../models/relay.lts");
    let program = include_str!("../../../models/relay.adb");
    let event = |name: &str| {
        Some(match words(name)[..] {
            ["t", runner, "put", value] => format!("runner.{runner}.server.put.{value}"),
            _ => return None,
        })
    };
    for size in [2, 3, 4] {
        assert_eq!(compare((processes, &[("N", size)]), (program, "Runner_Count", size), event), 1);
    }
}

#[test]
fn the_smokers() {
    let processes = include_str!("../../../models/smokers.lts");
    let program = include_str!("../../../models/smokers.adb");
    let event = |name: &str| {
        Some(match words(name)[..] {
            // The program says which piece is missing when it gets the lock.
            ["supplier", "choose", piece] => format!("table.acquire.{piece}"),
            ["supplier", "lock"] => "table.acquire".to_owned(),
            ["supplier", "put", piece] => format!("table.put.{piece}"),
            ["supplier", "unlock"] => "table.release".to_owned(),
            ["a", assembler, "take", piece] => format!("table.take.{assembler}.{piece}"),
            ["a", assembler, "lock"] => format!("table.lock.{assembler}"),
            ["a", assembler, "unlock"] => format!("table.unlock.{assembler}"),
            ["a", assembler, "begin"] => format!("assembler.{assembler}.start"),
            ["a", assembler, "end"] => format!("assembler.{assembler}.finish"),
            _ => return None,
        })
    };
    for size in [2, 3] {
        assert_eq!(compare((processes, &[("N", size)]), (program, "Assembler_Count", size), event), 8);
    }
}
