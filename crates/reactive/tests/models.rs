//! The models in the folder `models`: they have no findings, and their properties are as their comments say.

#[path = "semantics/program.rs"]
#[allow(dead_code, reason = "another test uses the rest")]
mod program;

use std::collections::BTreeSet;

use rely_reactive::configurations::{Observer, Past};
use rely_reactive::mine::{Mined, mine};
use rely_reactive::program::{Options, View, lower};
use rely_reactive::system::{ComponentId, System};
use rely_reactive::{Elaborator, Parse};

const DOOR: &str = include_str!("../../../models/door.srs");
const BOILER: &str = include_str!("../../../models/steam-boiler.srs");
const LIFT: &str = include_str!("../../../models/lift.srs");

/// Reads a model that must be free of errors and warnings.
#[track_caller]
fn read(text: &str, defines: &[(&str, i32)]) -> (Parse, Elaborator) {
    let mut parse = rely_reactive::parse(text);
    for (name, value) in defines {
        assert!(parse.define(name, *value), "{name}");
    }
    let elaborator = Elaborator::new(parse.file());
    let found: Vec<_> = parse.diagnostics().iter().chain(elaborator.diagnostics()).collect();
    let shown = |it: &&rely_base::Diagnostic| {
        format!("{} {} {}", it.code, &text[it.span.start as usize..it.span.end as usize], it.message)
    };
    assert!(found.is_empty(), "{:#?}", found.iter().map(shown).collect::<Vec<_>>());
    (parse, elaborator)
}

/// The units that can fail in a target, and how many states it has.
#[track_caller]
fn failing(elaborator: &mut Elaborator, target: &str) -> (BTreeSet<String>, usize) {
    let lowered = elaborator.target(target).expect("it is a target");
    let reached = program::explore(&lowered.program, 400_000, |_, _, _| {}).expect("it is small enough");
    (reached.failing, reached.states.len())
}

#[test]
fn the_door() {
    let (_, mut elaborator) = read(DOOR, &[]);
    assert_eq!(failing(&mut elaborator, "Door").0, BTreeSet::new());
}

#[test]
fn the_lift() {
    for floors in [2, 3] {
        let (_, mut elaborator) = read(LIFT, &[("N", floors)]);
        assert_eq!(failing(&mut elaborator, "Lift").0, BTreeSet::new(), "{floors} floors");
        let lowered = elaborator.target("Lift").expect("it is a target");
        let mut actions = BTreeSet::new();
        program::explore(&lowered.program, 100_000, |_, action, _| actions.extend(action.map(str::to_owned)));
        assert!(actions.contains(&format!("arrived.{floors}")), "{actions:?}");
    }
    let (_, mut elaborator) = read(LIFT, &[("N", 2)]);
    assert_eq!(failing(&mut elaborator, "Lift.Door").0, BTreeSet::new());
    assert_eq!(failing(&mut elaborator, "Lift.Calls").0, BTreeSet::new());
    assert_eq!(failing(&mut elaborator, "Lift.Cabin").0, BTreeSet::from(["Cabin.loads".to_owned()]));
}

#[test]
fn rules_about_the_lift_remove_the_false_alarm() {
    let (_, elaborator) = read(LIFT, &[("N", 2)]);
    let system = elaborator.systems().next().expect("there is one");
    let cabin = system.component_called("Cabin").expect("it is there");
    let mined = mined(system, cabin, 4);
    let lines: Vec<String> = mined.lines(system).into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["wanted, shut: only in microstep 1", "no stop_here in microstep 1"]);
    let rules = mined.rules.iter().map(|rule| mined.formula(rule)).collect();
    let view = View::Component(cabin);
    let options = Options { assumptions: rules, ..Options::with_properties(system, view) };
    let lowered = lower(system, view, &options);
    let reached = program::explore(&lowered.program, 400_000, |_, _, _| {}).expect("it is small enough");
    assert_eq!(reached.failing, BTreeSet::new());
}

/// Each property of a component that fails in some environment.
fn alarms(text: &str, component: &str) -> BTreeSet<String> {
    let (_, elaborator) = read(text, &[("N", 1)]);
    let system = elaborator.systems().next().expect("there is one");
    let view = View::Component(system.component_called(component).expect("it is there"));
    let all = Options { counted: 5, ..Options::with_properties(system, view) };
    let mut alarms = BTreeSet::new();
    for check in all.checks.clone() {
        let lowered = lower(system, view, &Options { checks: vec![check], ..all.clone() });
        let reached =
            program::explore(&lowered.program, 4_000_000, |_, _, _| {}).expect("it is small enough");
        alarms.extend(reached.failing);
    }
    alarms
}

#[test]
fn the_steam_boiler() {
    for pumps in 1..=4 {
        let (_, elaborator) = read(BOILER, &[("N", pumps)]);
        let system = elaborator.systems().next().expect("there is one");
        assert_eq!(system.components.len(), 3 + usize::try_from(pumps).expect("few"));
        lower(system, View::Whole, &Options::with_properties(system, View::Whole));
    }
    assert_eq!(alarms(BOILER, "Water"), BTreeSet::new());
    assert_eq!(alarms(BOILER, "Steam"), BTreeSet::new());
    // Orders that come too early, or together: the control program never sends them like that.
    let false_alarms = ["p1_one_order", "p2_not_failed", "p3_open", "p4_close"];
    let false_alarms = false_alarms.map(|name| format!("Pump[1].{name}"));
    assert_eq!(alarms(BOILER, "Pump[1]"), BTreeSet::from(false_alarms));
}

/// What a component may rely on.
fn mined(system: &System, component: ComponentId, counted: i32) -> Mined {
    let (lowered, mut observer) = Observer::new(system, component, Past::None, counted).expect("few events");
    let reached = program::explore(&lowered.program, 400_000, |_, _, _| {}).expect("it is small enough");
    reached.states.iter().for_each(|state| observer.observe(state));
    mine(observer.finish())
}
