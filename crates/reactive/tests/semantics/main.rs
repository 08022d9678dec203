//! Programs of systems, compared with an interpreter that is written from the rules of the step semantics alone.

mod examples;
mod interpreter;
mod program;
mod random;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interpreter::{Configuration, Interpreter, Part};
use rely_base::Id;
use rely_reactive::Elaborator;
use rely_reactive::ast::SystemDef;
use rely_reactive::program::{Layout, Lowered, Options, View, lower};
use rely_reactive::system::{EventKind, System};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// Where the microstep counter stops in the tests: early, so that it is met.
const COUNTED: i32 = 3;
/// One more than the longest timeout in random systems.
const OLDEST: i32 = 4;
/// Larger systems are passed over.
const LIMIT: usize = 1_500;

/// What both sides see of a configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Seen {
    states: BTreeMap<String, String>,
    /// What timers show in the states that machines are in.
    ages: BTreeMap<(String, String), i32>,
    ms: i32,
    /// Internal events that machines sent, without outputs.
    sent: BTreeSet<String>,
    chosen: BTreeSet<String>,
    due: BTreeSet<String>,
    delivering: bool,
}

/// A step as both sides see it.
type Edge = (Seen, Option<String>, Seen);

/// The name of an event without its component.
fn short(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

/// What a state of the program is.
fn seen_in_program(system: &System, layout: &Layout, state: &[i32]) -> Seen {
    let mut states = BTreeMap::new();
    let mut leaves = BTreeMap::new();
    for &(id, slot) in &layout.machines {
        let machine = system.machine(id);
        let leaf = usize::try_from(state[slot.index()]).expect("a state");
        states.insert(machine.name.clone(), machine.states[leaf].clone());
        leaves.insert(id, leaf);
    }
    let ages = layout.timers.iter().map(|&(id, timer, slot)| {
        let machine = system.machine(id);
        ((machine.name.clone(), machine.timers[timer as usize].state.clone()), state[slot.index()])
    });
    let chosen: BTreeSet<String> = layout
        .chosen
        .iter()
        .filter(|(_, slot)| state[slot.index()] != 0)
        .map(|&(event, _)| short(&system.event(event).name))
        .collect();
    let is_sent = |slots: &Vec<rely_lts::SlotId>| {
        let own = slots.iter().filter(|slot| layout.chosen.iter().all(|(_, chosen)| chosen != *slot));
        own.clone().any(|slot| state[slot.index()] != 0)
    };
    let sent = layout.events.iter().filter(|(_, slots)| is_sent(slots));
    Seen {
        states,
        ages: ages.collect(),
        ms: layout.microstep(state),
        sent: sent.map(|&(event, _)| short(&system.event(event).name)).collect(),
        chosen,
        due: layout
            .pending
            .iter()
            .filter(|(_, slot)| state[slot.index()] != 0)
            .map(|&(event, _)| short(&system.event(event).name))
            .collect(),
        delivering: layout.delivering.is_some_and(|slot| state[slot.index()] != 0),
    }
}

/// What a configuration of the interpreter is. Timers exist in the program only for states that somebody waits in.
fn seen_in_interpreter(c: &Configuration, outputs: &BTreeSet<String>) -> Seen {
    Seen {
        states: c.states.clone(),
        ages: c.ages.clone(),
        ms: c.ms,
        sent: c.sent.difference(outputs).cloned().collect(),
        chosen: c.chosen.clone(),
        due: c.due.clone(),
        delivering: c.delivering,
    }
}

/// Keeps the ages that both sides know, up to the largest number that the timer of the program shows.
fn align(edges: &mut BTreeSet<Edge>, other: &BTreeSet<Edge>, longest: &BTreeMap<(String, String), i32>) {
    let known: BTreeSet<(String, String)> =
        other.iter().flat_map(|(from, _, to)| from.ages.keys().chain(to.ages.keys())).cloned().collect();
    let aligned = std::mem::take(edges).into_iter().map(|(mut from, action, mut to)| {
        for seen in [&mut from, &mut to] {
            seen.ages.retain(|key, _| known.contains(key) && longest.contains_key(key));
            for (key, age) in &mut seen.ages {
                *age = (*age).min(longest[key] + 1);
            }
        }
        (from, action, to)
    });
    *edges = aligned.collect();
}

/// Drops what the timers of states show that a machine is not in.
fn only_active(edges: &mut BTreeSet<Edge>, inside: &BTreeMap<(String, String), BTreeSet<String>>) {
    let aligned = std::mem::take(edges).into_iter().map(|(mut from, action, mut to)| {
        for seen in [&mut from, &mut to] {
            let states = seen.states.clone();
            seen.ages.retain(|key, _| inside[key].contains(&states[&key.0]));
        }
        (from, action, to)
    });
    *edges = aligned.collect();
}

/// All steps of the interpreter, and all configurations. Nothing if there are too many.
fn explore(
    interpreter: &Interpreter<'_>,
    outputs: &BTreeSet<String>,
) -> Option<(BTreeSet<Edge>, Vec<Configuration>)> {
    let mut known = BTreeSet::from([interpreter.initial()]);
    let mut open = VecDeque::from([interpreter.initial()]);
    let mut edges = BTreeSet::new();
    while let Some(c) = open.pop_front() {
        let from = seen_in_interpreter(&c, outputs);
        for (action, next) in interpreter.steps(&c) {
            edges.insert((from.clone(), action, seen_in_interpreter(&next, outputs)));
            if known.insert(next.clone()) {
                open.push_back(next);
            }
        }
        if known.len() > LIMIT {
            return None;
        }
    }
    Some((edges, known.into_iter().collect()))
}

/// Whether some macrostep can go round in a circle of microsteps in which machines move and nothing comes from outside.
fn has_endless_macrostep(interpreter: &Interpreter<'_>, configurations: &[Configuration]) -> bool {
    let moves = |c: &Configuration| c.ms > 0 && c.chosen.is_empty() && !interpreter.is_still(c);
    let key = |c: &Configuration| (c.states.clone(), c.sent.clone());
    let mut graph: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for c in configurations.iter().filter(|c| moves(c)) {
        let silent = interpreter.steps(c).into_iter().filter(|(action, _)| action.is_none());
        graph.entry(key(c)).or_default().extend(silent.map(|(_, next)| key(&next)));
    }
    // Take away what leads nowhere until nothing changes; what is left has a circle.
    loop {
        let alive: BTreeSet<_> = graph.keys().cloned().collect();
        let before = graph.len();
        graph.retain(|_, next| next.iter().any(|next| alive.contains(next)));
        if graph.len() == before {
            return before > 0;
        }
    }
}

/// How often the cases that matter were met.
#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    open: usize,
    endless: usize,
    broken: usize,
    kept: usize,
    timeouts: usize,
}

