//! What the models claim is true of them, and the published bug breaks exactly one claim.
//!
//! A claim under assumptions is judged by the definition: a run of the program that meets all assumptions, is fair to every
//! process, and that the claim rejects. The product of the program with the acceptors is explored naively, and searched for
//! an accepting lasso.

#[path = "semantics/explorer.rs"]
mod explorer;

use std::path::Path;
use std::rc::Rc;

use rely_base::{Budget, Id};
use rely_lts::Observation;
use rely_messages::system::{Claim, Property};
use rely_messages::{Elaborator, Options, System, parse};
use rely_omega::{Acceptance, AtomId, AtomSet, Automaton, ColouredGraph, Colours, accepting_lasso};
use rustc_hash::FxHashMap;

/// The program with its acceptors, explored.
struct Product {
    edges: Vec<Vec<(usize, Colours)>>,
    is_cut: bool,
    fails: bool,
}

impl ColouredGraph for Product {
    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn initial(&self) -> Vec<usize> {
        vec![0]
    }

    fn edge_count(&self, state: usize) -> usize {
        self.edges[state].len()
    }

    fn edge(&self, state: usize, number: usize) -> (usize, &Colours) {
        let (target, colours) = &self.edges[state][number];
        (*target, colours)
    }
}

/// An acceptor, and what its atoms stand for.
struct Watcher<'c> {
    automaton: Automaton,
    claim: &'c Claim,
    /// The number of its first colour.
    offset: u32,
}

fn letter(system: &System, claim: &Claim, action: Option<usize>, after: &[i32]) -> AtomSet {
    let holds = |proposition: &Observation| match proposition {
        Observation::Actions(actions) => {
            action.is_some_and(|action| actions.iter().any(|it| it.index() == action))
        }
        Observation::Condition(id) => {
            explorer::evaluate(&system.program, after, *id).expect("it is defined") != 0
        }
    };
    let atoms = claim.propositions.iter().enumerate().filter(|(_, proposition)| holds(proposition));
    atoms.map(|(number, _)| AtomId::from_index(number)).collect()
}

/// What was found out about a property.
struct Judged {
    holds: bool,
    is_cut: bool,
}

/// Whether no fair run meets all assumptions and is rejected by the claim; without the claim, whether no fair run meets them.
fn judge(system: &System, property: &Property, with_claim: bool) -> Judged {
    let processes = u32::try_from(system.component.processes.len()).expect("few processes");
    let mut offset = processes;
    let mut conditions: Vec<Acceptance> = (0..processes).map(Acceptance::Inf).collect();
    let mut watchers = Vec::new();
    let acceptor = |claim: &Claim| claim.kind.automaton(&Budget::UNLIMITED).expect("there is no limit");
    let complement = property.claim.kind.complement(&Budget::UNLIMITED).expect("there is no limit");
    let all = property.assuming.iter().map(|claim| (acceptor(claim), claim));
    for (automaton, claim) in all.chain(with_claim.then_some((complement, &property.claim))) {
        let choice = automaton.choice(&Budget::UNLIMITED).expect("there is no limit");
        assert_eq!(choice, None, "the models use templates");
        conditions.push(automaton.acceptance.shifted(offset));
        let count = automaton.colour_count();
        watchers.push(Watcher { automaton, claim, offset });
        offset += count;
    }
    let product = explore(system, &watchers, processes);
    assert!(!product.fails, "{}: a process fails", property.name);
    let lasso =
        accepting_lasso(&product, &Acceptance::all(conditions), &Budget::UNLIMITED).expect("no limit");
    Judged { holds: lasso.is_none(), is_cut: product.is_cut }
}

/// A step of the program: its mover, its end, and the letter that it makes for each watcher.
struct Moved {
    mover: Option<usize>,
    end: Ended,
    letters: Vec<AtomSet>,
}

/// How a step ends: in a state of the program, by number, or not.
enum Ended {
    At(usize),
    Fail,
    Cut,
}

/// The states of the program, and their steps once they are known.
#[derive(Default)]
struct Known {
    numbers: FxHashMap<Vec<i32>, usize>,
    states: Vec<Vec<i32>>,
    steps: FxHashMap<usize, Rc<Vec<Moved>>>,
}

impl Known {
    fn number(&mut self, state: Vec<i32>) -> usize {
        let fresh = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        number
    }

