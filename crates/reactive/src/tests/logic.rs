//! Whether conditions can hold, compared with trying all values.

use rely_base::Id;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::Elaborator;
use crate::formula::{Atom, Comparison, Formula};
use crate::satisfiable::{can_hold, witness};
use crate::system::{EventId, EventKind, MachineId, System};

/// Two machines, inputs that exclude each other, an event between machines, and a timer.
fn system() -> System {
    let parse = crate::parse(
        "system S {
            input one of a, b
            input c
            machine M { x -> y on a / e   y -> z on after 2   z -> x on c }
            machine N { p -> q on e   q -> p on b }
        }",
    );
    let elaborator = Elaborator::new(parse.file());
    elaborator.systems().next().expect("it is sound").clone()
}

/// Values of everything that a formula can speak about.
#[derive(Clone, Copy)]
struct Values {
    events: u32,
    states: [u32; 2],
    old_states: [u32; 2],
    timer: i32,
    ms: i32,
    is_first: bool,
}

impl Values {
    fn of(self, atom: &Atom) -> bool {
        match atom {
            Atom::Event(event) => self.events >> event.index() & 1 == 1,
            Atom::OldEvent(_) | Atom::Before(_) => false,
            Atom::State(machine, states) => states.contains(&self.states[machine.index()]),
            Atom::OldState(machine, states) => states.contains(&self.old_states[machine.index()]),
            Atom::After(_, _, count) => self.is_first && self.timer == *count,
            Atom::Microstep(comparison, number) => comparison.holds(self.ms, *number),
        }
    }
}

/// All values that make sense for a transition or, where `is_judged`, for a property.
fn all_values(system: &System, is_judged: bool) -> Vec<Values> {
    let mut all = Vec::new();
    for events in 0..(1_u32 << system.events.len()) {
        let is_there = |number: usize| events >> number & 1 == 1;
        let grouped =
            system.events.iter().enumerate().filter(|(at, event)| is_there(*at) && event.group.is_some());
        if grouped.count() > 1 {
            continue;
        }
        for code in 0..2 * 3 * 2 * 3 * 2 * 4 * 3 {
            let mut rest: i32 = code;
            let mut digit = |base: i32| {
                let digit = rest % base;
                rest /= base;
                digit
            };
            let is_first = digit(2) == 1;
            let state = |digit: i32| u32::try_from(digit).expect("small");
            let states = [state(digit(3)), state(digit(2))];
            let old_states = [state(digit(3)), state(digit(2))];
            let values = Values { events, states, old_states, timer: digit(4), ms: digit(3) + 1, is_first };
            let fits = system.events.iter().enumerate().all(|(at, event)| {
                !is_there(at) || is_judged || (event.kind == EventKind::Input) == is_first
            });
            if fits && !(is_judged && is_first) {
                all.push(values);
            }
        }
    }
    all
}

fn random(rng: &mut Rng, system: &System, depth: usize, is_judged: bool) -> Formula {
    let parts = |rng: &mut Rng| (0..2).map(|_| random(rng, system, depth - 1, is_judged)).collect::<Vec<_>>();
    let event = Atom::Event(EventId::from_index(rng.below(system.events.len())));
    let atom = match rng.below(6) {
        0 | 1 => event,
        2 => Atom::State(MachineId::from_index(0), vec![u32::from(rng.chance(1, 2)), 2]),
        3 => Atom::State(MachineId::from_index(1), vec![u32::from(rng.chance(1, 2))]),
        4 if is_judged => Atom::OldState(MachineId::from_index(0), vec![1]),
        5 if is_judged => Atom::Microstep(Comparison::LessEqual, 1 + i32::from(rng.chance(1, 2))),
        _ => Atom::After(MachineId::from_index(0), 0, 1 + i32::from(rng.chance(1, 2))),
    };
    match rng.below(if depth == 0 { 2 } else { 6 }) {
        0 => Formula::Atom(atom),
        1 => Formula::Atom(atom).negated(),
        2 | 3 => Formula::all(parts(rng)),
        4 => Formula::any(parts(rng)),
        _ => {
            let mut parts = parts(rng);
            Formula::Iff(Box::new(parts.remove(0)), Box::new(parts.remove(0)))
        }
    }
}

#[test]
fn conditions_can_hold_where_some_values_make_them_true() {
    let system = system();
    let [transitions, judged] = [false, true].map(|is_judged| all_values(&system, is_judged));
    let mut never = 0;
    for seed in seeds(400) {
        let rng = &mut Rng::new(seed);
        let formula = random(rng, &system, 4, false);
        let holds = |values: &Values| formula.partial(&|atom| Some(values.of(atom))) == Some(true);
        let state = u32::try_from(rng.below(3)).expect("small");
        let fixed = [(MachineId::from_index(0), state)];
        let expected = transitions.iter().filter(|values| values.states[0] == state).any(holds);
        assert_eq!(can_hold(&formula, &system, &fixed), Some(expected), "seed {seed}: {formula:?}");
        let formula = random(rng, &system, 4, true);
        let holds = |values: &Values| formula.partial(&|atom| Some(values.of(atom))) == Some(true);
        let found = witness(&formula, &system).expect("it is small");
        assert_eq!(found.is_some(), judged.iter().any(holds), "seed {seed}: {formula:?}");
        never += usize::from(!expected);
    }
    assert!(never > 20 || is_single_seed(), "only {never} conditions could never hold");
}
