//! Mined rules, compared with all rules of confidence 1 that brute force finds.

#[path = "semantics/program.rs"]
mod program;
#[path = "semantics/random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Id};
use rely_reactive::Elaborator;
use rely_reactive::configurations::{Configurations, Observer, Past, Valuation};
use rely_reactive::environment::mine_by_part;
use rely_reactive::formula::{Atom, Formula};
use rely_reactive::mine::{Mined, Rule, mine};
use rely_reactive::program::{Check, Options, View, lower};
use rely_reactive::system::{ComponentId, EventId, Instant, System};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// Configurations over so many events that are random, but not evenly so.
fn random_configurations(rng: &mut Rng) -> Configurations {
    let (variables, counted) = (1 + rng.below(5), 1 + rng.below(3));
    let mut counts = BTreeMap::new();
    let density = rng.below(6);
    for microstep in 1..=counted {
        for valuation in 0..(1_u128 << variables) {
            if rng.chance(density, 6) {
                counts.insert((i32::try_from(microstep).expect("small"), valuation), 1 + rng.next_u64() % 9);
            }
        }
    }
    let events = (0..variables).map(EventId::from_index).collect();
    Configurations { events, past: Past::None, counted: i32::try_from(counted).expect("small"), counts }
}

fn allows(rules: &[Rule], microstep: i32, valuation: Valuation) -> bool {
    rules.iter().all(|rule| !(rule.microsteps.contains(&microstep) && rule.never.has(valuation)))
}

/// All pairs that rules allow.
fn allowed(configurations: &Configurations, rules: &[Rule]) -> BTreeSet<(i32, Valuation)> {
    let valuations = 0..(1_u128 << configurations.events.len());
    let pairs =
        (1..=configurations.counted).flat_map(|number| valuations.clone().map(move |it| (number, it)));
    pairs.filter(|&(number, valuation)| allows(rules, number, valuation)).collect()
}

/// Checks what the head of the module promises.
fn check(mined: &Mined, context: &str) {
    let configurations = &mined.configurations;
    let met: BTreeSet<(i32, Valuation)> = configurations.counts.keys().copied().collect();
    // Every configuration satisfies the rules, and every rule of confidence 1 holds wherever they do, because what they
    // allow is exactly what was met.
    assert_eq!(allowed(configurations, &mined.rules), met, "{context}");
    for (at, rule) in mined.rules.iter().enumerate() {
        let others: Vec<Rule> = mined
            .rules
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, rule)| rule.clone())
            .collect();
        assert_ne!(allowed(configurations, &others), met, "{rule:?} follows from the others: {context}");
        for bit in 0..configurations.events.len() {
            let mut shorter = rule.never;
            shorter.with &= !(1 << bit);
            shorter.without &= !(1 << bit);
            if shorter == rule.never {
                continue;
            }
            let holds =
                |number: &i32| !met.iter().any(|&(it, valuation)| it == *number && shorter.has(valuation));
            let always = rule.microsteps.iter().all(holds);
            assert!(!always, "{rule:?} can be shorter: {context}");
        }
    }
}

/// A literal: an event by number, and whether it is there.
type Literal = (usize, bool);

/// All rules *if X then y* of confidence 1 with support, over literals and the number of the microstep.
fn brute_force(configurations: &Configurations) -> Vec<(Option<i32>, Vec<Literal>, Literal)> {
    let variables = configurations.events.len();
    let mut rules = Vec::new();
    // Each event is there, not there, or not mentioned.
    for code in 0..3_usize.pow(u32::try_from(variables).expect("few")) {
        let digits =
            (0..variables).map(|bit| (bit, code / 3_usize.pow(u32::try_from(bit).expect("few")) % 3));
        let condition: Vec<(usize, bool)> =
            digits.filter(|(_, digit)| *digit > 0).map(|(bit, digit)| (bit, digit == 1)).collect();
        for microstep in std::iter::once(None).chain((1..=configurations.counted).map(Some)) {
            let is_met = |&&(number, valuation): &&(i32, Valuation)| {
                microstep.is_none_or(|only| only == number)
                    && condition.iter().all(|&(bit, value)| (valuation >> bit & 1 == 1) == value)
            };
            let met: Vec<&(i32, Valuation)> = configurations.counts.keys().filter(is_met).collect();
            for bit in (0..variables).filter(|bit| condition.iter().all(|(other, _)| other != bit)) {
                for value in [true, false] {
                    let holds = met.iter().all(|(_, valuation)| (valuation >> bit & 1 == 1) == value);
                    if holds && !met.is_empty() {
                        rules.push((microstep, condition.clone(), (bit, value)));
                    }
                }
            }
        }
    }
    rules
}