fn compare(text: &str, seed: u64, counts: &mut Counts) {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    assert!(
        !parse.has_errors() && !elaborator.has_errors(),
        "seed {seed}\n{text}\n{:?}",
        elaborator.diagnostics()
    );
    let system = elaborator.systems().next().expect("there is one");
    let order: Vec<String> = system.events.iter().map(|event| short(&event.name)).collect();
    let outputs: BTreeSet<String> = system
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Output)
        .map(|event| short(&event.name))
        .collect();
    let mut views = vec![(View::Whole, Part::Whole)];
    for component in &system.components {
        let id = system.component_called(&component.name).expect("it has a name");
        views.push((View::Component(id), Part::Component(component.name.clone())));
        views.push((View::Environment(id), Part::Environment(component.name.clone())));
    }
    for (view, part) in views {
        let def = &parse.file().systems[0];
        let mut options = Options { counted: COUNTED, ..Options::without_properties() };
        if let View::Component(component) = view {
            options = options.assuming_written(system, component);
        }
        let Lowered { program, layout, .. } = lower(system, view, &options);
        // The numbers with which assumptions compare `ms` may raise the limit.
        let limit = layout.counted;
        let interpreter = Interpreter::new(def, &part, limit, OLDEST, &order, None);
        let Some((mut expected, configurations)) = explore(&interpreter, &outputs) else { continue };
        let mut found = BTreeSet::new();
        let reached = program::explore(&program, LIMIT * 10, |from, action, to| {
            let from = seen_in_program(system, &layout, from);
            let action = action.map(short);
            found.insert((from, action, seen_in_program(system, &layout, to)));
        });
        let Some(reached) = reached else { continue };
        let longest = longest(system);
        align(&mut found, &expected.clone(), &longest);
        align(&mut expected, &found.clone(), &longest);
        only_active(&mut found, &active(system, &expected));
        let inside = active(system, &expected);
        only_active(&mut expected, &inside);
        without_dead_ends(&mut found);
        without_dead_ends(&mut expected);
        let missing: Vec<&Edge> = expected.difference(&found).take(2).collect();
        let wrong: Vec<&Edge> = found.difference(&expected).take(2).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "seed {seed}, {view:?}\n{text}\nmissing: {missing:#?}\nwrong: {wrong:#?}"
        );
        let is_endless = has_endless_macrostep(&interpreter, &configurations);
        assert_eq!(reached.failing.contains("macrostep"), is_endless, "seed {seed}, {view:?}\n{text}");
        counts.systems += 1;
        counts.open += usize::from(view != View::Whole);
        counts.endless += usize::from(is_endless);
        counts.timeouts += usize::from(!longest.is_empty());
        let judged = Judged { text, seed, system, view, part, order: &order, outputs: &outputs };
        verdicts(&judged, def, counts);
    }
}

