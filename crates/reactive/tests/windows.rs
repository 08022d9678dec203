//! Mined rules about two consecutive microsteps or macrosteps, compared with what brute force finds.

#[path = "semantics/program.rs"]
mod program;
#[path = "semantics/random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rely_base::{Budget, Id};
use rely_model::Assumption;
use rely_reactive::Elaborator;
use rely_reactive::assumed;
use rely_reactive::configurations::{Configurations, Observer, Past, Valuation};
use rely_reactive::environment::mine_by_part;
use rely_reactive::formula::{Atom, Formula};
use rely_reactive::mine::{Mined, Rule, mine};
use rely_reactive::program::{Lowered, Options, View, lower};
use rely_reactive::system::{ComponentId, EventId, System};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const PASTS: [Past; 2] = [Past::Microstep, Past::Macrostep];

/// How far microsteps are told apart.
const COUNTED: i32 = 3;

fn system(text: &str) -> System {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(!parse.has_errors() && !elaborator.has_errors(), "{text}\n{:?}", elaborator.diagnostics());
    elaborator.systems().next().expect("there is one").clone()
}

/// Random configurations over few events, with their past.
fn random_configurations(rng: &mut Rng) -> Configurations {
    let (events, counted) = (1 + rng.below(3), 1 + rng.below(3));
    let past = *rng.pick(&PASTS);
    let density = 1 + rng.below(5);
    let mut counts = BTreeMap::new();
    for microstep in 1..=counted {
        // Some pasts were met, and with each of them something.
        for earlier in (0..1_u128 << events).filter(|_| rng.chance(2, 3)).collect::<Vec<_>>() {
            for now in (0..1_u128 << events).filter(|_| rng.chance(density, 6)).collect::<Vec<_>>() {
                let valuation = now | earlier << events;
                counts.insert((i32::try_from(microstep).expect("small"), valuation), 1 + rng.next_u64() % 9);
            }
        }
    }
    let events = (0..events).map(EventId::from_index).collect();
    Configurations { events, past, counted: i32::try_from(counted).expect("small"), counts }
}

fn allows(rules: &[Rule], microstep: i32, valuation: Valuation) -> bool {
    rules.iter().all(|rule| !(rule.microsteps.contains(&microstep) && rule.never.has(valuation)))
}

/// All pairs that rules allow, and the rules without a past, behind a past that was met.
fn allowed(configurations: &Configurations, rules: &[Rule]) -> BTreeSet<(i32, Valuation)> {
    let count = configurations.events.len();
    let pasts: BTreeSet<(i32, Valuation)> =
        configurations.counts.keys().map(|&(number, valuation)| (number, valuation >> count)).collect();
    let without_past = mine(configurations.now()).rules;
    let all = (1..=configurations.counted)
        .flat_map(|number| (0..1_u128 << configurations.variables()).map(move |it| (number, it)));
    all.filter(|&(number, valuation)| {
        pasts.contains(&(number, valuation >> count))
            && allows(&without_past, number, valuation)
            && allows(rules, number, valuation)
    })
    .collect()
}

#[test]
fn rules_say_exactly_what_was_met_after_what() {
    let mut count = 0;
    for seed in seeds(300) {
        let configurations = random_configurations(&mut Rng::new(seed));
        let mined = mine(configurations.clone());
        let met: BTreeSet<(i32, Valuation)> = configurations.counts.keys().copied().collect();
        // So every rule of confidence 1 whose *then* is about the present holds wherever these hold.
        assert_eq!(allowed(&configurations, &mined.rules), met, "seed {seed}");
        for (at, rule) in mined.rules.iter().enumerate() {
            let mut others = mined.rules.clone();
            others.remove(at);
            assert_ne!(
                allowed(&configurations, &others),
                met,
                "seed {seed}: {rule:?} follows from the others"
            );
            assert_ne!(rule.never.with | rule.never.without, 0, "seed {seed}");
            let now = configurations.mask_of_now();
            assert_ne!((rule.never.with | rule.never.without) & now, 0, "seed {seed}: {rule:?} is past");
            assert_ne!((rule.never.with | rule.never.without) & !now, 0, "seed {seed}: {rule:?} has no past");
        }
        count += mined.rules.len();
    }
    assert!(count > 300 || is_single_seed(), "only {count} rules");
}