#[test]
fn rules_say_exactly_what_was_met() {
    let mut long = 0;
    for seed in seeds(300) {
        let configurations = random_configurations(&mut Rng::new(seed));
        let mined = mine(configurations.clone());
        check(&mined, &format!("seed {seed}"));
        long += usize::from(mined.rules.iter().any(|rule| rule.never.size() > 3));
        let allowed = allowed(&configurations, &mined.rules);
        for (microstep, condition, (bit, value)) in brute_force(&configurations) {
            let is_implied = allowed.iter().all(|&(number, valuation)| {
                let is_met = microstep.is_none_or(|only| only == number)
                    && condition.iter().all(|&(bit, value)| (valuation >> bit & 1 == 1) == value);
                !is_met || (valuation >> bit & 1 == 1) == value
            });
            assert!(is_implied, "seed {seed}: {microstep:?} {condition:?} -> {bit} {value}");
        }
    }
    assert!(long > 10 || is_single_seed(), "only {long} times a rule was long");
}

#[test]
fn large_interfaces_are_mined() {
    // Forty events, of which at most one is there, and none in the first microstep.
    let events: Vec<EventId> = (0..40).map(EventId::from_index).collect();
    let mut counts = BTreeMap::from([((1, 0), 1), ((2, 0), 1)]);
    counts.extend((0..40).map(|bit| ((2, 1 << bit), 1)));
    let mined = mine(Configurations { events, past: Past::None, counted: 2, counts });
    assert_eq!(mined.rules.iter().filter(|rule| rule.never.size() == 1).count(), 40);
    assert_eq!(mined.rules.iter().filter(|rule| rule.never.size() == 2).count(), 40 * 39 / 2);
    assert_eq!(mined.rules.len(), 40 + 40 * 39 / 2);
}

fn system(text: &str) -> System {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(!parse.has_errors() && !elaborator.has_errors(), "{text}\n{:?}", elaborator.diagnostics());
    elaborator.systems().next().expect("there is one").clone()
}

/// Mines what a component may rely on, with the naive explorer.
fn mined(system: &System, component: ComponentId, counted: i32) -> Option<Mined> {
    let (lowered, mut observer) = Observer::new(system, component, Past::None, counted).expect("few events");
    let reached = program::explore(&lowered.program, 20_000, |_, _, _| {})?;
    for state in &reached.states {
        observer.observe(state);
    }
    Some(mine(observer.finish()))
}

#[test]
fn rules_hold_in_the_whole_system() {
    let mut count = 0;
    for seed in seeds(40) {
        let text = random::system(&mut Rng::new(seed));
        let system = system(&text);
        for number in 0..system.components.len() {
            let component = ComponentId::from_index(number);
            let Some(mined) = mined(&system, component, 3) else { continue };
            check(&mined, &format!("seed {seed}"));
            // As properties of the whole system, the rules hold.
            let checks = mined.rules.iter().enumerate().map(|(number, rule)| Check {
                name: format!("rule {number}"),
                instant: Instant::Microstep(None),
                formula: mined.formula(rule),
                place: rely_base::Span::new(0, 0),
                is_about_border: false,
            });
            let options = Options { counted: 3, checks: checks.collect(), ..Options::without_properties() };
            let lowered = lower(&system, View::Whole, &options);
            let Some(reached) = program::explore(&lowered.program, 20_000, |_, _, _| {}) else { continue };
            let broken: Vec<&String> =
                reached.failing.iter().filter(|name| name.starts_with("rule")).collect();
            assert!(broken.is_empty(), "seed {seed}: {broken:?} {:?}\n{text}", mined.rules);
            count += usize::from(!mined.rules.is_empty());
        }
    }
    assert!(count > 10 || is_single_seed(), "only {count} components had rules");
}

