//! The program of a component means what the component means.
//!
//! Random message systems are explored twice, step by step: as the program that the crate makes of them, by a naive
//! explorer, and by an interpreter that was written from the semantics. In every state both must have the same steps, with
//! the same names, ends, failures and cuts.

mod explorer;
mod generator;
mod interpreter;

use std::collections::{BTreeSet, VecDeque};

use rely_base::{Budget, Id};
use rely_messages::system::{Sent, Step};
use rely_messages::{Elaborator, Environment, Options, Overflow, System, Unexpected, parse};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use interpreter::{Configuration, Interpreter, Local};

/// How many states of each system are compared.
const STATES: usize = 150;

#[test]
fn programs_mean_what_the_text_means() {
    let mut met = Met::default();
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let text = generator::system(&mut rng);
        let options = Options {
            environment: *rng.pick(&[Environment::Universal, Environment::Universal, Environment::Absent]),
            overflow: *rng.pick(&[Overflow::Cut, Overflow::Fail]),
            unexpected: *rng.pick(&[Unexpected::Wait, Unexpected::Drop, Unexpected::Fail]),
            queue: rng.chance(1, 4).then_some(2),
        };
        compare(seed, &text, options, &mut met);
    }
    if !is_single_seed() {
        assert!(met.failures > 100 && met.cuts > 100 && met.states > 10_000, "too little was met: {met:?}");
        assert!(met.joint > 1000 && met.composed > 50, "too little was met: {met:?}");
    }
}

/// What the comparison has met, to be sure that it means something.
#[derive(Default, Debug)]
struct Met {
    states: usize,
    failures: usize,
    cuts: usize,
    joint: usize,
    composed: usize,
}

fn compare(seed: u64, text: &str, options: Options, met: &mut Met) {
    let read = parse(text);
    assert!(!read.has_errors(), "seed {seed}: {:?}\n{text}", read.diagnostics());
    let loader = |_: &str| Err("there are no files".to_owned());
    let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
    let system = elaborator.system("System", &options);
    let system = system.unwrap_or_else(|_| panic!("seed {seed}: {:?}\n{text}", elaborator.diagnostics()));
    let interpreter = Interpreter::new(read.file(), "System", options);
    met.composed += usize::from(!system.component.parts.is_empty());
    assert_units_share_nothing(&system);
    assert_eq!(interface(&system), interpreter.interface(), "seed {seed}: the interface\n{text}");

    let start = (system.program.initial(), interpreter.initial());
    assert_eq!(shown(&system, &start.0), start.1, "seed {seed}: the start\n{text}");
    let mut seen: BTreeSet<Configuration> = [start.1.clone()].into();
    let mut pending = VecDeque::from([start]);
    while let Some((state, configuration)) = pending.pop_front() {
        met.states += 1;
        let mut ours = BTreeSet::new();
        for (action, end) in explorer::steps(&system.program, &state) {
            let label =
                action.map_or("nothing".to_owned(), |action| label(&system, &system.steps[action.index()]));
            let (label, end) = match end {
                explorer::End::At(after) => (label, interpreter::End::At(shown(&system, &after))),
                explorer::End::Fail => ("failure".to_owned(), interpreter::End::Fail),
                explorer::End::Cut => (label, interpreter::End::Cut),
            };
            ours.insert((label, end));
        }
        let theirs: BTreeSet<(String, interpreter::End)> = interpreter
            .steps(&configuration)
            .into_iter()
            .map(|(label, end)| {
                (if end == interpreter::End::Fail { "failure".to_owned() } else { label }, end)
            })
            .collect();
        let only_ours: Vec<_> = ours.difference(&theirs).collect();
        let only_theirs: Vec<_> = theirs.difference(&ours).collect();
        assert!(
            only_ours.is_empty() && only_theirs.is_empty(),
            "seed {seed}, {options:?}\n{text}\nat {configuration:#?}\nprogram only: {only_ours:#?}\ninterpreter only: \
             {only_theirs:#?}"
        );
        assert_lost(&system, &state, &theirs, options, seed, text);
        met.failures += ours.iter().filter(|(_, end)| *end == interpreter::End::Fail).count();
        met.cuts += ours.iter().filter(|(_, end)| *end == interpreter::End::Cut).count();
        met.joint += ours.iter().filter(|(label, _)| label.contains(" sends ")).count();
        for (_, end) in explorer::steps(&system.program, &state) {
            if let explorer::End::At(after) = end
                && seen.len() < STATES
            {
                let configuration = shown(&system, &after);
                if seen.insert(configuration.clone()) {
                    pending.push_back((after, configuration));
                }
            }
        }
    }
}

/// A message is lost exactly where a process waits, has a message, and does not take it.
fn assert_lost(
    system: &System,
    state: &[i32],
    steps: &BTreeSet<(String, interpreter::End)>,
    options: Options,
    seed: u64,
    text: &str,
) {
    if options.unexpected != Unexpected::Wait {
        return;
    }
    for (local, (process, lost)) in
        shown(system, state).iter().zip(system.component.processes.iter().zip(&system.lost))
    {
        let takes = format!("takes {}.", process.name);
        let moves = steps.iter().any(|(label, _)| label.starts_with(&takes));
        let is_lost = !local.is_entering && !local.queue.is_empty() && !moves;
        let found = explorer::evaluate(&system.program, state, *lost).expect("it is defined") != 0;
        assert_eq!(found, is_lost, "seed {seed}: {}\n{text}", process.name);
    }
}