/// A state, what its machines sent, what was sent in the microstep before, so far, and in the macrostep before.
type Walk = (Vec<i32>, Valuation, Valuation, Valuation, Valuation);

/// What is met with its past, from the program without memory and the definition of the past alone.
fn met_by_hand(system: &System, component: ComponentId, past: Past) -> Option<BTreeSet<(i32, Valuation)>> {
    let (lowered, observer) = Observer::new(system, component, Past::None, COUNTED).expect("few events");
    let Lowered { program, layout, .. } = &lowered;
    let observed = |state: &[i32]| {
        let mut observer = observer.clone();
        observer.observe(state);
        observer.finish().counts.keys().next().map(|&(_, valuation)| valuation)
    };
    let start: Walk = (program.initial(), 0, 0, 0, 0);
    let (mut known, mut open) = (BTreeSet::from([start.clone()]), VecDeque::from([start]));
    let mut met = BTreeSet::new();
    let count = system.component(component).takes.len();
    while let Some((state, now, before, so_far, last)) = open.pop_front() {
        if let Some(valuation) = observed(&state) {
            let earlier = if past == Past::Microstep { before } else { last };
            met.insert((layout.microstep(&state), valuation | earlier << count));
        }
        for step in program::steps(program, &state) {
            let Ok(next) = step.next else { continue };
            let (old, new) = (layout.microstep(&state), layout.microstep(&next));
            // Choices change no event that was sent, and keep the number of the microstep; beyond the limit a tick keeps it too,
            // and is silent.
            let is_tick = old != new || step.action.is_none();
            let walk = match (is_tick, new) {
                (false, _) => (next, now, before, so_far, last),
                (true, 0) => (next, 0, 0, 0, so_far),
                (true, _) => {
                    let sent = observed(&next).expect("what a tick leaves is fresh");
                    (next, sent, now, so_far | sent, last)
                }
            };
            if known.insert(walk.clone()) {
                open.push_back(walk);
            }
        }
        if known.len() > 4_000 {
            return None;
        }
    }
    Some(met)
}

/// What the environment of a component was met to do.
fn configurations(system: &System, component: ComponentId, past: Past) -> Option<Configurations> {
    let (lowered, mut observer) = Observer::new(system, component, past, COUNTED).expect("few events");
    let reached = program::explore(&lowered.program, 20_000, |_, _, _| {})?;
    reached.states.iter().for_each(|state| observer.observe(state));
    Some(observer.finish())
}

#[test]
fn programs_remember_what_was() {
    let mut count = 0;
    for seed in seeds(30) {
        let text = random::system(&mut Rng::new(seed));
        let system = system(&text);
        for component in (0..system.components.len()).map(ComponentId::from_index) {
            for past in PASTS {
                let Some(by_hand) = met_by_hand(&system, component, past) else { continue };
                let Some(found) = configurations(&system, component, past) else { continue };
                let found: BTreeSet<(i32, Valuation)> = found.counts.keys().copied().collect();
                assert_eq!(found, by_hand, "seed {seed}: {past:?} {component:?}\n{text}");
                count += 1;
            }
        }
    }
    assert!(count > 20 || is_single_seed(), "only {count} environments");
}

/// The properties that can fail in a view, by name; nothing if it is too large.
fn failing(system: &System, view: View, assumptions: &[Formula]) -> Option<BTreeSet<String>> {
    let options = Options {
        counted: COUNTED,
        assumptions: assumptions.to_vec(),
        ..Options::with_properties(system, view)
    };
    let mut failing = BTreeSet::new();
    for check in options.checks.clone() {
        let alone = Options { checks: vec![check], ..options.clone() };
        failing.extend(program::explore(&lower(system, view, &alone).program, 10_000, |_, _, _| {})?.failing);
    }
    Some(failing)
}