#[test]
fn what_parts_never_do_the_environment_never_does() {
    let (mut count, mut equal) = (0, 0);
    for seed in seeds(60) {
        // Nothing outside of components: with its machine the system would have to be looked at as a whole.
        let text = random::system(&mut Rng::new(seed));
        let Some(at) = text.rfind("        machine M0 { // of \n") else { continue };
        let text = format!("{}}}\n", &text[..at].replace(", t\n", "\n").replace("!t ", "!i0 "));
        let parse = rely_reactive::parse(&text);
        let elaborator = Elaborator::new(parse.file());
        let Some(system) = elaborator.systems().next().filter(|_| !elaborator.has_errors()) else { continue };
        for number in 0..system.components.len() {
            let component = ComponentId::from_index(number);
            let (lowered, mut observer) =
                Observer::new(system, component, Past::None, rely_reactive::program::COUNTED)
                    .expect("few events");
            let Some(reached) = program::explore(&lowered.program, 20_000, |_, _, _| {}) else { continue };
            reached.states.iter().for_each(|state| observer.observe(state));
            let whole = observer.finish();
            let parts = mine_by_part(system, component, Past::None, &Budget::UNLIMITED)
                .expect("there are only components");
            for mined in parts.expect("no limits") {
                let seen = whole.seen_by(|event| mined.events().contains(&event));
                for &(microstep, valuation) in seen.counts.keys() {
                    assert!(
                        allows(&mined.rules, microstep, valuation),
                        "seed {seed}: {:?}\n{text}",
                        mined.rules
                    );
                }
                count += usize::from(!mined.rules.is_empty());
                equal += usize::from(allowed(&seen, &mined.rules) == seen.counts.keys().copied().collect());
            }
        }
    }
    assert!((count > 10 && equal > 10) || is_single_seed(), "{count} {equal}");
}

#[test]
fn an_event_of_several_parts_is_what_any_of_them_does() {
    let system = system(
        "system S {
            input go
            component Early { gives x, e  machine M { a -> b on go / x, e } }
            component Late { gives x  machine M { a -> b on go / y }  machine N { a -> b on y / x } }
            component C { takes x, e  machine M { a -> b on x   b -> a on e } }
        }",
    );
    let component = system.component_called("C").expect("it is there");
    let parts =
        mine_by_part(&system, component, Past::None, &Budget::UNLIMITED).expect("there are only components");
    let parts = parts.expect("no limits");
    let lines: Vec<String> =
        parts.iter().flat_map(|mined| mined.lines(&system)).map(|line| line.text).collect();
    // Early never sends one without the other, but somebody else sends x as well.
    assert_eq!(lines, ["e: only in microstep 1", "x: only in microsteps 1 and 2"]);
}

#[test]
fn an_assumption_that_asks_for_an_event_forbids_none() {
    // Whoever chooses low first may still choose high.
    for (assumption, is_reached) in [
        ("low => high", true),
        ("low <=> high", true),
        ("!(low & high)", false),
        ("high => ms == 1", true),
        ("!high", false),
    ] {
        let text = format!(
            "system S {{
                input go
                component W {{ gives low, high  machine M {{ a -> b on go / low, high }} }}
                component C {{
                    takes low, high
                    machine M {{ a -> b on low & high }}
                    assume it: {assumption}
                    property p at macrostep: M.a
                }}
            }}"
        );
        let system = system(&text);
        let component = system.component_called("C").expect("it is there");
        let view = View::Component(component);
        let options = Options::with_properties(&system, view).assuming_written(&system, component);
        let program = lower(&system, view, &options).program;
        let reached = program::explore(&program, 20_000, |_, _, _| {}).expect("it is small");
        assert_eq!(reached.failing.contains("C.p"), is_reached, "{assumption}");
    }
}

/// The properties that can fail in a view, by name; nothing if it is too large.
fn failing(system: &System, view: View, assumptions: Vec<Formula>) -> Option<BTreeSet<String>> {
    let options = Options { counted: 3, assumptions, ..Options::with_properties(system, view) };
    let mut failing = BTreeSet::new();
    // One at a time: a step fails in one unit only.
    for check in options.checks.clone() {
        let alone = Options { checks: vec![check], ..options.clone() };
        let lowered = lower(system, view, &alone);
        failing.extend(program::explore(&lowered.program, 10_000, |_, _, _| {})?.failing);
    }
    Some(failing)
}