/// Every slot is read and written by one unit.
fn assert_units_share_nothing(system: &System) {
    let program = &system.program;
    let mut owner = vec![None; program.slots().len()];
    for (number, unit) in program.units().iter().enumerate() {
        let mut pending = Vec::new();
        let mut used = Vec::new();
        let array = |array: rely_lts::Array| (0..array.length).filter_map(move |it| array.element(it.into()));
        for command in &unit.commands {
            pending.push(command.guard);
            for assignment in &command.assignments {
                pending.push(assignment.value);
                match assignment.target {
                    rely_lts::Target::Slot(slot) => used.push(slot),
                    rely_lts::Target::Element(it, index) => {
                        used.extend(array(it));
                        pending.push(index);
                    }
                }
            }
        }
        while let Some(id) = pending.pop() {
            let expression = program.expression(id);
            pending.extend(expression.operands());
            match expression {
                rely_lts::Expression::Slot(slot) => used.push(slot),
                rely_lts::Expression::Element(it, _) => used.extend(array(it)),
                _ => {}
            }
        }
        for slot in used {
            let first = *owner[slot.index()].get_or_insert(number);
            assert_eq!(first, number, "{} is shared", program.slots()[slot.index()].name);
        }
    }
}

/// The full names of open inputs and of outputs that leave the system.
fn interface(system: &System) -> (BTreeSet<String>, BTreeSet<String>) {
    let component = &system.component;
    let full = |input: &rely_messages::component::Input| {
        let process = &component.processes[input.receiver.process];
        let name = &process.messages[input.receiver.message].name;
        // The folder of the process, which has an index behind its name if it is one of a family.
        let parts: Vec<&str> = process.name.split('.').collect();
        let own = if parts.last().is_some_and(|last| last.parse::<i32>().is_ok()) { 2 } else { 1 };
        let folder: Vec<&str> = parts[..parts.len() - own].to_vec();
        folder.into_iter().chain([&**name]).collect::<Vec<&str>>().join(".")
    };
    let outputs = component.outputs.iter().map(|output| component.ports[output.port].name.clone());
    (component.inputs.iter().map(full).collect(), outputs.collect())
}

/// A state of a program as a configuration.
fn shown(system: &System, state: &[i32]) -> Configuration {
    let processes = system.component.processes.iter().zip(&system.layouts);
    let local = |(process, layout): (&rely_messages::component::Process, &rely_messages::system::Layout)| {
        let at = |slot: rely_lts::SlotId| state[slot.index()];
        let control = at(layout.control);
        let is_entering = layout.entering.contains(&Some(control));
        let place = match is_entering {
            true => layout.entering.iter().position(|&entering| entering == Some(control)),
            false => layout.waiting.iter().position(|&waiting| waiting == control),
        };
        let variables = process.variables.iter().zip(&layout.variables).map(|(variable, first)| {
            let length = variable.array.map_or(1, |(_, length)| length as usize);
            let values = (0..length).map(|offset| i64::from(state[first.index() + offset]));
            (variable.name.to_string(), values.collect())
        });
        let length = usize::try_from(at(layout.length)).expect("a length");
        let cells = (0..layout.cells.length as usize).map(|it| state[layout.cells.first.index() + it]);
        let cells: Vec<i32> = cells.collect();
        assert!(cells[length..].iter().all(|&cell| cell == 0), "cells beyond the last message are empty");
        let decode = |&cell: &i32| {
            let message = layout.codes.iter().rposition(|&code| code <= cell).expect("a message");
            let mut rest = i64::from(cell - layout.codes[message]);
            let mut values = Vec::new();
            for ty in process.messages[message].params.iter().rev() {
                let (low, count) = (i64::from(ty.bounds().0), i64::try_from(ty.count()).expect("few"));
                values.insert(0, low + rest % count);
                rest /= count;
            }
            (process.messages[message].name.to_string(), values)
        };
        Local {
            state: process.states[place.expect("a state")].name.to_string(),
            is_entering,
            variables: variables.collect(),
            queue: cells[..length].iter().map(decode).collect(),
        }
    };
    processes.map(local).collect()
}

/// A step in the words of the interpreter.
fn label(system: &System, step: &Step) -> String {
    let component = &system.component;
    let wide = |values: &[i32]| values.iter().map(|&value| i64::from(value)).collect::<Vec<i64>>();
    let message = |to: &rely_messages::component::MessageRef, values: &[i32]| {
        let process = &component.processes[to.process];
        format!("{}.{}{:?}", process.name, process.messages[to.message].name, wide(values))
    };
    match step {
        Step::Sent { sender, messages } => {
            let sender = sender.map_or("ENV", |sender| &component.processes[sender].name);
            let mut text = format!("{sender} sends");
            for Sent { port, deliveries, values } in messages {
                for to in deliveries {
                    text += &format!(" {}", message(to, values));
                }
                if let Some(port) = port {
                    text += &format!(" out {}{:?}", component.ports[*port].name, wide(values));
                }
            }
            text
        }
        Step::Received(to, values) => format!("takes {}", message(to, values)),
        Step::Dropped(to, values) => format!("drops {}", message(to, values)),
        Step::Unexpected(..) => "failure".to_owned(),
        Step::Done { process, state } => {
            let process = &component.processes[*process];
            format!("{} does {}", process.name, process.states[*state].name)
        }
    }
}