#[test]
fn what_is_proved_with_the_past_holds_in_the_whole_system() {
    let (mut proofs, mut rules_used) = (0, 0);
    for seed in seeds(60) {
        let text = random::system(&mut Rng::new(seed));
        let system = system(&text);
        let Some(whole) = failing(&system, View::Whole, &[]) else { continue };
        for component in (0..system.components.len()).map(ComponentId::from_index) {
            let view = View::Component(component);
            let mut rules = Vec::new();
            let Some(now) = configurations(&system, component, Past::None).map(mine) else { continue };
            rules.extend(now.rules.iter().map(|rule| now.formula(rule)));
            let Some(alarms) = failing(&system, view, &rules) else { continue };
            for past in PASTS {
                let Some(mined) = configurations(&system, component, past).map(mine) else { continue };
                rules_used += mined.rules.len();
                rules.extend(mined.rules.iter().map(|rule| mined.formula(rule)));
            }
            let Some(alarms_still) = failing(&system, view, &rules) else { continue };
            for property in system.properties.iter().filter(|it| it.component == Some(component)) {
                let [fails, alarm, still] =
                    [&whole, &alarms, &alarms_still].map(|failing| failing.contains(&property.name));
                assert!(still || !fails, "seed {seed}: {} holds with the past\n{text}", property.name);
                assert!(alarm || !still, "seed {seed}: {} fails with the past only\n{text}", property.name);
                proofs += usize::from(!still);
            }
        }
    }
    assert!((proofs > 20 && rules_used > 20) || is_single_seed(), "{proofs} {rules_used}");
}

#[test]
fn parts_alone_find_nothing_false_about_the_past() {
    let mut count = 0;
    for seed in seeds(60) {
        // Nothing outside of components: with its machine the system would have to be looked at as a whole.
        let text = random::system(&mut Rng::new(seed));
        let Some(at) = text.rfind("        machine M0 { // of \n") else { continue };
        let text = format!("{}}}\n", &text[..at].replace(", t\n", "\n").replace("!t ", "!i0 "));
        let parse = rely_reactive::parse(&text);
        let elaborator = Elaborator::new(parse.file());
        let Some(system) = elaborator.systems().next().filter(|_| !elaborator.has_errors()) else { continue };
        for (number, past) in (0..system.components.len()).flat_map(|it| PASTS.map(|past| (it, past))) {
            let component = ComponentId::from_index(number);
            let (lowered, mut observer) =
                Observer::new(system, component, past, rely_reactive::program::COUNTED).expect("few events");
            let Some(reached) = program::explore(&lowered.program, 20_000, |_, _, _| {}) else { continue };
            reached.states.iter().for_each(|state| observer.observe(state));
            let whole = observer.finish();
            let parts = mine_by_part(system, component, past, &Budget::UNLIMITED).expect("only components");
            for mined in parts.expect("no limits") {
                let seen = whole.seen_by(|event| mined.events().contains(&event));
                for &(microstep, valuation) in seen.counts.keys() {
                    let is_allowed = allows(&mined.rules, microstep, valuation);
                    assert!(is_allowed, "seed {seed}: {:?}\n{text}", mined.rules);
                }
                count += mined.rules.len();
            }
        }
    }
    assert!(count > 10 || is_single_seed(), "only {count} rules");
}

/// The value of a formula behind a past.
fn value(
    formula: &Formula,
    configurations: &Configurations,
    number: i32,
    valuation: Valuation,
) -> Option<bool> {
    let count = configurations.events.len();
    let bit = |event: EventId| configurations.events.iter().position(|known| *known == event);
    formula.partial(&|atom| match *atom {
        Atom::Event(event) => Some(valuation >> bit(event)? & 1 == 1),
        Atom::Before(event) if configurations.past == Past::Microstep => {
            Some(valuation >> (count + bit(event)?) & 1 == 1)
        }
        Atom::OldEvent(event) if configurations.past == Past::Macrostep => {
            Some(valuation >> (count + bit(event)?) & 1 == 1)
        }
        Atom::Microstep(comparison, other) => Some(comparison.holds(number, other)),
        _ => None,
    })
}