    fn steps(&mut self, system: &System, watchers: &[Watcher<'_>], number: usize) -> Rc<Vec<Moved>> {
        if let Some(steps) = self.steps.get(&number) {
            return Rc::clone(steps);
        }
        let state = self.states[number].clone();
        let mut steps = Vec::new();
        for (action, end) in explorer::steps(&system.program, &state) {
            let action = action.map(Id::index);
            // Whether the assumptions allow a step that has no end is judged by its messages: the models' assumptions about
            // inputs speak of nothing else.
            let after = if let explorer::End::At(after) = &end { after } else { &state };
            let letters =
                watchers.iter().map(|watcher| letter(system, watcher.claim, action, after)).collect();
            let mover = action.and_then(|action| system.steps[action].process());
            let end = match end {
                explorer::End::At(after) => Ended::At(self.number(after)),
                explorer::End::Fail => Ended::Fail,
                explorer::End::Cut => Ended::Cut,
            };
            steps.push(Moved { mover, end, letters });
        }
        let steps = Rc::new(steps);
        self.steps.insert(number, Rc::clone(&steps));
        steps
    }
}

fn explore(system: &System, watchers: &[Watcher<'_>], processes: u32) -> Product {
    let mut known = Known::default();
    let start = (known.number(system.program.initial()), vec![0; watchers.len()]);
    let mut numbers: FxHashMap<(usize, Vec<usize>), usize> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut pending = vec![start];
    let mut product = Product { edges: vec![Vec::new()], is_cut: false, fails: false };
    while let Some((state, watching)) = pending.pop() {
        let source = numbers[&(state, watching.clone())];
        let steps = known.steps(system, watchers, state);
        let is_ready = |process: u32| steps.iter().any(|step| step.mover == Some(process as usize));
        let resting: Colours = (0..processes).filter(|&process| !is_ready(process)).collect();
        for step in steps.iter() {
            let mut colours = resting.clone();
            let read = watchers.iter().zip(&watching).zip(&step.letters).map(|((watcher, &at), letter)| {
                let edge = watcher.automaton.reading(at, letter).next()?;
                colours.insert_all(&edge.colours.shifted(watcher.offset));
                Some(edge.target)
            });
            let Some(read) = read.collect::<Option<Vec<usize>>>() else { continue };
            let after = match step.end {
                Ended::At(after) => after,
                Ended::Fail => {
                    product.fails = true;
                    continue;
                }
                Ended::Cut => {
                    product.is_cut = true;
                    continue;
                }
            };
            step.mover.into_iter().for_each(|it| colours.insert(u32::try_from(it).expect("few processes")));
            let target = (after, read);
            let fresh = numbers.len();
            let number = *numbers.entry(target.clone()).or_insert(fresh);
            if number == fresh {
                pending.push(target);
                product.edges.push(Vec::new());
            }
            product.edges[source].push((number, colours));
        }
    }
    product
}

fn system(file: &str, component: &str, constants: &[(&str, i32)]) -> System {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let loader = |path: &str| std::fs::read(folder.join(path)).map_err(|error| error.to_string());
    let text = std::fs::read_to_string(folder.join(file)).expect("the model is there");
    let mut read = parse(&text);
    for (name, value) in constants {
        assert!(read.define(name, *value), "{name} is a constant");
    }
    let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
    elaborator.system(component, &Options::default()).expect("the model has no mistakes")
}

/// Judges all properties of a component: all hold but the one that is named. Queues never overflow, and some run meets all
/// assumptions, so that nothing holds for nothing.
fn check(file: &str, component: &str, constants: &[(&str, i32)], broken: Option<&str>) {
    let system = system(file, component, constants);
    for property in &system.properties {
        let judged = judge(&system, property, true);
        assert_eq!(judged.holds, Some(&*property.name) != broken, "{component}: {}", property.name);
        assert!(!judged.is_cut, "{component}: {} rests on the bounds of queues", property.name);
        assert!(
            !judge(&system, property, false).holds,
            "{component}: no run meets what {} assumes",
            property.name
        );
    }
}

#[test]
fn a_small_example() {
    check("retry.aim", "Retry", &[], Some("always_answers"));
}

#[test]
fn the_sensor() {
    check("sensor.aim", "Sensor", &[("READINGS", 1)], None);
}

#[test]
fn the_published_bug_of_the_sensor() {
    check("sensor.aim", "Sensor", &[("READINGS", 1), ("BUG", 1)], Some("waits_for_done"));
}

#[test]
fn the_network() {
    check("network.aim", "Network", &[("BYTES", 1)], None);
}

#[test]
fn the_sensor_on_the_network() {
    let small = [("READINGS", 1), ("BYTES", 1)];
    let system = system("sensor-to-network.aim", "SensorToNetwork", &small);
    let judged = judge(&system, &system.properties[0], true);
    assert!(judged.holds && !judged.is_cut);
}