#[test]
fn what_is_proved_of_a_component_holds_in_the_whole_system() {
    let (mut universal_proofs, mut mined_proofs, mut false_alarms) = (0, 0, 0);
    for seed in seeds(60) {
        let text = random::system(&mut Rng::new(seed));
        let system = system(&text);
        let Some(whole) = failing(&system, View::Whole, Vec::new()) else { continue };
        for number in 0..system.components.len() {
            let component = ComponentId::from_index(number);
            let view = View::Component(component);
            let Some(mined) = mined(&system, component, 3) else { continue };
            let rules: Vec<Formula> = mined.rules.iter().map(|rule| mined.formula(rule)).collect();
            let Some(universal) = failing(&system, view, Vec::new()) else { continue };
            let Some(assuming) = failing(&system, view, rules) else { continue };
            for property in system.properties.iter().filter(|property| property.component == Some(component))
            {
                let name = &property.name;
                let [fails, alarms, alarms_still] =
                    [&whole, &universal, &assuming].map(|failing| failing.contains(name));
                assert!(alarms || !fails, "seed {seed}: {name} holds alone\n{text}");
                assert!(alarms_still || !fails, "seed {seed}: {name} holds under the rules\n{text}");
                assert!(alarms || !alarms_still, "seed {seed}: {name} fails only under the rules\n{text}");
                universal_proofs += usize::from(!alarms);
                mined_proofs += usize::from(!alarms_still);
                false_alarms += usize::from(alarms && !fails);
            }
        }
    }
    let is_rich = universal_proofs > 10 && mined_proofs > universal_proofs && false_alarms > 5;
    assert!(is_rich || is_single_seed(), "{universal_proofs} {mined_proofs} {false_alarms}");
}

#[test]
fn printed_rules_can_be_pasted() {
    for seed in seeds(200) {
        let configurations = random_configurations(&mut Rng::new(seed));
        let mined = mine(configurations.clone());
        let events: Vec<String> =
            (0..configurations.events.len()).map(|number| format!("e{number}")).collect();
        let events = events.join(", ");
        let text = |assumption: &str| {
            format!(
                "system S {{
                    input i
                    component C {{ gives {events} machine M {{ x -> x on i / {events} }} }}
                    component D {{ takes {events} machine M {{ x -> y on {} }} {assumption} }}
                }}",
                events.replace(", ", " & ")
            )
        };
        let empty = system(&text(""));
        // The events of the interface are numbered behind the input.
        let events = empty.component(ComponentId::from_index(1)).takes.clone();
        let renamed =
            Mined { configurations: Configurations { events: events.clone(), ..configurations }, ..mined };
        if renamed.rules.is_empty() || renamed.rules[0].never.size() == 0 {
            continue;
        }
        let lines: Vec<String> = renamed.lines(&empty).into_iter().map(|line| line.text).collect();
        let pasted = system(&text(&format!("assume mined {{\n{}\n}}", lines.join("\n"))));
        let formula = &pasted.assumptions[0].formula;
        let counted = renamed.configurations.counted;
        for number in 1..=counted + 1 {
            for valuation in 0..(1_u128 << events.len()) {
                let value = formula.partial(&|atom| match atom {
                    Atom::Event(event) => {
                        events.iter().position(|known| known == event).map(|bit| valuation >> bit & 1 == 1)
                    }
                    Atom::Microstep(comparison, other) => Some(comparison.holds(number, *other)),
                    _ => None,
                });
                let expected = allows(&renamed.rules, number.min(counted), valuation);
                assert_eq!(value, Some(expected), "seed {seed}: {number} {valuation:b} {lines:#?}");
            }
        }
    }
}

#[test]
fn rules_read_as_people_say_them() {
    let system = system(
        "system S {
            input raw_low, raw_high, go
            component Water {
                gives low, high
                machine Filter { f -> f on raw_low & !raw_high / is_low   f -> f on raw_high & !raw_low / is_high }
                machine Range { r -> r on is_low / low   r -> r on is_high / high }
            }
            component Control {
                takes low, high
                machine Mode { a -> b on low   b -> a on high   a -> a on go & Mode.b }
            }
        }",
    );
    let control = system.component_called("Control").expect("it is there");
    let mined = mined(&system, control, 4).expect("it is small");
    let lines: Vec<String> = mined.lines(&system).into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["low, high: only in microstep 2", "never low with high"]);
    let implications: Vec<String> = mined
        .rules
        .iter()
        .flat_map(|rule| mined.implications(rule, &system))
        .map(|it| format!("{} => {} ({})", it.when.join(" "), it.then.join(" "), it.support))
        .collect();
    assert_eq!(implications, ["low => ms=2 (1)", "high => ms=2 (1)", "low => !high (1)"]);
}