#[test]
fn rules_about_the_past_can_be_read_again() {
    let mut count = 0;
    for seed in seeds(200) {
        let configurations = random_configurations(&mut Rng::new(seed));
        let names: Vec<String> =
            (0..configurations.events.len()).map(|number| format!("e{number}")).collect();
        let text = |assumption: &str| {
            format!(
                "system S {{
                    input i
                    component C {{ gives {} machine M {{ x -> x on i / {} }} }}
                    component D {{ takes {} machine M {{ x -> y on {} }} {assumption} }}
                }}",
                names.join(", "),
                names.join(", "),
                names.join(", "),
                names.join(" & ")
            )
        };
        let empty = system(&text(""));
        // The events of the interface are numbered behind the input.
        let component = ComponentId::from_index(1);
        let events = empty.component(component).takes.clone();
        let mined = mine(Configurations { events, ..configurations });
        for (rule, line) in mined.rules.iter().zip(mined_lines(&mined, &empty)) {
            let pasted = system(&text(&format!("assume mined {{\n{line}\n}}")));
            let written = pasted.assumptions[0].formula.clone();
            let read = assumed::formula(&empty, component, &Assumption::Rule(line.clone())).expect("a rule");
            let formulas = [mined.formula(rule), written, read];
            for number in 1..=mined.configurations.counted + 1 {
                for valuation in 0..1_u128 << mined.configurations.variables() {
                    let last = number.min(mined.configurations.counted);
                    let expected = !(rule.microsteps.contains(&last) && rule.never.has(valuation));
                    for formula in &formulas {
                        let value = value(formula, &mined.configurations, number, valuation);
                        assert_eq!(value, Some(expected), "seed {seed}: {number} {valuation:b} {line}");
                    }
                }
            }
            count += 1;
        }
    }
    assert!(count > 100 || is_single_seed(), "only {count} rules");
}

/// Each rule as a line, in the order of the rules.
fn mined_lines(mined: &Mined, system: &System) -> Vec<String> {
    let one = |rule: &Rule| Mined { rules: vec![rule.clone()], ..mined.clone() };
    mined.rules.iter().map(|rule| one(rule).assumptions(system).remove(0)).collect()
}

/// A warning comes first, and an alarm in the microstep after it; in the macrostep behind a warning there is none.
const BELL: &str = "system S {
    input hot
    component Sensor {
        gives warning, alarm
        machine Watch { ready -> tired on hot / warning   tired -> ready on after 2 }
        machine Bell  { b -> b on warning / alarm }
    }
    component Control {
        takes warning, alarm
        machine Mode {
            calm -> alert on warning & !alarm
            alert -> loud on alarm
            alert -> calm on after 1
            loud -> calm on after 1
            calm -> surprised on alarm
        }
        property no_surprise at macrostep: !Mode.surprised
    }
}";

#[test]
fn rules_about_the_past_read_as_people_say_them() {
    let system = system(BELL);
    let control = system.component_called("Control").expect("it is there");
    let lines = |past| {
        let mined = mine(configurations(&system, control, past).expect("it is small"));
        mined.lines(&system).into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    assert_eq!(lines(Past::None), ["warning: only in microstep 1", "alarm: only in microstep 2"]);
    assert_eq!(lines(Past::Microstep), ["never alarm after no warning", "always alarm after warning"]);
    let neither = ["warning", "alarm"].map(|event| format!("never {event} after a macrostep with warning"));
    assert_eq!(lines(Past::Macrostep), neither);
}

#[test]
fn the_past_proves_more() {
    let system = system(BELL);
    let control = system.component_called("Control").expect("it is there");
    let formulas = |past| {
        let mined = mine(configurations(&system, control, past).expect("it is small"));
        mined.rules.iter().map(|rule| mined.formula(rule)).collect::<Vec<_>>()
    };
    let without = formulas(Past::None);
    let with = [&without[..], &formulas(Past::Microstep)].concat();
    let fails = |rules: &[Formula]| {
        let failing = failing(&system, View::Component(control), rules).expect("it is small");
        failing.contains("Control.no_surprise")
    };
    assert!(fails(&without) && !fails(&with));
    assert!(!failing(&system, View::Whole, &[]).expect("it is small").contains("Control.no_surprise"));
}