/// Leaves out choices that break an assumption: they lead nowhere, and where that is certain early they are not even made.
fn without_dead_ends(edges: &mut BTreeSet<Edge>) {
    loop {
        let alive: BTreeSet<_> = edges.iter().map(|(from, _, _)| from.clone()).collect();
        let before = edges.len();
        edges.retain(|(_, _, to)| alive.contains(to));
        if edges.len() == before {
            return;
        }
    }
}

/// The largest number that somebody waits for, for each machine and state with a timer.
fn longest(system: &System) -> BTreeMap<(String, String), i32> {
    let timers = system.machines.iter().flat_map(|machine| {
        machine.timers.iter().map(|timer| ((machine.name.clone(), timer.state.clone()), timer.longest))
    });
    timers.collect()
}

/// The innermost states in which the interpreter knows the age of a state.
fn active(system: &System, edges: &BTreeSet<Edge>) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut inside: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (key, _) in longest(system) {
        inside.entry(key).or_default();
    }
    for (from, _, to) in edges {
        for seen in [from, to] {
            for key in seen.ages.keys() {
                inside.entry(key.clone()).or_default().insert(seen.states[&key.0].clone());
            }
        }
    }
    inside
}

/// A part of a system whose properties are judged.
struct Judged<'t> {
    text: &'t str,
    seed: u64,
    system: &'t System,
    view: View,
    part: Part,
    order: &'t [String],
    outputs: &'t BTreeSet<String>,
}

