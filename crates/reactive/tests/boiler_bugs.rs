//! Bugs of published formalisations of the steam boiler, put into the model in `models`, are found by the properties of the
//! component that has them, and nothing else is.
//!
//! - The CASL specification negates by precedence only the first half of *not (acknowledged and repaired)*: a repair that is
//!   due counts as a transmission failure.
//! - It sends REPAIRED_ACKNOWLEDGEMENT while a failure is acknowledged, and not when the unit is repaired.
//! - Its next mode after an initialisation without failures is the normal one, whether the units are ready or not.
//! - The Lustre program tests the status of pump 0 before it closes any pump: others are told to close while they have failed.
//! - It knows failures of the transmission from pumps only: sensors accept messages that come out of order.

use std::ops::ControlFlow;

use rely_base::{Budget, Label, Limits, StateId};
use rely_explore::{Machine, Search, Visitor};
use rely_lts::ComponentId;
use rely_model::Assumption;
use rely_reactive::program::{Options, View, lower};
use rely_reactive::{Elaborator, assumed};

const BOILER: &str = include_str!("../../../models/steam-boiler.srs");

/// Ends a search at the first failure.
struct Failing(bool);

impl Visitor for Failing {
    fn error(&mut self, _source: Option<StateId>, _label: Label, _unit: ComponentId) {
        self.0 = true;
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The properties of a component that a text breaks, each asked alone, where the environment keeps to some rules.
#[track_caller]
fn broken(text: &str, component: &str, rules: &[&str]) -> Vec<String> {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(!parse.has_errors() && !elaborator.has_errors(), "{:?}", elaborator.diagnostics());
    let system = elaborator.systems().next().expect("there is one");
    let component = system.component_called(component).expect("it is there");
    let rule = |rule: &&str| assumed::formula(system, component, &Assumption::Rule((*rule).to_owned()));
    let assumptions = rules.iter().map(rule).collect::<Option<Vec<_>>>().expect("rules of the interface");
    let view = View::Component(component);
    let all = Options { assumptions, all_choices: false, ..Options::with_properties(system, view) };
    let budget = Budget::new(Limits { states: Some(400_000), bytes: None }, None);
    let fails = |check: &&rely_reactive::program::Check| {
        let lowered = lower(system, view, &Options { checks: vec![(*check).clone()], ..all.clone() });
        let machine = Machine::transparent(&lowered.program);
        let mut failing = Failing(false);
        let searched = Search::new(&machine).run(&budget, &mut failing);
        assert!(failing.0 || searched.is_ok(), "{} is too large", check.name);
        failing.0
    };
    all.checks.iter().filter(fails).map(|check| check.name.clone()).collect()
}

/// The model with a part of its text replaced, wherever it stands in a component.
#[track_caller]
fn with(component: &str, right: &str, wrong: &str) -> String {
    let start = BOILER.find(&format!("\n    component {component}")).expect("the component is there");
    let length = BOILER[start + 1..].find("\n    }\n").expect("it ends");
    let own = &BOILER[start..start + 1 + length];
    assert!(own.contains(right), "{component} has no `{right}`");
    format!("{}{}{}", &BOILER[..start], own.replace(right, wrong), &BOILER[start + 1 + length..])
}

/// What the pump may rely on: the orders of the control program come in its fourth microstep.
const ORDERS: &[&str] = &[
    "start_pumps: only in microstep 4",
    "stop_pumps: only in microstep 4",
    "never start_pumps with stop_pumps",
    "enable: only in microstep 1",
    "never enable with disable",
];

#[test]
fn the_model_has_none_of_them() {
    assert_eq!(broken(BOILER, "Water", &[]), [""; 0]);
    assert_eq!(broken(BOILER, "Steam", &[]), [""; 0]);
    assert_eq!(broken(BOILER, "Pump[1]", ORDERS), [""; 0]);
}

#[test]
fn a_negation_that_binds_too_tightly() {
    let wrong = with(
        "Water",
        "is_repaired & !is_ack & Sensor.on & !Sensor.acked",
        "!is_ack & is_repaired & Sensor.on",
    );
    assert_eq!(broken(&wrong, "Water", &[]), ["Water.t6_legal"]);
}

#[test]
fn a_repair_that_is_acknowledged_before_it_is_made() {
    let right = "acked   -> trusted on is_repaired & !disable / found, repaired_ack";
    let wrong =
        "acked   -> trusted on is_repaired & !disable / found\n acked -> acked on after 1 / repaired_ack";
    let wrong = with("Steam", right, wrong);
    assert_eq!(broken(&wrong, "Steam", &[]), ["Steam.s5_answer"]);
}

#[test]
fn an_order_that_does_not_look_at_its_own_pump() {
    let right = "open    -> closed  on stop_pumps & !start_pumps & Unit.good & !found / close_pump";
    let wrong = with("Pump[", right, &right.replace("Unit.good & ", ""));
    assert_eq!(broken(&wrong, "Pump[1]", ORDERS), ["Pump[1].p2_not_failed", "Pump[1].p11_disabled"]);
}

#[test]
fn messages_out_of_order_that_only_pumps_notice() {
    let right = "p -> p on is_ack & Sensor.on & !Sensor.failed / aberrant, out_of_order\n";
    let wrong = with("Water", right, "p -> p on is_ack & !is_ack / aberrant, out_of_order\n");
    assert_eq!(broken(&wrong, "Water", &[]), ["Water.t3_ack"]);
}

#[test]
fn a_beginning_without_agreement() {
    let right = "init -> normal   on begin & !emergency";
    let wrong = with("Control", right, "init -> normal   on level_ok & !emergency");
    // Runs with few events are enough.
    let rules: Vec<String> = ["level_low", "level_high", "level_risk", "level_fail", "level_rep", "steam_on"]
        .into_iter()
        .chain(["steam_fail", "steam_rep", "pump_fail[1]", "pump_rep[1]", "aberrant"])
        .map(|event| format!("{event}: never"))
        .chain(["level_ok: only in microstep 3".to_owned()])
        .collect();
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    assert_eq!(broken(BOILER, "Control", &rules), [""; 0]);
    assert!(broken(&wrong, "Control", &rules).contains(&"Control.c17_not_ready".to_owned()));
}