/// Each property alone: broken in the program where the interpreter finds it broken.
fn verdicts(judged: &Judged<'_>, def: &SystemDef, counts: &mut Counts) {
    let &Judged { text, seed, system, view, ref part, order, outputs } = judged;
    let mut options = Options { counted: COUNTED, ..Options::with_properties(system, view) };
    if let View::Component(component) = view {
        options = options.assuming_written(system, component);
    }
    let properties = Interpreter::new(def, part, COUNTED, OLDEST, order, None).properties;
    for check in options.checks.clone() {
        let property = properties.iter().find(|(name, _, _)| *name == check.name);
        let (name, component, property) = property.expect("both know the property");
        let alone = Options { checks: vec![check.clone()], ..options.clone() };
        let Lowered { program, layout, .. } = lower(system, view, &alone);
        let interpreter = Interpreter::new(def, part, layout.counted, OLDEST, order, Some(property));
        let Some((_, configurations)) = explore(&interpreter, outputs) else { continue };
        let breaks = |c: &Configuration, action: Option<&str>| match action {
            None => interpreter.is_broken(property, component, c, false),
            Some("end") => interpreter.is_broken(property, component, c, true),
            Some(_) => false,
        };
        let is_broken = configurations
            .iter()
            .any(|c| interpreter.steps(c).iter().any(|(action, _)| breaks(c, action.as_deref())));
        let Some(reached) = program::explore(&program, LIMIT * 10, |_, _, _| {}) else { continue };
        assert_eq!(reached.failing.contains(name), is_broken, "seed {seed}, {view:?}, {name}\n{text}");
        counts.broken += usize::from(is_broken);
        counts.kept += usize::from(!is_broken);
    }
}

#[test]
fn programs_do_what_the_rules_say() {
    let mut counts = Counts::default();
    for seed in seeds(40) {
        let text = random::system(&mut Rng::new(seed));
        compare(&text, seed, &mut counts);
    }
    let Counts { systems, open, endless, broken, kept, timeouts } = counts;
    let is_rich = systems > 30 && open > 15 && endless > 5 && broken > 20 && kept > 20 && timeouts > 10;
    assert!(is_rich || is_single_seed(), "{systems} {open} {endless} {broken} {kept} {timeouts}");
}

/// The states that ticks leave, and the properties that can fail.
fn reached(lowered: &Lowered) -> Option<(BTreeSet<Vec<i32>>, BTreeSet<String>)> {
    let mut fresh = BTreeSet::new();
    let Lowered { program, layout, .. } = lowered;
    let reached = program::explore(program, 4 * LIMIT, |before, action, after| {
        let is_tick = action.is_none() || layout.microstep(before) != layout.microstep(after);
        fresh.extend(is_tick.then(|| after.to_vec()));
    })?;
    Some((fresh, reached.failing))
}

#[test]
fn events_that_make_no_difference_need_not_be_chosen() {
    let (mut count, mut smaller) = (0, 0);
    for seed in seeds(50) {
        let text = random::system(&mut Rng::new(seed));
        let parse = rely_reactive::parse(&text);
        let elaborator = Elaborator::new(parse.file());
        let system = elaborator.systems().next().expect("there is one");
        let components = (0..system.components.len()).map(Id::from_index);
        let views: Vec<View> = [View::Whole]
            .into_iter()
            .chain(components.flat_map(|it| [View::Component(it), View::Environment(it)]))
            .collect();
        for view in views {
            let assumed = |options: Options| match view {
                View::Component(component) => options.assuming_written(system, component),
                _ => options,
            };
            let all = assumed(Options { counted: COUNTED, ..Options::with_properties(system, view) });
            // None, and one after the other, because a property offers what it mentions.
            let lists = all.checks.iter().map(|check| vec![check.clone()]).chain([Vec::new()]);
            for checks in lists.collect::<Vec<_>>() {
                let all = Options { checks, ..all.clone() };
                let few = Options { all_choices: false, ..all.clone() };
                let [all, few] = [all, few].map(|options| lower(system, view, &options));
                let Some(expected) = reached(&all) else { continue };
                let found = reached(&few).expect("it has no more states");
                assert_eq!(found, expected, "seed {seed}: {view:?}\n{text}");
                let states = |lowered: &Lowered| {
                    program::explore(&lowered.program, 4 * LIMIT, |_, _, _| {}).map(|it| it.states.len())
                };
                smaller += usize::from(states(&few) < states(&all));
                count += 1;
            }
        }
    }
    assert!((count > 100 && smaller > 50) || is_single_seed(), "{smaller} of {count} are smaller");
}
